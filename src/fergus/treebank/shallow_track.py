"""The shallow track (T1) of the surface realization shared tasks (Mille et al. 2018, 2019), read and made.

A T1 file is CoNLL-U whose words are in random order and whose FORM is the lemma; training files have the word
form in the LEMMA column and its place in the sentence as the feature ``original_id``. The feature ``lin`` fixes
the order of some daughters: ``+1``, ``+2``, ... after the head and ``-1``, ``-2``, ... before it, counted away
from it among the daughters that have one.

    1  client    client  NOUN  S   lin=+2|Number=Sing|original_id=11   3  compound
    2  -         -       PUNCT FF  lin=+1|original_id=10               3  punct          attorney - client
    3  attorney  ...
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random

from fergus.core.tree import ROOT, Before, Constraint, DependencyTree, Node, OrderedTree
from fergus.errors import InputError
from fergus.treebank.conllu import parse_conllu
from fergus.treebank.conllu_writer import write_conllu
from fergus.treebank.lines import Results, Source

LIN, PLACE = "lin", "original_id"
ALWAYS_HINTED = frozenset({"punct", "flat", "fixed", "compound"})
"""Relations (with all their subtypes) whose place the shared task tells; of ``conj`` only where another daughter on
the same side has one, or is a conjunct too."""
CONJUNCT = "conj"
UNKNOWN = "_"

Feats = tuple[tuple[str, str], ...]


def parse_t1(source: Source, *, path: str = "") -> Results:
    """The trees of a T1 file: nodes with lemmas, with forms where the file tells them, hints as constraints."""
    for result in parse_conllu(source, path=path):
        if isinstance(result, InputError):
            yield result
            continue
        try:
            yield _from_t1(result)
        except InputError as error:
            yield error


def write_t1(sentence: OrderedTree, *, random: Random, tells_forms: bool = True, hints: bool = True) -> str:
    """A sentence of any treebank as T1 input; without forms and places it is a test set's."""
    tree, size = sentence.tree, len(sentence.order)
    place = {node: position for position, node in enumerate(sentence.order, 1)}
    lin = hints_of(sentence) if hints else {}
    nodes = []
    for index, node in enumerate(tree.nodes):
        if node.alternatives:
            problem = f"node {index + 1} has words to choose from, which T1 cannot say"
            raise InputError(problem, path=tree.source, remedy="write conllu, notation or json")
        feats = list(node.feats or ())
        if index in lin:
            feats.append((LIN, f"{lin[index]:+d}"))
        if tells_forms:
            feats.append((PLACE, str(place[index])))
        lemma = node.lemma or (UNKNOWN if _is_part(node) else node.form)
        nodes.append(
            Node(
                lemma,
                lemma=node.form if tells_forms else None,
                upos=node.upos,
                xpos=node.xpos,
                feats=tuple(feats) or None,
                deprel=node.deprel,
            )
        )
    shuffled = random.sample(range(size), size)
    return write_conllu(DependencyTree(tuple(nodes), tree.heads), shuffled)


def hints_of(sentence: OrderedTree) -> dict[int, int]:
    """The value of ``lin`` for every node that the shared task would give one."""
    tree = sentence.tree
    place = {node: position for position, node in enumerate(sentence.order)}
    hints: dict[int, int] = {}
    for head, daughters in enumerate(tree.daughters):
        relation = {node: tree.nodes[node].relation for node in daughters}
        for side in (1, -1):
            mine = [node for node in daughters if (place[node] - place[head]) * side > 0]
            hinted = [node for node in mine if relation[node] in ALWAYS_HINTED]
            conjuncts = [node for node in mine if relation[node] == CONJUNCT]
            if hinted or len(conjuncts) > 1:
                hinted += conjuncts
            for rank, node in enumerate(sorted(hinted, key=lambda node: abs(place[node] - place[head])), 1):
                hints[node] = side * rank
    return hints


def hint_constraints(heads: Sequence[int], hints: Iterable[tuple[int, int]]) -> tuple[Constraint, ...]:
    """Hints (node, value) as pairs of nodes of which one comes before the other."""
    by_head: dict[int, list[tuple[int, int]]] = {}
    for node, value in hints:
        by_head.setdefault(heads[node], []).append((value, node))
    constraints: list[Constraint] = []
    for head, given in by_head.items():
        line = [node for _, node in sorted([*given, (0, head)])]
        constraints += [Before(first, second) for first, second in pairwise(line)]
    return tuple(constraints)


def _from_t1(read: OrderedTree) -> OrderedTree:
    tree = read.tree
    nodes: list[Node] = []
    hints: list[tuple[int, int]] = []
    places: list[tuple[int, int]] = []
    for index, node in enumerate(tree.nodes):
        feats = features_of(node, tree)
        if LIN in feats:
            hints.append((index, _hint(feats.pop(LIN), node, tree)))
        if PLACE in feats:
            places.append((_whole(feats.pop(PLACE), PLACE, node, tree), index))
        form = node.lemma or ""
        lemma: str | None = node.form
        if lemma in (UNKNOWN, "") and _is_part(node):
            form, lemma = "" if form == UNKNOWN else form, None
        nodes.append(replace(node, form=form, lemma=lemma, feats=tuple(sorted(feats.items())) or None))
    _check(hints, tree)
    constraints = tree.constraints + hint_constraints(tree.heads, hints)
    order = read.order
    if len(places) == len(nodes):
        order = tuple(index for _, index in sorted(places))
    return OrderedTree(replace(tree, nodes=tuple(nodes), constraints=constraints), order)


def features_of(node: Node, tree: DependencyTree) -> dict[str, str]:
    """The features of a node; an error if one of them is there twice, as a hint may contradict itself."""
    feats = dict(node.feats or ())
    if len(feats) < len(node.feats or ()):
        twice = next(name for name in feats if sum(name == other for other, _ in node.feats or ()) > 1)
        raise _wrong(f"node {node.identifier} ({node.form}) has {twice} twice", "give every feature once", tree)
    return feats


def _is_part(node: Node) -> bool:
    """Whether a node is a further part of a word that was taken apart: it has no lemma of its own."""
    return node.relation == "goeswith"


def _hint(value: str, node: Node, tree: DependencyTree) -> int:
    number = _whole(value, LIN, node, tree)
    if number == 0:
        raise _wrong(f"{LIN}={value} of node {node.identifier} ({node.form})", "use +1, +2, ... or -1, -2, ...", tree)
    return number


def _whole(value: str, name: str, node: Node, tree: DependencyTree) -> int:
    try:
        return int(value)
    except ValueError:
        problem = f"{name}={value} of node {node.identifier} ({node.form}) is no whole number"
        raise _wrong(problem, "write for instance +1", tree) from None


def _check(hints: Sequence[tuple[int, int]], tree: DependencyTree) -> None:
    """Two daughters cannot have the same place, and the root has none."""
    seen: dict[tuple[int, int], int] = {}
    for node, value in hints:
        head = tree.heads[node]
        name = tree.nodes[node].identifier
        if head == ROOT:
            raise _wrong(f"node {name} is the root and has {LIN}={value:+d}", "only a daughter has a place", tree)
        if (head, value) in seen:
            other = tree.nodes[seen[head, value]].identifier
            raise _wrong(f"nodes {other} and {name} both have {LIN}={value:+d}", "give each its own place", tree)
        seen[head, value] = node


def _wrong(problem: str, remedy: str, tree: DependencyTree) -> InputError:
    return InputError(problem, path=tree.source, remedy=remedy)
