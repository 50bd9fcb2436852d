"""Judgements as columns: who said how much about which text, by dimension.

::

    Judgements ── items:   the texts, each with the input it realizes and the system that wrote it
               └─ ratings: by dimension, three columns of one length (judge, item, score) and the judges' names
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Items:
    """The texts that were judged."""

    ids: tuple[str, ...]
    inputs: tuple[str, ...]
    """What each one realizes: a meaning, a base sentence."""
    systems: tuple[str, ...]
    texts: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.ids)

    def only(self, mask: NDArray[np.bool_]) -> Items:
        """Some of the texts, in their order."""
        places = np.flatnonzero(mask).tolist()
        columns = (self.ids, self.inputs, self.systems, self.texts)
        return Items(*(tuple(column[i] for i in places) if column else () for column in columns))

    @cached_property
    def input_numbers(self) -> Ints:
        """The inputs as numbers, in the order of their first item."""
        return numbered(self.inputs)

    @cached_property
    def input_count(self) -> int:
        """How many inputs there are."""
        return int(self.input_numbers.max()) + 1 if len(self) else 0

    @cached_property
    def system_numbers(self) -> Ints:
        """The systems as numbers, in the order of ``system_names``."""
        places = {name: i for i, name in enumerate(self.system_names)}
        return np.array([places[name] for name in self.systems], np.int64)

    @cached_property
    def system_names(self) -> tuple[str, ...]:
        """The systems, sorted."""
        return tuple(sorted(set(self.systems)))


@dataclass(frozen=True)
class Ratings:
    """All judgements along one dimension."""

    dimension: str
    judges: tuple[str, ...]
    judge: Ints
    item: Ints
    score: Floats
    scale: tuple[float, float] | None = None
    """The lowest and highest value that could be given, where it is known."""

    def __len__(self) -> int:
        return len(self.score)

    def with_scores(self, score: Floats) -> Ratings:
        """The same judgements with other values."""
        return Ratings(self.dimension, self.judges, self.judge, self.item, score, self.scale)

    def only(self, mask: NDArray[np.bool_]) -> Ratings:
        """Some of the judgements; judges keep their numbers."""
        return Ratings(self.dimension, self.judges, self.judge[mask], self.item[mask], self.score[mask], self.scale)

    def among(self, mask: NDArray[np.bool_]) -> Ratings:
        """The judgements of some of the items, which are numbered anew."""
        kept, places = self.only(mask[self.item]), np.cumsum(mask) - 1
        return Ratings(self.dimension, self.judges, kept.judge, places[kept.item], kept.score, self.scale)

    def averaged(self) -> Ratings:
        """One judgement of each judge and item: the mean, where a judge judged an item again."""
        size = int(self.item.max()) + 1 if len(self) else 1
        pairs, places = np.unique(self.judge * size + self.item, return_inverse=True)
        score = means_by(places, self.score, len(pairs))
        return Ratings(self.dimension, self.judges, pairs // size, pairs % size, score, self.scale)

    def matrix(self, items: int) -> Floats:
        """Judges by items, NaN where there is no judgement, the mean where there are several."""
        total = np.zeros((len(self.judges), items))
        count = np.zeros((len(self.judges), items))
        np.add.at(total, (self.judge, self.item), self.score)
        np.add.at(count, (self.judge, self.item), 1)
        with np.errstate(invalid="ignore"):
            result: Floats = np.where(count > 0, total / np.maximum(count, 1), np.nan)
        return result

    def item_means(self, items: int) -> Floats:
        """The mean score of every item; NaN for one that nobody judged."""
        return means_by(self.item, self.score, items)


@dataclass(frozen=True)
class Notice:
    """Something about the data that a reader must know: what, and how often."""

    kind: str
    message: str
    count: int = 1


@dataclass(frozen=True)
class Judgements:
    """A set of judged texts."""

    items: Items
    ratings: Mapping[str, Ratings]
    notices: tuple[Notice, ...] = ()
    source: str = ""
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Further columns of the items, such as metric scores that came with them."""


def means_by(place: Ints, values: Floats, size: int, weight: Floats | None = None) -> Floats:
    """The mean of the values at each of so many places, weighted if they weigh differently; NaN where there is none."""
    total = np.bincount(place, weights=values if weight is None else weight * values, minlength=size)
    heavy = np.bincount(place, weights=weight, minlength=size)
    result: Floats = np.where(heavy > 0, total / np.maximum(heavy, 1e-300), np.nan)
    return result


def numbered(names: Sequence[str]) -> Ints:
    """Names as numbers, in the order of their first appearance."""
    places: dict[str, int] = {}
    return np.array([places.setdefault(name, len(places)) for name in names], np.int64)
