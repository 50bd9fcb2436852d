"""Metric scores of judged texts: from columns that came with them, from an evaluation, or computed from references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatch
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from fergus.analysis.score_sources import COLUMN, PREDICTORS, Scores, Sources
from fergus.errors import InputError

if TYPE_CHECKING:
    from fergus.analysis.judgements import Judgements
    from fergus.evaluation.run import Report


def metric_scores(
    judgements: Judgements,
    sources: Sources,
    *,
    item_column: str | None = None,
    seed: int = 12345,
    fewest_errors: bool = False,
    report: Report = lambda job, done, total: None,
) -> Scores:
    """Every score that the options ask for; a name that comes from two sources is an InputError.

    Of several references errors are counted against the closest; ``fewest_errors`` takes for each kind of error the
    reference that has fewest of them, as a metric does that counts this kind.
    """
    from fergus.analysis.computed_scores import computed_scores
    from fergus.analysis.judgements import Notice

    def computed() -> Scores:
        return computed_scores(
            judgements, sources, item_column=item_column, seed=seed, fewest_errors=fewest_errors, report=report
        )

    found = Scores()
    for source, more in (
        ("the columns", _of_columns(judgements, sources.metric_columns)),
        ("the evaluation", _of_evaluation(judgements, sources.evaluation)),
        ("the references", computed() if sources.references or sources.metrics else Scores()),
    ):
        twice = [name for name in more.metrics if name in found.metrics]
        if twice:
            remedy = "leave one of them out (--metric-columns, --metrics)"
            raise InputError(f"{twice[0]} comes from {source} and from another source", remedy=remedy)
        found = Scores(
            found.metrics | more.metrics,
            found.predictors | more.predictors,
            (*found.lower_is_better, *more.lower_is_better),
            found.signatures | more.signatures,
            (*found.notices, *more.notices),
        )
    named = [name.strip() for part in sources.lower_is_better for name in part.split(",") if name.strip()]
    for name in named:
        if name not in found.metrics:
            remedy = f"the metrics are {', '.join(found.metrics) or 'none'}"
            raise InputError(f"less of {name!r} is said to be better, and there is no such metric", remedy=remedy)
    missing = [
        Notice("missing metric score", f"texts have no {name}", gaps)
        for name, column in found.metrics.items()
        if (gaps := sum(not isfinite(value) for value in column.tolist()))
    ]
    worse = tuple(dict.fromkeys((*found.lower_is_better, *(n for n in found.metrics if _less_is_better(n)), *named)))
    return Scores(found.metrics, found.predictors, worse, found.signatures, (*found.notices, *missing))


def _less_is_better(name: str) -> bool:
    from fergus.metrics.catalogue import CATALOGUE, metric_class

    return name in CATALOGUE and not metric_class(name).higher_is_better


def _sorted_out(columns: Mapping[str, Sequence[float]]) -> Scores:
    """Counts and length are predictors; all others are metrics."""
    import numpy as np

    arrays = {name: np.array(values, np.float64) for name, values in columns.items()}
    metrics = {name: column for name, column in arrays.items() if name not in PREDICTORS}
    return Scores(metrics, {name: column for name, column in arrays.items() if name in PREDICTORS})


def _of_columns(judgements: Judgements, patterns: Sequence[str]) -> Scores:
    wanted = [name for part in patterns for name in part.split(",") if name] or [f"{COLUMN}*"]
    chosen: dict[str, list[float]] = {}
    for pattern in wanted:
        names = [name for name in judgements.columns if fnmatch(name, pattern)]
        if patterns and not names:
            remedy = f"the further columns are {', '.join(judgements.columns) or 'none'}"
            raise InputError(f"no column is called {pattern}", path=judgements.source, remedy=remedy)
        for name in names:
            cells = zip(judgements.columns[name], judgements.items.ids, strict=True)
            chosen[name.removeprefix(COLUMN)] = [_number(cell, name, item, judgements.source) for cell, item in cells]
    return _sorted_out(chosen)


def _number(cell: str, column: str, item: str, source: str) -> float:
    try:
        value = float(cell) if cell.strip() else float("nan")
    except ValueError:
        problem = f"{column} of {item} is {cell[:40]!r}, which is not a number"
        raise InputError(problem, path=source, remedy="write a number, or nothing; or choose other columns") from None
    return value if isfinite(value) else float("nan")


def _of_evaluation(judgements: Judgements, path: Path | None) -> Scores:
    """By system and sentence id, which is the input's name; where no id fits, by system and text."""
    if path is None:
        return Scores()
    from fergus.analysis.judgements import Notice
    from fergus.studies.items_file import METRIC, is_evaluation, parse_items, read_text
    from fergus.studies.problems import Problems

    text = read_text(path, name=str(path), largest=1_000_000_000)
    if not is_evaluation(text):
        raise InputError("this is no evaluation", path=str(path), remedy="give what fergus evaluate --json wrote")
    problems = Problems(str(path.with_suffix(".json")))
    rows = parse_items(text, problems)
    for problem in problems.sorted():
        raise problem.as_error()
    items = judgements.items
    by_id = {(row.system, row.group): row.values for row in rows}
    by_text = {(row.system, " ".join(row.text.split())): row.values for row in rows}
    keys = list(zip(items.systems, items.inputs, strict=True))
    lookup: Mapping[tuple[str, str], Mapping[str, str]] = by_id
    if not by_id.keys() & set(keys):
        lookup, keys = by_text, [(s, " ".join(t.split())) for s, t in zip(items.systems, items.texts, strict=True)]
    matched = [lookup.get(key, {}) for key in keys]
    absent = [name for name, values in zip(items.ids, matched, strict=True) if not values]
    if len(absent) == len(items):
        systems = ", ".join(sorted({row.system for row in rows})[:10])
        remedy = "its systems and sentence ids (or its texts) must be those of the judgements"
        raise InputError(f"no judged text is in the evaluation of {systems}", path=str(path), remedy=remedy)
    names = [name for name in rows[0].values if name.startswith(METRIC) and not name.startswith(f"{METRIC}tree_")]
    columns = {
        name.removeprefix(METRIC): [_number(one.get(name, ""), name, item, str(path)) for one, item in
                                    zip(matched, items.ids, strict=True)]
        for name in names
    }  # fmt: skip
    message = f"texts are not in the evaluation: {', '.join(absent[:10])}{', ...' if len(absent) > 10 else ''}"
    found = _sorted_out(columns)
    return Scores(
        found.metrics, found.predictors, notices=(Notice("not evaluated", message, len(absent)),) if absent else ()
    )
