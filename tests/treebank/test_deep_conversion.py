from __future__ import annotations

import io

import pytest

from fergus.core.deep import DeepSentence, is_dropped
from fergus.core.tree import ROOT, DependencyTree, Node, OrderedTree
from fergus.treebank import parse_tree, read_conllu
from fergus.treebank.deep_conversion import clause_type_of, deepened
from fergus.treebank.deep_relations import as_deep, deep_relations

FINITE = "Mood=Ind|Tense={}|VerbForm=Fin"


def read(text: str) -> OrderedTree:
    """A line a word: form, lemma, category, features, head, relation."""
    rows = []
    for number, line in enumerate(text.strip().splitlines(), 1):
        form, lemma, upos, feats, head, relation = line.split()
        rows.append("\t".join((str(number), form, lemma, upos, "_", feats, head, relation, "_", "_")))
    return next(read_conllu(io.BytesIO(("\n".join(rows) + "\n\n").encode())))


def deep(text: str) -> DeepSentence:
    return deepened(read(text))


def shown(sentence: DeepSentence) -> list[tuple[str | None, str | None, str]]:
    return [
        (node.lemma, node.deprel, "|".join(f"{name}={value}" for name, value in node.feats or ()))
        for node in sentence.deep.nodes
    ]


def test_articles_prepositions_and_auxiliaries_become_features() -> None:
    sentence = deep("""
        The the DET Definite=Def|PronType=Art 2 det
        members member NOUN Number=Plur 5 nsubj:pass
        should shall AUX Mood=Ind|Tense=Past|VerbForm=Fin 5 aux
        be be AUX VerbForm=Inf 5 aux:pass
        told tell VERB Tense=Past|VerbForm=Part 0 root
        of of ADP _ 8 case
        another another DET Definite=Ind|PronType=Art 8 det
        choice choice NOUN Number=Sing 5 obl
        ! ! PUNCT _ 5 punct
    """)
    assert shown(sentence) == [
        ("member", "A2", "Definite=Def|Number=Plur"),
        ("tell", "ROOT", "ClauseType=Exc|Mood=Nec|Tense=Pres"),
        ("another", "A1INV", "Definite=Ind|PronType=Art"),
        ("choice", "AM", "Number=Sing"),
    ]
    assert sentence.sources == (1, 4, 6, 7)
    assert sentence.absorbed == ((0,), (2, 3), (), (5,))


@pytest.mark.parametrize(
    ("chain", "verb", "expected"),
    [
        ([("has", "have", "aux", FINITE.format("Pres"))], "Tense=Past|VerbForm=Part", "Aspect=Perf|Tense=Pres"),
        ([("was", "be", "aux", FINITE.format("Past"))], "VerbForm=Ger", "Aspect=Prog|Tense=Past"),
        ([("is", "be", "aux:pass", FINITE.format("Pres"))], "Tense=Past|VerbForm=Part", "Tense=Pres"),
        ([("be", "be", "aux:pass", "VerbForm=Inf")], "Tense=Past|VerbForm=Part", "Tense=Past|Voice=Pass"),
        ([("will", "will", "aux", FINITE.format("Pres"))], "VerbForm=Inf", "Tense=Fut"),
        ([("would", "will", "aux", FINITE.format("Past"))], "VerbForm=Inf", "Mood=Cnd|Tense=Fut"),
        ([("would", "would", "aux", "VerbForm=Fin")], "VerbForm=Inf", "Mood=Cnd|Tense=Fut"),
        ([("can", "can", "aux", FINITE.format("Pres"))], "VerbForm=Inf", "Mood=Pot|Tense=Pres"),
        ([("sois", "être", "aux", "Mood=Imp|VerbForm=Fin")], "VerbForm=Inf", "Mood=Imp"),
        (
            [("has", "have", "aux", FINITE.format("Pres")), ("been", "be", "aux", "Tense=Past|VerbForm=Part")],
            "VerbForm=Ger",
            "Aspect=PerfProg|Tense=Pres",
        ),
    ],
)
def test_chains_of_auxiliaries(chain: list[tuple[str, str, str, str]], verb: str, expected: str) -> None:
    lines = ["she she PRON _ 2 nsubj", f"go go VERB {verb} 0 root"]
    lines += [f"{form} {lemma} AUX {feats} 2 {relation}" for form, lemma, relation, feats in chain]
    assert shown(deep("\n".join(lines)))[1] == ("go", "ROOT", expected)


