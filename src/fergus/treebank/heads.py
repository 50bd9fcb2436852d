"""Which daughter of a phrase is its head: rules in the manner of Magerman and Collins, with XTAG's analyses.

Where XTAG and the FERGUS papers differ from the usual tables, the papers win: auxiliaries, modals and
*to* depend on the main verb; a predicate (noun, adjective, preposition) heads its clause and the copula
depends on it; a preposition heads its phrase. The first conjunct heads a coordination.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Literal

from fergus.treebank.phrase import Phrase

NOUN_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS"})
VERB_TAGS = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD", "TO"})
PUNCTUATION_TAGS = frozenset({",", ".", ":", "``", "''", "-LRB-", "-RRB-", "NFP", "HYPH"})
NOMINAL = frozenset({"NP", "NX", "NAC", "WHNP"})
BE = frozenset(("be", "am", "is", "are", "was", "were", "been", "being", "'s", "'m", "'re", "ai"))
AUXILIARIES = BE | frozenset(
    (
        "have",
        "has",
        "had",
        "having",
        "'ve",
        "'d",
        "do",
        "does",
        "did",
        "get",
        "gets",
        "got",
        "getting",
        "gotten",
    )
)
_PREDICATES = frozenset({"NP", "NX", "ADJP", "PP", "ADVP", "QP", "UCP", "WHNP", "WHADJP"})
_SKIPPED_FUNCTIONS = frozenset(("SBJ", "TPC", "TMP", "LOC", "DIR", "MNR", "PRP", "EXT", "ADV", "VOC", "CLR"))

Direction = Literal["left", "right"]
_NOUNS = "NN NNS NNP NNPS NX"

# For each category, the rules in turn: from which end to search, and for what. The first daughter found
# is the head. "-PRD" is any phrase with that function tag.
HEAD_RULES: dict[str, tuple[tuple[Direction, str], ...]] = {
    "S": (("left", "VP"), ("left", "-PRD"), ("left", "S SINV SQ SBARQ"), ("left", "SBAR NP ADJP PP ADVP")),
    "SINV": (("left", "VP"), ("left", "VBZ VBD VBP VB MD"), ("left", "S SINV"), ("left", "-PRD")),
    "SQ": (("left", "VP"), ("left", "VBZ VBD VBP VB MD"), ("left", "SQ"), ("left", "-PRD")),
    "SBARQ": (("left", "SQ S SINV SBARQ"), ("left", "FRAG VP"), ("left", "WHNP WHADVP")),
    "SBAR": (("left", "S SQ SINV SBARQ"), ("left", "SBAR FRAG VP"), ("right", "WHNP WHADVP WHPP IN DT")),
    "VP": (("left", "VP"), ("left", "VBD VBN VBZ VB VBG VBP MD TO"), ("left", "-PRD NN NNS JJ NP ADJP PP")),
    "NP": (
        ("right", _NOUNS),
        ("left", "NP"),
        ("left", "$ #"),
        ("right", "PRP EX WP"),
        ("right", "NAC QP CD"),
        ("right", "JJ JJS JJR ADJP VBG VBN RB"),
        ("right", "DT WDT PRP$ S SBAR"),
    ),
    "WHNP": (("right", _NOUNS), ("left", "WHNP NP"), ("right", "WP WDT CD JJ DT WHADJP WP$ IN")),
    "ADJP": (
        ("right", "JJ JJR JJS VBN VBG"),
        ("left", "ADJP"),
        ("right", "QP CD $ NN NNS RB RBR"),
        ("left", "NP PP"),
    ),
    "WHADJP": (("right", "JJ JJR JJS"), ("right", "WRB ADJP RB")),
    "ADVP": (
        ("right", "RB RBR RBS WRB"),
        ("left", "ADVP"),
        ("right", "IN RP JJ JJR JJS NN"),
        ("left", "NP PP"),
    ),
    "WHADVP": (("right", "RB JJ RBR"), ("left", "WRB WHADVP IN")),
    "PP": (
        ("left", "IN TO"),
        ("left", "VBG VBN RP FW"),
        ("left", "PP"),
        ("left", "RB JJ CC ADVP"),
        ("left", "NP"),
    ),
    "WHPP": (("left", "IN TO"), ("left", "WHPP WHNP")),
    "QP": (("left", "$ #"), ("right", "NN NNS"), ("right", "CD"), ("left", "QP"), ("right", "JJ JJR DT RB")),
    "CONJP": (("left", "CC"), ("right", "IN RB")),
    "FRAG": (("left", "S SINV SQ VP NP ADJP"), ("left", "SBAR PP ADVP WHNP WHADVP FRAG")),
    "RRC": (("left", "VP"), ("left", "ADJP NP PP ADVP RRC")),
    "PRN": (("left", "S SINV SBAR VP"), ("left", "NP PP ADJP ADVP NN NNS NNP JJ")),
    "UCP": (("left", "NP NX QP ADJP ADVP PP VP S SBAR UCP NN NNS NNP JJ VBN VBG"),),
    "PRT": (("left", "RP IN RB"),),
    "INTJ": (("right", "UH"),),
    "LST": (("left", "LS CD"),),
}
HEAD_RULES["NX"] = HEAD_RULES["NAC"] = HEAD_RULES["NP"]


def head_child(phrase: Phrase, children: Sequence[Phrase]) -> int:
    """The place of the head among ``children``, which are the phrase's own after ``group_coordination``."""
    if len(children) == 1:
        return 0
    coordinated = is_coordinated(phrase, children)
    if phrase.category in ("VP", "SQ", "SINV"):
        head = _verbal_head(children)
        if head is not None:
            return head
    # The clause under a complementizer is its head whatever its function.
    adjuncts: frozenset[str] = frozenset() if phrase.category == "SBAR" else _SKIPPED_FUNCTIONS
    good = [i for i, child in enumerate(children) if not _is_skipped(child, adjuncts)]
    if phrase.category == "PP" and children[0].category == "CC":  # "plus interest"
        good.insert(0, 0)
    words = [i for i, child in enumerate(children) if child.category not in PUNCTUATION_TAGS]
    for places in (good, words):
        if coordinated and phrase.category in NOMINAL:
            conjuncts = [place for place in places if children[place].category in NOUN_TAGS | NOMINAL]
            if conjuncts:
                return conjuncts[0]
        for direction, wanted in HEAD_RULES.get(phrase.category, ()):
            categories = _categories(wanted)
            for place in places if direction == "left" or coordinated else reversed(places):
                child = children[place]
                if child.category in categories or ("PRD" in child.functions and "-PRD" in categories):
                    return place
    places = good or words or [0]
    return places[-1] if phrase.category in NOMINAL and not coordinated else places[0]


