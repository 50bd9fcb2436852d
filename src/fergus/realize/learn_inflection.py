"""Training the inflection model of a treebank: the lexicon, the transducer, the choice among neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from fergus.core.tree import OrderedTree
from fergus.lm.count import NgramCounts
from fergus.realize.hidden_features import both_ways, with_hidden_features
from fergus.realize.inflection_lexicon import InflectionLexicon, count_forms, count_words
from fergus.realize.inflection_model import UNPREDICTABLE, VERBATIM, InflectionModel
from fergus.realize.learn_sandhi import learn_sandhi
from fergus.realize.learn_transducer import Pair, learn_transducer

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class InflectionSettings:
    """How the inflection model is trained; chosen on a held-out tenth of three treebanks' training parts."""

    bits: int = 22
    epochs: int = 12
    rate: float = 0.1
    drop: float = 0.35
    least_weight: float = 0.05
    """Smaller weights of the transducer are dropped: they are many, and change hardly any form."""
    sandhi_bits: int = 20
    sandhi_epochs: int = 6
    sandhi_rate: float = 0.15
    sandhi_drop: float = 0.5
    sandhi_runs: int = 8
    sandhi_least_weight: float = 0.05
    step: float = 0.025
    """Weights are stored in steps of this size (natural-log units)."""
    seed: int = 1


def learn_inflection(
    trees: Sequence[OrderedTree],
    settings: InflectionSettings = InflectionSettings(),
    *,
    exceptions: InflectionLexicon = InflectionLexicon(),  # noqa: B008 - frozen
    text: NgramCounts | None = None,
    progress: Progress = lambda *_: None,
) -> InflectionModel:
    """Train on trees with lemmas, categories and features.

    ``exceptions`` are for words that these lack; ``text``, n-grams in small letters, tells how words begin (*an hour*).
    """
    lexicon = count_forms(trees)
    agreeing, hidden = with_hidden_features(trees, lexicon)
    if hidden:  # as they are written they count once more: that is how most inputs have them
        lexicon = count_words(chain((node for o in trees for node in o.tree.nodes), both_ways(agreeing, hidden)))
    pairs = list(_pairs(lexicon))
    tick = _ticker(progress, "inflection", settings.epochs * len(pairs))
    transducer = learn_transducer(
        pairs, bits=settings.bits, epochs=settings.epochs, rate=settings.rate, drop=settings.drop,
        seed=settings.seed, progress=tick,
    )  # fmt: skip
    progress("inflection", settings.epochs * len(pairs), settings.epochs * len(pairs))
    shown = settings.sandhi_runs * settings.sandhi_epochs * len(trees)
    tick = _ticker(progress, "neighbouring forms", shown)
    sandhi = learn_sandhi(
        agreeing, lexicon, transducer.vowels, text=text, bits=settings.sandhi_bits, epochs=settings.sandhi_epochs,
        rate=settings.sandhi_rate, drop=settings.sandhi_drop, seed=settings.seed, runs=settings.sandhi_runs,
        progress=tick,
    )  # fmt: skip
    progress("neighbouring forms", shown, shown)
    return InflectionModel(
        lexicon,
        replace(transducer, weights=_coarse(transducer.weights, settings.least_weight, settings.step)),
        replace(sandhi, weights=_coarse(sandhi.weights, settings.sandhi_least_weight, settings.step)),
        exceptions,
    )


def _pairs(lexicon: InflectionLexicon) -> Iterator[Pair]:
    """Every form of the lexicon once, however frequent: what is frequent is looked up, what is not is like these."""
    for (lemma, upos, feats), forms in lexicon.entries.items():
        if lemma and upos not in VERBATIM and not any(name in UNPREDICTABLE for name, _ in feats):
            total = sum(forms.values())
            for form, count in forms.items():
                yield Pair(lemma, upos, feats, form, count / total)


def _coarse(weights: NDArray[np.float32], least: float, step: float) -> NDArray[np.float32]:
    """Weights as the model file will have them: in steps, without the small ones."""
    steps = np.clip(np.rint(weights / step), -127, 127)
    steps[np.abs(weights) < least] = 0
    coarse: NDArray[np.float32] = (steps * step).astype(np.float32)
    return coarse


def _ticker(progress: Progress, job: str, total: int) -> Callable[[int], None]:
    done = 0

    def tick(count: int) -> None:
        nonlocal done
        done += count
        progress(job, min(done, total), total)

    return tick
