from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.core.tree import Before, Choice, DependencyTree, Node, OrderedTree, Place
from fergus.errors import InputError
from fergus.treebank import read_conllu, write_conllu
from fergus.treebank.conllu import parse_conllu, parse_feats
from tests.treebank.trees import texts, trees

SAW = """\
# sent_id = s1
# newpar
1\tI\tI\tPRON\tPRP\tNumber=Sing|Case=Nom\t2\tnsubj\t2:nsubj\t_
2\tsaw\tsee\tVERB\tVBD\tTense=Past\t0\troot\t0:root\tSpaceAfter=No
3\ther\tshe\tPRON\tPRP\t_\t2\tobj\t2:obj|4:x\t_

"""


def row(identifier: str, head: str, form: str = "w", misc: str = "_") -> str:
    return f"{identifier}\t{form}\t_\t_\t_\t_\t{head}\t_\t_\t{misc}\n"


def one(text: str) -> OrderedTree:
    (tree,) = read_conllu(io.BytesIO(text.encode()), path="a.conllu")
    return tree


def test_a_sentence() -> None:
    ordered = one(SAW)
    assert ordered.forms == ("I", "saw", "her")
    assert ordered.tree.heads == (1, -1, 1)
    case = (("Case", "Nom"), ("Number", "Sing"))
    assert ordered.tree.nodes[0] == Node("I", "I", "PRON", "PRP", case, "nsubj", None, "1")
    assert ordered.tree.nodes[1].misc == "SpaceAfter=No"
    assert ordered.tree.metadata == (("sent_id", "s1"), ("newpar", ""))
    assert ordered.tree.source == "a.conllu:1"
    assert hash(ordered.tree.nodes[0]) == hash(Node("I", "I", "PRON", "PRP", case, "nsubj", None, "1"))
    with pytest.raises(AttributeError):
        ordered.tree.nodes[0].form = "you"  # type: ignore[misc]


def test_written_and_read_again() -> None:
    ordered = one(SAW)
    text = write_conllu(ordered.tree, ordered.order)
    assert text == SAW.replace("2:nsubj", "_").replace("0:root", "_").replace("2:obj|4:x", "_").replace(
        "Number=Sing|Case=Nom", "Case=Nom|Number=Sing"
    )


def test_the_lines_may_come_in_any_order() -> None:
    comments, first, second, third = SAW.split("\n1", maxsplit=1)[0] + "\n", *SAW.split("\n")[2:5]
    shuffled = one("\n".join([comments.rstrip(), third, first, second]) + "\n\n")
    assert shuffled.forms == ("I", "saw", "her")
    assert [n.form for n in shuffled.tree.nodes] == ["her", "I", "saw"]
    assert write_conllu(shuffled.tree, shuffled.order) == write_conllu(one(SAW).tree, one(SAW).order)


def test_ids_decide_even_with_gaps() -> None:
    assert one(row("10", "7", "b") + row("7", "0", "a")).forms == ("a", "b")


def test_multiword_tokens_are_remembered_and_empty_nodes_passed_over() -> None:
    text = (
        "# text = I don't\n"
        + row("1", "3", "I")
        + "2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
        + row("2", "3", "do")
        + row("3", "0", "n't")
        + "3.1\tgo\tgo\tVERB\t_\t_\t_\t_\t1:x\tCopyOf=-1\n\n"
    )
    ordered = one(text)
    assert ordered.forms == ("I", "do", "n't")
    assert ordered.tree.metadata == (
        ("text", "I don't"),
        ("multiword 2-3", "don't"),
        ("multiword 2-3 misc", "SpaceAfter=No"),
    )
    assert write_conllu(ordered.tree, ordered.order) == text.replace(text.splitlines()[-2] + "\n", "")
    # In another order the words of the token no longer stand together, or start elsewhere.
    assert "don't\t" not in write_conllu(ordered.tree, (1, 0, 2))
    assert "\n1-2\tdon't\t" in write_conllu(ordered.tree, (1, 2, 0))


