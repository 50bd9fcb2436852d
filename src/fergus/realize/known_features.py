"""Which features a word may have: those of the training treebank and those of Universal Dependencies.

A feature that nobody knows is most likely misspelt, and a form made without it would be wrong in silence.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from fergus.core.deep import NOT_SAID
from fergus.errors import InputError

Feats = tuple[tuple[str, str], ...]
NOTHING: Mapping[str, Collection[str]] = {}
ALIKE = 0.86
"""What is so much like one of the standard's is not somebody's own: a letter too many, or too few. Treebanks have names
and values of their own that are nearly so (*NounType*, *Formal* for *Form*)."""


class KnownFeatures:
    """Names and values that inflection has learned from or that the standard has."""

    def __init__(self, learned: Iterable[Feats]) -> None:
        self.values: dict[str, set[str]] = {name: set(values) for name, values in universal_features().items()}
        for feats in learned:
            for name, value in feats:
                self.values.setdefault(name, set()).update(value.split(","))

    def check(self, feats: Feats, *, word: str, source: str, deep: Mapping[str, Collection[str]] = NOTHING) -> None:
        """An InputError for the first feature that nobody knows; layers (``Number[psor]``) go by their name.

        ``deep`` are features that deep trees have besides, and values of their own (``Aspect=PerfProg``).
        """
        for name, value in feats:
            base = name.partition("[")[0]
            if not {name, base}.isdisjoint(self.values):
                values = {*self.values.get(name, self.values.get(base, ())), *deep.get(name, ())}
                if not values.issuperset(value.split(",")) and not (deep and value == NOT_SAID):
                    remedy = f"use {name}={'|'.join(sorted(values))}"
                    raise InputError(f"{name}={value} of {word!r}: no such value of {name}", path=source, remedy=remedy)
            elif name not in deep:
                near = get_close_matches(name, {**self.values, **deep}, n=1)
                remedy = f"did you mean {near[0]}?" if near else f"use one of {', '.join(sorted(self.values))}"
                raise InputError(f"{name}={value} of {word!r}: there is no feature {name}", path=source, remedy=remedy)


def misspelt(name: str, value: str) -> str:
    """The standard's feature that this one is most likely meant to be; nothing if it is one, or somebody's own."""
    known = universal_features()
    base, bracket, layer = name.partition("[")
    if base not in known:
        near = get_close_matches(base, known, n=1, cutoff=ALIKE)
        return f"{near[0]}{bracket}{layer}={value}" if near else ""
    parts = value.split(",")
    near = [part if part in known[base] else _nearest(part, known[base]) for part in parts]
    return "" if near == parts else f"{name}={','.join(near)}"


def _nearest(value: str, known: Collection[str]) -> str:
    return (get_close_matches(value, known, n=1, cutoff=ALIKE) or [value])[0]


@cache
def universal_features() -> Mapping[str, tuple[str, ...]]:
    """The standard's features with their values."""
    lines = (Path(__file__).parent / "universal_features.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    return {name: tuple(values) for name, *values in rows}
