"""Which variants of each base sentence to show, so that metrics take many values and differ (section 4.1 of the paper).

The authors built their variants "to sample multiple values of each intrinsic metric as well as to contrast
differences between the intrinsic measures". Here both are one criterion, that of D-optimal designs: the determinant
of the covariance of the metrics grows when each metric spreads and when no two of them go together. It is taken over
the whole choice and within the pages, where people compare. A greedy choice is improved by exchanges. ::

    simple string accuracy            o chosen: corners of the cloud, and what is off the diagonal
      1 |          o . o
        |     . . . .
        |  o . . .
      0 |  . o      o
        +-------------  generation tree accuracy
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, Any

from fergus.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vector = NDArray[Any]

RIDGE = 0.02
"""Added to each variance: metrics that always agree would make every determinant zero."""
MOST_ROUNDS = 20
"""Of exchanges; each makes the criterion better, and few are ever needed."""
GAP = 0.6
"""A variant that differs so much from all others of its base, in standard deviations, is worth a place of its own."""
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
        tables = _telling(tables, bases, least)
    design = _Design(tables, {base: _far_apart(table, least) for base, table in tables.items()})
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


def _far_apart(table: Vector, count: int) -> list[int]:
    """Rows to begin with: the highest on average, then always the one that is farthest from those taken."""
    taken = [int(table.mean(axis=1).argmax())]
    while len(taken) < count:
        distances = _distances(table, taken)
        distances[taken] = -1.0
        taken.append(int(distances.argmax()))
    return taken


def _distances(table: Vector, taken: Sequence[int]) -> Vector:
    """How far each row is from the nearest one taken, in standard deviations of a metric."""
    import numpy as np

    nearest: Vector = np.min([((table - table[i]) ** 2).mean(axis=1) for i in taken], axis=0) ** 0.5
    return nearest


def _telling(tables: Mapping[str, Vector], count: int, least: int) -> dict[str, Vector]:
    """The bases that together make the criterion greatest, one added at a time; in their own order."""
    taken: dict[str, Vector] = {}
    design = _Design({}, {})
    while len(taken) < count:
        best, best_value = "", -float("inf")
        for base, table in tables.items():
            if base not in taken:
                value = design.value_with(table[_far_apart(table, least)])
                if value > best_value:
                    best, best_value = base, value
        taken[best] = tables[best]
        design = _Design(taken, {base: _far_apart(table, least) for base, table in taken.items()})
    return {base: table for base, table in tables.items() if base in taken}


@dataclass
class _Sums:
    """Of some rows: how many, their sum, and the sum of their outer products."""

    count: int
    first: Vector
    second: Vector

    def plus(self, row: Vector, sign: int = 1) -> _Sums:
        """With a row more, or one less."""
        import numpy as np

        return _Sums(self.count + sign, self.first + sign * row, self.second + sign * np.outer(row, row))

    def scatter(self) -> Any:
        """The sum of squares about the mean."""
        import numpy as np

        return self.second - np.outer(self.first, self.first) / max(self.count, 1)


@dataclass
class _Design:
    """The rows chosen so far, by base, and the criterion."""

    tables: Mapping[str, Vector]
    chosen: dict[str, list[int]]
    _sums: dict[str, _Sums] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._sums = {base: _sums_of(self.tables[base][rows]) for base, rows in self.chosen.items()}
        self._recount()

    def _recount(self) -> None:
        """The totals, anew: differences of floats would add up."""
        self._total = _sum_of(list(self._sums.values()))
        self._within: Any = sum(sums.scatter() for sums in self._sums.values())

    def value_with(self, rows: Vector) -> float:
        """The criterion with one base more."""
        sums = _sums_of(rows)
        every = _sum_of([*self._sums.values(), sums])
        return _criterion(every, self._within + sums.scatter())

    def _value(self, base: str, changed: _Sums, rows: Sequence[tuple[Vector, int]]) -> float:
        total = self._total
        for row, sign in rows:
            total = total.plus(row, sign)
        return _criterion(total, self._within - self._sums[base].scatter() + changed.scatter())

    def exchange(self) -> None:
        """Replace a chosen row by another of its base while that makes the criterion greater."""
        for _ in range(MOST_ROUNDS):
            if sum(self._exchange_in(base) for base in self.tables) == 0:
                return

    def _exchange_in(self, base: str) -> bool:
        table, best, best_value = self.tables[base], None, _criterion(self._total, self._within) + 1e-9
        for out in self.chosen[base]:
            without = self._sums[base].plus(table[out], -1)
            for into in range(len(table)):
                if into not in self.chosen[base]:
                    changed = without.plus(table[into])
                    value = self._value(base, changed, [(table[out], -1), (table[into], 1)])
                    if value > best_value:
                        best, best_value = (out, into, changed), value
        if best is None:
            return False
        out, into, self._sums[base] = best
        self.chosen[base] = [into if row == out else row for row in self.chosen[base]]
        self._recount()
        return True

    def extend(self, most: int) -> None:
        """Add rows of a base that are unlike all of its chosen ones: of those the best by the criterion."""
        for base, table in self.tables.items():
            while len(self.chosen[base]) < most:
                distances = _distances(table, self.chosen[base])
                others = [row for row in range(len(table)) if distances[row] >= GAP]
                if not others:
                    break
                values = [self._value(base, self._sums[base].plus(table[i]), [(table[i], 1)]) for i in others]
                best = others[max(range(len(others)), key=lambda place: values[place])]
                self._sums[base] = self._sums[base].plus(table[best])
                self.chosen[base].append(best)
                self._recount()


def _sums_of(rows: Vector) -> _Sums:
    return _Sums(len(rows), rows.sum(axis=0), rows.T @ rows)


def _sum_of(parts: Sequence[_Sums]) -> _Sums:
    """All rows of several parts together."""
    firsts: Any = sum(part.first for part in parts)
    seconds: Any = sum(part.second for part in parts)
    return _Sums(sum(part.count for part in parts), firsts, seconds)


def _criterion(total: _Sums, within: Any) -> float:
    """The logarithms of the determinants of both covariances, added up."""
    import numpy as np

    ridge = RIDGE * np.eye(len(total.first))
    return float(sum(np.linalg.slogdet(part / total.count + ridge)[1] for part in (total.scatter(), within)))


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
