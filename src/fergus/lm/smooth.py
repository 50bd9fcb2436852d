"""Modified Kneser-Ney smoothing, interpolated (Chen and Goodman 1998), with count cut-offs.

Of the longest n-grams and of those that begin with <s> the count is taken as it is; of the others, after how
many different words they occur (the continuation count). With c that count, D its discount and h' the context
h without its first word:

    P(w | h) = max(c(h w) - D(c(h w)), 0) / sum_v c(h v)  +  gamma(h) P(w | h')

gamma(h) is whatever the discounts and the cut-offs leave over, so that P sums to one; below the unigrams
stands the uniform distribution over all words but <s>. <unk> is a word like any there: unseen, it has its
uniform share.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from fergus.lm.count import Level, NgramCounts
from fergus.lm.model import NgramModel
from fergus.lm.tables import LOG_ZERO, TrieLevel, make_tables
from fergus.lm.vocabulary import BEGIN

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

FALLBACK_DISCOUNTS = (0.0, 0.5, 1.0, 1.5)


def kneser_ney(counts: NgramCounts, *, cutoffs: Sequence[int] = ()) -> NgramModel:
    """Estimate a model; n-grams of length k seen ``cutoffs[k-1]`` times or less are left to the back-off.

    ``cutoffs`` that are not given are 0; words are cut off through the vocabulary, so the first has to be 0.
    """
    cutoffs = [*cutoffs, *[0] * (counts.order - len(cutoffs))]
    if len(cutoffs) > counts.order or cutoffs[0] != 0 or sorted(cutoffs) != cutoffs:
        # A longer n-gram must not outlive its own beginning or end, which are seen at least as often.
        raise ValueError(f"cut-offs {cutoffs}: {counts.order} numbers that begin with 0 and never fall are needed")
    size = len(counts.vocabulary)
    suffixes = _suffixes(counts.levels, size)
    adjusted = _adjusted_counts(counts.levels, suffixes)
    probability = np.full(size, 1.0 / (size - 1))
    probability[BEGIN] = 0.0
    kept = np.ones(1, dtype=bool)  # of the level below; below the unigrams is the empty context
    levels: list[TrieLevel] = []
    for level, suffix, count, cutoff in zip(counts.levels, suffixes, adjusted, cutoffs, strict=True):
        contexts = kept
        kept = level.frequency > cutoff if levels else np.ones(size, dtype=bool)
        mass, gamma = _discounted(level.prefix, count, kept, len(contexts))
        probability = mass + gamma[level.prefix] * probability[suffix]
        if levels:
            levels[-1] = levels[-1]._replace(backoff10=_log10(gamma[contexts]))
        row = np.cumsum(contexts) - 1  # where the rows of the level below are once those cut off are gone
        own = _log10(probability[kept])
        levels.append(TrieLevel(row[level.prefix[kept]], level.word[kept], own, np.zeros(len(own))))
    return NgramModel(counts.vocabulary, make_tables(levels))


def discounts(adjusted: Ints) -> tuple[float, float, float, float]:
    """Return the discounts of counts 0, 1, 2 and 3 or more, from how many n-grams have counts 1 to 4.

    Where there are too few of them for an estimate, they are 1/2, 1, 3/2 (KenLM's ``--discount_fallback``).
    """
    t1, t2, t3, t4 = (int(np.count_nonzero(adjusted == count)) for count in (1, 2, 3, 4))
    if not (t1 and t2 and t3):
        return FALLBACK_DISCOUNTS
    y = t1 / (t1 + 2 * t2)
    found = (0.0, 1 - 2 * y * t2 / t1, 2 - 3 * y * t3 / t2, 3 - 4 * y * t4 / t3)
    return found if all(0 < found[i] <= i for i in (1, 2, 3)) else FALLBACK_DISCOUNTS


def _suffixes(levels: Sequence[Level], size: int) -> list[Ints]:
    """For each n-gram the row, in the level below, of the n-gram without its first word."""
    suffixes = [levels[0].word]
    if len(levels) > 1:
        suffixes.append(levels[1].word)
    for below, level in pairwise(levels[1:]):
        wanted = suffixes[-1][level.prefix] * size + level.word
        suffixes.append(np.searchsorted(below.prefix * size + below.word, wanted))
    return suffixes


def _adjusted_counts(levels: Sequence[Level], suffixes: Sequence[Ints]) -> list[Ints]:
    adjusted = []
    first = levels[0].word
    for number, level in enumerate(levels):
        if number:
            first = first[level.prefix]
        count = level.frequency
        if number + 1 < len(levels):
            continuations = np.bincount(suffixes[number + 1], minlength=len(level.word))
            count = np.where(first == BEGIN, level.frequency, continuations)
        if number == 0:
            count = np.where(level.word == BEGIN, 0, count)  # <s> is given, never predicted
        adjusted.append(count)
    return adjusted


def _discounted(prefix: Ints, count: Ints, kept: npt.NDArray[np.bool_], contexts: int) -> tuple[Floats, Floats]:
    """Return each n-gram's own share of its context's probability, and what each context leaves over."""
    discount = np.array(discounts(count))[np.minimum(count, 3)]
    own = np.where(kept, np.maximum(count - discount, 0.0), 0.0)
    total = np.bincount(prefix, weights=count, minlength=contexts)
    safe = np.where(total > 0, total, 1.0)
    # Added up as what is taken away, not as 1 minus what stays: where nothing is cut off, the sum is exact.
    gamma = np.where(total > 0, np.bincount(prefix, weights=count - own, minlength=contexts) / safe, 1.0)
    return own / safe[prefix], gamma


def _log10(probability: Floats) -> Floats:
    return np.log10(probability, out=np.full(len(probability), LOG_ZERO), where=probability > 0)
