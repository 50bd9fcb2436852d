from __future__ import annotations

import math
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fergus.core.tree import DependencyTree, Node
from fergus.errors import ModelError
from fergus.grammar.extract import extract
from fergus.realize import candidates as candidates_module
from fergus.realize.candidates import Candidates
from fergus.realize.choose_trees import ALPHA_ADJOINS, EMPTY_SLOT, FrequentTrees, ProbableTrees
from fergus.realize.supertagged import CanonicalTree
from fergus.realize.tree_model import MODIFIER, TreeModel, role_of
from tests.realize.tiny_treebank import canonical, treebank

MODEL = TreeModel.train(extract(treebank()))
TREES = MODEL.grammar.trees
WORDS = ("she", "sees", "dog", "the", "today", "gives", ".", "Zork")


def treelet_score(tree: CanonicalTree, node: int, tags: tuple[str, ...]) -> float:
    """The best of all ways to send the daughters to slots or to adjoin, by definition."""
    daughters, mother = list(tree.daughters(node)), TREES[tags[node]]
    slots = len(mother.slots)
    best = float("-inf")
    for size in range(min(slots, len(daughters)) + 1):
        for chosen in permutations(daughters, size):
            for places in permutations(range(slots), size):
                if list(places) != sorted(places) or any(TREES[tags[d]].kind != "alpha" for d in chosen):
                    continue
                filled = dict(zip(chosen, places, strict=True))
                score = (slots - size) * EMPTY_SLOT + MODEL.modifiers(mother.name, len(daughters) - size)
                for d in daughters:
                    role = role_of(mother, filled[d]) if d in filled else MODIFIER
                    label = tree.nodes[d]
                    score += MODEL.daughter(label.form, tags[d], tree.nodes[node].form.lower(), mother.name, role)
                    score += MODEL.labels(tags[d], role, label.upos, label.deprel)
                    if d not in filled and TREES[tags[d]].kind == "alpha":
                        score += ALPHA_ADJOINS
                best = max(best, score)
    return best


def tree_score(tree: CanonicalTree, tags: tuple[str, ...]) -> float:
    label = tree.nodes[0]
    score = MODEL.root(label.form, tags[0]) + MODEL.labels(tags[0], "root", label.upos, label.deprel)
    score += ALPHA_ADJOINS if TREES[tags[0]].kind == "gamma" else 0.0
    return score + sum(treelet_score(tree, node, tags) for node in range(len(tree)))


@st.composite
def small_trees(draw: st.DrawFn) -> CanonicalTree:
    count = draw(st.integers(1, 4))
    heads = [-1, *(draw(st.integers(0, i - 1)) for i in range(1, count))]
    labels = st.sampled_from([(None, None), ("PRON", "nsubj"), ("VERB", None), (None, "obj"), ("NOPE", "nope")])
    nodes = []
    for _ in range(count):
        upos, relation = draw(labels)
        nodes.append(Node(draw(st.sampled_from(WORDS)), upos=upos, deprel=relation))
    return canonical(DependencyTree(tuple(nodes), tuple(heads)))


@settings(max_examples=60, deadline=None)
@given(small_trees())
def test_equal_to_trying_everything(tree: CanonicalTree) -> None:
    candidates = Candidates(MODEL, rare=2, most=4)
    found = ProbableTrees(MODEL, candidates).choose(tree)
    every = [candidates.of(node, len(tree.daughters(i))) for i, node in enumerate(tree.nodes)]
    scores = {tags: tree_score(tree, tags) for tags in product(*every)}
    assert found.logprob == pytest.approx(max(scores.values()))
    assert scores[tuple(choice.supertag for choice in found.choices)] == pytest.approx(found.logprob)
    for node, choice in enumerate(found.choices):
        assert choice.probability >= max((p for _, p in choice.runners_up), default=0.0) - 1e-9
        assert choice.probability + sum(p for _, p in choice.runners_up) == pytest.approx(1.0)
        if (slot := found.slots[node]) is not None:
            assert TREES[choice.supertag].kind == "alpha"
            assert slot < len(TREES[found.choices[tree.heads[node]].supertag].slots)


def test_probabilities_by_definition() -> None:
    """A supertag's probability compares the best trees with it, the mother's supertag being the chosen one."""
    tree = canonical(DependencyTree(tuple(map(Node, ("sees", "dog"))), (-1, 0)))
    candidates = Candidates(MODEL, most=6)
    found = ProbableTrees(MODEL, candidates).choose(tree)
    root = found.choices[0].supertag
    weights = {tag: math.exp(tree_score(tree, (root, tag))) for tag in candidates.of(tree.nodes[1], 0)}
    assert found.choices[1].probability == pytest.approx(max(weights.values()) / sum(weights.values()))