@cache
def _categories(wanted: str) -> frozenset[str]:
    return frozenset(wanted.split())


def _is_skipped(child: Phrase, adjuncts: frozenset[str] = _SKIPPED_FUNCTIONS) -> bool:
    """What is only a head if there is nothing else: punctuation, conjunctions, adjuncts, possessors."""
    return (
        child.category in PUNCTUATION_TAGS
        or child.category in ("CC", "CONJP", "PRN", "INTJ", "LST")
        or child.is_possessor
        or (not child.is_word and not adjuncts.isdisjoint(child.functions))
    )


def _verbal_head(children: Sequence[Phrase]) -> int | None:
    """The main verb's phrase behind auxiliaries, else the predicate of a copula, else the verb."""
    verbs: list[int] = []
    for place, child in enumerate(children):
        if child.is_word and child.category in VERB_TAGS:
            verbs.append(place)
        elif child.category == "VP" and not _is_skipped(child):
            if all(is_auxiliary(children[verb]) for verb in verbs):
                return place
            break
    if verbs and all(is_auxiliary(children[verb]) for verb in verbs):
        after = range(verbs[0] + 1, len(children))
        if any(children[verb].word.lower() in BE for verb in verbs):
            for place in after:
                if children[place].category in _PREDICATES and "PRD" in children[place].functions:
                    return place
            for place in after:
                if children[place].category == "NP" and not children[place].functions:
                    return place
    return verbs[0] if verbs else None


