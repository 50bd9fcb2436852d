"""Small trees with a known word order, one line each: ``form/UPOS:relation>head`` (0 is the root's head)."""

from __future__ import annotations

from fergus.core.tree import DependencyTree, Node, OrderedTree


def ordered(text: str, *, tag: str = "upos") -> OrderedTree:
    """The words of ``text`` in their order; ``_`` for a label that is missing; ``tag`` says which label."""
    nodes, heads = [], []
    for word in text.split():
        form, _, rest = word.rpartition("/")
        labels, _, head = rest.rpartition(">")
        pos, _, relation = labels.partition(":")
        upos = xpos = None
        if pos != "_":
            upos, xpos = (pos, None) if tag == "upos" else (None, pos)
        nodes.append(Node(form, upos=upos, xpos=xpos, deprel=None if relation in ("_", "") else relation))
        heads.append(int(head) - 1)
    return OrderedTree(DependencyTree(tuple(nodes), tuple(heads)), tuple(range(len(nodes))))


SEES = ordered("today/NOUN:obl>3 she/PRON:nsubj>3 sees/VERB:root>0 her/PRON:obj>3")
DOG = ordered("the/DET:det>3 old/ADJ:amod>3 dog/NOUN:nsubj>5 often/ADV:advmod>5 barks/VERB:root>0")
BOOK = ordered("she/PRON:nsubj>2 read/VERB:root>0 the/DET:det>4 book/NOUN:obj>2 today/NOUN:obl>2")
