"""Tables of the page of results: what a cell, a row with something asked of it, and a whole table are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bars import SMALLER_IS_BETTER, Bar

Record = Mapping[str, Any]
VERDICTS = {"aim": "★ aim", "bar": "✓ bar", "missed": "✗ missed", "": ""}
ASKED = ("", "measured", "asked", "aim", "verdict", "beside")


@dataclass(frozen=True)
class Cell:
    """What stands there, and whether it reaches the aim, clears the bar or misses it."""

    text: str
    verdict: str = ""


@dataclass(frozen=True)
class Table:
    """Rows under headings; the title is the same in every record of a benchmark."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""

    def has_words(self, column: int) -> bool:
        """Whether a column is of words, which begin at the left, rather than of numbers."""
        texts = [row[column].text for row in self.rows if row[column].text]
        without_number = sum(not any(map(str.isdigit, text[:3])) for text in texts)
        return column == 0 or self.headings[column] == "beside" or without_number > len(texts) / 2


@dataclass(frozen=True)
class Line:
    """A figure, what is asked of it, and what others have."""

    what: str
    value: float
    form: str = "{:.4g}"
    at_least: float | None = None
    aim: float | None = None
    beside: str = ""
    smaller_is_better: bool = False
    verdict: str | None = None
    """As the record has it; found here if it has none."""

    def cells(self) -> tuple[Cell, ...]:
        """In the order of the headings."""
        sign = "≤ " if self.smaller_is_better else "≥ "
        asked = ["" if one is None else sign + self.form.format(one) for one in (self.at_least, self.aim)]
        verdict = self.found() if self.verdict is None else self.verdict
        texts = (self.what, self.form.format(self.value), *asked)
        return (*map(Cell, texts), Cell(VERDICTS[verdict], verdict), Cell(self.beside))

    def found(self) -> str:
        """The verdict."""
        sign = -1 if self.smaller_is_better else 1
        if self.aim is not None and sign * self.value >= sign * self.aim:
            return "aim"
        if self.at_least is None:
            return ""
        return "bar" if sign * self.value >= sign * self.at_least else "missed"


def asked_by(bar: Bar, figure: str) -> dict[str, Any]:
    """What a bar asks of a figure, as a line has it."""
    return {
        "at_least": bar.at_least.get(figure),
        "aim": bar.aim.get(figure),
        "smaller_is_better": figure in SMALLER_IS_BETTER,
    }


def asked_table(title: str, lines: Iterable[Line], note: str = "") -> Table:
    """Figures with what is asked of them; columns that are empty are left out."""
    rows = [line.cells() for line in lines]
    used = [k for k, _ in enumerate(ASKED) if k < 2 or any(row[k].text for row in rows)]
    return Table(title, tuple(ASKED[k] for k in used), tuple(tuple(row[k] for k in used) for row in rows), note)


def wide_table(
    title: str,
    first: str,
    columns: Mapping[str, tuple[str, str]],
    rows: Iterable[tuple[str, Mapping[str, Any]]],
    note: str = "",
) -> Table:
    """A row a system, a column a figure that at least one of them has; ``verdicts`` of a row mark its figures."""
    kept = list(rows)
    used = {key: shape for key, shape in columns.items() if any(row.get(key) is not None for _, row in kept)}
    cells = tuple((Cell(name), *(_cell(row, key, form) for key, (_, form) in used.items())) for name, row in kept)
    return Table(title, (first, *(heading for heading, _ in used.values())), cells, note)


def _cell(row: Mapping[str, Any], key: str, form: str) -> Cell:
    value = row.get(key)
    if value is None:
        return Cell("")
    verdict = row.get("verdicts", {}).get(key, "")
    mark = f" {VERDICTS[verdict][0]}" if verdict else ""
    return Cell((value if isinstance(value, str) else form.format(value)) + mark, verdict)


def verdicts_of(tables: Sequence[Table]) -> list[tuple[str, str]]:
    """Every figure that something is asked of, by name, with its verdict."""
    found = []
    for table in tables:
        for row in table.rows:
            for heading, cell in zip(table.headings, row, strict=True):
                if cell.verdict:
                    name = row[0].text if heading == "verdict" else f"{row[0].text}, {heading}"
                    found.append((f"{table.title}: {name}", cell.verdict))
    return found
