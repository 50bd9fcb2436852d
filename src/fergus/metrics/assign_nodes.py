"""Which token of a hypothesis stands for which node of the reference's tree (section 3.2 leaves it open).

Where the output carries the identifiers of nodes they are used. Otherwise only words are known, and a token
stands for a node of the same word. If a word is there once on both sides, nothing is left to choose. Among
several equal words the assignment is taken that leaves the fewest tree errors: the fewest simple errors, then
the fewest generation errors, then the one that comes first. It starts from the string alignment (its matches;
equal words that are left, the first with the first; its substitutions, which let a token stand for a node of
another word). Words that share no treelet are searched by themselves; up to ``TRIED`` assignments of such a group
are all tried, so that none is better; where there are more of them, tokens are exchanged two by two until no exchange
lowers the errors, or, on lines of hundreds of tokens, until ``BUDGET`` is spent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fergus.core.tree import OrderedTree
from fergus.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fergus.metrics.align import Encoded

NO_NODE = -1
"""In the order of a hypothesis: a token that is no node of the reference's tree."""


def assign_nodes(reference: OrderedTree, words: Sequence[str]) -> tuple[int, ...]:
    """The node that each token of a hypothesis stands for, or ``NO_NODE``, when only words are known."""
    import numpy as np

    from fergus.metrics.align import encode

    encoded = encode([reference.forms], [words])
    places = assign_places(encoded, np.array(reference.head_places, np.int64))
    return tuple(NO_NODE if place < 0 else reference.order[place] for place in places.tolist())


def assign_places(
    encoded: Encoded, heads: NDArray[np.int64], *, is_wanted: Sequence[bool] | None = None
) -> NDArray[np.int64]:
    """For every token of every hypothesis the place in the reference of its node, or -1; flat, as encoded.

    ``heads`` are the places of the heads, one sentence after the other.
    """
    import numpy as np

    from fergus.metrics.assignment_kernel import assign_sentences

    references, starts, hypotheses, hypothesis_starts, vocabulary = encoded
    places = np.full(len(hypotheses), -1, np.int64)
    wanted = np.ones(len(starts) - 1, np.int64) if is_wanted is None else np.array(is_wanted, np.int64)
    too_long = assign_sentences(heads, references, starts, hypotheses, hypothesis_starts, vocabulary, wanted, places)
    if too_long >= 0:
        raise InputError(f"sentence {too_long + 1} is too long to be aligned")
    return places


def places_of_identifiers(reference: OrderedTree, names: Sequence[str], *, source: str = "") -> list[int]:
    """The place of every token's node by the identifiers that the output carries; '' is no node."""
    place_of = {reference.tree.nodes[node].identifier: place for place, node in enumerate(reference.order)}
    place_of[""] = NO_NODE
    seen: set[str] = set()
    for name in names:
        if name not in place_of:
            known = ", ".join(filter(None, list(place_of)[:5]))
            raise InputError(
                f"the reference has no node {name!r}",
                path=source,
                remedy=f"use the identifiers of its nodes ({known}, ...), or none at all",
            )
        if name and name in seen:
            raise InputError(f"node {name!r} is realized twice", path=source, remedy="leave one nameless")
        seen.add(name)
    return [place_of[name] for name in names]
