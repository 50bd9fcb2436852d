"""Rows of studies, links and participants as they are put in and found again."""

from __future__ import annotations

from fergus.studies.model import PlannedPage
from fergus.studies.service import Service
from fergus.studies.storage import answers, participants, studies
from fergus.studies.storage.answers import Given, Submission
from fergus.studies.storage.database import Database, Transaction
from fergus.studies.storage.participants import COUNTED, KINDS, NewParticipant, Standing, Who
from fergus.studies.storage.studies import VersionRow
from tests.studies.small_study import answer_all, link, put

PAGES = (PlannedPage("about"), PlannedPage("main", ("1-x", "1-y"), "1"))


def add(transaction: Transaction, study_id: int, name: str, kind: str = "person") -> int:
    new = NewParticipant(
        study_id, version="v", key=f"key-{name}", nonce=f"nonce-{name}", external=name, parameters={"who": "ä\n"},
        kind=kind, condition="a", seed=2**61, plan=PAGES,
    )  # fmt: skip
    return participants.add_participant(transaction, new, now_ms=10)


def test_a_version_that_is_put_in_again_is_taken_up_again(database: Database) -> None:
    def version(name: str) -> VersionRow:
        return VersionRow(name, "study.yaml", f"text {name}", "items.csv", "", 1)

    rows = [database.write(lambda t, n=n: studies.add_version(t, "s", version(n))) for n in ("v1", "v2", "v1")]  # type: ignore[misc]
    assert [row.version for row in rows] == ["v1", "v2", "v1"]
    assert len({row.id for row in rows}) == 1
    with database.read() as transaction:
        assert [one.version for one in studies.all_versions(transaction, rows[0].id)] == ["v1", "v2"]
        assert studies.find_version(transaction, rows[0].id, "v2") == version("v2")
        assert studies.find_version(transaction, rows[0].id, "v3") is None


def test_studies_are_listed_newest_first(database: Database) -> None:
    for name in ("one", "two"):
        put(database, name=name)
    with database.read() as transaction:
        assert [row.name for row in studies.all_studies(transaction)] == ["two", "one"]
        assert studies.find_study(transaction, "three") is None
        assert studies.find_study(transaction, "o\0ne") is None


def test_links(database: Database) -> None:
    row = put(database)
    made = [link(database, row, token, condition) for token, condition in (("t1", None), ("t2", "a"))]
    with database.read() as transaction:
        assert studies.all_links(transaction, row.id) == made
        assert studies.find_link(transaction, "t2") == made[1]
        assert studies.find_link(transaction, "t3") is None
        assert studies.find_link(transaction, "t\0") is None


def test_a_participant_is_found_as_it_was_put_in(database: Database) -> None:
    row = put(database)
    number = database.write(lambda t: add(t, row.id, "ada"))
    with database.read() as transaction:
        found = participants.by_id(transaction, number)
        assert found is not None
        assert found == participants.by_key(transaction, "key-ada")
        assert found == participants.by_nonce(transaction, "nonce-ada")
        assert found == participants.by_external(transaction, row.id, "person", "ada")
        assert participants.by_external(transaction, row.id, "preview", "ada") is None
        assert participants.by_id(transaction, number + 1) is None
    assert (found.plan, found.parameters, found.seed) == (PAGES, {"who": "ä\n"}, 2**61)
    assert (found.study, found.study_state, found.state) == ("small", "open", "active")


def test_previews_are_counted_nowhere(database: Database) -> None:
    row = put(database)
    numbers = {kind: database.write(lambda t, k=kind: add(t, row.id, k, k)) for kind in KINDS}  # type: ignore[misc]
    with database.read() as transaction:
        assert [one.kind for one in participants.of_study(transaction, row.id)] == [k for k in KINDS if k in COUNTED]
        assert participants.loads(transaction, row.id, since_ms=10)["a"].active == len(COUNTED)
        assert participants.judged(transaction, row.id, since_ms=10) == {("main", "1"): len(COUNTED)}
        assert participants.judged(transaction, row.id, since_ms=11) == {}
        everyone = participants.who_is_who(transaction, row.id)
    assert everyone[numbers["preview"]] == Who(numbers["preview"], "v", "preview", "preview", "active", "a")


def test_who_is_gone_is_missed_though_another_came(database: Database) -> None:
    row, other = put(database), put(database, name="other")
    numbers = [database.write(lambda t, n=n: add(t, row.id, n)) for n in "abc"]  # type: ignore[misc]
    database.write(lambda t: add(t, row.id, "preview", "preview"))
    database.write(lambda t: add(t, other.id, "elsewhere"))

    def standing(up_to: int) -> Standing:
        with database.read() as transaction:
            return participants.standing(transaction, row.id, up_to=up_to)

    assert standing(0) == Standing(0, 0, 0)
    assert standing(numbers[1]) == Standing(2, sum(numbers[:2]), 0)
    database.write(lambda t: participants.set_page(t, numbers[0], page=1, state="withdrawn", now_ms=1))
    assert standing(10**6) == Standing(3, sum(numbers), 1)
    database.write(lambda t: participants.delete_participant(t, numbers[2]))
    late = database.write(lambda t: add(t, row.id, "d"))
    assert standing(10**6) == Standing(3, sum(numbers[:2]) + late, 1)


def test_many_pages_at_once_are_as_one_by_one(database: Database) -> None:
    row = put(database)
    pages = [
        (Submission(n, "main", ("1-x",), 1, None, 2, 3), [Given("good", ("1-x",), {"good": n})] if n else [])
        for n in range(3)
    ]
    one, other = (database.write(lambda t, n=name: add(t, row.id, n)) for name in ("one", "other"))  # type: ignore[misc]
    database.write(lambda t: answers.add_submissions(t, one, pages))
    for page, given in pages:
        database.write(lambda t, p=page, g=given: answers.add_submission(t, other, p, g))  # type: ignore[misc]
    with database.read() as transaction:
        found = [
            [(row.submission, row.given) for row in answers.of_participant(transaction, number)]
            for number in (one, other)
        ]
    assert found[0] == found[1] == [(page, given[0]) for page, given in pages if given]


def test_a_study_that_is_deleted_takes_everything_with_it(database: Database) -> None:
    row, service = put(database), Service(database)
    link(database, row, "token")
    answer_all(service, service.join(row, nonce="n", parameters={}))
    database.write(lambda t: studies.delete_study(t, row.id))
    with database.read() as transaction:
        assert studies.all_studies(transaction) == []
        assert participants.of_study(transaction, row.id) == []
        assert list(answers.of_study(transaction, row.id)) == []
        assert studies.all_links(transaction, row.id) == []


def test_a_deleted_participant_takes_the_answers_along(database: Database) -> None:
    row, service = put(database), Service(database)
    key = service.join(row, nonce="n", parameters={})
    answer_all(service, key)
    view = service.view(key)
    assert view is not None
    database.write(lambda t: participants.delete_participant(t, view.participant.id))
    with database.read() as transaction:
        assert list(answers.of_study(transaction, row.id)) == []
