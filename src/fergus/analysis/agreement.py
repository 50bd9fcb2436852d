"""How far coders and judges agree: Krippendorff's alpha, the share of pairs that agree, and Cohen's kappa for two.

Data are *units* (answers, items), each with one value a coder, in the same order of coders throughout; None is a value
that is missing. The formulas are those of Krippendorff, Computing Krippendorff's Alpha-Reliability (2011).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, TypeAlias

Value: TypeAlias = "str | int | float | bool | frozenset[str] | None"
Unit: TypeAlias = "Sequence[Value]"
Level: TypeAlias = Literal["nominal", "ordinal", "interval", "set"]
"""How values differ: not at all or wholly; by rank; by their difference; or, for sets of codes, by what they share."""


@dataclass(frozen=True)
class Agreement:
    """Agreement on some units, with what it was computed from."""

    alpha: float | None
    """None where it is not defined: nothing to compare, or all values the same."""
    share: float | None
    """Of pairs of values of one unit, those that are the same; None if there is no pair."""
    kappa: float | None
    """Cohen's, for two coders; None for more, and where it is not defined."""
    units: int
    """Units with at least two values; the others count for nothing."""
    level: Level


def agreement(units: Sequence[Unit], *, level: Level = "nominal") -> Agreement:
    """All measures at once; kappa is on identity, whatever the level."""
    return Agreement(
        alpha(units, level=level),
        share_of_agreement(units),
        cohen_kappa(units) if {len(unit) for unit in units} == {2} else None,
        sum(sum(value is not None for value in unit) >= 2 for unit in units),
        level,
    )


def alpha(units: Sequence[Unit], *, level: Level = "nominal") -> float | None:
    """Krippendorff's alpha: 1 less the observed over the expected disagreement.

    None if no unit has two values, or if all values are the same: what never varies tells nothing of its reliability.

    >>> round(alpha([("a", "a"), ("b", "b"), ("a", "b")]), 3)
    0.444
    """
    counts = [Counter(present) for unit in units if len(present := [v for v in unit if v is not None]) >= 2]
    totals: Counter[Any] = sum(counts, Counter())
    size = totals.total()
    distance = _distance(level, totals)
    # math.fsum: the same value whatever the order of the units.
    expected = math.fsum(n * m * distance(a, b) for (a, n), (b, m) in combinations(totals.items(), 2))
    if expected == 0:
        return None
    observed = math.fsum(
        n * m * distance(a, b) / (unit.total() - 1)
        for unit in counts
        for (a, n), (b, m) in combinations(unit.items(), 2)
    )
    return 1 - (size - 1) * observed / expected


def share_of_agreement(units: Sequence[Unit]) -> float | None:
    """Of all pairs of values that a unit got, the share that are the same; None if there is no pair.

    >>> share_of_agreement([("a", "a", "b"), ("a", None, None)])
    0.3333333333333333
    """
    pairs = same = 0
    for unit in units:
        present = Counter(value for value in unit if value is not None)
        pairs += math.comb(present.total(), 2)
        same += sum(math.comb(count, 2) for count in present.values())
    return same / pairs if pairs else None


def cohen_kappa(units: Sequence[Unit]) -> float | None:
    """Cohen's kappa of two coders, over the units that both coded; None if chance alone would make them agree."""
    both = [(first, second) for first, second in units if first is not None and second is not None]
    if not both:
        return None
    observed = sum(first == second for first, second in both) / len(both)
    one, other = Counter(first for first, _ in both), Counter(second for _, second in both)
    if len(one | other) == 1:
        return None
    by_chance = sum(count * other[value] for value, count in one.items()) / len(both) ** 2
    return (observed - by_chance) / (1 - by_chance)


def _distance(level: Level, totals: Counter[Any]) -> Callable[[Any, Any], float]:
    """The squared difference of two values; the ordinal one counts the values that lie between them."""
    if level == "nominal":
        return lambda a, b: float(a != b)
    if level == "interval":
        return lambda a, b: float((a - b) ** 2)
    if level == "set":
        return masi_distance
    below: dict[Any, float] = {}
    passed = 0
    for value in sorted(totals):
        below[value] = passed + totals[value] / 2
        passed += totals[value]
    return lambda a, b: float((below[a] - below[b]) ** 2)


def masi_distance(a: frozenset[str], b: frozenset[str]) -> float:
    """How far two sets of codes differ, from 0 to 1 (Passonneau 2006, MASI): Jaccard, weighed by how they overlap.

    The weight is 1 for equal sets, 2/3 if one is in the other, 1/3 if they cross, 0 if they share nothing.

    >>> round(masi_distance(frozenset("ab"), frozenset("abcd")), 3)
    0.667
    """
    if a == b:
        return 0.0
    shared = len(a & b)
    weight = 2 / 3 if a <= b or b <= a else 1 / 3
    return 1 - weight * shared / len(a | b) if shared else 1.0
