from __future__ import annotations

from fergus.core.tree import DependencyTree, Node
from fergus.treebank import draw, parse_tree
from tests.treebank.trees import FIGURE_2


def test_without_an_order() -> None:
    assert draw(parse_tree(FIGURE_2)) == (
        "estimate\n├── there\n├── was\n├── no\n├── cost\n└── for\n    └── phase\n        ├── the\n        └── second"
    )


def test_in_an_order_words_stand_from_top_to_bottom() -> None:
    tree = parse_tree("saw(I(myself) dog(a big) today)")
    drawing = draw(tree, order=(1, 2, 0, 4, 5, 3, 6))
    assert drawing == ("┌── I\n│   └── myself\nsaw\n│   ┌── a\n│   ├── big\n├── dog\n└── today")
    forms = [line.split()[-1] for line in drawing.split("\n")]
    assert forms == ["I", "myself", "saw", "a", "big", "dog", "today"]


def test_an_order_that_tears_a_subtree_apart_is_told() -> None:
    tree = parse_tree("a(b(c))")
    assert draw(tree, order=(1, 0, 2)).endswith("\n(not projective) b a c")


def test_labels() -> None:
    tree = parse_tree("saw/VERB:root[lemma=see,Tense=Past](I[xpos=PRP,lemma=I])")
    assert draw(tree, labels=True) == "saw  VERB  root  lemma=see  Tense=Past\n└── I  PRP"


def test_a_deep_chain_is_drawn_in_bounded_width() -> None:
    chain = DependencyTree(tuple(Node("w") for _ in range(10_000)), tuple(range(-1, 9_999)))
    for drawing in (draw(chain), draw(chain, order=range(10_000)), draw(chain, order=range(9_999, -1, -1))):
        assert drawing.count("\n") == 9_999
        assert max(map(len, drawing.split("\n"))) < 300
