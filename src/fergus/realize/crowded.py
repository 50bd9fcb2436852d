"""Lattices of treelets with too many free daughters for all their permutations: a beam (section 2).

The weights of places cannot rank permutations of one boundary, so the beam looks at neighbours as well: an
``Adjacency`` says how well the word of one item goes before that of another. It steers the beam only; the
lattice carries the weights of the places, and the language model decides among the orders that are left.
"""

from __future__ import annotations

from typing import Protocol

from fergus.lm.model import NgramModel
from fergus.realize.places import Moves, Places, State, Step, Steps, TreeletRules, steps_between

BEAM = 48
"""How many partial orders are kept."""
WORK = 60_000
"""The beam is narrowed so that beam times daughters squared is no more than this, or to one order."""
CROWD = 1000
"""With more daughters than this each simply stands at her best place."""
LN10 = 2.302585092994046


class Adjacency(Protocol):
    """An estimate of how well two phrases go beside one another."""

    def score(self, left: int, right: int) -> float:
        """In natural-log units, for the phrases of two canonical nodes; the mother's is her word alone."""
        ...


class HeadBigrams:
    """The bigram probability of the two phrases' heads, weighted as the language model will be."""

    def __init__(self, language_model: NgramModel, words: list[int], weight: float) -> None:
        self.language_model, self.words, self.weight = language_model, words, weight * LN10
        self._known: dict[tuple[int, int], float] = {}

    def score(self, left: int, right: int) -> float:
        """The weighted log probability of the second word after the first."""
        pair = self.words[left], self.words[right]
        if pair not in self._known:
            self._known[pair] = self.weight * self.language_model.logprob10([pair[0]], pair[1])
        return self._known[pair]


def crowded_steps(places: Places, rules: TreeletRules, adjacency: Adjacency | None, beam: int = BEAM) -> Steps:
    """The states of the beam that lead to the end; one order alone where there are very many daughters.

    Of a slot's possible fillers only the first is considered, of ranks only one number of left daughters.
    """
    places = Places(tuple(fillers[:1] for fillers in places.spine), places.free)
    taken = [fillers[0][0] for fillers in places.spine]
    if len(set(taken)) == len(taken) and rules.size <= CROWD:
        steps = beam_steps(places, rules, adjacency, max(1, min(beam, WORK // rules.size**2)))
        if steps.steps:
            return steps
    return one_order(places, rules)


def one_order(places: Places, rules: TreeletRules) -> Steps:
    """Every daughter at her best place, lower numbers first; if the rules forbid that, some order they allow."""
    best = {node: max(options, key=lambda o: (o[1], -o[0])) for node, options in places.free.items()}
    spine = [(place, 1, fillers[0][0], fillers[0][1]) for place, fillers in enumerate(places.spine)]
    row = sorted([*spine, *((where, 0, node, weight) for node, (where, weight) in best.items())])
    order = [(node, weight) for _, _, node, weight in row]
    if not rules.allow([node for node, _ in order]):
        found = rules.some_order()
        if found is None:
            return Steps([], 1)
        order = [(node, 0.0) for node in found]
    steps = [Step(place, place + 1, node, weight) for place, (node, weight) in enumerate(order)]
    return Steps(steps, len(steps) + 1)


def beam_steps(places: Places, rules: TreeletRules, adjacency: Adjacency | None, width: int) -> Steps:
    """The lattice of the states that the beam kept; no steps if it ran into a dead end."""
    left = -1
    if rules.ranks:
        order = rules.some_order()
        if order is None:
            return Steps([], 1)
        left = order.index(rules.mother)
    options = Moves(places, rules)
    beam: dict[tuple[State, int], float] = {(State(0, 0, left), -1): 0.0}
    levels: list[dict[State, None]] = [{State(0, 0, left): None}]
    moves: dict[State, dict[tuple[State, int], float]] = {}
    for _ in range(rules.size):
        reached: dict[tuple[State, int], float] = {}
        tried: list[tuple[State, State, int, float]] = []
        for (state, last), score in beam.items():
            for goal, node, weight in options.after(state):
                total = score + weight
                if adjacency is not None and last >= 0:
                    total += adjacency.score(last, node)
                tried.append((state, goal, node, weight))
                if total > reached.get((goal, node), float("-inf")):
                    reached[goal, node] = total
        kept = sorted(reached, key=lambda key: (-reached[key], key))[:width]
        beam = {key: reached[key] for key in kept}
        for state, goal, node, weight in tried:
            if (goal, node) in beam:
                moves.setdefault(state, {})[goal, node] = weight
        levels.append(dict.fromkeys(state for state, _ in kept))
    return steps_between(levels, moves)
