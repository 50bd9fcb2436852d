"""The Unraveler of ``supertag``: the lattice of every order that a supertagged tree allows (section 2).

Arguments stand at the slots of their mother's tree, modifiers at every place the adjunction table knows for
their tree and hers, weighted by its probability. Where several arguments could fill one another's slots, the
lattice has those ways as well, weighted by the tree model.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from fergus.core.lattice import Lattice
from fergus.core.supertag import Side
from fergus.realize.crowded import Adjacency
from fergus.realize.demands import NO_DEMANDS, OrderDemands
from fergus.realize.disjunctions import Treelets, unravel_places
from fergus.realize.places import Places
from fergus.realize.supertagged import SupertaggedTree
from fergus.realize.tree_model import TreeModel, role_of

Place = tuple[Side, int]
"""A side of the mother, and how many of her slots lie between."""


class Settings(NamedTuple):
    """The weights of the lattice; chosen on a part of the training files."""

    places: float = 1.5
    """Of the log probability of a modifier's place."""
    fillers: float = 1.0
    """Of the log probability of an argument in a slot."""
    minimum: float = 0.02
    """Places less probable than this are left out."""
    rivals: float = 0.01
    """A modifier may also stand where a gamma tree that lost at no less than this probability would stand."""
    exchange: float = 4.0
    """An argument may take another slot if that is at most this much less probable (natural log)."""


DEFAULT_SETTINGS = Settings()


class SupertagUnraveler:
    """Builds lattices of supertagged trees."""

    def __init__(self, model: TreeModel, *, settings: Settings = DEFAULT_SETTINGS) -> None:
        self.model, self.settings = model, settings
        self._known: dict[tuple[str, str], dict[Place, float]] = {}

    def unravel(
        self,
        tagged: SupertaggedTree,
        *,
        demands: OrderDemands = NO_DEMANDS,
        adjacency: Adjacency | None = None,
    ) -> Lattice:
        """The lattice; labels are canonical node numbers."""
        tree = tagged.tree
        treelets = Treelets(tree.first_daughter, [node.form for node in tree.nodes])
        return unravel_places(
            treelets, lambda mother: self.places(tagged, mother), demands=demands, adjacency=adjacency
        )

    def places(self, tagged: SupertaggedTree, mother: int) -> Places:
        """The spine of a treelet and where its modifiers may stand."""
        tree = tagged.tree
        elementary = self.model.grammar.trees[tagged.choices[mother].supertag]
        filler = {slot: d for d in tree.daughters(mother) if (slot := tagged.slots[d]) is not None}
        anchor = len(elementary.left)
        spine: list[tuple[tuple[int, float], ...]] = []
        boundary = [0]  # for every place of the elementary tree, how many places of the spine lie before it
        for place in range(len(elementary.slots) + 1):
            slot = place if place < anchor else place - 1
            if place == anchor:
                spine.append(((mother, 0.0),))
            elif slot in filler:
                spine.append(self.fillers(tagged, mother, slot, filler))
            boundary.append(len(spine))
        free: dict[int, tuple[tuple[int, float], ...]] = {}
        for daughter in tree.daughters(mother):
            if tagged.slots[daughter] is None:
                options: dict[int, float] = {}
                for (side, gap), p in self.modifier(tagged, mother, daughter).items():
                    where = boundary[anchor - gap if side == "left" else anchor + 1 + gap]
                    options[where] = options.get(where, 0.0) + p
                free[daughter] = tuple(
                    (where, self.settings.places * math.log(p)) for where, p in sorted(options.items())
                )
        return Places(tuple(spine), free)

    def modifier(self, tagged: SupertaggedTree, mother: int, daughter: int) -> dict[Place, float]:
        """The places of a modifier with their probabilities, which sum to 1."""
        choice, tree = tagged.choices[daughter], tagged.choices[mother].supertag
        word = tagged.tree.nodes[daughter].form.lower()
        rivals = [
            (tag, p)
            for tag, p in choice.runners_up
            if p >= self.settings.rivals and self.model.grammar.trees[tag].kind == "gamma"
        ]
        estimate: dict[Place, float] = {}
        for tag, share in ((choice.supertag, choice.probability), *rivals):
            for place, p in self.table(word, tag, tree).items():
                estimate[place] = estimate.get(place, 0.0) + share * p
        total = sum(estimate.values())
        least = min(self.settings.minimum * total, max(estimate.values()))
        kept = {place: p for place, p in estimate.items() if p >= least}
        total = sum(kept.values())
        return {place: p / total for place, p in kept.items()}

    def table(self, word: str, gamma: str, mother: str) -> dict[Place, float]:
        """The adjunction table's probabilities, interpolated with where this word has stood."""
        known = self._known.get((gamma, mother))
        if known is None:
            positions = self.model.grammar.positions(gamma, mother)
            known = self._known[gamma, mother] = {(p.side, p.gap): p.probability for p in positions}
        context = (word, gamma, self.model.category(mother))
        counts = self.model.tables["place_given_word"]
        return {(side, gap): counts.mixed(context, f"{side}{gap}", p) for (side, gap), p in known.items()}

    def fillers(
        self, tagged: SupertaggedTree, mother: int, slot: int, filler: dict[int, int]
    ) -> tuple[tuple[int, float], ...]:
        """Who may fill a slot, the chosen one first; the weight is what it costs her to leave her own slot."""
        chosen = filler[slot]
        if len(filler) == 1:
            return ((chosen, 0.0),)
        elementary = self.model.grammar.trees[tagged.choices[mother].supertag]

        def score(daughter: int, place: int) -> float:
            node, tag = tagged.tree.nodes[daughter], tagged.choices[daughter].supertag
            role = role_of(elementary, place)
            form = tagged.tree.nodes[mother].form.lower()
            score = self.model.daughter(node.form, tag, form, elementary.name, role)
            return score + self.model.labels(tag, role, node.upos, node.deprel)

        found = [(chosen, 0.0)]
        for home, daughter in sorted(filler.items()):
            loss = score(daughter, home) - score(daughter, slot) if daughter != chosen else math.inf
            if loss <= self.settings.exchange:
                found.append((daughter, -self.settings.fillers * loss))
        return tuple(found)
