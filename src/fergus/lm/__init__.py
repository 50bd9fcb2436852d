"""N-gram language models: counting, modified Kneser-Ney, mixing, ARPA files, compiled look-up.

The names are imported when they are first used, so that ``import fergus.lm`` loads neither numpy nor numba.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fergus.lm.arpa import read_arpa, write_arpa
    from fergus.lm.count import NgramCounts, add_counts, count_ngrams
    from fergus.lm.mix import interpolate
    from fergus.lm.model import NgramModel
    from fergus.lm.smooth import kneser_ney
    from fergus.lm.tables import NgramTables
    from fergus.lm.tokenize import normalise, sentences
    from fergus.lm.vocabulary import BEGIN, END, UNKNOWN, Vocabulary

_HOME = {
    "BEGIN": "vocabulary",
    "END": "vocabulary",
    "UNKNOWN": "vocabulary",
    "NgramCounts": "count",
    "NgramModel": "model",
    "NgramTables": "tables",
    "Vocabulary": "vocabulary",
    "add_counts": "count",
    "count_ngrams": "count",
    "interpolate": "mix",
    "kneser_ney": "smooth",
    "normalise": "tokenize",
    "read_arpa": "arpa",
    "sentences": "tokenize",
    "write_arpa": "arpa",
}

__all__ = [
    "BEGIN",
    "END",
    "UNKNOWN",
    "NgramCounts",
    "NgramModel",
    "NgramTables",
    "Vocabulary",
    "add_counts",
    "count_ngrams",
    "interpolate",
    "kneser_ney",
    "normalise",
    "read_arpa",
    "sentences",
    "write_arpa",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
