"""From lemma to form by edit actions, letter by letter and from left to right.

    try  ->  tries      copy copy delete i e s stop

The alignment is that of least edit distance, its deletions before its insertions, as in the hard monotonic
transducers of Aharoni and Goldberg (2017) and the edit scripts of Chrupała (2006). Which letters are vowels is
learned too, by Sukhotin's algorithm (1962): harmony and vowel changes are then seen without a word of any language.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

STOP, COPY, DELETE, EMIT = range(4)
"""Action ``EMIT + letter`` writes a letter of the alphabet (numbered from 0)."""
_REPLACE = 1.2
"""A replacement costs more than an insertion or a deletion, less than both."""


def edit_actions(lemma: str, form: str) -> list[int | str]:
    """The actions that make the form of the lemma; a letter to be written stands for itself.

    >>> edit_actions("try", "tries") == [COPY, COPY, DELETE, "i", "e", "s", STOP]
    True
    """
    cost = _costs(lemma, form)
    done: list[int | str] = []
    written: list[int | str] = []
    i = j = 0
    while i < len(lemma) or j < len(form):
        rest = cost[i][j]
        both = i < len(lemma) and j < len(form)
        if both and lemma[i] == form[j] and rest == cost[i + 1][j + 1]:
            done += [*written, COPY]
            written = []
            i, j = i + 1, j + 1
        elif both and lemma[i] != form[j] and rest == _REPLACE + cost[i + 1][j + 1]:
            done.append(DELETE)
            written.append(form[j])
            i, j = i + 1, j + 1
        elif i < len(lemma) and rest == 1 + cost[i + 1][j]:
            done.append(DELETE)
            i += 1
        else:
            written.append(form[j])
            j += 1
    return [*done, *written, STOP]


def applied(lemma: str, actions: Sequence[int | str]) -> str:
    """The form that the actions make of the lemma."""
    form, place = [], 0
    for action in actions:
        if action == COPY:
            form.append(lemma[place])
        elif isinstance(action, str):
            form.append(action)
        place += action in (COPY, DELETE)
    return "".join(form)


def _costs(lemma: str, form: str) -> list[list[float]]:
    """The cost of turning the rest of the lemma into the rest of the form, from every pair of places."""
    n, m = len(lemma), len(form)
    cost = [[0.0] * (m + 1) for _ in range(n + 1)]
    for j in range(m):
        cost[n][j] = float(m - j)
    for i in range(n - 1, -1, -1):
        row, below = cost[i], cost[i + 1]
        row[m] = float(n - i)
        for j in range(m - 1, -1, -1):
            step = below[j + 1] if lemma[i] == form[j] else _REPLACE + below[j + 1]
            row[j] = min(step, 1 + below[j], 1 + row[j + 1])
    return cost


def vowels(words: Iterable[str]) -> frozenset[str]:
    """The letters that are vowels, since they stand beside the other kind more often than beside their own."""
    neighbours: dict[str, Counter[str]] = {}
    for word in words:
        for one, other in pairwise(word):
            if one != other and one.isalpha() and other.isalpha():
                neighbours.setdefault(one, Counter())[other] += 1
                neighbours.setdefault(other, Counter())[one] += 1
    weight = {letter: sum(counts.values()) for letter, counts in neighbours.items()}
    found: set[str] = set()
    while weight:
        letter = max(weight, key=lambda candidate: (weight[candidate], candidate))
        if weight[letter] <= 0:
            break
        found.add(letter)
        del weight[letter]
        for other, count in neighbours[letter].items():
            if other in weight:
                weight[other] -= 2 * count
    return frozenset(found)


def skeleton(text: str, vowel_letters: frozenset[str]) -> str:
    """The text with every vowel written ``V``: what is left of a suffix under harmony."""
    return "".join("V" if letter in vowel_letters else letter for letter in text)
