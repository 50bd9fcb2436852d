"""The public names of the package."""

from __future__ import annotations

import pytest

import fergus


def test_every_public_name_is_there() -> None:
    for name in fergus.__all__:
        assert getattr(fergus, name) is not None
    assert dir(fergus) == sorted(fergus.__all__)


def test_they_are_the_same_objects() -> None:
    from fergus.core.tree import DependencyTree
    from fergus.realize.pipeline import load

    assert fergus.load is load
    assert isinstance(fergus.parse_tree("saw(I her)"), DependencyTree)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'fergus' has no attribute 'lode'"):
        _ = fergus.lode
