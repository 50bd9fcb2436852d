"""Features that the input leaves open: learned from a tiny treebank of two clauses and what agrees in them."""

import math
from dataclasses import replace
from itertools import permutations

import pytest

from fergus import parse_tree
from fergus.core.tree import DependencyTree, OrderedTree
from fergus.errors import ModelError
from fergus.realize.agree import Agreement
from fergus.realize.agreement_model import agreement_from, agreement_section, written
from fergus.realize.learn_agreement import learn_agreement
from fergus.realize.model import Section
from fergus.realize.readings import Option
from fergus.treebank.conllu import parse_conllu

SINGULAR = "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin"
PLURAL = "Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin"
PAST = "Tense=Past|VerbForm=Part"
THIRD = "Case={}|Number=Plur|Person=3|PronType=Prs"
TREEBANK = f"""\
1	This	this	DET	_	Number=Sing|PronType=Dem	2	det	_	_
2	dog	dog	NOUN	_	Number=Sing	3	nsubj	_	_
3	sleeps	sleep	VERB	_	{SINGULAR}	0	root	_	_

1	These	this	DET	_	Number=Plur|PronType=Dem	2	det	_	_
2	dogs	dog	NOUN	_	Number=Plur	3	nsubj	_	_
3	sleep	sleep	VERB	_	{PLURAL}	0	root	_	_

1	They	they	PRON	_	{THIRD.format("Nom")}	3	nsubj	_	_
2	have	have	AUX	_	{PLURAL}	3	aux	_	_
3	seen	see	VERB	_	{PAST}	0	root	_	_
4	them	they	PRON	_	{THIRD.format("Acc")}	3	obj	_	_

1	The	the	DET	_	PronType=Art	2	det	_	_
2	cat	cat	NOUN	_	Number=Sing	4	nsubj	_	_
3	has	have	AUX	_	{SINGULAR}	4	aux	_	_
4	slept	sleep	VERB	_	{PAST}	0	root	_	_

1	Dogs	dog	NOUN	_	Number=Plur	3	nsubj	_	_
2	have	have	AUX	_	{PLURAL}	3	aux	_	_
3	slept	sleep	VERB	_	{PAST}	0	root	_	_

1	Two	two	NUM	_	NumType=Card	2	nummod	_	_
2	cats	cat	NOUN	_	Number=Plur	3	nsubj	_	_
3	sleep	sleep	VERB	_	{PLURAL}	0	root	_	_

"""
TYPO = f"""\
1	Dogs	dog	NOUN	_	Number=Plur	2	nsubj	_	_
2	sleeps	sleep	VERB	_	{SINGULAR}|Typo=Yes	0	root	_	_

"""


@pytest.fixture(scope="module")
def model() -> Agreement:
    return Agreement(learn_agreement(read(TREEBANK) * 5))


def read(text: str) -> list[OrderedTree]:
    found = list(parse_conllu(text.splitlines(keepends=True)))
    assert all(isinstance(item, OrderedTree) for item in found)
    return [item for item in found if isinstance(item, OrderedTree)]


def lemmas(notation: str) -> DependencyTree:
    tree = parse_tree(notation)
    return replace(tree, nodes=tuple(replace(node, form="", lemma=node.form) for node in tree.nodes))


def completed(model: Agreement, notation: str) -> dict[str, str]:
    """Of every word the features of its first set."""
    tree = lemmas(notation)
    found = model.complete(tree)
    best = [own[0].node for own in found]
    return {f"{node.lemma}:{node.deprel}": written(node.feats) for node in best if node}


@pytest.mark.parametrize(("number", "expected"), [("Sing", SINGULAR), ("Plur", PLURAL)], ids=["one", "several"])
def test_verbs_agree_with_subjects_and_determiners_with_nouns(model: Agreement, number: str, expected: str) -> None:
    found = completed(model, f"bark/VERB:root[Tense=Pres](cow/NOUN:nsubj[Number={number}](this/DET:det))")
    assert found["bark:root"] == expected
    assert found["this:det"] == f"Number={number}|PronType=Dem"
    assert found["cow:nsubj"] == f"Number={number}"


def test_auxiliaries_agree_and_tell_the_form_of_the_verb(model: Agreement) -> None:
    found = completed(model, "bark/VERB:root(have/AUX:aux cow/NOUN:nsubj[Number=Sing])")
    assert found["have:aux"] == SINGULAR
    assert found["bark:root"] == PAST


def test_pronouns_have_the_case_of_their_relation(model: Agreement) -> None:
    found = completed(model, "see/VERB:root[Tense=Pres](they/PRON:nsubj they/PRON:obj)")
    assert found["they:nsubj"] == THIRD.format("Nom")
    assert found["they:obj"] == THIRD.format("Acc")
    assert found["see:root"] == PLURAL


def test_numerals_and_determiners_tell_the_number_of_nouns(model: Agreement) -> None:
    assert completed(model, "cow/NOUN:nsubj(two/NUM:nummod)")["cow:nsubj"] == "Number=Plur"
    found = completed(model, "cow/NOUN:nsubj(this/DET:det[Number=Plur,PronType=Dem])")
    assert found["cow:nsubj"] == "Number=Plur"


