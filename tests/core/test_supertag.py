from __future__ import annotations

import dataclasses

import pytest

from fergus.core.supertag import ElementaryTree, Slot


def test_slots_are_those_on_the_left_then_those_on_the_right() -> None:
    tree = ElementaryTree("t", "alpha", "VERB", left=(Slot("nsubj"),), right=(Slot("iobj"), Slot("obj", optional=True)))
    assert [slot.category for slot in tree.slots] == ["nsubj", "iobj", "obj"]
    assert [slot.optional for slot in tree.slots] == [False, False, True]


def test_a_tree_is_a_value() -> None:
    gamma = ElementaryTree("g", "gamma", "ADJ", side="left")
    assert gamma == ElementaryTree("g", "gamma", "ADJ", side="left")
    assert len({gamma, ElementaryTree("g", "gamma", "ADJ", side="left")}) == 1
    assert gamma.slots == ()
    with pytest.raises(dataclasses.FrozenInstanceError):
        gamma.name = "other"  # type: ignore[misc]
