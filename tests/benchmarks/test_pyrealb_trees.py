from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest

from fergus.core.tree import Node, OrderedTree
from fergus.treebank.conllu import parse_conllu
from pyrealb_trees import converted
from pyrealb_words import LeftOutError, terminal

LEXICON = {
    "see": ["V"], "be": ["V", "N"], "can": ["V", "N"], "go": ["V"], "have": ["V"],
    "dog": ["N"], "cat": ["N"], "the": ["D"], "a": ["D"], "this": ["D", "Pro"], "big": ["A"], "good": ["A", "N"],
    "often": ["Adv"], "not": ["Adv"], "where": ["Adv"], "in": ["P", "Adv"], "and": ["C"], "that": ["Pro", "C"],
}  # fmt: skip


def tree(*rows: str) -> OrderedTree:
    """A sentence from FORM LEMMA UPOS FEATS HEAD DEPREL."""
    lines = []
    for number, row in enumerate(rows, 1):
        form, lemma, upos, feats, head, deprel = row.split()
        lines.append("\t".join((str(number), form, lemma, upos, "_", feats, head, deprel, "_", "_")))
    (found,) = parse_conllu(BytesIO(("\n".join(lines) + "\n\n").encode()))
    assert isinstance(found, OrderedTree)
    return found


def shown(expression: dict[str, Any]) -> str:
    """Pyrealb's own notation, for reading."""
    word = expression["terminal"]
    below = ", ".join(map(shown, expression["dependents"]))
    return (
        f"{expression['dependent']}({word['terminal']}({word['lemma']}){_options(word)}"
        f"{', ' if below else ''}{below}){_options(expression)}"
    )


def _options(part: dict[str, Any]) -> str:
    return "".join(f".{name}({value})" for name, value in part["props"].items())


SENTENCE = tree(
    "The the DET Definite=Def 2 det",
    "dog dog NOUN Number=Sing 3 nsubj",
    "saw see VERB Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin 0 root",
    "big big ADJ Degree=Cmp 5 amod",
    "cats cat NOUN Number=Plur 3 obj",
    "often often ADV _ 3 advmod",
    ". . PUNCT _ 3 punct",
)


def test_a_sentence_by_rules() -> None:
    assert shown(converted(SENTENCE.tree, LEXICON)) == (
        "root(V(see).t(ps).n(s).pe(3), subj(N(dog).n(s), det(D(the))), "
        "comp(N(cat).n(p), mod(A(big).f(co)).pos(pre)).pos(post), mod(Adv(often)))"
    )


def test_rules_do_not_look_at_the_order() -> None:
    # Nodes by relation are the same whatever their numbers are.
    reversed_tree = SENTENCE.tree.permuted(list(reversed(range(len(SENTENCE.tree)))))
    assert converted(reversed_tree, LEXICON) == converted(SENTENCE.tree, LEXICON)


def test_the_order_can_be_given() -> None:
    places = [3, 4, 2, 0, 1, 5, 6]  # big cats saw the dog often
    found = shown(converted(SENTENCE.tree, LEXICON, places=places))
    assert found == (
        "root(V(see).t(ps).n(s).pe(3), comp(N(cat).n(p), mod(A(big).f(co)).pos(pre)).pos(pre), "
        "subj(N(dog).n(s), det(D(the)).pos(pre)).pos(post), mod(Adv(often).pos(post)).pos(post))"
    )


def test_auxiliaries_follow_one_another_and_negation_comes_after_the_first() -> None:
    found = tree(
        "been be AUX Tense=Past|VerbForm=Part 5 aux:pass",
        "have have AUX VerbForm=Inf 5 aux",
        "not not PART Polarity=Neg 5 advmod",
        "could could AUX VerbForm=Fin 5 aux",
        "seen see VERB Tense=Past|VerbForm=Part 0 root",
    )
    assert shown(converted(found.tree, LEXICON)) == (
        "root(V(see).t(pp), mod(V(can).t(ps)).pos(pre), mod(Adv(not)).pos(pre), "
        "mod(V(have).t(b)).pos(pre), mod(V(be).t(pp)).pos(pre)).cap(False)"
    )


def test_questions_have_the_auxiliary_before_the_subject_and_the_asking_word_first() -> None:
    found = tree(
        "she she PRON Case=Nom|Gender=Fem|Number=Sing|Person=3|PronType=Prs 3 nsubj",
        "can can AUX VerbForm=Fin 3 aux",
        "go go VERB VerbForm=Inf 0 root",
        "where where ADV PronType=Int 3 advmod",
        "? ? PUNCT _ 3 punct",
    )
    assert shown(converted(found.tree, LEXICON)) == (
        "root(V(go).t(b), mod(Adv(where)).pos(pre), mod(V(can).t(p)).pos(pre), "
        "subj(Pro(me).pe(3).g(f).n(s).c(nom))).a(['?'])"
    )


def test_an_asking_root_is_first() -> None:
    found = tree(
        "are be AUX Number=Sing|Person=2|Tense=Pres|VerbForm=Fin 3 cop",
        "you you PRON Case=Nom|Person=2|PronType=Prs 3 nsubj",
        "where where ADV PronType=Int 0 root",
        "? ? PUNCT _ 3 punct",
    )
    assert shown(converted(found.tree, LEXICON)).startswith(
        "root(Adv(where), mod(V(be).t(p).n(s).pe(2)).pos(post), subj("
    )


