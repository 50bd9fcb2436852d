"""Modified Kneser-Ney smoothing, interpolated (Chen and Goodman 1998), with count cut-offs.

Of the longest n-grams and of those that begin with <s> the count is taken as it is; of the others, in how many
different words' company they occur on their left (the continuation count). With c that count, D its discount and
h' the context h without its first word:

    P(w | h) = max(c(h w) - D(c(h w)), 0) / sum_v c(h v)  +  gamma(h) P(w | h')

gamma(h) is whatever the discounts and the cut-offs leave over, so that P sums to one; below the unigrams stands the
uniform distribution over all words but <s>. <unk> is an ordinary word there: unseen, it has its uniform share.
"""

from __future__ import annotations

from collections.abc import Sequence

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
        # A longer n-gram must not survive its own beginning or end: those are seen at least as often as it is.
        raise ValueError(
            f"cut-offs {cutoffs}: {counts.order} numbers that begin with 0 and never fall are needed"
        )
    size = len(counts.vocabulary)
    suffixes = _suffixes(counts.levels, size)
    adjusted = _adjusted_counts(counts.levels, suffixes)
    uniform = np.full(size, 1.0 / (size - 1))
    uniform[BEGIN] = 0.0
    levels: list[TrieLevel] = []
    lower = uniform
    place = np.arange(size)  # the row of the model that a row of the counts went to
    for level, suffix, count, cutoff in zip(counts.levels, suffixes, adjusted, cutoffs, strict=True):
        kept = level.count > cutoff if levels else np.ones(size, dtype=bool)
        contexts = len(counts.levels[len(levels) - 1].word) if levels else 1
        mass, gamma = _discounted(level.prefix, count, kept, contexts)
        lower = mass + gamma[level.prefix] * lower[suffix]
        if levels:
            below = (
                counts.levels[len(levels) - 1].count > cutoffs[len(levels) - 1]
                if len(levels) > 1
                else slice(None)
            )
            levels[-1] = levels[-1]._replace(backoff10=_log10(gamma)[below])
        levels.append(
            TrieLevel(
                place[level.prefix[kept]] if levels else level.prefix,
                level.word[kept],
                _log10(lower[kept]),
                np.zeros(int(kept.sum())),
            )
        )
        place = np.cumsum(kept) - 1
    return NgramModel(counts.vocabulary, make_tables(levels))


def discounts(adjusted: Ints) -> tuple[float, float, float, float]:
    """Return the discounts of counts 0, 1, 2 and 3 or more, from how many n-grams have counts 1 to 4.

    Where there are too few of them for an estimate, they are 1/2, 1 and 3/2, as in KenLM's ``--discount_fallback``.
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
    for below, level in zip(levels[1:], levels[2:], strict=False):
        wanted = suffixes[-1][level.prefix] * size + level.word
        suffixes.append(np.searchsorted(below.prefix * size + below.word, wanted))
    return suffixes


def _adjusted_counts(levels: Sequence[Level], suffixes: Sequence[Ints]) -> list[Ints]:
    adjusted = []
    first = levels[0].word
    for number, level in enumerate(levels):
        if number:
            first = first[level.prefix]
        count = level.count
        if number + 1 < len(levels):
            continuations = np.bincount(suffixes[number + 1], minlength=len(level.word))
            count = np.where(first == BEGIN, level.count, continuations)
        if number == 0:
            count = np.where(level.word == BEGIN, 0, count)  # <s> is given, never predicted
        adjusted.append(count)
    return adjusted


def _discounted(
    prefix: Ints, count: Ints, kept: npt.NDArray[np.bool_], contexts: int
) -> tuple[Floats, Floats]:
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
