"""The texts of a study from a file: CSV with a header, JSON lines, or the JSON of an evaluation.

Columns: ``item`` (an id; made from group and system where it is absent), ``text``, and as many others as one likes,
of which ``group``, ``system``, ``context`` and ``block`` mean something. What ``fergus evaluate --json`` writes is
an item for every sentence of every system, the scores in columns ``m.`` and the name of the metric.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from fergus.errors import InputError
from fergus.file_version import check_version
from fergus.studies.characters import unstorable
from fergus.studies.model import Item
from fergus.studies.problems import Problems, legal, shown

LARGEST = 20_000_000
"""Bytes of an items file."""
LONGEST_ID = 120
METRIC = "m."
"""What stands before the name of a metric in the name of its column."""
EVALUATION, NEWEST_EVALUATION = "fergus-evaluation", 1
"""What ``fergus evaluate --json`` writes, and the newest version of it that is read."""
SUFFIXES = (".csv", ".tsv", ".jsonl", ".json")


def read_text(path: Path, *, name: str, largest: int = LARGEST) -> str:
    """A file's text; an InputError if it is too large, or no UTF-8, or has zero bytes."""
    try:
        with path.open("rb") as stream:
            content = stream.read(largest + 1)
    except OSError as error:
        problem = f"the file cannot be read ({error.strerror or error})"
        raise InputError(problem, path=name, remedy="check the name") from None
    return decoded(content, name=name, largest=largest)


def decoded(content: bytes, *, name: str, largest: int = LARGEST) -> str:
    """The text of a file that is at hand, such as one that was uploaded."""
    if len(content) > largest:
        problem = f"the file is larger than {largest // 1_000_000} MB"
        raise InputError(problem, path=name, remedy="leave out what is not shown, or make several studies")
    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        raise InputError("there is a zero byte", path=name, line=line, remedy="give a text file, in UTF-8")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        byte = f"{content[error.start]:#x}"
        raise InputError(f"byte {byte} is not UTF-8", path=name, line=line, remedy="save the file as UTF-8") from None


def parse_items(text: str, problems: Problems) -> list[Item]:
    """The items of a file's text; what is wrong is noted. The problems' path tells the format by its ending."""
    suffix = Path(problems.path).suffix.lower()
    if suffix not in SUFFIXES:
        problems.add("the name has no known ending", line=None, remedy=f"use one of {', '.join(SUFFIXES)}")
        return []
    if not text.strip():
        problems.add("the file is empty", line=None, remedy="give at least one item")
        return []
    if suffix in (".csv", ".tsv"):
        rows: Iterable[tuple[int | None, dict[str, str]]] = csv_rows(text, problems, is_tabbed=suffix == ".tsv")
    elif is_evaluation(text):
        rows = _evaluation_rows(text, problems)
    else:
        rows = json_rows(text, problems)
    items = list(_items(rows, problems))
    if not items and not problems.has_errors:
        problems.add("there is no item", line=None, remedy="give at least one, under the header")
    return items


def is_evaluation(text: str) -> bool:
    """Does a JSON text begin as an evaluation does?"""
    start = text[:200].replace(" ", "").lstrip()
    return start.startswith(f'{{"format":"{EVALUATION}"')


def _items(rows: Iterable[tuple[int | None, dict[str, str]]], problems: Problems) -> Iterable[Item]:
    """Items with ids that no two of them share."""
    lines: dict[str, int | None] = {}
    for number, (line, row) in enumerate(rows, 1):
        text, given = row.pop("text", "").strip(), row.pop("item", "").strip()
        identifier = given or "-".join(part for part in (row.get("group"), row.get("system")) if part) or str(number)
        if not text:
            problems.add(f"item {shown(identifier)} has no text", line=line, remedy="fill in the column text")
        elif len(identifier) > LONGEST_ID or not identifier.isprintable():
            remedy = f"use at most {LONGEST_ID} characters that can be printed, and fill in the column item"
            problems.add(f"{shown(identifier)} is no good id", line=line, remedy=remedy)
        elif identifier in lines:
            first = lines[identifier]
            before = f" (before, on line {first})" if first is not None else ""
            remedy = "give each a different one" if given else "fill in a column item with different values"
            problems.add(f"two items have the id {shown(identifier)}{before}", line=line, remedy=remedy)
        else:
            lines[identifier] = line
            yield Item(identifier, text, {name: value.strip() for name, value in row.items()}, line)


