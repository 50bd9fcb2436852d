"""Why one sentence won over another, in words and numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from fergus.core.realization import Realization
from fergus.realize.compare_candidates import LITTLE, Comparison, compared


def why(realization: Realization, rank: int, preset: str) -> str:
    """Why the best sentence beats the one of this rank (from 1)."""
    found = compared(realization, rank, preset)
    pros = [f"{model} prefers it by {gain:.2f}" for model, gain in found.for_best]
    cons = [f"{model} disagrees by {gain:.2f}" for model, gain in found.for_other]
    verdict = " and ".join(pros) or "no model prefers it: it is the first of equals"
    ahead = f" In all it is {found.lead:.2f} ahead, {times(found.lead)} as probable." if found.lead > LITTLE else ""
    against = f"; {' and '.join(cons)}" if cons else ""
    return f"{difference(realization, rank, found)} because {verdict}{against}.{ahead}"


def times(lead: float) -> str:
    """How many times as probable a lead in natural logarithms makes something.

    >>> times(2.302585)
    '10 times'
    """
    ratio = math.exp(min(lead, 50.0))
    if ratio >= 1e6:
        return "more than a million times"
    return f"{ratio:.1f} times" if ratio < 9.95 else f"{ratio:,.0f} times"


def difference(realization: Realization, rank: int, found: Comparison) -> str:
    """What the best sentence has that the other has not."""
    nodes = realization.tree.nodes
    if found.inverted:
        return listed([f"“{nodes[first].form}” before “{nodes[then].form}”" for first, then in found.inverted])
    best, other = realization.best[0], realization.best[rank]
    mine, theirs = best.sentence.forms, other.sentence.forms
    only = [word for word in mine if word not in theirs]
    instead = [word for word in theirs if word not in mine]
    if only and instead:
        return f"{listed([f'“{word}”' for word in only])} instead of {listed([f'“{word}”' for word in instead])}"
    if only or instead:
        what = listed([f"“{word}”" for word in only or instead])
        return what if only else f"no {what}"
    return "This order"


def listed(items: Sequence[str]) -> str:
    """Items as a sentence has them.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else items[0]
