from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.core.tree import OrderedTree
from fergus.errors import InputError
from fergus.treebank import ARGUMENTS, read_bracketed, read_trees, to_notation
from fergus.treebank.bracketed import parse_bracketed

FIGURE_2 = """\
( (S
    (NP-SBJ (EX There) )
    (VP (VBD was)
      (NP-PRD
        (NP (DT no) (NN cost) (NN estimate) )
        (PP (IN for)
          (NP (DT the) (JJ second) (NN phase) ))))
    (. .) ))
"""


def one(text: str) -> OrderedTree:
    (tree,) = read_bracketed(io.StringIO(text), path="w.mrg")
    return tree


def bare(text: str) -> str:
    return to_notation(one(text).tree.bare())


def labelled(text: str) -> str:
    return " ".join(f"{n.form}:{n.deprel}" for n in one(text).tree.nodes)


def test_figure_2() -> None:
    ordered = one(FIGURE_2)
    assert to_notation(ordered.tree.bare()) == "estimate(There was no cost for(phase(the second)) .)"
    assert " ".join(ordered.forms) == "There was no cost estimate for the second phase ."
    assert labelled(FIGURE_2) == (
        "There:SBJ was:COP no:DT cost:NN estimate:root for:PP the:DT second:JJ phase:POBJ .:P"
    )
    assert [n.upos for n in ordered.tree.nodes[:5]] == ["PRON", "AUX", "DET", "NOUN", "NOUN"]
    assert [n.xpos for n in ordered.tree.nodes[:3]] == ["EX", "VBD", "DT"]
    assert ordered.tree.source == "w.mrg:1"
    assert {n.lemma for n in ordered.tree.nodes} == {None}


