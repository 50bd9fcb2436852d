"""Changes by clicks, written into the text of the tree."""

from __future__ import annotations

import pytest

from fergus.errors import InputError
from fergus.treebank.notation import parse_tree, to_notation
from fergus.web.engine_limits import Limits
from fergus.web.workbench.changes import Constrained, by_hand, changed, changed_text
from tests.web.inline_engine import loaded

TREE = "gave(she him books(old))"  # nodes: gave 0, she 1, him 2, books 3, old 4
CONLLU = "1\tsaw\t_\t_\t_\t_\t0\t_\t_\t_\n2\tI\t_\t_\t_\t_\t1\t_\t_\t_\n"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("before:3:1", "gave(she#n1 him books[before=n1](old))"),
        ("beside:1:2:3", "gave(she[before=n1] him#n1[before=n2] books#n2(old))"),
        ("supertag:1:a.PRON", 'gave(she[misc="Supertag=a.PRON"] him books(old))'),
        ("label:1:PRON:nsubj:pass", "gave(she/PRON:nsubj:pass him books(old))"),
    ],
)
def test_a_change_is_written_into_the_tree(change: str, expected: str) -> None:
    assert to_notation(changed(parse_tree(TREE), change)) == expected


def test_the_opposite_takes_the_place_of_what_was_asked_before() -> None:
    once = changed(parse_tree(TREE), "before:3:1")
    twice = changed(once, "before:1:3")
    assert to_notation(twice) == "gave(she[before=n1] him books#n1(old))"
    assert changed(twice, "before:1:3") == twice


def test_what_was_asked_for_can_be_let_go_of() -> None:
    tree = changed(changed(parse_tree(TREE), "before:3:1"), "before:2:1")
    assert to_notation(changed(tree, "free:0")) == "gave(she#n1 him[before=n1] books(old))"
    with_tag = changed(parse_tree(TREE), "supertag:1:a.PRON")
    assert changed(with_tag, "supertag:1:") == parse_tree(TREE)


def test_what_is_asked_for_is_told_with_what_lets_go_of_it() -> None:
    tree = parse_tree("gave(she#s[before=b] him[side=right,rank=1] {books|book}#b)")
    assert by_hand(changed(tree, "supertag:0:a.VERB")) == (
        Constrained("“she” before “books|book”", "free:0"),
        Constrained("“him” on the right of its head, as number 1 from it", "free:1"),
        Constrained("“gave” as a.VERB", "supertag:0:"),
    )
    assert by_hand(parse_tree(TREE)) == ()


@pytest.mark.parametrize(
    "change",
    [
        "", "before", "before:1", "before:1:1", "before:1:9", "before:1:2:3", "before:x:1", "before:-1:2", "free:0",
        "supertag:9:a.PRON", "label:x:NOUN:obj", "drop:1", "before:99999999999:1", "before:１:2",
    ],
)  # fmt: skip
def test_what_no_page_asks_is_refused(change: str) -> None:
    with pytest.raises(InputError, match="cannot be done with this tree; realize the tree as it is"):
        changed(parse_tree(TREE), change)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("saw(I her)", "saw[before=n1](I#n1 her)"),
        (CONLLU, CONLLU.replace("\t_\n2", "\tBefore=2\n2")),
        (
            '{"form": "saw", "daughters": [{"form": "I"}]}',
            '{"id": "1", "form": "saw", "daughters": [{"id": "2", "form": "I"}], '
            '"constraints": [{"before": ["1", "2"]}]}',
        ),
        (
            '{ "form": "saw", "daughters": [{"form": "I"}] }',
            '{"id": "1", "form": "saw", "daughters": [{"id": "2", "form": "I"}], '
            '"constraints": [{"before": ["1", "2"]}]}',
        ),
        ("(S (NP (PRP I)) (VP (VBD saw)))", "saw/VERB:root#2[xpos=VBD](I/PRON:NP[xpos=PRP,before=2])"),
    ],
)
def test_the_text_keeps_its_format_if_that_can_say_it(text: str, expected: str) -> None:
    assert changed_text(loaded(), text, "auto", "before:0:1", Limits()) == expected


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("saw(I her", 'column 4: "\\(" without "\\)"'),
        ("saw(I)\nsaw(her)", "there are 2 trees; give one here"),
        ("# nothing", "there is no tree"),
        ("a(" * 500 + "b" + ")" * 500, "the tree has 501 nodes; this server takes trees of up to \\d+"),
    ],
)
def test_a_text_that_is_not_one_tree(text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        changed_text(loaded(), text, "auto", "before:0:1", Limits())
