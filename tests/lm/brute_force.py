"""Kneser-Ney as the textbook writes it, with dictionaries: slow, obvious, the oracle of the fast one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

Ngram = tuple[str, ...]


def raw_counts(corpus: Sequence[Sequence[str]], order: int) -> Counter[Ngram]:
    counts: Counter[Ngram] = Counter()
    for sentence in corpus:
        padded = ("<s>", *sentence, "</s>")
        for length in range(1, order + 1):
            for start in range(len(padded) - length + 1):
                counts[padded[start : start + length]] += 1
    return counts


class BruteForceKneserNey:
    def __init__(
        self, corpus: Sequence[Sequence[str]], vocabulary: Sequence[str], order: int, cutoffs: Sequence[int]
    ) -> None:
        self.raw = raw_counts(corpus, order)
        self.vocabulary, self.order, self.cutoffs = vocabulary, order, cutoffs
        self.count = {ngram: self._adjusted(ngram) for ngram in self.raw if ngram != ("<s>",)}
        self.discount = [self._discounts(length) for length in range(1, order + 1)]
        self.probability = cache(self._probability)

    def _adjusted(self, ngram: Ngram) -> int:
        if len(ngram) == self.order or ngram[0] == "<s>":
            return self.raw[ngram]
        return sum(1 for other in self.raw if other[1:] == ngram)

    def _discounts(self, length: int) -> list[float]:
        t = Counter(count for ngram, count in self.count.items() if len(ngram) == length)
        if t[1] and t[2] and t[3]:
            y = t[1] / (t[1] + 2 * t[2])
            found = [0.0, *(k - (k + 1) * y * t[k + 1] / t[k] for k in (1, 2, 3))]
            if all(0 < found[k] <= k for k in (1, 2, 3)):
                return found
        return [0.0, 0.5, 1.0, 1.5]

    def _probability(self, context: Ngram, word: str) -> float:
        followers = [n for n in self.count if len(n) == len(context) + 1 and n[:-1] == context]
        shorter = (
            self.probability(context[1:], word)
            if context
            else (0.0 if word == "<s>" else 1 / (len(self.vocabulary) - 1))
        )
        if not followers:
            return shorter
        total = sum(self.count[ngram] for ngram in followers)
        own = {ngram: self._own(ngram) for ngram in followers}
        return (own.get((*context, word), 0.0) + (total - sum(own.values())) * shorter) / total

    def _own(self, ngram: Ngram) -> float:
        if len(ngram) > 1 and self.raw[ngram] <= self.cutoffs[len(ngram) - 1]:
            return 0.0
        return self.count[ngram] - self.discount[len(ngram) - 1][min(self.count[ngram], 3)]
