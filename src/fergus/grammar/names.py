"""The names of extracted elementary trees, and the trees that names stand for (section 2).

a.VERB(nsubj * obj)      alpha; the anchor ``*`` is a VERB with a slot on either side
g.DET                    gamma, no slots
g.NOUN/compound          gamma, named after its relation as well
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from fergus.core.supertag import ElementaryTree, Kind, Slot

UNREADABLE = re.compile(r"[^\x21-\x7e]|[()*?/]")
"""What may not stand in a label of a supertag: names are ASCII, and only brackets hold spaces."""

NAME = re.compile(r"(?P<kind>[ag])\.(?P<category>[^\s()*?/]+)(/(?P<relation>[^\s()*?/]+))?(\((?P<slots>[^()]*)\))?")


def extracted_tree(
    kind: Kind, category: str, relation: str, left: Sequence[str], right: Sequence[str]
) -> ElementaryTree:
    """The elementary tree with these slots, named after them."""
    return ElementaryTree(
        name=supertag_name(kind, category, relation, left, right),
        kind=kind,
        category=category,
        left=tuple(map(Slot, left)),
        right=tuple(map(Slot, right)),
        family=f"{category}[{' '.join(sorted([*left, *right]))}]",
    )


def supertag_name(
    kind: Kind, category: str, relation: str = "", left: Sequence[str] = (), right: Sequence[str] = ()
) -> str:
    """``a.VERB(nsubj * obj)``; brackets only where there are slots."""
    name = f"{kind[0]}.{category}" + (f"/{relation}" if relation else "")
    return f"{name}({' '.join([*left, '*', *right])})" if left or right else name


def parse_supertag(name: str) -> ElementaryTree | None:
    """The tree that an extracted name stands for, None if it is no such name."""
    match = NAME.fullmatch(name)
    if not match:
        return None
    slots = (match["slots"] or "*").split()
    if slots.count("*") != 1:
        return None
    anchor = slots.index("*")
    kind: Kind = "alpha" if match["kind"] == "a" else "gamma"
    return extracted_tree(kind, match["category"], match["relation"] or "", slots[:anchor], slots[anchor + 1 :])


def label(text: str) -> str:
    """A relation or category as it may stand in a name: ASCII, no brackets, stars, slashes or spaces."""
    return UNREADABLE.sub("_", text)
