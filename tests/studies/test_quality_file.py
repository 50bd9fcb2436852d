from __future__ import annotations

from pathlib import Path

import pytest

from fergus.errors import InputError
from fergus.studies.model import Item
from fergus.studies.quality_file import read_qualities
from fergus.studies.study import Study

STUDY = Study("s", "S", (), items=(Item("a", "A text."), Item("b", "Another, longer one.")))


def read(tmp_path: Path, text: str) -> object:
    path = tmp_path / "qualities.csv"
    path.write_text(text, encoding="utf-8")
    return read_qualities(path, STUDY)


@pytest.mark.parametrize(
    "text",
    [
        "item,quality,clear\na,1,-0.5\nb,2,\n",
        'text,clear,quality\nA text.,-0.5,1\n"Another, longer one.",,2\n',
        "\ufeffitem,text,quality,clear\na,whatever,1,-0.5\nb,,2, \n",
    ],
    ids=["item", "text", "both"],
)
def test_qualities_by_item_or_text(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text) == {"A text.": {"": 1.0, "clear": -0.5}, "Another, longer one.": {"": 2.0}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"qualities\.csv:1: the columns are none; give a header with item"),
        ("quality\n1\n", "1: the columns are quality; give a header"),
        ("item\na\n", "1: the columns are item; give a header"),
        ("item,quality\na,1\nc,1\n", "3: the study has no item “c”"),
        ("text,quality\nA text\n", "2: the study has no text “A text”"),
        ("item,quality\na,good\n", "2: quality is “good”, which is no number"),
        ("item,quality\na,nan\n", "2: quality is “nan”, which is no number"),
        ("item,quality\na,inf\n", "2: quality is “inf”, which is no number"),
        ('item,quality\n"a"x,1\n', "2: this is no CSV"),
    ],
)
def test_mistakes_have_lines(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(tmp_path, text)


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_qualities(tmp_path / "none.csv", STUDY)
