"""What coders made of the answers to one question: counts, agreement by category and over all, disagreements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from fergus.analysis.agreement import Agreement, Value, agreement
from fergus.analysis.comments import marked
from fergus.studies.coding import Codable, CodeBook
from fergus.studies.storage.codings import CodingRow


@dataclass(frozen=True)
class CategoryReport:
    """One code: how often each coder gave it, and how far they agree on it."""

    code: str
    counts: Mapping[str, int]
    """By coder."""
    agreement: Agreement

    @property
    def count(self) -> int:
        """How often it was given by all coders together."""
        return sum(self.counts.values())


@dataclass(frozen=True)
class Disagreement:
    """Something that coders did not code alike."""

    codable: Codable
    said: Mapping[str, CodingRow]
    """By coder."""


@dataclass(frozen=True)
class CodingReport:
    """The codings of the answers to one question."""

    book: CodeBook
    answers: int
    coded: Mapping[str, int]
    """How many of the answers each coder has coded, by coder in order of name."""
    overall: Agreement
    """Of sets of codes (those that share codes agree in part), or of grades as numbers."""
    categories: tuple[CategoryReport, ...]
    disagreements: tuple[Disagreement, ...]
    mean_grade: float | None


def report_codings(book: CodeBook, codables: Sequence[Codable], codings: Iterable[CodingRow]) -> CodingReport:
    """Everything about the codings of one question's answers; a code that is in no book any more is reported too."""
    known = {one.key for one in codables}
    said: dict[tuple[int, int], dict[str, CodingRow]] = {}
    for row in codings:
        if (row.answer_id, row.part) in known and (row.grade is not None or not book.is_graded):
            said.setdefault((row.answer_id, row.part), {})[row.coder] = row
    coders = sorted({coder for one in said.values() for coder in one})
    units = [[one.get(coder) for coder in coders] for one in said.values()]
    used = dict.fromkeys([*book.categories, *sorted({c for unit in units for row in unit if row for c in row.codes})])
    categories = [] if book.is_graded else [_category(code, coders, units) for code in used]
    grades = [row.grade for unit in units for row in unit if row is not None and row.grade is not None]
    return CodingReport(
        book,
        len(codables),
        {coder: sum(coder in one for one in said.values()) for coder in coders},
        agreement(
            [[_value(book, row) for row in unit] for unit in units], level="interval" if book.is_graded else "set"
        ),
        tuple(categories),
        tuple(
            Disagreement(one, said[one.key])
            for one in codables
            if len({_value(book, row) for row in said.get(one.key, {}).values()}) > 1
        ),
        sum(grades) / len(grades) if grades else None,
    )


def _value(book: CodeBook, row: CodingRow | None) -> Value:
    if row is None:
        return None
    return row.grade if book.is_graded else frozenset(row.codes)


def _category(code: str, coders: Sequence[str], units: Sequence[Sequence[CodingRow | None]]) -> CategoryReport:
    marks, counts = marked(code, coders, [[None if row is None else row.codes for row in unit] for unit in units])
    return CategoryReport(code, counts, agreement(marks))
