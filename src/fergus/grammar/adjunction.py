"""The adjunction table: which gamma tree adjoins to which tree, on which side, how far out (section 2).

A gamma tree says nothing of where it attaches; this table does, by counts from the treebank.

    often    She  often  sees  her  today        the tree of *sees*: a.VERB(nsubj * obj)
    gap      nsubj  0    *    obj   1            *often*: left, gap 0; *today*: right, gap 1
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeVar

from fergus.core.supertag import ElementaryTree, Side

SIDES: tuple[Side, Side] = ("left", "right")


class Position(NamedTuple):
    """A place beside an anchor: ``gap`` of the mother's slots on that side lie between it and the anchor."""

    side: Side
    gap: int
    probability: float


class Adjunction(NamedTuple):
    """One kind of adjunction that was seen."""

    gamma: str
    mother: str
    """The mother's supertag."""
    side: Side
    gap: int


K = TypeVar("K")
Place = tuple[Side, int]


@dataclass(frozen=True)
class AdjunctionTable:
    """How often each gamma tree was seen at each place of each mother; probabilities with back-off.

    The back-off is interpolated, each level with the Witten-Bell weight N / (N + number of places seen):

    1. this gamma tree at this mother's tree;
    2. this gamma tree at trees of the mother's category;
    3. gamma trees of this one's category at any tree;
    4. the sides of all gamma trees, each shared out evenly among the mother's gaps on that side.
    """

    counts: Mapping[Adjunction, int] = field(default_factory=dict)
    categories: Mapping[str, str] = field(default_factory=dict)
    """The category of every supertag that ``counts`` names."""

    def positions(self, gamma: ElementaryTree, mother: ElementaryTree, *, minimum: float = 0.0) -> list[Position]:
        """Where ``gamma`` may stand under ``mother``, the likeliest first (ties: left, then small gaps).

        Places below ``minimum`` are dropped and the rest made to sum to 1; the likeliest always stays.
        A gamma tree whose own structure fixes its side (XTAG's) is offered no other.
        """
        sides = SIDES if gamma.side is None else (gamma.side,)
        places = [(s, g) for s in sides for g in range(1 + len(mother.left if s == "left" else mother.right))]
        share = {side: sum(1 for s, _ in places if s == side) for side in SIDES}
        prior = {p: self._sides[p[0]] / share[p[0]] for p in places}
        total = sum(prior.values())
        estimate = {p: value / total for p, value in prior.items()}
        for seen in (
            self._by_gamma_category.get(gamma.category),
            self._by_mother_category.get((gamma.name, mother.category)),
            self._by_mother.get((gamma.name, mother.name)),
        ):
            if seen:
                estimate = interpolate(seen, estimate)
        best = max(estimate.values())
        kept = {p: value for p, value in estimate.items() if value >= minimum or value == best}
        total = sum(kept.values())
        ordered = sorted(kept, key=lambda p: (-kept[p], p))
        return [Position(side, gap, kept[side, gap] / total) for side, gap in ordered]

    def by_category(self) -> Counter[tuple[str, str, Side, int]]:
        """Counts of (gamma supertag, mother's category, side, gap): the table of the papers."""
        result: Counter[tuple[str, str, Side, int]] = Counter()
        for (gamma, mother, side, gap), count in self.counts.items():
            result[gamma, self.categories[mother], side, gap] += count
        return result

    @cached_property
    def _sides(self) -> dict[Side, float]:
        seen = Counter(dict.fromkeys(SIDES, 1))  # one of each, so that neither is impossible
        for adjunction, count in self.counts.items():
            seen[adjunction.side] += count
        return {side: seen[side] / seen.total() for side in SIDES}

    @cached_property
    def _by_mother(self) -> dict[tuple[str, str], Counter[Place]]:
        return grouped(((a.gamma, a.mother), (a.side, a.gap), n) for a, n in self.counts.items())

    @cached_property
    def _by_mother_category(self) -> dict[tuple[str, str], Counter[Place]]:
        category = self.categories
        return grouped(((a.gamma, category[a.mother]), (a.side, a.gap), n) for a, n in self.counts.items())

    @cached_property
    def _by_gamma_category(self) -> dict[str, Counter[Place]]:
        return grouped((self.categories[a.gamma], (a.side, a.gap), n) for a, n in self.counts.items())


def grouped(rows: Iterable[tuple[K, Place, int]]) -> dict[K, Counter[Place]]:
    """Counts of places, one counter for each key."""
    result: dict[K, Counter[Place]] = {}
    for key, place, count in rows:
        result.setdefault(key, Counter())[place] += count
    return result


def interpolate(seen: Counter[Place], lower: Mapping[Place, float]) -> dict[Place, float]:
    """Witten-Bell: what was seen at the places on offer, mixed with the lower order's estimate."""
    relevant = {place: seen[place] for place in lower if place in seen}
    types, total = len(relevant), sum(relevant.values())
    if not total:
        return dict(lower)
    return {p: (relevant.get(p, 0) + types * lower[p]) / (total + types) for p in lower}
