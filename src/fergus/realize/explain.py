"""Why this order: supertags and labels, what every other position would cost, and what beat the second best.

Costs are differences to the chosen sentence in natural-log units; what is not in the lattice has no cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from fergus.core.lattice import Lattice
from fergus.core.realization import Realization, SupertagChoice
from fergus.core.tree import DependencyTree
from fergus.lm.tokenize import normalise
from fergus.realize.compare_candidates import LN10, compared
from fergus.realize.pipeline import Realizer, in_given_order
from fergus.realize.presets import SupertagPreset
from fergus.realize.supertagged import CanonicalTree

MOST_DAUGHTERS = 12
"""Positions are not listed for treelets with more daughters than this."""


@dataclass(frozen=True)
class Position:
    """A place that a daughter could take among her mother and sisters."""

    items: tuple[int, ...]
    """The treelet's nodes in that order."""
    lattice_cost: float | None
    """What the Unraveler's weights lose; None if the lattice has no such order."""
    language_model_cost: float
    """What the language model loses, already weighted."""

    @property
    def cost(self) -> float | None:
        """What the whole sentence loses."""
        return None if self.lattice_cost is None else self.lattice_cost + self.language_model_cost


@dataclass(frozen=True)
class Placement:
    """A daughter with all places she could take, the chosen one first, then by ascending cost."""

    node: int
    mother: int
    positions: tuple[Position, ...]


@dataclass(frozen=True)
class Explanation:
    """Everything ``fergus explain`` shows; nodes are those of the tree that was given."""

    realization: Realization
    supertags: tuple[SupertagChoice, ...]
    placements: tuple[Placement, ...]
    word_logprob10: tuple[float, ...]
    """The language model's log10 probability of each word of the best sentence, then of its end."""
    reason: str


def explain(
    realizer: Realizer, tree: DependencyTree, *, bare: bool = False, stages: Sequence[str] | None = None
) -> Explanation:
    """Realize ``tree`` and look at all alternatives."""
    realization = realizer.realize(tree, nbest=2, bare=bare, wide=True, stages=stages)
    shown = realization.tree
    forms = [normalise(node.form) for node in shown.nodes]
    scale = realization.lm_weight * LN10

    def lm_score(order: Sequence[int]) -> float:
        # Words that were left out have no form.
        return scale * sum(realizer.language_model.score([forms[i] for i in order if forms[i]]))

    return Explanation(
        realization,
        realization.supertags or chosen_supertags(realizer, shown.bare() if bare else shown),
        tuple(placements(realization, lm_score)),
        tuple(realizer.language_model.score([forms[i] for i in realization.order if forms[i]])),
        reason(realization, realizer.preset),
    )


def chosen_supertags(realizer: Realizer, tree: DependencyTree) -> tuple[SupertagChoice, ...]:
    """What the Tree Chooser says of a tree whose preset does without it."""
    if "supertag" not in realizer.model.sections:
        return ()
    stages = realizer.tree_chooser_stages
    if not isinstance(stages, SupertagPreset):
        return ()
    arrays = realizer.encoder.encode(tree)
    choices = stages.chooser.choose(CanonicalTree.of(realizer.labelled(tree), arrays)).choices
    return in_given_order(tuple(choices), arrays)


