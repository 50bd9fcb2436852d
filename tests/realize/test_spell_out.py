"""Words that labels name outright: learned from a treebank, put into trees by hand."""

from dataclasses import replace

import pytest

from fergus import parse_tree
from fergus.core.deep import DeepSentence
from fergus.core.tree import Before, DependencyTree, Node, OrderedTree, Place
from fergus.realize.insertion_readings import Word
from fergus.realize.learn_spell_out import ENOUGH, learn_spelled_out
from fergus.realize.spell_out import SpelledOut
from fergus.treebank.conllu import parse_conllu
from fergus.treebank.deep_conversion import deepened
from fergus.treebank.deep_relations import as_deep

NOT = Word("not", "PART", "advmod", (("Polarity", "Neg"),))
BY = Word("by", "ADP", "case")
OF_WHOM = Word("'s", "PART", "case")
AND = Word("and", "CCONJ", "cc")
HER = Word("her", "PRON", "nmod:poss", (("Gender", "Fem"), ("Poss", "Yes"), ("PronType", "Prs")))
ENGLISH = SpelledOut(
    (NOT,),
    {"agent": BY, "poss": OF_WHOM, "poss PRON": None, "poss PROPN": OF_WHOM},
    ("be",),
    ("what", "who"),
    AND,
    {"she": HER},
)

SEEN = """\
1	She	she	PRON	_	_	4	nsubj	_	_
2	did	do	AUX	_	Tense=Past|VerbForm=Fin	4	aux	_	_
3	not	not	PART	_	Polarity=Neg	4	advmod	_	_
4	come	come	VERB	_	VerbForm=Inf	0	root	_	_
"""
WRITTEN = """\
1	It	it	PRON	_	_	3	nsubj:pass	_	_
2	was	be	AUX	_	Tense=Past|VerbForm=Fin	3	aux:pass	_	_
3	written	write	VERB	_	VerbForm=Part	0	root	_	_
4	by	by	ADP	_	_	5	case	_	_
5	John	John	PROPN	_	_	3	obl:agent	_	_
"""
ASKED = """\
1	Did	do	AUX	_	Tense=Past|VerbForm=Fin	3	aux	_	_
2	she	she	PRON	_	_	3	nsubj	_	_
3	come	come	VERB	_	VerbForm=Inf	0	root	_	_
4	?	?	PUNCT	_	_	3	punct	_	_
"""
STATED = """\
1	Yes	yes	INTJ	_	_	3	discourse	_	_
2	she	she	PRON	_	_	3	nsubj	_	_
3	came	come	VERB	_	Tense=Past|VerbForm=Fin	0	root	_	_
4	?	?	PUNCT	_	_	3	punct	_	_
"""
IS_SHE = """\
1	Is	be	AUX	_	Tense=Pres|VerbForm=Fin	3	cop	_	_
2	she	she	PRON	_	_	3	nsubj	_	_
3	there	there	ADV	_	_	0	root	_	_
4	?	?	PUNCT	_	_	3	punct	_	_
"""
GELMEDI = """\
1	O	o	PRON	_	_	2	nsubj	_	_
2	gelmedi	gel	VERB	_	Polarity=Neg|Tense=Past	0	root	_	_
"""


def read(text: str) -> OrderedTree:
    (found,) = parse_conllu(text.splitlines(keepends=True))
    assert isinstance(found, OrderedTree)
    return found


def corpus(*texts: str, count: int = ENOUGH) -> list[DeepSentence]:
    return [deepened(read(text)) for text in texts for _ in range(count)]


def applied(notation: str, words: SpelledOut = ENGLISH) -> dict[str, tuple[str, str]]:
    """Of every word the lemma of its mother and its relation."""
    tree, markers = words.apply(as_deep(parse_tree(notation)))
    found = {
        node.lemma or "": (tree.nodes[head].lemma or "" if head >= 0 else "", node.deprel or "")
        for node, head in zip(tree.nodes, tree.heads, strict=True)
    }
    return found | {word.lemma: (tree.nodes[index].lemma or "", word.deprel) for index, word in markers.items()}


def test_negator_and_marker_are_learned() -> None:
    found = learn_spelled_out(corpus(SEEN, WRITTEN))
    assert found.negators == (NOT,)
    assert found.markers == {"agent": BY, "agent PROPN": BY}


