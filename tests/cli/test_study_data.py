"""``fergus study export``, ``import``, ``backup`` and ``delete-participant``: files in, files out."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from fergus.studies.service import Service
from fergus.studies.storage.migrate import open_database
from tests.studies.small_study import answer_all, put

from .conftest import Run

TABLE = """\
judge,item,system,text,quality,time
J1,1,a,Blue Spice is a shop.,83.333,9:00
J1,1,a,Blue Spice is a shop.,80,9:01
J2,1,b,A shop is Blue Spice.,,9:02
"""


@pytest.fixture
def imported(run: Run, tmp_path: Path) -> Path:
    """A folder with a database that has one imported study."""
    (tmp_path / "table.csv").write_text(TABLE)
    assert run("study", "import", "table.csv", "--study", "table").exit_code == 0
    return tmp_path


class TestImport:
    def test_it_says_what_was_imported(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "table.csv").write_text(TABLE)
        result = run("study", "import", "table.csv", "--study", "table", "--score", "quality")
        assert result.exit_code == 0
        assert result.stdout == "table: 2 judgements (quality) of 2 texts by 2 judges\n"
        assert result.stderr == (
            "line 3 judges a text again that the judge had judged; it is kept\n"
            "1 score is empty\n"
            "not kept, since judgements of one text differ in it: time\n"
        )

    def test_one_and_many_are_told_apart(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "one.csv").write_text("judge,text,score\nJ1,t,1\n")
        assert (
            run("study", "import", "one.csv", "--study", "one").stdout
            == "one: 1 judgement (score) of 1 text by 1 judge\n"
        )
        (tmp_path / "many.csv").write_text("judge,text,score\n" + "J1,t,1\n" * 3 + "J1,t,\n" * 2)
        many = run("study", "import", "many.csv", "--study", "many").stderr
        assert many.startswith(
            "4 rows judge a text again that the judge had judged (the first on line 3); they are kept\n"
        )
        assert "2 scores are empty" in many

    def test_a_second_time_it_is_refused_or_replaced(self, run: Run, imported: Path) -> None:
        again = run("study", "import", "table.csv", "--study", "table")
        assert again.exit_code == 2
        assert "there is a study “table” already; nothing was imported" in again.stderr
        assert run("study", "import", "table.csv", "--study", "table", "--replace").exit_code == 0
        assert run("study", "export", "table").stdout.count("\n") == 3

    def test_a_mistake_has_its_line_and_makes_no_database(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "table.csv").write_text(TABLE.replace("83.333", "many"))
        result = run("study", "import", "table.csv", "--study", "table")
        assert result.exit_code == 2
        assert "table.csv:2: quality is 'many', which is not a number" in result.stderr
        assert not (tmp_path / "fergus.db").exists()

    def test_other_columns(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "table.tsv").write_text("who\twhat\tby\tof\tgood\nJ\tA text.\tx\t7\t1\n")
        options = ["--judge", "who", "--text", "what", "--system", "by", "--item", "of", "--score", "good"]
        assert run("study", "import", "table.tsv", "--study", "t", *options).exit_code == 0
        (row,) = csv.DictReader(io.StringIO(run("study", "export", "t", "--with-ids").stdout))
        assert (row["external"], row["group"], row["system"], row["dimension"], row["value"]) == (
            "J", "7", "x", "good", "1",
        )  # fmt: skip


class TestExport:
    def test_to_standard_output_as_csv(self, run: Run, imported: Path) -> None:
        result = run("study", "export", "table")
        assert result.exit_code == 0
        rows = list(csv.DictReader(io.StringIO(result.stdout)))
        assert [row["value"] for row in rows] == ["83.333", "80"]
        assert "external" not in rows[0]

    @pytest.mark.parametrize(
        ("options", "is_json"),
        [
            (["-o", "out.jsonl"], True),
            (["-o", "out.csv"], False),
            (["-o", "out.txt"], False),
            (["-o", "out.csv", "--format", "jsonl"], True),
        ],
    )
    def test_the_ending_or_the_option_gives_the_format(
        self, run: Run, imported: Path, options: list[str], is_json: bool
    ) -> None:
        assert run("study", "export", "table", *options).exit_code == 0
        lines = (imported / options[1]).read_text().splitlines()
        assert lines[0].startswith("{") == is_json
        if is_json:
            assert json.loads(lines[0])["value"] == 83.333

    def test_choices_are_passed_on(self, run: Run, tmp_path: Path) -> None:
        with open_database(tmp_path / "fergus.db") as database:
            service, row = Service(database), put(database)
            for nonce, kind, pages in (("a", "person", 3), ("b", "person", 1), ("c", "preview", 1)):
                answer_all(service, service.join(row, nonce=nonce, parameters={}, kind=kind), pages=pages)
            gone = service.join(row, nonce="d", parameters={})
            answer_all(service, gone, pages=1)
            service.withdraw(gone)

        def count(*options: str) -> int:
            return run("study", "export", "small", "--format", "jsonl", *options).stdout.count("\n")

        assert count() == 12
        assert count("--completed-only") == 9
        assert count("--previews") == 15
        assert count("--withdrawn") == 15
        assert count("--practice", "--safe-for-spreadsheets") == 12

    def test_a_study_that_is_not_there(self, run: Run, imported: Path) -> None:
        result = run("study", "export", "tabel")
        assert result.exit_code == 2
        assert "there is no study “tabel” in the database; did you mean table?" in result.stderr

    def test_a_database_that_is_not_there(self, run: Run, tmp_path: Path) -> None:
        result = run("study", "export", "table", "--database", "none.db")
        assert result.exit_code == 2
        assert "none.db: there is no such file; name the database of `fergus serve`" in result.stderr
        assert list(tmp_path.iterdir()) == []


class TestBackup:
    def test_a_copy_is_a_database(self, run: Run, imported: Path) -> None:
        result = run("study", "backup", "copy.db")
        assert result.exit_code == 0
        assert result.stdout.startswith("copy.db: ")
        assert "fergus serve --database copy.db" in result.stdout
        assert run("study", "export", "table", "--database", "copy.db").stdout == run("study", "export", "table").stdout

    def test_a_file_that_is_there_is_kept(self, run: Run, imported: Path) -> None:
        result = run("study", "backup", "table.csv")
        assert result.exit_code == 2
        assert "table.csv: is there already" in result.stderr
        assert (imported / "table.csv").read_text() == TABLE
        assert run("study", "backup", "table.csv", "--force").exit_code == 0


class TestDeleteParticipant:
    def test_it_asks_first(self, run: Run, imported: Path) -> None:
        before = run("study", "export", "table").stdout
        refused = run("study", "delete-participant", "table", "J1", stdin="n\n")
        assert refused.exit_code == 1
        assert "Remove participant #1 (imported, completed, “J1”) from “table” for good?" in refused.stderr
        assert run("study", "export", "table").stdout == before
        done = run("study", "delete-participant", "table", "J1", stdin="y\n")
        assert done.exit_code == 0
        assert done.stdout == ("participant #1 of “table” is removed: 2 pages, 2 answers, 0 codings, 0 private links\n")
        assert "backups and exports that were made before still have the data" in done.stderr
        assert run("study", "export", "table").stdout.count("\n") == 1

    def test_by_number_without_a_question(self, run: Run, imported: Path) -> None:
        result = run("study", "delete-participant", "table", "#2", "--yes")
        assert result.exit_code == 0
        assert "participant #2" in result.stdout

    @pytest.mark.parametrize(
        "command",
        [
            ("delete-participant", "table", "J1", "--yes"),
            ("delete", "table", "--yes"),
            ("import", "table.csv", "--study", "table", "--replace"),
        ],
    )
    def test_the_report_that_a_server_keeps_goes_too(self, run: Run, imported: Path, command: tuple[str, ...]) -> None:
        folder = imported / "fergus.db.analysis"
        folder.mkdir()
        for name in ("study-1.zip", "study-1.running", "study-2.zip"):
            (folder / name).write_text("J1")
        assert run("study", *command).exit_code == 0
        assert [path.name for path in folder.iterdir()] == ["study-2.zip"]

    def test_nobody(self, run: Run, imported: Path) -> None:
        result = run("study", "delete-participant", "table", "J9", "--yes")
        assert result.exit_code == 2
        assert "nobody in “table” is “J9”" in result.stderr

    def test_one_of_two(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "table.csv").write_text("judge,text,score\nJ1,t,1\n1,t,2\n")
        run("study", "import", "table.csv", "--study", "table")
        result = run("study", "delete-participant", "table", "1", "--yes")
        assert result.exit_code == 2
        assert "“1” may be each of #1 (imported, completed), #2 (imported, completed)" in result.stderr
        assert run("study", "export", "table").stdout.count("\n") == 3

    def test_while_others_read(self, run: Run, imported: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("fergus.studies.storage.erase._clean", lambda _: False)
        result = run("study", "delete-participant", "table", "J1", "--yes")
        assert "holds the old rows until the server is stopped once" in result.stderr
