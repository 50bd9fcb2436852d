"""What can be changed about training a model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """What can be changed about training; the defaults were chosen on held-out parts of EWT train."""

    seed: int = 1
    order_epochs: int = 5
    order_runs: int = 8
    """Runs of an ordering model at most; its weights are their mean (chosen on held-out parts of en_partut train)."""
    order_sentences: int = 15_000
    """Sentences that several runs together see in an epoch at most: a large treebank has one run, or training it would
    take too long."""
    label_epochs: int = 4
    bits: int = 20
    rate: float = 0.1
    order_drop: float = 0.5
    label_drop: float = 0.3
    lm_order: int = 3
    """At most 3: the LP Chooser looks two words back."""
    lm_words: int = 40_000
    lm_cutoffs: tuple[int, ...] = (0, 1, 1)
    text_share: float = 0.2
    margin: float = 6.0
    """Orders of a treelet that score less than the best by more than this (natural log) are not considered."""
    least: int = 1
    """Pairs of lexemes seen less often are not kept by the papers' models."""
    lm_weights: tuple[float, ...] = (0.0, 0.2, 0.35, 0.5, 0.65, 0.8, 1.0)
    """Weights of the language model to choose from."""


DEFAULT_SETTINGS = Settings()

Progress = Callable[[str, int, int], None]
"""Told the name of a job, how much of it is done, and how much there is."""
