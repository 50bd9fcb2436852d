from __future__ import annotations

import numpy as np
import pytest

from fergus.core.tree import DependencyTree, Node
from fergus.realize.given_words import GivenWords, places, readings_with
from fergus.realize.insert import Inserted, Inserter
from fergus.realize.insertion_model import InsertionModel
from fergus.realize.insertion_readings import CASE, EXPLETIVE, FIXED, PREDICATE, Reading, Word
from fergus.treebank import parse_tree
from fergus.treebank.deep_relations import as_deep
from tests.realize.deep_sentences import FINITE, PARTICIPLE, PLURAL_FINITE, model


def inserted(tree: str) -> Inserted:
    return Inserter(model()).insert(as_deep(parse_tree(tree)))


def lemmas(found: Inserted) -> list[str | None]:
    return sorted(node.lemma or "" for node in found.best.nodes)


@pytest.mark.parametrize(("number", "agreeing"), [("Sing", FINITE), ("Plur", PLURAL_FINITE)])
def test_an_auxiliary_that_is_there_agrees_and_says_the_form_of_the_verb(number: str, agreeing: object) -> None:
    found = inserted(f"bark/VERB:root[Tense=Pres,Aspect=Perf](have/AUX:aux dog/NOUN:nsubj[Number={number}])")
    assert lemmas(found) == ["bark", "dog", "have"]
    assert found.tree.nodes[0].feats == PARTICIPLE
    assert found.tree.nodes[1] == Node("", "have", "AUX", feats=agreeing, deprel="aux")  # type: ignore[arg-type]


def test_what_is_not_there_is_still_inserted() -> None:
    found = inserted(
        "bark/VERB:root(have/AUX:aux dog/NOUN:nsubj[Number=Sing,Definite=Def] table/NOUN:obl[Number=Sing])"
    )
    assert lemmas(found) == ["bark", "dog", "have", "on", "table", "the"]


@pytest.mark.parametrize("preposition", ["in", "beneath"])
def test_a_preposition_that_is_there_stays_alone(preposition: str) -> None:
    # Things are always *on* the table in these sentences, and nobody has seen *beneath*.
    found = inserted(f"wait/VERB:root[Tense=Pres](dog/NOUN:nsubj table/NOUN:obl({preposition}/ADP:case))")
    assert lemmas(found) == sorted(["wait", "dog", "table", preposition])
    assert found.tree.nodes[3].deprel == "case"


def test_an_auxiliary_that_nobody_has_seen_stays_as_it_is() -> None:
    found = inserted("bark/VERB:root(zork/AUX:aux dog/NOUN:nsubj)")
    assert lemmas(found) == ["bark", "dog", "zork"]
    assert found.options[1][0].node == Node("", "zork", "AUX", deprel="aux")


def test_an_expletive_has_no_function_words_of_its_own() -> None:
    found = inserted("bark/VERB:root[Tense=Pres](it/PRON:expl)")
    assert lemmas(found) == ["bark", "it"]


def test_the_order_of_the_input_says_nothing() -> None:
    one = inserted("bark/VERB:root(have/AUX:aux will/AUX:aux dog/NOUN:nsubj)")
    other = inserted("bark/VERB:root(dog/NOUN:nsubj will/AUX:aux have/AUX:aux)")
    assert sorted(map(str, one.tree.nodes)) == sorted(map(str, other.tree.nodes))


def test_where_words_belong() -> None:
    tree = as_deep(parse_tree("go/VERB:root(be/AUX:aux it/PRON:expl rain/NOUN:obl(because/ADP:case(of/ADP:fixed)))"))
    given = GivenWords.of(tree)
    named = {
        (tree.nodes[head].lemma, slot): [tree.nodes[i].lemma for i in own] for (head, slot), own in given.words.items()
    }
    # A word with daughters is more than a function word: *because* is a node, whose slot *of* fills.
    assert named == {("go", PREDICATE): ["be"], ("go", EXPLETIVE): ["it"], ("because", FIXED): ["of"]}
    assert len(given.nodes) == 3


def test_the_tense_of_an_auxiliary_is_that_of_its_clause() -> None:
    def tense(tree: str) -> str | None:
        given = as_deep(parse_tree(tree))
        return dict(GivenWords.of(given).with_tenses(given).nodes[0].feats or ()).get("Tense")

    assert tense("red/ADJ:root(be/AUX:cop[Tense=Past])") == "Past"
    assert tense("red/ADJ:root[Tense=Fut](be/AUX:cop[Tense=Past])") == "Fut"
    assert tense("seen/VERB:root(be/AUX:aux[Tense=Past,VerbForm=Part])") is None
    assert tense("house/NOUN:root(in/ADP:case[Tense=Past])") is None


BE, WILL = Word("be", "AUX", "cop", (("VerbForm", "Fin"),)), Word("will", "AUX", "aux", (("VerbForm", "Fin"),))
TO_BE = Word("be", "AUX", "cop", (("VerbForm", "Inf"),))
PASSIVE = Word("be", "AUX", "aux:pass", (("VerbForm", "Fin"),))


def test_places_of_words_in_a_reading() -> None:
    be, will = Node("", "be", "AUX", deprel="cop"), Node("", "Will", "AUX", deprel="aux")
    assert places(Reading((WILL, TO_BE)), [be, will]) == [1, 0]
    assert places(Reading((WILL, TO_BE)), [be]) == [1]
    assert places(Reading((BE,)), [be, will]) == []
    assert places(Reading((BE,)), [be, be]) == []


def test_readings_have_the_words_and_more_only_if_more_is_said() -> None:
    readings = (Reading(), Reading((TO_BE,)), Reading((BE,)), Reading((WILL, TO_BE)), Reading((PASSIVE,)))
    general, future = f"{PREDICATE}\tADJ", f"{PREDICATE}\tADJ\tFut\t\t\t\t"
    keys = {f"{general}\t\t\t\t\t": (0, 1), general: (0, 1, 2, 3, 4), future: (3,)}
    small = InsertionModel(readings, keys, {}, {}, np.zeros(2, np.float32))
    be = Node("", "be", "AUX", deprel="cop")

    def found(words: list[Node], *, finite: bool, feats: tuple[tuple[str, str], ...] = ()) -> tuple[int, ...]:
        return readings_with(small, PREDICATE, Node("", "red", "ADJ", feats=feats or None), words, finite=finite)

    assert found([be], finite=False) == (1,)  # *to be red*
    assert found([be], finite=True) == (2,)  # with a subject: *is red*, though the special key has it not
    assert found([be], finite=True, feats=(("Tense", "Fut"),)) == (3,)  # *will be red*
    passive = Node("", "be", "AUX", deprel="aux")
    assert found([passive], finite=True) == (4,)  # a relation without its subtype, where there is no other
    inf = Node("", "be", "AUX", feats=(("VerbForm", "Inf"),), deprel="cop")
    assert found([inf], finite=True) == (1,)
    odd = Node("", "be", "AUX", feats=(("VerbForm", "Sup"),), deprel="cop")
    assert found([odd], finite=True) == (2,)
    assert found([Node("", "zork", "AUX", deprel="aux")], finite=True) == ()


def test_case_markers_are_asked_by_the_noun() -> None:
    tree = DependencyTree((Node("", "house", "NOUN", deprel="AM"), Node("", "in", "ADP", deprel="case")), (-1, 0))
    assert GivenWords.of(tree).words == {(0, CASE): [1]}
    assert GivenWords.of(DependencyTree((Node("", "in", "ADP", deprel="case"),), (-1,))).words == {}
