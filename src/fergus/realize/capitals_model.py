"""The learned model of capitals where a sentence, or one within it, begins; its features and its storage.

A word is looked at if it is the first of the sentence or comes after a mark; it keeps its form, gets a capital, or
is put in capitals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from fergus.errors import ModelError
from fergus.realize.features import word_shape
from fergus.realize.model import Section, reads_section, words_from_array, words_to_array

AS_IT_IS, CAPITAL, CAPITALS = range(3)
"""What is done to a word."""
_UPPER, _MARK = 3, 7


@dataclass(frozen=True)
class CapitalsModel:
    """The weights of features for each of the three decisions; what is not there weighs nothing."""

    weights: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    letters: Mapping[str, str] = field(default_factory=dict)
    """Small letters whose capital is not Unicode's: Turkish *i* has *İ*."""

    def written(self, word: str, decision: int) -> str:
        """The word as decided."""
        if decision == AS_IT_IS:
            return word
        if decision == CAPITALS:
            return "".join(self.letters.get(letter) or letter.upper() for letter in word)
        # Title case, for letters like the Croatian ǆ that have two kinds of capital.
        return (self.letters.get(word[:1]) or word[:1].title()) + word[1:]

    def decide(self, features: Sequence[str]) -> int:
        """The best decision; of equals the one that changes less."""
        scores = [0.0, 0.0, 0.0]
        for feature in features:
            if (weights := self.weights.get(feature)) is not None:
                for decision in (AS_IT_IS, CAPITAL, CAPITALS):
                    scores[decision] += weights[decision]
        return scores.index(max(scores))


def places(forms: Sequence[str]) -> Iterator[int]:
    """The words that are looked at: the first one with a letter or digit in it, and those after a mark."""
    begun = False
    after_mark = True
    for place, form in enumerate(forms):
        is_mark = not form[:1].isalnum() and word_shape(form) == _MARK
        if not is_mark:
            if (after_mark or not begun) and form[:1].isalpha():
                yield place
            begun = True
        after_mark = is_mark


def features(forms: Sequence[str], place: int) -> list[str]:
    """What is seen around a word: itself, its neighbours, how the rest of the sentence is written."""
    word = forms[place]
    before = forms[place - 1] if place else "^"
    earlier = forms[place - 2] if place > 1 else "^"
    after = forms[place + 1] if place + 1 < len(forms) else "$"
    is_first = not any(form[:1].isalnum() for form in forms[:place])
    start = "first" if is_first else "inside"
    style = _style(forms, place)
    shape, after_shape = word_shape(word), word_shape(after)
    lower = word.lower()
    same_before = forms[:place].count(before) % 2
    last = forms[-1]
    return [
        start,
        f"{start} {style}",
        f"{start} style {style} word {lower}",
        f"{start} word {lower}",
        f"{start} shape {shape} ending {lower[-3:]}",
        f"{start} shape {shape} after {after_shape}",
        f"{start} word {lower} after {after.lower()}",
        f"{start} last {last if word_shape(last) == _MARK else word_shape(last)} style {style}",
        f"{start} length {min(len(forms), 6)} style {style}",
        f"{start} before {before}",
        f"{start} before {before} odd {same_before}",
        f"{start} before {before} odd {same_before} earlier {earlier.lower()}",
        f"{start} before {before} earlier {word_shape(earlier)}",
        f"{start} before {before} word {lower}",
        f"{start} before {before} style {style}",
        f"{start} before {before} place {min(place, 4)} length {min(len(forms) - place, 4)}",
    ]


def _style(forms: Sequence[str], place: int) -> str:
    """Whether the other words of the sentence have capitals: none, some, one-letter ones only, or all of them."""
    words = upper = capital = single = 0
    for i, form in enumerate(forms):
        if i != place and form[:1].isalpha():
            words += 1
            if form[0].isupper():
                capital += 1
                single += len(form) == 1
                upper += len(form) > 1 and word_shape(form) == _UPPER
    if words and upper + single == words and upper:
        return "capitals"
    if upper * 2 > words:
        return "mostly capitals"
    if capital > single:
        return "capital"
    return "letter" if single else "lower" if words > 3 else "few"


def capitals_section(model: CapitalsModel) -> Section:
    """The model as it is stored: features in their alphabet's order, weights in 127 steps each way."""
    names = sorted(model.weights)
    weights = np.array([model.weights[name] for name in names], np.float32).reshape(len(names), 3)
    step = float(np.abs(weights).max(initial=0.0)) / 127 or 1.0
    steps = np.rint(weights / step).astype(np.int8)
    used = np.flatnonzero(steps.any(axis=1))
    return Section(
        {"step": step, "letters": dict(model.letters)},
        {"features": words_to_array([names[i] for i in used]), "weights": np.ascontiguousarray(steps[used].T)},
    )


@reads_section
def capitals_from(section: Section) -> CapitalsModel:
    """The model of a section."""
    names, steps = words_from_array(section.arrays["features"]), section.arrays["weights"]
    settings = section.settings
    if steps.shape != (3, len(names)):
        raise ModelError("the weights of the model of capitals are broken; train or copy the model again")
    rows = (steps.T * np.float32(settings["step"])).tolist()
    return CapitalsModel({name: (a, b, c) for name, (a, b, c) in zip(names, rows, strict=True)}, settings["letters"])