def is_auxiliary(word: Phrase) -> bool:
    """Whether a verb can be an auxiliary; whether it is one depends on there being a main verb."""
    return word.category in ("MD", "TO") or word.word.lower() in AUXILIARIES


def is_coordinated(phrase: Phrase, children: Sequence[Phrase]) -> bool:
    """Whether a conjunction stands between two daughters; in a noun phrase, after something nominal."""
    for place in range(1, len(children) - 1):
        if children[place].category in ("CC", "CONJP"):
            if phrase.category not in NOMINAL:
                return True
            before = next((c for c in reversed(children[:place]) if c.category not in PUNCTUATION_TAGS), None)
            if before and (before.category in NOUN_TAGS or before.category in _NOMINAL_CONJUNCTS):
                return True
    return False


_NOMINAL_CONJUNCTS = NOMINAL | {"QP", "PRP", "CD", "S", "SBAR", "UCP", "PP", "PRN", "$"}


def group_coordination(phrase: Phrase) -> tuple[Phrase, ...]:
    """The daughters of a flat noun phrase, with conjoined nouns or conjoined modifiers put into phrases.

    ``stocks and corporate bonds`` has two heads, ``oil and gas prices`` one; the treebank leaves both
    flat. What follows the conjunction decides: another noun of the same tag that is not the last noun
    makes it a coordination of modifiers.
    """
    children = phrase.children
    if phrase.category not in NOMINAL:
        return children
    conjunction = next((i for i in range(1, len(children) - 1) if children[i].category == "CC"), None)
    if conjunction is None or not children[conjunction - 1].is_word:
        return children
    before, after = children[conjunction - 1].category, children[conjunction + 1].category
    nouns = [i for i, child in enumerate(children) if child.is_word and child.category in NOUN_TAGS]
    head = nouns[-1] if nouns else -1
    if before in NOUN_TAGS and (
        head <= conjunction + 1 or after not in NOUN_TAGS or (before == children[head].category and after != before)
    ):
        return _conjoined_heads(children, conjunction, max(head, conjunction + 1))
    if head > conjunction + 1 and _class(before) == _class(after):
        return _conjoined_modifiers(children, conjunction)
    return children


def _conjoined_heads(children: tuple[Phrase, ...], conjunction: int, last: int) -> tuple[Phrase, ...]:
    result: list[Phrase] = []
    conjunct: list[Phrase] = []
    for place, child in enumerate(children[: last + 1]):
        after_noun = bool(conjunct) and conjunct[-1].category in NOUN_TAGS
        if place == conjunction or (place < conjunction and child.category == "," and after_noun):
            result += [*_as_phrase("NP", conjunct), child]
            conjunct = []
        else:
            conjunct.append(child)
    return (*result, *_as_phrase("NP", conjunct), *children[last + 1 :])


def _conjoined_modifiers(children: tuple[Phrase, ...], conjunction: int) -> tuple[Phrase, ...]:
    first = conjunction - 1
    kind = _class(children[first].category)
    while first >= 2 and children[first - 1].category == "," and _class(children[first - 2].category) == kind:
        first -= 2
    category = {"NN": "NX", "JJ": "ADJP", "CD": "QP"}.get(kind, "UCP")
    group = Phrase(category, children=children[first : conjunction + 2])
    return (*children[:first], group, *children[conjunction + 2 :])


def _as_phrase(category: str, children: list[Phrase]) -> list[Phrase]:
    return children if len(children) < 2 else [Phrase(category, children=tuple(children))]


def _class(tag: str) -> str:
    return tag[:2] if tag[:2] in ("NN", "JJ", "VB", "RB") else tag
