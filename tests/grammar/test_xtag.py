"""The XTAG reader, on a grammar of four trees in XTAG's own formats, and on the real one."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from fergus.core.supertag import Slot
from fergus.errors import InputError
from fergus.grammar.inventory import LexicalEntry
from fergus.grammar.storage import load, save
from fergus.grammar.xtag import read_bracketed, read_lisp, read_xtag

TREES = {
    "alphanx0V": "(S_r NP_0:substp (VP V:headp ) ) ",
    "betaDnx": "(NP_r D:headp NP_f:footp:NA ) ",
    "alphanx0Vpl": "(S_r NP_0:substp (VP V:headp PL:headp (NP_1:NA \x06 ) ) ) ",
    "alphaA": "A:headp ",
}
LISP = """("\x02nx0V" :COMMENTS "\\"John (sleeps\\"
" :UNIFICATION-EQUATIONS "
V.t:<mode> = ind
" :SHAPE NIL :STYLE (:DUTCH :BOLD))
 (((("S" . "r"))) (((("NP" . "0")) :substp T :constraints ""))  (((("VP" . ""))) (((("V" . "")) :headp T)) ) )
("\x03Dnx" :COMMENTS NIL)
 (((("NP" . "r"))) (((("D" . "")) :headp T)) (((("NP" . "f")) :footp T
 :constraints "NA" :constraint-type :NA)))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("bracketed", "grammar", "syntax", "morphology"):
        (tmp_path / name).mkdir()
    (tmp_path / "bracketed/treenames.dat").write_text("\n".join(TREES) + "\n")
    (tmp_path / "bracketed/xtag.trees.dat").write_text("\n".join(TREES.values()) + "\n")
    (tmp_path / "bracketed/treefams.dat").write_text("Tnx0V 1 alphanx0V\nTnx0Vpl 1 alphanx0Vpl\n")
    (tmp_path / "grammar/one.trees").write_text(LISP)
    (tmp_path / "syntax/syndefaults.dat").write_text("<<INDEX>>%s<<ENTRY>>%s<<POS>>V<<FAMILY>>Tnx0V\n")
    (tmp_path / "syntax/syntax-coded.flat").write_text(
        "<<INDEX>>give<<ENTRY>>give<<POS>>V<<ENTRY>>up<<POS>>PL<<FAMILY>>Tnx0Vpl\n\n"
        "<<INDEX>>the<<ENTRY>>the<<POS>>D1<<TREES>>\x03Dnx<<FEATURES>>#D_card-<<EXAMPLES>>the man\n"
    )
    (tmp_path / "morphology/trunc_morph.flat").write_text(
        "gave \t\tgive\tV PAST STR\nsleeps \t\tsleep\tN 3pl#sleep\tV 3sg PRES#sleep\tN x\n"
    )
    return tmp_path


def test_a_small_grammar(folder: Path) -> None:
    grammar = read_xtag(folder)
    assert list(grammar.trees) == sorted(TREES)
    assert grammar.tree("alphanx0V").left == (Slot("NP_0"),)
    assert grammar.tree("alphanx0Vpl").bracketing == "(S_r NP_0:substp (VP V:headp PL:headp (NP_1:NA ε)))"
    assert grammar.families == {"Tnx0V": ("alphanx0V",), "Tnx0Vpl": ("alphanx0Vpl",)}
    assert grammar.lexicon["give"] == (LexicalEntry("Tnx0Vpl", 0, "V", ("up",)),)
    assert grammar.lexicon["the"] == (LexicalEntry("betaDnx", 0, "D"),)
    assert grammar.by_word("%s") == {"alphanx0V": 0}
    assert grammar.by_form("gave") == {"alphanx0Vpl": 0}
    assert grammar.morphology["sleeps"] == (("sleep", "N"), ("sleep", "V"))
    assert not read_xtag(folder, lexicon=False).lexicon


def test_the_lisp_files(folder: Path) -> None:
    trees = list(read_lisp(folder))
    assert [tree.name for tree in trees] == ["alphanx0V", "betaDnx"]
    assert trees[0].equations == "V.t:<mode> = ind"
    assert trees[0].comments == '"John (sleeps"'
    bracketed = read_bracketed(folder)
    assert all(tree.phrase == bracketed[tree.name] for tree in trees)
    assert list(read_xtag(folder, source="grammar", lexicon=False).trees) == ["alphanx0V", "betaDnx"]


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (
            "bracketed/xtag.trees.dat",
            "VP V:headp )",
            "VP V:headp ",
            "xtag.trees.dat:1: tree alphanx0V: 1 bracket",
        ),
        (
            "bracketed/xtag.trees.dat",
            "A:headp \n",
            "",
            "xtag.trees.dat:3: 3 trees, but treenames.dat has 4 names",
        ),
        (
            "bracketed/treefams.dat",
            "1 alphanx0Vpl",
            "2 alphanx0Vpl",
            "treefams.dat:2: a family that is cut off",
        ),
        ("bracketed/treefams.dat", "Tnx0Vpl 1 alphanx0Vpl", "", "treefams.dat:2: a family that is cut off"),
        ("syntax/syntax-coded.flat", "<<POS>>V", "<<POZ>>V", "flat:1: unknown field 'POZ>>V'; known: INDEX"),
        ("syntax/syntax-coded.flat", "<<POS>>V", "<<POS", "flat:1: unknown field 'POS"),
        ("syntax/syntax-coded.flat", "<<FAMILY>>Tnx0Vpl", "", "flat:1: an entry that is cut off"),
        ("syntax/syntax-coded.flat", "\x03Dnx", "\x03Dn", "flat:3: 'the' names the tree or family 'betaDn'"),
        ("morphology/trunc_morph.flat", "\tV PAST STR", "", "flat:1: a form that cannot be read: 'gave"),
    ],
)
def test_broken_files(folder: Path, file: str, old: str, new: str, message: str) -> None:
    path = folder / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(InputError, match=message):
        read_xtag(folder)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (' (((("S" . "r")))', ' (((("S" . "r"))', "one.trees:5: the tree that begins here is not closed"),
        (":headp T)) ) )", ":headp T)) ) ))", "one.trees:5: a bracket closes"),
        ('"NA" :constraint', '"NA :constraint', "one.trees:8: a string that is not closed"),
        ('("\x02nx0V"', "(nx0V", "one.trees:1: a tree without a name"),
        ('(((("D" . ""))', '(((("D" ""))', "one.trees:7: a node that cannot be read"),
        ('("\x03Dnx" :COMMENTS NIL)\n', 'x ("\x03Dnx")', "one.trees:6: 'x' outside of any list"),
    ],
)
def test_broken_lisp(folder: Path, old: str, new: str, message: str) -> None:
    path = folder / "grammar/one.trees"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(InputError, match=message):
        list(read_lisp(folder))


