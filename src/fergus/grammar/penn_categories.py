"""What Penn's tags and the converter's relations are in XTAG's terms: tables for ``frames``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fergus.core.supertag import Kind, Side
from fergus.core.tree import Node
from fergus.grammar.arguments import category_of

REQUIRED = frozenset(("SBJ", "OBJ", "IOBJ", "PRD", "COMP", "POBJ", "PCOMP", "PRT"))
"""Arguments that must have a slot."""

OPTIONAL = {
    "": frozenset(("CLR", "DTV", "BNF", "PUT", "LGS", "WH")),
    "NOUN": frozenset(("SBAR", "S")),
    "ADV": frozenset(("NP",)),  # *two years ago*
    "ADP": frozenset(("NP",)),
}
"""Arguments that may have one, by the category of the mother; the first row is for all others."""

BE_OR_GET = frozenset(
    (
        "be",
        "am",
        "is",
        "are",
        "was",
        "were",
        "been",
        "being",
        "'s",
        "'m",
        "'re",
        "get",
        "gets",
        "got",
        "getting",
    )
)
AUXILIARY = frozenset(("AUX", "COP"))
PARENTHETICAL = frozenset(("PRN", "SINV"))
HAVE = frozenset(("have", "has", "had", "having", "'ve", "'d"))
WH_TAGS = frozenset(("WP", "WDT", "WRB", "WP$"))
NOMINAL = frozenset(("NOUN", "PROPN", "PRON", "NUM", "SYM", "DET", "X"))
QUOTES = frozenset(("``", "''", "-LRB-", "-RRB-", "(", ")", "`", "'", '"'))

ANCHORS = {
    "NOUN": ("N", "A"),
    "PROPN": ("N",),
    "PRON": ("N", "D"),
    "SYM": ("N",),
    "X": ("N",),
    "NUM": ("D", "N"),
    "DET": ("D", "Ad", "N"),
    "ADJ": ("A", "D", "N"),
    "ADV": ("Ad", "P", "A"),
    "ADP": ("P", "Ad"),
    "SCONJ": ("Comp", "Mark"),
    "VERB": ("V", "A"),
    "AUX": ("V",),
    "CCONJ": ("Conj",),
    "INTJ": ("I",),
    "PUNCT": ("Punct", "Conj"),
}
"""The categories under which XTAG may list a word of each UPOS, in the order in which they are tried."""

PROJECTIONS = {
    "VERB": ("VP", "S", "V"),
    "AUX": ("VP", "S", "V"),
    "ADJ": ("AP", "A"),
    "ADP": ("PP", "P"),
    "ADV": ("Ad", "AdvP"),
    "NUM": ("D",),
    "DET": ("D",),
}
"""The phrases a word is the head of; nouns and everything else: N and NP."""


def anchor_categories(
    node: Node, kind: Kind, side: Side | None, mother: Node | None, *, before_conjunct: bool
) -> tuple[str, ...]:
    """The categories to try for a node; ``before_conjunct`` if a conjunct of its mother follows."""
    category, relation = category_of(node), node.deprel or ""
    if relation == "MARK":
        complement = mother is not None and mother.deprel == "COMP"
        form = node.form.lower()
        comp = form in ("that", "whether", "for") or (form == "if" and complement)
        return ("Comp", "Mark") if comp else ("Mark", "Comp")
    if relation == "WH" and kind == "gamma":
        return ("Mark", "Ad", "P")
    if category == "PART":
        return ("G",) if node.xpos == "POS" else ("V",) if node.xpos == "TO" else ("Ad",)
    if category == "NUM" and (kind == "alpha" or side == "right"):
        return ("N", "D")
    if category == "PRON" and (node.xpos or "").endswith("$"):
        return ("D",)
    if category == "PUNCT" and node.form not in QUOTES and side == "right" and before_conjunct:
        return ("Conj", "Punct")
    return ANCHORS.get(category, ())


def is_predicate(daughters: Iterable[Node]) -> bool:
    """Whether a word that is no verb heads a clause: it has a subject or a copula."""
    return any(daughter.deprel in ("SBJ", "COP", "AUX") for daughter in daughters)


def projections(mother: Node, daughters: Sequence[Node], side: Side | None) -> list[str]:
    """The phrases of which ``mother`` is the head, the likeliest to adjoin to on this side first."""
    category = category_of(mother)
    noun = ["N", "NP"] if side == "left" else ["NP", "N"]
    result = list(PROJECTIONS.get(category, ())) or noun
    gerund = mother.xpos == "VBG" and any(daughter.deprel in ("DT", "POSS") for daughter in daughters)
    if category in ("NUM", "DET", "ADJ") or gerund:
        result += noun  # *the poor*, *the building of*
    if category not in ("VERB", "AUX") and is_predicate(daughters):
        result += ["VP", "S"]
    return result


def phrase_symbols(daughter: Node) -> tuple[str, ...]:
    """The slots that a daughter may fill, as in ``Reading.signature``, the likeliest first."""
    category, relation, tag = category_of(daughter), daughter.deprel or "", daughter.xpos
    if relation == "PRT":
        return ("PL",)
    phrases: tuple[str, ...]
    if relation in ("COMP", "PCOMP", "S", "SBAR"):
        phrases = ("NP", "S") if tag == "VBG" and relation == "PCOMP" else ("S", "NP")
    elif category in ("VERB", "AUX"):
        phrases = ("S", "AP", "NP") if relation == "PRD" else ("NP", "S")
    elif category == "ADJ":
        phrases = ("AP", "A") if relation == "PRD" else ("NP", "AP", "A")
    elif category == "ADP":
        phrases = ("PP", "NP")
    elif category == "ADV":
        phrases = ("Ad", "PP", "AP", "NP")
    elif relation == "PRD":
        phrases = ("NP", "AP")
    else:
        phrases = ("NP",)
    if relation == "SBJ":
        phrases = ("S.s", "NP.s") if category == "VERB" and tag != "VBG" else ("NP.s", "S.s")
    if tag in WH_TAGS:
        phrases = ("PP.w", "NP.w") if tag == "WRB" else ("NP.w", *phrases)
    return phrases


def adjunct_suffix(node: Node) -> str:
    """How an alpha tree is named that hangs on its mother as a modifier; nothing where it may not."""
    category, relation = category_of(node), node.deprel or ""
    if relation == "CONJ":
        return "conj"
    if category in ("PUNCT", "CCONJ", "AUX", "PART", "SCONJ", "DET") or relation in ("MARK", "AUX", "COP"):
        return ""
    if relation == "POSS":
        return "" if (node.xpos or "").endswith("$") else "poss"  # *its* is a determiner
    return "app" if category in NOMINAL else "adv"


def is_substituted(node: Node, mother: Node | None, side: Side | None) -> bool:
    """Whether XTAG surely substitutes a modifier into the tree of a word beside it: it has no gamma tree."""
    if node.deprel == "NP":  # *Joe, the plumber*
        return side == "right" and mother is not None and category_of(mother) in NOMINAL
    return adjunct_suffix(node) in ("conj", "poss")
