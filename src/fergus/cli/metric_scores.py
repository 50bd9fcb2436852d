"""Metric scores of judged texts: from columns that came with them, from an evaluation, or computed from references."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from fnmatch import fnmatch
from functools import cache
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from fergus.cli.evaluation_options import TOKENIZERS, language_model_of
from fergus.cli.options import DEFAULT_MODEL
from fergus.cli.progress import Report
from fergus.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fergus.analysis.judgements import Judgements, Notice
    from fergus.cli.references_file import References
    from fergus.evaluation.run import Row
    from fergus.metrics.base import Metric
    from fergus.metrics.tokenization import Tokenization

    Floats = NDArray[np.float64]

COLUMN = "m."
"""What the name of a metric's column begins with in items that Fergus made; it is no part of the metric's name."""
DEFAULT = ("string", "peers")
"""Computed if references are given and no metric is named: tree accuracies need every reference parsed."""
COUNTS = ("substitutions", "insertions", "deletions", "moves", "remaining_insertions", "remaining_deletions")
LENGTH = "length"
PREDICTORS = (*COUNTS, LENGTH)
"""What a regression may use and what is no metric: the paper's S, I, D, M, I' and D', and the number of tokens."""
F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--references",
        "-r",
        multiple=True,
        metavar="FILE",
        help="Compute metrics from these references: a CSV with a column reference and one or more that the judgements "
        "have too, or text, CoNLL-U or JSON lines with a sentence for every input. May be repeated.",
    ),
    click.option(
        "--metrics",
        "-m",
        multiple=True,
        metavar="LIST",
        help="What is computed: metrics, groups or files as fergus evaluate has them, with commas between.  "
        "[default: string,peers]",
    ),
    click.option(
        "--metric-columns",
        multiple=True,
        metavar="PATTERN",
        help="Columns of the judgements with scores of metrics.  [default: m.*]",
    ),
    click.option(
        "--evaluation",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Scores from what fergus evaluate --json wrote for the same texts.",
    ),
    click.option(
        "--lower-is-better", multiple=True, metavar="LIST", help="Metrics of which less is better, beside TER."
    ),
    click.option(
        "--tokenize", type=click.Choice(TOKENIZERS), default="13a", show_default=True, help="How texts become tokens."
    ),
    click.option("--lowercase", is_flag=True, help="Compare tokens without regard to case."),
    click.option(
        "--parser",
        default=DEFAULT_MODEL,
        show_default=True,
        metavar="NAME|PATH|none",
        help="What parses references for tree accuracies.",
    ),
    click.option(
        "--language-model",
        default=DEFAULT_MODEL,
        show_default=True,
        metavar="NAME|PATH|none",
        help="The language model of fluency.",
    ),
)


