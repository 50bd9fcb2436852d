"""How the solution of a task is graded against its gold answer, from 0 to 1.

A gold answer, and each part of one, can give alternatives: ``7.30|half past seven``.
"""

from __future__ import annotations

import math
import re
import unicodedata
from itertools import combinations

_SEPARATOR = re.compile(r"[,;\n]")
_STEP = re.compile(r"[,;>\n]")
_NUMBER = re.compile(r"[-+]?(\d{1,3}(,\d{3})+|\d+)?(\.\d+)?(e[-+]?\d{1,3})?", re.ASCII)


def plain(text: str) -> str:
    """The text as it is compared: without case, space and punctuation, but 1.5 is not 15.

    >>> plain("At 10:30, Room B-12."), plain("1.5")
    ('at1030roomb12', '1.5')
    """
    whole = unicodedata.normalize("NFKC", text).casefold()
    kept = []
    for place, character in enumerate(whole):
        between_digits = whole[place - 1 : place].isdigit() and whole[place + 1 : place + 2].isdigit()
        ignored = character.isspace() or unicodedata.category(character).startswith("P")
        if not ignored or (character in ".," and between_digits):
            kept.append(character)
    return "".join(kept) or whole.strip()  # punctuation alone is compared as it is


def alternatives(gold: str) -> list[str]:
    """What is right: one or more, separated by bars."""
    return [part.strip() for part in gold.split("|") if part.strip()]


def parts(text: str, *, steps: bool = False) -> list[str]:
    """Members of a set, separated by commas, semicolons or lines; with steps, ``>`` separates them too."""
    return [part.strip() for part in (_STEP if steps else _SEPARATOR).split(text) if part.strip()]


def number(text: str) -> float | None:
    """The number that a text is, without currency and percent signs; None if it is none.

    >>> number("$1,250.50"), number("about 7")
    (1250.5, None)
    """
    bare = text.strip().strip("$€£¥% ").replace("\u2212", "-").lower()
    if not any(c.isdigit() for c in bare) or not _NUMBER.fullmatch(bare):
        return None
    try:
        value = float(bare.replace(",", ""))
    except ValueError:  # an exponent alone
        return None
    return value if math.isfinite(value) else None


def grade_exact(solution: str, gold: str) -> float:
    """1 if the solution is one of the alternatives, whatever its case, space and punctuation."""
    return float(plain(solution) in {plain(right) for right in alternatives(gold)})


def grade_number(solution: str, gold: str, *, tolerance: float) -> float:
    """1 if the solution is within the tolerance of one of the alternatives."""
    given = number(solution)
    rights = [right for right in map(number, alternatives(gold)) if right is not None]
    # 0.4 is within 0.1 of 0.3, though not in binary fractions.
    return float(given is not None and any(abs(given - r) <= tolerance + 1e-9 * max(1, abs(r)) for r in rights))


def grade_set(solution: str, gold: str) -> float:
    """The harmonic mean of precision and recall (F1) of the solution's members.

    Two of three found and one wrong: precision 2/3, recall 2/3.

    >>> round(grade_set("Anna, Bob, Eve", "anna, bob|robert, carol"), 3)
    0.667
    """
    names = _names(parts(gold))
    given = {names.get(plain(part), plain(part)) for part in parts(solution)}
    right = set(names.values())
    return 2 * len(given & right) / (len(given) + len(right)) if given or right else 0.0


def grade_ranking(solution: str, gold: str) -> float:
    """The share of the gold answer's pairs that the solution has in the same order: (Kendall's tau + 1) / 2.

    A pair with a member that the solution leaves out is not in order; what the gold answer lacks is passed over.
    Chance is 0.5.

    >>> grade_ranking("a > c > b", "a > b > c|d"), grade_ranking("b", "a > b"), grade_ranking("b, a", "a > b")
    (0.6666666666666666, 0.0, 0.0)
    """
    names = _names(parts(gold, steps=True))
    order = list(dict.fromkeys(names.values()))
    place: dict[str, int] = {}
    for part in parts(solution, steps=True):
        place.setdefault(names.get(plain(part), ""), len(place))
    pairs = list(combinations(order, 2))
    agree = sum(first in place and second in place and place[first] < place[second] for first, second in pairs)
    return agree / len(pairs) if pairs else 0.0


def _names(members: list[str]) -> dict[str, str]:
    """The first alternative of a member by every alternative, all in plain form."""
    named: dict[str, str] = {}
    for member in members:
        same = [plain(right) for right in alternatives(member)]
        for right in same:
            named.setdefault(right, same[0])
    return named
