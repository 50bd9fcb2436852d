"""Where scores of metrics for judged texts come from, and the columns that they become."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fergus.models import DEFAULT_MODEL

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fergus.analysis.judgements import Notice

    Floats = NDArray[np.float64]

COLUMN = "m."
"""What the name of a metric's column begins with in items that Fergus made; it is no part of the metric's name."""
DEFAULT = ("string", "peers")
"""Computed if references are given and no metric is named: tree accuracies need every reference parsed."""
LENGTH = "length"
PREDICTORS = {
    "substitutions": "S",
    "insertions": "I",
    "deletions": "D",
    "moves": "M",
    "remaining_insertions": "I'",
    "remaining_deletions": "D'",
    LENGTH: LENGTH,
}
"""What a regression may use and what is no metric, with the paper's letters: errors, and the number of tokens."""
COUNTS = tuple(name for name in PREDICTORS if name != LENGTH)
"""Of errors."""


@dataclass(frozen=True, kw_only=True)
class Sources:
    """Where scores come from: what the options of ``fergus analyse`` and ``fergus learn`` say."""

    references: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    metric_columns: tuple[str, ...] = ()
    evaluation: Path | None = None
    lower_is_better: tuple[str, ...] = ()
    tokenize: str = "13a"
    lowercase: bool = False
    parser: str = DEFAULT_MODEL
    language_model: str = DEFAULT_MODEL

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Sources:
        """From options by their names; others are passed over."""
        return cls(**{one.name: options[one.name] for one in fields(cls)})


@dataclass(frozen=True)
class Scores:
    """Columns with a value for every item, NaN where there is none."""

    metrics: dict[str, Floats] = field(default_factory=dict)
    predictors: dict[str, Floats] = field(default_factory=dict)
    """Counts of errors and the length, as far as they are known."""
    lower_is_better: tuple[str, ...] = ()
    signatures: dict[str, str] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()
