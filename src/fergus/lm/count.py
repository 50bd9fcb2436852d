"""N-gram counts of tokenised sentences, kept as a trie of sorted arrays; counts of several corpora add up.

A level holds the n-grams of one length. Row i of level k is the n-gram of row ``prefix[i]`` of level k-1
followed by ``word[i]``; rows are sorted by (prefix, word). Level 1 has a row for every word there is.
Every sentence is counted as ``<s> w1 ... wm </s>``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fergus.lm.vocabulary import BEGIN, END, SPECIAL, UNKNOWN, Vocabulary

Ints = npt.NDArray[np.int64]

_CHUNK_TOKENS = 1_500_000  # about 150 MB while a chunk is sorted


class Level(NamedTuple):
    """The n-grams of one length, sorted by (prefix, word)."""

    prefix: Ints
    word: Ints
    frequency: Ints


@dataclass(frozen=True, eq=False)
class NgramCounts:
    """How often each n-gram of length 1 to ``order`` occurs."""

    vocabulary: Vocabulary
    levels: tuple[Level, ...]

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""
        return len(self.levels)

    def ngrams(self, length: int) -> Iterator[tuple[tuple[str, ...], int]]:
        """Yield each n-gram of ``length`` words that occurs, with its count, sorted by word numbers."""
        columns = [self.levels[length - 1].word]
        prefix = self.levels[length - 1].prefix
        for level in self.levels[length - 2 :: -1] if length > 1 else ():
            columns.append(level.word[prefix])
            prefix = level.prefix[prefix]
        words = self.vocabulary.words
        for *ids, count in zip(
            *(column.tolist() for column in reversed(columns)),
            self.levels[length - 1].frequency.tolist(),
            strict=True,
        ):
            if count:
                yield tuple(words[number] for number in ids), count

    def restricted(
        self, *, words: Iterable[str] | None = None, min_count: int = 1, max_size: int | None = None
    ) -> NgramCounts:
        """Turn all words into <unk> but those of ``words`` (all, if None) that are seen ``min_count`` times.

        ``max_size`` keeps only so many of them (special words not counted): the most frequent and, among the
        equally frequent, the alphabetically first. ``min_count`` 0 keeps given words never seen.
        """
        if words is None:
            given = self.vocabulary.words[len(SPECIAL) :]
        else:
            given = Vocabulary.of(words, lowercase=self.vocabulary.lowercase).words[len(SPECIAL) :]
        seen = dict(zip(self.vocabulary.words, self.levels[0].frequency.tolist(), strict=True))
        kept = [(word, seen.get(word, 0)) for word in given if seen.get(word, 0) >= min_count]
        kept.sort(key=lambda pair: (-pair[1], pair[0]))
        vocabulary = Vocabulary.of((word for word, _ in kept[:max_size]), lowercase=self.vocabulary.lowercase)
        return add_counts([self], vocabulary=vocabulary)


def count_ngrams(sentences: Iterable[Sequence[str]], *, order: int = 3, lowercase: bool = False) -> NgramCounts:
    """Count the n-grams of ``sentences`` up to length ``order``; memory grows with distinct n-grams only."""
    if order < 1:
        raise ValueError(f"the order of a language model is 1 or more, not {order}")
    ids: defaultdict[str, int] = defaultdict()
    ids.default_factory = ids.__len__
    for word in SPECIAL:
        ids[word]
    number = _Numbering(ids, lowercase)
    # Runs of similar size are merged, as in a merge sort, so that no run is copied more than log(runs) times.
    runs: list[tuple[Level, ...]] = []
    for chunk in _chunks(sentences, number):
        runs.append(_count_chunk(chunk, order, len(ids)))
        while len(runs) > 1 and len(runs[-2][-1].word) < 2 * len(runs[-1][-1].word):
            runs[-2:] = [_merge(runs[-2:], len(ids))]
    levels = _merge(runs, len(ids)) if runs else _count_chunk(np.zeros(0, np.int64), order, len(ids))
    everything = NgramCounts(Vocabulary(tuple(ids), lowercase), levels)
    return everything.restricted()  # orders the words by frequency, so that the result hangs on counts alone


def add_counts(
    parts: Sequence[NgramCounts],
    *,
    weights: Sequence[int] | None = None,
    vocabulary: Vocabulary | None = None,
) -> NgramCounts:
    """Add counts, each corpus ``weights`` times; words outside ``vocabulary`` (default: all) become <unk>."""
    if not parts:
        raise ValueError("there are no counts to add")
    weights = [1] * len(parts) if weights is None else weights
    if len(weights) != len(parts) or min(weights) < 1:
        raise ValueError(f"{len(parts)} corpora need as many weights of at least 1, not {list(weights)}")
    if len({(part.order, part.vocabulary.lowercase) for part in parts}) > 1:
        raise ValueError("only counts of the same order and letter case can be added")
    if vocabulary is None:
        joint = Vocabulary.of(
            (word for part in parts for word in part.vocabulary.words),
            lowercase=parts[0].vocabulary.lowercase,
        )
        return add_counts(parts, weights=weights, vocabulary=joint).restricted()
    runs = []
    for part, weight in zip(parts, weights, strict=True):
        renumber = np.array([vocabulary.id(word) for word in part.vocabulary.words], dtype=np.int64)
        first = Level(part.levels[0].prefix, renumber[part.levels[0].word], part.levels[0].frequency * weight)
        rest = (Level(lv.prefix, renumber[lv.word], lv.frequency * weight) for lv in part.levels[1:])
        runs.append((first, *rest))
    return NgramCounts(vocabulary, _merge(runs, len(vocabulary)))


def merge_counts(parts: Iterable[NgramCounts]) -> NgramCounts:
    """The sum of counts as they come, the same as ``add_counts`` of all; memory grows with distinct n-grams only."""
    # As in ``count_ngrams``: none is copied more than log(parts) times.
    runs: list[NgramCounts] = []
    for part in parts:
        runs.append(part)
        while len(runs) > 1 and len(runs[-2].levels[-1].word) < 2 * len(runs[-1].levels[-1].word):
            runs[-2:] = [add_counts(runs[-2:])]
    return add_counts(runs)


class _Numbering:
    """Gives a sentence's tokens their numbers, new ones to new words."""

    def __init__(self, ids: defaultdict[str, int], lowercase: bool) -> None:
        self._ids, self._lowercase = ids, lowercase

    def __call__(self, tokens: Sequence[str]) -> Iterable[int]:
        if self._lowercase:
            tokens = [token.lower() for token in tokens]
        for special in SPECIAL:
            if special in tokens:  # in a text, "<s>" is an unknown word and no beginning
                tokens = [SPECIAL[UNKNOWN] if token == special else token for token in tokens]
        return map(self._ids.__getitem__, tokens)


