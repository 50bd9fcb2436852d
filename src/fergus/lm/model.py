"""A back-off n-gram language model: the probability of a word after others; its arrays for the model file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from fergus.errors import ModelError
from fergus.lm.tables import LOG_ZERO, NgramTables, TrieLevel, make_tables, split_tables
from fergus.lm.vocabulary import Vocabulary

_VERSION = 1


@dataclass(frozen=True, eq=False)
class NgramModel:
    """A vocabulary and the tables of its n-grams; hand ``tables`` to compiled functions."""

    vocabulary: Vocabulary
    tables: NgramTables

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""
        return self.tables.order

    @property
    def ngram_counts(self) -> tuple[int, ...]:
        """How many n-grams of each length the model holds."""
        return tuple(end - start for start, end in pairwise(self.tables.level_bounds()))

    def id(self, word: str) -> int:
        """Return the number of ``word`` in the tables, 0 if it is unknown."""
        return self.vocabulary.id(word)

    def logprob10(self, context: Sequence[int] | npt.NDArray[np.int32], word: int) -> float:
        """Return log10 P(word | context) of word numbers, the nearest word of the context last."""
        from fergus.lm.kernels import lm_logprob10_in_context

        return float(lm_logprob10_in_context(self.tables, np.asarray(context, dtype=np.int32), word))

    def score(self, tokens: Sequence[str]) -> list[float]:
        """Return log10 P of each token after those before it, and of the sentence's end after the last."""
        from fergus.lm.kernels import lm_score

        scores: list[float] = lm_score(self.tables, self.vocabulary.encode(tokens)).tolist()
        return scores

    def perplexity(self, sentences: Iterable[Sequence[str]]) -> float:
        """Return 10 to the mean negative log10 P of all tokens and sentence ends, unknown words included."""
        total, number = 0.0, 0
        for tokens in sentences:
            scores = self.score(tokens)
            total, number = total + sum(scores), number + len(scores)
        if not number:
            raise ValueError("the perplexity of no sentences is not defined")
        return float(10.0 ** (-total / number))

    def quantised(self, *, bits: int = 8) -> NgramModel:
        """Return a model whose probabilities and weights take at most 2**bits values a level.

        The range of each is cut into pieces of equal width; a number becomes the mean of its piece.
        """
        if not 2 <= bits <= 16:
            raise ValueError(f"2 to 16 bits, not {bits}")
        levels = []
        for level in split_tables(self.tables):
            logprob10, backoff10 = _binned(level.logprob10, 2**bits), _binned(level.backoff10, 2**bits)
            levels.append(level._replace(logprob10=logprob10, backoff10=backoff10))
        return NgramModel(self.vocabulary, make_tables(levels))

    def to_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the model as named arrays, each in the smallest type that holds it exactly."""
        text = "\n".join(self.vocabulary.words).encode()
        arrays: dict[str, npt.NDArray[Any]] = {
            "header": np.array([_VERSION, self.order, self.vocabulary.lowercase], dtype=np.int32),
            "vocabulary": np.frombuffer(text, dtype=np.uint8),
        }
        bounds = self.tables.level_bounds()
        for length, (start, end) in enumerate(pairwise(bounds), 1):
            if length > 1:
                arrays[f"word_{length}"] = _smallest(self.tables.word[start:end])
            arrays |= _coded(f"logprob10_{length}", self.tables.logprob10[start:end])
            if length < self.order:
                arrays |= _coded(f"backoff10_{length}", self.tables.backoff10[start:end])
                arrays[f"children_{length}"] = _smallest(np.diff(self.tables.child_start[start : end + 1]))
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> NgramModel:
        """Build the model that ``to_arrays`` took apart."""
        try:
            version, order, lowercase = (int(number) for number in arrays["header"])
            if version > _VERSION:
                problem = f"language model of version {version}, newer than this Fergus reads ({_VERSION})"
                raise ModelError(f"{problem}; install a newer Fergus")
            if order < 1:
                raise ModelError(f"language model of order {order}; 1 or more is right")
            vocabulary = Vocabulary(tuple(arrays["vocabulary"].tobytes().decode().split("\n")), bool(lowercase))
            levels = []
            for length in range(1, order + 1):
                words = arrays[f"word_{length}"] if length > 1 else np.arange(len(vocabulary))
                prefix = np.zeros(len(words), np.int64)
                if length > 1:
                    below = arrays[f"children_{length - 1}"]
                    prefix = np.repeat(np.arange(len(below)), below)
                logprob10 = _decoded(f"logprob10_{length}", arrays)
                backoff10 = _decoded(f"backoff10_{length}", arrays) if length < order else np.zeros(len(words))
                if not len(prefix) == len(words) == len(logprob10) == len(backoff10):
                    raise ModelError(f"language model: the arrays of its {length}-grams differ in length")
                if len(words) and not 0 <= int(words.min()) <= int(words.max()) < len(vocabulary):
                    raise ModelError(f"language model: a {length}-gram has a word that is not in the vocabulary")
                levels.append(TrieLevel(prefix, words.astype(np.int64), logprob10, backoff10))
        except (KeyError, ValueError, IndexError) as error:
            raise ModelError(f"language model: array missing or broken ({error})") from error
        return cls(vocabulary, make_tables(levels))


def _smallest(numbers: npt.NDArray[np.int32]) -> npt.NDArray[Any]:
    largest = int(numbers.max(initial=0))
    return numbers.astype(np.uint8 if largest < 2**8 else np.uint16 if largest < 2**16 else np.int32)


def _coded(name: str, values: npt.NDArray[np.float32]) -> dict[str, npt.NDArray[Any]]:
    """Numbers into a table of the distinct values where that is smaller, the values themselves otherwise."""
    table, codes = np.unique(values, return_inverse=True)
    small = _smallest(codes.astype(np.int32))
    if small.nbytes + table.nbytes < values.nbytes:
        return {name: small, f"{name}_table": table}
    return {name: values}


def _decoded(name: str, arrays: Mapping[str, npt.NDArray[Any]]) -> npt.NDArray[np.float64]:
    values = arrays[name]
    table = arrays.get(f"{name}_table")
    return (values if table is None else table[values.astype(np.intp)]).astype(np.float64)


def _binned(values: npt.NDArray[np.float64], bins: int) -> npt.NDArray[np.float64]:
    # log10 of 0 and of 1 keep a value of their own: nothing else may blur into them.
    free = (values > LOG_ZERO) & (values != 0.0)
    distinct, inverse, count = np.unique(values[free], return_inverse=True, return_counts=True)
    if len(distinct) <= bins - 2:
        return values
    # Bins of equal width bound the error of every n-gram. Bins of equal size would lump the few frequent ones
    # together, which cost 8% of perplexity on English where these cost less than 0.1%.
    width = (distinct[-1] - distinct[0]) / (bins - 2)
    which = np.minimum(((distinct - distinct[0]) / width).astype(np.int64), bins - 3)
    sums = np.bincount(which, weights=distinct * count, minlength=bins)
    means = sums / np.maximum(np.bincount(which, weights=count, minlength=bins), 1)
    result = values.copy()
    result[free] = means[which][inverse]
    return result