def test_a_copula_gives_its_tense_and_a_question_is_one() -> None:
    sentence = deep("""
        Was be AUX Mood=Ind|Tense=Past|VerbForm=Fin 3 cop
        she she PRON Gender=Fem|Number=Sing 3 nsubj
        glad glad ADJ Degree=Pos|Number=Sing 0 root
        ? ? PUNCT _ 3 punct
    """)
    assert shown(sentence) == [("she", "A1", "Number=Sing"), ("glad", "ROOT", "ClauseType=Int|Degree=Pos|Tense=Past")]


def test_complementizers_of_arguments_and_relative_pronouns_are_left_out_others_kept() -> None:
    sentence = deep("""
        men man NOUN Number=Plur 6 nsubj
        who who PRON PronType=Rel 3 nsubj
        come come VERB Mood=Ind|Tense=Pres|VerbForm=Fin 1 acl:relcl
        if if SCONJ _ 5 mark
        asked ask VERB Tense=Past|VerbForm=Part 3 advcl
        say say VERB Mood=Ind|Tense=Pres|VerbForm=Fin 0 root
        that that SCONJ _ 9 mark
        they they PRON Number=Plur 9 nsubj
        want want VERB Mood=Ind|Tense=Pres|VerbForm=Fin 6 ccomp
        to to PART _ 11 mark
        stay stay VERB VerbForm=Inf 9 xcomp
    """)
    assert shown(sentence) == [
        ("man", "A1", "Number=Plur"),
        ("come", "A1INV", "Tense=Pres"),
        ("if", "A2INV", ""),
        ("ask", "AM", "Tense=Past"),
        ("say", "ROOT", "Tense=Pres"),
        ("they", "A1", "Number=Plur"),
        ("want", "A2", "Tense=Pres"),
        ("stay", "A2", ""),
    ]


def test_a_function_word_with_daughters_stays_and_its_fixed_parts_go() -> None:
    sentence = deep("""
        it it PRON _ 2 expl
        rains rain VERB _ 0 root
        because because ADP _ 6 case
        of of ADP _ 3 fixed
        the the DET Definite=Def 6 det
        wind wind NOUN _ 2 obl
    """)
    assert [row[:2] for row in shown(sentence)] == [("rain", "ROOT"), ("because", "A2INV"), ("wind", "AM")]
    assert sentence.absorbed == ((0,), (3,), (4,))


def test_a_finite_verb_without_a_subject_has_a_dropped_one() -> None:
    sentence = deep("""
        she she PRON _ 2 nsubj
        came come VERB Mood=Ind|Tense=Past|VerbForm=Fin 0 root
        and and CCONJ _ 4 cc
        goes go VERB Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin 2 conj
        stop stop VERB Mood=Imp|VerbForm=Fin 2 parataxis
        . . PUNCT _ 2 punct
    """)
    subject = sentence.deep.nodes[-1]
    assert is_dropped(subject)
    assert subject.feats == (("Gender", "-"), ("Number", "Sing"), ("Person", "3"), ("PronType", "Prs"))
    assert sentence.deep.heads[-1] == 3
    assert sentence.sources[-1] is None
    assert shown(sentence)[4] == ("stop", "PARATAXIS", "Mood=Imp")
    assert dict(sentence.deep.nodes[1].feats or ())["ClauseType"] == "Dec"


