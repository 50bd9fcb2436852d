from __future__ import annotations

import pytest

from fergus.core.tree import DependencyTree
from fergus.errors import InputError
from fergus.realize.stages import STAGES, chosen_stages, is_deep, needed_stages, with_implied
from fergus.treebank import parse_tree


@pytest.mark.parametrize(
    ("tree", "stages"),
    [
        ("saw(I her)", ("order",)),
        ("_/VERB:root[lemma=see](I her)", ("inflect", "order")),
        ("saw(I {dog|cat})", ("choose", "order")),
        ("_/VERB[lemma=see](I {dog|cat})", ("choose", "inflect", "order")),
        ("_/VERB:ROOT[lemma=see](_/NOUN:A1[lemma=girl])", ("insert", "inflect", "order", "punctuate")),
        ("_/VERB:ROOT[lemma=see]({girl|boy}/NOUN:A1)", STAGES),
    ],
)
def test_a_tree_gets_what_it_lacks(tree: str, stages: tuple[str, ...]) -> None:
    assert needed_stages(parse_tree(tree)) == stages


def test_deep_trees_have_a_root_of_their_own() -> None:
    tree: DependencyTree = parse_tree("saw:root(I:nsubj)")
    assert not is_deep(tree)
    assert is_deep(parse_tree("saw:ROOT(I:A1)"))
    assert not is_deep(parse_tree("saw:ROOT(I:nsubj)"))  # spaCy's labels


def test_said_stages_stand_in_their_order() -> None:
    assert chosen_stages(["auto"]) is None
    assert chosen_stages(["punctuate", "inflect"]) == ("inflect", "order", "punctuate")
    for wrong, message in ((["shuffle"], '"shuffle" is no stage'), (["auto", "order"], '"auto" is said with other')):
        with pytest.raises(InputError, match=message):
            chosen_stages(wrong)


def test_order_and_choice_are_implied() -> None:
    assert with_implied(("inflect",), parse_tree("saw(I)")) == ("inflect", "order")
    assert with_implied(("inflect",), parse_tree("saw({I|we})")) == ("choose", "inflect", "order")
    assert with_implied((), parse_tree("_[lemma=see](I)")) == ("inflect", "order")
