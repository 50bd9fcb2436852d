"""Metrics made of other metrics: linear models of judgements, scaled so that a perfect sentence has 1 (section 4.2).

A model is a small TOML file: coefficients of metrics and of counts of errors, and an intercept. Its score is

    (intercept + sum of coefficient * value) / (the same for a perfect sentence)

The paper's Understandability and Quality Accuracy are two such files, in ``learned/``. The counts are those of
the string alignment: S, I and D of the paper as ``substitutions``, ``insertions`` and ``deletions``, M as
``moves``, I' and D' as ``remaining_insertions`` and ``remaining_deletions``. The pooled score takes the parts'
pooled scores, and of counts the mean number a sentence.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from itertools import accumulate
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fergus.errors import InputError
from fergus.file_version import check_version
from fergus.metrics.base import Metric, PairMetric
from fergus.metrics.segment import Batch, Segment, Sentence
from fergus.metrics.tokenization import SPACES, Tokenization, named_tokenization
from fergus.toml_file import parse_toml

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FORMAT, VERSION = "fergus-metric", 1
COUNTS = ("substitutions", "insertions", "deletions", "moves", "remaining_insertions", "remaining_deletions")
"""The counts that may have a coefficient; the length of a sentence may not: it says nothing of its accuracy."""
KEYS = (
    "format",
    "version",
    "name",
    "title",
    "abbreviation",
    "source",
    "intercept",
    "coefficients",
    "training",
    "validation",
)
"""The last two are for people: what the metric was fitted to, and how well it did on what it was not fitted to."""
LEARNED = Path(__file__).parent / "learned"


class ErrorCount(PairMetric):
    """How many errors of one kind a sentence has, on average."""

    higher_is_better = False
    perfect = 0.0
    scale = "0 and above"

    def __init__(self, name: str, *, tokenization: Tokenization = SPACES) -> None:
        super().__init__(tokenization=tokenization)
        self.name = self.title = self.abbreviation = name

    def pair_statistics(self, batch: Batch) -> NDArray[np.float64]:
        """The number of errors, and 1."""
        import numpy as np

        counts = batch.string_counts
        name = self.name.removeprefix("remaining_")
        column = counts[:, COUNTS.index(name)]
        if name != self.name:
            column = column - counts[:, COUNTS.index("moves")]
        return np.column_stack([column, np.ones(len(column))]).astype(np.float64)

    def scores(self, statistics: NDArray[np.float64], *, pooled: bool) -> NDArray[np.float64]:
        """Errors a sentence."""
        import numpy as np

        result: NDArray[np.float64] = statistics[..., 0] / np.maximum(statistics[..., 1], 1)
        return result


@dataclass(frozen=True)
class LinearModel:
    """What a file of a learned metric says."""

    name: str
    title: str
    abbreviation: str
    coefficients: Mapping[str, float]
    intercept: float
    source: str = ""
    digest: str = ""
    """The first digits of the file's SHA-256, for signatures."""
    path: str = ""
    """The file, for messages."""
    tokenization: str = ""
    lowercase: bool | None = None
    """How texts were compared when it was learned, if the file says so."""


class LearnedMetric(PairMetric):
    """A linear model over the scores of other metrics and over counts of errors.

    ``UnderstandabilityAccuracy`` and ``QualityAccuracy`` are the paper's two.
    """

    def __init__(self, model: LinearModel, parts: Mapping[str, Metric], *, tokenization: Tokenization = SPACES) -> None:
        """``parts`` has a metric for every coefficient."""
        super().__init__(tokenization=tokenization)
        self.model = model
        self.name, self.title, self.abbreviation = model.name, model.title, model.abbreviation
        self.parts = [(parts[name], weight) for name, weight in model.coefficients.items()]
        self.needs_trees = any(metric.needs_trees for metric, _ in self.parts)
        best = [(metric, weight, metric.perfect) for metric, weight in self.parts]
        unbounded = [metric.name for metric, _, perfect in best if perfect is None]
        if unbounded:
            raise InputError(f"{self.name}: {unbounded[0]} has no best value", remedy="learn without it")
        if any(weight > 0 if not metric.higher_is_better else weight < 0 for metric, weight in self.parts):
            self.scale = "1 for a perfect sentence"  # others may have more: an error counts in their favour
        self.perfect_value = model.intercept + sum(weight * (perfect or 0.0) for _, weight, perfect in best)
        if self.perfect_value <= 0:
            raise InputError(
                f"{self.name}: a perfect sentence would have {self.perfect_value:.4g}",
                remedy="coefficients and intercept must give it a value above 0",
            )

    def pair_statistics(self, batch: Batch) -> NDArray[np.float64]:
        """The statistics of all parts side by side."""
        import numpy as np

        tables: list[NDArray[np.float64]] = []
        for metric, _ in self.parts:
            if isinstance(metric, PairMetric):
                tables.append(metric.pair_statistics(batch))
            else:  # it looks at all references at once: the same for each of them
                sizes = np.diff([*batch.first_pairs, len(batch.pairs)])
                tables.append(np.repeat(metric.statistics(batch), sizes, axis=0))
        return np.hstack(tables)

    @cached_property
    def ends(self) -> list[int]:
        """The last column of every part's statistics, found out by trying."""
        trial = Batch([Segment(Sentence(("a",)), (Sentence(("a",)),))])
        return list(accumulate(metric.statistics(trial).shape[1] for metric, _ in self.parts))

    def scores(self, statistics: NDArray[np.float64], *, pooled: bool) -> NDArray[np.float64]:
        """1 less what the parts lack to perfection: so a perfect sentence has exactly 1."""
        import numpy as np

        lost: NDArray[np.float64] = np.zeros(statistics.shape[:-1])
        start = 0
        for (metric, weight), end in zip(self.parts, self.ends, strict=True):
            value = metric.scores(statistics[..., start:end], pooled=pooled)
            lost = lost + weight * ((metric.perfect or 0.0) - value)
            start = end
        return 1 - lost / self.perfect_value

    def settings(self) -> dict[str, str]:
        """The model and the settings of its parts."""
        settings = {"model": self.model.digest} if self.model.digest else {}
        for metric, _ in self.parts:
            settings |= {f"{metric.abbreviation}.{key}": value for key, value in metric.settings().items()}
        return settings


