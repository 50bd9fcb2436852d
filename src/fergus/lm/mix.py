"""Linear interpolation of language models into a single one, as SRILM's ``-mix-lm`` does it.

The mixture holds every n-gram that one of the models holds, with the weighted mean of the probabilities that
all of them give it; the back-off weights are computed anew, so that it sums to one after every context.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from fergus.lm.model import NgramModel
from fergus.lm.tables import LOG_ZERO, TrieLevel, make_tables, rows_of_level, split_tables


def interpolate(models: Sequence[NgramModel], weights: Sequence[float]) -> NgramModel:
    """Mix models of the same vocabulary and order; the weights are positive and need not add up to one."""
    if not models or len(weights) != len(models) or min(weights) <= 0:
        raise ValueError(f"{len(models)} models need as many positive weights, not {list(weights)}")
    if any((m.vocabulary, m.order) != (models[0].vocabulary, models[0].order) for m in models[1:]):
        # A word that only one of them knows would borrow from <unk> in the other: the sum would exceed one.
        raise ValueError("only models of the same vocabulary and order can be mixed")
    from fergus.lm.kernels import lm_logprob10_of_rows

    levels = _union([split_tables(model.tables) for model in models], len(models[0].vocabulary))
    for length, level in enumerate(levels, 1):
        rows = rows_of_level(levels, length)
        mixed = np.zeros(len(rows))
        for model, weight in zip(models, weights, strict=True):
            mixed += weight / sum(weights) * 10.0 ** lm_logprob10_of_rows(model.tables, rows)
        levels[length - 1] = level._replace(logprob10=np.maximum(np.log10(mixed), LOG_ZERO))
    return NgramModel(models[0].vocabulary, make_tables(with_backoffs(levels)))


def with_backoffs(levels: Sequence[TrieLevel]) -> list[TrieLevel]:
    """Return the levels with the back-off weights that make every context's probabilities sum to one."""
    from fergus.lm.kernels import lm_logprob10_of_rows

    done = list(levels)
    for length in range(2, len(levels) + 1):
        level, contexts = done[length - 1], len(done[length - 2].word)
        shorter = lm_logprob10_of_rows(make_tables(done[: length - 1]), rows_of_level(done, length)[:, 1:])
        left = 1.0 - np.bincount(level.prefix, weights=10.0**level.logprob10, minlength=contexts)
        left_shorter = 1.0 - np.bincount(level.prefix, weights=10.0**shorter, minlength=contexts)
        # Where the whole vocabulary follows a context, nothing is left over and the weight is never used.
        used = (left > 1e-9) & (left_shorter > 1e-9)
        weight = np.divide(left, left_shorter, out=np.ones(contexts), where=used)
        done[length - 2] = done[length - 2]._replace(backoff10=np.log10(weight))
    return done


def _union(tries: Sequence[list[TrieLevel]], size: int) -> list[TrieLevel]:
    levels = [trie[0] for trie in tries[:1]]
    rows = [trie[0].word for trie in tries]  # where each row of the level below has gone
    for length in range(1, len(tries[0])):
        parts = [trie[length] for trie in tries]
        key = np.concatenate([at[part.prefix] * size + part.word for at, part in zip(rows, parts, strict=True)])
        keys, inverse = np.unique(key, return_inverse=True)
        levels.append(TrieLevel(keys // size, keys % size, np.zeros(len(keys)), np.zeros(len(keys))))
        ends = np.cumsum([0, *(len(part.word) for part in parts)])
        rows = [inverse[start:end] for start, end in pairwise(ends)]
    return levels
