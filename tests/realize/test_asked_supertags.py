"""Supertags asked for by hand: what they do in both presets that know them."""

from __future__ import annotations

import pytest

from fergus.core.tree import Node
from fergus.errors import InputError
from fergus.realize.asked_supertags import asked_supertag, with_supertag
from fergus.realize.pipeline import Realizer, load
from fergus.treebank.notation import parse_tree

SAID = "said{}(he left(they))"
CLAUSE_FIRST = '[misc="Supertag=a.VERB(ccomp nsubj *)"]'


@pytest.fixture(scope="module", params=["default", "supertag"])
def realizer(request: pytest.FixtureRequest) -> Realizer:
    return load("en", preset=request.param)


def words(realizer: Realizer, tree: str) -> str:
    return " ".join(realizer.realize(parse_tree(tree)).tokens)


def test_arguments_go_where_the_slots_are(realizer: Realizer) -> None:
    assert words(realizer, SAID.format("")) == "he said they left"
    assert words(realizer, SAID.format(CLAUSE_FIRST)) == "they left he said"


def test_an_order_that_is_asked_for_goes_before_a_supertag(realizer: Realizer) -> None:
    tree = "said" + CLAUSE_FIRST + "(he left[side=right](they))"
    assert words(realizer, tree) == "he said they left"


def test_a_supertag_that_the_grammar_does_not_have(realizer: Realizer) -> None:
    with pytest.raises(InputError, match=r"'said' asks for the supertag 'a\.XYZ', which is none; take one"):
        realizer.realize(parse_tree('said[misc="Supertag=a.XYZ"](he)'))


def test_without_arguments_nothing_is_asked_of_order(realizer: Realizer) -> None:
    assert words(realizer, 'said(he[misc="Supertag=a.PRON"] left(they))') == "he said they left"


@pytest.mark.parametrize("realizer", ["supertag"], indirect=True)
def test_the_chosen_supertag_is_the_one_asked_for(realizer: Realizer) -> None:
    found = realizer.realize(parse_tree(SAID.format(CLAUSE_FIRST)))
    assert found.supertags[0].supertag == "a.VERB(ccomp nsubj *)"
    assert found.supertags[0].runners_up == ()


@pytest.mark.parametrize("realizer", ["default"], indirect=True)
def test_labels_come_from_it_where_there_are_none(realizer: Realizer) -> None:
    """As a parataxis *left* has another label than as a clausal complement."""
    tree = parse_tree('said(he left[misc="Supertag=g.VERB/parataxis(nsubj *)"](they))')
    labels = realizer.realize(tree, wide=True).labels
    assert labels[2].supertag == "VERB:parataxis"


@pytest.mark.parametrize(
    ("misc", "name", "expected"),
    [
        (None, "g.DET", "Supertag=g.DET"),
        ("SpaceAfter=No", "g.DET", "SpaceAfter=No|Supertag=g.DET"),
        ("Supertag=g.ADV|SpaceAfter=No", "g.DET", "SpaceAfter=No|Supertag=g.DET"),
        ("Supertag=g.ADV", None, None),
    ],
)
def test_with_supertag(misc: str | None, name: str | None, expected: str | None) -> None:
    node = with_supertag(Node("the", misc=misc), name)
    assert node.misc == expected
    assert asked_supertag(node) == name


def test_a_key_that_only_ends_like_it() -> None:
    assert asked_supertag(Node("the", misc="OldSupertag=g.DET")) is None