class UnderstandabilityAccuracy(LearnedMetric):
    """Equation (4) of the paper."""

    name, title = "understandability_accuracy", "Understandability Accuracy"

    def __init__(
        self, *, tokenize: str = "spaces", lowercase: bool = False, tokenization: Tokenization | None = None
    ) -> None:
        from fergus.metrics.catalogue import metric_class

        tokenization = tokenization or named_tokenization(tokenize, lowercase=lowercase)
        model = read_model(LEARNED / f"{type(self).name}.toml")
        parts = _parts(model, lambda name: metric_class(name)(tokenization=tokenization), tokenization)
        super().__init__(model, parts, tokenization=tokenization)


class QualityAccuracy(UnderstandabilityAccuracy):
    """Equation (5) of the paper."""

    name, title = "quality_accuracy", "Quality Accuracy"


def learned_metric(model: LinearModel, make: Callable[[str], Metric], tokenization: Tokenization) -> LearnedMetric:
    """The metric of a model, whose parts ``make`` makes by their names."""
    try:
        return LearnedMetric(model, _parts(model, make, tokenization), tokenization=tokenization)
    except InputError as error:
        counts = f"; counts may have a coefficient too: {', '.join(COUNTS)}" if "no metric" in error.problem else ""
        raise InputError(error.problem, path=model.path, remedy=error.remedy + counts) from None


def _parts(model: LinearModel, make: Callable[[str], Metric], tokenization: Tokenization) -> dict[str, Metric]:
    names = model.coefficients
    return {name: ErrorCount(name, tokenization=tokenization) if name in COUNTS else make(name) for name in names}


def read_model(path: str | Path) -> LinearModel:
    """The model in a file, or an InputError that says what is wrong with it."""
    where = str(path)
    data = Path(path).read_bytes()
    content = parse_toml(data, path=where, what="metric")
    if content.get("format") != FORMAT:
        problem = f"the file says format = {content.get('format')!r}"
        raise InputError(problem, path=where, remedy=f'it must say format = "{FORMAT}", version = {VERSION}')
    check_version(content.get("version"), what="a metric file", newest=VERSION, path=where)
    for key in content:
        if key not in KEYS:
            close = get_close_matches(key, KEYS, n=1)
            hint = f"did you mean {close[0]}? " if close else ""
            raise InputError(f"{key!r} means nothing here", path=where, remedy=f"{hint}keys are {', '.join(KEYS)}")
    coefficients = content.get("coefficients")
    if not isinstance(coefficients, dict) or not coefficients:
        raise InputError("there are no coefficients", path=where, remedy="add a table [coefficients]")
    numbers = {name: _number(value, name, where) for name, value in coefficients.items()}
    name = content.get("name")
    if not isinstance(name, str) or not name.isidentifier() or name in COUNTS:
        raise InputError(f"{name!r} is no name of a metric", path=where, remedy='write name = "my_metric"')
    training = content.get("training")
    trained = training if isinstance(training, dict) else {}
    lowercase = {"true": True, "false": False}.get(str(trained.get("lowercase", "")).lower())
    return LinearModel(
        name,
        str(content.get("title", name)),
        str(content.get("abbreviation", name)),
        numbers,
        _number(content.get("intercept", 0.0), "intercept", where),
        str(content.get("source", "")),
        hashlib.sha256(data).hexdigest()[:8],
        where,
        str(trained.get("tokenization", "")),
        lowercase,
    )


def _number(value: Any, name: str, path: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise InputError(f"{name} = {value!r} is no number", path=path, remedy="write a finite number")
    return float(value)
