"""Elementary trees and the names ("supertags") by which nodes choose them (section 2 of the paper).

An *alpha* tree is substituted into a slot of its mother's tree: an argument. A *gamma* tree adjoins
to it: a modifier; where it may do so is not said by the tree but by the grammar's adjunction table.

    alpha VERB(nsubj * obj)          S            the anchor is ``*``, slots stand left and
                                   / | \\          right of it in surface order
                             nsubj↓  V◊  obj↓
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fergus.core.notebook import shown

Kind = Literal["alpha", "gamma"]
Side = Literal["left", "right"]


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in an elementary tree that exactly one alpha daughter fills."""

    category: str
    """What may fill it: a relation for extracted grammars, a node category for XTAG."""
    optional: bool = False


@dataclass(frozen=True, slots=True)
class ElementaryTree:
    """One tree of a lexicalised grammar, reduced to what ordering needs; ``name`` is the supertag."""

    name: str
    kind: Kind
    category: str
    """The category of the anchor: a UPOS or Penn tag class, or XTAG's ``V``, ``N``, ``A`` ..."""
    left: tuple[Slot, ...] = ()
    """The slots before the anchor, in surface order."""
    right: tuple[Slot, ...] = ()
    """The slots after the anchor, in surface order."""
    root: str = ""
    """The category of the root node (``S_r``), where the grammar has phrase structure."""
    foot: str = ""
    """The category a gamma tree adjoins to, where the tree itself says so (XTAG's beta trees)."""
    side: Side | None = None
    """On which side of its foot a gamma tree puts its material, where the tree itself says so."""
    family: str = ""
    """Trees that differ only in how they realize the same arguments (XTAG's ``Tnx0Vnx1``)."""
    co_anchors: tuple[str, ...] = ()
    """The categories of further words the tree needs (the particle of *look up*), in surface order."""
    bracketing: str = ""
    """The whole tree in brackets, for drawing, where the grammar has phrase structure."""

    @property
    def slots(self) -> tuple[Slot, ...]:
        """All slots in surface order."""
        return self.left + self.right

    def _repr_svg_(self) -> str:
        return shown("elementary_svg", self)
