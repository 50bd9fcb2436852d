"""Capitals where sentences begin: the first word, and the first of a quoted or otherwise inserted sentence.

    " we saw it , " he said .      " We saw it , " he said .
    iPhone users                   iPhone users
    www.fergus.org has it          www.fergus.org has it

A word that has a capital anywhere keeps its form: the input said how it is written. So does an address.
"""

from __future__ import annotations

from collections.abc import Sequence

from fergus.realize.capitals_model import CAPITAL, CapitalsModel, features, places
from fergus.realize.word_case import is_address


def capitalise(forms: Sequence[str], model: CapitalsModel, *, always: bool = False) -> tuple[str, ...]:
    """The words with the capitals that the model gives them.

    People who write carelessly leave them out where a sentence begins, and the model has learned when; ``always`` has
    one there all the same, if the treebank has capitals at all.
    """
    out = list(forms)
    for place in places(forms):
        if _is_open(out[place]):
            # What has been decided is seen by what comes after it.
            out[place] = model.written(out[place], model.decide(features(out, place)))
    first = next(places(forms), None)
    if always and model.weights and first is not None and _is_open(out[first]):
        out[first] = model.written(out[first], CAPITAL)
    return tuple(out)


def _is_open(form: str) -> bool:
    """Whether a word may get a capital."""
    return form == form.lower() and not is_address(form)
