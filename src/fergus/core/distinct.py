"""Names of which none is there twice."""

from __future__ import annotations

from collections.abc import Iterable


def distinct_names(names: Iterable[str], *, keeps_endings: bool = False) -> list[str]:
    """The same names in their order; one that is there already gets a number, behind it or before its ending.

    >>> distinct_names(["a.txt", "b", "a.txt", "b"])
    ['a.txt', 'b', 'a.txt-2', 'b-2']
    >>> distinct_names(["a.txt", "b", "a.txt", "b"], keeps_endings=True)
    ['a.txt', 'b', 'a-2.txt', 'b-2']
    """
    found: dict[str, None] = {}
    for name in names:
        stem, dot, ending = name.rpartition(".") if keeps_endings else ("", "", "")
        own, number = name, 2
        while own in found:
            own = f"{stem}-{number}{dot}{ending}" if dot else f"{name}-{number}"
            number += 1
        found[own] = None
    return list(found)
