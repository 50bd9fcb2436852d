"""Marks into sentences: what is learned, what is kept, what is stored."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fergus.core.tree import ROOT, DependencyTree, Node, OrderedTree
from fergus.errors import ModelError
from fergus.realize.learn_punctuation import DEFAULT_PUNCTUATION, inventory, learn_punctuation
from fergus.realize.model import ModelFile, Section, write_model
from fergus.realize.punctuate import Punctuator, top_places, with_marks
from fergus.realize.punctuation_features import parse_punctuation_templates, tree_tables
from fergus.realize.punctuation_marks import Stretch, without_marks
from fergus.realize.punctuation_model import PunctuationModel, find_stretches, punctuation_from, punctuation_section
from fergus.treebank import read_trees
from tests.realize.tiny_marks import BRACKETS, INITIAL, QUESTION, QUOTED, STATEMENT, TREEBANK, marked

TINY = dataclasses.replace(DEFAULT_PUNCTUATION, negatives=1.0, keep_pairs=0.9)


@pytest.fixture(scope="module")
def model() -> PunctuationModel:
    learned = learn_punctuation(TREEBANK, settings=TINY)
    assert learned is not None
    return learned


@pytest.mark.parametrize("sentence", [STATEMENT, QUESTION, INITIAL, QUOTED, BRACKETS])
def test_the_marks_of_learned_sentences_come_back(model: PunctuationModel, sentence: OrderedTree) -> None:
    words, _ = without_marks(sentence)
    assert words is not None
    assert Punctuator(model).punctuate(words).forms == sentence.forms


def test_marks_become_nodes_behind_the_given_ones(model: PunctuationModel) -> None:
    words, _ = without_marks(INITIAL)
    assert words is not None
    result = Punctuator(model).punctuate(words)
    tree = result.tree
    assert tree.nodes[:5] == words.tree.nodes
    assert tree.nodes[5:] == (Node(",", ",", "PUNCT", deprel="punct"), Node(".", ".", "PUNCT", deprel="punct"))
    # "If we go" and "she" are daughters of "sleeps", which is the root too.
    assert tree.heads == (*words.tree.heads, 4, 4)
    assert result.order == (0, 1, 2, 5, 3, 4, 6)


def test_a_sentence_with_marks_is_left_alone(model: PunctuationModel) -> None:
    half = marked("If/SCONJ/mark/3 we/PRON/nsubj/3 go/VERB/advcl/6 ,/PUNCT/punct/3 she/PRON/nsubj/6 sleeps/VERB/root/0")
    assert Punctuator(model).punctuate(half) is half


def test_fewer_labels_or_none_will_do(model: PunctuationModel) -> None:
    words, _ = without_marks(STATEMENT)
    assert words is not None
    bare = OrderedTree(words.tree.bare(), words.order)
    assert Punctuator(model).punctuate(bare).forms == ("She", "sleeps", ".")


def test_the_order_is_looked_at_and_not_the_numbers_of_nodes(model: PunctuationModel) -> None:
    words, _ = without_marks(INITIAL)
    assert words is not None
    numbers = (3, 0, 4, 1, 2)
    place = {old: new for new, old in enumerate(numbers)}
    other = OrderedTree(words.tree.permuted(numbers), tuple(place[i] for i in words.order))
    assert Punctuator(model).punctuate(other).forms == INITIAL.forms


def test_a_sentence_is_always_ended_if_so_wished() -> None:
    heading = marked("Contents/NOUN/root/0")
    learned = learn_punctuation([*TREEBANK, *[heading] * 40], settings=TINY)
    assert learned is not None
    assert Punctuator(learned).punctuate(heading).forms == ("Contents",)
    assert Punctuator(learned, always_end=True).punctuate(heading).forms in {("Contents", "."), ("Contents", "?")}


@pytest.mark.parametrize(("kind", "end"), [("Dec", "."), ("Int", "?")])
def test_the_type_of_a_clause_says_its_end(model: PunctuationModel, kind: str, end: str) -> None:
    for sentence in (STATEMENT, QUESTION):
        words, _ = without_marks(sentence)
        assert words is not None
        assert Punctuator(model).punctuate(words, clause_type=kind).forms == (*words.forms, end)


def test_a_fragment_has_no_end(model: PunctuationModel) -> None:
    for sentence in (STATEMENT, QUESTION):
        words, _ = without_marks(sentence)
        assert words is not None
        assert Punctuator(model).punctuate(words, clause_type="Frag").forms == words.forms


def test_an_end_that_the_model_does_not_know_is_not_put(model: PunctuationModel) -> None:
    words, _ = without_marks(STATEMENT)
    assert words is not None
    assert Punctuator(model).punctuate(words, clause_type="Exc").forms == STATEMENT.forms


def test_a_second_look_is_learned_from_enough_sentences(tmp_path: Path) -> None:
    # Three blocks of a hundred sentences: one for each fold.
    learned = learn_punctuation(TREEBANK * 5, settings=TINY)
    assert learned is not None
    assert learned.second is not None
    section = punctuation_section(learned)
    loaded = punctuation_from(section)
    assert loaded.second is not None
    for sentence in (STATEMENT, QUESTION, INITIAL, QUOTED, BRACKETS):
        words, _ = without_marks(sentence)
        assert words is not None
        assert Punctuator(loaded).punctuate(words).forms == sentence.forms
    other = section.arrays["second_labels"].tobytes().replace(b"=,", b"=;")
    with pytest.raises(ModelError, match="labels of the punctuation model"):
        punctuation_from(Section(section.settings, {**section.arrays, "second_labels": np.frombuffer(other, np.uint8)}))


def test_no_punctuation_gives_no_model() -> None:
    words = marked("She/PRON/nsubj/2 sleeps/VERB/root/0")
    assert learn_punctuation([words] * 20) is None
    assert learn_punctuation([]) is None


def test_a_treebank_without_pairs_and_one_of_marks_among_it() -> None:
    learned = learn_punctuation([STATEMENT, INITIAL, marked("--/PUNCT/root/0")] * 20, settings=TINY)
    assert learned is not None
    assert learned.pairs == ()
    words, _ = without_marks(INITIAL)
    assert words is not None
    assert Punctuator(learned).punctuate(words).forms == INITIAL.forms


def test_training_again_gives_the_same(model: PunctuationModel) -> None:
    told: list[int] = []
    again = learn_punctuation(TREEBANK, settings=TINY, progress=told.append)
    assert again is not None
    assert np.array_equal(again.gap.weights, model.gap.weights)
    assert told == [len(TREEBANK)] * 3


def test_inventory_keeps_what_is_frequent_and_what_every_group_needs() -> None:
    # "," twice, ";" once: with least 2 the semicolon goes; the four patterns of pairs alone stay first.
    assert inventory([",", ";", ",", "", "C"], least=2) == ("", "C", "O", "C O", ",")


def test_the_section_is_the_model_again(model: PunctuationModel, tmp_path: Path) -> None:
    write_model(tmp_path / "m", {}, {"punctuation": punctuation_section(model)})
    loaded = punctuation_from(ModelFile(tmp_path / "m").section("punctuation"))
    assert loaded.pairs == model.pairs
    assert loaded.gap.labels == model.gap.labels
    # A weight is stored to half a step of 1/31 of the largest; features with none left are not stored.
    assert len(np.unique(loaded.gap.keys)) <= len(np.unique(model.gap.keys))
    for sentence in (STATEMENT, QUESTION, INITIAL, QUOTED, BRACKETS):
        words, _ = without_marks(sentence)
        assert words is not None
        assert Punctuator(loaded).punctuate(words).forms == sentence.forms


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("pairs", np.frombuffer(b"(\n)", np.uint8)),
        ("pairs", np.zeros(0, np.uint8)),
        ("gap_features", np.zeros((3, 5), np.uint8)),
        ("gap_features", np.zeros((4, 5), np.uint8)),
        ("final_weights", np.zeros((2, 2), np.int8)),
        ("gap_labels", np.frombuffer(b"=,", np.uint8)),
        ("stretch_prior", np.zeros(1, np.float32)),
    ],
)
def test_a_broken_section_is_told(model: PunctuationModel, name: str, value: np.ndarray) -> None:  # type: ignore[type-arg]
    section = punctuation_section(model)
    with pytest.raises(ModelError, match="punctuation model are broken"):
        punctuation_from(Section(section.settings, {**section.arrays, name: value}))


def test_a_group_without_a_label_is_told(model: PunctuationModel) -> None:
    section = punctuation_section(model)
    labels = section.arrays["final_labels"].tobytes().replace(b"=C O", b"=; ;")
    with pytest.raises(ModelError, match="labels of the punctuation model"):
        punctuation_from(Section(section.settings, {**section.arrays, "final_labels": np.frombuffer(labels, np.uint8)}))


def test_templates_with_unknown_names_are_told() -> None:
    with pytest.raises(ModelError, match=r"punctuation templates: 'x\.form'"):
        parse_punctuation_templates("[gap]\nx.form\n")
    with pytest.raises(ModelError, match="more than 300 in a section"):
        parse_punctuation_templates("[final]\n" + "l.form\n" * 301)


def test_stretches_never_cross(model: PunctuationModel) -> None:
    # Below 0 every stretch is likely enough; those chosen lie beside or within one another.
    eager = dataclasses.replace(model, threshold=0.0)
    words, _ = without_marks(INITIAL)
    assert words is not None
    chosen = find_stretches(eager, *Punctuator(model)._encoder.encode(words))
    assert len(chosen) > 3
    for one in chosen:
        for other in chosen:
            assert one is other or _nested(one, other)
    assert len(Punctuator(eager).punctuate(words).forms) >= 5 + 2 * len(chosen)


def _nested(one: Stretch, other: Stretch) -> bool:
    a, b = set(range(one.begin, one.end)), set(range(other.begin, other.end))
    return not a & b or a < b or b < a


@st.composite
def head_lists(draw: st.DrawFn) -> tuple[int, ...]:
    n = draw(st.integers(1, 12))
    parents = [ROOT, *(draw(st.integers(0, i - 1)) for i in range(1, n))]
    place = draw(st.permutations(range(n)))
    heads = [0] * n
    for node, parent in enumerate(parents):
        heads[place[node]] = ROOT if parent == ROOT else place[parent]
    return tuple(heads)


def _ancestors(heads: tuple[int, ...], node: int) -> list[int]:
    way = [node]
    while heads[way[-1]] != ROOT:
        way.append(heads[way[-1]])
    return way


@given(head_lists())
@settings(max_examples=60, deadline=None)
def test_marks_depend_on_the_lowest_node_above_both_words(heads: tuple[int, ...]) -> None:
    tops = top_places(heads)
    assert tops[0] == tops[-1] == heads.index(ROOT)
    for gap in range(1, len(heads)):
        left = _ancestors(heads, gap - 1)
        assert tops[gap] == next(node for node in _ancestors(heads, gap) if node in left)


@given(head_lists())
@settings(max_examples=60, deadline=None)
def test_tables_of_the_tree_are_those_of_the_obvious_way(heads: tuple[int, ...]) -> None:
    first, last, size, depth, _, _ = tree_tables(np.array(heads, np.int32))
    for node in range(len(heads)):
        below = [other for other in range(len(heads)) if node in _ancestors(heads, other)]
        expected = (min(below), max(below), len(below), len(_ancestors(heads, node)) - 1)
        assert (first[node], last[node], size[node], depth[node]) == expected


@given(head_lists(), st.booleans())
@settings(max_examples=40, deadline=None)
def test_any_tree_keeps_its_words(model: PunctuationModel, heads: tuple[int, ...], labelled: bool) -> None:
    nodes = tuple(Node(f"w{i}", *((f"w{i}", "X", None, (), "dep") if labelled else ())) for i in range(len(heads)))
    sentence = OrderedTree(DependencyTree(nodes, heads), tuple(range(len(heads))))
    result = Punctuator(model).punctuate(sentence)
    words, gaps = without_marks(result)
    assert words is not None
    assert words.forms == sentence.forms
    assert words.tree.heads == heads
    marks = [mark for gap in gaps for mark in gap]
    assert marks.count("(") == marks.count(")")
    assert marks.count('"') % 2 == 0


def test_no_marks_no_change() -> None:
    words = marked("She/PRON/nsubj/2 sleeps/VERB/root/0")
    assert with_marks(words, ((), (), ())) is words


def test_ten_thousand_words_in_a_chain(model: PunctuationModel) -> None:
    n = 10_000
    nodes = tuple(Node("that", "that", "SCONJ", deprel="ccomp") for _ in range(n))
    chain = OrderedTree(DependencyTree(nodes, (ROOT, *range(n - 1))), tuple(range(n)))
    assert len(Punctuator(model).punctuate(chain).forms) >= n


@pytest.mark.data
def test_on_french_it_beats_a_period_at_every_end(data_dir: Path) -> None:
    trees = list(read_trees(data_dir / "ud" / "fr_sequoia-train.conllu"))[:700]
    model = learn_punctuation(trees[:500])
    assert model is not None
    punctuator, right, periods = Punctuator(model), 0, 0
    for tree in trees[500:]:
        words, gold = without_marks(tree)
        assert words is not None
        right += without_marks(punctuator.punctuate(words))[1][-1] == gold[-1]
        periods += gold[-1] == (".",)
    assert right > periods + 10