def test_conjuncts_have_the_subject_of_the_first(model: Agreement) -> None:
    found = completed(model, "bark/VERB:root[Tense=Pres](cow/NOUN:nsubj[Number=Plur] eat/VERB:conj[Tense=Pres])")
    assert found["eat:conj"] == PLURAL


def test_what_is_given_stays_and_what_is_whole_is_not_touched(model: Agreement) -> None:
    tree = lemmas(f"bark/VERB:root[{PLURAL.replace('|', ',')}](cow/NOUN:nsubj[Number=Sing])")
    assert model.complete(tree) == [[Option(node, 0.0)] for node in tree.nodes]
    spoken = parse_tree("bark/VERB:root[Tense=Pres](cow/NOUN:nsubj)")
    assert model.complete(spoken) == [[Option(node, 0.0)] for node in spoken.nodes]


def test_features_that_nothing_has_are_left_alone(model: Agreement) -> None:
    tree = lemmas("bark/VERB:root[Tense=Fut](quickly/ADV:advmod)")
    assert model.complete(tree) == [[Option(node, 0.0)] for node in tree.nodes]


def test_several_sets_stay_with_probabilities_that_sum_to_one(model: Agreement) -> None:
    (options,) = model.complete(lemmas("bark/VERB:root[Tense=Pres]"))
    assert {written(option.node.feats) for option in options if option.node} == {SINGULAR, PLURAL}
    assert math.fsum(math.exp(option.logprob) for option in options) == pytest.approx(1.0)


@pytest.mark.parametrize(
    "notation",
    [
        "bark/VERB:root[Tense=Pres](have/AUX:aux this/DET:nsubj they/PRON:nsubj:outer cow/NOUN:obj(this/DET:det))",
        "bark/VERB:root[Tense=Pres](cow/NOUN:nsubj(this/DET:det the/DET:det) they/PRON:nsubj)",
        "sleep/VERB:root(have/AUX:aux cow/NOUN:nsubj(two/NUM:nummod one/NUM:nummod) they/PRON:obj)",
    ],
)
def test_the_order_of_the_input_does_not_matter(model: Agreement, notation: str) -> None:
    tree = lemmas(notation)
    expected = model.complete(tree)
    for permutation in permutations(range(len(tree))):
        found = model.complete(tree.permuted(permutation))
        assert [found[permutation.index(node)] for node in range(len(tree))] == expected


def test_subjects_of_relative_clauses_and_joined_subjects(model: Agreement) -> None:
    found = completed(
        model, "cow/NOUN:root[Number=Plur](bark/VERB:acl:relcl[Tense=Pres](that/PRON:nsubj[PronType=Rel]))"
    )
    assert found["bark:acl:relcl"] == PLURAL
    joined = "1\tDogs\tdog\tNOUN\t_\tNumber=Sing\t3\tnsubj\t_\t_\n2\tcats\tcat\tNOUN\t_\tNumber=Sing\t1\tconj\t_\t_\n"
    joined += f"3\tsleep\tsleep\tVERB\t_\t{PLURAL}\t0\troot\t_\t_\n\n"
    taught = Agreement(learn_agreement(read((TREEBANK + joined) * 5)))
    found = completed(taught, "bark/VERB:root[Tense=Pres](cow/NOUN:nsubj[Number=Sing](pig/NOUN:conj[Number=Sing]))")
    assert found["bark:root"] == PLURAL


def inserted(model: Agreement, notation: str, word: int, *shares: float, given: int = 1) -> dict[str, float]:
    """The options of an inserted word once it agrees: singular and plural with their shares, and no word."""
    tree = lemmas(notation)
    of_word = [replace(tree.nodes[word], feats=feats(text)) for text in (SINGULAR, PLURAL)]
    options = [[Option(node, 0.0)] for node in tree.nodes]
    options[word] = [Option(node, math.log(share)) for node, share in zip([*of_word, None], shares, strict=False)]
    found = model.agree(tree, options, tree.nodes[:given])
    assert [own for i, own in enumerate(found) if i != word] == [own for i, own in enumerate(options) if i != word]
    assert math.fsum(math.exp(option.logprob) for option in found[word]) == pytest.approx(1.0)
    return {written(option.node.feats) if option.node else "": math.exp(option.logprob) for option in found[word]}


def feats(text: str) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, _, value in (item.partition("=") for item in text.split("|")))


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        ("cow/NOUN:A1[Number=Plur]", PLURAL),
        ("cow/NOUN:nsubj[Number=Sing]", SINGULAR),
        ("they/PRON:A1[Case=Nom,Number=Plur,Person=3,PronType=Prs]", PLURAL),
        ("they/PRON:A1", PLURAL),
    ],
)
def test_inserted_words_agree_with_the_subject(model: Agreement, subject: str, expected: str) -> None:
    for shares in ((0.99, 0.01), (0.01, 0.99)):
        found = inserted(model, f"bark/VERB:ROOT({subject} have/AUX:aux)", 2, *shares, given=2)
        assert found == {expected: pytest.approx(1.0)}


