"""``fergus learn``: from judgements to a metric of one's own, with what it is worth."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fergus.analysis.metric_scores import metric_scores
from fergus.analysis.score_sources import COUNTS, LENGTH, Scores, Sources
from fergus.cli.counting import counted
from fergus.cli.judgements_source import COLUMNS, chance_options, exclusion_of, judgements_from, judgements_options
from fergus.cli.metric_scores import metric_options
from fergus.cli.options import examples, made_file_option, quiet_option
from fergus.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fergus.analysis.judgements import Notice
    from fergus.analysis.learn import Learned
    from fergus.analysis.learning_data import Part

    Floats = NDArray[np.float64]


@click.command(
    epilog=examples(
        "fergus learn judgements.csv --references references.csv --out my_metric.toml",
        "fergus learn judgements.csv -r references.csv -m tree,bleu --drop length --out my_metric.toml",
        "fergus learn judgements.csv -r references.csv --parts chrf,deletions --folds 0 --out my_metric.toml",
    )
)
@click.argument("source", metavar="TABLE|STUDY")
@made_file_option("The file of the metric (.toml), for fergus evaluate --metrics FILE")
@click.option("--name", default="", help="What the metric is called.  [default: as the file]")
@click.option("--title", default="", help="Its name for people.")
@judgements_options
@metric_options
@click.option(
    "--parts",
    default="",
    metavar="LIST",
    help="What the metric is made of, with commas between: metrics and counts of errors.  [default: what "
    "cross-validation chooses of all that there are]",
)
@click.option(
    "--largest", type=click.IntRange(1, 10), default=3, show_default=True, help="Parts among which is chosen, at most."
)
@click.option(
    "--drop",
    default="",
    metavar="LIST",
    help="Used in a first fit and dropped in the second, since they do not belong in an accuracy: length, as in the "
    "paper, or metrics.",
)
@click.option(
    "--ridge",
    default="0",
    show_default=True,
    metavar="NUMBER|choose",
    help="The penalty on coefficients, 0 for least squares; choose lets cross-validation choose it.",
)
@click.option(
    "--folds",
    type=click.IntRange(0),
    default=10,
    show_default=True,
    help="Parts of the inputs, three or more, each left out once; 0 leaves out one input at a time.",
)
@click.option(
    "--exclude", multiple=True, metavar="TEXT=REASON", help="Do not learn from this text, and why; may be repeated."
)
@chance_options
@click.option("--json", "as_json", is_flag=True, help="Everything as a JSON object.")
@quiet_option
def learn(
    *,
    source: str,
    out: Path,
    name: str,
    title: str,
    parts: str,
    largest: int,
    drop: str,
    ridge: str,
    folds: int,
    exclude: tuple[str, ...],
    samples: int,
    trials: int,
    seed: int,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Learn a metric from judgements, and validate it.

    Judgements are those of a table (CSV, TSV or JSON lines with a row for every text that somebody judged) or of a
    study. They are normalised by judge, averaged, and fitted by a linear model of metrics and counts of errors, which
    is scaled so that a perfect sentence has 1. It is judged by inputs, and by systems, that it was not fitted to.
    """
    from fergus.analysis.learn import check_folds
    from fergus.analysis.learn import learn as learned_from
    from fergus.analysis.learned_file import Description, check_name, write_learned
    from fergus.analysis.normalise import normalise
    from fergus.cli.progress import progress_bars

    name = name or re.sub(r"\W", "_", out.name.removesuffix(".toml"))
    check_name(name)
    check_folds(folds)
    if out.suffix != ".toml":
        raise InputError(f"{out.name} does not end in .toml", remedy="fergus evaluate knows metrics by this ending")
    if not out.absolute().parent.is_dir():  # known before the work
        raise InputError("there is no such folder", path=str(out.parent), remedy="make it, or write elsewhere")
    exclusions, penalty = [exclusion_of(one) for one in exclude], _penalty(ridge)
    table = judgements_from(source, **{name: options[name] for name in COLUMNS})
    named = [name for name in table.ratings if name in options["scores"]] or list(table.ratings)
    if len(named) > 1:
        raise InputError(f"there are several scores: {', '.join(named)}", remedy="name one of them (--score)")
    ratings = table.ratings[named[0]]
    sources = Sources.of(options)
    with progress_bars(shown=not quiet, transient=True) as report:
        scores = metric_scores(
            table, sources, item_column=options["item"], seed=seed, fewest_errors=True, report=report
        )
    dropped = _names(drop)
    chosen, left_out = _parts(scores, _names(parts), dropped)
    normalised = normalise(ratings)
    learned = learned_from(
        table.items, normalised.ratings, chosen, others=_others(scores, chosen),
        predictors=[*_names(parts), *dropped] if parts else None, largest=largest, ridge=penalty, folds=folds,
        exclude=exclusions, trials=trials, samples=samples, seed=seed,
    )  # fmt: skip
    # Of scores that came with the judgements nobody knows how texts were compared.
    is_known = bool(scores.signatures)
    settings = {"tokenization": sources.tokenize, "lowercase": str(sources.lowercase).lower()} if is_known else {}
    how = f" --tokenize {sources.tokenize}" + " --lowercase" * sources.lowercase if is_known else ""
    source = f"{ratings.dimension} in {table.source}"
    write_learned(out, learned, Description(name=name, title=title, source=source, settings=settings))
    notices = (*table.notices, *normalised.notices, *scores.notices, *left_out, *learned.notices)
    if not quiet:
        for notice in notices:
            click.echo(f"Note ({notice.count}): {notice.message}", err=True)
    click.echo(_as_json(learned, name, notices) if as_json else _as_text(learned, name, out, how))


