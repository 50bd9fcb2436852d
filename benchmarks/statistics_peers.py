"""Our statistics beside those of scipy and statsmodels, and beside formulas written out, over random tables."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fergus.analysis.coefficients import KINDS, MOST_ORDERS, coefficient
from fergus.analysis.judgements import Ratings
from fergus.analysis.mixed_models import mixed_model
from fergus.analysis.regress import regress
from fergus.analysis.reliability import intraclass

Floats = NDArray[np.float64]
Pairs = Iterator[tuple[float, float]]
"""Our figure and the other one."""

SEED = 6
MIXED_SHARE = 30
"""A mixed model takes statsmodels a second: there is one for so many other tables."""


@dataclass(frozen=True)
class Agreement:
    """How far a statistic is from another implementation's."""

    BAR: ClassVar[float] = 1e-6

    what: str
    beside: str
    tables: int
    figures: int
    difference: float
    """The largest; divided by the figure where that is above 1."""

    @property
    def is_good(self) -> bool:
        """Whether it clears the bar."""
        return self.difference <= self.BAR

    def described(self) -> dict[str, Any]:
        """For the record."""
        return {**asdict(self), "at_most": self.BAR, "verdict": "bar" if self.is_good else "missed"}


def agreements(*, tables: int) -> list[Agreement]:
    """Every statistic over as many random tables, fewer for mixed models."""
    compared: tuple[tuple[str, str, Callable[[np.random.Generator], Pairs], int], ...] = (
        *((f"{kind}, r and p", "scipy", _coefficient(kind), tables) for kind in KINDS),
        ("OLS", "statsmodels OLS", _regression, tables),
        ("ICC", "Shrout and Fleiss’ formulas", _intraclass, tables),
        ("mixed model, deviance", "statsmodels MixedLM, best of 3 searches", _deviance, max(2, tables // MIXED_SHARE)),
        ("mixed model, effects and errors", "statsmodels GLS", _effects, max(2, tables // MIXED_SHARE)),
    )
    found = []
    for what, beside, pairs_of, count in compared:
        pairs = [pair for number in range(count) for pair in pairs_of(np.random.default_rng([SEED, number]))]
        found.append(Agreement(what, beside, count, len(pairs), largest_difference(pairs)))
    return found


def largest_difference(pairs: Iterable[tuple[float, float]]) -> float:
    """Infinite if one side is undefined where the other is not.

    >>> largest_difference([(1.0, 1.5), (200.0, 100.0), (float("nan"), float("nan"))])
    1.0
    """
    largest = 0.0
    for ours, theirs in pairs:
        if np.isnan(ours) != np.isnan(theirs):
            return float("inf")
        if not np.isnan(ours):
            largest = max(largest, abs(ours - theirs) / max(1.0, abs(theirs)))
    return largest


def _coefficient(kind: Any) -> Callable[[np.random.Generator], Pairs]:
    def pairs(random: np.random.Generator) -> Pairs:
        """Few and many points, every other table with ties."""
        from scipy import stats

        n = int(random.choice([4, 6, 9, 24, 60, 400]))
        x, noise = random.normal(size=n), random.normal(size=n)
        y = random.uniform(-1, 1) * x + noise
        if random.random() < 0.5:
            x, y = np.round(x), np.round(y)
        theirs_of = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}[kind]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of constant columns, which have no coefficient
            theirs = theirs_of(x, y)
            p = float(theirs.pvalue)
            if kind == "spearman" and n <= MOST_ORDERS and not np.isnan(p):
                # Student's t, which spearmanr has, is only an approximation; scipy's own advice for few points.
                every = {"permutation_type": "pairings", "n_resamples": np.inf, "alternative": "greater"}
                size = lambda one: abs(stats.spearmanr(one, y).statistic)  # noqa: E731 - called here
                p = float(stats.permutation_test((x,), size, **every).pvalue)
        ours = coefficient(kind, x, y)
        yield ours.value, float(theirs.statistic)
        if abs(ours.value) < 1 - 1e-9:
            yield ours.p, p

    return pairs


def _regression(random: np.random.Generator) -> Pairs:
    import statsmodels.api as sm

    k = int(random.integers(1, 6))
    n = int(random.integers(k + 4, 300))
    X = random.normal(1, 2, (n, k))
    y = 0.5 + X @ random.normal(size=k) + random.normal(size=n)
    ours, theirs = regress({f"x{i}": X[:, i] for i in range(k)}, y), sm.OLS(y, sm.add_constant(X)).fit()
    low, high = theirs.conf_int().T
    columns = {
        "value": theirs.params, "standard_error": theirs.bse, "t": theirs.tvalues, "p": theirs.pvalues,
        "low": low, "high": high,
    }  # fmt: skip
    for name, values in columns.items():
        yield from zip((getattr(term, name) for term in ours.terms), map(float, values), strict=True)
    yield from (
        (ours.r_squared, theirs.rsquared), (ours.adjusted_r_squared, theirs.rsquared_adj), (ours.f, theirs.fvalue),
        (ours.p, theirs.f_pvalue), (ours.aic, theirs.aic), (ours.bic, theirs.bic),
    )  # fmt: skip


def _intraclass(random: np.random.Generator) -> Pairs:
    n, k = int(random.integers(3, 40)), int(random.integers(2, 8))
    table = random.normal(size=(n, 1)) + random.normal(size=k) / 2 + random.normal(size=(n, k))
    item, judge = (part.ravel() for part in np.indices((n, k)))
    ours = intraclass(Ratings("quality", tuple(f"J{i}" for i in range(k)), judge, item, table.ravel()), n)
    grand, rows, columns = table.mean(), table.mean(axis=1), table.mean(axis=0)
    bms = sum(k * (row - grand) ** 2 for row in rows) / (n - 1)
    wms = sum((table[i, j] - rows[i]) ** 2 for i in range(n) for j in range(k)) / (n * (k - 1))
    jms = sum(n * (column - grand) ** 2 for column in columns) / (k - 1)
    ems = sum((table[i, j] - rows[i] - columns[j] + grand) ** 2 for i in range(n) for j in range(k))
    ems /= (n - 1) * (k - 1)
    by_hand = (
        (bms - wms) / (bms + (k - 1) * wms),
        (bms - wms) / bms,
        (bms - ems) / (bms + (k - 1) * ems + k * (jms - ems) / n),
        (bms - ems) / (bms + (jms - ems) / n),
        (bms - ems) / (bms + (k - 1) * ems),
        (bms - ems) / bms,
    )
    found = (ours.one_way, ours.one_way_mean, ours.random, ours.random_mean, ours.fixed, ours.fixed_mean)
    yield from zip((float("nan") if one is None else one for one in found), map(float, by_hand), strict=True)


def _judged(random: np.random.Generator) -> tuple[Floats, dict[str, Floats], dict[str, Any]]:
    """Judgements with judges and items crossed, seven of ten there."""
    judges, items = 8, 12
    judge, item = (part.ravel() for part in np.indices((judges, items)))
    kept = random.random(judges * items) < 0.7
    judge, item = judge[kept], item[kept]
    x, system = random.normal(size=len(item)), (item % 2).astype(np.float64)
    y = 1 + 0.5 * system + 0.3 * x + random.normal(0, 0.7, judges)[judge] + random.normal(0, 0.5, items)[item]
    return y + random.normal(size=len(item)), {"system": system, "x": x}, {"judge": judge, "item": item}


def _deviance(random: np.random.Generator) -> Pairs:
    """-2 log-likelihood at the best variances.

    statsmodels' usual search does not converge on some tables, and says so; the best of three of its searches counts.
    """
    import pandas
    import statsmodels.formula.api as formulas

    y, fixed, levels = _judged(random)
    frame = pandas.DataFrame({"y": y, **fixed, **levels, "all": 1})
    parts = {"judge": "0 + C(judge)", "item": "0 + C(item)"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of variances at 0, and of searches that stop short
        model = formulas.mixedlm("y ~ system + x", frame, groups="all", vc_formula=parts)
        theirs = min(-2 * float(model.fit(method=search).llf) for search in ("bfgs", "lbfgs", "nm"))
    yield mixed_model(y, fixed, levels).deviance, theirs


def _effects(random: np.random.Generator) -> Pairs:
    """Generalised least squares with the covariance that our variances make."""
    import statsmodels.api as sm

    y, fixed, levels = _judged(random)
    found = mixed_model(y, fixed, levels)
    variances = {one.name: one.variance for one in found.components}
    V = variances["residual"] * np.eye(len(y))
    for name, own in levels.items():
        V += variances.get(name, 0.0) * (own[:, None] == own)
    X = np.column_stack([np.ones(len(y)), *fixed.values()])
    theirs = sm.GLS(y, X, sigma=V).fit(cov_type="fixed scale", cov_kwds={"scale": 1.0})
    yield from _both([one.value for one in found.effects], theirs.params)
    yield from _both([one.standard_error for one in found.effects], theirs.bse)


def _both(ours: Sequence[float], theirs: Sequence[float]) -> Pairs:
    yield from zip(ours, map(float, theirs), strict=True)
