"""Sentences with marks in a short notation: ``word/UPOS/relation/head``, heads counted from 1, 0 for the root."""

from __future__ import annotations

from fergus.core.tree import DependencyTree, Node, OrderedTree


def marked(notation: str) -> OrderedTree:
    """A sentence; the lemma is the word in small letters."""
    nodes, heads = [], []
    for item in notation.split():
        form, upos, deprel, head = item.rsplit("/", 3)
        nodes.append(Node(form, form.lower(), upos, deprel=deprel))
        heads.append(int(head) - 1)
    return OrderedTree(DependencyTree(tuple(nodes), tuple(heads)), tuple(range(len(nodes))))


STATEMENT = marked("She/PRON/nsubj/2 sleeps/VERB/root/0 ./PUNCT/punct/2")
QUESTION = marked("Does/AUX/aux/3 she/PRON/nsubj/3 sleep/VERB/root/0 ?/PUNCT/punct/3")
INITIAL = marked(
    "If/SCONJ/mark/3 we/PRON/nsubj/3 go/VERB/advcl/6 ,/PUNCT/punct/3 she/PRON/nsubj/6 "
    "sleeps/VERB/root/0 ./PUNCT/punct/6"
)
QUOTED = marked(
    'He/PRON/nsubj/2 said/VERB/root/0 ,/PUNCT/punct/6 "/PUNCT/punct/6 we/PRON/nsubj/6 go/VERB/ccomp/2 '
    './PUNCT/punct/2 "/PUNCT/punct/6'
)
BRACKETS = marked(
    "The/DET/det/2 club/NOUN/nsubj/6 (/PUNCT/punct/4 FC/PROPN/appos/2 )/PUNCT/punct/4 won/VERB/root/0 ./PUNCT/punct/6"
)
TREEBANK = [STATEMENT, QUESTION, INITIAL, QUOTED, BRACKETS] * 12