def test_what_is_seldom_is_not_learned() -> None:
    assert learn_spelled_out(corpus(SEEN, WRITTEN, count=ENOUGH - 1)) == SpelledOut()


def test_a_relation_with_several_markers_names_none() -> None:
    other = WRITTEN.replace("by\tby", "of\tof")
    assert learn_spelled_out(corpus(WRITTEN, other)).markers == {}


def test_a_category_without_a_marker_has_none_where_others_do() -> None:
    pronoun = WRITTEN.replace("John\tJohn\tPROPN", "her\tshe\tPRON")
    pronoun = pronoun.replace("by\tby\tADP\t_\t_\t5\tcase", "so\tso\tADV\t_\t_\t3\tadvmod")
    found = learn_spelled_out([*corpus(WRITTEN, count=9 * ENOUGH), *corpus(pronoun)]).markers
    assert found == {"agent": BY, "agent PRON": None, "agent PROPN": BY}


def test_question_words_are_known_by_their_lemmas() -> None:
    asked = ASKED.replace("she\tshe\tPRON\t_\t_", "who\twho\tPRON\t_\tPronType=Int")
    assert learn_spelled_out(corpus(asked)).question_words == ("who",)
    tree = as_deep(parse_tree("buy/VERB:root[ClauseType=Int,Tense=Past](who/PRON:nsubj house/NOUN:obj)"))
    said, _ = ENGLISH.apply(tree)
    assert said.nodes[1].feats == (("PronType", "Int"),)
    assert not ENGLISH.needs_auxiliary(said, said.root)
    plain = as_deep(parse_tree("buy/VERB:root[Tense=Past](who/PRON:nsubj house/NOUN:obj)"))
    assert ENGLISH.apply(plain)[0].nodes[1].feats is None


def test_misspelt_words_are_learned_as_rightly_spelt() -> None:
    typo = WRITTEN.replace("by\tby\tADP\t_\t_", "bye\tby\tADP\t_\tTypo=Yes")
    assert learn_spelled_out(corpus(WRITTEN, typo)).markers["agent"] == BY


def test_verbs_that_inflect_for_negation_need_no_word() -> None:
    found = learn_spelled_out([*corpus(SEEN), *corpus(GELMEDI, count=2 * ENOUGH)])
    assert found.negators == ()
    tree = as_deep(parse_tree("gel/VERB:root[Polarity=Neg](o/PRON:nsubj)"))
    assert found.apply(tree)[0].nodes[0].feats == (("Polarity", "Neg"),)


def test_questions_take_an_auxiliary_where_most_of_them_do() -> None:
    assert learn_spelled_out(corpus(ASKED, IS_SHE)).asking == ("be",)
    assert learn_spelled_out(corpus(ASKED, STATED, IS_SHE)).asking == ()
    assert learn_spelled_out(corpus(IS_SHE)).asking == ()


def test_a_negated_verb_gets_its_negator() -> None:
    found = applied("buy/VERB:root[Polarity=Neg,Tense=Past](she/PRON:nsubj house/NOUN:obj)")
    assert found["not"] == ("buy", "A1INV")
    assert len(found) == 4


@pytest.mark.parametrize("given", ["not/PART:advmod", "never/ADV:advmod[Polarity=Neg]"])
def test_a_negator_that_is_there_is_not_put_in_again(given: str) -> None:
    found = applied(f"buy/VERB:root[Polarity=Neg](she/PRON:nsubj {given})")
    assert len(found) == 3


def test_an_ordinary_adverb_does_not_negate() -> None:
    found = applied("buy/VERB:root[Polarity=Neg](she/PRON:nsubj quickly/ADV:advmod)")
    assert found["not"] == ("buy", "A1INV")


def test_predicates_of_any_category_are_negated_and_nothing_else() -> None:
    assert "not" in applied("happy/ADJ:root[Polarity=Neg](she/PRON:nsubj)")
    for word in ("not/PART:advmod", "no/INTJ:discourse", "no/DET:det", "un/ADJ:amod"):
        assert len(applied(f"buy/VERB:root(she/PRON:nsubj {word}[Polarity=Neg])")) == 3


def test_relations_say_their_markers() -> None:
    found = applied("buy/VERB:root(house/NOUN:nsubj:pass company/NOUN:obl:agent(John/PROPN:nmod:poss))")
    assert found["by"] == ("company", "case")
    assert found["'s"] == ("John", "case")
    assert found["company"] == ("buy", "AM")
    assert found["John"] == ("company", "AM")


