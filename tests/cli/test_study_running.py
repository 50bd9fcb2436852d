"""``fergus study add``, ``list``, ``open``, ``pause``, ``close``, ``links``, ``delete`` and ``copy``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from fergus.studies.join import RefusedError
from fergus.studies.service import Service
from fergus.studies.storage.database import Database
from fergus.studies.storage.migrate import open_database
from fergus.studies.storage.studies import StudyRow, all_links, all_studies, find_study
from tests.studies.small_study import ITEMS, answer_all, link, put, study_text

from .conftest import Run


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with a study."""
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / "study.yaml").write_text(study_text(), encoding="utf-8")
    (folder / "items.csv").write_text(ITEMS, encoding="utf-8")
    return folder


@pytest.fixture
def database(run: Run, tmp_path: Path) -> Iterator[Database]:
    """The database that commands take if none is named."""
    with open_database(tmp_path / "fergus.db") as opened:
        yield opened


@pytest.fixture
def row(database: Database) -> StudyRow:
    """A study in which one person completed, one began, and one previewed; it has a private link."""
    service, row = Service(database), put(database)
    link(database, row, "token")
    for nonce, kind, pages in (("a", "person", 3), ("b", "person", 1), ("c", "preview", 1)):
        answer_all(service, service.join(row, nonce=nonce, parameters={}, kind=kind), pages=pages)
    return row


class TestAdd:
    def test_new_the_same_and_changed(self, run: Run, files: Path, tmp_path: Path) -> None:
        first = run("study", "add", "small")
        assert first.exit_code == 0, first.output
        version = first.stdout.partition("version ")[2].partition(";")[0]
        assert first.stdout.startswith("small: is put in, version ")
        assert run("study", "add", files / "study.yaml").stdout == f"small: has this version already, {version}\n"
        (files / "study.yaml").write_text(study_text("thanks: Thank you.\n"), encoding="utf-8")
        changed = run("study", "add", "small").stdout
        assert changed.startswith("small: has a new version, ")
        assert changed.endswith(f", instead of {version}\n")
        with open_database(tmp_path / "fergus.db") as opened, opened.read() as transaction:
            (row,) = all_studies(transaction)
        assert row.version in changed

    def test_nothing_is_put_in_if_one_has_a_mistake(self, run: Run, files: Path, tmp_path: Path) -> None:
        (tmp_path / "bad.yaml").write_text("study: bad\n", encoding="utf-8")
        result = run("study", "add", "small", "bad.yaml")
        assert result.exit_code == 2
        assert "bad.yaml" in result.stderr
        assert result.stderr.endswith("nothing was put in\n")
        assert not (tmp_path / "fergus.db").exists()

    def test_warnings_are_told(self, run: Run, files: Path) -> None:
        text = study_text().replace("questions: [good, why]", "questions: [good]")
        (files / "study.yaml").write_text(text, encoding="utf-8")
        result = run("study", "add", "small")
        assert result.exit_code == 0
        assert result.stderr.startswith("warning: ")
        assert "no block asks question 'why'" in result.stderr


class TestList:
    def test_as_a_table(self, run: Run, database: Database, row: StudyRow) -> None:
        put(database, name="another")
        lines = [line.split() for line in run("study", "list").stdout.splitlines()]
        assert lines[0] == ["study", "state", "version", "completed", "active", "judgements"]
        assert ["small", "open", row.version, "1", "1", "12"] in lines  # 3 + 1 pages of two ratings and a comment
        assert [line[0] for line in lines[1:]] == ["another", "small"]

    def test_judgements_are_as_many_as_an_export_has_rows(self, run: Run, row: StudyRow) -> None:
        (record,) = json.loads(run("study", "list", "--json").stdout)
        assert record == {
            "study": "small", "state": "open", "version": row.version, "completed": 1, "active": 1, "judgements": 12,
        }  # fmt: skip
        assert run("study", "export", "small").stdout.count("\n") == 1 + record["judgements"]

    def test_a_study_that_cannot_be_read_any_more(self, run: Run, database: Database, row: StudyRow) -> None:
        from sqlalchemy import update

        from fergus.studies.storage.tables import versions

        database.write(lambda transaction: transaction.execute(update(versions).values(text="study: ?")))
        assert run("study", "list").stdout.splitlines()[1].split()[-1] == "?"

    def test_there_is_none(self, run: Run, database: Database) -> None:
        result = run("study", "list")
        assert (result.exit_code, result.stdout) == (0, "")
        assert "put one in: fergus study add FILE" in result.stderr
        assert json.loads(run("study", "list", "--json").stdout) == []

    def test_a_database_that_is_not_there(self, run: Run, tmp_path: Path) -> None:
        assert run("study", "list").exit_code == 2
        assert list(tmp_path.iterdir()) == []


class TestStates:
    def test_a_study_is_paused_closed_and_opened(self, run: Run, database: Database, row: StudyRow) -> None:
        service = Service(database)
        for command, state, told in (
            ("pause", "paused", "nobody can join or answer; everybody can go on when it is open again"),
            ("close", "closed", "nobody can join; those who began can finish"),
        ):
            assert run("study", command, "small").stdout == f"small is {state}: {told}\n"
            with pytest.raises(RefusedError, match=state):
                service.join(row, nonce="new", parameters={})
        assert run("study", "open", "small").stdout == "small is open: people can take part\n"
        assert run("study", "open", "small").stdout == "small is open already: people can take part\n"
        assert service.join(row, nonce="new", parameters={})

    def test_what_the_states_say_is_so(self, run: Run, database: Database, row: StudyRow) -> None:
        service = Service(database)
        key = service.join(row, nonce="new", parameters={})
        run("study", "pause", "small")
        with pytest.raises(RefusedError, match="paused"):
            answer_all(service, key, pages=1)
        run("study", "close", "small")
        answer_all(service, key)
        view = service.view(key)
        assert view is not None
        assert view.participant.state == "completed"

    @pytest.mark.parametrize("command", ["open", "pause", "close", "delete", "links"])
    def test_a_study_that_is_not_there(self, run: Run, row: StudyRow, command: str) -> None:
        result = run("study", command, "smal")
        assert result.exit_code == 2
        assert "there is no study “smal” in the database; did you mean small?" in result.stderr


