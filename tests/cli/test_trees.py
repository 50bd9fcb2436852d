from __future__ import annotations

import io
import sys

import pytest

from fergus.cli.trees import given_trees, has_word_order
from fergus.core.tree import DependencyTree, Node, OrderedTree


def named(*names: str) -> OrderedTree:
    nodes = tuple(Node(f"word{i}", identifier=name) for i, name in enumerate(names))
    return OrderedTree(DependencyTree(nodes, (-1, *[0] * (len(names) - 1))), tuple(range(len(names))))


@pytest.mark.parametrize(
    ("names", "expected"),
    [(("1", "2", "3"), True), (("1", "4"), True), (("2", "1"), False), (("", ""), False), (("a", "b"), False)],
)
def test_word_order_is_that_of_numbered_words(names: tuple[str, ...], expected: bool) -> None:
    assert has_word_order(named(*names)) is expected


def test_a_person_at_a_terminal_is_told_what_is_awaited(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Keyboard(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Keyboard(io.BytesIO(b"saw(I her)\n")))
    (tree,) = given_trees([])
    assert isinstance(tree, OrderedTree)
    assert capsys.readouterr().err == "reading trees from the terminal; Ctrl-D ends the input\n"
