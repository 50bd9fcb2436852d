"""The Tree Chooser: a supertag for every node, by exact dynamic programming over the tree (section 2).

Bottom-up, every candidate supertag of a node gets the probability of the best choice for all nodes below it.
An alpha daughter fills one slot of her mother's tree, a gamma daughter adjoins; who fills which slot is found
by dynamic programming over the set of filled slots:

    sees  a.VERB(SBJ * OBJ)     {}  --she-->  {SBJ}  --her-->  {SBJ, OBJ}
                                    --her-->  {SBJ}  --she-->  {SBJ, OBJ}  ...

Nothing is forbidden for good, since the treebank has not shown everything: a slot that stays empty costs
``EMPTY_SLOT``, an alpha daughter that adjoins costs ``ALPHA_ADJOINS``, a root that is no alpha the same.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Protocol

from fergus.core.realization import SupertagChoice
from fergus.core.supertag import ElementaryTree
from fergus.realize.assign_slots import NEVER, SlotAssignment
from fergus.realize.candidates import Candidates
from fergus.realize.supertagged import CanonicalTree, SupertaggedTree
from fergus.realize.tree_model import AT_ROOT, MODIFIER, TreeModel, role_of

EMPTY_SLOT = -5.0
ALPHA_ADJOINS = -5.0
RUNNERS_UP = 5
"""How many of the supertags that lost are reported for a node."""

Scores = Mapping[str, Sequence[float]]
"""For every supertag of a daughter its score in each slot of the mother's tree and, last, as a modifier."""


class TreeChooser(Protocol):
    """Anything that gives every node a supertag."""

    def choose(self, tree: CanonicalTree) -> SupertaggedTree:
        """The supertags of a tree."""
        ...


class ProbableTrees:
    """The choice that maximises the product of the probabilities of all treelets."""

    def __init__(self, model: TreeModel, candidates: Candidates | None = None) -> None:
        self.model = model
        self.candidates = candidates or Candidates(model)
        self._roles: dict[str, list[str]] = {}

    def choose(self, tree: CanonicalTree) -> SupertaggedTree:
        """The best supertags; of equally good ones the more frequent, then the first by name.

        The probability of a supertag is that of the best tree with it, made to sum to 1 over the candidates
        of its node, where the mother's supertag is the chosen one.
        """
        inside: list[dict[str, float]] = [{} for _ in range(len(tree))]
        for node in range(len(tree) - 1, -1, -1):
            for tag in self.candidates.of(tree.nodes[node], len(tree.daughters(node))):
                options = [best_of(self.scores(tree, d, tag, inside[d])) for d in tree.daughters(node)]
                inside[node][tag] = self.assignment(tag, options).score
        totals = {tag: self.root(tree, tag) + below for tag, below in inside[0].items()}
        choices = [choice_among(totals, max(totals, key=totals.__getitem__))] * len(tree)
        slots: list[int | None] = [None] * len(tree)
        for node in range(len(tree)):
            tag, daughters = choices[node].supertag, tree.daughters(node)
            tables = [self.scores(tree, d, tag, inside[d]) for d in daughters]
            assignment = self.assignment(tag, [best_of(table) for table in tables])
            for number, (place, table) in enumerate(zip(assignment.places(), tables, strict=True)):
                daughter = daughters[number]
                slots[daughter] = place
                column = [row[-1 if place is None else place] for row in table.values()]
                chosen = list(table)[column.index(max(column))]
                every = {t: assignment.instead(number, row) for t, row in table.items()}
                choices[daughter] = choice_among(every, chosen)
        return SupertaggedTree(tree, choices, slots, max(totals.values()))

    def root(self, tree: CanonicalTree, tag: str) -> float:
        """What a supertag is worth at the root."""
        node = tree.nodes[0]
        score = self.model.root(node.form, tag) + self.model.labels(tag, AT_ROOT, node.upos, node.deprel)
        return score + (ALPHA_ADJOINS if self.model.grammar.trees[tag].kind != "alpha" else 0.0)

    def assignment(self, tag: str, options: Sequence[Sequence[float]]) -> SlotAssignment:
        """Who fills the slots of ``tag``, given what each daughter is worth where."""
        slots = self.model.grammar.trees[tag].slots
        final = []
        for filled in range(1 << len(slots)):
            modifiers = max(len(options) - filled.bit_count(), 0)
            empty = sum(1 for i, slot in enumerate(slots) if not filled >> i & 1 and not slot.optional)
            final.append(empty * EMPTY_SLOT + self.model.modifiers(tag, modifiers))
        return SlotAssignment(options, final)

    def scores(self, tree: CanonicalTree, daughter: int, mother_tag: str, inside: Mapping[str, float]) -> Scores:
        """What every supertag of a daughter is worth in every role that the mother's supertag has."""
        model, label = self.model, tree.nodes[daughter]
        mother_form = tree.nodes[tree.heads[daughter]].form.lower()
        labelled = label.upos is not None or label.deprel is not None
        roles = self.roles(model.grammar.trees[mother_tag])
        slots = len(roles) - 1
        table: dict[str, list[float]] = {}
        for tag, below in inside.items():
            alpha = model.grammar.trees[tag].kind == "alpha"
            row = table[tag] = [NEVER] * len(roles)
            for i in range(0 if alpha else slots, len(roles)):
                row[i] = below + model.daughter(label.form, tag, mother_form, mother_tag, roles[i])
                if labelled:
                    row[i] += model.labels(tag, roles[i], label.upos, label.deprel)
            if alpha:
                row[-1] += ALPHA_ADJOINS
        return table

    def roles(self, mother: ElementaryTree) -> list[str]:
        """The roles of a tree's slots, and last that of a modifier."""
        if mother.name not in self._roles:
            self._roles[mother.name] = [
                *(role_of(mother, slot) for slot in range(len(mother.slots))),
                MODIFIER,
            ]
        return self._roles[mother.name]


def best_of(scores: Scores) -> list[float]:
    """The best score in each role, over all supertags."""
    return [max(column) for column in zip(*scores.values(), strict=True)]


def choice_among(scores: Mapping[str, float], chosen: str) -> SupertagChoice:
    """The chosen supertag, whose score is the best, with probabilities that sum to 1 over all."""
    weights = {tag: math.exp(score - scores[chosen]) for tag, score in scores.items()}
    total = sum(weights.values())
    ranked = sorted(weights, key=lambda tag: (tag != chosen, -weights[tag]))
    runners_up = tuple((tag, weights[tag] / total) for tag in ranked[1 : RUNNERS_UP + 1])
    return SupertagChoice(chosen, weights[chosen] / total, runners_up)


class FrequentTrees:
    """Every node takes the supertag its word has most often; arguments fill the slots in canonical order."""

    def __init__(self, model: TreeModel, candidates: Candidates | None = None) -> None:
        self.model = model
        self.candidates = candidates or Candidates(model)

    def choose(self, tree: CanonicalTree) -> SupertaggedTree:
        """The most frequent supertag of every node; nothing is weighed."""
        trees = self.model.grammar.trees
        tags = [self.candidates.of(node, len(tree.daughters(i)))[0] for i, node in enumerate(tree.nodes)]
        slots: list[int | None] = [None] * len(tree)
        for node in range(len(tree)):
            free = iter(range(len(trees[tags[node]].slots)))
            for daughter in tree.daughters(node):
                if trees[tags[daughter]].kind == "alpha":
                    slots[daughter] = next(free, None)
        return SupertaggedTree(tree, [SupertagChoice(tag, 1.0) for tag in tags], slots, 0.0)
