"""A treebank of a few sentences, for the models of the papers."""

from __future__ import annotations

from fergus.core.tree import DependencyTree, Node, OrderedTree
from fergus.realize.features import Encoder
from fergus.realize.supertagged import CanonicalTree

# form/UPOS:relation:position of the head (from 1; 0 is the root)
SENTENCES = """
she/PRON:nsubj:2 sees/VERB:root:0 him/PRON:obj:2
he/PRON:nsubj:2 sees/VERB:root:0 her/PRON:obj:2 today/ADV:advmod:2
she/PRON:nsubj:3 often/ADV:advmod:3 sleeps/VERB:root:0 ./PUNCT:punct:3
the/DET:det:2 dog/NOUN:nsubj:3 sees/VERB:root:0 the/DET:det:6 old/ADJ:amod:6 cat/NOUN:obj:3 ./PUNCT:punct:3
the/DET:det:3 old/ADJ:amod:3 dog/NOUN:nsubj:4 sleeps/VERB:root:0
today/ADV:advmod:3 he/PRON:nsubj:3 sleeps/VERB:root:0 ,/PUNCT:punct:3 often/ADV:advmod:3
he/PRON:nsubj:2 gives/VERB:root:0 her/PRON:iobj:2 the/DET:det:5 cat/NOUN:obj:2
"""


def ordered(line: str) -> OrderedTree:
    """A sentence of the format above."""
    nodes, heads = [], []
    for token in line.split():
        form, _, rest = token.rpartition("/")
        upos, relation, head = rest.split(":")
        nodes.append(Node(form, upos=upos, deprel=relation))
        heads.append(int(head) - 1)
    return OrderedTree(DependencyTree(tuple(nodes), tuple(heads)), tuple(range(len(nodes))))


def treebank() -> list[OrderedTree]:
    """All sentences."""
    return [ordered(line) for line in SENTENCES.strip().splitlines()]


def canonical(tree: DependencyTree) -> CanonicalTree:
    """The tree in canonical order."""
    return CanonicalTree.of(tree, Encoder().encode(tree))