def test_a_marker_that_is_there_stays_alone() -> None:
    found = applied("buy/VERB:root(company/NOUN:obl:agent(through/ADP:case))")
    assert found["through"] == ("company", "case")
    assert "by" not in found


def test_pronouns_have_no_marker_of_possessors() -> None:
    assert len(applied("house/NOUN:root(my/PRON:nmod:poss)")) == 2


def test_personal_pronouns_become_possessive_ones() -> None:
    found = applied("see/VERB:root(she/PRON:nsubj house/NOUN:obj(she/PRON:nmod:poss))")
    assert found["she"] == ("see", "A1")
    assert found["her"] == ("house", "AM")
    tree, _ = ENGLISH.apply(as_deep(parse_tree("house/NOUN:root(she/PRON:nmod:poss)")))
    assert tree.nodes[1].feats == HER.feats
    assert "it" in applied("house/NOUN:root(it/PRON:nmod:poss)")


def test_possessive_pronouns_are_learned() -> None:
    feats = "Gender=Fem|{}PronType=Prs"
    owned = f"1\ther\ther\tPRON\t_\t{feats.format('Poss=Yes|')}\t2\tnmod:poss\t_\t_\n"
    owned += "2\tdog\tdog\tNOUN\t_\t_\t0\troot\t_\t_\n"
    own = SEEN.replace("PRON\t_\t_", f"PRON\t_\t{feats.format('')}")
    assert learn_spelled_out(corpus(owned, own)).possessives == {"she": HER}
    assert learn_spelled_out(corpus(owned, SEEN)).possessives == {}
    his = owned.replace("her\ther", "his\this")  # no gender: nobody knows whose
    assert learn_spelled_out(corpus(owned, his, own)).possessives == {}
    assert learn_spelled_out(corpus(*(text.replace("Gender=Fem|", "") for text in (owned, own)))).possessives == {}
    other = own.replace("Gender=Fem", "Gender=Masc")
    assert learn_spelled_out(corpus(owned, other)).possessives == {}


def test_without_anything_learned_only_subtypes_go() -> None:
    found = applied("buy/VERB:root[Polarity=Neg](company/NOUN:obl:agent)", SpelledOut())
    assert found == {"buy": ("", "ROOT"), "company": ("buy", "AM")}


@pytest.mark.parametrize(
    ("notation", "needs"),
    [
        ("buy/VERB:root[Tense=Past,ClauseType=Int](she/PRON:nsubj)", True),
        ("buy/VERB:root[Tense=Past,ClauseType=Dec](she/PRON:nsubj)", False),
        ("buy/VERB:root[Tense=Past](she/PRON:nsubj)", False),
        ("buy/VERB:root[Tense=Past,ClauseType=Int](house/NOUN:obj)", False),
        ("buy/VERB:root[Tense=Past,ClauseType=Int](who/PRON:nsubj[PronType=Int])", False),
        ("buy/VERB:root[Tense=Past,ClauseType=Int](company/NOUN:nsubj(which/DET:det[PronType=Int]))", False),
        ("be/VERB:root[Tense=Past,ClauseType=Int](she/PRON:nsubj)", False),
        ("buy/VERB:root[Tense=Fut,ClauseType=Int](she/PRON:nsubj)", False),
    ],
)
def test_which_questions_need_an_auxiliary(notation: str, needs: bool) -> None:
    tree = as_deep(parse_tree(notation))
    assert ENGLISH.needs_auxiliary(tree, tree.root) is needs
    assert not SpelledOut().needs_auxiliary(tree, tree.root)


def test_a_dropped_subject_is_none() -> None:
    feats = (("ClauseType", "Int"), ("Tense", "Past"))
    nodes = (Node("", "buy", "VERB", feats=feats, deprel="ROOT"), Node("", "_", "PRON", deprel="A1"))
    assert not ENGLISH.needs_auxiliary(DependencyTree(nodes, (-1, 0)), 0)