def test_metadata_that_only_looks_like_a_multiword_token() -> None:
    tree = DependencyTree((Node("a"),), (-1,), metadata=(("multiword x", "y"), ("multiword 5-9", "z")))
    assert write_conllu(tree, (0,)).startswith("# multiword x = y\n1\ta")


@pytest.mark.parametrize(
    ("form", "lemma", "expected"),
    [
        ("_", "_", ("_", "_")),  # both: an underscore
        ("_", "go", ("", "go")),  # only a lemma: the form is not known
        ("went", "_", ("went", None)),
        ("went", "", ("went", None)),
    ],
)
def test_underscores(form: str, lemma: str, expected: tuple[str, str | None]) -> None:
    node = one(f"1\t{form}\t{lemma}\t_\t\t_\t0\t_\t_\t_\n").tree.nodes[0]
    assert (node.form, node.lemma) == expected
    assert (node.upos, node.xpos, node.feats, node.deprel, node.misc) == (None, None, None, None, None)


def test_features() -> None:
    assert parse_feats("B=2|a=1|A=3||x") == (("A", "3"), ("B", "2"), ("a", "1"), ("x", ""))
    assert "\tA=3|a=1|B=2|x\t" in write_conllu(
        DependencyTree((Node("w", feats=parse_feats("B=2|a=1|A=3|x")),), (-1,)), (0,)
    )


def test_the_memory_of_features_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fergus.treebank.conllu._FEATS_CACHE_SIZE", 3)
    text = "".join(f"1\tw\t_\t_\t_\tA={n}\t0\t_\t_\t_\n\n" for n in range(9))
    found = [t.tree.nodes[0].feats for t in read_conllu(io.BytesIO(text.encode()))]
    assert found == [(("A", str(n)),) for n in range(9)]