# Each is one decision of the conversion: a bracketing and the tree it becomes.
@pytest.mark.parametrize(
    ("text", "tree"),
    [
        # auxiliaries, modals, to: daughters of the main verb
        (
            "(S (NP-SBJ (PRP it)) (VP (MD may) (VP (VB have) (VP (VBN been) (VP (VBN sold))))))",
            "sold(it may have been)",
        ),
        ("(VP (VBD wanted) (S (VP (TO to) (VP (VB go)))))", "wanted(go(to))"),
        # ... but not a main verb beside a verb phrase, nor an auxiliary left alone
        ("(VP (VBD left) (VP (VBG saying) (NP (NN nothing))))", "left(saying(nothing))"),
        ("(S (NP-SBJ (PRP she)) (VP (MD will) (VP (-NONE- *?*))))", "will(she)"),
        # predicates: adjective, preposition, noun; a clause is none
        ("(S (NP-SBJ (PRP it)) (VP (VBZ is) (ADJP-PRD (RB very) (JJ good))))", "good(it is very)"),
        (
            "(S (NP-SBJ (PRP it)) (VP (MD will) (VP (VB be) (PP-PRD (IN in) (NP (NNP Rome))))))",
            "in(it will be Rome)",
        ),
        ("(SQ (VBZ Is) (NP-SBJ (DT that)) (NP-PRD (NN wine)) (. ?))", "wine(Is that ?)"),
        ("(S (NP-SBJ (EX there)) (VP (VBZ is) (NP (NN hope))))", "hope(there is)"),
        ("(VP (VBZ is) (SBAR-PRD (IN that) (S (NP-SBJ (PRP it)) (VP (VBZ works)))))", "is(works(that it))"),
        ("(VP (VBD became) (NP-PRD (NN king)))", "became(king)"),
        ("(S (NP-SBJ (PRP him)) (NP-PRD (NN king)))", "king(him)"),
        # noun phrases
        (
            "(NP (NP (NNP Bush) (POS 's)) (JJ big) (NN tax) (NNS plans))",
            "plans(Bush('s) big tax)",
        ),
        ("(NP (NP (DT the) (NN firm) (POS 's)) (JJS latest))", "latest(firm(the 's))"),
        ("(NP (QP ($ $) (CD 5) (CD million)) (-NONE- *U*))", "$(5 million)"),
        ("(NP (QP (RBR more) (IN than) (CD 30)) (NNS years))", "years(30(more than))"),
        # relative clauses hang from the noun, headed by their verb
        (
            "(NP (NP (NNS men)) (SBAR (WHNP-1 (WP who)) (S (NP-SBJ (-NONE- *T*-1)) (VP (VBP smoke)))))",
            "men(smoke(who))",
        ),
        ("(NP (NP (NNS men)) (RRC (ADVP-TMP (RB once)) (VP (VBN seen) (NP (-NONE- *)))))", "men(seen(once))"),
        # coordination: the first conjunct
        ("(NP (NP (NNS cats)) (, ,) (NP (NNS dogs)) (CC and) (NP (NNS men)))", "cats(, dogs and men)"),
        ("(NP (DT the) (NNS cats) (CC and) (JJ old) (NNS dogs))", "cats(the and dogs(old))"),
        ("(NP (NN oil) (CC and) (NN gas) (NNS prices))", "prices(oil(and gas))"),
        ("(NP (DT a) (JJ new) (, ,) (JJ big) (CC and) (JJ red) (NN car))", "car(a new(, big and red))"),
        ("(NP (NNS cats) (, ,) (NNS dogs) (CC and) (NNS men))", "cats(, dogs and men)"),
        ("(NP (NN oil) (NN firm) (CC and) (NP (PRP$ its) (NNS banks)))", "firm(oil and banks(its))"),
        ("(NP (JJ new) (CC and) (VBN improved) (NN car))", "car(new and improved)"),
        ("(NP (CD two) (CC or) (CD three) (NNS men))", "men(two(or three))"),
        ("(NP (CC both) (NP (NNP A)) (CC and) (NP (NNP B)))", "A(both and B)"),
        ("(ADJP (JJ good) (CC and) (JJ cheap))", "good(and cheap)"),
        ("(VP (VP (VBD came)) (CC and) (VP (VBD went)))", "came(and went)"),
        ("(UCP (DT either) (ADVP (RB now)) (CC or) (PP (IN in) (NP (NN time))))", "now(either or in(time))"),
        # wh-words and complementizers
        (
            "(SBARQ (WHNP-1 (WP what)) (SQ (VBD did) (NP-SBJ (PRP he)) (VP (VB say) (NP (-NONE- *T*-1)))))",
            "say(what did he)",
        ),
        ("(SBAR (IN While) (S-ADV (NP-SBJ (PRP he)) (VP (VBD slept))))", "slept(While he)"),
        # quotations: the verb of saying is the head
        (
            "(S (S-TPC-1 (NP-SBJ (PRP I)) (VP (VBP do))) (, ,) (NP-SBJ (PRP he)) (VP (VBD said) "
            "(SBAR (-NONE- 0) (S (-NONE- *T*-1)))))",
            "said(do(I) , he)",
        ),
        # the rest
        ("(PP (CC plus) (NP (NN interest)))", "plus(interest)"),
        ("(ADVP (NP (CD two) (NNS years)) (RB ago))", "ago(years(two))"),
        ("(FRAG (RB Not) (NP-TMP (DT this) (NN year)) (. .))", "year(Not this .)"),
        ("(PRN (-LRB- -LRB-) (S (NP-SBJ (PRP he)) (VP (VBZ says))) (-RRB- -RRB-))", 'says("(" he ")")'),
        ("(ZZ (QQ odd) (RR thing))", "odd(thing)"),
        ("(INTJ (, ,) (: --))", ",(--)"),
        ("( (S (VP (VB Go)))\n  (. .) )", "Go(.)"),
        ("(UH Oh)", "Oh"),
        ("(NP (NN 1\\/2) (NN \\*))", '*("1/2")'),
    ],
)
def test_the_analysis(text: str, tree: str) -> None:
    assert bare(text) == tree
    assert one(text).is_projective


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        (
            "(S (NP-SBJ (PRP He)) (VP (VBD gave) (NP (PRP her)) (NP (DT a) (NN book)) (NP-TMP (NN today))))",
            "He:SBJ gave:root her:IOBJ a:DT book:OBJ today:TMP",
        ),
        (
            "(S (NP-SBJ-1 (PRP It)) (VP (VBD was) (VP (VBN seen) (NP (-NONE- *-1)) (PP (IN by) (NP-LGS (PRP us))))))",
            "It:SBJ was:AUX seen:root by:LGS us:POBJ",
        ),
        (
            "(NP (NP (NN man)) (SBAR (WHNP-1 (WP whom)) (S (NP-SBJ (PRP he)) (VP (VBD saw) (NP (-NONE- *T*-1))))))",
            "man:root whom:OBJ he:SBJ saw:SBAR",
        ),
        (
            "(S (S-TPC-1 (VP (VB Go))) (NP-SBJ (PRP he)) (VP (VBD said) (SBAR (-NONE- 0) (S (-NONE- *T*-1)))))",
            "Go:COMP he:SBJ said:root",
        ),
        ("(SBAR (WHADVP (WRB when)) (S (VP (VB Go))))", "when:WH Go:root"),
        ("(SBAR (IN if) (S (VP (VB Go))))", "if:MARK Go:root"),
        ("(S (S (VP (VB Go))) (: ;) (S (VP (VB run))))", "Go:root ;:P run:CONJ"),
        ("(NP (NP (NNP Al)) (, ,) (NP (DT the) (NN boss)))", "Al:root ,:P the:DT boss:NP"),
        ("(PP (IN without) (S-NOM (VP (VBG looking))))", "without:root looking:PCOMP"),
        ("(PP (RB just) (IN in) (NP (NN time)) (ADVP (RB now)))", "just:RB in:root time:POBJ now:ADVP"),
        ("(NP (PRP$ his) (VBG running) (NNS shoes))", "his:POSS running:VB shoes:root"),
        (
            "(VP (VBD put) (NP (PRP it)) (PP-PUT (RP on)) (PP-LOC-CLR (IN in)))",
            "put:root it:OBJ on:PUT in:CLR",
        ),
        ("(NP (NP (NN x)) (CC and) (NP (NN y)) (PP (IN of)))", "x:root and:CC y:CONJ of:PP"),
    ],
)
def test_relations(text: str, labels: str) -> None:
    assert labelled(text) == labels