def placements(realization: Realization, lm_score: Callable[[Sequence[int]], float]) -> Iterator[Placement]:
    """For every daughter the places among her mother and sisters, with their costs."""
    lattice = realization.lattice
    if lattice is None:
        return
    tree = replace(realization.tree, heads=realization.lattice_heads or realization.tree.heads)
    order = realization.order
    canonical = {node: number for number, node in enumerate(realization.canonical)}
    part_of, part = {}, 0
    for number in range(len(tree) - 1, -1, -1):  # parts are bottom-up, one for every node with daughters
        node = realization.canonical[number]
        if tree.daughters[node]:
            part_of[node], part = part, part + 1
    spans = phrase_spans(tree, order)
    best_lm = lm_score(order)
    for mother in order:
        daughters = tree.daughters[mother]
        if not daughters or len(daughters) > MOST_DAUGHTERS:
            continue
        begins = {node: spans[node][0] for node in daughters} | {mother: order.index(mother)}
        items = sorted(begins, key=begins.__getitem__)
        ways = ways_through(lattice, part_of[mother])

        def weight(sequence: Sequence[int], mother: int = mother, ways: Ways = ways) -> float | None:
            labels = [
                -1 - part_of[node] if node != mother and node in part_of else canonical[node] for node in sequence
            ]
            return path_weight(ways, labels)

        best = weight(items)
        for daughter in [item for item in items if item != mother]:
            others = [item for item in items if item != daughter]
            found = []
            for place in range(len(items)):
                sequence = (*others[:place], daughter, *others[place:])
                lattice_weight = weight(sequence)
                loss = None if lattice_weight is None or best is None else best - lattice_weight
                moved = best_lm - lm_score(reordered(order, spans, mother, sequence))
                found.append(Position(sequence, loss, moved))
            found.sort(key=lambda p: (p.items != tuple(items), p.cost is None, p.cost or 0.0))
            yield Placement(daughter, mother, tuple(found))


def phrase_spans(tree: DependencyTree, order: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Where the phrase of every node begins and ends (exclusive) in a projective order."""
    place = {node: i for i, node in enumerate(order)}
    spans = {node: (place[node], place[node] + 1) for node in order}
    for node in tree.bottom_up:
        head = tree.heads[node]
        if head >= 0:
            spans[head] = (min(spans[head][0], spans[node][0]), max(spans[head][1], spans[node][1]))
    return spans


def reordered(order: Sequence[int], spans: dict[int, tuple[int, int]], mother: int, items: Sequence[int]) -> list[int]:
    """The sentence with the phrases of one treelet in another order."""
    begin, end = spans[mother]
    inner: list[int] = []
    for item in items:
        inner.extend([mother] if item == mother else order[spans[item][0] : spans[item][1]])
    return [*order[:begin], *inner, *order[end:]]


@dataclass(frozen=True)
class Ways:
    """A part of a lattice, looked up by state and label: hundreds of orders are read through thousands of arcs."""

    arcs: Mapping[tuple[int, int], Sequence[tuple[int, float]]]
    """Targets and weights."""
    final: int


def ways_through(lattice: Lattice, part: int) -> Ways:
    """The ways through a part."""
    arcs: dict[tuple[int, int], list[tuple[int, float]]] = {}
    for arc in lattice.arcs(part):
        arcs.setdefault((arc.source, arc.label), []).append((arc.target, arc.weight))
    return Ways(arcs, lattice.part_states[part] - 1)


def path_weight(ways: Ways, labels: Sequence[int]) -> float | None:
    """The best weight of reading ``labels``, or None."""
    states = {0: 0.0}
    for label in labels:
        reached: dict[int, float] = {}
        for source, before in states.items():
            for target, weight in ways.arcs.get((source, label), ()):
                if target not in reached or before + weight > reached[target]:
                    reached[target] = before + weight
        states = reached
    return states.get(ways.final)


def reason(realization: Realization, preset: str) -> str:
    """In a sentence, why the best order beat the second best."""
    if len(realization.best) < 2:
        return "There is no other order in the lattice."
    found, nodes = compared(realization, 1, preset), realization.tree.nodes
    pros = [f"{model} prefers it by {gain:.2f}" for model, gain in found.for_best]
    cons = [f"{model} prefers the other by {gain:.2f}" for model, gain in found.for_other]
    verdict = " and ".join(pros) or "no model prefers it, it is the first of equals"
    against = f", although {' and '.join(cons)}" if cons else ""
    best, second = (" ".join(realization.tokens_of(c)) for c in realization.best[:2])
    pairs = [f"{nodes[first].form} before {nodes[then].form}" for first, then in found.inverted]
    differences = "; ".join(pairs) or "the words"
    return f"“{best}” beats “{second}” by {found.lead:.2f}: {verdict}{against}. What differs: {differences}."
