"""Features that a word has only where its form shows them, given back by the word it agrees with.

la société    le[Gender=Fem]        Treebanks often say no gender where elision hides it, as if *la* and *l'* were
l' usine      le[]                  different words. With the noun's gender they are two forms of one, and which
l' usine      le[Gender=Fem]        of them it is depends on how the next word begins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from fergus.core.tree import ROOT, Node, OrderedTree
from fergus.realize.inflection_lexicon import Feats, InflectionLexicon, Key, lexicon_form, lexicon_key
from fergus.realize.openings import first_letter, forms_by_letter, neighbours

HIDING = ("Gender", "Number")
AGREEING = frozenset({"ADJ", "DET"})

Hidden = Mapping[Key, Sequence[Feats]]
"""By word with all features the sets of them that it has where it is elided."""


def with_hidden_features(
    trees: Sequence[OrderedTree], lexicon: InflectionLexicon
) -> tuple[Sequence[OrderedTree], Hidden]:
    """The trees, in which words that hide features have them, and which words these are.

    Words hide features of their mothers' if with these their forms go by the first letter of the next word.
    """
    full = [_agreeing(ordered, lexicon) for ordered in trees]
    bare: dict[Key, set[Feats]] = {}
    for node, old in _pairs(full, trees):
        if node is not old:
            bare.setdefault(_key(node), set()).add(old.feats or ())
    letters: dict[Key, dict[str, Counter[str]]] = {key: {} for key in bare}
    for node, right in neighbours(full):
        if node.upos in AGREEING and _key(node) in bare:
            letters[_key(node)].setdefault(first_letter(right), Counter())[lexicon_form(node)] += 1
    hidden = {key: sorted(bare[key]) for key, own in sorted(letters.items()) if forms_by_letter(own)}
    if not hidden:
        return trees, hidden
    kept = (node if node is old or _key(node) in hidden else old for node, old in _pairs(full, trees))
    return [replace(o, tree=o.tree.with_nodes(islice(kept, len(o.tree)))) for o in trees], hidden


def both_ways(trees: Sequence[OrderedTree], hidden: Hidden) -> Iterator[Node]:
    """The words of trees that may hide features, with them and without: an input may know them or not."""
    for ordered in trees:
        for node in ordered.tree.nodes:
            if node.upos in AGREEING and _key(node) in hidden:
                yield node
                yield from (replace(node, feats=bare or None) for bare in hidden[_key(node)])


def _agreeing(ordered: OrderedTree, lexicon: InflectionLexicon) -> OrderedTree:
    """The tree; words that lack a feature of their mothers' which others of the same lemma have, have it."""
    tree, nodes = ordered.tree, list(ordered.tree.nodes)
    for index, (node, head) in enumerate(zip(tree.nodes, tree.heads, strict=True)):
        if node.upos in AGREEING and node.lemma and head != ROOT:
            own, mother = dict(node.feats or ()), dict(tree.nodes[head].feats or ())
            lacking = {name: mother[name] for name in HIDING if name in mother and name not in own}
            full = replace(node, feats=tuple(sorted({**own, **lacking}.items())) or None)
            if lacking and _key(full) in lexicon.entries:
                nodes[index] = full
    return replace(ordered, tree=tree.with_nodes(nodes))


def _pairs(full: Sequence[OrderedTree], trees: Sequence[OrderedTree]) -> Iterator[tuple[Node, Node]]:
    for ordered, old in zip(full, trees, strict=True):
        yield from zip(ordered.tree.nodes, old.tree.nodes, strict=True)


def _key(node: Node) -> Key:
    return lexicon_key(node.lemma, node.upos or "", node.feats)
