"""Why one sentence won over another, in words and numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from fergus.core.realization import Candidate, Realization

ORDERING = {"default": "ordering model", "supertag": "tree model"}
"""What gives the lattice its weights, by preset; the others have a left-right model."""
LITTLE = 0.005
"""Differences that are shown as 0.00 say nothing."""


@dataclass(frozen=True)
class Parts:
    """A score and its parts, in natural-log units, higher is better."""

    total: float
    lattice: float
    language_model: float


def parts_of(realization: Realization, candidate: Candidate) -> Parts:
    """The parts of a candidate's score, as they add up to the total."""
    from fergus.realize.explain import LN10

    language_model = realization.lm_weight * LN10 * candidate.scores.language_model_logprob10
    return Parts(candidate.scores.lattice + language_model, candidate.scores.lattice, language_model)


def ordering_model(preset: str) -> str:
    """What the weights of the lattice come from."""
    return ORDERING.get(preset, "left-right model")


def why(realization: Realization, rank: int, preset: str) -> str:
    """Why the best sentence beats the one of this rank (from 1)."""
    best, other = realization.best[0], realization.best[rank]
    one, two = parts_of(realization, best), parts_of(realization, other)
    models = [
        (one.lattice - two.lattice, f"the {ordering_model(preset)}"),
        (one.language_model - two.language_model, "the language model"),
    ]
    pros = [f"{name} prefers it by {gain:.2f}" for gain, name in models if gain > LITTLE]
    cons = [f"{name} disagrees by {-gain:.2f}" for gain, name in models if gain < -LITTLE]
    verdict = " and ".join(pros) or "no model prefers it: it is the first of equals"
    lead = one.total - two.total
    ahead = f" In all it is {lead:.2f} ahead, {times(lead)} as probable." if lead > LITTLE else ""
    against = f"; {' and '.join(cons)}" if cons else ""
    return f"{difference(realization, best, other)} because {verdict}{against}.{ahead}"


def times(lead: float) -> str:
    """How many times as probable a lead in natural logarithms makes something.

    >>> times(2.302585)
    '10 times'
    """
    ratio = math.exp(min(lead, 50.0))
    if ratio >= 1e6:
        return "more than a million times"
    return f"{ratio:.1f} times" if ratio < 9.95 else f"{ratio:,.0f} times"


def difference(realization: Realization, best: Candidate, other: Candidate) -> str:
    """What the best sentence has that the other has not."""
    from fergus.realize.explain import inversions

    pairs = [f"“{first}” before “{then}”" for first, _, then in map(_split, inversions(realization.tree, best, other))]
    if pairs:
        return listed(pairs)
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


def _split(text: str) -> tuple[str, str, str]:
    return text.partition(" before ")
