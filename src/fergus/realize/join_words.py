"""From words to text: a learned model decides for every gap whether it holds a space, nothing or a contraction.

    He  ca  n't  (  yet  )  .      He can't (yet).
    il  parle  de  le  chat        il parle du chat

Left to right decisions hang together (a quote that opens is followed by no space), so the best sequence of them
is searched for (Viterbi). What the input says of its own writing stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fergus.core.tree import DependencyTree, Node
from fergus.realize.gap_arcs import fill_arcs, head_places
from fergus.realize.gap_features import WordEncoder
from fergus.realize.joining_model import JoiningModel, decide
from fergus.realize.written_form import (
    CONTRACTED,
    NOTHING,
    PENN_CLOSING,
    PENN_NAMES,
    PENN_OPENING,
    SPACE,
    UNDECIDED,
    stated_units,
)


class WordJoiner:
    """Writes sentences by a joining model."""

    def __init__(self, model: JoiningModel) -> None:
        self.model = model
        self._encoder = WordEncoder()

    def join(self, forms: Sequence[str]) -> str:
        """The text of words of which nothing but the form is known."""
        if not PENN_NAMES.keys().isdisjoint(forms):
            return self.join_nodes([Node(form) for form in forms])
        return self._text(forms, decide(self.model, forms, self._encoder.encode_forms(forms), None))

    def join_nodes(
        self, words: Sequence[Node], stated: Sequence[int] | None = None, *, heads: Sequence[int] | None = None
    ) -> str:
        """The text of words with their labels; ``stated`` has SPACE, NOTHING or UNDECIDED for every gap.

        ``heads``, if known, are the places of the words' heads, -1 for none.
        """
        forms = [word.form for word in words]
        if not PENN_NAMES.keys().isdisjoint(forms):
            names = _penn_names(forms)
            stated = _penn_gaps(forms, stated, names)
            words = [_renamed(word, names.get(word.form, word.form)) for word in words]
            forms = [word.form for word in words]
        rows = self._encoder.encode(words)
        if heads is not None:
            fill_arcs(rows, heads)
        return self._text(forms, decide(self.model, forms, rows, stated))

    def join_tree(self, tree: DependencyTree, order: Sequence[int], forms: Sequence[str] | None = None) -> str:
        """The text of a tree's words in this order, as the input says where it says anything.

        ``forms``, if given, has the forms of the words in this order (with capitals, inflected).
        """
        units = stated_units(tree, order)
        heads = head_places(tree, [unit.nodes for unit in units])
        words, place = [], 0
        for unit in units:
            node = tree.nodes[unit.nodes[0]]
            if len(unit.nodes) > 1:
                whole = unit.form
                if forms and forms[place][:1].isupper() and whole[:1].islower():
                    whole = whole[:1].upper() + whole[1:]
                words.append(Node(whole))
            else:
                words.append(node if not forms or forms[place] == node.form else _renamed(node, forms[place]))
            place += len(unit.nodes)
        return self.join_nodes(words, [unit.gap for unit in units[:-1]], heads=heads)

    def _text(self, forms: Sequence[str], gaps: list[int]) -> str:
        if CONTRACTED in gaps:
            return self._contracted(forms, gaps)
        pieces = [form + " " if gap == SPACE else form for form, gap in zip(forms, gaps, strict=False)]
        return "".join([*pieces, *forms[-1:]])

    def _contracted(self, forms: Sequence[str], gaps: list[int]) -> str:
        pieces, start = [], 0
        for stop in range(1, len(forms) + 1):
            if stop < len(forms) and gaps[stop - 1] == CONTRACTED:
                continue
            pieces.append(forms[start] if stop == start + 1 else self.model.contractions.written(forms[start:stop]))
            if stop < len(forms) and gaps[stop - 1] == SPACE:
                pieces.append(" ")
            start = stop
        return "".join(pieces)


def _renamed(word: Node, form: str) -> Node:
    if form == word.form:
        return word
    return Node(form, word.lemma, word.upos, word.xpos, word.feats, word.deprel, word.misc, word.identifier)


def _penn_names(forms: Sequence[str]) -> Mapping[str, str]:
    """What these words call by the Penn Treebank's names.

    Two apostrophes beside straight quotes, or in pairs with no grave accents, are what the writer wrote.
    """
    pairs = "``" not in forms and forms.count("''") % 2 == 0
    if '"' in forms or pairs:
        return {name: mark for name, mark in PENN_NAMES.items() if name not in PENN_OPENING | PENN_CLOSING}
    return PENN_NAMES


def _penn_gaps(forms: Sequence[str], stated: Sequence[int] | None, names: Mapping[str, str]) -> list[int]:
    """The gaps with what the Penn Treebank's quotes say: they tell which side they stick to."""
    gaps = list(stated) if stated is not None else [UNDECIDED] * (len(forms) - 1)
    for i in range(len(gaps)):
        left, right = forms[i] in PENN_OPENING & names.keys(), forms[i + 1] in PENN_CLOSING & names.keys()
        if gaps[i] == UNDECIDED and (left or right):
            gaps[i] = NOTHING
    return gaps