def test_order_constraints_in_misc() -> None:
    ordered = one(
        row("1", "3", misc="SpaceAfter=No|Before=2|After=3")
        + row("2", "3", misc="Side=left|Rank=1")
        + row("3", "0", misc="_")
    )
    assert ordered.tree.constraints == (Before(0, 1), Before(2, 0), Place(1, "left", 1))
    assert [n.misc for n in ordered.tree.nodes] == ["SpaceAfter=No", None, None]
    again = one(write_conllu(ordered.tree, (2, 0, 1)))
    # The order 3 1 2 makes 0, 1, 2 out of the nodes 2, 0, 1.
    assert set(again.tree.constraints) == {Before(1, 2), Before(0, 1), Place(2, "left", 1)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "1\ta\n",
            "x:1: 2 columns where 10 are needed; separate the columns by single tabs, and write _ for none",
        ),
        ("# c\n" + row("a", "0"), 'x:2: the ID "a" is not a number; use 1, 2, 3, ..., 1-2 or 1.1'),
        (row("0", "0"), 'x:1: the ID "0" is not a number; use'),
        (row("٣", "0"), "x:1: the ID"),
        (row("01", "0"), "x:1: the ID"),
        (row("9" * 5000, "0"), "x:1: the ID"),
        (row("1", "0") + row("1", "1"), "x:2: the ID 1 was given before, on line 1; give every word its own"),
        (row("1", "x"), 'x:1: the head "x" is not a number; use the ID of a word, 1 to 1, or 0 for the root'),
        (row("1", "0") + row("2", "_"), 'x:2: the head "_" is not a number'),
        (row("1", "0") + row("2", "9"), 'x:2: the head "9" is not a word of this sentence; use the ID of'),
        (row("2", "0") + row("3", "9"), 'x:2: the head "9" is not a word of this sentence; use the ID of'),
        (row("1", "0") + row("2", "2"), 'x:2: word 2 ("w"): the word is its own head; give exactly one'),
        (row("1", "0") + row("2", "3") + row("3", "2"), 'x:2: word 2 ("w"): the node is its own ancestor'),
        (row("1", "0") + row("2", "0"), 'x:2: word 2 ("w"): the tree has two roots; give exactly one word'),
        (
            row("1", "2") + row("2", "1"),
            'x:1: word 1 ("w"): the sentence has no root, and the node is its own',
        ),
        ("1-2\tw" + "\t_" * 8 + "\n", "x:1: the sentence has no words"),
        ("1\t" + "\t_" * 4 + "\t0" + "\t_" * 3 + "\n", 'x:1: the FORM "" is empty or has a line break in it'),
        (row("1", "0", "a\u2028b"), "x:1: the FORM"),
        ("", "x:1: there is no sentence in the input; give CoNLL-U"),
        ("\n \n# only = this\n\n", "x:1: there is no sentence in the input"),
        (row("1", "0", misc="Before=7"), "x:1: the constraint before=7 names no node of this tree; name"),
        (row("1", "0", misc="After=1"), "x:1: the constraint after=1 names the node itself"),
        (row("1", "0", misc="Side=left"), "x:1: the root has no head to stand beside"),
        (row("1", "0") + row("2", "1", misc="Side=up"), 'x:2: "up" is no side; use left or right'),
        (row("1", "0") + row("2", "1", misc="Rank=1"), "x:2: a rank without a side; add the side"),
        (row("1", "0") + row("2", "1", misc="Side=left|Rank=0"), 'x:2: "0" is no rank; use 1 for the'),
        (row("1", "0") + row("2", "1", misc="Side=left|Side=right"), "x:2: a node has two sides"),
        (row("1", "0") + row("2", "1", misc="Side=left|Rank=1|Rank=2"), "x:2: a node has two ranks"),
    ],
)
def test_errors_name_the_line_and_the_rest_goes_on(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        list(read_conllu(io.BytesIO(text.encode()), path="x"))
    assert str(caught.value).startswith(message)
    errors: list[InputError] = []
    goes_on = read_conllu(io.BytesIO(f"{SAW}{text}\n\n{SAW}".encode()), path="x", on_error=errors.append)
    assert [t.forms[0] for t in goes_on] == ["I", "I"]
    assert len(errors) == ("there is no sentence" not in message)


def test_a_bad_byte_or_a_long_line_spoils_only_its_sentence() -> None:
    bad = SAW.encode().replace(b"saw", b"s\xffw")
    long = b"#" + b"x" * 3_000_000 + b"\n" + SAW.encode()
    results = list(parse_conllu(io.BytesIO(SAW.encode() + bad + SAW.encode() + long + SAW.encode()), path="x"))
    assert [type(r) for r in results] == [OrderedTree, InputError, OrderedTree, InputError, OrderedTree]
    assert str(results[1]).startswith("x:10: byte 4 of the line (0xff)")
    assert str(results[3]).startswith("x:19: the line is longer than")
    last = results[4]
    assert isinstance(last, OrderedTree)
    assert last.tree.source == "x:26"


def test_spaces_count_as_an_empty_line_and_a_late_comment_as_a_comment() -> None:
    text = row("1", "0") + "  \n" + row("1", "0") + "# late = 1\n" + row("2", "1")
    first, second = read_conllu(io.BytesIO(text.encode()))
    assert (len(first.tree), len(second.tree)) == (1, 2)
    assert second.tree.metadata == (("late", "1"),)


def test_a_broken_stream_ends_with_an_error() -> None:
    class Broken(io.RawIOBase):
        def read1(self, size: int) -> bytes:
            raise OSError("gone")

    (error,) = parse_conllu(Broken(), path="x")
    assert isinstance(error, InputError)


def test_ten_thousand_words_in_a_chain() -> None:
    text = "".join(row(str(n), str(n - 1)) for n in range(1, 10_001))
    ordered = one(text)
    assert len(ordered.tree) == 10_000
    assert one(write_conllu(ordered.tree, ordered.order)).tree.heads == ordered.tree.heads


WORDS = texts().filter(lambda s: s != "_" and not s.isspace() and s.strip() == s and s.splitlines() == [s])


CHOICE = "1\t{}\t{}\tVERB\t_\t_\t0\troot\t_\t{}\n\n"


def test_words_to_choose_from() -> None:
    (node,) = one(CHOICE.format("_", "_", "X=y|Alternatives=buy:3,take%20over,%25%2C%C3%A9|Z=1")).tree.nodes
    assert (node.form, node.lemma, node.misc) == ("", None, "X=y|Z=1")
    assert node.alternatives == (Choice("buy", 3), Choice("take over"), Choice("%,é"))
    text = write_conllu(DependencyTree((node,), (-1,)), [0])
    assert text == CHOICE.format("_", "_", "X=y|Z=1|Alternatives=buy:3,take%20over,%25%2Cé")
    # Of a word that is there, or of another key, it says something else.
    for form, lemma, misc in (
        ("bought", "_", "Alternatives=buy"),
        ("_", "buy", "Alternatives=,"),
        ("_", "_", "NoAlternatives=a"),
    ):
        (node,) = one(CHOICE.format(form, lemma, misc)).tree.nodes
        assert (node.alternatives, node.misc) == ((), misc)


@pytest.mark.parametrize(
    ("misc", "problem"),
    [
        ("", "an alternative is empty"),
        ("a,,b", "an alternative is empty"),
        ("a,b,a", 'the alternative "a" is given twice'),
        ("a:0,b", 'the weight of "a" is no number above 0'),
        ("a:,b", 'the weight of "a" is no number above 0'),
        ("a%FF", '"%FF" is no escaped character'),
        ("a%0A", "an alternative is empty or has a line break in it"),
    ],
)
def test_bad_words_to_choose_from(misc: str, problem: str) -> None:
    with pytest.raises(InputError, match=f"1: {problem}"):
        one(CHOICE.format("_", "_", f"Alternatives={misc}"))


@given(
    trees(words=WORDS.filter(lambda s: "=" not in s and "|" not in s), ids=True),
    st.randoms(use_true_random=False),
)
def test_round_trip(tree: DependencyTree, random: Random) -> None:
    order = list(range(len(tree)))
    random.shuffle(order)
    again = one(write_conllu(tree, order))
    moved = tree.permuted(order)
    expected = tuple(replace(n, identifier=str(i)) for i, n in enumerate(moved.nodes, 1))
    assert again.tree.nodes == expected
    assert again.tree.heads == moved.heads
    assert set(again.tree.constraints) == set(moved.constraints)


@given(st.lists(st.sampled_from([*SAW.splitlines(keepends=True), "\n", "1\t2\n", "x", "\t", "\xff", "3-1\t"])))
def test_pieces_of_conllu_give_trees_or_input_errors(pieces: list[str]) -> None:
    for result in parse_conllu(io.BytesIO("".join(pieces).encode("latin-1"))):
        assert isinstance(result, OrderedTree | InputError)


@pytest.mark.data
@pytest.mark.parametrize(("name", "sentences"), [("en_ewt-dev", 2001), ("tr_imst-dev", 1100)])
def test_treebanks_survive_the_round_trip(data_dir: Path, name: str, sentences: int) -> None:
    with (data_dir / "ud" / f"{name}.conllu").open("rb") as stream:
        read = list(read_conllu(stream))
    assert len(read) == sentences
    text = "".join(write_conllu(t.tree, t.order) for t in read)
    for before, after in zip(read, read_conllu(io.BytesIO(text.encode())), strict=True):
        assert (after.tree.nodes, after.tree.heads, after.order) == (
            before.tree.nodes,
            before.tree.heads,
            before.order,
        )
        assert sorted(after.tree.metadata) == sorted(before.tree.metadata)
