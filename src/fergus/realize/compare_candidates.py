"""What speaks for the best sentence and what for another: the scores by models, and the words that changed places."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from fergus.core.realization import Candidate, Realization
from fergus.core.tree import DependencyTree

LN10 = math.log(10.0)
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


@dataclass(frozen=True)
class Comparison:
    """The best sentence beside another; models with by how much, in natural-log units, they prefer either."""

    for_best: tuple[tuple[str, float], ...]
    for_other: tuple[tuple[str, float], ...]
    lead: float
    """By how much the best one is ahead in all."""
    inverted: tuple[tuple[int, int], ...]
    """Pairs of nodes of which the first comes first in the best sentence and last in the other."""


def ordering_model(preset: str) -> str:
    """What the weights of the lattice come from."""
    return ORDERING.get(preset, "left-right model")


def parts_of(realization: Realization, candidate: Candidate) -> Parts:
    """The parts of a candidate's score, as they add up to the total."""
    language_model = realization.lm_weight * LN10 * candidate.scores.language_model_logprob10
    return Parts(candidate.scores.lattice + language_model, candidate.scores.lattice, language_model)


def compared(realization: Realization, rank: int, preset: str) -> Comparison:
    """The best sentence beside the one of this rank (from 1)."""
    best, other = realization.best[0], realization.best[rank]
    one, two = parts_of(realization, best), parts_of(realization, other)
    # Where words are chosen as well, the lattice also has what each is worth by itself.
    ordering = f"the {ordering_model(preset)}" + (" with the words by themselves" if realization.readings else "")
    gains = [
        (ordering, one.lattice - two.lattice),
        ("the language model", one.language_model - two.language_model),
    ]
    return Comparison(
        tuple((model, gain) for model, gain in gains if gain > LITTLE),
        tuple((model, -gain) for model, gain in gains if gain < -LITTLE),
        one.total - two.total,
        tuple(inversions(realization.tree, best, other)),
    )


def inversions(tree: DependencyTree, best: Candidate, other: Candidate) -> Iterator[tuple[int, int]]:
    """Which neighbours of a treelet in the best order stand the other way round in another."""
    place, there = ({node: i for i, node in enumerate(c.order)} for c in (best, other))
    for mother, daughters in enumerate(tree.daughters):
        items = sorted((mother, *daughters), key=place.__getitem__)
        for first, then in pairwise(items):
            if there[first] > there[then]:
                yield first, then