def order(*rows: str) -> list[str]:
    """The words in the order and on the sides that the rules say, everything else being left out."""

    def words(expression: dict[str, Any]) -> list[str]:
        sides: dict[str, list[str]] = {"pre": [], "post": []}
        for one in expression["dependents"]:
            default = "pre" if one["dependent"] in ("subj", "det") else "post"
            sides[one["props"].get("pos", default)] += words(one)
        return [*sides["pre"], expression["terminal"]["lemma"], *sides["post"]]

    return words(converted(tree(*rows).tree, LEXICON))


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (
            [
                "to to PART _ 4 mark", "Ann Ann PROPN _ 4 nsubj", "that that SCONJ _ 4 mark",
                "go go VERB VerbForm=Inf 0 root",
            ],
            "that Ann to go",
        ),
        (
            [
                "show cat NOUN Number=Sing 0 root", "on in ADP _ 1 case",
                "is be AUX Number=Sing|Person=3|Tense=Pres|VerbForm=Fin 1 cop", "dog dog NOUN Number=Sing 1 nsubj",
            ],
            "dog be in cat",
        ),
        (
            [
                "see see VERB VerbForm=Inf 5 csubj", "to to PART _ 1 mark", "it it EXPL _ 5 expl",
                "is be AUX Number=Sing|Person=3|Tense=Pres|VerbForm=Fin 5 cop", "good good ADJ _ 0 root",
            ],
            "it be good to see",
        ),
        (["big big ADJ _ 2 amod", "something something PRON _ 0 root"], "something big"),
        (["5 5 NUM _ 2 nummod", "$ $ SYM _ 0 root"], "$ 5"),
        (["ago often ADV _ 0 root", "dog dog NOUN Number=Sing 1 obl:unmarked"], "dog often"),
        (["big big ADJ _ 0 root", "often often ADV _ 1 advmod"], "often big"),
        (
            [
                "cat cat NOUN Number=Sing 0 root", "go go VERB VerbForm=Inf 1 acl:relcl",
                "that that PRON PronType=Rel 2 obj", "Ann Ann PROPN _ 2 nsubj",
            ],
            "cat that Ann go",
        ),
    ],
)  # fmt: skip
def test_sides_and_ranks(rows: list[str], expected: str) -> None:
    assert " ".join(order(*rows)) == expected


def test_a_coordination_and_a_genitive() -> None:
    found = tree(
        "dog dog NOUN Number=Sing 3 nmod:poss",
        "'s 's PART _ 1 case",
        "cat cat NOUN Number=Sing 0 root",
        "and and CCONJ _ 5 cc",
        "Ann Ann PROPN Number=Sing 3 conj",
    )
    assert shown(converted(found.tree, LEXICON)) == (
        "coord(C(and), root(N(cat).n(s), mod(N(dog).n(s)).pos(pre).poss(True)), root(Q(Ann))).cap(False)"
    )
    at_the_word = shown(converted(found.tree, LEXICON, places=range(5)))
    assert "mod(N(dog).n(s).poss(True)).pos(pre)" in at_the_word


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (["Go go VERB Mood=Imp 0 root", ", , PUNCT _ 1 punct", "! ! PUNCT _ 1 punct"], "punctuation"),
        (["I I PRON Person=1|PronType=Prs 2 nsubj", "'ll will AUX VerbForm=Fin 0 root"], "contraction"),
        (["sees see VERB Typo=Yes 0 root"], "misspelt"),
        (["Zorg zorg VERB VerbForm=Inf 0 root"], "lexicon"),
        (["zorgs zorg NOUN Number=Plur 0 root"], "lexicon"),
        (["go go VERB VerbForm=Inf 0 root", "Ann Ann PROPN _ 1 vocative"], "vocative"),
        (["go go VERB VerbForm=Inf 0 root", "dog dog NOUN _ 1 clf"], "relation clf"),
        (["go go VERB VerbForm=Inf 0 root", "see see VERB VerbForm=Inf 1 conj"], "exactly one conjunction"),
        (
            ["go go VERB VerbForm=Inf 0 root", "see see VERB VerbForm=Inf 1 conj", "be be VERB VerbForm=Inf 1 conj"],
            "more than two",
        ),
    ],
)
def test_what_is_left_out(rows: list[str], why: str) -> None:
    with pytest.raises(LeftOutError, match=why):
        converted(tree(*rows).tree, LEXICON)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("my my PRON Number=Sing|Person=1|Poss=Yes|PronType=Prs 0 nmod:poss", "D(my).pe(1).ow(s)"),
        ("mine my PRON Number=Sing|Person=1|Poss=Yes|PronType=Prs 0 root", "Pro(mine).pe(1).ow(s)"),
        ("themselves themselves PRON Number=Plur|Person=3|PronType=Prs|Reflex=Yes 0 root", "Pro(myself).pe(3).n(p)"),
        ("us we PRON Case=Acc|Number=Plur|Person=1|PronType=Prs 0 root", "Pro(me).pe(1).n(p).c(acc)"),
        ("one one PRON PronType=Prs 0 root", "Q(one)"),
        ("these this DET Number=Plur 0 root", "D(this).n(p)"),
        ("going go VERB VerbForm=Ger 0 root", "V(go).t(pr)"),
        ("go go VERB Mood=Imp|VerbForm=Fin 0 root", "V(go).t(ip).pe(2)"),
        ("up up ADP _ 0 compound:prt", "Q(up)"),
        ("into into ADP _ 0 root", "Q(into)"),
        ("12 12 NUM _ 0 root", "Q(12)"),
        ("Cats cat PROPN Number=Plur 0 root", "N(cat).n(p)"),
    ],
)
def test_words(row: str, expected: str) -> None:
    form, lemma, upos, feats, _, deprel = row.split()
    pairs = tuple(pair.split("=") for pair in feats.split("|")) if feats != "_" else ()
    node = Node(form, lemma, upos, feats=tuple((name, value) for name, value in pairs), deprel=deprel)
    word = terminal(node, LEXICON)
    assert f"{word['terminal']}({word['lemma']}){_options(word)}" == expected