def _names(given: str) -> list[str]:
    return [name.strip() for name in given.split(",") if name.strip()]


def _penalty(given: str) -> Any:
    if given == "choose":
        return given
    try:
        value = float(given)
    except ValueError:
        value = -1.0
    if not isfinite(value) or value < 0:
        raise click.UsageError(f"--ridge {given}: give a number from 0 on, or choose")
    return value


def _parts(scores: Scores, wanted: list[str], dropped: list[str]) -> tuple[list[Part], list[Notice]]:
    """All that a metric may be made of; what ``fergus evaluate`` could not compute, or has no best value, is not."""
    from fergus.analysis.judgements import Notice
    from fergus.analysis.learning_data import Part
    from fergus.metrics.catalogue import CATALOGUE, metric_class

    every = {**scores.metrics, **scores.predictors}
    for name in (*wanted, *dropped):
        if name not in every:
            raise InputError(f"there is no {name}", remedy=f"there are {', '.join(every) or 'no metrics'}")
    parts, unknown, unbounded, left_out = [], [], [], []
    for name, column in every.items():
        better = name not in (*COUNTS, *scores.lower_is_better)
        if name in dropped:
            parts.append(Part(name, column, None, better))
        elif name in COUNTS:
            parts.append(Part(name, column, 0.0, higher_is_better=False))
        elif name == LENGTH:
            if name in wanted:
                raise InputError("length is no part of an accuracy", remedy="write --drop length to fit it first")
        elif name not in CATALOGUE:
            unknown.append(name)
        elif metric_class(name).perfect is None or metric_class(name).is_yardstick:
            unbounded.append(name)
        else:
            parts.append(Part(name, column, metric_class(name).perfect, better))
    for names, why in ((unknown, "are not computed by fergus evaluate"), (unbounded, "have no best value")):
        for name in names:
            if name in wanted:
                raise InputError(f"{name}: such metrics {why}", remedy="choose other parts")
        if names:
            left_out.append(Notice("no part", f"metrics that {why} cannot be parts: {', '.join(names)}", len(names)))
    return parts, left_out


def _others(scores: Scores, parts: Sequence[Part]) -> dict[str, Floats]:
    """Metrics that are no parts, to be compared with; turned where less is better."""
    names = {part.name for part in parts}
    turned = scores.lower_is_better
    return {name: -own if name in turned else own for name, own in scores.metrics.items() if name not in names}


def _as_text(learned: Learned, name: str, out: Path, how: str) -> str:
    metric = learned.metric
    terms = "".join(f" {'-' if w < 0 else '+'} {abs(w):.4g} {part}" for part, w in metric.coefficients.items())
    width = max(len(name) + 22, *(len(one.name) + 1 for one in learned.beside))
    lines = [
        f"{name} = ({metric.intercept:.4g}{terms}) / {metric.perfect:.4g}",
        f"from {counted(learned.texts, 'text')} of {counted(learned.systems, 'system')} for "
        f"{counted(learned.inputs, 'input')}, {counted(learned.judges, 'judge')}; "
        f"{counted(learned.tried, 'combination')} tried; R² = {learned.r_squared:.3f}",
        "",
        f"{f'agreement with {learned.dimension}':{width}}  pearson  spearman  kendall  difference  95% interval      p",
    ]
    for one in (learned.by_inputs, learned.by_systems):
        if one is not None:
            label = f"{name} ({one.left_out} left out)"
            lines.append(f"{label:{width}}  {one.pearson:7.3f}  {one.spearman:8.3f}  {one.kendall:7.3f}")
    for part in learned.beside:
        mark = "*" if part.name in metric.coefficients else " "
        lines.append(
            f"{part.name + mark:{width}}  {part.pearson:7.3f}  {part.spearman:8.3f}  {part.kendall:7.3f}  "
            f"{part.difference:+10.3f}  {part.low:+.3f} to {part.high:+.3f}  {part.corrected_p:.3f}"
        )
    lines += [
        "* a part; the signs of errors, and of metrics of which less is better, are turned",
        "",
        learned.verdict,
        f"Written: {out}; use it with fergus evaluate --metrics {out}{how}",
    ]
    return "\n".join(lines)


def _as_json(learned: Learned, name: str, notices: tuple[Notice, ...]) -> str:
    from fergus.analysis.report_json import plain

    verdict = {"verdict": learned.verdict, "beats_best_part": learned.beats_best_part}
    content = {**plain(learned), "name": name, **verdict, "notices": plain(notices)}
    for key in ("regression", "regression_with_dropped"):
        if content[key] is not None:  # a row a text is for figures
            content[key].pop("points")
    return json.dumps(content, ensure_ascii=False, indent=2)
