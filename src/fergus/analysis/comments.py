"""Coded comments in rows of a study's export: how many people spoke of what, and how far the coders agree.

Section 3 of Hardcastle and Scott (2008): over 60% of those who made specific comments spoke of fluency.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fergus.analysis.agreement import Agreement, Value, agreement
from fergus.analysis.proportions import Proportion, proportion

if TYPE_CHECKING:
    from fergus.studies.model import Json

CODED = ("comment", "review")
"""Types of questions whose answers have codes."""


@dataclass(frozen=True)
class CategoryCount:
    """One code."""

    code: str
    counts: Mapping[str, int]
    """Comments that each coder gave it to."""
    people: Proportion
    """Of the people with a coded comment, those to whom at least half of the coders of one comment gave it."""
    agreement: Agreement


@dataclass(frozen=True)
class CodedComments:
    """The comments on one question."""

    question: str
    comments: int
    coded: int
    """Comments with at least one code; in an export, one that got none looks like one that nobody has read."""
    coders: tuple[str, ...]
    overall: Agreement
    """Of sets of codes; those that share codes agree in part."""
    categories: tuple[CategoryCount, ...]
    """The commonest first."""


def coded_comments(records: Iterable[Mapping[str, Json]]) -> list[CodedComments]:
    """All questions whose answers were coded, in the order in which they are met."""
    by_question: dict[str, list[Mapping[str, Json]]] = {}
    for record in records:
        if record["type"] in CODED and not record.get("practice"):
            by_question.setdefault(str(record["question"]), []).append(record)
    return [found for question, rows in by_question.items() if (found := _coded(question, rows)).coded]


def _coded(question: str, rows: Sequence[Mapping[str, Json]]) -> CodedComments:
    given = [(str(row["participant"]), _codes(row)) for row in rows]
    said = [(person, codes) for person, codes in given if codes]
    coders = tuple(sorted({coder for _, codes in said for coder in codes}))
    units = [[codes.get(coder) for coder in coders] for _, codes in said]
    people = len({person for person, _ in said})
    found = []
    for code in sorted({code for unit in units for own in unit if own for code in own}):
        marks, counts = marked(code, coders, units)
        who = {person for (person, codes), unit in zip(said, marks, strict=True) if 2 * unit.count(True) >= len(codes)}
        found.append(CategoryCount(code, counts, proportion(len(who), people), agreement(marks)))
    found.sort(key=lambda one: (-one.people.hits, -sum(one.counts.values()), one.code))
    return CodedComments(question, len(rows), len(said), coders, agreement(units, level="set"), tuple(found))


def marked(
    code: str, coders: Sequence[str], units: Iterable[Sequence[Collection[str] | None]]
) -> tuple[list[list[Value]], dict[str, int]]:
    """Was it given, by comment and coder (None: not coded), and how often each coder gave it.

    >>> marked("flow", ["ann", "bob"], [[{"flow"}, None], [set(), {"flow", "sense"}], [{"flow"}, {"flow"}]])
    ([[True, None], [False, True], [True, True]], {'ann': 2, 'bob': 2})
    """
    marks: list[list[Value]] = [[None if own is None else code in own for own in unit] for unit in units]
    return marks, {coder: sum(bool(unit[place]) for unit in marks) for place, coder in enumerate(coders)}


def _codes(row: Mapping[str, Json]) -> dict[str, frozenset[str]]:
    codes = row["codes"]
    if not isinstance(codes, dict):
        return {}
    return {coder: frozenset(map(str, own)) for coder, own in codes.items() if isinstance(own, list)}
