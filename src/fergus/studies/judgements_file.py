"""Judgements collected elsewhere, from a table: CSV or JSON lines with a row for every text that a judge judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fergus.errors import InputError
from fergus.studies.items_file import LONGEST_ID, csv_rows, json_rows, read_text
from fergus.studies.model import Item
from fergus.studies.problems import Problems, legal, shown
from fergus.studies.questions.score import read_number

LARGEST = 200_000_000
"""Bytes of a file."""
LONGEST_NAME = 200
"""Characters of a judge's name."""
USUAL_SCORES = ("score", "quality", "rating")
"""Columns that are taken for scores where none is named."""
SUFFIXES = (".csv", ".tsv", ".jsonl")
_MEANT = ("item", "text", "group", "system")
"""Columns of items that this module fills itself."""


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Which column is what; item and system are taken by their usual names if they are there."""

    judge: str = "judge"
    text: str = "text"
    item: str | None = None
    system: str | None = None
    scores: tuple[str, ...] = ()


@dataclass(frozen=True)
class GivenScores:
    """What a judge gave one text: numbers by dimension."""

    judge: str
    item: str
    """The id of the text, see ``Judged.items``."""
    scores: Mapping[str, int | float]
    line: int


@dataclass(frozen=True)
class Judged:
    """A whole table."""

    items: tuple[Item, ...]
    """The texts: their group is what the table calls the item, since several systems have texts for it."""
    given: tuple[GivenScores, ...]
    """In the order of the rows."""
    dimensions: tuple[str, ...]
    repeated: tuple[int, ...] = ()
    """Lines on which a judge judges a text again; those judgements are kept."""
    missing: int = 0
    """Scores that are empty."""
    left_out: tuple[str, ...] = ()
    """Columns that are kept nowhere: they differ between judgements of one text."""


def read_judgements(path: Path, *, columns: Columns) -> Judged:
    """The judgements in a file; raises the first mistake."""
    name, suffix = str(path), path.suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError("the name has no known ending", path=name, remedy=f"use one of {', '.join(SUFFIXES)}")
    text = read_text(path, name=name, largest=LARGEST)
    problems = Problems(name)
    if suffix == ".jsonl":
        rows = json_rows(text, problems)
    else:
        needed = [c for c in (columns.judge, columns.text, columns.item, columns.system, *columns.scores) if c]
        rows = csv_rows(text, problems, is_tabbed=suffix == ".tsv", needed=needed)
    judged = _Reader(columns, problems).read(rows)
    errors = [problem for problem in problems.sorted() if not problem.is_warning]
    if errors:
        raise errors[0].as_error()
    if not judged.given:
        raise InputError("there is no judgement", path=name, remedy="give at least one, under the header")
    return judged


@dataclass
class _Reader:
    """Reads row by row; what is wrong is noted."""

    columns: Columns
    problems: Problems
    item_column: str = ""
    system_column: str = ""
    scores: tuple[str, ...] = ()
    ids: dict[tuple[str, str, str], str] = field(default_factory=dict)
    """By item, system and text."""
    extras: dict[str, dict[str, str]] = field(default_factory=dict)
    """Further columns by id of the text."""
    varying: dict[str, None] = field(default_factory=dict)
    numbers: Counter[str] = field(default_factory=Counter)
    """How many more texts have wanted an id."""

    def read(self, rows: Iterable[tuple[int, dict[str, str]]]) -> Judged:
        given: list[GivenScores] = []
        seen: Counter[tuple[str, str]] = Counter()
        repeated: list[int] = []
        missing = 0
        for line, row in rows:
            if not self.scores and not self._choose(row, line):
                break
            one = self._row(row, line)
            if one is None:
                continue
            missing += len(self.scores) - len(one.scores)
            seen[one.judge, one.item] += 1
            if seen[one.judge, one.item] > 1:
                repeated.append(line)
            given.append(one)
        return Judged(tuple(self._items()), tuple(given), self.scores, tuple(repeated), missing, tuple(self.varying))

    def _choose(self, row: Mapping[str, str], line: int) -> bool:
        """Which columns are meant, by the names in the first row; False if no score is found."""
        self.item_column = self.columns.item or ("item" if "item" in row else "")
        self.system_column = self.columns.system or ("system" if "system" in row else "")
        self.scores = self.columns.scores or tuple(name for name in USUAL_SCORES if name in row)
        if not self.scores:
            remedy = f"name it with --score; {legal('score', row)}"
            self.problems.add("it is not clear which column holds the scores", line=line, remedy=remedy)
        for name in self.scores:
            if not name.isprintable() or len(name) > LONGEST_ID:
                self.problems.add(f"{shown(name)} is no good name for a scale", line=line, remedy="rename the column")
        return bool(self.scores)

    def _row(self, row: dict[str, str], line: int) -> GivenScores | None:
        used = [self.columns.judge, self.columns.text, self.item_column, self.system_column, *self.scores]
        lacking = [name for name in used if name and name not in row]
        for name in lacking:
            self.problems.add(f"there is no {shown(name)}", line=line, remedy=legal(name, row))
        if lacking:
            return None
        judge, text = row[self.columns.judge].strip(), row[self.columns.text].strip()
        if not 0 < len(judge) <= LONGEST_NAME or not judge.isprintable():
            remedy = f"use 1 to {LONGEST_NAME} characters that can be printed"
            self.problems.add(f"{shown(judge)} is no name of a judge", line=line, remedy=remedy)
        if not text:
            self.problems.add("the row has no text", line=line, remedy=f"fill in the column {self.columns.text}")
        scores: dict[str, int | float] = {}
        for name in self.scores:
            number = read_number(row[name].strip())
            if number is not None:
                scores[name] = number
            elif row[name].strip():
                problem = f"{name} is {shown(row[name])}, which is not a number"
                self.problems.add(problem, line=line, remedy="write a number, or leave it empty")
        item = self._item(row, text)
        for name, value in row.items():  # in their order, so that what is made from them is the same each time
            if name not in used and name not in _MEANT:
                self._keep(item, name, value.strip())
        return GivenScores(judge, item, scores, line)

    def _item(self, row: Mapping[str, str], text: str) -> str:
        group = row[self.item_column].strip() if self.item_column else ""
        system = row[self.system_column].strip() if self.system_column else ""
        key = (group, system, text)
        if key not in self.ids:
            name = wanted = self._wanted(group, system)
            while wanted in self.extras:
                self.numbers[name] += 1
                wanted = f"{name}-{self.numbers[name] + 1}"
            self.ids[key] = wanted
            self.extras[wanted] = {}
        return self.ids[key]

    def _wanted(self, group: str, system: str) -> str:
        wanted = "-".join(part for part in (group, system) if part)
        is_good = bool(group) and len(wanted) < LONGEST_ID - 10 and wanted.isprintable()
        return wanted if is_good else f"text-{len(self.ids) + 1}"

    def _keep(self, item: str, name: str, value: str) -> None:
        if name not in self.varying and self.extras[item].setdefault(name, value) != value:
            self.varying[name] = None

    def _items(self) -> Iterable[Item]:
        for (group, system, text), name in self.ids.items():
            values = {"group": group, "system": system}
            values |= {key: value for key, value in self.extras[name].items() if key not in self.varying}
            yield Item(name, text, {key: value for key, value in values.items() if value})
