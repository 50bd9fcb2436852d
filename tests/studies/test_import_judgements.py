"""Judgements from elsewhere: what goes in comes out again, and nothing goes in twice."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fergus.errors import InputError
from fergus.studies.export import Choice, rows_of
from fergus.studies.import_judgements import import_judgements, make_files
from fergus.studies.judgements_file import Columns, Judged, read_judgements
from fergus.studies.model import Item
from fergus.studies.service import Service
from fergus.studies.storage import studies
from fergus.studies.storage.database import Database
from fergus.studies.storage.studies import StudyRow
from fergus.studies.study_file import parse_study
from tests.studies.small_study import put

TABLE = """\
judge,item,system,text,quality,source
J1,1,a,Blue Spice is a shop.,100.0,web
J1,1,b,A shop is Blue Spice.,83.333,web
J2,1,a,Blue Spice is a shop.,7,web
J2,2,a,The Mill is a pub.,111111.0,book
J1,1,a,Blue Spice is a shop.,-0.5,web
"""


def read(folder: Path, content: str, name: str = "table.csv", **columns: object) -> Judged:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return read_judgements(path, columns=Columns(**columns))  # type: ignore[arg-type]


def problem(folder: Path, content: str, name: str = "table.csv", **columns: object) -> str:
    with pytest.raises(InputError) as caught:
        read(folder, content, name, **columns)
    return str(caught.value).removeprefix(f"{folder}/")


def put_in(database: Database, judged: Judged, name: str = "table", *, replace: bool = False) -> StudyRow:
    return import_judgements(database, judged, name=name, source="table.csv", now_ms=5, replace=replace)


def table_of(database: Database, row: StudyRow) -> list[tuple[object, ...]]:
    """Judge, item, system, text, dimension and value, as the export has them."""
    rows = rows_of(Service(database), row, choice=Choice(with_ids=True, completed_only=True))
    return [
        tuple(one.get(name) for name in ("external", "group", "system", "item_text", "dimension", "value"))
        for one in rows
    ]


class TestReading:
    def test_texts_and_numbers(self, tmp_path: Path) -> None:
        judged = read(tmp_path, TABLE)
        assert judged.items == (
            Item("1-a", "Blue Spice is a shop.", {"group": "1", "system": "a", "source": "web"}),
            Item("1-b", "A shop is Blue Spice.", {"group": "1", "system": "b", "source": "web"}),
            Item("2-a", "The Mill is a pub.", {"group": "2", "system": "a", "source": "book"}),
        )
        found = [(one.judge, one.item, one.scores["quality"], one.line) for one in judged.given]
        assert found[0] == ("J1", "1-a", 100.0, 2)
        assert [value for _, _, value, _ in found] == [100.0, 83.333, 7, 111111.0, -0.5]
        assert (judged.dimensions, judged.repeated, judged.missing, judged.left_out) == (("quality",), (6,), 0, ())

    def test_json_lines_with_columns_of_other_names(self, tmp_path: Path) -> None:
        record = {"who": "J1", "sentence": "A text.", "fluency": 3, "adequacy": 0.25, "extra": "x"}
        columns = {"judge": "who", "text": "sentence", "scores": ("fluency", "adequacy")}
        judged = read(tmp_path, json.dumps(record) + "\n", "table.jsonl", **columns)
        assert judged.items == (Item("text-1", "A text.", {"extra": "x"}),)
        assert judged.given[0].scores == {"fluency": 3, "adequacy": 0.25}

    def test_empty_scores_are_counted_and_left_out(self, tmp_path: Path) -> None:
        judged = read(tmp_path, "judge,text,a,b\nJ,t,1,\nJ,u,,\n", scores=("a", "b"))
        assert [one.scores for one in judged.given] == [{"a": 1}, {}]
        assert judged.missing == 3

    def test_several_texts_of_one_system_for_one_item(self, tmp_path: Path) -> None:
        judged = read(tmp_path, "judge,item,system,text,score\nJ,1,h,one,1\nJ,1,h,two,2\nJ,1,h,three,2\n")
        assert [item.id for item in judged.items] == ["1-h", "1-h-2", "1-h-3"]
        assert judged.repeated == ()

    def test_ids_that_cannot_be_ids(self, tmp_path: Path) -> None:
        judged = read(tmp_path, f"judge,item,text,score\nJ,{'x' * 500},one,1\nJ,,two,2\nJ,text-1,three,2\n")
        assert [item.id for item in judged.items] == ["text-1", "text-2", "text-1-2"]
        assert len({item.id for item in judged.items}) == 3

    def test_columns_that_differ_between_judgements_are_not_kept(self, tmp_path: Path) -> None:
        judged = read(tmp_path, "judge,text,score,time,topic\nA,t,1,9:00,x\nB,t,2,9:05,x\n")
        assert judged.left_out == ("time",)
        assert judged.items[0].values == {"topic": "x"}

    @pytest.mark.parametrize(
        ("content", "told"),
        [
            (TABLE.replace("83.333", "good"), "table.csv:3: quality is 'good', which is not a number; write a number"),
            (TABLE.replace("83.333", "nan"), "table.csv:3: quality is 'nan', which is not a number"),
            (TABLE.replace("83.333", "1e999"), "table.csv:3: quality is '1e999', which is not a number"),
            (TABLE.replace("J2,2", ",2"), "table.csv:5: '' is no name of a judge; use 1 to 200 characters"),
            (TABLE.replace("The Mill is a pub.", " "), "table.csv:5: the row has no text; fill in the column text"),
            (TABLE.replace("judge", "rater"), "table.csv:1: there is no column judge; "),
            (TABLE.replace("quality", "grade"), "table.csv:2: it is not clear which column holds the scores; name it"),
            (TABLE.replace("quality", "item"), "table.csv:1: the column 'item' is there twice"),
            (TABLE + "J3,1\n", "table.csv:7: the row has 2 fields, but the header has 6"),
            ("judge,text,score\n", "table.csv: there is no judgement; give at least one"),
            ("", "table.csv: there is no judgement"),
        ],
    )
    def test_mistakes_have_their_line(self, tmp_path: Path, content: str, told: str) -> None:
        assert problem(tmp_path, content).startswith(told)

    def test_columns_that_were_named_and_are_not_there(self, tmp_path: Path) -> None:
        assert problem(tmp_path, TABLE, scores=("qualty",)).startswith(
            "table.csv:1: there is no column qualty; did you mean quality?"
        )
        assert problem(tmp_path, TABLE, item="id").startswith("table.csv:1: there is no column id")

    def test_mistakes_in_json_lines(self, tmp_path: Path) -> None:
        good = '{"judge": "J", "text": "t", "score": 1}\n'
        told = problem(tmp_path, good + '{"judge": "J", "score": 1}\n', "table.jsonl")
        assert told.startswith("table.jsonl:2: there is no 'text'")
        assert problem(tmp_path, good + "nonsense\n", "table.jsonl").startswith("table.jsonl:2: this is not JSON")

    def test_a_scale_with_an_impossible_name(self, tmp_path: Path) -> None:
        content = json.dumps({"judge": "J", "text": "t", "a\nb": 1})
        told = problem(tmp_path, content, "table.jsonl", scores=("a\nb",))
        assert told.startswith("table.jsonl:1: 'a\\nb' is no good name for a scale")

    def test_a_file_of_another_kind(self, tmp_path: Path) -> None:
        assert problem(tmp_path, TABLE, "table.xlsx") == (
            "table.xlsx: the name has no known ending; use one of .csv, .tsv, .jsonl"
        )


class TestImporting:
    def test_what_goes_in_comes_out(self, database: Database, tmp_path: Path) -> None:
        row = put_in(database, read(tmp_path, TABLE))
        expected = [
            (one["judge"], one["item"], one["system"], one["text"], "quality", float(one["quality"]))
            for one in csv.DictReader(TABLE.splitlines())
        ]
        assert Counter(table_of(database, row)) == Counter(expected)
        with database.read() as transaction:
            known = studies.find_study(transaction, "table")
        assert known is not None
        assert known.state == "closed"

    def test_rows_of_a_judge_keep_their_order(self, database: Database, tmp_path: Path) -> None:
        row = put_in(database, read(tmp_path, TABLE))
        rows = [one for one in rows_of(Service(database), row, choice=Choice(with_ids=True)) if one["external"] == "J1"]
        assert [(one["page"], one["value"], one["duration_ms"]) for one in rows] == [
            (1, 100.0, None), (2, 83.333, None), (3, -0.5, None),
        ]  # fmt: skip

    @settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(
        values=st.lists(
            st.tuples(
                st.sampled_from(["J1", "Jürgen", "ج"]),
                st.sampled_from(["1", "2"]),
                st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**14), 10**14),
            ),
            min_size=1,
            max_size=8,
        ),
        scale=st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=8),
    )
    @pytest.mark.parametrize("address", ["sqlite"], indirect=True)
    def test_any_number_on_any_scale_survives(
        self, database: Database, tmp_path: Path, values: list[tuple[str, str, float]], scale: str
    ) -> None:
        records = [
            {"judge": judge, "item": item, "text": f"Text {item}", f"my {scale}": value}
            for judge, item, value in values
        ]
        content = "".join(json.dumps(record) + "\n" for record in records)
        row = put_in(database, read(tmp_path, content, "table.jsonl", scores=(f"my {scale}",)), replace=True)
        found = [(judge, item, dimension, value) for judge, item, _, _, dimension, value in table_of(database, row)]
        assert Counter(found) == Counter((judge, item, f"my {scale}", value) for judge, item, value in values)

    def test_the_study_that_is_made_is_without_mistakes(self, tmp_path: Path) -> None:
        files = make_files(read(tmp_path, TABLE), name="table", source='a "file"\n: x', now_ms=0)
        study = parse_study(files.text, files.items_text, items_name=files.items_name)
        assert study.title == 'Judgements from a "file" : x'
        assert len(study.items) == 3

    def test_a_second_time_it_is_refused(self, database: Database, tmp_path: Path) -> None:
        judged = read(tmp_path, TABLE)
        row = put_in(database, judged)
        with pytest.raises(InputError, match=r"there is a study “table” already; nothing was imported; give another"):
            put_in(database, judged)
        assert len(table_of(database, row)) == 5

    def test_it_can_be_replaced(self, database: Database, tmp_path: Path) -> None:
        put_in(database, read(tmp_path, TABLE))
        row = put_in(database, read(tmp_path, "judge,text,score\nJ,t,1\n"), replace=True)
        assert table_of(database, row) == [("J", "text-1", "", "t", "score", 1)]

    def test_a_study_with_people_is_never_replaced(self, database: Database, tmp_path: Path) -> None:
        row = put(database, name="table")
        service = Service(database)
        service.join(row, nonce="n", parameters={})
        with pytest.raises(InputError, match="people have taken part in “table”; it is not replaced"):
            put_in(database, read(tmp_path, TABLE), replace=True)
        assert service.view(service.join(row, nonce="n", parameters={})) is not None

    @pytest.mark.parametrize("name", ["My study", "", "a" * 61, "a_b"])
    def test_a_name_that_cannot_be_in_an_address(self, database: Database, tmp_path: Path, name: str) -> None:
        with pytest.raises(InputError, match="is no name for a study; use small letters, digits and hyphens"):
            put_in(database, read(tmp_path, TABLE), name)

    @pytest.mark.data
    @pytest.mark.parametrize("address", ["sqlite"], indirect=True)
    def test_the_ratings_of_e2e(self, database: Database, data_dir: Path) -> None:
        path = data_dir / "judgements" / "e2e_quality.csv"
        if not path.is_file():
            pytest.skip(f"{path.name} is not in the development data")
        judged = read_judgements(path, columns=Columns(scores=("quality",)))
        assert (len(judged.given), len(judged.items), len(judged.repeated)) == (14_895, 6012, 90)
        row = put_in(database, judged, "e2e")
        with path.open(encoding="utf-8", newline="") as stream:
            expected = Counter(
                (one["judge"], one["item"], one["system"], one["text"], one["quality"])
                for one in csv.DictReader(stream)
            )
        found = Counter(
            (judge, item, system, text, repr(value)) for judge, item, system, text, _, value in table_of(database, row)
        )
        assert found == expected
        assert len({judge for judge, *_ in found}) == 112