def _chunks(sentences: Iterable[Sequence[str]], number: _Numbering) -> Iterator[Ints]:
    chunk: list[int] = []
    for tokens in sentences:
        chunk.append(BEGIN)
        chunk.extend(number(tokens))
        chunk.append(END)
        if len(chunk) >= _CHUNK_TOKENS:
            yield np.array(chunk, dtype=np.int64)
            chunk = []
    if chunk:
        yield np.array(chunk, dtype=np.int64)


def _count_chunk(text: Ints, order: int, size: int) -> tuple[Level, ...]:
    levels = [Level(np.zeros(size, np.int64), np.arange(size), np.bincount(text, minlength=size))]
    node, start = text, np.arange(len(text))
    for length in range(2, order + 1):
        inside = start + (length - 1) < len(text)
        node, start = node[inside], start[inside]
        inside = text[start + (length - 1)] != BEGIN  # an n-gram never reaches into the next sentence
        node, start = node[inside], start[inside]
        keys, node, count = np.unique(node * size + text[start + (length - 1)], return_inverse=True, return_counts=True)
        levels.append(Level(keys // size, keys % size, count))
    return tuple(levels)


def _merge(runs: Sequence[tuple[Level, ...]], size: int) -> tuple[Level, ...]:
    """Add up runs whose words are numbered alike below ``size``; rows of one run may coincide."""
    first = [run[0] for run in runs]
    total = np.zeros(size, np.int64)
    for level in first:
        np.add.at(total, level.word, level.frequency)
    merged = [Level(np.zeros(size, np.int64), np.arange(size), total)]
    node_of = [level.word for level in first]  # where each row of the level below has gone
    for below in range(1, len(runs[0])):
        rows = [run[below] for run in runs]
        key = np.concatenate(
            [node[level.prefix] * size + level.word for node, level in zip(node_of, rows, strict=True)]
        )
        keys, inverse = np.unique(key, return_inverse=True)
        count = np.zeros(len(keys), np.int64)
        np.add.at(count, inverse, np.concatenate([level.frequency for level in rows]))
        merged.append(Level(keys // size, keys % size, count))
        ends = np.cumsum([0] + [len(level.word) for level in rows])
        node_of = [inverse[start:end] for start, end in pairwise(ends)]
    return tuple(merged)
