from __future__ import annotations

import numpy as np
import pytest

from fergus.core.tree import DependencyTree, Node
from fergus.realize.given_words import GivenWords, places_of, readings_with, with_articles
from fergus.realize.insert import Inserted, Inserter, shares_auxiliaries
from fergus.realize.insertion_features import DeepTreeView
from fergus.realize.insertion_model import InsertionModel
from fergus.realize.insertion_readings import CASE, EXPLETIVE, FIXED, PREDICATE, Reading, Word
from fergus.realize.spell_out import SpelledOut
from fergus.treebank import parse_tree
from fergus.treebank.deep_relations import as_deep
from tests.realize.deep_sentences import FINITE, PARTICIPLE, PLURAL_FINITE, model

VERB = Node("", "bark", "VERB", deprel="ROOT")


def form_only(form: str) -> Node:
    return Node(form, upos="AUX", deprel="aux")


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
    # It stands where others do: as *have* it is finite, and the verb beside it a participle.
    assert found.options[1][0].node == Node("", "zork", "AUX", feats=FINITE, deprel="aux")
    assert found.tree.nodes[0].feats == PARTICIPLE


def test_more_auxiliaries_than_anybody_has_seen_stay_as_they_are() -> None:
    found = inserted("bark/VERB:root(will/AUX:aux have/AUX:aux dog/NOUN:nsubj)")
    assert lemmas(found) == ["bark", "dog", "have", "will"]
    assert [own[0].node for own in found.options[1:3]] == [
        Node("", "will", "AUX", deprel="aux"),
        Node("", "have", "AUX", deprel="aux"),
    ]


def test_an_expletive_has_no_function_words_of_its_own() -> None:
    found = inserted("bark/VERB:root[Tense=Pres](it/PRON:expl)")
    assert lemmas(found) == ["bark", "it"]


def test_the_order_of_the_input_says_nothing() -> None:
    words = ["have/AUX:aux", "have/AUX:aux[Tense=Pres]", "zork/AUX:aux", "dog/NOUN:nsubj", "at/ADP:case", "on/ADP:case"]
    found = [inserted(f"bark/VERB:root({' '.join(order)})").tree for order in (words, words[::-1])]
    given = [[tree.nodes[i].lemma for i in GivenWords.of(tree).words[0, PREDICATE]] for tree in found]
    assert given[0] == given[1] == ["have", "have", "zork"]
    forms = [GivenWords.of(DependencyTree((VERB, *map(form_only, order)), (-1, 0, 0))) for order in ("ab", "ba")]
    assert forms[0].words == {(0, PREDICATE): [1, 2]}
    assert forms[1].words == {(0, PREDICATE): [2, 1]}
    one, other = (sorted(map(str, tree.nodes)) for tree in found)
    assert one == other


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
INF, FIN = (("VerbForm", "Inf"),), (("VerbForm", "Fin"),)
PASSIVE = Word("be", "AUX", "aux:pass", (("VerbForm", "Fin"),))


def test_places_of_words_in_a_reading() -> None:
    be, will = Node("", "be", "AUX", deprel="cop"), Node("", "Will", "AUX", deprel="aux")
    assert places_of([be, will], Reading((WILL, TO_BE))) == [1, 0]
    assert places_of([be], Reading((WILL, TO_BE))) == [1]
    assert places_of([be, will], Reading((BE,))) == []
    assert places_of([be, be], Reading((BE,))) == []
    # One that nobody has seen takes the place of another of its kind, after those that are known.
    assert places_of([Node("", "zork", "AUX", deprel="aux"), be], Reading((WILL, TO_BE))) == [0, 1]


def test_words_of_which_more_is_said_choose_their_places_first() -> None:
    some, infinitive = Node("", "be", "AUX", deprel="cop"), Node("", "be", "AUX", feats=INF, deprel="cop")
    assert places_of([some, infinitive], Reading((TO_BE, BE))) == [1, 0]
    assert places_of([infinitive, some], Reading((BE, TO_BE))) == [1, 0]


READINGS = (
    Reading(),
    Reading((TO_BE,)),
    Reading((BE,)),
    Reading((WILL, TO_BE)),
    Reading((PASSIVE,)),
    Reading((WILL,)),
    Reading((PASSIVE,), FIN),
)


