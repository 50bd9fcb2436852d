"""Tokens to printable text, by rule, for English and languages that are written like it.

    ``  It  's  a  well  -  known  fact  ,  ''  he  said  .   ->   "It's a well-known fact," he said.

A rule is here only where it is right nearly always (counted on the training part of UD English EWT); where
usage is divided, as between a dash and a hyphen, the words beside it decide, and in doubt there is a space.
Where the input says how it was written (``SpaceAfter=No``, multiword tokens), that is followed as long as the
words in question are still neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from fergus.core.tree import DependencyTree
from fergus.realize.word_case import is_address
from fergus.realize.written_form import NOTHING, PENN_CLOSING, PENN_NAMES, PENN_OPENING, stated_units

_NO_SPACE_BEFORE = re.compile(r"[,;:%)\]}”’…]|[.!?]+")
# Brackets, currency signs, and the elided words of French.
_NO_SPACE_AFTER = re.compile(r"[(\[{“‘]|[A-Z]*[$£€]|(?i:[cdjlmnst]|(?:jus|lors|puis|quel)?qu|aujourd|entr)['’]")
_CLITIC = re.compile(r"['’](?:s|m|d|ll|re|ve)|n['’]?t", re.IGNORECASE)
# Written as one word though they are two tokens.
_ONE_WORD = {
    ("can", "not"), ("gon", "na"), ("wan", "na"), ("got", "ta"), ("out", "ta"), ("gim", "me"), ("let", "s"),
    ("that", "s"), ("it", "s"), ("what", "s"), ("he", "s"), ("she", "s"), ("there", "s"), ("i", "m"),
    ("i", "ve"), ("i", "ll"), ("you", "ll"), ("you", "re"), ("you", "ve"),
}  # fmt: skip

# A lone hyphen before or after one of these is a dash (*it works - but slowly*), unless another hyphen stands
# two tokens away (*state - of - the - art*).
_PRONOUNS = "i you he she it we they him her us them this that these those there here"
_AFTER_A_DASH = frozenset(
    f"""{_PRONOUNS} a an the his its my your our their who which what when where while and or but so because
    if as though although then than not no never yes just even also very already maybe perhaps now nothing
    something is are was were be been have has had do does did will would can could should may might for of
    with from to at about into over between well please thanks all any some many much take try""".split()
)
_BEFORE_A_DASH = frozenset(
    f"{_PRONOUNS} again too yet etc etc. enough ago today tomorrow yesterday is are was be been have".split()
)
_PARTICIPLE = re.compile(r".*ed|led|made|born|built|run|style|like|wide|speaking|making|looking|era|turned")
_PREFIXES = frozenset({"al", "el", "anti", "pro", "non", "pre", "post", "mid", "ex", "inter", "trans", "neo"})
_KEEPS_ITS_CASE = re.compile(r"[^\W\d_]*[a-z][^\W\d_]*[A-Z]|.*\d")


def detokenize(tokens: Sequence[str]) -> str:
    """The sentence as people write it.

    >>> detokenize(["there", "was", "n't", "a", "cost", "estimate", "(", "yet", ")", "."])
    "There wasn't a cost estimate (yet)."
    """
    return _joined(tokens, _glued(tokens))


def detokenize_tree(tree: DependencyTree, order: Sequence[int]) -> str:
    """The same for nodes of a tree, honouring how the input was written where its neighbours stayed the same.

    See ``fergus.realize.written_form`` for what an input may say.
    """
    units = stated_units(tree, order)
    tokens = [unit.form for unit in units]
    glued = [rule or unit.gap == NOTHING for rule, unit in zip(_glued(tokens), units, strict=True)]
    return _joined(tokens, glued)


def _joined(tokens: Sequence[str], glued: Sequence[bool]) -> str:
    pieces = []
    for token, tight in zip(tokens, glued, strict=True):
        pieces.append(PENN_NAMES.get(token, token))
        pieces.append("" if tight else " ")
    return _capitalised("".join(pieces).strip())


def _glued(tokens: Sequence[str]) -> list[bool]:
    """For every token whether the next one follows without a space."""
    sides = _quote_sides(tokens)
    glued = [False] * len(tokens)
    for i in range(len(tokens) - 1):
        left, right = PENN_NAMES.get(tokens[i], tokens[i]), PENN_NAMES.get(tokens[i + 1], tokens[i + 1])
        if sides[i] or sides[i + 1]:
            glued[i] = sides[i] == "opens" or sides[i + 1] == "closes"
            if not glued[i] and not sides[i + 1]:
                glued[i] = bool(_NO_SPACE_BEFORE.fullmatch(right) or _CLITIC.fullmatch(right))
            elif not glued[i]:
                glued[i] = bool(_NO_SPACE_AFTER.fullmatch(left))
        else:
            glued[i] = bool(
                _NO_SPACE_BEFORE.fullmatch(right)
                or _NO_SPACE_AFTER.fullmatch(left)
                or _CLITIC.fullmatch(right)
                or (left.lower(), right.lower()) in _ONE_WORD
                or (left == "#" and right.isdecimal())
            )
    for i in range(1, len(tokens) - 1):
        if tokens[i] in ("-", "/", r"\/") and _is_tight(tokens, i):
            glued[i - 1] = glued[i] = True
    return glued


def _is_tight(tokens: Sequence[str], i: int) -> bool:
    """Whether the hyphen or slash at ``i`` joins its neighbours."""
    left, right = tokens[i - 1], tokens[i + 1]
    if not (left[-1:].isalnum() and right[:1].isalnum()):
        return False
    if tokens[i] != "-":
        return True
    if "-" in (tokens[i - 2] if i >= 2 else "", tokens[i + 2] if i + 2 < len(tokens) else ""):
        return True
    if left[-1].isdigit():
        return not right[0].isupper()  # 1990-1995, 10-year, but: 1 - Yes
    if left[0].isupper() and not left.isupper() and right.islower():
        return bool(_PARTICIPLE.fullmatch(right))  # American-made
    if left.islower() and right[0].isupper():
        return left in _PREFIXES  # anti-American, but: the club - Barcelona
    plural = left.islower() and left.endswith("s") and not left.endswith("ss")
    adverb = right.endswith("ly") and right != "friendly"
    return not (plural or adverb or left.lower() in _BEFORE_A_DASH or right.lower() in _AFTER_A_DASH)


def _quote_sides(tokens: Sequence[str]) -> list[str]:
    """For each straight or Penn quote and angle bracket ``opens`` or ``closes``; for other tokens nothing."""
    sides = [""] * len(tokens)
    for quote in ('"', "'"):
        places = [i for i, token in enumerate(tokens) if token == quote]
        is_open = False
        for rank, i in enumerate(places):
            before = tokens[i - 1] if i else ""
            if is_open:
                sides[i], is_open = "closes", False
            elif quote == "'" and before[-1:] in ("s", "S") and (len(places) - rank) % 2 == 1:
                sides[i] = "closes"  # the possessive of a plural: parents '
            elif rank == len(places) - 1 and i and (i == len(tokens) - 1 or re.fullmatch(r"[.,!?]+", before)):
                sides[i] = "closes"  # the end of a quotation that began in an earlier sentence
            else:
                sides[i], is_open = "opens", True
    opened = [i for i, token in enumerate(tokens) if token == "<"]
    for i, token in enumerate(tokens):
        if token in PENN_OPENING:
            sides[i] = "opens"
        elif token in PENN_CLOSING:
            sides[i] = "closes"
        elif token == ">" and opened and opened[0] < i:
            sides[opened.pop(0)], sides[i] = "opens", "closes"
    return sides


def _capitalised(text: str) -> str:
    """The text with a capital first letter, unless its first word is an address or a name like *iPhone*."""
    start = next((i for i, character in enumerate(text) if character.isalnum()), None)
    if start is None or not text[start].islower():
        return text
    first = text[start:].split(maxsplit=1)[0]
    if is_address(first.rstrip(",;:!?)")) or _KEEPS_ITS_CASE.match(first):
        return text
    return text[:start] + text[start].upper() + text[start + 1 :]