def metric_options(command: F) -> F:
    """Add the options to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@dataclass(frozen=True, kw_only=True)
class Sources:
    """The values of the options."""

    references: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    metric_columns: tuple[str, ...] = ()
    evaluation: Path | None = None
    lower_is_better: tuple[str, ...] = ()
    tokenize: str = "13a"
    lowercase: bool = False
    parser: str = DEFAULT_MODEL
    language_model: str = DEFAULT_MODEL

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Sources:
        """What click collected."""
        return cls(**{one.name: options[one.name] for one in fields(cls)})


@dataclass(frozen=True)
class Scores:
    """Columns with a value for every item, NaN where there is none."""

    metrics: dict[str, Floats] = field(default_factory=dict)
    predictors: dict[str, Floats] = field(default_factory=dict)
    """Counts of errors and the length, as far as they are known."""
    lower_is_better: tuple[str, ...] = ()
    signatures: dict[str, str] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()


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
    from fergus.analysis.judgements import Notice

    found = Scores()
    for source, more in (
        ("the columns", _of_columns(judgements, sources.metric_columns)),
        ("the evaluation", _of_evaluation(judgements, sources.evaluation)),
        ("the references", _computed(judgements, sources, item_column, seed, report, fewest_errors)),
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


def _computed(
    judgements: Judgements,
    sources: Sources,
    item_column: str | None,
    seed: int,
    report: Report,
    fewest_errors: bool,
) -> Scores:
    if not sources.references and not sources.metrics:
        return Scores()
    import numpy as np

    from fergus.analysis.judgements import Notice
    from fergus.cli.references_file import references_of
    from fergus.evaluation.run import NeedsAllReferences, Options, evaluate
    from fergus.evaluation.selection import chosen_names, make_metrics, unavailable
    from fergus.evaluation.tokenizers import tokenization
    from fergus.metrics.derived import ErrorCount
    from fergus.treebank.parse import load_parser

    parser = None if sources.parser == "none" else cache(lambda: load_parser(sources.parser))
    model = None if sources.language_model == "none" else lambda: language_model_of(sources.language_model)
    how = tokenization(sources.tokenize, lowercase=sources.lowercase, parser=parser)
    given = [name.strip() for part in sources.metrics for name in part.split(",") if name.strip()]
    absent = unavailable(parser=parser, language_model=model)
    names = chosen_names(given if sources.metrics else DEFAULT, unavailable=absent)
    metrics = make_metrics(names, tokenization=how, language_model=model, parser=parser, seed=seed)
    references = references_of(judgements, sources.references, tokenization=how, item_column=item_column)
    for metric in metrics:
        if isinstance(metric, NeedsAllReferences):
            metric.prepare(how.cased(sentence) for sentence in references.sentences if sentence.tokens)
    if parser is not None and any(metric.needs_trees for metric in metrics):
        references = _parsed(references, parser, report)
    kept = [item for item, own in enumerate(references.of_item) if own]
    rows = _rows(judgements, references, kept, how, report)
    options = Options(0, seed=seed)
    kinds = [ErrorCount(name, tokenization=how) for name in COUNTS] if fewest_errors else []
    evaluation = evaluate(["judged"], rows, [*metrics, *kinds], tokenization=how, options=options)
    (result,) = evaluation.systems

    def whole(values: Floats) -> Floats:
        column = np.full(len(judgements.items), np.nan)
        column[kept] = values
        return column

    counts = result.counts.astype(np.float64)
    s, i, d, m = (counts[:, number] for number in range(4))
    counted = dict(zip(COUNTS, (s, i, d, m, i - m, d - m), strict=True))
    counted |= {kind.name: result.scores[kind.name] for kind in kinds}
    predictors = {name: whole(values) for name, values in counted.items()}
    predictors[LENGTH] = whole(result.lengths.astype(np.float64))
    notices = _notices(judgements, references, metrics)
    notices += [Notice("metrics", warning) for warning in evaluation.warnings]
    return Scores(
        {metric.name: whole(result.scores[metric.name]) for metric in metrics},
        predictors,
        tuple(metric.name for metric in metrics if not metric.higher_is_better),
        {metric.name: result.corpus[metric.name].signature for metric in metrics},
        tuple(notices),
    )


def _rows(
    judgements: Judgements, references: References, kept: Sequence[int], how: Tokenization, report: Report
) -> Iterator[Row]:
    from fergus.evaluation.run import Row
    from fergus.metrics.base import as_sentence

    for done, item in enumerate(kept, 1):
        if done % 500 == 0 or done == len(kept):
            report("metrics", done, len(kept))
        own = tuple(references.sentences[number] for number in references.of_item[item])
        yield Row((as_sentence(judgements.items.texts[item], how),), own, judgements.items.ids[item])


def _parsed(references: References, load: Callable[[], Any], report: Report) -> References:
    """With trees for references that have none: each is parsed once, however many texts it is compared with."""
    from dataclasses import replace

    sentences = list(references.sentences)
    used = {number for own in references.of_item for number in own}
    bare = [number for number in sorted(used) if sentences[number].tree is None]
    if not bare:
        return references
    parser, size = load(), 200
    for begin in range(0, len(bare), size):
        report("parsing references", begin, len(bare))
        part = bare[begin : begin + size]
        trees = parser.parse_tokens([sentences[number].tokens for number in part])
        for number, tree in zip(part, trees, strict=True):
            sentences[number] = replace(sentences[number], tree=tree, is_parsed=True)
    report("parsing references", len(bare), len(bare))
    return replace(references, sentences=tuple(sentences))


def _notices(judgements: Judgements, references: References, metrics: Sequence[Metric]) -> list[Notice]:
    from fergus.analysis.judgements import Notice

    if not references.without:
        return []
    names = [judgements.items.ids[item] for item in references.without[:10]]
    more = ", ..." if len(references.without) > 10 else ""
    message = f"texts have no reference, and therefore no scores: {', '.join(names)}{more}"
    return [Notice("no reference", message, len(references.without))]
