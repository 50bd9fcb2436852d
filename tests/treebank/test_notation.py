from __future__ import annotations

import io
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.core.tree import Before, Choice, DependencyTree, Node, OrderedTree, Place
from fergus.errors import InputError
from fergus.treebank import parse_tree, read_notation, to_notation
from fergus.treebank.notation import parse_notation
from tests.treebank.trees import FIGURE_2, canonical, texts, trees


def test_figure_2() -> None:
    tree = parse_tree(FIGURE_2)
    assert " ".join(n.form for n in tree.nodes) == "estimate there was no cost for phase the second"
    assert tree.heads == (-1, 0, 0, 0, 0, 0, 5, 6, 6)
    assert to_notation(tree) == FIGURE_2


def test_labels_are_optional_node_by_node() -> None:
    tree = parse_tree('saw/VERB:root[lemma=see,xpos=VBD,Tense=Past](I/PRON her:obj "New York":nsubj:pass)')
    assert tree.nodes == (
        Node("saw", "see", "VERB", "VBD", (("Tense", "Past"),), "root"),
        Node("I", upos="PRON"),
        Node("her", deprel="obj"),
        Node("New York", deprel="nsubj:pass"),
    )


def test_punctuation_is_bare_where_it_can_be() -> None:
    text = "is(it , . ? ! 's n't $ % & `` '' -- 9,5 a=b)"
    assert [n.form for n in parse_tree(text).nodes[1:]] == text[3:-1].split()
    assert to_notation(parse_tree(text)) == text


def test_quotes_and_escapes() -> None:
    tree = parse_tree(r'"/"/":":"a b"("(" "\"" "\\" "#"/"#")')
    assert [n.form for n in tree.nodes] == ["/", "(", '"', "\\", "#"]
    assert (tree.nodes[0].upos, tree.nodes[0].deprel) == (":", "a b")
    assert canonical(parse_tree(to_notation(tree))) == canonical(tree)
    assert parse_tree(r'a[lemma="\n\t\r"]').nodes[0].lemma == "\n\t\r"


def test_words_to_choose_from() -> None:
    text = '{buy=3|purchase|"take over"}/VERB:root#v[Tense=Past]( { firm | company = .5 }:obj it{b|c} )'
    tree = parse_tree(text)
    assert tree.nodes == (
        Node(
            "",
            upos="VERB",
            feats=(("Tense", "Past"),),
            deprel="root",
            identifier="v",
            alternatives=(Choice("buy", 3), Choice("purchase"), Choice("take over")),
        ),
        Node("", deprel="obj", alternatives=(Choice("firm"), Choice("company", 0.5))),
        Node("it{b|c}"),
    )
    assert to_notation(tree) == ('{buy=3|purchase|"take over"}/VERB:root[Tense=Past]({firm|company=0.5}:obj it{b|c})')
    assert tree.bare().nodes[0] == Node("", identifier="v", alternatives=tree.nodes[0].alternatives)
    assert to_notation(DependencyTree((Node("{", upos="{x"),), (-1,))) == '"{"/"{x"'


def test_order_constraints() -> None:
    text = "gave(she#s[before=b] him[side=right,rank=1] books#b[after=s])"
    tree = parse_tree(text)
    assert tree.constraints == (Before(1, 3), Before(1, 3), Place(2, "right", 1))
    assert tree.nodes[1].identifier == "s"
    assert to_notation(parse_tree("a(b#b c[before=b])")) == "a(b#b c[before=b])"


def test_made_up_names_do_not_meet_real_ones() -> None:
    nodes = (Node("a"), Node("b", identifier="n1"), Node("c"), Node("d", identifier="n1"))
    tree = DependencyTree(nodes, (-1, 0, 0, 0), (Before(1, 2), Before(2, 3), Before(1, 0)))
    assert to_notation(tree) == "a#n2(b[before=n3,before=n2] c#n3[before=n4] d#n4)"


def test_a_quoted_key_is_always_a_feature() -> None:
    tree = DependencyTree((Node("a", feats=(("lemma", "x"), ("side", "y"))),), (-1,))
    assert to_notation(tree) == 'a["lemma"=x,"side"=y]'
    assert parse_tree(to_notation(tree)).nodes[0].feats == tree.nodes[0].feats


def test_spaces_are_free() -> None:
    assert to_notation(parse_tree("  a (  b(c)d [x = y , z = 1 ] ( ) )  ".replace("d [", "d["))) == (
        "a(b(c) d[x=y,z=1])"
    )


