"""What a reader must be warned of: assumptions that fail, samples that are too small, scales that are used up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.correlate import FEWEST_SYSTEMS
from fergus.analysis.judgements import Notice, Ratings
from fergus.analysis.written import counted

if TYPE_CHECKING:
    from fergus.analysis.analyse import DimensionAnalysis

FEW_JUDGES, FEW_ITEMS, FEW_TEXTS = 3, 20, 5
TENTATIVE, RELIABLE = 0.667, 0.8
"""Krippendorff's bounds: below the first no conclusions, below the second tentative ones."""
FAR_OUT = 10
"""Interquartile ranges from the median; Tukey calls three of them far out."""
AT_THE_END = 0.4
"""A scale is used up if this share of the scores lies at one end of it."""


def warnings_of(analysis: DimensionAnalysis, ratings: Ratings) -> list[Notice]:
    """The warnings of one dimension."""
    sizes = (*_sizes(analysis), *_few_texts(analysis))
    return [*sizes, *_agreement(analysis), *_scale(analysis, ratings), *_judges(analysis)]


def _sizes(analysis: DimensionAnalysis) -> list[Notice]:
    found = []
    if analysis.judges < FEW_JUDGES:
        message = f"{counted(analysis.judges, 'judge')}: nothing can be said of other people's judgements"
        found.append(Notice("few judges", message, analysis.judges))
    if analysis.items < FEW_ITEMS:
        message = f"{counted(analysis.items, 'text')}: intervals are rough, and small p-values may be luck"
        found.append(Notice("few items", message, analysis.items))
    systems = len(analysis.systems)
    if analysis.correlations and systems < FEWEST_SYSTEMS:
        message = f"{counted(systems, 'system')}: correlations of systems mean little, and have no interval"
        found.append(Notice("few systems", message, systems))
    return found


def _few_texts(analysis: DimensionAnalysis) -> list[Notice]:
    few = [one.system for one in analysis.systems if one.items < FEW_TEXTS]
    if not few or len(analysis.systems) < 2:
        return []
    message = f"systems have fewer than {FEW_TEXTS} texts, so that little can be said of them: {', '.join(few)}"
    return [Notice("few texts of a system", message, len(few))]


def _agreement(analysis: DimensionAnalysis) -> list[Notice]:
    alpha = analysis.reliability.alpha_normalised
    if alpha is None:
        message = "too few texts were judged by two, or all scores are the same: agreement cannot be measured"
        return [Notice("agreement unknown", message)]
    if alpha < TENTATIVE:
        message = (
            f"judges agree little on single texts (alpha {alpha:.2f} after normalisation, below {TENTATIVE}): trust "
            "means over several judges, not single judgements"
        )
        return [Notice("low agreement", message)]
    if alpha < RELIABLE:
        return [
            Notice("middling agreement", f"alpha {alpha:.2f} allows tentative conclusions ({TENTATIVE} to {RELIABLE})")
        ]
    return []


def _scale(analysis: DimensionAnalysis, ratings: Ratings) -> list[Notice]:
    found = []
    if analysis.lowest == analysis.highest:
        return [Notice("constant scores", f"every score is {analysis.lowest:g}: nothing can be learned from them")]
    lowest, highest = ratings.scale or (analysis.lowest, analysis.highest)
    for end, value in (("top", highest), ("bottom", lowest)):
        share = float(np.mean(ratings.score == value))
        if share >= AT_THE_END:
            effect = "ceiling" if end == "top" else "floor"
            message = (
                f"{share:.0%} of the scores lie at the {end} of the scale ({value:g}): differences there are hidden"
            )
            found.append(Notice(f"{effect} effect", message, int(np.sum(ratings.score == value))))
    low, high = np.quantile(ratings.score, [0.25, 0.75])
    far = np.abs(ratings.score - np.median(ratings.score)) > FAR_OUT * (high - low)
    if high > low and far.any():
        values = ", ".join(f"{value:g}" for value in np.unique(ratings.score[far])[:10])
        message = f"scores lie far from all others, as typing errors do: {values}; tell the scale to leave them out"
        found.append(Notice("far out", message, int(far.sum())))
    return found


def _judges(analysis: DimensionAnalysis) -> list[Notice]:
    against = [one.judge for one in analysis.reliability.judges if one.shared >= 10 and one.with_others < 0]
    if not against:
        return []
    message = f"correlate negatively with the others (scale misread, or no attention?): {', '.join(against)}"
    return [Notice("contrary judge", message, len(against))]
