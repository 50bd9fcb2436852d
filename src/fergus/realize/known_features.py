"""Which features a word may have: those of the training treebank and those of Universal Dependencies.

A feature that nobody knows is most likely misspelt, and a form made without it would be wrong in silence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path

from fergus.errors import InputError

Feats = tuple[tuple[str, str], ...]


class KnownFeatures:
    """Names and values that inflection has learned from or that the standard has."""

    def __init__(self, learned: Iterable[Feats]) -> None:
        self.values: dict[str, set[str]] = {name: set(values) for name, values in universal_features().items()}
        for feats in learned:
            for name, value in feats:
                self.values.setdefault(name, set()).update(value.split(","))

    def check(self, feats: Feats, *, word: str, source: str) -> None:
        """An InputError for the first feature that nobody knows; layers (``Number[psor]``) go by their name."""
        for name, value in feats:
            values = self.values.get(name) or self.values.get(name.partition("[")[0])
            if values is None:
                near = get_close_matches(name, self.values, n=1)
                remedy = f"did you mean {near[0]}?" if near else f"use one of {', '.join(sorted(self.values))}"
                raise InputError(f"{name}={value} of {word!r}: there is no feature {name}", path=source, remedy=remedy)
            if not values.issuperset(value.split(",")):
                remedy = f"use {name}={'|'.join(sorted(values))}"
                raise InputError(f"{name}={value} of {word!r}: no such value of {name}", path=source, remedy=remedy)


def universal_features() -> Mapping[str, tuple[str, ...]]:
    """The standard's features with their values."""
    lines = (Path(__file__).parent / "universal_features.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    return {name: tuple(values) for name, *values in rows}
