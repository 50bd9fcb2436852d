"""Order constraints as the input names them, resolved to node indices once all nodes are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fergus.core.tree import ROOT, Before, Constraint, DependencyTree, Place
from fergus.errors import InputError

KEYS = ("before", "after", "side", "rank")
"""The constraints a node can carry: before or after a named node; on a side of the head, there at a rank."""


@dataclass(slots=True)
class NamedConstraints:
    """Collects ``key=value`` constraints of nodes; ``resolve`` checks them and looks the names up."""

    items: list[tuple[int, str, str, int]] = field(default_factory=list)

    def add(self, node: int, key: str, value: str, *, number: int) -> None:
        """Note what line ``number`` of the input says of ``node``."""
        self.items.append((node, key, value, number))

    def resolve(self, names: Mapping[str, int], heads: Sequence[int], *, path: str = "") -> tuple[Constraint, ...]:
        """The constraints over node indices; InputError for unknown names, bad sides and bad ranks."""
        befores: list[Constraint] = []
        sides: dict[int, str] = {}
        ranks: dict[int, tuple[int, int]] = {}
        for node, key, value, number in self.items:
            if key in ("before", "after"):
                befores.append(_before(node, key, value, names, number=number, path=path))
            elif key == "side":
                if value not in ("left", "right"):
                    raise _error("side", value, "left or right", number, path)
                if heads[node] == ROOT:
                    problem = "the root has no head to stand beside"
                    raise InputError(problem, path=path, line=number, remedy="put side on another node")
                if sides.setdefault(node, value) != value:
                    raise InputError("a node has two sides", path=path, line=number, remedy="give one")
            else:
                if not (value.isdecimal() and value.isascii() and len(value) < 10 and int(value) > 0):
                    raise _error("rank", value, "1 for the nearest to the head, 2, 3, ...", number, path)
                if ranks.setdefault(node, (int(value), number))[0] != int(value):
                    raise InputError("a node has two ranks", path=path, line=number, remedy="give one")
        for node, (_, number) in ranks.items():
            if node not in sides:
                raise InputError("a rank without a side", path=path, line=number, remedy="add the side")
        places = [
            Place(node, "left" if side == "left" else "right", ranks[node][0] if node in ranks else None)
            for node, side in sides.items()
        ]
        return (*befores, *places)


def constraint_items(tree: DependencyTree) -> dict[int, list[tuple[str, int | str]]]:
    """The tree's constraints by node, as ``(key, value)``; the value of ``before`` is a node index."""
    items: dict[int, list[tuple[str, int | str]]] = {}
    for c in tree.constraints:
        if isinstance(c, Before):
            items.setdefault(c.first, []).append(("before", c.second))
        else:
            items.setdefault(c.node, []).append(("side", c.side))
            if c.rank is not None:
                items[c.node].append(("rank", str(c.rank)))
    return items


def _before(node: int, key: str, name: str, names: Mapping[str, int], *, number: int, path: str) -> Before:
    other = names.get(name)
    if other is None:
        problem = f"the constraint {key}={name[:40]} names no node of this tree"
        raise InputError(problem, path=path, line=number, remedy="name another node of the same tree")
    if other == node:
        problem = f"the constraint {key}={name[:40]} names the node itself"
        raise InputError(problem, path=path, line=number, remedy="name another node of the same tree")
    return Before(node, other) if key == "before" else Before(other, node)


def _error(key: str, value: str, legal: str, number: int, path: str) -> InputError:
    return InputError(f'"{value[:40]}" is no {key}', path=path, line=number, remedy=f"use {legal}")
