"""The last touches on a chosen order: forms that suit their neighbours, words left out, marks put in.

a estimate of it    an estimate of it .
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from fergus.core.tree import DependencyTree, Node, OrderedTree
from fergus.realize.inflection_model import InflectedForm
from fergus.realize.readings import Completed, Reading, pruned
from fergus.realize.sandhi import FormChooser


def spoken(tree: DependencyTree, order: Sequence[int], words: Sequence[Node | None]) -> OrderedTree:
    """The sentence of the nodes that became words; daughters of those left out go to the next word above."""
    if all(words):
        return OrderedTree(replace(tree, nodes=tuple(word for word in words if word)), tuple(order))
    kept = [node for node, word in enumerate(words) if word]
    place = {node: number for number, node in enumerate(kept)}
    nodes = tuple(word for word in words if word)
    return OrderedTree(replace(pruned(tree, kept), nodes=nodes), tuple(place[node] for node in order if node in place))


def suited(
    completed: Completed, order: Sequence[int], chosen: Sequence[Reading], chooser: FormChooser | None
) -> list[Node | None]:
    """By node the word it becomes: of the forms of the chosen word the one that suits its neighbours."""
    words: list[Node | None] = [None] * len(order)
    line: list[tuple[int, list[Reading]]] = []
    for node, reading in zip(order, chosen, strict=True):
        words[node] = reading.node
        if reading.node is not None:
            forms = [one for one in completed.readings[node] if one.option == reading.option and one.node]
            line.append((node, forms if reading.is_complete else [reading]))
    if chooser is None or all(len(forms) < 2 for _, forms in line):
        return words
    candidates = [
        [InflectedForm(one.node.form, one.logprob / math.log(10)) for one in forms if one.node] for _, forms in line
    ]
    best = chooser.choose([forms[0].node for _, forms in line if forms[0].node], candidates)
    for (node, forms), number in zip(line, best, strict=True):
        words[node] = forms[number].node
    return words
