"""Which daughters are arguments (alpha trees, with a slot in their mother's tree) and which are modifiers.

The table (for section 2's alpha and gamma trees) is data: one entry a relation, lower case for Universal
Dependencies, upper case for Penn trees turned into dependencies. ``nsubj`` also stands for its subtypes,
``nsubj:pass``; ``obl:agent`` for itself alone. ``ADP>NP`` is an argument under mothers of that category
only.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from fergus.core.tree import Node
from fergus.errors import InputError

UNIVERSAL = (
    "nsubj csubj obj iobj ccomp xcomp expl "  # core arguments, and the pronouns that stand for them
    "obl:agent obl:arg "  # *by* phrases of passives; oblique arguments where a treebank marks them
    "compound:prt"  # verb particles: beside or behind the object, so that the tree must say which
)
PENN = (
    "SBJ OBJ IOBJ PRD LGS DTV BNF PUT CLR COMP "  # of verbs: function tags, or the place in the verb phrase
    "POBJ PCOMP "  # what a preposition governs
    "PRT"  # verb particles
)

UNKNOWN = "X"
"""The category of a word about which the treebank says nothing."""

PENN_CLASSES = {
    "NN": "NOUN", "NNS": "NOUN", "NNP": "PROPN", "NNPS": "PROPN", "PRP": "PRON", "PRP$": "PRON", "WP": "PRON",
    "WP$": "PRON", "EX": "PRON", "VB": "VERB", "VBD": "VERB", "VBG": "VERB", "VBN": "VERB", "VBP": "VERB",
    "VBZ": "VERB", "MD": "AUX", "JJ": "ADJ", "JJR": "ADJ", "JJS": "ADJ", "RB": "ADV", "RBR": "ADV",
    "RBS": "ADV", "WRB": "ADV", "DT": "DET", "PDT": "DET", "WDT": "DET", "IN": "ADP", "TO": "PART",
    "POS": "PART", "RP": "ADP", "CC": "CCONJ", "CD": "NUM", "UH": "INTJ", "$": "SYM", "#": "SYM",
    "SYM": "SYM", "FW": "X", "LS": "X", ".": "PUNCT", ",": "PUNCT", ":": "PUNCT", "``": "PUNCT",
    "''": "PUNCT", "-LRB-": "PUNCT", "-RRB-": "PUNCT",
}  # fmt: skip


@dataclass(frozen=True)
class ArgumentTable:
    """The relations that make a daughter an argument."""

    entries: tuple[str, ...]

    def __post_init__(self) -> None:
        for entry in self.entries:
            category, arrow, relation = entry.rpartition(">")
            if not relation or (arrow and not category):
                raise InputError(
                    f"not an argument relation: {entry!r}",
                    remedy="write nsubj, obl:agent or ADP>NP (mother>relation)",
                )

    @cached_property
    def _plain(self) -> frozenset[str]:
        return frozenset(entry for entry in self.entries if ">" not in entry)

    @cached_property
    def _under(self) -> frozenset[tuple[str, str]]:
        return frozenset((c, r) for c, arrow, r in (e.rpartition(">") for e in self.entries) if arrow)

    def has(self, relation: str | None, mother: str) -> bool:
        """Whether a daughter in this relation to a mother of this category is an argument of hers."""
        if relation is None:
            return False
        for label in (relation, relation.partition(":")[0]):
            if label in self._plain or (mother, label) in self._under:
                return True
        return False


def argument_table(entries: str | Iterable[str]) -> ArgumentTable:
    """A table of one's own: ``argument_table("nsubj obj ADP>NP")``."""
    return ArgumentTable(tuple(entries.split() if isinstance(entries, str) else entries))


ARGUMENTS = argument_table(f"{UNIVERSAL} {PENN}")


def category_of(node: Node) -> str:
    """The category of a node: its UPOS, else the class of its Penn tag, else ``X``."""
    if node.upos:
        return node.upos
    if node.xpos:
        return PENN_CLASSES.get(node.xpos, UNKNOWN)
    return UNKNOWN
