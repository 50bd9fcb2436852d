"""The last touches on a chosen order: forms that suit their neighbours, words left out.

a estimate of it    an estimate of it
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from fergus.core.deep import LIKELY_RELATIONS
from fergus.core.tree import DependencyTree, Node, OrderedTree
from fergus.realize.inflection_model import InflectedForm
from fergus.realize.readings import Completed, Reading, in_form
from fergus.realize.sandhi import FormChooser
from fergus.realize.words_apart import WordSplitter


def spoken(tree: DependencyTree, order: Sequence[int], words: Sequence[Node | None]) -> OrderedTree:
    """The sentence of the nodes that became words; daughters of those left out go to the next word above."""
    if all(words):
        return OrderedTree(tree.with_nodes(word for word in words if word), tuple(order))
    kept = [node for node, word in enumerate(words) if word]
    place = {node: number for number, node in enumerate(kept)}
    nodes = tuple(word for word in words if word)
    return OrderedTree(tree.pruned(kept).with_nodes(nodes), tuple(place[node] for node in order if node in place))


def suited(
    completed: Completed,
    order: Sequence[int],
    chosen: Sequence[Reading],
    *,
    splitter: WordSplitter,
    chooser: FormChooser,
) -> list[Node | None]:
    """By node the word it becomes: of the forms of the chosen word the one that suits its neighbours."""
    words: list[Node | None] = [None] * len(order)
    line: list[int] = []
    forms: list[Sequence[Reading]] = []
    for node, reading in zip(order, chosen, strict=True):
        words[node] = completed.word(node, reading)
        if reading.form:
            own = completed.readings[node]
            line.append(node)
            if len(own) > 1:
                own = [one for one in own if one.option == reading.option] if reading.is_complete else [reading]
            forms.append(own)
    nodes = [word for node in line if (word := words[node])]
    candidates: list[Sequence[InflectedForm]] = [
        [InflectedForm(one.form, one.logprob / math.log(10)) for one in own] for own in forms
    ]
    candidates = splitter.split(nodes, candidates)
    best = chooser.choose([as_surface(word) for word in nodes], candidates)
    for node, word, ranked, number in zip(line, nodes, candidates, best, strict=True):
        words[node] = in_form(word, ranked[number].form)
    return words


def with_initial(sentence: OrderedTree) -> OrderedTree:
    """The sentence with a capital at its start."""
    first = sentence.order[0]
    nodes = list(sentence.tree.nodes)
    form = nodes[first].form
    nodes[first] = in_form(nodes[first], form[:1].upper() + form[1:])
    return OrderedTree(sentence.tree.with_nodes(nodes), sentence.order)


def as_surface(word: Node) -> Node:
    """The word with a relation that the choice of forms has learned from."""
    relation = LIKELY_RELATIONS.get(word.deprel or "")
    return word if relation is None else replace(word, deprel=relation)
