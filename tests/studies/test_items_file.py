"""Items from CSV, JSON lines and evaluations."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.errors import InputError
from fergus.studies.items_file import decoded, parse_items, read_text
from fergus.studies.model import Item
from fergus.studies.problems import Problems


def parse(text: str, name: str = "items.csv") -> tuple[list[Item], list[str]]:
    problems = Problems(name)
    return parse_items(text, problems), [str(problem) for problem in problems.sorted()]


def test_csv_with_lines_and_other_columns() -> None:
    items, problems = parse('item,text,group,why\na,"One,\ntwo",g,\nb, Three ,g,because\n')
    assert problems == []
    assert items == [
        Item("a", "One,\ntwo", {"group": "g", "why": ""}, 2),
        Item("b", "Three", {"group": "g", "why": "because"}, 4),
    ]


def test_ids_are_made_where_there_are_none() -> None:
    items, problems = parse("text,group,system,item\nA,g,x,\nB,g,y,\nC,,,\nD,,,own\nE,,z,\n")
    assert problems == []
    assert [item.id for item in items] == ["g-x", "g-y", "3", "own", "z"]


@pytest.mark.parametrize(("name", "sign"), [("i.csv", ";"), ("i.csv", "\t"), ("i.tsv", "\t"), ("i.CSV", ",")])
def test_the_header_tells_the_delimiter(name: str, sign: str) -> None:
    items, problems = parse(f"item{sign}text{sign}group\na{sign}One. Two{sign}g\n", name)
    assert problems == []
    assert items == [Item("a", "One. Two", {"group": "g"}, 2)]


def test_empty_lines_are_passed_over() -> None:
    items, problems = parse("\nitem,text\n\na,One\n,\nb,Two\n\n")
    assert problems == []
    assert [(item.id, item.line) for item in items] == [("a", 4), ("b", 6)]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "items.csv: the file is empty; give at least one item"),
        ("item,text\n", "items.csv: there is no item; give at least one, under the header"),
        (
            "item,txt\na,One\n",
            "items.csv:1: there is no column text; name the column with the texts text; did you mean",
        ),
        ("item,,text\na,b,c\n", "items.csv:1: a column has no name"),
        ("item,text,item\na,b,c\n", "items.csv:1: the column 'item' is there twice"),
        ("item,text\na,One, two\n", "items.csv:2: the row has 3 fields, but the header has 2; put texts with a comma"),
        ("item;text\na\n", "items.csv:2: the row has 1 fields, but the header has 2; check the delimiters"),
        ("item,text\na,One\nb,\n", "items.csv:3: item 'b' has no text; fill in the column text"),
        ("item,text\na,One\na,Two\n", "items.csv:3: two items have the id 'a' (before, on line 2); give each"),
        ("group,text\ng,One\ng,Two\n", "items.csv:3: two items have the id 'g' (before, on line 2); fill in a column"),
        ('item,text\na,"One\n', "items.csv:2: this is not CSV (unexpected end of data)"),
        ('item,text\na,"One" two\n', "items.csv:2: this is not CSV"),
        (f"item,text\n{'x' * 200},One\n", "is no good id; use at most 120 characters"),
        ("item,text\na\u200bb,One\n", "items.csv:2: 'a\\u200bb' is no good id"),
    ],
)
def test_mistakes_in_csv(text: str, problem: str) -> None:
    _, problems = parse(text)
    assert len(problems) == 1
    assert problem in problems[0]


def test_every_mistake_is_told() -> None:
    items, problems = parse("item,text\na,\nb\nc,Fine\nc,Again\n")
    assert [problem.split(":")[1] for problem in problems] == ["2", "3", "5"]
    assert [item.id for item in items] == ["c"]


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0", exclude_categories=["Cc"]), min_size=1).filter(
    lambda text: bool(text.strip())
)


@given(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=5))
def test_what_csv_writes_is_read_back(rows: list[tuple[str, str]]) -> None:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["item", "text", "note"])
    writer.writerows([[number, *row] for number, row in enumerate(rows)])
    items, problems = parse(stream.getvalue())
    assert problems == []
    assert [(item.text, item.values["note"]) for item in items] == [(a.strip(), b.strip()) for a, b in rows]


def test_json_lines_keep_numbers_as_written() -> None:
    lines = [
        '{"item": "a", "text": "One", "m.x": 0.50, "n": 7, "always": true, "never": false, "none": null}',
        "",
        "\n",
    ]
    items, problems = parse("\n".join(lines), "i.jsonl")
    assert problems == []
    assert items == [
        Item("a", "One", {"m.x": "0.50", "n": "7", "always": "yes", "never": "", "none": ""}, 1),
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"text": "One"}\n{"text": ', "i.jsonl:2: this is not JSON"),
        ('{"text": "One"}\n["Two"]', "i.jsonl:2: this is not an object; write"),
        ('{"text": "One", "tags": ["a"]}', "i.jsonl:1: 'tags' is a list or an object; write a text or a number"),
        ('{"text": "One", "text": "Two"}', "i.jsonl:1: this is not JSON (a key is given twice)"),
        ("[" * 100_000, "i.jsonl:1: this is not JSON"),
        ('{"item": "a"}', "i.jsonl:1: item 'a' has no text"),
    ],
)
def test_mistakes_in_json_lines(text: str, problem: str) -> None:
    _, problems = parse(text, "i.jsonl")
    assert len(problems) == 1
    assert problem in problems[0]


def test_an_unknown_ending_is_refused() -> None:
    assert parse("text\nOne\n", "items.xlsx")[1] == [
        "items.xlsx: the name has no known ending; use one of .csv, .tsv, .jsonl, .json"
    ]


def evaluation(**changes: Any) -> str:
    sentence = {"id": "s1", "hypothesis": "b a .", "reference": "a b .", "reference_number": 1}
    sentence |= {"substitutions": 2, "tree_moves": None, "bleu": 12.3456789}
    document = {"format": "fergus-evaluation", "version": 1, "systems": [{"name": "mine", "sentences": [sentence]}]}
    return json.dumps(document | changes)


def test_an_evaluation_gives_an_item_a_sentence_and_system() -> None:
    items, problems = parse(evaluation(), "e.json")
    assert problems == []
    values = {"group": "s1", "system": "mine", "reference": "a b ."}
    scores = {"m.substitutions": "2", "m.tree_moves": "", "m.bleu": "12.3457"}
    assert items == [Item("s1-mine", "b a .", values | scores, None)]


def test_what_evaluate_writes_is_read() -> None:
    from fergus.evaluation import evaluate
    from fergus.evaluation.json_report import json_pieces

    made = evaluate({"x": ["a b"], "y": ["b a"]}, [["a b"]], metrics="string", parser=None, samples=0)
    items, problems = parse("".join(json_pieces(made)), "e.json")
    # Without the texts, as Python's evaluation leaves them out, there is nothing to judge.
    assert items == []
    assert "lacks what items are made from ('hypothesis')" in problems[0]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (evaluation()[:-5], "the evaluation is not whole"),
        (evaluation(systems=None), "lacks what items are made from"),
        (evaluation(systems=[{"name": "x"}]), "lacks what items are made from ('sentences')"),
        (evaluation(systems=[{"name": "x", "sentences": ["y"]}]), "lacks what items are made from"),
        (evaluation(systems=[]), "there is no item"),
    ],
)
def test_mistakes_in_evaluations(text: str, problem: str) -> None:
    _, problems = parse(text, "e.json")
    assert len(problems) == 1
    assert problem in problems[0]


def test_files_are_read_as_utf8_with_or_without_a_mark(tmp_path: Path) -> None:
    path = tmp_path / "i.csv"
    path.write_bytes("\ufefftext\nGrüße\n".encode())
    assert read_text(path, name="i.csv") == "text\nGrüße\n"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"text\nGr\xfc\n", "i.csv:2: byte 0xfc is not UTF-8; save the file as UTF-8"),
        (b"text\n\na\0b\n", "i.csv:3: there is a zero byte"),
        (b"a" * 101, "i.csv: the file is larger than"),
    ],
)
def test_files_that_are_no_text(content: bytes, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        decoded(content, name="i.csv", largest=100)
    assert problem in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_text(tmp_path / "none.csv", name="none.csv")


@pytest.mark.parametrize(
    ("text", "name", "line"),
    [
        ('{"text": "a"}\n{"text": "x\\ud800"}\n', "i.jsonl", 2),
        ('{"text": "a", "sys\\u0000tem": "b"}\n', "i.jsonl", 1),
        ("text,system\na,b\nc,\x1b\n", "i.csv", 3),
        ("text,sys\x1btem\na,b\n", "i.csv", 1),
        (evaluation().replace('"hypothesis": "', '"hypothesis": "\\ud800', 1), "i.json", None),
    ],
)
def test_what_cannot_be_stored_is_a_mistake(text: str, name: str, line: int | None) -> None:
    problems = Problems(name)
    parse_items(text, problems)
    assert [problem.line for problem in problems.sorted()] == [line]
    assert "has the character U+" in str(problems.sorted()[0])


def test_ends_of_lines_in_a_cell_are_those_of_any_system() -> None:
    _, problems = parse('text,system\r\n"a\r\nb\tc",x\r\n', "i.csv")
    assert problems == []