@pytest.mark.parametrize(
    ("verb", "others", "relation"),
    [
        ("VerbForm=Fin", "which/PRON:nsubj[PronType=Rel]", "A1INV"),
        ("", "which/PRON:nsubj[PronType=Rel]", "A2INV"),
        ("VerbForm=Fin", "which/PRON:nsubj:pass[PronType=Rel]", "A2INV"),
        ("VerbForm=Fin", "which/PRON:obj[PronType=Rel] she:nsubj", "A2INV"),
        ("VerbForm=Fin", "where/ADV:obl[PronType=Rel] she:nsubj", "AMINV"),
        ("VerbForm=Part", "", "A2INV"),
        ("VerbForm=Inf", "", "AM"),
        ("VerbForm=Ger", "", "A1INV"),
        ("VerbForm=Fin", "she:nsubj it:obj", "AMINV"),
        ("VerbForm=Fin", "she:nsubj", "A2INV"),
        ("VerbForm=Part", "she:nsubj", "A1INV"),
    ],
)
def test_what_a_noun_is_to_a_clause(verb: str, others: str, relation: str) -> None:
    attributes = f"[{verb}]" if verb else ""
    tree = parse_tree(f"man/NOUN:root(see/VERB:acl:relcl{attributes}({others}))" if others else
                      f"man/NOUN:root(see/VERB:acl{attributes})")  # fmt: skip
    found = deepened(OrderedTree(tree, tuple(range(len(tree)))))
    assert found.deep.nodes[1].deprel == relation


def test_objects_take_the_places_that_are_free() -> None:
    tree = parse_tree("give/VERB:root(she:nsubj him:iobj book:obj go:xcomp)")
    assert deep_relations(tree, [()] * 5) == ["ROOT", "A1", "A3", "A2", "AM"]
    tree = parse_tree("rule:root(concern/VERB:acl[VerbForm=Part](book:obj:agent))")
    assert deep_relations(tree, [()] * 3) == ["ROOT", "A2INV", "A3"]
    tree = parse_tree("tell:root(she:nsubj:pass go:xcomp word:unknown)")
    assert deep_relations(tree, [()] * 4) == ["ROOT", "A2", "A3", "DEP"]


def test_a_tree_that_a_person_wrote() -> None:
    tree = as_deep(parse_tree("buy/VERB:root[Tense=Past](John/PROPN:nsubj book/NOUN:obj[Definite=Def] now:AM)"))
    assert [(n.form, n.lemma, n.deprel) for n in tree.nodes] == [
        ("", "buy", "ROOT"),
        ("", "John", "A1"),
        ("", "book", "A2"),
        ("", "now", "AM"),
    ]
    assert tree.nodes[2].feats == (("Definite", "Def"),)


def test_function_words_that_a_person_wrote_keep_their_relations() -> None:
    tree = as_deep(parse_tree(
        "kill/VERB:root(be/AUX:aux:pass rain/NOUN:obl(because/ADP:case(of/ADP:fixed)) John/PROPN:nmod(of/ADP:case))"
    ))  # fmt: skip
    relations = {node.identifier or node.lemma: node.deprel for node in tree.nodes}
    assert relations == {"kill": "ROOT", "be": "aux:pass", "rain": "AM", "because": "A2INV", "of": "case", "John": "AM"}
    assert [node.deprel for node in tree.nodes if node.lemma == "of"] == ["fixed", "case"]


def test_a_word_without_lemma_keeps_its_form() -> None:
    tree = DependencyTree((Node("Go", upos="VERB", deprel="root"),), (-1,))
    assert deepened(OrderedTree(tree, (0,))).deep.nodes[0].lemma == "Go"


@pytest.mark.parametrize(
    ("end", "kind"),
    [
        (".", "Dec"), ("?", "Int"), ("!", "Exc"), (":", "Par"), ("....", "Dec"), ("!!", "Exc"), ("?!", "Int"),
        ("？", "Int"), ("。", "Dec"), (". )", "Dec"), ('? "', "Int"), (". :)", "Dec"),
        ("? .", "Int"), ("! ) .", "Dec"), (": .", "Par"), ("۔", "Dec"),
        ("", ""), (";", ""), (")", ""), (", )", ""), (":)", ""),
    ],
)  # fmt: skip
def test_the_mark_at_the_end_says_the_type_of_the_clause(end: str, kind: str) -> None:
    words = ["go", *end.split()]
    nodes = tuple(Node(word) for word in words)
    tree = DependencyTree(nodes, (ROOT, *[0] * (len(words) - 1)))
    assert clause_type_of(OrderedTree(tree, tuple(range(len(words))))) == kind


def test_a_word_whose_form_is_not_known_is_no_mark() -> None:
    nodes = (Node("go"), Node("", lemma="now"))
    assert clause_type_of(OrderedTree(DependencyTree(nodes, (ROOT, 0)), (0, 1))) == ""