def test_lines_comments_and_places() -> None:
    text = "# trees\n\na(b)\n  # more\nb b\nc\n"
    results = list(parse_notation(io.StringIO(text), path="t"))
    first, bad, last = results
    assert isinstance(first, OrderedTree)
    assert isinstance(last, OrderedTree)
    assert (first.tree.source, last.tree.source) == ("t:3", "t:6")
    assert first.order == (0, 1)
    assert str(bad) == ("t:5: column 3: a second root; put it between the brackets of the first\n    b b\n      ^")


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("a(b", 2, '"(" without ")"'),
        ("a(b))", 5, '")" without "("'),
        (")", 1, '")" without "("'),
        ("(a)", 1, "a form is missing before ("),
        ("a/", 3, 'a part of speech after "/" is missing before the end of the line'),
        ("a:(b)", 3, 'a relation after ":" is missing before ('),
        ("a(b# c)", 5, 'a name after "#" is missing before'),
        ("a(b#x c#x)", 8, 'two nodes are called "x"'),
        ('""', 1, "a form is empty or has a line break in it"),
        ('"a', 1, 'a form is missing before "'),
        ("a[x]", 4, '"=" is missing after x'),
        ("a[x=]", 5, "a value is missing before ]"),
        ("a[x=1 y=2]", 7, '"," or "]" is missing'),
        ("a[lemma=b,lemma=c]", 11, "lemma is given twice"),
        ("a[Tense=Past,Tense=Pres]", 14, "the feature Tense is given twice"),
        ('a"b"', 2, 'unexpected "'),
        ("a]", 2, "unexpected ]"),
        ("{}", 2, "a word to choose is missing before }"),
        ("{a||b}", 4, "a word to choose is missing before |"),
        ("{a|}", 4, "a word to choose is missing before }"),
        ("{a|b", 5, '"|" or "}" is missing'),
        ("{a b}", 4, '"|" or "}" is missing'),
        ("{a/X|b}", 3, '"|" or "}" is missing'),
        ('{a|""}', 4, "an alternative is empty or has a line break in it"),
        ("{a|b|a}", 6, 'the alternative "a" is given twice'),
        ("{a=|b}", 4, 'a weight after "=" is missing before |'),
        ("{a=1|b=0}", 6, 'the weight of "b" is no number above 0'),
        ("{a=-1|b}", 2, 'the weight of "a" is no number above 0'),
        ("{a=inf|b}", 2, 'the weight of "a" is no number above 0'),
        ("{a=nan|b}", 2, 'the weight of "a" is no number above 0'),
        ("{a=1e999|b}", 2, 'the weight of "a" is no number above 0'),
        ("{a|b}[lemma=c]", 1, "words to choose from have no one lemma"),
    ],
)
def test_errors_have_a_column(text: str, column: int, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_tree(text)
    message, excerpt, caret = str(caught.value).split("\n")
    assert message.startswith(f"<tree>:1: column {column}: {problem}")
    assert excerpt == f"    {text}"
    assert caret.index("^") == 4 + column - 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a(b[before=x])", "the constraint before=x names no node"),
        ("a[side=left]", "the root has no head"),
        ("a(b[side=middle])", '"middle" is no side'),
        ("a(b[rank=2])", "a rank without a side"),
        ("a\nb", "a tree in the quick notation is one line"),
    ],
)
def test_errors_of_the_whole_tree(text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        parse_tree(text)


@pytest.mark.parametrize("text", ["", "\n \n", "# nothing but this\n"])
def test_an_empty_input_is_an_error(text: str) -> None:
    with pytest.raises(InputError, match="there is no tree in the input"):
        list(read_notation(io.StringIO(text)))


def test_bad_bytes_and_broken_streams() -> None:
    results = list(parse_notation(io.BytesIO(b"a(b\xff)\na(b)\n"), path="t"))
    assert str(results[0]).startswith("t:1: byte 4 of the line (0xff)")
    assert isinstance(results[1], OrderedTree)

    class Broken(io.RawIOBase):
        def read1(self, size: int) -> bytes:
            raise OSError("gone")

    assert isinstance(next(parse_notation(Broken())), InputError)


def test_ten_thousand_deep() -> None:
    text = "w(" * 9_999 + "w" + ")" * 9_999
    tree = parse_tree(text)
    assert len(tree) == 10_000
    assert to_notation(tree) == text


@given(trees(words=texts() | texts('a/:()[]#"\\,= \n{|}')))
def test_round_trip(tree: DependencyTree) -> None:
    def one_line(n: Node) -> Node:
        words = {c.word.replace("\n", "N"): c.weight for c in n.alternatives}
        alternatives = tuple(Choice(word, weight) for word, weight in words.items())
        return replace(n, form=n.form.replace("\n", "N"), alternatives=alternatives)

    tree = DependencyTree(tuple(map(one_line, tree.nodes)), tree.heads, tree.constraints)
    text = to_notation(tree)
    (again,) = read_notation([text])
    assert canonical(again.tree) == canonical(tree)
    assert to_notation(again.tree) == text or len(tree) > 1


@given(st.text('ab/:()[]#"\\,= =\t{|}1') | st.text())
def test_any_text_is_trees_or_input_errors(text: str) -> None:
    for result in parse_notation([text]):
        assert isinstance(result, OrderedTree | InputError)