def test_arguments_are_told_from_adjuncts_by_the_relation() -> None:
    assert {"SBJ", "OBJ", "CLR", "COMP", "POBJ"} <= ARGUMENTS
    assert not {"TMP", "LOC", "PP", "ADVP", "CONJ", "DT", "AUX"} & ARGUMENTS


def test_universal_tags_that_depend_on_the_place() -> None:
    text = (
        "(S (NP-SBJ (DT That)) (VP (VBD did) (RB n't) (VP (VB try) (S (VP (TO to) (VP (VB say) "
        "(SBAR (IN that) (S (NP-SBJ (DT the) (NN boss)) (VP (VBD went) (PP (TO to) (NP (NNP Rome)))))))))) "
        "(. .) (ZZ x)))"
    )
    found = [(n.form, n.upos) for n in one(text).tree.nodes]
    assert found == [
        ("That", "PRON"),
        ("did", "AUX"),
        ("n't", "PART"),
        ("try", "VERB"),
        ("to", "PART"),
        ("say", "VERB"),
        ("that", "SCONJ"),
        ("the", "DET"),
        ("boss", "NOUN"),
        ("went", "VERB"),
        ("to", "ADP"),
        ("Rome", "PROPN"),
        (".", "PUNCT"),
        ("x", "X"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "w:1: there is no tree in the input"),
        ("(S (NN a)\n  (NN b)", "w:1: the tree has more ( than ); close every bracket"),
        ("(S (NN a)))", "w:1: ) without (; write one tree as"),
        ("  (S\n   (NN a) b)", 'w:2: "b" has no tag of its own; write each word as (NN word)'),
        ("(NN a b)", 'w:1: "b" has no tag of its own'),
        ("( CC CC(NN a))", 'w:1: "CC" has no tag of its own; write each word as (NN word)'),
        ("(S (-NONE- *\n  (NN a)))", 'w:2: "*" has no tag of its own'),
        ("word", 'w:1: "word" stands outside of the brackets'),
        ("(S (NP (-NONE- *)))", "w:1: the tree has no words"),
        ("()", "w:1: the tree has no words"),
        ("(-NONE- *T*-1)", "w:1: the tree has no words"),
        ("(S (-NONE- *T*-1))", "w:1: the tree has no words"),
        ("(NN)", "w:1: the tree has no words"),
    ],
)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        list(read_bracketed(io.StringIO(text), path="w"))
    assert str(caught.value).startswith(message)


def test_after_an_error_reading_goes_on_at_the_next_tree() -> None:
    good = "(S\n  (VP (VB Go)))\n"
    text = f"{good}(S (VP (VB a)\n{good}  x)) junk\n  (VB y)\n{good}(S (NN \xff))\n  (NN x)\n{good}"
    results = list(parse_bracketed(io.BytesIO(text.encode("latin-1")), path="w"))
    assert [type(r) for r in results] == [
        OrderedTree,
        InputError,  # the tree of line 3 is still open on line 4
        OrderedTree,
        InputError,  # line 6: outside of the brackets
        OrderedTree,
        InputError,  # line 10: not UTF-8
        OrderedTree,
    ]
    assert str(results[1]).startswith("w:3: the tree is still open on line 4, where another one begins")
    assert [r.line for r in results if isinstance(r, InputError)] == [3, 6, 10]


def test_a_broken_stream() -> None:
    class Broken(io.RawIOBase):
        def read1(self, size: int) -> bytes:
            raise OSError("gone")

    assert isinstance(next(parse_bracketed(Broken())), InputError)


def test_ten_thousand_deep() -> None:
    text = "(VP (VB w) (S " * 5_000 + "(VP (VB w))" + "))" * 5_000
    assert len(one(text).tree) == 5_001


@given(st.lists(st.sampled_from(["(", ")", "(S ", "(NP", "(NN a)", " CC", "(CC and)", "(, ,)", "(VP ", "\n", " x"])))
def test_any_brackets_are_trees_or_input_errors(pieces: list[str]) -> None:
    for result in parse_bracketed(io.StringIO("".join(pieces))):
        assert isinstance(result, InputError) or result.is_projective


@pytest.mark.data
def test_the_whole_sample_is_projective(data_dir: Path) -> None:
    folder = data_dir / "ptb-sample" / "treebank" / "combined"
    trees = list(read_trees(folder))
    # 3,914 trees and 94,084 words: the figures of the sample without empty elements.
    assert len(trees) == 3_914
    assert sum(len(t.order) for t in trees) == 94_084
    assert all(t.is_projective for t in trees)
    roots = [t.tree.nodes[t.tree.root] for t in trees]
    assert sum(root.upos in ("VERB", "NOUN", "ADJ", "PROPN") for root in roots) > 0.95 * len(roots)
