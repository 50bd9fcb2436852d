"""Which supertags a node may have, before the tree model weighs them (section 2).

A word has the supertags it was seen with. Words seen at most ``RARE_WORD`` times also have those of rare words
that look alike (same shape and ending, else same shape), as far as their slots are not more than the node has
daughters. Labels, where the input has them, keep the supertags that were seen with that UPOS and that relation.
A supertag that the input asks for by hand is the only one.
"""

from __future__ import annotations

from collections.abc import Mapping

from fergus.core.tree import Node
from fergus.errors import ModelError
from fergus.realize.asked_supertags import known_supertag
from fergus.realize.tree_model import TreeModel, word_class

RARE_WORD = 30
MOST_CANDIDATES = 24
"""A node has at most this many candidates, those with the highest counts."""
MEMORY = 100_000
"""How many kinds of node are remembered."""


class Candidates:
    """The supertags of nodes, the most frequent first; equal counts by name."""

    def __init__(self, model: TreeModel, *, rare: int = RARE_WORD, most: int = MOST_CANDIDATES) -> None:
        self.model, self.rare, self.most = model, rare, most
        counts = model.tables["word_given_tag"]
        self._known: dict[tuple[str, str | None, str | None, int], tuple[str, ...]] = {}
        self._anything = {tag: counts.total((tag,)) for (tag,) in counts.rows}
        self._slots = {
            name: sum(1 for slot in tree.slots if not slot.optional) for name, tree in model.grammar.trees.items()
        }

    def of(self, node: Node, daughters: int) -> tuple[str, ...]:
        """At least one supertag."""
        asked = known_supertag(node, self.model.grammar.trees)
        if asked is not None:
            return (asked,)
        key = (node.form, node.upos, node.deprel, min(daughters, 8))
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= MEMORY:
                self._known.clear()
            found = self._known[key] = self._find(node, daughters)
        return found

    def _find(self, node: Node, daughters: int) -> tuple[str, ...]:
        model = self.model
        seen = model.tags_of_word.get(node.form.lower(), {})
        shape, kind = word_class(node.form)
        alike = model.tags_of_class.get(kind) or {}
        shaped = model.tags_of_class.get(shape) or {}
        by_upos, by_relation = model.tags_of_label
        labels = [by_upos.get(node.upos or "", {}), by_relation.get(node.deprel or "", {})]
        labels = [label for label in labels if label]
        # Each source in turn until one has a supertag that fits; rare words take two sources together.
        pools: list[Mapping[str, int]] = [seen, alike, shaped, *labels, self._anything]
        if sum(seen.values()) <= self.rare:
            extra = alike or shaped
            pools[0] = {tag: seen.get(tag, 0) * 4 + extra.get(tag, 0) for tag in {*seen, *extra}}
        for needed in (labels, ()):
            for pool in pools:
                fitting = [
                    tag for tag in pool if self._slots[tag] <= daughters and all(tag in label for label in needed)
                ]
                if fitting:
                    fitting.sort(key=lambda tag: (-pool[tag], tag))
                    return tuple(fitting[: self.most])
        raise ModelError("tree model: no supertag can stand without arguments; it was trained on no trees")
