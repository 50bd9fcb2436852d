"""Numbers in digits: whether long ones are written in groups, and with what between, as the treebank has them.

    16900    16,900  (English)    16 900  (French)        1998    1998

Lemmas of numbers have digits only. How a number is grouped goes by its length, and among four digits by whether it
looks like a year or is round.
"""

from __future__ import annotations

from collections import Counter

from fergus.realize.inflection_lexicon import InflectionLexicon

NUMBER = "NUM"
_SHORTEST, _LONGEST = 4, 5
"""Numbers of five digits and more are grouped alike."""
_PRIOR = 2.0
"""Numbers of a kind count as much as those of the same length once there are so many."""

Shape = tuple[int, bool, bool] | tuple[int]


class DigitGrouping:
    """The groups of digits in a lexicon."""

    def __init__(self, lexicon: InflectionLexicon) -> None:
        self._counts: dict[Shape, Counter[str]] = {}
        for (lemma, upos, _), forms in lexicon.entries.items():
            if not is_long_number(lemma, upos):
                continue
            for form, count in forms.items():
                separator = separator_of(lemma, form)
                if separator is not None:
                    for shape in shapes(lemma):
                        self._counts.setdefault(shape, Counter())[separator] += count

    def forms(self, lemma: str) -> dict[str, float]:
        """The ways to write a number with their probabilities; nothing if the treebank has none of its length."""
        general, special = (self._counts.get(shape, Counter()) for shape in reversed(shapes(lemma)))
        total = sum(general.values())
        if not total:
            return {}
        size = sum(special.values())
        return {
            grouped(lemma, separator): (special[separator] + _PRIOR * count / total) / (size + _PRIOR)
            for separator, count in sorted(general.items())
        }


def is_long_number(lemma: str, upos: str) -> bool:
    """Whether there is anything to group."""
    return upos == NUMBER and len(lemma) >= _SHORTEST and lemma.isascii() and lemma.isdecimal()


def shapes(lemma: str) -> tuple[Shape, Shape]:
    """What decides: length, roundness and looking like a year; and the length alone."""
    length = min(len(lemma), _LONGEST)
    is_year = length == _SHORTEST and lemma[:2] in ("18", "19", "20")
    return (length, lemma.endswith("00"), is_year), (length,)


def separator_of(lemma: str, form: str) -> str | None:
    """What stands between the groups of a form, "" where it has none; None if it is written in another way.

    >>> separator_of("16900", "16,900"), separator_of("1998", "1998"), separator_of("1998", "'98")
    (',', '', None)
    """
    if form == lemma:
        return ""
    found = next((letter for letter in form if not letter.isdecimal()), "")
    return found if found and grouped(lemma, found) == form else None


def grouped(digits: str, separator: str) -> str:
    """Digits in groups of three from the end.

    >>> grouped("3300000", ",")
    '3,300,000'
    """
    first = len(digits) % 3 or 3
    return separator.join([digits[:first], *(digits[i : i + 3] for i in range(first, len(digits), 3))])
