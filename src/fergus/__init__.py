"""Fergus: stochastic language generation and its evaluation.

>>> import fergus
>>> tree = fergus.parse_tree("estimate(there was no cost for(phase(the second)))")
>>> fergus.load("en").realize(tree).tokens                              # doctest: +SKIP
('there', 'was', 'no', 'cost', 'estimate', 'for', 'the', 'second', 'phase')

The names are imported when they are first used, so that ``import fergus`` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fergus.version import __version__

if TYPE_CHECKING:
    from fergus.core.realization import Realization
    from fergus.core.tree import DependencyTree, Node, OrderedTree
    from fergus.evaluation.in_memory import evaluate
    from fergus.realize.pipeline import Realizer, load
    from fergus.treebank.notation import parse_tree
    from fergus.treebank.parse import load_parser
    from fergus.treebank.read import read_trees

_HOME = {
    "DependencyTree": "core.tree",
    "Node": "core.tree",
    "OrderedTree": "core.tree",
    "Realization": "core.realization",
    "Realizer": "realize.pipeline",
    "evaluate": "evaluation.in_memory",
    "load": "realize.pipeline",
    "load_parser": "treebank.parse",
    "parse_tree": "treebank.notation",
    "read_trees": "treebank.read",
}

__all__ = [
    "DependencyTree",
    "Node",
    "OrderedTree",
    "Realization",
    "Realizer",
    "__version__",
    "evaluate",
    "load",
    "load_parser",
    "parse_tree",
    "read_trees",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