def csv_rows(
    text: str, problems: Problems, *, is_tabbed: bool, needed: Sequence[str] = ("text",)
) -> Iterable[tuple[int, dict[str, str]]]:
    """Every row with its first line (a quoted field may go over several)."""
    header_line = text.lstrip("\n\r").split("\n", 1)[0]
    delimiter = "\t" if is_tabbed else max(",;\t", key=lambda sign: (header_line.count(sign), sign == ","))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    header: list[str] = []
    end = 0
    try:
        for row in reader:
            line, end = end + 1, reader.line_num
            if not any(cell.strip() for cell in row):
                continue
            if not header:
                header = [name.strip() for name in row]
                if not _is_good_header(header, line, needed, problems):
                    return
            elif len(row) != len(header):
                problem = f"the row has {len(row)} fields, but the header has {len(header)}"
                remedy = 'put texts with a comma in quotes ("...")' if delimiter == "," else "check the delimiters"
                problems.add(problem, line=line, remedy=remedy)
            elif _is_storable(found := dict(zip(header, row, strict=True)), line, problems):
                yield line, found
    except csv.Error as error:
        remedy = "check the quotes: a text in quotes has each of its own quotes twice"
        problems.add(f"this is not CSV ({error})", line=max(reader.line_num, end + 1), remedy=remedy)


def _is_good_header(header: list[str], line: int, needed: Sequence[str], problems: Problems) -> bool:
    wrong = Problems(problems.path)
    for name, count in Counter(header).items():
        if not name:
            wrong.add("a column has no name", line=line, remedy="name every column in the first row")
        elif sign := unstorable(name):
            wrong.add(f"the column {shown(name)} has the character {sign}", line=line, remedy="rename it")
        elif count > 1:
            wrong.add(f"the column {shown(name)} is there twice", line=line, remedy="rename one of them")
    for name in needed:
        if name not in header:
            remedy = "name the column with the texts text; " if name == "text" else ""
            wrong.add(f"there is no column {name}", line=line, remedy=remedy + legal(name, header))
    for problem in wrong.sorted():
        problems.add(problem.text, line=line, remedy=problem.remedy)
    return not wrong.has_errors


def json_rows(text: str, problems: Problems) -> Iterable[tuple[int, dict[str, str]]]:
    """Every object; numbers as they were written."""
    for line, content in enumerate(text.split("\n"), 1):
        if not content.strip():
            continue
        try:
            record = json.loads(content, parse_int=str, parse_float=str, object_pairs_hook=_distinct)
        except (ValueError, RecursionError) as error:
            problems.add(f"this is not JSON ({error})", line=line, remedy="write one object a line")
            continue
        if not isinstance(record, dict):
            problems.add("this is not an object", line=line, remedy='write {"item": "...", "text": "..."}')
            continue
        wrong = [key for key, value in record.items() if isinstance(value, list | dict)]
        for key in wrong:
            problems.add(f"{shown(key)} is a list or an object", line=line, remedy="write a text or a number")
        row = {key: _as_text(value) for key, value in record.items()}
        if not wrong and _is_storable(row, line, problems):
            yield line, row


def _is_storable(row: Mapping[str, str], line: int | None, problems: Problems) -> bool:
    """Can all of it be kept in a database and shown? If not, that is noted."""
    wrong = [(name, sign) for name, value in row.items() if (sign := unstorable(name) or unstorable(value))]
    for name, sign in wrong:
        remedy = "delete it, or the escape that stands for it"
        problems.add(f"{shown(name)} has the character {sign}, which cannot be stored", line=line, remedy=remedy)
    return not wrong


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError("a key is given twice")
    return record


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    return "" if value is None else str(value)


def _evaluation_rows(text: str, problems: Problems) -> Iterable[tuple[None, dict[str, str]]]:
    """What ``fergus evaluate --json`` wrote: an item for every sentence of every system."""
    try:
        document = json.loads(text)
        check_version(document.get("version"), what="an evaluation", newest=NEWEST_EVALUATION)
        for system in document["systems"]:
            for sentence in system["sentences"]:
                row = _evaluated(sentence, str(system["name"]))
                if _is_storable(row, None, problems):
                    yield None, row
    except InputError as error:
        problems.add(error.problem, line=None, remedy=error.remedy)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        problems.add(
            f"the evaluation is not whole ({error})", line=line, remedy="write it anew: fergus evaluate --json"
        )
    except (KeyError, TypeError, AttributeError, OverflowError) as error:
        problem = f"this evaluation lacks what items are made from ({error})"
        problems.add(problem, line=None, remedy="write it anew: fergus evaluate --json")


def _evaluated(sentence: Mapping[str, Any], system: str) -> dict[str, str]:
    row = {"text": str(sentence["hypothesis"]), "group": str(sentence["id"]), "system": system}
    row["reference"] = str(sentence["reference"])
    for name, value in sentence.items():
        if name not in ("id", "hypothesis", "reference", "reference_number"):
            row[METRIC + name] = "" if value is None else f"{value:.6g}"
    return row
