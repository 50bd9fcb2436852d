from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.core.tree import (
    ROOT,
    Before,
    Choice,
    DependencyTree,
    Fault,
    Node,
    OrderedTree,
    Place,
    structural_fault,
)


@st.composite
def trees(draw: st.DrawFn, largest: int = 8) -> DependencyTree:
    """Any tree: each node hangs on an earlier one of a hidden order, then the nodes are shuffled."""
    size = draw(st.integers(1, largest))
    hidden = [ROOT, *(draw(st.integers(0, i - 1)) for i in range(1, size))]
    nodes = tuple(Node(f"w{i}", upos="X", misc="m", identifier=str(i)) for i in range(size))
    pairs = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1))
    before = tuple(Before(a, b) for a, b in draw(st.lists(pairs, max_size=2)))
    place = (Place(draw(st.integers(0, size - 1)), "left", 2),)
    return DependencyTree(nodes, tuple(hidden), before + place).permuted(draw(st.permutations(range(size))))


@st.composite
def ordered_trees(draw: st.DrawFn) -> OrderedTree:
    tree = draw(trees())
    return OrderedTree(tree, tuple(draw(st.permutations(range(len(tree))))))


def named(tree: DependencyTree) -> object:
    """The tree in terms of node names: what stays when the storage order changes."""
    name = [node.identifier for node in tree.nodes]
    edges = {(name[i], ROOT if h == ROOT else name[h]) for i, h in enumerate(tree.heads)}
    constraints = [
        ("before", name[c.first], name[c.second]) if isinstance(c, Before) else ("place", name[c.node], c.side, c.rank)
        for c in tree.constraints
    ]
    return edges, constraints, set(tree.nodes), tree.source, tree.metadata


def descendants(tree: DependencyTree, node: int) -> set[int]:
    """The subtree of a node by going up from every other: slow and obvious."""
    found = set()
    for start in range(len(tree)):
        climber = start
        while climber not in (ROOT, node):
            climber = tree.heads[climber]
        if climber == node:
            found.add(start)
    return found


def is_tree(heads: list[int]) -> bool:
    """By definition: one root, and every node gets there in at most as many steps as there are nodes."""
    if heads.count(ROOT) != 1 or not all(ROOT <= head < len(heads) for head in heads):
        return False
    for start in range(len(heads)):
        node = start
        for _ in heads:
            node = heads[node] if node != ROOT else ROOT
        if node != ROOT:
            return False
    return True


@given(trees(), st.data())
def test_permuted_is_the_same_tree(tree: DependencyTree, data: st.DataObject) -> None:
    permutation = data.draw(st.permutations(range(len(tree))))
    other = tree.permuted(permutation)
    assert named(other) == named(tree)
    assert [other.nodes[i] for i in range(len(tree))] == [tree.nodes[old] for old in permutation]
    back = sorted(range(len(tree)), key=permutation.__getitem__)
    assert other.permuted(back) == tree


@given(trees())
def test_bottom_up_has_every_node_after_its_daughters(tree: DependencyTree) -> None:
    place = {node: i for i, node in enumerate(tree.bottom_up)}
    assert len(place) == len(tree)
    assert all(head == ROOT or place[node] < place[head] for node, head in enumerate(tree.heads))
    assert all(tree.heads[d] == node for node, found in enumerate(tree.daughters) for d in found)
    assert sum(map(len, tree.daughters)) == len(tree) - 1


@given(ordered_trees())
def test_projectivity_by_brute_force(ordered: OrderedTree) -> None:
    position = {node: place for place, node in enumerate(ordered.order)}
    unbroken = True
    for node in range(len(ordered.tree)):
        places = sorted(position[d] for d in descendants(ordered.tree, node))
        unbroken &= places == list(range(places[0], places[0] + len(places)))
    assert ordered.is_projective == unbroken


@given(st.lists(st.integers(-2, 6), max_size=6))
def test_a_fault_is_found_exactly_where_there_is_no_tree(heads: list[int]) -> None:
    fault = structural_fault(heads)
    assert (fault is None) == is_tree(heads)
    if fault is None:
        assert DependencyTree(tuple(Node("w") for _ in heads), tuple(heads)).root == heads.index(ROOT)
    else:
        assert fault.node is None or 0 <= fault.node < len(heads)


