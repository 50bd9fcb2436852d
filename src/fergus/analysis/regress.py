"""Linear regressions of judgements on metrics, length and counts of errors (section 4.1 of Bangalore et al. 2000).

Ordinary least squares by a QR decomposition. A point may be excluded, as the paper excluded one, but not without a
reason, and it stays among the points that a figure shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.judgements import Notice
from fergus.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

INTERCEPT = "intercept"
DEPENDENT = 1e-9
"""A column of which less than this share is left after the others before it is their linear combination."""
OWN = 1e-9
"""A point whose leverage is less than this below 1 has a coefficient to itself: its residual is 0 and rounding."""
INFLATED, POINTS_A_PREDICTOR, INFLUENTIAL = 10.0, 10, 1.0
"""From where on a reader is told: variance inflation (above), points (below), Cook's distance (above)."""


@dataclass(frozen=True)
class Exclusion:
    """An item that the model is not fitted to, and why."""

    item: str
    reason: str

    def __post_init__(self) -> None:
        if not self.reason.strip():
            raise InputError(f"{self.item} is excluded without a reason", remedy="say why; the report will show it")


@dataclass(frozen=True)
class Term:
    """A coefficient with its standard error, t test and 95% interval."""

    name: str
    value: float
    standard_error: float
    t: float
    p: float
    low: float
    high: float
    inflation: float
    """How many times the variance is what it would be if the other predictors told nothing of this one."""


@dataclass(frozen=True)
class Point:
    """An item as a figure shows it: what was judged, what the model predicts, and how much it weighs in the fit."""

    item: str
    judged: float
    predicted: float
    residual: float
    standardised: float
    """The residual in units of its own standard deviation; NaN for what the model was not fitted to, or must meet."""
    leverage: float
    cook: float
    excluded: str = ""
    """Why the model was not fitted to it."""


@dataclass(frozen=True)
class Regression:
    """A fitted model."""

    terms: tuple[Term, ...]
    """The intercept first."""
    n: int
    r_squared: float
    adjusted_r_squared: float
    f: float
    degrees: tuple[int, int]
    p: float
    error: float
    """The residuals' standard deviation, with n - k - 1 degrees of freedom."""
    aic: float
    bic: float
    condition: float
    """The condition number of the columns scaled to length 1; above 30 they hardly tell one another apart."""
    breusch_pagan_p: float
    """Small if the residuals' variance changes with the predictors: standard errors are then not to be relied on."""
    points: tuple[Point, ...]
    notices: tuple[Notice, ...]
    r_squared_low: float = float("nan")
    r_squared_high: float = float("nan")
    """The 95% interval of R², with other inputs and judges, where it was asked for."""

    @property
    def predictors(self) -> tuple[str, ...]:
        """The names, without the intercept."""
        return tuple(term.name for term in self.terms[1:])

    @property
    def intercept(self) -> float:
        """The constant."""
        return self.terms[0].value

    @property
    def coefficients(self) -> dict[str, float]:
        """By name, without the intercept."""
        return {term.name: term.value for term in self.terms[1:]}

    @property
    def fitted_points(self) -> tuple[Point, ...]:
        """The points without those excluded."""
        return tuple(point for point in self.points if not point.excluded)