class TestDelete:
    HELD = "1 version, 3 participants, 15 answers, 0 codings, 1 private link"

    def test_it_asks_for_the_name(self, run: Run, database: Database, row: StudyRow) -> None:
        for typed, code in (("yes\n", 2), ("", 1)):
            refused = run("study", "delete", "small", stdin=typed)
            assert refused.exit_code == code
            assert f"“small” (open) will be removed for good: {self.HELD}\n" in refused.stderr
            assert refused.stdout == ""
        assert "“yes” is not “small”; nothing was removed" in run("study", "delete", "small", stdin="yes\n").stderr
        with database.read() as transaction:
            assert find_study(transaction, "small") is not None
        done = run("study", "delete", "small", stdin="small\n")
        assert done.exit_code == 0
        assert done.stdout == f"“small” is removed: {self.HELD}\n"
        with database.read() as transaction:
            assert find_study(transaction, "small") is None

    def test_without_asking_and_without_the_others(self, run: Run, database: Database, row: StudyRow) -> None:
        put(database, name="another")
        assert run("study", "delete", "small", "--yes").exit_code == 0
        with database.read() as transaction:
            assert [one.name for one in all_studies(transaction)] == ["another"]

    def test_while_others_read(self, run: Run, row: StudyRow, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("fergus.studies.storage.erase._clean", lambda *_: False)
        result = run("study", "delete", "small", "--yes")
        assert "holds the old rows until the server is stopped once" in result.stderr


class TestLinks:
    def test_a_number_of_them(self, run: Run, database: Database, row: StudyRow) -> None:
        result = run("study", "links", "small", "-n", 3, "--base-url", "https://s.example/")
        assert result.exit_code == 0
        lines = [line.split("\t") for line in result.stdout.splitlines()]
        assert [label for label, _ in lines] == ["link 2", "link 3", "link 4"]
        assert all(address.startswith("https://s.example/j/") for _, address in lines)
        with database.read() as transaction:
            tokens = [one.token for one in all_links(transaction, row.id)]
        assert [address.rpartition("/")[2] for _, address in lines] == tokens[1:]
        assert len(set(tokens)) == 4

    def test_one_for_each_label_and_one_label_numbered(self, run: Run, row: StudyRow) -> None:
        def labels(*options: object) -> list[str]:
            found = json.loads(run("study", "links", "small", "--json", *options).stdout)
            assert all(one["link"].startswith("http://127.0.0.1:8000/j/") for one in found)
            return [one["label"] for one in found]

        assert labels() == ["link 2"]
        assert labels("--label", "Ann", "--label", "Bob") == ["Ann", "Bob"]
        assert labels("--label", "class", "-n", 2) == ["class 1", "class 2"]
        assert labels("--label", "Eve", "-n", 1) == ["Eve"]

    def test_a_condition_is_one_of_the_study(self, run: Run, database: Database) -> None:
        row = put(database, settings="conditions: [long, short]\n")
        (made,) = json.loads(run("study", "links", "small", "--condition", "short", "--json").stdout)
        assert made["condition"] == "short"
        service = Service(database)
        with database.read() as transaction:
            (link,) = all_links(transaction, row.id)
        view = service.view(service.join(row, nonce="a", parameters={}, link=link))
        assert view is not None
        assert view.participant.condition == "short"

    @pytest.mark.parametrize(
        ("options", "problem"),
        [
            (["--condition", "shrt"], "has no condition “shrt”"),
            (["--label", "a", "--label", "b", "-n", "2"], "without -n there is a link for each label"),
            (["--label", "x" * 201], "cannot be a label"),
            (["--label", "a\nb"], "cannot be a label"),
            (["--base-url", "s.example"], "“s.example” is no address"),
            (["--base-url", "http://"], "“http://” is no address"),
            (["--base-url", ""], "“” is no address"),
            (["-n", "0"], "0 is not in the range"),
            ([part for i in range(1001) for part in ("--label", str(i))], "1001 links cannot be made at once"),
        ],
    )
    def test_what_is_refused_makes_none(
        self, run: Run, database: Database, row: StudyRow, options: list[str], problem: str
    ) -> None:
        result = run("study", "links", "small", *options)
        assert result.exit_code == 2
        assert problem in result.stderr
        with database.read() as transaction:
            assert len(all_links(transaction, row.id)) == 1


class TestCopy:
    def test_everything_is_in_the_copy(self, run: Run, row: StudyRow) -> None:
        result = run("study", "copy", "--to", "copy.db")
        assert result.exit_code == 0
        assert ["participants", "3"] in [line.split() for line in result.stdout.splitlines()]
        assert result.stdout.endswith("All of fergus.db is in copy.db, and was read again there.\n")
        exports = [run("study", "export", "small", *options).stdout for options in ([], ["--database", "copy.db"])]
        assert exports[0] == exports[1]

    def test_a_mistyped_database_makes_none(self, run: Run, tmp_path: Path) -> None:
        assert run("study", "copy", "--database", "none.db", "--to", "copy.db").exit_code == 2
        assert list(tmp_path.iterdir()) == []
