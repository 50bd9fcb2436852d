"""The table of judgements: what is in it, whose, and that nothing of it needs much memory."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from fergus.studies.export import COLUMNS, GRACE_MS, Choice, columns_of, export_study, rows_of
from fergus.studies.service import Service, View
from fergus.studies.storage import answers, codings
from fergus.studies.storage.database import Database
from fergus.studies.storage.studies import StudyRow
from tests.studies.small_study import answer_all, form_of, put

BLOCKS = """\
blocks:
  - {name: first, items: {group: [1]}, questions: [good], practice: yes}
  - {name: main, items: {group: [2]}, page: group, questions: [good, why]}
"""
PAIR = """\
  which:
    type: pair
    right: {system: x}
    tie: Neither
blocks:
  - {name: main, items: {group: [2]}, page: group, questions: [which]}
"""
TASK = """\
  solve: {type: task, seconds: 10, gold: "yes"}
blocks:
  - {name: main, items: {item: [1-x]}, questions: [solve]}
"""
REVIEW = """\
  expert: {type: review, overall: All in all, categories: {order: Order}}
blocks:
  - {name: main, items: {item: [1-x]}, questions: [expert]}
"""


class Clock:
    def __init__(self) -> None:
        self.now_ms = 1_700_000_000_000  # 2023-11-14T22:13:20Z

    def __call__(self) -> int:
        return self.now_ms


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def service(database: Database, clock: Clock) -> Service:
    return Service(database, now_ms=clock)


def join(service: Service, row: StudyRow, nonce: str, kind: str = "person", **parameters: str) -> str:
    return service.join(row, nonce=nonce, parameters=parameters, kind=kind)


def viewed(service: Service, key: str) -> View:
    view = service.view(key)
    assert view is not None
    return view


def send(service: Service, key: str, form: dict[str, list[str]]) -> None:
    outcome = service.submit(key, viewed(service, key).participant.page, form)
    assert outcome is not None
    assert not outcome.problems


def rows(service: Service, row: StudyRow, **choice: bool) -> list[dict[str, Any]]:
    return list(rows_of(service, row, choice=Choice(**choice)))


def as_csv(service: Service, row: StudyRow, *, is_safe: bool = False, **choice: bool) -> list[dict[str, str]]:
    text = "".join(export_study(service, row, choice=Choice(**choice), is_safe=is_safe))
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_a_row_for_each_judgement_with_all_that_is_known(service: Service, clock: Clock) -> None:
    row = put(service.database, blocks=BLOCKS)
    key = join(service, row, "n")
    answer_all(service, key, pages=2)
    view = viewed(service, key)
    assert view.page is not None
    clock.now_ms += 4500
    service.submit(
        key, 2, {**form_of(view), "1.good.good": ["5"]}, shown_ms=clock.now_ms - 4000, active_ms=3999
    )  # fmt: skip
    found = rows(service, row)
    shown = list(view.page.items)
    common = {
        "study": "small", "version": row.version, "participant": view.participant.id, "kind": "person",
        "condition": "", "state": "completed", "block": "main", "practice": False, "page": 3, "score": None,
        "late": None, "shown_order": shown, "opened": "2023-11-14T22:13:20.000Z", "shown": "2023-11-14T22:13:20.500Z",
        "submitted": "2023-11-14T22:13:24.500Z", "duration_ms": 4500, "active_ms": 3999, "codes": None, "grades": None,
    }  # fmt: skip
    for place, (item, value) in enumerate(zip(shown, (3, 5), strict=True)):
        system = item[-1]
        assert found[place] == {
            **common, "position": place + 1, "item": item, "group": "2", "system": system, "question": "good",
            "type": "rating", "dimension": "good", "value": value, "item_text": f"Text 2, by {system}.",
            "item_group": "2", "item_system": system, "item_tree": "t2",
        }  # fmt: skip
    assert found[2] == {
        **common, "position": None, "item": "", "group": "", "system": "", "question": "why", "type": "comment",
        "dimension": "", "value": "so",
    }  # fmt: skip
    assert len(found) == 3


def test_csv_has_the_same_in_the_same_columns(service: Service) -> None:
    row = put(service.database, blocks=BLOCKS)
    answer_all(service, join(service, row, "n"))
    table = as_csv(service, row)
    expected = [
        *(name for name in COLUMNS if name != "external"),
        "item_text",
        "item_group",
        "item_system",
        "item_tree",
    ]
    assert list(table[0]) == expected == columns_of(service, row)
    for cells, record in zip(table, rows(service, row), strict=True):
        for name, cell in cells.items():
            value = record.get(name)
            told = "" if value is None else value if isinstance(value, str) else json.dumps(value)
            assert cell == told, name


def test_json_lines(service: Service) -> None:
    row = put(service.database, blocks=BLOCKS)
    answer_all(service, join(service, row, "n"))
    pieces = list(export_study(service, row, form="jsonl"))
    assert [json.loads(piece) for piece in pieces] == rows(service, row)
    assert all(piece.endswith("\n") and piece.count("\n") == 1 for piece in pieces)


def test_nothing_tells_who_it_was_unless_that_is_asked_for(service: Service) -> None:
    row = put(service.database, "recruitment: {parameters: [PROLIFIC_PID]}\n")
    key = join(service, row, "the-nonce", PROLIFIC_PID="ada-l")
    answer_all(service, key)
    for form in ("csv", "jsonl"):
        text = "".join(export_study(service, row, form=form))
        assert not any(secret in text for secret in ("ada-l", key, "the-nonce"))
        with_ids = "".join(export_study(service, row, form=form, choice=Choice(with_ids=True)))
        assert "ada-l" in with_ids
        assert not any(secret in with_ids for secret in (key, "the-nonce"))


def test_whose_answers(service: Service) -> None:
    row = put(service.database, blocks=BLOCKS)
    for nonce, kind, pages in (("a", "person", 3), ("b", "person", 2), ("c", "preview", 3), ("d", "simulated", 3)):
        answer_all(service, join(service, row, nonce, kind), pages=pages)
    gone = join(service, row, "e")
    answer_all(service, gone, pages=2)
    service.withdraw(gone)

    def said(**choice: bool) -> list[tuple[str, str, str]]:
        return sorted({(one["kind"], one["state"], one["block"]) for one in rows(service, row, **choice)})

    usual = [("person", "completed", "main"), ("simulated", "completed", "main")]
    assert said() == usual
    assert said(previews=True) == [usual[0], ("preview", "completed", "main"), usual[1]]
    practised = [("person", "active", "first"), ("person", "completed", "first"), usual[0]]
    practised += [("simulated", "completed", "first"), usual[1]]
    assert said(practice=True) == practised
    assert said(practice=True, completed_only=True) == practised[1:]
    assert ("person", "withdrawn", "first") in said(practice=True, withdrawn=True)


def test_a_comparison_is_about_the_chosen_one(service: Service) -> None:
    row = put(service.database, blocks=PAIR)
    for nonce, choice in (("a", "0"), ("b", "tie")):
        send(service, join(service, row, nonce), {"page.which.choice": [choice]})
    chosen, tie = rows(service, row)
    first = chosen["shown_order"][0]
    assert (chosen["item"], chosen["value"], chosen["position"], chosen["group"]) == (first, first, 1, "2")
    assert chosen["score"] == float(first == "2-x")
    assert (tie["item"], tie["value"], tie["position"], tie["group"], tie["system"]) == ("", None, None, "2", "")


@pytest.mark.parametrize(("took_ms", "late"), [(10_000 + GRACE_MS, False), (10_001 + GRACE_MS, True)])
def test_a_task_that_took_too_long_is_late(service: Service, clock: Clock, took_ms: int, late: bool) -> None:
    row = put(service.database, blocks=TASK)
    key = join(service, row, "n")
    clock.now_ms += took_ms
    send(service, key, {"0.solve.solution": ["yes"]})
    (found,) = rows(service, row)
    assert (found["late"], found["score"], found["value"]) == (late, 1.0, "yes")
    assert as_csv(service, row)[0]["late"] == ("true" if late else "false")


def test_codes_stand_beside_what_they_are_of(service: Service) -> None:
    row = put(service.database, blocks=REVIEW)
    reviewers = [join(service, row, nonce) for nonce in "ab"]
    form = {"0.expert.comment.0": ["odd"], "0.expert.comment.1": ["=worse"], "0.expert.overall": ["fine"]}
    for key in reviewers:
        send(service, key, form)
    second = viewed(service, reviewers[1]).participant.id
    with service.database.read() as transaction:
        (answer,) = answers.of_participant(transaction, second)

    def code(coder: str, part: int, codes: list[str], grade: float | None = None) -> None:
        service.database.write(
            lambda t: codings.add_coding(t, answer.id, coder=coder, codes=codes, part=part, grade=grade, now_ms=1)
        )

    code("eve", 1, ["old"])
    code("eve", 1, ["style", "order"])
    code("ada", 1, ["order"])
    code("ada", 2, [], grade=0.5)
    found = rows(service, row)
    assert [(one["participant"] == second, one["dimension"], one["codes"], one["grades"]) for one in found] == [
        (False, "", None, None),
        (False, "", None, None),
        (False, "overall", None, None),
        (True, "", None, None),
        (True, "", {"ada": ["order"], "eve": ["style", "order"]}, None),
        (True, "overall", None, {"ada": 0.5}),
    ]
    assert found[4]["value"]["comment"] == "=worse"


def test_texts_that_look_like_formulas(service: Service) -> None:
    row = put(service.database)
    key = join(service, row, "n")
    comment = '=HYPERLINK("http://x")'
    send(service, key, form_of(viewed(service, key), comment=comment))

    def comments(**options: Any) -> list[str]:
        return [one["value"] for one in as_csv(service, row, **options) if one["question"] == "why"]

    assert comments() == [comment]
    assert comments(is_safe=True) == ["'" + comment]
    safe = [one for one in as_csv(service, row, is_safe=True) if one["question"] == "good"]
    assert {one["value"] for one in safe} == {"3"}  # numbers are left alone


def test_versions_with_different_columns(service: Service) -> None:
    row = put(service.database)
    answer_all(service, join(service, row, "a"), pages=1)
    newer = put(service.database, items="item,text,colour\nz,New text.,red\n")
    answer_all(service, join(service, newer, "b"))
    table = as_csv(service, newer)
    assert list(table[0])[-5:] == ["item_text", "item_group", "item_system", "item_tree", "item_colour"]
    by_version = {one["version"]: (one["item_tree"], one["item_colour"]) for one in table if one["question"] == "good"}
    assert {by_version[row.version][0][0], *by_version[newer.version]} == {"t", "", "red"}


def test_a_study_without_answers_has_a_header(service: Service) -> None:
    row = put(service.database)
    text = "".join(export_study(service, row))
    assert text.startswith("study,version,participant,kind,")
    assert text.count("\n") == 1
    assert list(export_study(service, row, form="jsonl")) == []


def test_many_rows_come_in_pieces(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fergus.studies.export._ROWS_AT_ONCE", 5)
    row = put(service.database)
    answer_all(service, join(service, row, "n"))
    pieces = list(export_study(service, row))
    assert [piece.count("\n") for piece in pieces] == [6, 4]  # the header and nine rows
    assert len(list(csv.reader(io.StringIO("".join(pieces), newline="")))) == 10


def test_a_reader_who_has_enough_leaves_nothing_open(service: Service) -> None:
    row = put(service.database)
    answer_all(service, join(service, row, "n"))
    pieces = export_study(service, row, form="jsonl")
    next(pieces)
    pieces.close()  # type: ignore[attr-defined]
    answer_all(service, join(service, row, "m"))
    assert len(rows(service, row)) == 18
