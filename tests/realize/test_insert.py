from __future__ import annotations

import math

import pytest

from fergus.core.deep import surface_tree
from fergus.core.tree import Before, DependencyTree, Node, Place
from fergus.realize.insert import Inserter, _Choice, same_shape, word_options
from fergus.realize.insertion_readings import Reading, Word
from fergus.treebank import parse_tree
from fergus.treebank.deep_relations import as_deep
from tests.realize.deep_sentences import FINITE, PARTICIPLE, model, pairs


def lemmas(tree: DependencyTree) -> list[tuple[str | None, str | None]]:
    return [(node.lemma, node.deprel) for node in tree.nodes]


def test_what_was_learned_is_inserted_again() -> None:
    inserter = Inserter(model())
    for pair in pairs()[::7]:
        best, right = inserter.insert(pair.deep).best, surface_tree(pair).tree
        assert sorted(map(str, lemmas(best))) == sorted(map(str, lemmas(right)))
        assert sorted(str(n.feats) for n in best.nodes) == sorted(str(n.feats) for n in right.nodes)


def test_a_new_verb_gets_what_others_get() -> None:
    tree = as_deep(parse_tree(
        "arrive/VERB:root[Tense=Pres,Aspect=Perf](dog/NOUN:nsubj[Number=Sing,Definite=Def] table/NOUN:obl[Number=Sing])"
    ))  # fmt: skip
    found = Inserter(model()).insert(tree)
    assert [node.lemma for node in found.tree.nodes[:3]] == ["arrive", "dog", "table"]
    assert found.tree.nodes[0].feats == PARTICIPLE
    added = {node.lemma: (found.tree.heads[i], node.feats) for i, node in enumerate(found.tree.nodes) if i > 2}
    assert set(added) == {"have", "the", "on"}
    assert added["have"] == (0, FINITE)
    assert added["the"] == (1, (("Definite", "Def"), ("PronType", "Art")))
    assert added["on"] == (2, None)
    assert all(node.form == "" for node in found.tree.nodes)


def test_options_are_probabilities_and_the_best_comes_first() -> None:
    tree = as_deep(parse_tree("wait/VERB:root[Tense=Pres](mouse/NOUN:nsubj garden/NOUN:obl[Number=Sing])"))
    found = Inserter(model()).insert(tree)
    assert len(found.options) == len(found.tree)
    for node, options in zip(found.tree.nodes, found.options, strict=True):
        assert 1 <= len(options) <= 6
        assert sum(math.exp(option.logprob) for option in options) == pytest.approx(1)
        assert options[0].node in (node, None)
    garden = next(i for i, node in enumerate(found.tree.nodes) if node.deprel == "case")
    # No place was ever this one: each of the three prepositions may be right.
    assert {o.node.lemma for o in found.options[garden] if o.node} == {"in", "on", "at"}


def test_a_dropped_subject_is_never_pronounced() -> None:
    tree = DependencyTree(
        (
            Node("", "wait", "VERB", feats=(("Tense", "Pres"),), deprel="ROOT"),
            Node("", "_", "PRON", feats=(("Number", "Sing"),), deprel="A1"),
            Node("", "house", "NOUN", feats=(("Number", "Sing"),), deprel="A1"),
        ),
        (-1, 0, 1),
    )
    found = Inserter(model()).insert(tree)
    assert [option.node for option in found.options[1]] == [None]
    assert [node.lemma for node in found.best.nodes][:2] == ["wait", "house"]
    assert found.best.heads[:2] == (-1, 0)


def test_a_feature_that_only_the_user_can_have_given_is_kept() -> None:
    for number in ("Sing", "Plur"):
        tree = as_deep(parse_tree(f"wait/VERB:root[Tense=Pres,Number={number}](dog/NOUN:nsubj)"))
        assert dict(Inserter(model()).insert(tree).tree.nodes[0].feats or ())["Number"] == number
    tree = as_deep(parse_tree("wait/VERB:root[Tense=Pres,Number=Dual](dog/NOUN:nsubj)"))
    assert dict(Inserter(model()).insert(tree).tree.nodes[0].feats or ())["VerbForm"] == "Fin"


def test_a_category_never_seen_keeps_its_features() -> None:
    tree = DependencyTree((Node("", "oh", "INTJ", feats=(("Foo", "Bar"),), deprel="ROOT"),), (-1,))
    found = Inserter(model()).insert(tree)
    assert dict(found.tree.nodes[0].feats or ())["Foo"] == "Bar"


@pytest.mark.no_cover  # large, and nothing new
def test_a_chain_of_ten_thousand_nodes() -> None:
    nodes = tuple(Node("", "dog", "NOUN", feats=(("Number", "Sing"),), deprel="AM") for _ in range(10_000))
    tree = DependencyTree(nodes, (-1, *range(9_999)))
    inserter = Inserter(model())
    inserter._numbers.update({str(i): 1 for i in range((1 << 17) + 1)})
    assert len(inserter.insert(tree).tree) >= 10_000
    assert len(inserter._numbers) < 1000


OF, IN, AS = Word("of", "ADP", "case"), Word("in", "ADP", "case"), Word("as", "ADP", "mark")


def test_one_word_is_offered_beside_none_if_probable_enough() -> None:
    readings = [Reading(), Reading((OF,)), Reading((AS,)), Reading((OF, IN))]
    (options,) = word_options(_Choice(readings, [0.5, 0.3, 0.1, 0.1], 0), {})
    # none .5, of .3; "as" has another relation and two words are more than one: .5 / .8 and .3 / .8
    assert [option.node.lemma if option.node else None for option in options] == [None, "of"]
    assert [math.exp(option.logprob) for option in options] == pytest.approx([0.625, 0.375])
    assert word_options(_Choice(readings, [0.9, 0.05, 0.04, 0.01], 0), {}) == []


def test_many_words_that_are_hardly_probable_are_no_offer() -> None:
    readings = [Reading(), *(Reading((Word(f"w{i}", "ADP", "case"),)) for i in range(100))]
    assert word_options(_Choice(readings, [0.5, *[0.005] * 100], 0), {}) == []


def test_constraints_go_along() -> None:
    tree = as_deep(
        parse_tree("wait/VERB:root(_/PRON:nsubj#s[before=b] dog/NOUN:nsubj#a[before=b] cat/NOUN:obj#b[side=left])")
    )
    best = Inserter(model()).insert(tree).best
    dog, cat = (next(i for i, node in enumerate(best.nodes) if node.lemma == name) for name in ("dog", "cat"))
    assert best.constraints == (Before(dog, cat), Place(cat, "left"))


def test_words_of_a_group_vary_place_by_place() -> None:
    readings = [Reading(), Reading((OF, IN)), Reading((IN, IN)), Reading((AS,))]
    options = word_options(_Choice(readings, [0.1, 0.5, 0.3, 0.1], 1), {})
    names = [[option.node.lemma for option in each if option.node] for each in options]
    assert names == [["of", "in"], ["in"]]
    assert not same_shape(readings[1], readings[3])


def test_one_word_may_be_left_out() -> None:
    (options,) = word_options(_Choice([Reading(), Reading((OF,))], [0.4, 0.6], 1), {})
    assert [option.node is None for option in options] == [False, True]
