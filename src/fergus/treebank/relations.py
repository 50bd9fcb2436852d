"""Relation and universal part of speech of a word from its place in a Penn tree.

Arguments (``ARGUMENTS``): SBJ subject, OBJ and IOBJ objects, PRD predicate of a verb other than *be*, LGS
the *by* phrase of a passive, DTV dative, BNF benefactive, PUT the place of *put*, CLR "closely related",
COMP clause as complement, POBJ and PCOMP what a preposition governs, PRT verb particle. They come from
function tags where there are any, otherwise from the place in the verb phrase; a moved phrase has the
relation of its trace.

Adjuncts: TMP LOC DIR MNR PRP EXT ADV VOC by function tag, otherwise the category (PP, ADVP, SBAR, NP,
JJ, NN, ...). Function words: AUX, COP, MARK complementizer, WH, POSS possessor, POS, DT, CC, P punctuation.
CONJ is a later conjunct, which depends on the first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fergus.treebank.heads import (
    BE,
    NOMINAL,
    NOUN_TAGS,
    PUNCTUATION_TAGS,
    VERB_TAGS,
    is_coordinated,
)
from fergus.treebank.phrase import Phrase

ARGUMENTS = frozenset(("SBJ", "OBJ", "IOBJ", "PRD", "LGS", "DTV", "BNF", "PUT", "CLR", "COMP", "POBJ", "PCOMP", "PRT"))
"""The relations that a head asks for; every other one is an adjunct, a function word or a conjunct."""

# When a label has several functions, the first of these is the relation.
_ARGUMENT_FUNCTIONS = ("SBJ", "PRD", "LGS", "DTV", "BNF", "PUT", "CLR")
_ADJUNCT_FUNCTIONS = ("VOC", "TMP", "LOC", "DIR", "MNR", "PRP", "EXT", "ADV")
_CLAUSES = frozenset({"S", "SBAR", "SBARQ", "SQ", "SINV"})
_WH = frozenset({"WHNP", "WHADVP", "WHPP", "WHADJP"})
_UPOS = {
    "CC": "CCONJ", "CD": "NUM", "DT": "DET", "EX": "PRON", "FW": "X", "IN": "ADP", "JJ": "ADJ",
    "JJR": "ADJ", "JJS": "ADJ", "LS": "X", "MD": "AUX", "NN": "NOUN", "NNS": "NOUN", "NNP": "PROPN",
    "NNPS": "PROPN", "PDT": "DET", "POS": "PART", "PRP": "PRON", "PRP$": "PRON", "RB": "ADV",
    "RBR": "ADV", "RBS": "ADV", "RP": "ADP", "SYM": "SYM", "TO": "ADP", "UH": "INTJ", "VB": "VERB",
    "VBD": "VERB", "VBG": "VERB", "VBN": "VERB", "VBP": "VERB", "VBZ": "VERB", "WDT": "DET",
    "WP": "PRON", "WP$": "PRON", "WRB": "ADV", "$": "SYM", "#": "SYM", "ADD": "X", "AFX": "X",
}  # fmt: skip


def relation(child: Phrase, mother: Phrase, children: Sequence[Phrase], head: int, roles: Mapping[str, str]) -> str:
    """What ``child`` is to the head among ``children``; ``roles`` are the relations of traces by index."""
    category = child.category
    head_is_predicate = children[head].category not in VERB_TAGS
    if category in PUNCTUATION_TAGS:
        return "P"
    if category in ("CC", "CONJP"):
        return "CC"
    if child.is_word and category in VERB_TAGS and mother.category in _CLAUSES | {"VP"} and head_is_predicate:
        copula = child.word.lower() in BE and children[head].category not in ("VP", *_CLAUSES)
        return "COP" if copula else "AUX"
    if _is_conjunct(child, mother, children, children[head]):
        return "CONJ"
    if child.index in roles and not set(child.functions) - {"TPC"}:
        return roles[child.index]
    if category == "PP" and any("LGS" in daughter.functions for daughter in child.children):
        return "LGS"
    if category == "NP" and mother.category == "VP" and not child.functions:
        at = next(i for i, sister in enumerate(children) if sister is child)
        later = any(sister.category == "NP" and not sister.functions for sister in children[at + 1 :])
        return "IOBJ" if later and not is_coordinated(mother, children) else "OBJ"
    return relation_by_label(child, mother.category)


def relation_by_label(child: Phrase, mother: str) -> str:
    """The relation as far as the child's own label and the mother's category tell it."""
    category = child.category
    if mother in ("PP", "WHPP") and not child.is_word:
        if category in _CLAUSES | {"VP"}:
            return "PCOMP"
        if category not in ("ADVP", "PRN", "PRT") and not set(child.functions) - {"LGS", "CLR", "NOM", "TTL"}:
            return "POBJ"
    for function in _ARGUMENT_FUNCTIONS + _ADJUNCT_FUNCTIONS:
        if function in child.functions:
            return function
    if category in _CLAUSES and (mother in ("VP", "ADJP") or "TPC" in child.functions):
        return "COMP"
    if category == "NP" and mother == "VP":
        return "OBJ"
    if mother in ("SBAR", "SBARQ"):
        if category in _WH:
            return "WH"
        if child.is_word and category in ("IN", "DT", "TO"):
            return "MARK"
    if category in ("PRP$", "WP$") or child.is_possessor:
        return "POSS"
    if child.is_word and category[:2] in ("NN", "JJ", "RB", "VB"):
        return category[:3] if category.startswith("NNP") else category[:2]
    return category or "X"


def _is_conjunct(child: Phrase, mother: Phrase, children: Sequence[Phrase], head: Phrase) -> bool:
    if child.functions and not set(child.functions) & set(head.functions):
        return False
    same = _kind(child.category) == _kind(head.category)
    if is_coordinated(mother, children):
        return mother.category == "UCP" or same
    # Clauses and verb phrases side by side are conjoined without a conjunction; noun phrases are appositions.
    return same and head.category in ("S", "VP", "SBAR") and mother.category == head.category


def _kind(category: str) -> str:
    if category in NOUN_TAGS or category in NOMINAL or category in ("PRP", "QP", "CD"):
        return "NP"
    return category[:2] if category[:2] in ("VB", "JJ", "RB") else category


def universal_tag(word: Phrase, deprel: str) -> str:
    """The UPOS of a word, for which tags that serve several ends need the relation."""
    tag = word.category
    if tag in PUNCTUATION_TAGS:
        return "PUNCT"
    if deprel in ("AUX", "COP"):
        return "PART" if tag == "TO" else "AUX"
    if deprel == "MARK":
        return "SCONJ"
    if tag in ("DT", "WDT") and deprel != tag:
        return "PRON"
    if tag == "RB" and word.word.lower() in ("not", "n't"):
        return "PART"
    return _UPOS.get(tag, "X")
