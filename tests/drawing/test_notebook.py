"""What a notebook shows, asked as a notebook asks: by the methods of the values."""

from __future__ import annotations

from typing import Any

import pytest

from fergus.core.lattice import Arc, build
from fergus.core.realization import Candidate, Realization, Scores, SupertagChoice
from fergus.core.supertag import ElementaryTree
from fergus.core.tree import ROOT, DependencyTree, Node, OrderedTree
from fergus.metrics import align
from fergus.metrics.align import Alignment
from tests.drawing.shapes import SVG, root_of, texts_of

TREE = DependencyTree((Node("bark"), Node("<dogs>")), (ROOT, 0))
SENTENCE = OrderedTree(TREE, (1, 0))
LATTICE = build([[Arc(0, 1, 0, -1.0), Arc(0, 1, 1, 0.5), Arc(1, 2, 1, 0.0), Arc(1, 2, 0, 0.0)]])


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (TREE, {"bark", "<dogs>"}),
        (SENTENCE, {"bark", "<dogs>"}),
        (LATTICE, {"0", "1", "−1.00", "0.50", "0.00"}),
        (ElementaryTree("g.ADV", "gamma", "ADV"), {"…*", "ADV", "ADV◊", "g.ADV"}),
        (align(["dogs", "bark"], ["bark", "dogs"]), {"dogs", "bark", "·", "m1"}),
        (build([[]]), set()),
    ],
)
def test_drawings_that_bring_their_own_colours(value: Any, words: set[str]) -> None:
    svg = value._repr_svg_()
    assert {text.words for text in texts_of(svg)} == words
    assert "var(" not in svg
    assert root_of(svg).find(f"{SVG}style") is not None


def test_the_order_of_an_ordered_tree_is_seen() -> None:
    texts = texts_of(SENTENCE._repr_svg_())
    assert [text.words for text in sorted(texts, key=lambda text: text.left)] == ["<dogs>", "bark"]


def test_an_alignment_without_its_tokens_is_not_drawn() -> None:
    whole = align(["a", "b"], ["b"])
    assert Alignment(whole.operations, whole.moves, whole.length)._repr_svg_() is None
    assert repr(whole).endswith("moves=(), length=2)")  # the tokens are not repeated


def realization(**known: Any) -> Realization:
    return Realization(TREE, (Candidate((1, 0), Scores(1.5, 2.0, -0.25), SENTENCE),), lm_weight=0.3, **known)


def test_a_realization_is_a_page_with_everything() -> None:
    tags = (SupertagChoice("a.VERB", 1.0), SupertagChoice("a.NOUN", 1.0))
    # Number 0 of the lattice is node 1 of the tree.
    html = realization(lattice=LATTICE, canonical=(1, 0), supertags=tags)._repr_html_()
    assert "<strong>&lt;dogs&gt; bark</strong>" in html
    assert "<td>1.50</td><td>2.00</td><td>-0.25</td>" in html
    assert html.count("<svg") == 2
    assert ">a.NOUN</text>" in html
    assert "The winning path reads: &lt;dogs&gt; bark." in html


def test_a_realization_without_a_lattice() -> None:
    assert realization()._repr_html_().count("<svg") == 1