def test_conjuncts_are_joined_if_nothing_joins_them() -> None:
    found = applied("sing/VERB:root(girl/NOUN:nsubj(boy/NOUN:conj))")
    assert found["and"] == ("boy", "A2INV")
    assert found["boy"] == ("girl", "LIST")
    assert "and" not in applied("sing/VERB:root(girl/NOUN:nsubj(boy/NOUN:conj(or/CCONJ:cc)))")
    assert "and" not in applied("sing/VERB:root(girl/NOUN:nsubj(boy/NOUN:list))")
    joined = applied("sing/VERB:root(girl/NOUN:nsubj(boy/NOUN:conj dog/NOUN:conj))")
    assert joined["and"] == ("dog", "A2INV")
    assert joined == applied("sing/VERB:root(girl/NOUN:nsubj(dog/NOUN:conj boy/NOUN:conj))")


def test_the_conjunction_is_learned() -> None:
    joined = SEEN.replace("not\tnot\tPART\t_\tPolarity=Neg\t4\tadvmod", "and\tand\tCCONJ\t_\t_\t4\tcc")
    assert learn_spelled_out(corpus(joined)).coordinator == AND
    assert learn_spelled_out(corpus(joined, count=ENOUGH - 1)).coordinator is None


@pytest.mark.parametrize(
    ("notation", "pairs"),
    [
        ("happy/ADJ:root(be/AUX:cop[VerbForm=Fin] she/PRON:nsubj)", [(1, 2)]),
        ("go/VERB:root(will/AUX:aux[VerbForm=Fin] be/AUX:aux[VerbForm=Inf] she/PRON:nsubj)", [(1, 3), (3, 0), (3, 2)]),
        ("go/VERB:root(will/AUX:aux be/AUX:aux she/PRON:nsubj)", []),
        ("happy/ADJ:root(be/AUX:cop who/PRON:nsubj)", []),
        ("happy/ADJ:root(be/AUX:cop)", []),
        ("go/VERB:root(she/PRON:nsubj)", []),
    ],
)
def test_auxiliaries_of_questions_stand_before_subjects_and_these_before_verbs(
    notation: str, pairs: list[tuple[int, int]]
) -> None:
    tree = parse_tree(notation)
    assert ENGLISH.asked(tree).constraints == tuple(Before(*pair) for pair in pairs)
    assert SpelledOut().asked(tree) is tree


def test_other_auxiliaries_come_after_the_subject_and_negators_after_the_first() -> None:
    fin, negative = (("VerbForm", "Fin"),), Node("not", "not", "PART", deprel="A1INV")
    nodes = (
        Node("eaten", "eat", "VERB", deprel="ROOT"),
        Node("has", "have", "AUX", feats=fin, deprel="aux"),
        Node("been", "be", "AUX", deprel="aux:pass"),
        Node("it", "it", "PRON", deprel="A2"),
        replace(negative, feats=(("Polarity", "Neg"),)),
    )
    tree = DependencyTree(nodes, (-1, 0, 0, 0, 0))
    expected = (Before(1, 3), Before(3, 0), Before(3, 2), Before(1, 4))
    assert ENGLISH.asked(tree).constraints == expected
    # What the input says of a word stands alone.
    given = replace(tree, constraints=(Before(4, 2),))
    assert ENGLISH.asked(given).constraints == (Before(4, 2), Before(1, 3), Before(3, 0))


def test_the_order_of_a_question_that_the_input_knows_stays() -> None:
    tree = parse_tree("go/VERB:root(will/AUX:aux[VerbForm=Fin] she/PRON:nsubj)")
    for constraint in (Before(0, 2), Place(2, "right"), Before(2, 1)):
        given = replace(tree, constraints=(constraint,))
        assert ENGLISH.asked(given) is given


def test_passive_subjects_of_deep_trees_are_objects() -> None:
    nodes = (
        Node("", "build", "VERB", deprel="ROOT"),
        Node("", "be", "AUX", deprel="aux:pass"),
        Node("", "bridge", "NOUN", deprel="A2"),
    )
    assert ENGLISH.asked(DependencyTree(nodes, (-1, 0, 0))).constraints == (Before(1, 2), Before(2, 0))
    active = (nodes[0], Node("", "do", "AUX", deprel="aux"), nodes[2])
    assert ENGLISH.asked(DependencyTree(active, (-1, 0, 0))).constraints == ()


def test_it_is_stored_and_read() -> None:
    assert SpelledOut.from_json(ENGLISH.to_json()) == ENGLISH
    assert SpelledOut.from_json({}) == SpelledOut()
