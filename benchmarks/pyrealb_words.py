"""A word of a UD tree as a terminal of pyrealb: its category and lemma there, and its features as options."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from fergus.core.tree import Node

Lexicon = Mapping[str, Collection[str]]
"""Lemmas with the categories that they have there."""
Terminal = dict[str, Any]

CATEGORIES = {
    "NOUN": ("N",),
    "VERB": ("V",),
    "AUX": ("V",),
    "ADJ": ("A", "D", "Adv"),
    "ADV": ("Adv", "C", "D", "Q"),
    "DET": ("D", "Pro", "Adv", "Q"),
    "PRON": ("Pro", "D", "Q"),
    "ADP": ("P", "Adv", "C", "Q"),
    "SCONJ": ("C", "P", "Adv", "Q"),
    "CCONJ": ("C", "Q"),
    "PART": ("Adv", "P", "Q"),
}
"""In which order they are tried; ``Q`` is a word written as it is, as names, numbers and the like always are."""
MODALS = {"could": "can", "would": "will", "should": "shall", "might": "may"}
"""Lemmas of the treebank that are past forms there."""
NUMBERS = {"Sing": "s", "Plur": "p"}
GENDERS = {"Masc": "m", "Fem": "f", "Neut": "n"}
DEGREES = {"Cmp": "co", "Sup": "su"}


class LeftOutError(Exception):
    """Why pyrealb cannot be given a sentence."""


def terminal(node: Node, lexicon: Lexicon) -> Terminal:
    """The word with its options."""
    feats, lemma = dict(node.feats or ()), node.lemma or node.form
    if node.upos == "PRON" and feats.get("PronType") == "Prs":
        return _personal(node, feats)
    if node.deprel == "compound:prt":  # as an adverb it would be moved away from its verb
        return _terminal("Q", lemma, {})
    if node.upos in ("VERB", "AUX"):
        return _verb(lemma, feats, lexicon)
    # A name is written as it is; in the plural it has to be a noun.
    is_plural_name = node.upos == "PROPN" and feats.get("Number") == "Plur"
    category = _category(lemma, "NOUN" if is_plural_name else node.upos or "X", lexicon)
    options: dict[str, Any] = {}
    if category in ("N", "D", "Pro") and feats.get("Number") in NUMBERS:
        options["n"] = NUMBERS[feats["Number"]]
    if category in ("A", "Adv") and feats.get("Degree") in DEGREES:
        options["f"] = DEGREES[feats["Degree"]]
    return _terminal(category, lemma, options)


def _category(lemma: str, upos: str, lexicon: Lexicon) -> str:
    for category in CATEGORIES.get(upos, ("Q",)):
        if category == "Q" or category in lexicon.get(lemma, ()):
            return category
    raise LeftOutError("a word that its lexicon does not have")


def _verb(lemma: str, feats: Mapping[str, str], lexicon: Lexicon) -> Terminal:
    past = lemma in MODALS
    lemma = MODALS.get(lemma, lemma)
    if "V" not in lexicon.get(lemma, ()):
        raise LeftOutError("a word that its lexicon does not have")
    form, is_past = feats.get("VerbForm"), past or feats.get("Tense") == "Past"
    if form == "Inf":
        return _terminal("V", lemma, {"t": "b"})
    if form in ("Part", "Ger"):
        return _terminal("V", lemma, {"t": "pp" if is_past else "pr"})
    if feats.get("Mood") == "Imp":
        return _terminal("V", lemma, {"t": "ip", "pe": 2})
    options: dict[str, Any] = {"t": "ps" if is_past else "p"}
    if feats.get("Number") in NUMBERS:
        options["n"] = NUMBERS[feats["Number"]]
    if "Person" in feats:
        options["pe"] = int(feats["Person"])
    return _terminal("V", lemma, options)


def _personal(node: Node, feats: Mapping[str, str]) -> Terminal:
    """pyrealb has one entry for all persons, and what it becomes is said by options."""
    if "Person" not in feats:
        return _terminal("Q", node.lemma or node.form, {})
    number, person = NUMBERS.get(feats.get("Number", ""), "s"), int(feats["Person"])
    options: dict[str, Any] = {"pe": person}
    if feats.get("Gender") in GENDERS:
        options["g"] = GENDERS[feats["Gender"]]
    if feats.get("Poss") == "Yes":
        is_determiner = (node.deprel or "") == "nmod:poss"
        return _terminal("D" if is_determiner else "Pro", "my" if is_determiner else "mine", {**options, "ow": number})
    options["n"] = number
    if feats.get("Reflex") == "Yes":
        return _terminal("Pro", "myself", options)
    return _terminal("Pro", "me", {**options, "c": "nom" if feats.get("Case") == "Nom" else "acc"})


def _terminal(category: str, lemma: str, options: dict[str, Any]) -> Terminal:
    return {"terminal": category, "lemma": lemma, "props": options, "lang": "en"}
