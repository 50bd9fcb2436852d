from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from math import perm, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fergus.core.tree import ROOT, DependencyTree, Node, OrderedTree
from fergus.errors import InputError
from fergus.metrics import NO_NODE, assign_nodes, tree_counts, tree_counts_of_words
from fergus.metrics.assign_nodes import places_of_identifiers
from fergus.metrics.segment import Batch, Segment, Sentence
from tests.metrics.example import GENERATED, GENERATED_ORDER, TREE, tree_of


@st.composite
def trees_with_repeats(draw: st.DrawFn, most: int = 7) -> OrderedTree:
    size = draw(st.integers(1, most))
    words = draw(st.lists(st.sampled_from("abc"), min_size=size, max_size=size))
    root = draw(st.integers(0, size - 1))
    heads, attached = [ROOT] * size, [root]
    for node in range(size):
        if node != root:
            heads[node] = draw(st.sampled_from(attached))
            attached.append(node)
    nodes = tuple(map(Node, words))
    return OrderedTree(DependencyTree(nodes, tuple(heads)), tuple(draw(st.permutations(range(size)))))


def every_assignment(reference: OrderedTree, words: list[str]) -> Iterator[tuple[int, ...]]:
    """All ways to give tokens nodes of their own word, as many as there are of either."""
    by_word = []
    for word in sorted(set(words)):
        nodes = [node for node in reference.order if reference.tree.nodes[node].form == word]
        tokens = [token for token, other in enumerate(words) if other == word]
        some = [NO_NODE] * max(0, len(tokens) - len(nodes))
        by_word.append([list(zip(tokens, way, strict=False)) for way in permutations(nodes + some, len(tokens))])
    for choice in product(*by_word):
        assigned = dict(pair for part in choice for pair in part)
        yield tuple(assigned[token] for token in range(len(words)))


def arrangements(reference: OrderedTree, words: Sequence[str]) -> int:
    """In how many ways equal words can be given to one another."""
    nodes, tokens = Counter(reference.forms), Counter(words)
    return prod(perm(max(nodes[word], tokens[word]), min(nodes[word], tokens[word])) for word in nodes)


@settings(deadline=None, max_examples=150)
@given(trees_with_repeats(), st.data())
def test_no_assignment_of_a_permutation_leaves_fewer_errors(reference: OrderedTree, data: st.DataObject) -> None:
    words = data.draw(st.permutations(reference.forms))
    every = [tree_counts(reference, order, words=words) for order in set(every_assignment(reference, list(words)))]
    least = min((counts.simple_errors, counts.generation_errors) for counts in every)
    found = tree_counts_of_words(reference, words)
    if arrangements(reference, words) <= 120:  # beyond that only exchanges are tried
        assert (found.simple_errors, found.generation_errors) == least
    else:
        assert (found.simple_errors, found.generation_errors) >= least


@settings(deadline=None, max_examples=100)
@given(trees_with_repeats(), st.data())
def test_with_tokens_missing_no_choice_among_equal_words_is_better(reference: OrderedTree, data: st.DataObject) -> None:
    words = data.draw(st.permutations(reference.forms))[: data.draw(st.integers(0, len(reference.forms)))]
    every = [tree_counts(reference, order, words=words) for order in set(every_assignment(reference, list(words)))]
    least = min(counts.simple_errors for counts in every)
    found = tree_counts_of_words(reference, words).simple_errors
    assert found == least if arrangements(reference, words) <= 120 else found >= least


def test_equal_words_go_where_they_do_least_harm() -> None:
    # the first plan | of | the second phase: both phrases change places as wholes, and so do their articles.
    words = ["the", "first", "plan", "of", "the", "second", "phase"]
    reference = tree_of(words, [2, 2, ROOT, 6, 6, 6, 2])
    swapped = ["the", "second", "phase", "of", "the", "first", "plan"]
    assert assign_nodes(reference, swapped) == (4, 5, 6, 3, 0, 1, 2)
    # "plan phase" against "phase plan": one move; "of the second phase" against "the second phase of": one.
    assert tree_counts_of_words(reference, swapped).moves == 2


def test_a_long_sentence_of_equal_words_ends() -> None:
    words = ["a", "b"] * 40
    reference = tree_of(words, [ROOT, *range(79)])
    nodes = assign_nodes(reference, words[::-1])
    assert sorted(nodes) == list(range(80))


def test_long_lines_end() -> None:
    # 300 daughters of three words: without a budget every one of 15,000 exchanges would be aligned anew, and again.
    words = [f"{(7 * k) % 11 % 3}" for k in range(300)]
    reference = tree_of(words, [ROOT] + [0] * 299)
    assert sorted(assign_nodes(reference, words[::-1])) == list(range(300))


def test_a_substituted_word_stands_for_what_it_replaces() -> None:
    words = GENERATED.copy()
    words[words.index("cost")] = "price"
    assert assign_nodes(TREE, words)[words.index("price")] == NO_NODE  # the alignment puts phase in its place
    assert assign_nodes(TREE, [*TREE.forms[:3], "price", *TREE.forms[4:]])[3] == 3


def test_given_identifiers_are_used() -> None:
    named = OrderedTree(
        DependencyTree(tuple(Node("a", identifier=name) for name in ("x", "y", "z")), (1, ROOT, 1)), (0, 1, 2)
    )
    assert places_of_identifiers(named, ["z", "", "x"]) == [2, NO_NODE, 0]
    hypothesis = Sentence(("a", "a", "a"), nodes=("z", "y", "x"))
    batch = Batch([Segment(hypothesis, (Sentence(named.forms, named),))])
    assert batch.places_of(0) == [2, 1, 0]


def test_identifiers_are_the_first_reference_s() -> None:
    def named(names: str) -> OrderedTree:
        nodes = tuple(Node(name, identifier=str(number)) for number, name in enumerate(names, 1))
        return OrderedTree(DependencyTree(nodes, (ROOT, *[0] * (len(names) - 1))), tuple(range(len(names))))

    first, second = named("abc"), named("cab")
    hypothesis = Sentence(("a", "b", "c"), nodes=("1", "2", "3"))
    batch = Batch([Segment(hypothesis, (Sentence(first.forms, first), Sentence(second.forms, second)))])
    assert batch.places_of(0) == [0, 1, 2]
    assert batch.places_of(1) == [1, 2, 0]  # by the words: its own 1 is c


@pytest.mark.parametrize(("names", "message"), [(["x", "q"], "no node 'q'"), (["x", "x"], "realized twice")])
def test_identifiers_that_cannot_be(names: list[str], message: str) -> None:
    named = OrderedTree(DependencyTree((Node("a", identifier="x"),), (ROOT,)), (0,))
    with pytest.raises(InputError, match=message):
        places_of_identifiers(named, names, source="out.jsonl:3")


def test_the_example_of_the_paper() -> None:
    assert list(assign_nodes(TREE, GENERATED)) == GENERATED_ORDER