@pytest.mark.parametrize(
    ("heads", "fault"),
    [
        ([], Fault(None, "the tree has no nodes")),
        ([ROOT, 2], Fault(1, "the head is not a node of this tree")),
        ([ROOT, -2], Fault(1, "the head is not a node of this tree")),
        ([ROOT, 0, ROOT], Fault(2, "the tree has two roots")),
        ([1, 0], Fault(0, "the node is its own ancestor (a cycle)")),
        ([ROOT, 2, 3, 1], Fault(1, "the node is its own ancestor (a cycle)")),
        ([ROOT, 1], Fault(1, "the node is its own ancestor (a cycle)")),
    ],
)
def test_each_fault(heads: list[int], fault: Fault) -> None:
    assert structural_fault(heads) == fault
    with pytest.raises(ValueError, match=fault.problem.replace("(", r"\(").replace(")", r"\)")):
        DependencyTree(tuple(Node("w") for _ in heads), tuple(heads))


def test_as_many_heads_as_nodes() -> None:
    with pytest.raises(ValueError, match="2 nodes but 1 heads"):
        DependencyTree((Node("a"), Node("b")), (ROOT,))


@given(trees())
def test_other_words_leave_the_shape_as_it_is(tree: DependencyTree) -> None:
    words = tuple(replace(node, form=f"{node.form}x") for node in tree.nodes)
    for known in (tree, tree.with_nodes(tree.nodes)):
        assert known.with_nodes(words) == replace(tree, nodes=words)
        assert known.with_nodes(words).bottom_up == tree.bottom_up
    with pytest.raises(ValueError, match="nodes for a tree of"):
        tree.with_nodes((*tree.nodes, tree.nodes[0]))


@pytest.mark.parametrize(("deprel", "relation"), [("nsubj:pass", "nsubj"), ("nsubj", "nsubj"), (None, "")])
def test_a_relation_without_its_subtype(deprel: str | None, relation: str) -> None:
    assert Node("a", deprel=deprel).relation == relation


def test_an_order_names_every_node_once() -> None:
    tree = DependencyTree((Node("a"), Node("b")), (ROOT, 0))
    assert OrderedTree(tree, (1, 0)).forms == ("b", "a")
    for wrong in [(0,), (0, 0), (0, 1, 2)]:
        with pytest.raises(ValueError, match="every node once"):
            OrderedTree(tree, wrong)


def test_bare_keeps_the_word_and_what_printing_needs() -> None:
    full = Node("saw", "see", "VERB", "VBD", (("Tense", "Past"),), "root", "SpaceAfter=No", "2")
    assert full.bare() == Node("saw", misc="SpaceAfter=No", identifier="2")
    tree = DependencyTree((full,), (ROOT,), (Place(0, "left"),), "a.conllu:1", (("sent_id", "1"),))
    assert tree.bare() == DependencyTree(
        (full.bare(),), (ROOT,), (Place(0, "left"),), "a.conllu:1", (("sent_id", "1"),)
    )


def test_a_chain_of_ten_thousand_nodes() -> None:
    size = 10_000
    tree = DependencyTree(tuple(Node("w") for _ in range(size)), (ROOT, *range(size - 1)))
    assert tree.bottom_up == tuple(range(size - 1, -1, -1))
    assert OrderedTree(tree, tuple(range(size))).is_projective


@pytest.mark.parametrize(
    ("word", "weight"), [("", 1.0), ("a", 0.0), ("a", -1.0), ("a", float("inf")), ("a", float("nan"))]
)
def test_a_choice_is_a_word_with_a_weight(word: str, weight: float) -> None:
    with pytest.raises(ValueError, match="is no choice"):
        Choice(word, weight)


def test_pruning_keeps_the_tree_together() -> None:
    nodes = tuple(Node(form) for form in "abcde")
    tree = DependencyTree(nodes, (ROOT, 0, 1, 1, 0), (Before(2, 3), Before(1, 2), Place(3, "left"), Place(1, "left")))
    inner = tree.pruned([0, 2, 3, 4])  # b is gone: c and d hang on a
    assert inner.heads == (ROOT, 0, 0, 0)
    assert inner.constraints == (Before(1, 2), Place(2, "left"))
    # a is gone too: of its daughters the first is the root.
    assert tree.pruned([1, 2, 3, 4]).heads == (ROOT, 0, 0, 0)
