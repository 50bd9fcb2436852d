"""How the inflection model is stored in the model file."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fergus.errors import ModelError
from fergus.realize.inflection_lexicon import Feats, InflectionLexicon
from fergus.realize.inflection_model import InflectionModel
from fergus.realize.model import Section, reads_section, words_from_array, words_to_array
from fergus.realize.sandhi_scores import SandhiModel
from fergus.realize.transduce import Transducer
from fergus.realize.transducer_state import ZONES
from fergus.realize.weight_steps import STEP, packed, unpacked

TOLD = "exceptions_"


def inflection_section(model: InflectionModel) -> Section:
    """Lexicon, transducer and the weights of neighbours; words that the file spaces out cannot be stored."""
    transducer = model.transducer
    return Section(
        {
            "step": STEP,
            "letters": transducer.letters,
            "vowels": "".join(sorted(transducer.vowels)),
            "categories": list(transducer.categories),
            "exponents": [[*value, *stretches] for value, stretches in sorted(transducer.exponents.items())],
            "openings": [[*word, dict(rules)] for word, rules in sorted(model.sandhi.openings.items())],
        },
        {
            **_lexicon_arrays(model.lexicon),
            **{f"{TOLD}{name}": array for name, array in _lexicon_arrays(model.exceptions).items()},
            "action_counts": np.array([len(row) for row in transducer.actions], np.int16),
            "actions": np.array([action for row in transducer.actions for action in row], np.int16),
            **_sparse("weights", transducer.weights),
            **_sparse("sandhi", model.sandhi.weights),
        },
    )


@reads_section
def inflection_from(section: Section) -> InflectionModel:
    """The inflection model of a section."""
    settings, arrays = section.settings, section.arrays
    try:
        letters, vowels = str(settings["letters"]), frozenset(settings["vowels"])
        categories = tuple(map(str, settings["categories"]))
        exponents = {(a, b, c): tuple(map(str, rest)) for a, b, c, *rest in settings["exponents"]}
        step = float(settings["step"])
        openings = {
            (str(lemma), str(upos)): {str(opening): str(form) for opening, form in rules.items()}
            for lemma, upos, rules in settings.get("openings", ())  # which older files do not have
        }
    except (AttributeError, TypeError, ValueError):
        raise ModelError("the settings of the inflection model are broken; train or copy the model again") from None
    counts, actions = arrays["action_counts"].astype(np.int64), arrays["actions"].astype(np.int64)
    _check(len(counts) == ZONES * len(categories) and bool(np.all(counts >= 0)), "actions")
    _check(int(counts.sum()) == len(actions), "actions")
    _check(bool(np.all((actions >= 0) & (actions < 3 + len(letters)))), "actions")
    ends = np.cumsum(counts).tolist()
    rows = tuple(tuple(actions[end - count : end].tolist()) for end, count in zip(ends, counts.tolist(), strict=True))
    transducer = Transducer(letters, vowels, categories, rows, exponents, _dense("weights", arrays, step))
    told = {name.removeprefix(TOLD): array for name, array in arrays.items() if name.startswith(TOLD)}
    sandhi = SandhiModel(vowels, _dense("sandhi", arrays, step), openings)
    return InflectionModel(_lexicon(arrays), transducer, sandhi, _lexicon(told) if told else InflectionLexicon())


def _sparse(name: str, weights: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
    gaps, values = packed(weights)
    return {f"{name}_size": np.array([len(weights)], np.int64), f"{name}_gaps": gaps, f"{name}_values": values}


def _dense(name: str, arrays: Any, step: float) -> NDArray[np.float32]:
    size = int(arrays[f"{name}_size"][0]) if len(arrays[f"{name}_size"]) == 1 else 0
    weights = unpacked(arrays[f"{name}_gaps"], arrays[f"{name}_values"], size=size, step=step)
    if weights is None:
        raise _broken("weights")
    return weights


def _lexicon_arrays(lexicon: InflectionLexicon) -> dict[str, NDArray[Any]]:
    """Sorted by lemma: a line for a lemma that differs from the one before, else an empty one; likewise the forms."""
    bundles = sorted({(upos, feats) for _, upos, feats in lexicon.entries})
    numbers = {bundle: number for number, bundle in enumerate(bundles)}
    lemmas, forms, cells, counts = [], [], [], []
    before = None
    for (lemma, upos, feats), own in sorted(lexicon.entries.items()):
        for form, count in sorted(own.items()):
            if "\n" in lemma + form:
                continue
            lemmas.append("" if lemma == before else f"={lemma}")
            before = lemma
            forms.append("" if form == lemma else form)
            cells.append(numbers[upos, feats])
            counts.append(count)
    lines = ["\t".join((upos, *(f"{name}={value}" for name, value in feats))) for upos, feats in bundles]
    return {
        "bundles": words_to_array(lines),
        "lemmas": words_to_array(lemmas),
        "forms": words_to_array(forms),
        "cells": np.array(cells, np.uint16 if len(bundles) < 1 << 16 else np.int32),
        "counts": np.array(counts, np.int32),
    }


def _lexicon(arrays: Any) -> InflectionLexicon:
    bundles: list[tuple[str, Feats]] = []
    for line in words_from_array(arrays["bundles"]):
        upos, *items = line.split("\t")
        bundles.append((upos, tuple((name, value) for name, _, value in (item.partition("=") for item in items))))
    cells, counts = arrays["cells"].tolist(), arrays["counts"].tolist()
    lemmas, forms = (words_from_array(arrays[name]) or [""] * len(cells) for name in ("lemmas", "forms"))
    _check(len(lemmas) == len(forms) == len(cells) == len(counts), "lexicon")
    _check(not cells or (min(cells) >= 0 and max(cells) < len(bundles)), "lexicon")
    entries: dict[tuple[str, str, Feats], dict[str, int]] = {}
    lemma = ""
    for line, form, cell, count in zip(lemmas, forms, cells, counts, strict=True):
        lemma = line[1:] or "" if line else lemma
        upos, feats = bundles[cell]
        entries.setdefault((lemma, upos, feats), {})[form or lemma] = count
    return InflectionLexicon(entries)


def _check(sound: bool, what: str) -> None:
    # Compiled code does not look whether an index lies within its array, so what a file brings is looked at here.
    if not sound:
        raise _broken(what)


def _broken(what: str) -> ModelError:
    return ModelError(f"the {what} of the inflection model are broken; train or copy the model again")
