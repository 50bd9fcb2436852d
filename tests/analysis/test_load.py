from __future__ import annotations

from pathlib import Path

import pytest

from fergus.analysis.load import from_export, load_table
from fergus.errors import InputError
from fergus.studies.judgements_file import Columns

TABLE = """judge,item,system,text,quality,ease,meaning
A,1,x,Hello there.,5,3,m1
A,1,y,There hello.,2,,m1
B,1,x,Hello there.,4,4,m1
B,1,x,Hello there.,3,4,m1
"""


def test_a_table_becomes_columns(tmp_path: Path) -> None:
    path = tmp_path / "judged.csv"
    path.write_text(TABLE)
    found = load_table(path, columns=Columns(scores=("quality", "ease")))
    assert found.items.systems == ("x", "y")
    assert found.items.inputs == ("1", "1")
    assert found.items.texts == ("Hello there.", "There hello.")
    assert found.columns == {"meaning": ["m1", "m1"]}
    quality, ease = found.ratings["quality"], found.ratings["ease"]
    assert quality.judges == ("A", "B")
    assert (quality.judge.tolist(), quality.item.tolist()) == ([0, 0, 1, 1], [0, 1, 0, 0])
    assert quality.score.tolist() == [5, 2, 4, 3]
    assert quality.item_means(2).tolist() == [4, 2]
    assert quality.matrix(2).tolist()[1][0] == 3.5
    assert len(ease) == 3
    assert {notice.kind: notice.count for notice in found.notices if "ease" not in notice.message} == {
        "missing score": 1,
        "repeated judgement": 1,
    }


def record(**values: object) -> dict[str, object]:
    usual = {
        "item": "i1", "group": "g", "system": "s", "type": "rating", "dimension": "quality", "question": "q",
        "participant": 1, "value": 4, "item_text": "A text.", "item_bleu": "0.5",
    }  # fmt: skip
    return {**usual, **values}


def test_an_export_becomes_columns() -> None:
    records = [
        record(),
        record(participant=2, value=6),
        record(item="i2", value=1, dimension="", type="score"),
        record(type="comment", value="nice"),
        record(item="", type="choice", value=3),
    ]
    found = from_export(records, source="mine")  # type: ignore[arg-type]
    assert found.items.ids == ("i1", "i2")
    assert found.columns == {"bleu": ["0.5", "0.5"]}
    assert found.ratings["quality"].score.tolist() == [4, 6]
    assert found.ratings["q"].score.tolist() == [1]
    assert found.source == "mine"


def test_what_is_no_score_of_a_text_is_counted() -> None:
    records = [
        record(),
        record(participant=2, value=None),
        record(participant=3, value=None),
        record(participant=4, value="much"),
        record(participant=5, value=True),
        record(participant=6, item="", value=5),
        record(type="comment", value=None),
    ]
    found = from_export(records, source="mine")  # type: ignore[arg-type]
    assert found.ratings["quality"].score.tolist() == [4]
    assert [(one.kind, one.count) for one in found.notices] == [
        ("skipped question", 2), ("no number", 2), ("about no text", 1),
    ]  # fmt: skip


def test_a_study_without_scores_is_refused() -> None:
    with pytest.raises(InputError, match="mine has no judgements that are scores"):
        from_export([record(type="comment", value="nice")], source="mine")  # type: ignore[list-item]


@pytest.mark.data
def test_e2e(data_dir: Path) -> None:
    found = load_table(data_dir / "judgements" / "e2e_quality.csv", columns=Columns())
    # 14,895 ratings of 21 systems on 630 inputs by 112 judges (the data's README)
    assert len(found.ratings["quality"]) == 14_895
    assert len(found.items.system_names) == 21
    assert found.items.input_count == 630
    assert len(found.ratings["quality"].judges) == 112
