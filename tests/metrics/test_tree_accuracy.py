from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fergus.core.tree import ROOT, OrderedTree
from fergus.errors import InputError
from fergus.metrics import (
    NO_NODE,
    Counts,
    assign_nodes,
    count_edits,
    generation_tree_accuracies,
    generation_tree_accuracy,
    simple_tree_accuracies,
    simple_tree_accuracy,
    tree_counts,
    tree_counts_batch,
    tree_counts_of_words,
)
from tests.metrics import brute_force
from tests.metrics.example import GENERATED, GENERATED_ORDER, TARGET, TREE, tree_of
from tests.metrics.test_assign_nodes import trees_with_repeats


def expected_counts(reference: OrderedTree, order: list[int], words: list[str] | None = None) -> Counts:
    """The definition, treelet by treelet, with the brute-force alignment."""
    forms = {node: reference.tree.nodes[node].form for node in reference.order}
    said = dict(zip(order, words, strict=True)) if words else forms
    total = Counts(0, order.count(NO_NODE), 0, 0, len(reference.order))
    for node, daughters in enumerate(reference.tree.daughters):
        if daughters or len(forms) == 1:
            treelet = {node, *daughters}
            left = [forms[n] for n in reference.order if n in treelet]
            right = [said[n] for n in order if n in treelet]
            total += Counts(*brute_force.most_moves(left, right)[:4], 0)
    return total


@st.composite
def trees(draw: st.DrawFn) -> OrderedTree:
    """Trees of up to 9 words with repeats, in any order, so that many are not projective."""
    size = draw(st.integers(1, 9))
    words = draw(st.lists(st.sampled_from("abcdef"), min_size=size, max_size=size))
    heads = [ROOT, *(draw(st.integers(0, node - 1)) for node in range(1, size))]
    return OrderedTree(tree_of(words, heads).tree, tuple(draw(st.permutations(range(size)))))


def test_table_1_tree_columns() -> None:
    # Treelets: estimate(There was no cost for) has "no" and "cost" moved, phase(the second) "phase".
    counts = tree_counts(TREE, GENERATED_ORDER)
    assert counts == Counts(substitutions=0, insertions=3, deletions=3, moves=3, length=9)
    assert (counts.remaining_insertions, counts.remaining_deletions) == (0, 0)
    assert (counts.simple_errors, counts.generation_errors) == (6, 3)
    assert f"{simple_tree_accuracy(TREE, GENERATED_ORDER):.2f}" == "0.33"
    assert f"{generation_tree_accuracy(TREE, GENERATED_ORDER):.2f}" == "0.67"
    assert tree_counts_of_words(TREE, GENERATED) == counts


def test_batch() -> None:
    references, orders = [TREE, TREE], [GENERATED_ORDER, TREE.order]
    assert simple_tree_accuracies(references, orders) == pytest.approx([1 / 3, 1])
    assert generation_tree_accuracies(references, orders) == pytest.approx([2 / 3, 1])
    assert not tree_counts_batch(references, orders, moves=False)[:, 3].any()


def test_storage_order_of_nodes_is_irrelevant() -> None:
    shuffled = random.Random(1).sample(range(9), 9)
    place = {old: new for new, old in enumerate(shuffled)}
    reference = OrderedTree(TREE.tree.permuted(shuffled), tuple(place[node] for node in TREE.order))
    assert tree_counts(reference, [place[node] for node in GENERATED_ORDER]) == Counts(0, 3, 3, 3, 9)


@settings(deadline=None)
@given(trees(), st.randoms(use_true_random=False), st.data())
def test_counts_equal_the_definition(tree: OrderedTree, source: random.Random, data: st.DataObject) -> None:
    order = source.sample(tree.order, len(tree.order))
    assert tree_counts(tree, order) == expected_counts(tree, order)
    del order[: data.draw(st.integers(0, len(order)))]
    for _ in range(data.draw(st.integers(0, 3))):
        order.insert(source.randint(0, len(order)), NO_NODE)
    assert tree_counts(tree, order) == expected_counts(tree, order)
    words = [source.choice("abxy") for _ in order]
    assert tree_counts(tree, order, words=words) == expected_counts(tree, order, words)