def test_a_name_without_a_tree(folder: Path) -> None:
    (folder / "grammar/one.trees").write_text('("a")\n')
    with pytest.raises(InputError, match=r"one.trees:1: a name without a tree"):
        list(read_lisp(folder))


@pytest.mark.parametrize(
    "file",
    [
        "bracketed/treefams.dat", "bracketed/treenames.dat", "bracketed/xtag.trees.dat",
        "syntax/syntax-coded.flat", "syntax/syndefaults.dat", "morphology/trunc_morph.flat",
    ],
)  # fmt: skip
def test_missing_files(folder: Path, file: str) -> None:
    (folder / file).unlink()
    with pytest.raises(InputError, match=f"{file}: cannot be read: No such file"):
        read_xtag(folder)


def test_a_folder_without_trees(folder: Path) -> None:
    shutil.rmtree(folder / "grammar")
    with pytest.raises(InputError, match=r"no \*\.trees file; give the folder"):
        read_xtag(folder, source="grammar")


@pytest.mark.data
def test_the_whole_xtag_grammar_loads(data_dir: Path, tmp_path: Path) -> None:
    start = time.perf_counter()
    grammar = read_xtag(data_dir / "xtag")
    assert time.perf_counter() - start < 60
    statistics = grammar.statistics()
    assert (statistics.alpha + statistics.gamma, statistics.families) == (1226, 57)
    assert grammar.tree("alphanx0Vnx1").right == (Slot("NP_1"),)
    assert grammar.tree("betaDnx").side == "left"
    assert grammar.tree("alphanx0Vplnx1").co_anchors == ("PL",)
    assert ("be", "V") in grammar.morphology["was"]
    assert all(tree.category for tree in grammar.trees.values())
    # Every gamma tree has a foot, but betaCONJs, which XTAG itself gives a slot instead.
    assert {t.name for t in grammar.trees.values() if t.kind == "gamma" and not t.foot} == {"betaCONJs"}
    save(grammar, tmp_path / "xtag.grammar")
    assert load(tmp_path / "xtag.grammar") == grammar


@pytest.mark.data
def test_both_forms_of_every_xtag_tree_agree(data_dir: Path) -> None:
    lisp = {tree.name: tree.phrase for tree in read_lisp(data_dir / "xtag")}
    assert len(lisp) == 1226
    assert lisp == read_bracketed(data_dir / "xtag")
