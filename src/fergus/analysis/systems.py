"""Which system people prefer: means with intervals over inputs and judges, and which differ significantly."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.clusters import clusters
from fergus.analysis.correlate import MetricTable
from fergus.analysis.judgements import Items, Ratings
from fergus.analysis.many_tests import CELLS, corrected_for_number, enough_trials
from fergus.analysis.resample import Draw, Spread, spread
from fergus.analysis.soft_pairwise import by_input
from fergus.cluster.chunks import Workers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class SystemScore:
    """A system's mean judgement: as given, and normalised with its interval."""

    system: str
    items: int
    judgements: int
    raw: float
    normalised: float
    low: float
    high: float
    cluster: int
    """1 for the best; systems that nothing tells apart share one."""


@dataclass(frozen=True)
class SystemComparison:
    """Two systems on the inputs that both realize."""

    first: str
    second: str
    difference: float
    inputs: int
    p: float
    """By exchanging the two systems' texts input by input."""
    corrected_p: float


def system_scores(
    items: Items,
    raw: Ratings,
    normalised: Ratings,
    *,
    samples: int = 1000,
    trials: int = 1000,
    seed: int = 12345,
    workers: Workers | None = None,
) -> tuple[list[SystemScore], list[SystemComparison]]:
    """Every system, best first, and every pair of them."""
    table = MetricTable.of(items, {})
    ones = np.ones(items.input_count)
    means = table.system_means(normalised.item_means(len(items)), ones)
    raw_means = table.system_means(raw.item_means(len(items)), ones)

    def beyond_all(draw: Draw) -> Floats:
        # Each judge's scores have mean 0 whatever the inputs: that some inputs are easy is no doubt about a system.
        known = np.isfinite(draw.means)
        weight = draw.inputs[items.input_numbers][known]
        result: Floats = table.system_means(draw.means, draw.inputs) - weight @ draw.means[known] / (
            weight.sum() or np.nan
        )
        return result

    varied = spread(items, normalised, beyond_all, samples=samples, seed=seed, workers=workers)
    own_inputs = np.array(
        [len(np.unique(items.input_numbers[items.system_numbers == s])) for s in range(len(items.system_names))]
    )
    margins = _of_few(varied, own_inputs).margin()
    lows, highs = means - margins, means + margins
    comparisons = compare_systems(items, normalised.item_means(len(items)), trials=trials, seed=seed)
    values = dict(zip(items.system_names, means.tolist(), strict=True))
    groups = clusters(values, comparisons)
    texts = np.bincount(items.system_numbers, minlength=len(items.system_names))
    said = np.bincount(items.system_numbers[raw.item], minlength=len(items.system_names))
    found = []
    for number, name in enumerate(items.system_names):
        low, high = float(lows[number]), float(highs[number])
        place = next((c for c, names in enumerate(groups, 1) if name in names), 0)
        found.append(
            SystemScore(
                name, int(texts[number]), int(said[number]), float(raw_means[number]), values[name], low, high, place
            )
        )
    return sorted(found, key=lambda one: (-one.normalised, one.system)), comparisons


def _of_few(varied: Spread, inputs: NDArray[np.int64]) -> Spread:
    """A system with texts for few inputs: its own number counts, and of one or two nothing can be said."""
    rest = np.maximum(inputs - 1, 1)
    error = np.where(inputs >= 3, varied.error * np.sqrt(inputs / rest), np.nan)
    return Spread(error, np.minimum(varied.df, rest))


def compare_systems(items: Items, means: Floats, *, trials: int = 1000, seed: int = 12345) -> list[SystemComparison]:
    """Paired permutation tests over shared inputs, corrected by Holm's method; one trial exchanges for all pairs."""
    random = np.random.default_rng(seed)
    table = by_input(items, means)
    pairs = list(combinations(range(len(items.system_names)), 2))
    if not pairs:
        return []
    differences = np.array([table[a] - table[b] for a, b in pairs])
    known = np.isfinite(differences)
    differences = np.where(known, differences, 0.0)
    shared, total = known.sum(axis=1), differences.sum(axis=1)
    trials = enough_trials(trials, len(pairs))
    hits, rows = np.zeros(len(pairs), np.int64), max(1, CELLS // max(items.input_count, len(pairs)))
    for done in range(0, trials, rows):
        signs = random.choice([-1.0, 1.0], size=(min(rows, trials - done), items.input_count))
        hits += np.sum(np.abs(signs @ differences.T) >= np.abs(total) - 1e-12, axis=0)
    found = []
    for number, (a, b) in enumerate(pairs):
        n = int(shared[number])
        p = float((hits[number] + 1) / (trials + 1)) if n else float("nan")
        mean = float(total[number] / n) if n else float("nan")
        found.append((items.system_names[a], items.system_names[b], mean, n, p))
    corrected = corrected_for_number([row[-1] for row in found])
    return [SystemComparison(*row, c) for row, c in zip(found, corrected, strict=True)]
