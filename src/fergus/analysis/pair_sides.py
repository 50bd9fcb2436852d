"""Which side of a pair is preferred, and how far people agree on a text: by kind of pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.choice_share import Share, share_of
from fergus.analysis.pair_rows import MIXED, PairRows

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class SideShare:
    """How often the text that stands first is chosen, in pairs of one kind."""

    kind: str
    """Empty for pairs with a right answer."""
    pairs: int
    first: Share
    same_text: float
    """The chance that two people chose the same text of a pair; 1/2 if they chose blindly."""
    same_text_error: float
    """Its standard error, over pairs."""


def sides_of(choices: PairRows, *, samples: int, seed: int) -> tuple[SideShare, ...]:
    """Pairs with a right answer, then control pairs."""
    kinds = np.array(choices.kind_of_choices())
    found = []
    for kind in sorted(set(choices.kinds), key=lambda kind: (kind != MIXED, kind)):
        kept = kinds == kind
        same = _same_text(choices, [number for number, own in enumerate(choices.kinds) if own == kind])
        error = float(same.std(ddof=1) / len(same) ** 0.5) if len(same) > 1 else float("nan")
        mean = float(same.mean()) if len(same) else float("nan")
        person, pair = choices.person[kept], choices.pair[kept]
        first = share_of(choices.is_first[kept], person, pair, samples=samples, seed=seed)
        found.append(SideShare(kind, len(np.unique(pair)), first, mean, error))
    return tuple(found)


def _same_text(choices: PairRows, pairs: Sequence[int]) -> NDArray[np.float64]:
    """By pair, of all pairs of people those that chose the same text; a pair that one person judged is left out."""
    found = []
    for number in pairs:
        chosen = [choices.chosen[i] for i in np.flatnonzero(choices.pair == number)]
        n, most = len(chosen), chosen.count(chosen[0])
        if n > 1:
            found.append((most * (most - 1) + (n - most) * (n - most - 1)) / (n * (n - 1)))
    return np.array(found)
