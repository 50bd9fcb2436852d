# ruff: noqa: E501 (a sentence of the table is one line)
"""The mapping of Penn dependencies to XTAG trees, on a handful of XTAG's trees and on the WSJ sample."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from fergus.core.bracketing import parse_bracketing
from fergus.core.tree import DependencyTree, Node, OrderedTree
from fergus.grammar.extract import extract
from fergus.grammar.frames import Coverage, XtagFrames, coverage, is_passive, is_xtag, view
from fergus.grammar.inventory import Grammar, LexicalEntry
from fergus.grammar.penn_categories import anchor_categories, phrase_symbols
from fergus.grammar.phrase_structure import elementary_tree
from fergus.grammar.readings import readings
from fergus.grammar.xtag import read_xtag

TREES = {
    "alphaNXN": ("", "(NP N:headp)"),
    "alphaNXNs": ("", "(NP_r N:headp S:substp)"),
    "alphaAXA": ("", "(AP A:headp)"),
    "alphaPXPnx": ("", "(PP P:headp NP:substp)"),
    "alphanx0V": ("Tnx0V", "(S_r NP_0:substp (VP V:headp))"),
    "alphanx0V-PRO": ("Tnx0V", "(S_r (NP_0:NA PRO) (VP V:headp))"),
    "alphaInx0V": ("Tnx0V", "(S_r (NP_0:NA ε) (VP V:headp))"),
    "alphaGnx0V-PRO": ("Tnx0V", "(NP_r (NP_0:NA PRO) (VP V:headp))"),
    "alphanx0Vnx1": ("Tnx0Vnx1", "(S_r NP_0:substp (VP V:headp NP_1:substp))"),
    "alphanx1V": ("Tnx0Vnx1", "(S_r NP_1:substp (VP V:headp))"),
    "alphanx1Vbynx0": ("Tnx0Vnx1", "(S_r NP_1:substp (VP V:headp (PP_0 (P_0 by) NP_0:substp)))"),
    "betaN0nx0Vnx1": (
        "Tnx0Vnx1", "(NP_r NP_f:footp (S_p NP_w:substp (S_r (NP_0 ε) (VP V:headp NP_1:substp))))"
    ),
    "alphanx0Vplnx1": ("Tnx0Vplnx1", "(S_r NP_0:substp (VP V:headp PL:headp NP_1:substp))"),
    "alphanx0lVN1": ("Tnx0lVN1", "(S_r NP_0:substp (VP V:headp (NP_1 N:headp)))"),
    "betanx0Vs1": ("Tnx0Vs1", "(S_r NP_0:substp (VP V:headp S_1:footp:NA))"),
    "alphanx0N1": ("Tnx0N1", "(S_r NP_0:substp (VP (V:NA ε_v) (NP_1 N:headp)))"),
    "betaspunxV": ("", "(S_r S_1:footp Punct:substp (S:NA NP:substp (VP V:headp)))"),
    "betapunxVpuvx": ("", "(VP_r Punct_1:substp (S:NA NP:substp (VP V:headp)) Punct_2:substp VP_f:footp)"),
    "betaDnx": ("", "(NP_r D:headp NP_f:footp:NA)"),
    "betaAn": ("", "(N_r A:headp N_f:footp:NA)"),
    "betaNn": ("", "(N_r N:headp N_f:footp:NA)"),
    "betanxPnx": ("", "(NP_r NP_f:footp:NA (PP P:headp NP:substp))"),
    "betavxPnx": ("", "(VP_r VP:footp:NA (PP P:headp NP:substp))"),
    "betaARBvx": ("", "(VP_r Ad:headp VP:footp:NA)"),
    "betaARBs": ("", "(S_r Ad:headp S:footp:NA)"),
    "betaARBnx": ("", "(NP_r Ad:headp NP_f:footp:NA)"),
    "betaVvx": ("", "(VP_r V:headp VP:footp:NA)"),
    "betaVs": ("", "(S_r V:headp S:footp:NA)"),
    "betaCOMPs": ("", "(S_c Comp:headp S_r:footp:NA)"),
    "betavxPs": ("", "(VP_r VP_f:footp (PP P:headp S:substp))"),
    "betanxGnx": ("", "(NP_r (D NP:substp G:headp) NP_f:footp)"),
    "betanx1CONJnx2": ("", "(NP NP_1:footp Conj:headp NP_2:substp)"),
    "betaCONJs": ("", "(S_c Conj:headp S_r:substp)"),
    "betasPU": ("", "(S_r S:footp Punct:headp)"),
    "betaPUsPU": ("", "(S_r Punct_1:headp S_f:footp Punct_2:headp)"),
    "alphaPu": ("", "Punct:headp"),
}  # fmt: skip
LEXICON = {
    "see": (LexicalEntry("Tnx0Vnx1", 0, "V"),),
    "think": (
        LexicalEntry("Tnx0Vs1", 0, "V"),
        LexicalEntry("betaspunxV", 0, "V"),
        LexicalEntry("Tnx0Vnx1", 0, "V"),
    ),
    "look": (LexicalEntry("Tnx0Vplnx1", 0, "V", ("up",)),),
    "take": (LexicalEntry("Tnx0lVN1", 0, "V", ("walk",)), LexicalEntry("Tnx0Vnx1", 0, "V")),
    "claim": (LexicalEntry("alphaNXNs", 0, "N"),),
    "``": (LexicalEntry("betaPUsPU", 0, "Punct", ("''",)),),
    "%s": (LexicalEntry("Tnx0V", 0, "V"), LexicalEntry("alphaNXN", 0, "N")),
}
MORPHOLOGY = {
    "saw": (("see", "V"),),
    "seen": (("see", "V"),),
    "thinks": (("think", "V"),),
    "took": (("take", "V"),),
}
XTAG = Grammar(
    {name: elementary_tree(name, parse_bracketing(text), family=family) for name, (family, text) in TREES.items()},
    LEXICON,
    morphology=MORPHOLOGY,
)
FRAMES = XtagFrames(XTAG)


def penn(text: str) -> OrderedTree:
    """Words as ``form/TAG/UPOS:relation>head`` in their order."""
    nodes, heads = [], []
    for word in text.split():
        labels, _, head = word.rpartition(">")
        rest, _, relation = labels.rpartition(":")
        form, tag, upos = rest.rsplit("/", 2)
        nodes.append(Node(form, xpos=tag, upos=upos, deprel=relation))
        heads.append(int(head) - 1)
    return OrderedTree(DependencyTree(tuple(nodes), tuple(heads)), tuple(range(len(nodes))))


def supertags(text: str) -> list[str]:
    return list(extract([penn(text)], frames=FRAMES).tagged[0].supertags)


CASES = [
    ("transitive", "He/PRP/PRON:SBJ>2 saw/VBD/VERB:root>0 the/DT/DET:DT>4 dog/NN/NOUN:OBJ>2 ././PUNCT:P>2",
     "alphaNXN alphanx0Vnx1 betaDnx alphaNXN betasPU"),
    ("passive with by", "It/PRP/PRON:SBJ>3 was/VBD/AUX:AUX>3 seen/VBN/VERB:root>0 by/IN/ADP:LGS>3 us/PRP/PRON:POBJ>4",
     "alphaNXN betaVvx alphanx1Vbynx0 alphaPXPnx alphaNXN"),
    ("perfect is active", "He/PRP/PRON:SBJ>3 has/VBZ/AUX:AUX>3 seen/VBN/VERB:root>0 it/PRP/PRON:OBJ>3",
     "alphaNXN betaVvx alphanx0Vnx1 alphaNXN"),
    ("complement clause", "He/PRP/PRON:SBJ>2 thinks/VBZ/VERB:root>0 that/IN/SCONJ:MARK>5 she/PRP/PRON:SBJ>5 slept/VBD/VERB:COMP>2",
     "alphaNXN betanx0Vs1 betaCOMPs alphaNXN alphanx0V"),
    ("the quotation comes first", "she/PRP/PRON:SBJ>2 slept/VBD/VERB:COMP>5 ,/,/PUNCT:P>5 he/PRP/PRON:SBJ>5 thinks/VBZ/VERB:root>0",
     "alphaNXN alphanx0V betaPUsPU alphaNXN betaspunxV"),
    ("particle", "He/PRP/PRON:SBJ>2 look/VBP/VERB:root>0 up/RP/ADP:PRT>2 words/NNS/NOUN:OBJ>2",
     "alphaNXN alphanx0Vplnx1 a.ADP alphaNXN"),
    ("light verb", "He/PRP/PRON:SBJ>2 took/VBD/VERB:root>0 a/DT/DET:DT>4 walk/NN/NOUN:OBJ>2",
     "alphaNXN alphanx0lVN1 betaDnx alphaNXN"),
    ("no light verb without its noun", "He/PRP/PRON:SBJ>2 took/VBD/VERB:root>0 a/DT/DET:DT>4 hat/NN/NOUN:OBJ>2",
     "alphaNXN alphanx0Vnx1 betaDnx alphaNXN"),
    ("predicate noun", "He/PRP/PRON:SBJ>4 is/VBZ/AUX:COP>4 a/DT/DET:DT>4 king/NN/NOUN:root>0",
     "alphaNXN betaVvx betaDnx alphanx0N1"),
    ("relative clause", "dogs/NNS/NOUN:root>0 who/WP/PRON:SBJ>3 saw/VBD/VERB:SBAR>1 it/PRP/PRON:OBJ>3",
     "alphaNXN alphaNXN betaN0nx0Vnx1 alphaNXN"),
    ("noun with a clause", "claim/NN/NOUN:root>0 that/IN/SCONJ:MARK>4 he/PRP/PRON:SBJ>4 slept/VBD/VERB:SBAR>1",
     "alphaNXNs betaCOMPs alphaNXN alphanx0V"),
    ("adverbs: before the subject S, behind it VP, before a determiner NP",
     "Now/RB/ADV:TMP>6 only/RB/ADV:RB>4 the/DT/DET:DT>4 king/NN/NOUN:SBJ>6 often/RB/ADV:TMP>6 slept/VBD/VERB:root>0",
     "betaARBs betaARBnx betaDnx alphaNXN betaARBvx alphanx0V"),
    ("question", "Has/VBZ/AUX:AUX>3 he/PRP/PRON:SBJ>3 slept/VBN/VERB:root>0 ?/./PUNCT:P>3",
     "betaVs alphaNXN alphanx0V betasPU"),
    ("prepositions", "king/NN/NOUN:SBJ>4 of/IN/ADP:PP>1 Spain/NNP/PROPN:POBJ>2 slept/VBD/VERB:root>0 in/IN/ADP:LOC>4 bed/NN/NOUN:POBJ>5",
     "alphaNXN betanxPnx alphaNXN alphanx0V betavxPnx alphaNXN"),
    ("coordination", "old/JJ/ADJ:JJ>2 kings/NNS/NOUN:root>0 and/CC/CCONJ:CC>2 stone/NN/NOUN:NN>5 beds/NNS/NOUN:CONJ>2",
     "betaAn alphaNXN betanx1CONJnx2 betaNn alphaNXN/conj"),
    ("possessor and apposition", "Ann/NNP/PROPN:POSS>3 's/POS/PART:POS>1 dog/NN/NOUN:root>0 Rex/NNP/PROPN:NP>3",
     "alphaNXN/poss betanxGnx/head alphaNXN alphaNXN/app"),
    ("adverbial clause", "But/CC/CCONJ:CC>3 he/PRP/PRON:SBJ>3 slept/VBD/VERB:root>0 because/IN/SCONJ:MARK>6 she/PRP/PRON:SBJ>6 slept/VBD/VERB:ADV>3",
     "betaCONJs alphaNXN alphanx0V betavxPs/head alphaNXN alphanx0V/adv"),
    ("imperative", "Sleep/VB/VERB:root>0", "alphaInx0V"),
    ("infinitive", "He/PRP/PRON:SBJ>2 thinks/VBZ/VERB:root>0 to/TO/PART:AUX>4 sleep/VB/VERB:COMP>2",
     "alphaNXN betanx0Vs1 betaVvx alphanx0V-PRO"),
    ("gerund", "of/IN/ADP:root>0 sleeping/VBG/VERB:PCOMP>1", "alphaPXPnx alphaGnx0V-PRO"),
    ("parenthetical", "she/PRP/PRON:SBJ>4 he/PRP/PRON:SBJ>3 thinks/VBZ/VERB:PRN>4 slept/VBD/VERB:root>0",
     "alphaNXN alphaNXN betapunxVpuvx alphanx0V"),
    ("quotes", "``/``/PUNCT:P>3 he/PRP/PRON:SBJ>3 slept/VBD/VERB:root>0 ''/''/PUNCT:P>3",
     "betaPUsPU alphaNXN alphanx0V betaPUsPU/close"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "tags"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_frames(text: str, tags: str) -> None:
    found = supertags(text)
    assert found == tags.split()


@pytest.mark.parametrize(
    ("text", "node", "tag"),
    [
        # The subject behind the verb: no tree here has such a slot.
        ("slept/VBD/VERB:root>0 he/PRP/PRON:SBJ>1", 0, "a.VERB(* SBJ)"),
        # A right-hand copula contradicts betaVvx, which stands on the left.
        ("what/WP/PRON:root>0 is/VBZ/AUX:COP>1", 1, "g.AUX"),
        ("Wow/UH/INTJ:root>0", 0, "a.INTJ"),
        ("?/?/WEIRD:root>0", 0, "a.WEIRD"),
    ],
)
def test_the_rest_falls_back(text: str, node: int, tag: str) -> None:
    assert supertags(text)[node] == tag


def test_trees_agree_with_the_order_seen() -> None:
    for _, text, _ in CASES:
        extraction = extract([penn(text)], frames=FRAMES)
        tagged = extraction.tagged[0]
        for node, attachment in enumerate(tagged.attachments):
            tree = extraction.grammar.tree(tagged.supertags[node])
            assert (tree.kind == "gamma") == (attachment.side is not None and attachment.slot is None)
            if tree.kind == "gamma" and tree.side:
                assert tree.side == attachment.side
            filled = [
                (a.slot, a.side) for d, a in enumerate(tagged.attachments)
                if tagged.ordered.tree.heads[d] == node and a.slot is not None
            ]  # fmt: skip
            sides = ["left"] * len(tree.left) + ["right"] * len(tree.right)
            assert sorted(filled) == list(enumerate(sides))


def test_coverage() -> None:
    trees = [penn(CASES[5][1]), penn("slept/VBD/VERB:root>0 he/PRP/PRON:SBJ>1")]
    found = coverage(extract(trees, frames=FRAMES))
    # The particle counts as its verb's co-anchor; the verb with the subject behind it does not.
    assert found == Coverage({"PRON": 2, "VERB": 1, "ADP": 1, "NOUN": 1}, {"PRON": 2, "VERB": 2, "ADP": 1, "NOUN": 1})
    assert found.share == pytest.approx(5 / 6)
    assert str(found).split("\n")[:2] == ["XTAG trees for 83.3% of 6 words", "  PRON    100.0% of      2"]
    assert Coverage({}, {}).share == 0


def test_passive() -> None:
    def first(text: str) -> bool:
        tree = penn(text)
        return is_passive(view(tree, range(len(tree.tree)), 0))

    assert first("seen/VBN/VERB:root>0")
    assert first("seen/VBN/VERB:root>0 has/VBZ/AUX:AUX>1 been/VBN/AUX:AUX>1")
    assert not first("seen/VBN/VERB:root>0 has/VBZ/AUX:AUX>1")
    assert not first("saw/VBD/VERB:root>0")


def test_categories_to_try() -> None:
    def categories(labels: str, mother: Node | None = None, **options: object) -> tuple[str, ...]:
        node = penn(labels + ">0").tree.nodes[0]
        return anchor_categories(node, "gamma", "right", mother, before_conjunct=bool(options))

    assert categories("if/IN/SCONJ:MARK", Node("go", deprel="COMP"))[0] == "Comp"
    assert categories("if/IN/SCONJ:MARK", Node("go", deprel="ADV"))[0] == "Mark"
    assert categories("when/WRB/ADV:WH")[0] == "Mark"
    assert categories("not/RB/PART:RB") == ("Ad",)
    assert categories("5/CD/NUM:CD") == ("N", "D")
    assert categories("its/PRP$/PRON:POSS") == ("D",)
    assert categories(",/,/PUNCT:P", x=1) == ("Conj", "Punct")
    assert categories(",/,/PUNCT:P") == ("Punct", "Conj")


@pytest.mark.parametrize(
    ("labels", "symbols"),
    [
        ("up/RP/ADP:PRT", ("PL",)),
        ("going/VBG/VERB:PCOMP", ("NP", "S")),
        ("go/VB/VERB:COMP", ("S", "NP")),
        ("done/VBN/VERB:PRD", ("S", "AP", "NP")),
        ("go/VB/VERB:OBJ", ("NP", "S")),
        ("red/JJ/ADJ:PRD", ("AP", "A")),
        ("red/JJ/ADJ:OBJ", ("NP", "AP", "A")),
        ("in/IN/ADP:CLR", ("PP", "NP")),
        ("here/RB/ADV:CLR", ("Ad", "PP", "AP", "NP")),
        ("king/NN/NOUN:PRD", ("NP", "AP")),
        ("king/NN/NOUN:SBJ", ("NP.s", "S.s")),
        ("go/VB/VERB:SBJ", ("S.s", "NP.s")),
        ("when/WRB/ADV:WH", ("PP.w", "NP.w")),
        ("who/WP/PRON:OBJ", ("NP.w", "NP")),
    ],
)
def test_slots_a_daughter_may_fill(labels: str, symbols: tuple[str, ...]) -> None:
    assert phrase_symbols(penn(labels + ">0").tree.nodes[0]) == symbols


@pytest.mark.data
def test_every_xtag_tree_can_be_read(data_dir: Path) -> None:
    grammar = read_xtag(data_dir / "xtag", lexicon=False)
    for tree in grammar.trees.values():
        for reading in readings(tree):
            assert len(reading.signature[0]) == len(reading.tree.left)
            assert len(reading.signature[1]) == len(reading.tree.right)
            assert is_xtag(reading.tree.name)


@pytest.mark.data
def test_coverage_of_the_wsj_sample(data_dir: Path) -> None:
    from fergus.treebank.bracketed import read_bracketed

    files = sorted((data_dir / "ptb-sample" / "treebank" / "combined").glob("*.mrg"))[:20]
    trees = [tree for file in files for tree in read_bracketed(io.BytesIO(file.read_bytes()), path=str(file))]
    extraction = extract(trees, frames=XtagFrames(read_xtag(data_dir / "xtag")))
    assert coverage(extraction).share > 0.85
    # Without the readings against XTAG's grain, which carry a suffix.
    names = [name for tagged in extraction.tagged for name in tagged.supertags]
    assert sum(is_xtag(name) and "/" not in name for name in names) / len(names) > 0.85
