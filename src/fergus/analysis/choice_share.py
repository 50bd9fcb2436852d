"""A share of choices against chance, with the interval and p that other people and other pairs could have given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.crossed import SAMPLES, SEED, Estimate, crossed_mean
from fergus.analysis.judgements import Notice
from fergus.analysis.proportions import Proportion, coin_p, proportion

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]

CHANCE, OBVIOUS = 0.5, 1.0
"""The bounds: nobody can tell, everybody can."""
FEWEST_PEOPLE, FEWEST_PAIRS = 10, 10
"""With fewer the interval is rough, and the report says so."""


@dataclass(frozen=True)
class Share:
    """A share of choices, against chance."""

    choices: Proportion
    """With Wilson's interval, as if all choices were independent."""
    crossed: Estimate
    """With the interval that allows for other people and other pairs."""
    binomial_p: float
    """Exact, against 50%, as if all choices were independent."""
    p: float
    """Against 50%, allowing for other people and other pairs; NaN for one person, or where all choices are alike."""

    @property
    def told_p(self) -> float:
        """What decides: p, and where there is none the exact one, as if all choices were independent."""
        return self.binomial_p if np.isnan(self.p) else self.p

    @property
    def told_bounds(self) -> tuple[float, float]:
        """The interval that allows for other people and pairs; Wilson's where there is none."""
        own = self.choices if np.isnan(self.crossed.low) else self.crossed
        return own.low, own.high

    @property
    def of_range(self) -> float:
        """How far it is from 50% to 100%: 0 where nobody can tell, 1 where everybody can."""
        return (self.choices.value - CHANCE) / (OBVIOUS - CHANCE)


def share_of(is_hit: Bools, person: Ints, pair: Ints, *, samples: int = SAMPLES, seed: int = SEED) -> Share:
    """From choices, each with the numbers of whose it is and of which pair."""
    found = proportion(int(is_hit.sum()), len(is_hit))
    crossed = crossed_mean(is_hit.astype(np.float64), person, pair, samples=samples, seed=seed, bounds=(0, 1))
    return Share(found, crossed, coin_p(found.hits, found.n), crossed.p_against(CHANCE))


def about_numbers(people: int, pairs: int) -> list[Notice]:
    """What a reader must know where few people chose, or there were few pairs."""
    found = []
    if people == 1:
        message = "how far people differ cannot be told from one: intervals and p take the choices to be independent"
        found.append(Notice("one participant", message, 1))
    if people < FEWEST_PEOPLE:
        found.append(Notice("few participants", "another few people could give quite another share", people))
    if pairs == 1:
        found.append(Notice("one pair", "intervals and p allow for other people, not for other pairs", 1))
    elif pairs < FEWEST_PAIRS:
        found.append(Notice("few pairs", "another few pairs could give quite another share", pairs))
    return found