def test_no_word_stays_as_probable_as_it_was(model: Agreement) -> None:
    found = inserted(model, "bark/VERB:ROOT(cow/NOUN:A1[Number=Plur] have/AUX:aux)", 2, 0.6, 0.1, 0.3, given=2)
    assert found == {PLURAL: pytest.approx(0.7), "": pytest.approx(0.3)}


@pytest.mark.parametrize(
    "notation",
    [
        "bark/VERB:ROOT(cow/NOUN:A2[Number=Plur] have/AUX:aux)",  # no subject
        "bark/VERB:ROOT(it/PRON:A1 have/AUX:aux)",  # none that is known
        "bark/VERB:ROOT[Number=Sing](cow/NOUN:A1[Number=Plur] have/AUX:aux)",  # the input says it
    ],
)
def test_without_a_known_subject_insertion_decides(model: Agreement, notation: str) -> None:
    found = inserted(model, notation, 2, 0.8, 0.2, given=2)
    assert found == {SINGULAR: pytest.approx(0.8), PLURAL: pytest.approx(0.2)}


def test_a_verb_below_one_whose_number_is_given_agrees(model: Agreement) -> None:
    tree = "say/VERB:ROOT[Number=Sing](bark/VERB:A2[Mood=Ind,Tense=Pres,VerbForm=Fin](cow/NOUN:A1[Number=Plur]))"
    assert set(inserted(model, tree, 1, 0.9, 0.1, given=3)) == {PLURAL}


def test_what_is_said_of_a_pronoun_is_not_overruled(model: Agreement) -> None:
    found = inserted(model, "bark/VERB:ROOT(they/PRON:A1[Number=Sing] have/AUX:aux)", 2, 0.9, 0.1, given=2)
    assert found == {SINGULAR: pytest.approx(0.9), PLURAL: pytest.approx(0.1)}


def test_nouns_with_gender_are_no_pronouns() -> None:
    taught = Agreement(learn_agreement(read(TREEBANK.replace("NOUN\t_\t", "NOUN\t_\tGender=Masc|") * 5)))
    found = inserted(taught, "bark/VERB:ROOT(cow/NOUN:A1[Gender=Masc,Number=Dual] have/AUX:aux)", 2, 0.5, 0.5, given=2)
    assert found == {SINGULAR: pytest.approx(0.5), PLURAL: pytest.approx(0.5)}


def test_clauses_are_no_subjects_to_agree_with(model: Agreement) -> None:
    found = inserted(model, "bark/VERB:ROOT(swim/VERB:A1[Number=Plur] have/AUX:aux)", 2, 0.5, 0.5, given=2)
    assert found == {SINGULAR: pytest.approx(0.5), PLURAL: pytest.approx(0.5)}


def test_passive_and_relative_clauses_of_deep_trees_have_subjects(model: Agreement) -> None:
    passive = "bark/VERB:ROOT(cow/NOUN:A2[Number=Plur] have/AUX:aux be/AUX:aux:pass)"
    assert set(inserted(model, passive, 2, 0.9, 0.1, given=2)) == {PLURAL}
    relative = "cow/NOUN:ROOT[Number=Plur](bark/VERB:A1INV(have/AUX:aux))"
    assert set(inserted(model, relative, 2, 0.9, 0.1, given=2)) == {PLURAL}


def test_nouns_by_themselves_are_as_they_mostly_are() -> None:
    one, several, *_ = read(TREEBANK)
    model = Agreement(learn_agreement([one] * 5 + [several] * 4))
    (cow,) = lemmas("cow/NOUN:nsubj").nodes
    assert written(model.usual(cow).feats) == "Number=Sing"
    assert written(Agreement(learn_agreement([one] * 4 + [several] * 5)).usual(cow).feats) == "Number=Plur"
    (plural,) = lemmas("cow/NOUN:nsubj[Number=Plur]").nodes
    assert model.usual(plural) is plural
    (verb,) = lemmas("bark/VERB:root").nodes
    assert model.usual(verb) is verb


def test_what_nobody_compares_is_not_compared() -> None:
    later = "1\tlater\tlate\tADV\t_\tDegree=Cmp\t0\troot\t_\t_\n\n"
    late = "1\tlate\tlate\tADV\t_\tDegree=Pos\t0\troot\t_\t_\n\n"
    taught = Agreement(learn_agreement(read(later * 9 + late * 2)))
    assert completed(taught, "late/ADV:advmod")["late:advmod"] == "Degree=Pos"
    assert completed(taught, "late/ADV:advmod[Degree=Cmp]")["late:advmod"] == "Degree=Cmp"


def test_misspelt_words_teach_nothing() -> None:
    found = learn_agreement(read(TREEBANK * 2 + TYPO * 9)).counts
    assert not any("Typo" in outcome for _, outcome, _ in found.events())


def test_it_is_stored_and_read(model: Agreement) -> None:
    assert agreement_from(agreement_section(model.model)).counts == model.model.counts
    with pytest.raises(ModelError):
        agreement_from(Section({}, {}))
