"""Which variants of each base sentence to show, so that metrics take many values and differ (section 4.1 of the paper).

The authors built their variants "to sample multiple values of each intrinsic metric as well as to contrast
differences between the intrinsic measures". Here both are one criterion, much as in D-optimal designs: it grows when
each metric spreads and when no two of them go together, over the whole choice and within the pages, where people
compare. A greedy choice is improved by exchanges. ::

    simple string accuracy            o chosen: corners of the cloud, and what is off the diagonal
      1 |          o . o
        |     . . . .
        |  o . . .
      0 |  . o      o
        +-------------  generation tree accuracy
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

from fergus.errors import InputError
from fergus.studies.spread import Design, best_together, far_apart

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vector = NDArray[Any]

LARGE = 1.0
"""Metrics of a variant that differ by so many standard deviations are said to be at odds."""


@dataclass(frozen=True)
class Candidate:
    """An output of a system for a base sentence, with its scores by name of the metric."""

    base: str
    system: str
    text: str
    scores: Mapping[str, float]


@dataclass(frozen=True)
class Choice:
    """A variant that is to be shown, and why."""

    candidate: Candidate
    reason: str


def choose_variants(
    candidates: Sequence[Candidate], *, metrics: Sequence[str], least: int = 3, most: int = 5, bases: int | None = None
) -> list[Choice]:
    """From ``least`` to ``most`` variants of each base, bases in the order given; the same input, the same choice.

    Texts that several systems share are taken once, from the first of them; outputs without all of the scores are left
    out, and so are bases with fewer than ``least`` different outputs. ``bases`` is how many to take, the most telling.
    """
    if not 1 <= least <= most:
        raise InputError(f"{least} to {most} variants cannot be chosen", remedy="give two numbers, such as 3-5")
    if not metrics:
        raise InputError("there is no metric to choose by", remedy="name at least one")
    import numpy as np

    groups = {base: group for base, group in _groups(candidates, metrics).items() if len(group) >= least}
    if not groups:
        problem = f"no sentence has {least} different outputs with scores"
        raise InputError(problem, remedy="give the outputs of more systems, or ask for fewer variants")
    rows = np.array([[c.scores[name] for name in metrics] for group in groups.values() for c in group], float)
    scale = np.where(rows.std(axis=0) > 0, rows.std(axis=0), 1.0)
    standard = (rows - rows.mean(axis=0)) / scale
    tables: dict[str, Vector] = {}
    start = 0
    for base, group in groups.items():
        tables[base] = standard[start : start + len(group)]
        start += len(group)
    if bases is not None and bases < len(groups):
        names = list(tables)
        best = best_together([table[far_apart(table, least)] for table in tables.values()], bases)
        tables = {names[i]: tables[names[i]] for i in best}
    design = Design(tables, {base: far_apart(table, least) for base, table in tables.items()})
    design.exchange()
    design.extend(most)
    design.exchange()
    found = []
    for base, chosen in design.chosen.items():
        kept = sorted(chosen)
        reasons = _reasons([groups[base][i] for i in kept], tables[base][kept], metrics)
        found += [Choice(groups[base][i], reason) for i, reason in zip(kept, reasons, strict=True)]
    return found


def _groups(candidates: Sequence[Candidate], metrics: Sequence[str]) -> dict[str, list[Candidate]]:
    """The candidates of each base, each text once."""
    groups: dict[str, dict[str, Candidate]] = {}
    for candidate in candidates:
        scores = [candidate.scores.get(name) for name in metrics]
        if candidate.text.strip() and all(score is not None and isfinite(score) for score in scores):
            groups.setdefault(candidate.base, {}).setdefault(candidate.text, candidate)
    return {base: list(group.values()) for base, group in groups.items()}


def _reasons(chosen: Sequence[Candidate], table: Vector, metrics: Sequence[str]) -> list[str]:
    """Why each of the variants of one base is there, in words that are true of the variants beside it."""
    means = table.mean(axis=1)
    reasons = []
    for place, candidate in enumerate(chosen):
        said = []
        for word, extreme in (("highest", 1), ("lowest", -1)):
            signed = extreme * table
            is_extreme = (signed.argmax(axis=0) == place) & (signed.max(axis=0) > signed.min(axis=0))
            names = [name for name, is_it in zip(metrics, is_extreme, strict=True) if is_it]
            if names and (extreme * means).argmax() == place:
                said.append(f"{word} {_title(names[-1])} {_number(candidate.scores[names[-1]])}")
        pair = _contrast(table[place], metrics)
        if pair is not None:
            high, low = pair
            values = f"{_number(candidate.scores[high])} against {_number(candidate.scores[low])}"
            relation = "above" if candidate.scores[high] > candidate.scores[low] else "unusually close to"
            said.append(f"{_title(high)} {relation} {_title(low)}, {values}")
        if not said:
            name = metrics[-1]
            said.append(f"fills a gap: {_title(name)} {_number(candidate.scores[name])}")
        reasons.append("; ".join(said))
    return reasons


def _contrast(row: Vector, metrics: Sequence[str]) -> tuple[str, str] | None:
    """The metrics in which it stands highest and lowest among all outputs, if the two are far apart."""
    low, high = int(row.argmin()), int(row.argmax())
    return (metrics[high], metrics[low]) if row[high] - row[low] >= LARGE else None


def _title(metric: str) -> str:
    return metric.removeprefix("m.").replace("_", " ")


def _number(value: float) -> str:
    """Two digits, without the zero before the point, as the papers print accuracies.

    >>> _number(0.444), _number(1.0), _number(27.31), _number(-0.5)
    ('.44', '1.00', '27.31', '-.50')
    """
    return f"{value:.2f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.2f}"
