"""Rows chosen from tables so that they spread in every column, and that the columns do not go together.

The logarithm of the determinant of a covariance, which D-optimal designs make as great as they can, has two parts:
the logarithms of the variances (spread) and that of the determinant of the correlations (contrast). Spread along the
diagonal is easily had, and by the determinant alone correlated columns stay correlated; so the mean contrast of the
directions across the diagonal is added once more. All of this is taken over all tables and within them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vector = NDArray[Any]

RIDGE = 0.02
"""Added to each variance: metrics that always agree would make every determinant zero."""
MOST_ROUNDS = 20
"""Of exchanges; each makes the criterion better, and few are ever needed."""
BETTER = 1e-9
"""A criterion that is greater by less is the same."""
GAP = 0.6
"""A row that differs so much from all others of its table, in standard deviations, is worth a place of its own."""


def far_apart(table: Vector, count: int) -> list[int]:
    """Rows to begin with: the highest on average, then always the one that is farthest from those taken."""
    taken = [int(table.mean(axis=1).argmax())]
    while len(taken) < count:
        distances = _distances(table, taken)
        distances[taken] = -1.0
        taken.append(int(distances.argmax()))
    return taken


def best_together(parts: Sequence[Vector], count: int) -> list[int]:
    """Of sets of as many rows each, those that together make the criterion greatest.

    One is added at a time, and then each is exchanged while that is better: the first ones were taken when hardly
    anything could be said of correlations, and by then sets that spread little look best.
    """
    import numpy as np

    sums = [_sums_of(rows) for rows in parts]
    firsts, seconds, scatters = (
        np.array(of_all) for of_all in zip(*((one.first, one.second, one.scatter()) for one in sums), strict=True)
    )

    def values(kept: Sequence[int]) -> Vector:
        """The criterion of these with each of the others in turn."""
        places = np.array(kept, int)
        total = _Sums(
            sums[0].count * (len(kept) + 1), firsts[places].sum(axis=0) + firsts, seconds[places].sum(axis=0) + seconds
        )
        found = _criterion(total, scatters[places].sum(axis=0) + scatters)
        found[places] = -np.inf
        return found

    taken: list[int] = []
    while len(taken) < count:
        taken.append(int(values(taken).argmax()))
    for _ in range(MOST_ROUNDS):
        before = list(taken)
        for place, out in enumerate(before):
            found = values([*taken[:place], *taken[place + 1 :]])
            into = int(found.argmax())
            if found[into] > found[out] + BETTER:
                taken[place] = into
        if taken == before:
            break
    return sorted(taken)


def _distances(table: Vector, taken: Sequence[int]) -> Vector:
    """How far each row is from the nearest one taken, in standard deviations of a metric."""
    import numpy as np

    nearest: Vector = np.min([((table - table[i]) ** 2).mean(axis=1) for i in taken], axis=0) ** 0.5
    return nearest


@dataclass
class _Sums:
    """Of some rows: how many, their sum, and the sum of their outer products; or of many such sets at once."""

    count: int
    first: Vector
    second: Vector

    def plus(self, rows: Vector, sign: int = 1) -> _Sums:
        """With a row more, or one less; given several rows, with each of them in turn."""
        return _Sums(self.count + sign, self.first + sign * rows, self.second + sign * _squares(rows))

    def scatter(self) -> Any:
        """The sum of squares about the mean."""
        return self.second - _squares(self.first) / max(self.count, 1)


class Design:
    """The rows chosen so far, by table, and the criterion."""

    def __init__(self, tables: Mapping[str, Vector], chosen: Mapping[str, Sequence[int]]) -> None:
        self.tables = tables
        self.chosen = {name: list(rows) for name, rows in chosen.items()}
        self._sums = {name: _sums_of(tables[name][rows]) for name, rows in self.chosen.items()}
        self._recount()

    def _recount(self) -> None:
        """The totals, anew: differences of floats would add up."""
        self._total = _sum_of(list(self._sums.values()))
        self._within: Any = sum(sums.scatter() for sums in self._sums.values())

    def exchange(self) -> None:
        """Replace a chosen row by another of its table while that makes the criterion greater."""
        for _ in range(MOST_ROUNDS):
            if sum(self._exchange_in(name) for name in self.tables) == 0:
                return

    def _exchange_in(self, name: str) -> bool:
        table, rows = self.tables[name], self.chosen[name]
        others = [row for row in range(len(table)) if row not in rows]
        if not others:
            return False
        best, best_value = None, float(_criterion(self._total, self._within)) + BETTER
        for place, out in enumerate(rows):
            values = self._values(name, others, without=out)
            into = int(values.argmax())
            if values[into] > best_value:
                best, best_value = (place, others[into]), float(values[into])
        if best is None:
            return False
        rows[best[0]] = best[1]
        self._sums[name] = _sums_of(table[rows])
        self._recount()
        return True

    def _values(self, name: str, others: Sequence[int], *, without: int | None = None) -> Vector:
        """The criterion with each of the other rows of a table, and without one of its own."""
        table, total, own = self.tables[name], self._total, self._sums[name]
        if without is not None:
            total, own = total.plus(table[without], -1), own.plus(table[without], -1)
        added = table[list(others)]
        return _criterion(total.plus(added), self._within - self._sums[name].scatter() + own.plus(added).scatter())

    def extend(self, most: int) -> None:
        """Add rows of a table that are unlike all of its chosen ones: of those the best by the criterion."""
        for name, table in self.tables.items():
            rows = self.chosen[name]
            while len(rows) < most:
                distances = _distances(table, rows)
                others = [row for row in range(len(table)) if distances[row] >= GAP]
                if not others:
                    break
                rows.append(others[int(self._values(name, others).argmax())])
                self._sums[name] = _sums_of(table[rows])
                self._recount()


def _squares(rows: Vector) -> Vector:
    """The outer product of each row with itself."""
    squares: Vector = rows[..., :, None] * rows[..., None, :]
    return squares


def _sums_of(rows: Vector) -> _Sums:
    return _Sums(len(rows), rows.sum(axis=0), rows.T @ rows)


def _sum_of(parts: Sequence[_Sums]) -> _Sums:
    """All rows of several parts together."""
    firsts: Any = sum(part.first for part in parts)
    seconds: Any = sum(part.second for part in parts)
    return _Sums(sum(part.count for part in parts), firsts, seconds)


def _criterion(total: _Sums, within: Any) -> Vector:
    """Spread and contrast over all and within tables; of each if there are many."""
    import numpy as np

    value: Any = 0.0
    for scatter in (total.scatter(), within):
        covariance = scatter / total.count + RIDGE * np.eye(scatter.shape[-1])
        spread = np.log(np.diagonal(covariance, axis1=-2, axis2=-1)).sum(axis=-1)
        contrast = np.linalg.slogdet(covariance)[1] - spread
        value = value + spread + contrast + contrast / max(covariance.shape[-1] - 1, 1)
    found: Vector = value
    return found
