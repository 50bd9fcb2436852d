"""Features that a word has only where its form shows them, given back by the word it agrees with.

la société    le[Gender=Fem]        Treebanks often say no gender where elision hides it, as if *la* and *l'* were
l' usine      le[]                  different words. With the noun's gender they are two forms of one, and which
l' usine      le[Gender=Fem]        of them it is depends on how the next word begins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from fergus.core.tree import ROOT, Node, OrderedTree
from fergus.realize.inflection_lexicon import Feats, InflectionLexicon, Key, lexicon_key
from fergus.realize.openings import forms_by_letter, neighbours
from fergus.realize.word_case import lowered

HIDING = ("Gender", "Number")
AGREEING = frozenset({"ADJ", "DET"})

Hidden = Mapping[Key, Sequence[Feats]]
"""By word with all features the sets of them that it has where it is elided."""


def hidden_features(trees: Sequence[OrderedTree], lexicon: InflectionLexicon) -> Hidden:
    """Words of which some lack a feature of their mothers', if with it their forms go by the next first letter."""
    full, hidden = [], dict[Key, set[Feats]]()
    for ordered in trees:
        nodes = list(ordered.tree.nodes)
        for index, node in _agreeing(ordered, lexicon):
            hidden.setdefault(_key(node), set()).add(nodes[index].feats or ())
            nodes[index] = node
        full.append(replace(ordered, tree=ordered.tree.with_nodes(nodes)))
    letters: dict[Key, dict[str, Counter[str]]] = {key: {} for key in hidden}
    for node, right in neighbours(full):
        if node.upos in AGREEING and _key(node) in hidden:
            letter = lowered(right.form)[:1] if right is not None else ""
            form = lowered(node.form, lowered(node.lemma or ""))
            letters[_key(node)].setdefault(letter, Counter())[form] += 1
    return {key: sorted(hidden[key]) for key, own in sorted(letters.items()) if forms_by_letter(own)}


def with_hidden_features(
    trees: Sequence[OrderedTree], lexicon: InflectionLexicon
) -> tuple[Sequence[OrderedTree], Hidden]:
    """The trees, in which words that hide features have them, and which words these are."""
    hidden = hidden_features(trees, lexicon)
    if not hidden:
        return trees, hidden
    found = []
    for ordered in trees:
        nodes = list(ordered.tree.nodes)
        for index, node in _agreeing(ordered, lexicon):
            if _key(node) in hidden:
                nodes[index] = node
        found.append(replace(ordered, tree=ordered.tree.with_nodes(nodes)))
    return found, hidden


def both_ways(trees: Sequence[OrderedTree], hidden: Hidden) -> Iterator[Node]:
    """The words of trees that may hide features, with them and without: an input may know them or not."""
    for ordered in trees if hidden else ():
        for node in ordered.tree.nodes:
            if node.upos in AGREEING and _key(node) in hidden:
                yield node
                yield from (replace(node, feats=bare or None) for bare in hidden[_key(node)])


def _agreeing(ordered: OrderedTree, lexicon: InflectionLexicon) -> Iterator[tuple[int, Node]]:
    """Words that lack a feature of their mothers' which others of the same lemma have, with that feature."""
    tree = ordered.tree
    for index, (node, head) in enumerate(zip(tree.nodes, tree.heads, strict=True)):
        if node.upos in AGREEING and node.lemma and head != ROOT:
            own, mother = dict(node.feats or ()), dict(tree.nodes[head].feats or ())
            lacking = {name: mother[name] for name in HIDING if name in mother and name not in own}
            full = replace(node, feats=tuple(sorted({**own, **lacking}.items())) or None)
            if lacking and _key(full) in lexicon.entries:
                yield index, full


def _key(node: Node) -> Key:
    return lexicon_key(node.lemma, node.upos or "", node.feats)