def found(
    words: list[Node], *, upos: str = "ADJ", finite: bool | None = None, feats: tuple[tuple[str, str], ...] = ()
) -> list[int]:
    future = {f"{PREDICATE}\t{category}\tFut\t\t\t\t": (3, 5) for category in ("ADJ", "VERB")}
    keys = {f"{PREDICATE}\t": tuple(range(7))} | future
    keys |= {f"{PREDICATE}\t{category}\t\t\t\t\t": (0, 1, 2, 4, 6) for category in ("ADJ", "VERB")}
    small = InsertionModel(READINGS, keys, {}, {}, np.zeros(2, np.float32))
    node = Node("", "red", upos, feats=feats or None)
    return [number for number, _ in readings_with(small, PREDICATE, node, words, finite=finite)]


def test_readings_have_the_words_and_more_only_if_more_is_said() -> None:
    be = Node("", "be", "AUX", deprel="cop")
    assert found([be]) == [1, 2]
    assert found([be], finite=False) == [1]  # *to be red*
    assert found([be], finite=True) == [2]  # *is red*
    assert found([be], finite=True, feats=(("Tense", "Fut"),)) == [3]  # *will be red*
    assert found([Node("", "be", "AUX", feats=INF, deprel="cop")], finite=True) == [1]  # what is said of it comes first
    assert found([Node("", "be", "AUX", feats=(("VerbForm", "Sup"),), deprel="cop")], finite=True) == [2]
    assert found([Node("", "be", "AUX", deprel="expl")]) == []


def test_predicates_that_are_no_verbs_have_a_copula() -> None:
    will = Node("", "will", "AUX", deprel="aux")
    assert found([will], feats=(("Tense", "Fut"),)) == [3]  # *will be red*, not *will red*
    assert found([will], upos="VERB", feats=(("Tense", "Fut"),)) == [5]


def test_an_auxiliary_without_a_subtype_is_the_passives_of_a_passive_verb() -> None:
    be, passive = Node("", "be", "AUX", deprel="aux"), (("Voice", "Pass"),)
    # Beside an auxiliary a finite verb (reading 6) is a slip.
    assert found([be], upos="VERB", feats=passive) == [4]
    assert found([Node("", "be", "AUX", deprel="aux:pass")], upos="VERB") == [4]


def test_articles_are_those_that_are_put_in() -> None:
    found = inserted("wait/VERB:root[Tense=Pres](dog/NOUN:nsubj[Definite=Def](the/DET:det))")
    assert lemmas(found) == ["dog", "the", "wait"]
    tree = as_deep(parse_tree("dog/NOUN:root(the/DET:det no/DET:det all/DET:det:predet)"))
    assert [node.deprel for node in with_articles(tree, model()).nodes] == ["ROOT", "det", "A1INV", "A1INV"]


def test_case_markers_are_asked_by_the_noun() -> None:
    tree = DependencyTree((Node("", "house", "NOUN", deprel="AM"), Node("", "in", "ADP", deprel="case")), (-1, 0))
    assert GivenWords.of(tree).words == {(0, CASE): [1]}
    assert GivenWords.of(DependencyTree((Node("", "in", "ADP", deprel="case"),), (-1,))).words == {}


def test_a_verb_that_is_joined_to_another_shares_its_auxiliary() -> None:
    tree = "bark/VERB:root[Tense=Pres,Aspect=Perf](have/AUX:aux dog/NOUN:nsubj[Number=Sing] wait/VERB:conj{})"
    assert inserted(tree.format("")).tree.nodes[3].feats == PARTICIPLE
    assert lemmas(inserted(tree.format(""))).count("have") == 1
    # With a subject of its own, or a tense, it has a chain of its own.
    for own, shares in (("", True), ("[Tense=Pres]", False), ("(cat/NOUN:nsubj[Number=Sing])", False)):
        deep, _ = SpelledOut().apply(as_deep(parse_tree(tree.format(own))))
        assert shares_auxiliaries(DeepTreeView(deep, {}), 3) is shares
