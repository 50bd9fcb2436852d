"""What the short names of metrics stand for: said where they are used."""

from __future__ import annotations

from collections.abc import Iterable

from fergus.analysis.report import short_of
from fergus.analysis.score_sources import PREDICTORS


def explained(names: Iterable[str]) -> str:
    """Every short name that is another than the full one, with the full one.

    >>> explained(["simple_tree_accuracy", "bleu", "fluency", "moves", "length", "mine"])
    'STA: Simple Tree Accuracy; bits/token: Fluency (cross-entropy in bits a token); M: moves'
    """
    told = {short_of(name): full_title(name) for name in names}
    return "; ".join(f"{short}: {full}" for short, full in told.items() if short.lower() != full.lower())


def full_title(name: str) -> str:
    """A metric's name with what its title adds to it.

    >>> full_title("ter"), full_title("remaining_insertions"), full_title("mine")
    ('TER (translation edit rate)', 'remaining insertions', 'mine')
    """
    from fergus.metrics.catalogue import CATALOGUE, metric_class

    if name in PREDICTORS:
        return name.replace("_", " ")
    return metric_class(name).title if name in CATALOGUE else name
