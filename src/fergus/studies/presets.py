"""The presets: studies that run as they are, and that other texts can be put into."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from fergus.errors import InputError
from fergus.studies.problems import legal
from fergus.studies.study_file import ITEMS_FILE, STUDY_FILE, StudyFiles

PRESETS = {
    "bangalore-2000": "ratings of understandability and quality of variants of a sentence, under its paragraph",
    "hardcastle-2008": "a Turing-style test: pairs of a person's text and a machine's",
    "best-worst": "the best and the worst of the versions on a page",
    "expert-review": "experts' remarks on parts of texts, coded with categories",
    "task": "questions about texts against the clock, with right answers",
}
"""What each is for; the files are in a folder of its name."""
PRACTICE = "practice"
"""The value in the column ``block`` of items that stay when others are put in."""
FOLDER = Path(__file__).parent / "examples"


def preset_files(name: str) -> StudyFiles:
    """Both files of a preset."""
    if name not in PRESETS:
        raise InputError(f"there is no preset {name!r}", remedy=legal(name, PRESETS))
    folder = FOLDER / name
    return StudyFiles(*((folder / file).read_text(encoding="utf-8") for file in (STUDY_FILE, ITEMS_FILE)))


def renamed(text: str, *, name: str, seed: int | None = None, about: str = "") -> str:
    """A preset's study file under another name, and with another seed if one is given.

    ``about`` takes the place of what the comment above says of the preset's own items: its second paragraph.
    """
    text = re.sub(r"(?m)^study: [a-z0-9-]+ *", f"study: {name}  ", text, count=1)
    text = re.sub(r"(?m)^(study: .*?) +$", r"\1", text, count=1)
    if seed is not None:
        text = re.sub(r"(?m)^(.*\bseed: )[0-9]+", rf"\g<1>{seed}", text, count=1)
    if about:
        text = re.sub(r"(?m)\A((?:# .*\n)+)#\n(?:# .*\n)+", rf"\g<1>#\n# {about}\n", text, count=1)
    return text


def with_rows(items_text: str, rows: Sequence[Mapping[str, str]]) -> str:
    """An items file with the practice items of another one, and then these rows."""
    kept = [row for row in csv.DictReader(io.StringIO(items_text)) if row.get("block") == PRACTICE]
    columns = list(dict.fromkeys(name for row in (*rows, *kept) for name in row))
    stream = io.StringIO()
    writer = csv.DictWriter(stream, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows([*kept, *rows])
    return stream.getvalue()
