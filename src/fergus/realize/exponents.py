"""Which endings express which feature: the exponents of every feature value, learned from forms alone.

    Turkish VERB   Polarity=Neg  mV     Mood=Pot  VbVl     Aspect=Prog  yVr      (V: any vowel)

While a form is being written, its exponents tell which features have been expressed and which are still to come,
and so combinations of features that were never seen are put together from those that were. A value's exponents are
the stretches of the ending that cover most of its forms and fewest of the others (greedily); values that have no
such stretch (English ``Number=Sing``) are not expressed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from fergus.realize.edit_actions import skeleton

Value = tuple[str, str, str]
"""Category, feature, value."""
Exponents = Mapping[Value, tuple[str, ...]]

LONGEST = 4
MOST = 4
_LEAST_GAIN = 0.08
_ELSEWHERE = 1.5
"""What a form of other values that has the stretch costs, against a form of this value that has it."""
_LEAST_FORMS = 3


def learn_exponents(
    pairs: Iterable[tuple[str, str, tuple[tuple[str, str], ...], str]], vowel_letters: frozenset[str]
) -> Exponents:
    """The exponents of every value, from rows of lemma, category, features and form."""
    rows: dict[str, list[tuple[tuple[tuple[str, str], ...], frozenset[str]]]] = {}
    for lemma, upos, feats, form in pairs:
        ending = skeleton(form[shared_beginning(lemma, form) :], vowel_letters)
        rows.setdefault(upos, []).append((feats, _stretches(ending)))
    found: dict[Value, tuple[str, ...]] = {}
    for upos, members in rows.items():
        everywhere = Counter(stretch for _, stretches in members for stretch in stretches)
        by_value: dict[tuple[str, str], list[frozenset[str]]] = {}
        for feats, stretches in members:
            for pair in feats:
                by_value.setdefault(pair, []).append(stretches)
        for (name, value), own in by_value.items():
            if len(own) >= _LEAST_FORMS and (chosen := _cover(own, everywhere, len(members) - len(own))):
                found[upos, name, value] = chosen
    return found


def shared_beginning(one: str, other: str) -> int:
    """How many letters two words have in common from the start."""
    for place, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return place
    return min(len(one), len(other))


def _stretches(ending: str) -> frozenset[str]:
    return frozenset(ending[i : i + n] for i in range(len(ending)) for n in range(1, LONGEST + 1))


def _cover(own: list[frozenset[str]], everywhere: Counter[str], others: int) -> tuple[str, ...]:
    """Stretches that cover a value's own forms, best first, while one is worth it."""
    among_own = Counter(stretch for stretches in own for stretch in stretches)
    uncovered = own
    chosen: list[str] = []
    while len(chosen) < MOST:
        counts = Counter(stretch for stretches in uncovered for stretch in stretches)
        gains = {
            stretch: count / len(own) - _ELSEWHERE * (everywhere[stretch] - among_own[stretch]) / max(1, others)
            for stretch, count in counts.items()
        }
        best = max(gains, key=lambda stretch: (gains[stretch], len(stretch), stretch), default="")
        if not best or gains[best] < _LEAST_GAIN:
            break
        chosen.append(best)
        uncovered = [stretches for stretches in uncovered if best not in stretches]
    return tuple(chosen)
