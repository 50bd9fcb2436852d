"""A sentence together with its deep tree: content words only, and which words of the sentence each of them stands for.

deep      decide[Tense=Past,Mood=Nec]              ROOT    the deep track (T2) of the surface realization
          └── commission[Definite=Def] A1                  shared tasks (Mille et al. 2019)
sentence  the commission should have decided
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from fergus.core.tree import ROOT, DependencyTree, Node, OrderedTree, nearest_above

DROPPED = "_"
"""The lemma of a subject that a deep tree has and the sentence does not pronounce."""

LIKELY_RELATIONS = {
    "A1": "nsubj",
    "A2": "obj",
    "A3": "iobj",
    "AM": "obl",
    "A1INV": "amod",
    "A2INV": "acl",
    "AMINV": "acl:relcl",
    "LIST": "conj",
    "NAME": "flat",
    "ROOT": "root",
    "AUX": "aux",
    "PARATAXIS": "parataxis",
    "ADDRESSEE": "vocative",
    "GOESWITH": "goeswith",
    "DEP": "dep",
}
"""What a deep relation most often is in Universal Dependencies, for stages that were trained on these."""

FUNCTION_WORDS = frozenset({"aux", "case", "cop", "det", "expl", "fixed"})
"""Relations of words that deep trees do not have; one that a person gives all the same keeps its relation. Determiners
that are no articles deep trees have, with another relation."""

DEEP_VALUES = {"Aspect": ("PerfProg",)}
"""Values that features of words do not have: it *has been* seen *-ing*."""
NOT_SAID = "-"
"""The value of a feature, in the shared tasks' files, that the word has not."""
CLAUSE_TYPE = "ClauseType"
"""A feature of the root that is said of the sentence."""
CLAUSE_ENDS = {"Int": "?", "Exc": "!", "Par": ":", "Dec": ".", "Frag": ""}
"""Its values, with the mark that ends such a sentence: a question, an exclamation, what leads to a list, a statement;
of several marks the first in this order counts (*?!* asks). A fragment (heading, signature) has none of these marks;
of fragments the shared tasks' files say nothing."""
SAME_ENDS = {
    **dict.fromkeys("？؟⁇⁈⁉", "?"),
    **dict.fromkeys("！‼", "!"),
    **dict.fromkeys("。．।॥۔։።…", "."),
    "：": ":",
}
"""Marks that say the same, most of them in other scripts."""
_ENDS = frozenset(CLAUSE_ENDS.values()) - {""}
ASKING = "Int"
FRAGMENT = "Frag"


def clause_type(tree: DependencyTree) -> str:
    """What the root says of the sentence; nothing if it does not."""
    return dict(tree.nodes[tree.root].feats or ()).get(CLAUSE_TYPE, "")


def end_of(marks: Sequence[str]) -> str:
    """Of the marks behind a last word the kind of those that end the sentence: ``?``, ``!``, ``:``, ``.`` or nothing.

    >>> end_of(["?", "."]), end_of(["!", ")", ".", '"']), end_of([")", ";"])
    ('?', '.', '')
    """
    found: set[str] = set()
    for mark in reversed(marks):
        kinds = {SAME_ENDS.get(character, character) for character in mark}
        if kinds and kinds <= _ENDS:
            found |= kinds
        elif found:
            break
    return next((end for end in CLAUSE_ENDS.values() if end in found), "")


def without_clause_type(tree: DependencyTree) -> DependencyTree:
    """The same tree with features of words only."""
    root = tree.nodes[tree.root]
    feats = tuple(item for item in root.feats or () if item[0] != CLAUSE_TYPE)
    nodes = list(tree.nodes)
    nodes[tree.root] = replace(root, feats=feats or None)
    return tree.with_nodes(nodes)


def is_given_word(tree: DependencyTree, index: int) -> bool:
    """Whether a node of a deep tree is a function word that a person gave; with daughters it is more than that."""
    node = tree.nodes[index]
    # *All* in *all the kings* is no article (det:predet).
    is_function_word = node.relation in FUNCTION_WORDS and (node.relation != "det" or node.deprel == "det")
    return is_function_word and tree.heads[index] != ROOT and not tree.daughters[index]


def is_dropped(node: Node) -> bool:
    """Whether a node of a deep tree is never pronounced."""
    return node.lemma == DROPPED and node.upos == "PRON"


@dataclass(frozen=True)
class DeepSentence:
    """A deep tree, the sentence it comes from, and the alignment of the two."""

    deep: DependencyTree
    source: OrderedTree
    sources: tuple[int | None, ...]
    """For every deep node the node of the source that it is; None for a subject that was dropped."""
    absorbed: tuple[tuple[int, ...], ...]
    """For every deep node the nodes of the source that became part of it, in the order of the sentence."""

    def __post_init__(self) -> None:
        if not len(self.deep) == len(self.sources) == len(self.absorbed):
            raise ValueError(f"{len(self.deep)} deep nodes, but {len(self.sources)} sources")


def surface_tree(sentence: DeepSentence, *, marks: bool = False) -> OrderedTree:
    """The words of the source as they are ordered after insertion: no punctuation, deep relations where there are.

    Deep nodes come first, in their order and without the dropped ones; then the words that they absorbed, each below
    the node that absorbed it and with the relation it has in the source. With ``marks`` the source's punctuation comes
    last, as it is put in after ordering.
    """
    deep, source = sentence.deep, sentence.source.tree
    kept = [node for node, origin in enumerate(sentence.sources) if origin is not None]
    number = {node: place for place, node in enumerate(kept)}
    nodes: list[Node] = []
    heads: list[int] = []
    origins: list[int] = []
    for node in kept:
        origin = sentence.sources[node]
        if origin is None:  # not among the kept
            continue
        head = nearest_above(deep.heads, node, number)  # the mother may be a dropped subject
        nodes.append(replace(source.nodes[origin], deprel=deep.nodes[node].deprel))
        heads.append(number.get(head, ROOT))
        origins.append(origin)
    for node in kept:
        for origin in sentence.absorbed[node]:
            nodes.append(source.nodes[origin])
            heads.append(number[node])
            origins.append(origin)
    if marks:
        spoken = {origin: new for new, origin in enumerate(origins)}
        for origin, mark in enumerate(source.nodes):
            if origin not in spoken and mark.upos == "PUNCT":
                head = nearest_above(source.heads, origin, spoken)
                if head != ROOT:
                    nodes.append(mark)
                    heads.append(spoken[head])
                    origins.append(origin)
    place = {origin: position for position, origin in enumerate(sentence.source.order)}
    order = tuple(sorted(range(len(nodes)), key=lambda node: place[origins[node]]))
    tree = DependencyTree(tuple(nodes), tuple(heads), source=source.source, metadata=source.metadata)
    return OrderedTree(tree, order)