def slots_of(tree: DependencyTree) -> dict[str, tuple[str, int | None]]:
    found = ProbableTrees(MODEL).choose(canonical(tree))
    return {
        node.form: (choice.supertag, slot)
        for node, choice, slot in zip(found.tree.nodes, found.choices, found.slots, strict=True)
    }


def test_subject_and_object() -> None:
    found = slots_of(DependencyTree(tuple(map(Node, ("sees", "him", "she", "today"))), (-1, 0, 0, 0)))
    assert found == {
        "sees": ("a.VERB(nsubj * obj)", None),
        "she": ("a.PRON", 0),
        "him": ("a.PRON", 1),
        "today": ("g.ADV", None),
    }


def test_labels_say_who_is_who() -> None:
    bare = slots_of(DependencyTree(tuple(map(Node, ("sees", "dog", "cat"))), (-1, 0, 0)))
    assert (bare["dog"][1], bare["cat"][1]) == (0, 1)
    nodes = (Node("sees"), Node("dog", deprel="obj"), Node("cat", deprel="nsubj"))
    labelled = slots_of(DependencyTree(nodes, (-1, 0, 0)))
    assert (labelled["cat"][1], labelled["dog"][1]) == (0, 1)


def test_the_order_of_the_nodes_does_not_matter() -> None:
    tree = DependencyTree(tuple(map(Node, ("sees", "him", "she", "the"))), (-1, 0, 0, 1))
    expected = slots_of(tree)
    for permutation in permutations(range(4)):
        assert slots_of(tree.permuted(permutation)) == expected


def test_what_no_treebank_has_is_relaxed() -> None:
    """A verb with no daughters has an empty slot; four determiners under a determiner adjoin."""
    alone = ProbableTrees(MODEL).choose(canonical(DependencyTree((Node("sees"),), (-1,))))
    assert alone.choices[0].supertag
    odd = DependencyTree(tuple(map(Node, ("she", "she", "she", "he", "him"))), (-1, 0, 0, 0, 0))
    found = ProbableTrees(MODEL).choose(canonical(odd))
    assert found.logprob < 3 * ALPHA_ADJOINS


def test_large_trees() -> None:
    for heads in ([-1, *range(2999)], [-1] + [0] * 2999):
        words = [Node(WORDS[i % len(WORDS)]) for i in range(3000)]
        found = ProbableTrees(MODEL).choose(canonical(DependencyTree(tuple(words), tuple(heads))))
        assert len(found.choices) == 3000


def test_most_frequent_supertags() -> None:
    tree = canonical(DependencyTree(tuple(map(Node, ("sees", "she", "today", "he", "him"))), (-1, 0, 0, 0, 0)))
    found = FrequentTrees(MODEL).choose(tree)
    tags = {node.form: choice.supertag for node, choice in zip(tree.nodes, found.choices, strict=True)}
    assert tags == {"sees": "a.VERB(nsubj * obj)", "she": "a.PRON", "he": "a.PRON", "him": "a.PRON", "today": "g.ADV"}
    # three pronouns for two slots: the last in canonical order has none
    assert sorted(str(slot) for slot in found.slots) == ["0", "1", "None", "None", "None"]


def test_candidates_of_known_rare_and_unknown_words() -> None:
    known = Candidates(MODEL, rare=0)
    assert known.of(Node("the"), 0) == ("g.DET",)
    assert known.of(Node("sees"), 2) == ("a.VERB(nsubj * obj)",)
    assert "a.PRON" in Candidates(MODEL).of(Node("her"), 0)
    unknown = known.of(Node("blorks"), 2)
    assert len(unknown) > 3  # looks like any word in lower case
    assert known.of(Node("blorks", upos="DET"), 0) == ("g.DET",)
    assert set(known.of(Node("blorks", deprel="nsubj"), 0)) == {"a.PRON", "a.NOUN"}
    assert known.of(Node("the", upos="NOPE"), 0) == ("g.DET",)  # a label nobody has seen restricts nothing
    assert len(Candidates(MODEL, most=2).of(Node("blorks"), 0)) == 2
    assert known.of(Node("%%"), 0)


def test_candidates_have_no_more_slots_than_daughters() -> None:
    for tag in Candidates(MODEL).of(Node("sees"), 1):
        assert len(TREES[tag].slots) <= 1


def test_a_model_of_nothing_has_no_candidates() -> None:
    with pytest.raises(ModelError, match="trained on no trees"):
        Candidates(TreeModel.train(extract([]))).of(Node("sleeps"), 0)


def test_candidates_are_remembered_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates_module, "MEMORY", 2)
    candidates = Candidates(MODEL)
    for word in WORDS:
        candidates.of(Node(word), 0)
    assert len(candidates._known) <= 2