@settings(deadline=None)
@given(trees())
def test_the_reference_itself_is_perfect(tree: OrderedTree) -> None:
    assert simple_tree_accuracy(tree, tree.order) == generation_tree_accuracy(tree, tree.order) == 1


def test_missing_node_is_a_deletion_in_each_of_its_treelets() -> None:
    order = list(TREE.order)
    order.remove(8)  # phase: with its head "for", and with its daughters
    assert tree_counts(TREE, order) == Counts(0, 0, 2, 0, 9)
    order.remove(0)  # There: a leaf, with its head only
    assert tree_counts(TREE, order) == Counts(0, 0, 3, 0, 9)


def test_empty_hypothesis() -> None:
    # Three treelets of 6, 2 and 3 words: 11 deletions of 9 tokens.
    assert tree_counts(TREE, []) == Counts(0, 0, 11, 0, 9)
    assert simple_tree_accuracy(TREE, []) == pytest.approx(-2 / 9)


def test_extra_token_is_one_insertion() -> None:
    assert tree_counts(TREE, [*TREE.order, NO_NODE]) == Counts(0, 1, 0, 0, 9)
    assert tree_counts_of_words(TREE, [*TARGET, "today"]) == Counts(0, 1, 0, 0, 9)


def test_substituted_word_stands_for_its_node() -> None:
    # "some" for "no", a leaf: one substitution in estimate's treelet.
    words = ["some" if word == "no" else word for word in TARGET]
    assert assign_nodes(TREE, words) == TREE.order
    assert tree_counts_of_words(TREE, words) == Counts(1, 0, 0, 0, 9)


def test_sentence_of_one_word() -> None:
    tree = tree_of(["Yes"], [ROOT])
    assert tree_counts(tree, [0]) == Counts(0, 0, 0, 0, 1)
    assert tree_counts(tree, []) == Counts(0, 0, 1, 0, 1)
    assert tree_counts_of_words(tree, ["No"]) == Counts(1, 0, 0, 0, 1)


def test_equal_sisters_may_change_places() -> None:
    # so(very very)
    tree = tree_of(["very", "very", "good"], [2, 2, ROOT])
    assert tree_counts(tree, [1, 0, 2]) == Counts(0, 0, 0, 0, 3)


def test_equal_words_of_different_treelets_are_told_apart_by_node() -> None:
    # dogs(the see(cats(the))): with the two "the" exchanged the string is the same, the treelets are not.
    tree = tree_of(["the", "dogs", "see", "the", "cats"], [1, 2, ROOT, 4, 2])
    assert tree_counts(tree, [3, 1, 2, 0, 4]).moves == 1
    assert tree_counts_of_words(tree, ["the", "dogs", "see", "the", "cats"]).simple_errors == 0


def test_output_that_is_not_projective() -> None:
    # "estimate phase for the second": phase has left its subtree; in for(phase) and in phase(the second)
    # it comes too early, one move each.
    assert tree_counts(TREE, [0, 1, 2, 3, 4, 8, 5, 6, 7]) == Counts(0, 2, 2, 2, 9)


def test_assignment_of_repeated_words() -> None:
    # The alignment matches b c; the words left over are matched from left to right.
    tree = tree_of(["a", "a", "b", "c"], [2, 2, ROOT, 2])
    assert assign_nodes(tree, ["b", "c", "a", "a", "a"]) == (2, 3, 0, 1, NO_NODE)


@settings(deadline=None)
@given(trees(), st.lists(st.sampled_from("abcxy"), max_size=9))
def test_assignment_names_no_node_twice_and_loses_no_word(tree: OrderedTree, words: list[str]) -> None:
    assigned = assign_nodes(tree, words)
    nodes = [node for node in assigned if node != NO_NODE]
    assert len(assigned) == len(words)
    assert len(set(nodes)) == len(nodes)
    equal = sum(
        node != NO_NODE and tree.tree.nodes[node].form == word for node, word in zip(assigned, words, strict=True)
    )
    assert equal == sum(min(words.count(word), tree.forms.count(word)) for word in set(words))


