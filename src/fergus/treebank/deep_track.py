"""The deep track (T2) of the surface realization shared tasks (Mille et al. 2018, 2019), read and written.

A T2 file is CoNLL-U without function words and punctuation, its words in random order, FORM the lemma. Training files
have a word's place in the sentence as the feature ``original_id``; ``id1``, ``id2``, ... name words of the T1 file.
A node ``_`` is a subject that the sentence does not pronounce. ``lin`` is as in T1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from random import Random

from fergus.core.deep import DeepSentence, is_dropped
from fergus.core.tree import ROOT, Before, DependencyTree, Node, OrderedTree, nearest_above
from fergus.errors import InputError
from fergus.treebank.conllu import parse_conllu
from fergus.treebank.conllu_writer import write_conllu
from fergus.treebank.deep_conversion import deepened
from fergus.treebank.lines import Results, Source
from fergus.treebank.shallow_track import LIN, PLACE, features_of, hint_constraints


def parse_t2(source: Source, *, path: str = "") -> Results:
    """The trees of a T2 file: lemmas, no forms, hints as constraints; ``misc`` has ``original_id`` where it is told."""
    for result in parse_conllu(source, path=path):
        if isinstance(result, InputError):
            yield result
            continue
        try:
            yield _from_t2(result)
        except InputError as error:
            yield error


def write_t2(sentence: OrderedTree, *, random: Random, tells_places: bool = True) -> str:
    """A sentence of any treebank as T2 input; without places it is a test set's."""
    deep = deepened(sentence).deep
    hints = _hint_values(deep)
    nodes = []
    for index, node in enumerate(deep.nodes):
        feats = list(node.feats or ())
        if index in hints:
            feats.append((LIN, f"{hints[index]:+d}"))
        if tells_places and node.misc:
            feats.append((PLACE, node.misc.partition("=")[2]))
        nodes.append(Node(node.lemma or "_", upos=node.upos, feats=tuple(feats) or None, deprel=node.deprel))
    order = random.sample(range(len(nodes)), len(nodes))
    return write_conllu(DependencyTree(tuple(nodes), deep.heads), order)


def aligned(deep: DependencyTree, source: OrderedTree) -> DeepSentence:
    """A deep tree of a training file with the sentence it was made from, by ``original_id``."""
    tree = source.tree
    sources: list[int | None] = []
    by_source: dict[int, int] = {}
    for index, node in enumerate(deep.nodes):
        place = (node.misc or "").partition(f"{PLACE}=")[2]
        if not place:
            if not is_dropped(node):
                problem = f"node {node.identifier} ({node.lemma}) has no {PLACE}"
                raise InputError(problem, path=deep.source, remedy="use the training file of the shared task")
            sources.append(None)
            continue
        if not place.isdecimal() or not 1 <= int(place) <= len(tree) or source.order[int(place) - 1] in by_source:
            problem = f"{PLACE}={place} of node {node.identifier} ({node.lemma}) is no word of the sentence, or taken"
            raise InputError(problem, path=deep.source, remedy=f"the sentence is {tree.source or source.forms}")
        origin = source.order[int(place) - 1]
        by_source[origin] = index
        sources.append(origin)
    absorbed: list[list[int]] = [[] for _ in deep.nodes]
    for origin in source.order:
        if origin in by_source or tree.nodes[origin].relation == "punct":
            continue
        above = nearest_above(tree.heads, origin, by_source)
        if above != ROOT:
            absorbed[by_source[above]].append(origin)
    return DeepSentence(deep, source, tuple(sources), tuple(map(tuple, absorbed)))


def aligned_pairs(deep: Iterable[OrderedTree], sources: Iterable[OrderedTree]) -> list[DeepSentence]:
    """The sentences of a T2 training file with those of the UD file, one by one; a different number is an error."""
    trees, sentences = list(deep), list(sources)
    if len(trees) != len(sentences):
        problem = f"{len(trees)} deep trees, but {len(sentences)} sentences"
        raise InputError(problem, remedy="give the T2 file and the UD file of the same part of a treebank")
    return [aligned(tree.tree, sentence) for tree, sentence in zip(trees, sentences, strict=True)]


def _from_t2(read: OrderedTree) -> OrderedTree:
    tree = read.tree
    nodes: list[Node] = []
    hints: dict[int, int] = {}
    places: list[tuple[int, int]] = []
    for index, node in enumerate(tree.nodes):
        feats = features_of(node, tree)
        feats = {name: feats[name] for name in feats if not (name.startswith("id") and name[2:].isdecimal())}
        if LIN in feats:
            hints[index] = _number(feats.pop(LIN), LIN, node, tree)
        place = feats.pop(PLACE, None)
        if place is not None:
            places.append((_number(place, PLACE, node, tree), index))
        misc = f"{PLACE}={place}" if place is not None else node.misc
        nodes.append(replace(node, form="", lemma=node.form, feats=tuple(sorted(feats.items())) or None, misc=misc))
    _check(hints, tree)
    constraints = tree.constraints + hint_constraints(tree.heads, hints.items())
    told = dict.fromkeys(index for _, index in sorted(places))
    order = (*told, *(index for index in read.order if index not in told))
    return OrderedTree(replace(tree, nodes=tuple(nodes), constraints=constraints), order)


def _number(value: str, name: str, node: Node, tree: DependencyTree) -> int:
    number = int(value) if re.fullmatch(r"[+-]?[0-9]{1,9}", value) else 0
    if number == 0:
        problem = f"{name}={value} of node {node.identifier} ({node.form}) is no place"
        raise InputError(problem, path=tree.source, remedy="use +1, +2, ... or, before the head, -1, -2, ...")
    return number


def _check(hints: dict[int, int], tree: DependencyTree) -> None:
    """Two daughters cannot have the same place, and the root has none."""
    seen: dict[tuple[int, int], str] = {}
    for node, value in hints.items():
        name, head = tree.nodes[node].identifier, tree.heads[node]
        if head == ROOT:
            problem, remedy = f"node {name} is the root and has {LIN}={value:+d}", "only a daughter has a place"
            raise InputError(problem, path=tree.source, remedy=remedy)
        if (head, value) in seen:
            problem = f"nodes {seen[head, value]} and {name} both have {LIN}={value:+d}"
            raise InputError(problem, path=tree.source, remedy="give each its own place")
        seen[head, value] = name


def _hint_values(deep: DependencyTree) -> dict[int, int]:
    """The values of ``lin`` that the constraints of a deep tree came from: each line of a head and its daughters."""
    after: dict[tuple[int, int], int] = {}
    before: dict[tuple[int, int], int] = {}
    for constraint in deep.constraints:
        if not isinstance(constraint, Before):
            continue
        first, second = constraint.first, constraint.second
        head = second if deep.heads[first] == second else first if deep.heads[second] == first else deep.heads[first]
        after[head, first], before[head, second] = second, first
    values: dict[int, int] = {}
    for links, side in ((after, 1), (before, -1)):
        for head in {head for head, node in links if head == node}:
            node, rank = head, 0
            while (head, node) in links:
                node, rank = links[head, node], rank + side
                values[node] = rank
    return values
