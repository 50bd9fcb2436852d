"""What a metric is learned from: mean judgements of texts beside the scores of everything it may be made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.judgements import Items, Notice, Ratings
from fergus.analysis.regress import Exclusion
from fergus.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Part:
    """What a metric may be made of: the scores of all items, NaN where there is none."""

    name: str
    scores: Floats
    perfect: float | None = 1.0
    """The score of a perfect sentence; None for what has none, as length, and therefore does not stay."""
    higher_is_better: bool = True

    @property
    def oriented(self) -> Floats:
        """The scores, with the sign turned if less is better."""
        return self.scores if self.higher_is_better else -self.scores


def parts_that_stay(parts: Sequence[Part]) -> list[Part]:
    """Those that belong in an accuracy and have scores that vary."""
    return [part for part in parts if part.perfect is not None and _varies(part.scores)]


def _staying(wanted: Sequence[Part], usable: NDArray[np.bool_]) -> tuple[list[Part], NDArray[np.bool_]]:
    """The parts that stay, and the items that have all scores; one that is the same for all of these does not stay."""
    leaving = [part for part in wanted if part.perfect is None]
    staying = [part for part in wanted if part.perfect is not None and _varies(part.scores[usable])]
    while True:
        kept = usable & np.all([np.isfinite(part.scores) for part in (*staying, *leaving)], axis=0)
        varying = [part for part in staying if not kept.any() or _varies(part.scores[kept])]
        if len(varying) == len(staying):
            return staying, kept
        staying = varying  # and texts that only lacked the others are there again


def _varies(scores: Floats) -> bool:
    known = scores[np.isfinite(scores)]
    return len(known) > 0 and float(np.ptp(known)) > 0


@dataclass(frozen=True)
class LearningData:
    """The items that have a judgement and all scores, as columns."""

    parts: tuple[Part, ...]
    """Those that stay."""
    X: Floats
    dropped: Mapping[str, Floats]
    """What takes part in a first fit only."""
    y: Floats
    inputs: Ints
    systems: Ints
    system_names: tuple[str, ...]
    ids: tuple[str, ...]
    kept: NDArray[np.bool_]
    """Of all items."""
    notices: tuple[Notice, ...]

    @classmethod
    def of(
        cls,
        items: Items,
        ratings: Ratings,
        given: Sequence[Part],
        predictors: Sequence[str] | None,
        exclude: Sequence[Exclusion],
    ) -> LearningData:
        """Select parts and items; what is left out is counted and named."""
        by_name = {part.name: part for part in given}
        for name in predictors or ():
            if name not in by_name:
                raise InputError(f"there is no metric {name!r}", remedy=f"there are {', '.join(by_name)}")
        wanted = [by_name[name] for name in dict.fromkeys(predictors or by_name)]
        leaving = {part.name: part for part in wanted if part.perfect is None}
        judged = ratings.item_means(len(items))
        usable = np.isfinite(judged)
        unusable = int((~usable).sum())
        places = {name: i for i, name in enumerate(items.ids)}
        for one in exclude:
            if one.item not in places:
                raise InputError(f"{one.item!r} is excluded and not there", remedy="name an item of the data")
            unusable += int(usable[places[one.item]])
            usable[places[one.item]] = False
        staying, kept = _staying(wanted, usable)
        flat = [part.name for part in wanted if part.perfect is not None and part not in staying]
        notices = []
        if flat:
            message = f"have no scores, or the same for all texts, and are left out: {', '.join(flat)}"
            notices.append(Notice("metrics that say nothing", message, len(flat)))
        if not staying:
            raise InputError("there is no metric to learn from", remedy="choose metrics that have a best value")
        if missing := len(items) - unusable - int(kept.sum()):
            notices.append(Notice("missing score", "texts lack a metric's score and are left out", missing))
        if exclude:
            message = "; ".join(f"{one.item}: {one.reason}" for one in exclude)
            notices.append(Notice("excluded", message, len(exclude)))
        if kept.sum() < len(staying) + len(leaving) + 2:
            raise InputError(f"{int(kept.sum())} texts for {len(staying)} metrics", remedy="more texts are needed")
        if np.ptp(judged[kept]) == 0:
            raise InputError("all texts are judged the same", remedy="there is nothing to learn")
        return cls(
            tuple(staying),
            np.column_stack([part.scores[kept] for part in staying]).astype(np.float64),
            {name: part.scores[kept] for name, part in leaving.items()},
            judged[kept],
            np.unique(items.input_numbers[kept], return_inverse=True)[1],
            np.unique(items.system_numbers[kept], return_inverse=True)[1],
            tuple(items.system_names[i] for i in np.unique(items.system_numbers[kept])),
            tuple(items.ids[i] for i in np.flatnonzero(kept)),
            kept,
            tuple(notices),
        )

    @property
    def directions(self) -> Floats:
        """1 where more is better, -1 where less is."""
        return np.array([1.0 if part.higher_is_better else -1.0 for part in self.parts])

    def over_all(self, values: Floats) -> Floats:
        """Values of the items that are used as a column of all items."""
        result: Floats = np.full(len(self.kept), np.nan)
        result[self.kept] = values
        return result
