"""Scores without the habits of the judges: z-scores a judge (section 4.1 of Bangalore, Rambow and Whittaker 2000)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fergus.analysis.judgements import Notice, Ratings


@dataclass(frozen=True)
class Normalised:
    """Ratings with each judge's mean 0 and standard deviation 1, and what could not be normalised."""

    raw: Ratings
    ratings: Ratings
    constant_judges: tuple[str, ...]
    """Judges who gave one value throughout: their scores say nothing and are 0."""
    single_judges: tuple[str, ...]
    """Judges with one judgement, which has no standard deviation: it is 0 as well."""

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What a reader must know."""
        found = []
        if self.constant_judges:
            names = ", ".join(self.constant_judges)
            message = f"gave one value throughout; their normalised scores are 0: {names}"
            found.append(Notice("constant judge", message, len(self.constant_judges)))
        if self.single_judges:
            names = ", ".join(self.single_judges)
            message = f"gave a single judgement, whose normalised score is 0: {names}"
            found.append(Notice("single judgement", message, len(self.single_judges)))
        return tuple(found)


def normalise(ratings: Ratings) -> Normalised:
    """Subtract each judge's mean, divide by the judge's standard deviation (of the sample: n - 1)."""
    size = len(ratings.judges)
    count = np.bincount(ratings.judge, minlength=size)
    mean = np.bincount(ratings.judge, weights=ratings.score, minlength=size) / np.maximum(count, 1)
    centred = ratings.score - mean[ratings.judge]
    squares = np.bincount(ratings.judge, weights=centred * centred, minlength=size)
    deviation = np.sqrt(squares / np.maximum(count - 1, 1))
    # A constant judge's mean may be off by a rounding error, which is no deviation.
    is_flat = deviation <= 1e-9 * np.maximum(np.abs(mean), 1)
    scores = np.where(is_flat[ratings.judge], 0.0, centred / np.where(is_flat, 1, deviation)[ratings.judge])
    flat, single = is_flat & (count > 1), count == 1
    return Normalised(
        ratings,
        ratings.with_scores(scores),
        tuple(name for name, told in zip(ratings.judges, flat, strict=True) if told),
        tuple(name for name, told in zip(ratings.judges, single, strict=True) if told),
    )