def test_deep_tree() -> None:
    size = 10_000
    chain = tree_of(["w"] * size, [ROOT, *range(size - 1)])
    distinct = tree_of([str(i) for i in range(size)], [ROOT, *range(size - 1)])
    backwards = list(range(size - 1, -1, -1))
    assert tree_counts(chain, backwards).simple_errors == 0
    assert tree_counts(distinct, backwards) == Counts(0, size - 1, size - 1, size - 1, size)


def test_must_fail() -> None:
    with pytest.raises(InputError, match="sentence 2: node 3 stands twice in the hypothesis; use -1"):
        tree_counts_batch([TREE, TREE], [TREE.order, [3, 3]])
    with pytest.raises(InputError, match="sentence 1: 9 is not a node of the reference's tree; use 0 to 8"):
        tree_counts(TREE, [9])
    with pytest.raises(InputError, match="sentence 1: -2 is not a node"):
        tree_counts(TREE, [-2])
    with pytest.raises(InputError, match="2 references but 1 hypotheses"):
        tree_counts_batch([TREE, TREE], [TREE.order])
    with pytest.raises(InputError, match="words and orders differ in length"):
        tree_counts(TREE, [0, 1], words=["There"])
    with pytest.raises(InputError, match="the hypothesis is text and not a list of tokens"):
        tree_counts_of_words(TREE, "There was")


def test_treelet_too_large() -> None:
    size = 9_000
    star = tree_of([f"a{i}" for i in range(size)], [ROOT, *[0] * (size - 1)])
    with pytest.raises(InputError, match="sentence 1 has a treelet too large"):
        tree_counts(star, star.order, words=[f"b{i}" for i in range(size)])


def bottom_up_oracle(reference: OrderedTree, order: list[int]) -> tuple[int, int]:
    """The draft's procedure, literally: compare a treelet, put its head in its place, go on with the next.

    Returns simple and generation errors. Strings hold nodes; a replaced treelet's string starts where its first
    word stood, so the head is written there and every other member is struck out.
    """
    tree = reference.tree
    strings = [list(reference.order), list(order)]
    simple = generation = 0
    for head in tree.bottom_up:
        members = {head, *tree.daughters[head]}
        if len(members) == 1 and tree.heads[head] != -1:
            continue
        treelets = [[node for node in string if node in members] for string in strings]
        found = count_edits(*[[tree.nodes[node].form for node in treelet] for treelet in treelets])
        simple, generation = simple + found.simple_errors, generation + found.generation_errors
        for string in strings:
            places = [place for place, node in enumerate(string) if node in members]
            if places:
                string[places[0]] = head
                for place in reversed(places[1:]):
                    del string[place]
    return simple, generation


@settings(deadline=None, max_examples=200)
@given(trees_with_repeats(), st.data())
def test_the_draft_by_its_own_words(reference: OrderedTree, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(reference.order))))
    order = order[: data.draw(st.integers(0, len(order)))]
    counts = tree_counts(reference, order, bottom_up=True)
    assert (counts.simple_errors, counts.generation_errors) == bottom_up_oracle(reference, list(order))


def test_paper_and_draft_agree_on_the_example() -> None:
    assert tree_counts(TREE, GENERATED_ORDER, bottom_up=True) == tree_counts(TREE, GENERATED_ORDER)


def test_paper_and_draft_differ_where_a_subtree_is_torn_apart() -> None:
    # a(b(c)): in "c a b" the subtree of b begins before a, but b itself stands after it.
    reference = tree_of(["a", "b", "c"], [-1, 0, 1])
    order = [2, 0, 1]
    assert tree_counts(reference, order).moves == 1  # b c against c b
    assert tree_counts(reference, order, bottom_up=True).moves == 2  # and a b against b a


def test_paper_and_draft_differ_where_a_head_is_missing() -> None:
    # a(b(c)) without b: the paper misses it twice, the draft once, since c stands for the whole subtree.
    reference = tree_of(["a", "b", "c"], [-1, 0, 1])
    assert tree_counts(reference, [0, 2]).deletions == 2
    assert tree_counts(reference, [0, 2], bottom_up=True).deletions == 1