def regress(
    predictors: Mapping[str, Floats],
    y: Floats,
    *,
    items: Sequence[str] | None = None,
    exclude: Sequence[Exclusion] = (),
) -> Regression:
    """The model ``y = intercept + sum of coefficient * predictor``; points with a missing value are left out."""
    from scipy.special import chdtrc, stdtr, stdtrit

    data = Selected.of(predictors, y, items=items, exclude=exclude)
    n, k = len(data.y), len(predictors)
    X = np.column_stack([np.ones(n), data.X])
    Q, R = np.linalg.qr(X)
    refuse_dependent(data.X, R, list(predictors))
    inverse = np.linalg.inv(R)
    beta = inverse @ (Q.T @ data.y)
    residual = data.y - X @ beta
    squares, total = float(residual @ residual), float(np.sum((data.y - data.y.mean()) ** 2))
    r_squared, rest = 1 - squares / total, n - k - 1
    variance = squares / rest
    unit = np.sum(inverse**2, axis=1)
    spread = np.sqrt(variance * unit)
    with np.errstate(divide="ignore", invalid="ignore"):  # a perfect fit
        t = beta / spread
        leverage = np.sum(Q**2, axis=1)
        free = np.where(leverage < 1 - OWN, 1 - leverage, np.nan)  # what is left of a point that has a term to itself
        standardised = residual / np.sqrt(variance * free)
        cook = standardised**2 * leverage / free / (k + 1)
        aic, bic = information(squares, n, k)
    width = float(stdtrit(rest, 0.975))
    inflation = [float("nan"), *(np.sum((data.X - data.X.mean(axis=0)) ** 2, axis=0) * unit[1:])]
    terms = tuple(
        Term(name, *map(float, (b, s, ratio, 2 * stdtr(rest, -abs(ratio)), b - width * s, b + width * s, v)))
        for name, b, s, ratio, v in zip((INTERCEPT, *predictors), beta, spread, t, inflation, strict=True)
    )
    f = f_of_r_squared(r_squared, n, k)
    return Regression(
        terms,
        n,
        r_squared,
        1 - (1 - r_squared) * (n - 1) / rest,
        f,
        (k, rest),
        p_of_f(f, k, rest),
        float(np.sqrt(variance)),
        aic,
        bic,
        float(np.linalg.cond(X / np.linalg.norm(X, axis=0))),
        float(chdtrc(k, n * _share_explained(Q, residual**2))),
        data.points(beta, leverage, standardised, cook),
        (*data.notices, *_warnings(terms, n, leverage, cook, data.names)),
    )


def f_of_r_squared(r_squared: float, n: int, predictors: int) -> float:
    """F with ``predictors`` and n - predictors - 1 degrees of freedom. The paper's F(3,19) = 6.62 is R² = .511."""
    left = 1 - r_squared
    return float("inf") if left <= 0 else (r_squared / predictors) / (left / (n - predictors - 1))


def p_of_f(f: float, above: int, below: int) -> float:
    """How likely an F as large is if no predictor has anything to do with y."""
    from scipy.special import fdtrc

    return 0.0 if f == float("inf") else float(fdtrc(above, below, max(f, 0.0)))


def information(squares: float, n: int, predictors: int) -> tuple[float, float]:
    """AIC and BIC of a model that leaves so much unexplained, counting the intercept and not the variance."""
    unlikely = n * (np.log(2 * np.pi) + np.log(squares / n) + 1)
    return float(unlikely + 2 * (predictors + 1)), float(unlikely + np.log(n) * (predictors + 1))


def normal_quantiles(regression: Regression) -> list[tuple[float, float]]:
    """A normal plot: the quantile of the normal distribution, and the standardised residual, where there is one."""
    from scipy.special import ndtri

    known = [point.standardised for point in regression.fitted_points]
    values = np.sort([value for value in known if np.isfinite(value)])
    places = (np.arange(len(values)) + 0.5) / len(values)
    return [(float(q), float(v)) for q, v in zip(ndtri(places), values, strict=True)]


