"""Capitals where sentences begin: the first word, and the first of a quoted or otherwise inserted sentence.

    " we saw it , " he said .      " We saw it , " he said .
    iPhone users                   iPhone users

A word that has a capital anywhere keeps its form: the input said how it is written.
"""

from __future__ import annotations

from collections.abc import Sequence

from fergus.realize.capitals_model import CapitalsModel, features, places


def capitalise(forms: Sequence[str], model: CapitalsModel) -> tuple[str, ...]:
    """The words with the capitals that the model gives them."""
    out = list(forms)
    for place in places(forms):
        if out[place] == out[place].lower():
            # What has been decided is seen by what comes after it.
            out[place] = model.written(out[place], model.decide(features(out, place)))
    return tuple(out)
