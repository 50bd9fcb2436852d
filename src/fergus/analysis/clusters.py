"""Significance clusters: from best to worst, cut where everything above is significantly better than all below."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isnan
from typing import Protocol

from fergus.analysis.many_tests import LEVEL


class Compared(Protocol):
    """Two that were compared."""

    @property
    def first(self) -> str:
        """The one."""

    @property
    def second(self) -> str:
        """The other."""

    @property
    def difference(self) -> float:
        """The first less the second."""

    @property
    def corrected_p(self) -> float:
        """Corrected for the number of comparisons."""


def clusters(values: Mapping[str, float], comparisons: Iterable[Compared], *, level: float = LEVEL) -> list[list[str]]:
    """Names by value, best first, in clusters; an undefined value is in none."""
    better = {
        (one.first, one.second) if one.difference > 0 else (one.second, one.first)
        for one in comparisons
        if one.corrected_p < level and one.difference != 0
    }
    ranked = sorted((name for name in values if not isnan(values[name])), key=lambda name: (-values[name], name))
    found: list[list[str]] = []
    begin = 0
    for end in range(1, len(ranked) + 1):
        if all((above, below) in better for above in ranked[begin:end] for below in ranked[end:]):
            found.append(ranked[begin:end])
            begin = end
    return found