@dataclass(frozen=True)
class Selected:
    """The points of a regression, those it is fitted to apart from those excluded."""

    names: tuple[str, ...]
    X: Floats
    y: Floats
    left_out: tuple[tuple[Exclusion, Floats, float], ...]
    notices: tuple[Notice, ...]

    @classmethod
    def of(
        cls,
        predictors: Mapping[str, Floats],
        y: Floats,
        *,
        items: Sequence[str] | None = None,
        exclude: Sequence[Exclusion] = (),
        largest: int | None = None,
    ) -> Selected:
        """From columns of one length; InputError where they cannot be fitted, at most ``largest`` of them at once."""
        if not predictors:
            raise InputError("there is no predictor", remedy="choose metrics, length or counts of errors")
        names = [str(i) for i in range(1, len(y) + 1)] if items is None else list(items)
        X = np.column_stack([np.asarray(column, np.float64) for column in predictors.values()])
        places = {name: i for i, name in enumerate(names)}
        for one in exclude:
            if one.item not in places:
                raise InputError(f"{one.item!r} is excluded and not there", remedy="name an item of the data")
        whole = np.isfinite(X).all(axis=1) & np.isfinite(y)
        kept = whole.copy()
        kept[[places[one.item] for one in exclude]] = False
        size = min(len(predictors), largest or len(predictors))
        n, needed = int(kept.sum()), size + 2
        if n < needed:
            raise InputError(f"{n} points for {size} predictors", remedy=f"at least {needed} are needed")
        if np.ptp(y[kept]) == 0:
            raise InputError(f"all {n} judgements are the same", remedy="there is nothing to explain")
        left_out = tuple((one, X[places[one.item]], float(y[places[one.item]])) for one in exclude)
        notices = []
        if missing := int((~whole).sum()):
            notices.append(Notice("missing value", "points lack a judgement or a predictor and are left out", missing))
        if exclude:
            message = "; ".join(f"{one.item}: {one.reason}" for one in exclude)
            notices.append(Notice("excluded", message, len(exclude)))
        return cls(tuple(names[i] for i in np.flatnonzero(kept)), X[kept], y[kept], left_out, tuple(notices))

    def points(self, beta: Floats, leverage: Floats, standardised: Floats, cook: Floats) -> tuple[Point, ...]:
        """What a figure shows, excluded points last."""
        fitted = beta[0] + self.X @ beta[1:]
        rows = np.column_stack([self.y, fitted, self.y - fitted, standardised, leverage, cook]).tolist()
        found = [Point(name, *row) for name, row in zip(self.names, rows, strict=True)]
        for one, x, y in self.left_out:
            predicted = float(beta[0] + x @ beta[1:])
            nothing = float("nan")
            found.append(Point(one.item, y, predicted, y - predicted, nothing, nothing, nothing, one.reason))
        return tuple(found)


def refuse_dependent(columns: Floats, triangle: Floats, names: Sequence[str]) -> None:
    """Raise if a predictor is a linear combination of the constant and those before it, as I' is of I and M."""
    for j, name in enumerate(names, 1):
        if abs(triangle[j, j]) <= DEPENDENT * np.linalg.norm(columns[:, j - 1]):
            others = ", ".join(names[: j - 1]) or "a constant"
            raise InputError(f"{name} is a linear combination of {others}", remedy=f"leave out {name}")


def _share_explained(basis: Floats, values: Floats) -> float:
    """R² of a regression of other values on the same predictors."""
    centred = values - values.mean()
    total = float(centred @ centred)
    # The first column of the basis is the constant, which the centred values have nothing of.
    return float(np.sum((basis[:, 1:].T @ centred) ** 2) / total) if total > 0 else 0.0


def _warnings(terms: Sequence[Term], n: int, leverage: Floats, cook: Floats, names: Sequence[str]) -> list[Notice]:
    found = []
    inflated = [term.name for term in terms if term.inflation > INFLATED]
    if inflated:
        message = (
            f"predictors that nearly follow from the others; their coefficients are unstable: {', '.join(inflated)}"
        )
        found.append(Notice("collinearity", message, len(inflated)))
    if n < POINTS_A_PREDICTOR * (len(terms) - 1):
        message = f"{n} points for {len(terms) - 1} predictors: fewer than {POINTS_A_PREDICTOR} each, R² flatters"
        found.append(Notice("few points", message))
    heavy = [name for name, weight in zip(names, cook, strict=True) if weight > INFLUENTIAL]
    if heavy:
        message = f"points without which the model would be another (Cook's distance above 1): {', '.join(heavy)}"
        found.append(Notice("influential point", message, len(heavy)))
    own = [name for name, weight in zip(names, leverage, strict=True) if weight >= 1 - OWN]
    if own:
        message = f"points that a coefficient is fitted to alone, whatever was judged (leverage 1): {', '.join(own)}"
        found.append(Notice("point by itself", message, len(own)))
    return found
