"""Random orders, and the papers' two Left-Right models: does a lexeme precede or follow her mother (section 3.3).

``treebank-lr`` counts over the treebank's trees, ``baseline-lr`` over random trees on the same sentences. Both
leave the sisters on one side unordered: the lattice has all permutations, the language model decides.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fergus.core.lattice import Lattice
from fergus.core.tree import ROOT, OrderedTree
from fergus.errors import ModelError
from fergus.realize.crowded import Adjacency
from fergus.realize.demands import NO_DEMANDS, OrderDemands
from fergus.realize.disjunctions import Treelets, unravel_places
from fergus.realize.places import Places

Sides = tuple[int, int]
"""How often a daughter stood left of her mother, and how often right."""
SURE = 1e-9
"""No side is ever less probable than this."""


def random_order(count: int, generator: random.Random) -> list[int]:
    """A random permutation of ``count`` nodes: every order is equally likely, projective or not."""
    order = list(range(count))
    generator.shuffle(order)
    return order


def random_projective_order(first_daughter: Sequence[int], generator: random.Random) -> list[int]:
    """An order in which every subtree stands together, each treelet shuffled; canonical node numbers."""
    todo, order = [0], list[int]()
    opened = [False] * (len(first_daughter) - 1)
    while todo:
        node = todo.pop()
        begin, end = int(first_daughter[node]), int(first_daughter[node + 1])
        if opened[node] or begin == end:
            order.append(node)
            continue
        opened[node] = True
        items = [node, *range(begin, end)]
        generator.shuffle(items)
        todo.extend(items)
    return order


def random_tree(length: int, generator: random.Random) -> list[int]:
    """The heads of a random projective tree over ``length`` words.

    The head of a stretch of words is any of them, equally likely; the words before it and those after it are
    the stretches of its daughters, after a cut between any two words with probability one half.
    """
    heads = [ROOT] * length
    todo = [(0, length, ROOT)]
    while todo:
        begin, end, mother = todo.pop()
        head = generator.randrange(begin, end)
        heads[head] = mother
        for start, stop in ((begin, head), (head + 1, end)):
            for place in range(start + 1, stop + 1):
                if place == stop or generator.random() < 0.5:
                    todo.append((start, place, head))
                    start = place  # noqa: PLW2901  the next stretch begins here
    return heads


def treebank_pairs(trees: Iterable[OrderedTree]) -> Iterator[tuple[str, str, bool]]:
    """Daughter, mother, whether the daughter stands left: once for every edge of the trees."""
    for ordered in trees:
        position = {node: place for place, node in enumerate(ordered.order)}
        nodes = ordered.tree.nodes
        for node, head in enumerate(ordered.tree.heads):
            if head != ROOT:
                yield nodes[node].form, nodes[head].form, position[node] < position[head]


def random_pairs(sentences: Iterable[Sequence[str]], generator: random.Random) -> Iterator[tuple[str, str, bool]]:
    """The same for a random tree on each sentence."""
    for words in sentences:
        for node, head in enumerate(random_tree(len(words), generator)) if words else ():
            if head != ROOT:
                yield words[node], words[head], node < head


@dataclass(frozen=True)
class LeftRightModel:
    """P(a daughter stands left of her mother | both lexemes), words lower-cased.

    The back-off is interpolated. The counts of the pair are joined by ``pair_strength`` imagined ones at the
    rate of the level below. There, daughter and mother each have a rate of their own, with ``word_strength``
    imagined counts at the overall rate, and their log odds are added as if the two spoke independently.
    """

    pairs: Mapping[tuple[str, str], Sides]
    daughters: Mapping[str, Sides]
    mothers: Mapping[str, Sides]
    pair_strength: float = 1.0
    word_strength: float = 2.0

    @classmethod
    def train(cls, pairs: Iterable[tuple[str, str, bool]], *, least: int = 1) -> LeftRightModel:
        """Count ``pairs``; pairs of lexemes seen less than ``least`` times count for the single words only."""
        seen: Counter[tuple[str, str, bool]] = Counter()
        for daughter, mother, left in pairs:
            seen[daughter.lower(), mother.lower(), left] += 1
        together: dict[tuple[str, str], Sides] = {}
        daughters: dict[str, Sides] = {}
        mothers: dict[str, Sides] = {}
        for (daughter, mother, left), count in seen.items():
            sides = (count, 0) if left else (0, count)
            together[daughter, mother] = added(together.get((daughter, mother)), sides)
            daughters[daughter] = added(daughters.get(daughter), sides)
            mothers[mother] = added(mothers.get(mother), sides)
        return cls(
            {pair: together[pair] for pair in sorted(together) if sum(together[pair]) >= least},
            dict(sorted(daughters.items())),
            dict(sorted(mothers.items())),
        )

    def left(self, daughter: str, mother: str) -> float:
        """The probability, strictly between 0 and 1; both words in lower case."""
        overall = self._overall
        odds = 0.0
        for sides in (self.daughters.get(daughter), self.mothers.get(mother)):
            odds += log_odds(smoothed(sides, self.word_strength, overall)) if sides else log_odds(overall)
        lower = 1.0 / (1.0 + math.exp(log_odds(overall) - odds))
        return smoothed(self.pairs.get((daughter, mother)), self.pair_strength, lower)

    @property
    def _overall(self) -> float:
        known = self.__dict__.get("_rate")
        if known is None:
            left, right = (sum(s[i] for s in self.daughters.values()) for i in (0, 1))
            known = (left + 1) / (left + right + 2)
            self.__dict__["_rate"] = known
        return float(known)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """The model as named arrays; words are one text, a line each."""
        words = sorted({*self.daughters, *self.mothers})
        number = {word: i for i, word in enumerate(words)}
        rows = [(number[d], number[m], *sides) for (d, m), sides in self.pairs.items()]
        return {
            "words": np.frombuffer("\n".join(words).encode(), np.uint8),
            "pairs": np.array(rows, np.int32).reshape(-1, 4).T.copy(),
            "daughters": np.array([self.daughters.get(w, (0, 0)) for w in words], np.int32).reshape(-1, 2).T.copy(),
            "mothers": np.array([self.mothers.get(w, (0, 0)) for w in words], np.int32).reshape(-1, 2).T.copy(),
            "strengths": np.array([self.pair_strength, self.word_strength]),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> LeftRightModel:
        """The model that ``to_arrays`` took apart."""
        try:
            words = arrays["words"].tobytes().decode().split("\n") if len(arrays["words"]) else []
            pairs = {(words[d], words[m]): (a, b) for d, m, a, b in arrays["pairs"].T.tolist()}
            daughters = {w: (a, b) for w, (a, b) in zip(words, arrays["daughters"].T.tolist(), strict=True) if a + b}
            mothers = {w: (a, b) for w, (a, b) in zip(words, arrays["mothers"].T.tolist(), strict=True) if a + b}
            pair_strength, word_strength = arrays["strengths"].tolist()
        except (LookupError, TypeError, ValueError) as error:
            raise ModelError(f"left-right model: array missing or broken ({error})") from error
        return cls(pairs, daughters, mothers, pair_strength, word_strength)


def added(a: Sides | None, b: Sides) -> Sides:
    """The sum of two pairs of counts."""
    return (a[0] + b[0], a[1] + b[1]) if a else b


def smoothed(sides: Sides | None, strength: float, lower: float) -> float:
    """The rate of the counts together with ``strength`` imagined ones at the rate ``lower``."""
    left, right = sides or (0, 0)
    return min(max((left + strength * lower) / (left + right + strength), SURE), 1.0 - SURE)


def log_odds(probability: float) -> float:
    """The natural logarithm of the odds."""
    return math.log(probability / (1.0 - probability))


class LeftRightUnraveler:
    """Each daughter left or right of her mother, sisters of one side in any order."""

    def __init__(self, model: LeftRightModel, *, weight: float = 1.0, minimum: float = 0.02) -> None:
        self.model, self.weight = model, weight
        self.minimum = minimum
        """A side less probable than this is not offered."""

    def unravel(
        self,
        first_daughter: Sequence[int],
        forms: Sequence[str],
        *,
        demands: OrderDemands = NO_DEMANDS,
        adjacency: Adjacency | None = None,
    ) -> Lattice:
        """The lattice of a tree in canonical numbers; ``forms`` are the nodes' words."""
        first, words = [int(i) for i in first_daughter], [form.lower() for form in forms]

        def places_of(mother: int) -> Places:
            free = {}
            for daughter in range(first[mother], first[mother + 1]):
                left = self.model.left(words[daughter], words[mother])
                sides = [(side, p) for side, p in ((0, left), (1, 1.0 - left)) if p >= self.minimum]
                free[daughter] = tuple((side, self.weight * math.log(p)) for side, p in sides)
            return Places((((mother, 0.0),),), free)

        return unravel_places(Treelets(first, list(forms)), places_of, demands=demands, adjacency=adjacency)
