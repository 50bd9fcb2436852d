"""``fergus analyse``: judges, systems and metrics, from judgements and metric scores to a report."""

from __future__ import annotations

import shlex
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fergus.analysis.metric_scores import metric_scores
from fergus.analysis.score_sources import Scores, Sources
from fergus.cli.judgements_source import judgements_from, judgements_options
from fergus.cli.metric_scores import metric_options
from fergus.cli.options import examples, out_option, quiet_option
from fergus.errors import InputError

if TYPE_CHECKING:
    from fergus.analysis.regress import Exclusion
    from fergus.analysis.report import Report
    from fergus.cli.progress import Report as Told

KERNELS = ("analysis/coefficient_kernel", "metrics/edit_kernel")
COLUMNS = ("judge", "text", "item", "system", "scores", "scale", "database")


@click.command(
    epilog=examples(
        "fergus analyse ratings.csv --references references.csv --scale 0 100 --html report.html",
        "fergus analyse my-study --database fergus.db --latex tables --figures figures",
        "fergus analyse ratings.csv --score fluency --score adequacy --json --out report.json",
    )
)
@click.argument("source", metavar="TABLE|STUDY")
@judgements_options
@metric_options
@click.option(
    "--predictors",
    metavar="LIST",
    help="What regressions may use: metrics, length, substitutions, ... with commas between.  [default: all]",
)
@click.option(
    "--largest", type=click.IntRange(1, 6), default=3, show_default=True, help="Predictors of a regression at most."
)
@click.option(
    "--exclude",
    multiple=True,
    metavar="ITEM=REASON",
    help="Fit regressions without this text, and say why; may be repeated.",
)
@click.option(
    "--samples",
    type=click.IntRange(10, 100_000),
    default=1000,
    show_default=True,
    help="Bootstrap samples over inputs and judges.",
)
@click.option(
    "--trials",
    type=click.IntRange(10, 100_000),
    default=1000,
    show_default=True,
    help="Trials of permutation tests, at least; more where many are compared.",
)
@click.option(
    "--seed", type=click.IntRange(0), default=12345, show_default=True, help="Where all randomness comes from."
)
@click.option(
    "--plan", type=click.Path(path_type=Path), metavar="FILE", help="Compare with this analysis plan (fergus plan)."
)
@click.option("--html", type=click.Path(path_type=Path), metavar="FILE", help="Also write the report as one HTML file.")
@click.option(
    "--latex", type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="Also write tables for a paper."
)
@click.option(
    "--figures",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Also write figures, SVG and PNG.",
)
@click.option("--json", "as_json", is_flag=True, help="Everything as JSON instead of text.")
@out_option
@quiet_option
def analyse(
    *,
    source: str,
    predictors: str | None,
    largest: int,
    exclude: tuple[str, ...],
    samples: int,
    trials: int,
    seed: int,
    plan: Path | None,
    html: Path | None,
    latex: Path | None,
    figures: Path | None,
    as_json: bool,
    out: Path | None,
    quiet: bool,
    **options: Any,
) -> None:
    """Analyse judgements: judges, systems, metrics.

    How far do judges agree, which systems do they prefer, and which metrics agree with them? TABLE is a CSV, TSV or
    JSON lines file with a row for every text that somebody judged; STUDY is the name of a study in the database. Scores
    of metrics come from columns of the table, from an evaluation, or are computed from references.
    """
    from fergus.analysis.analyse import Settings
    from fergus.analysis.analyse import analyse as analysed
    from fergus.analysis.report import Report, checked_plan
    from fergus.cli.output import output_to
    from fergus.cli.progress import patience, progress_bars

    if html is not None and html == out:
        raise click.UsageError("--html and --out name the same file")
    exclusions = tuple(_exclusion(one) for one in exclude)
    with ExitStack() as targets:  # opened first: what cannot be written should be known before the work
        page = None if html is None else targets.enter_context(output_to(html))
        target = targets.enter_context(output_to(out))
        for folder in (latex, figures):
            if folder is not None:
                folder.mkdir(parents=True, exist_ok=True)
        with progress_bars(shown=not quiet, transient=True) as report, patience(quiet, *KERNELS):
            judgements = judgements_from(source, **{name: options[name] for name in COLUMNS})
            scores = metric_scores(
                judgements, Sources.of(options), item_column=options["item"], seed=seed, report=report
            )
            settings = Settings(
                samples=samples,
                trials=trials,
                seed=seed,
                predictors=_predictors(predictors, scores),
                lower_is_better=scores.lower_is_better,
                largest=largest,
                exclude=exclusions,
            )
            _check_items(exclusions, judgements.items.ids, source)
            done = analysed(
                judgements,
                scores.metrics,
                predictors=scores.predictors,
                settings=settings,
                progress=_told(report, len(judgements.ratings)),
            )
        made = Report(
            analysis=done,
            command=shlex.join(["fergus", *sys.argv[1:]]),
            signatures=scores.signatures,
            notices=scores.notices,
            plan=None if plan is None else checked_plan(plan, done),
        )
        if not quiet and (as_json or out is not None):
            _warn(made)
        _write_more(made, latex, figures)
        if page is not None:
            from fergus.analysis.report_html import report_html

            page.write(report_html(made).encode(errors="backslashreplace"))
        target.write(_text(made, as_json).encode(errors="backslashreplace"))


def _text(report: Report, as_json: bool) -> str:
    if as_json:
        from fergus.analysis.report_json import report_json

        return report_json(report)
    from fergus.analysis.report_text import report_text

    return report_text(report)


def _write_more(report: Report, latex: Path | None, figures: Path | None) -> None:
    if latex is not None:
        from fergus.analysis.report_latex import write_latex

        write_latex(report, latex)
    if figures is not None:
        from fergus.analysis.plots import write_figures

        write_figures(report, figures)


def _warn(report: Report) -> None:
    from fergus.analysis.report_text import notice_lines

    for line in notice_lines(report.all_notices):
        click.echo(line, err=True)


def _told(report: Told, dimensions: int) -> Any:
    done = iter(range(dimensions + 1))
    return lambda name: report(f"analysis of {name}", next(done), dimensions)


def _exclusion(given: str) -> Exclusion:
    from fergus.analysis.regress import Exclusion

    item, equals, reason = given.partition("=")
    if not equals:
        raise click.UsageError(f"--exclude {given}: write ITEM=REASON; the report will show why")
    return Exclusion(item, reason)


def _check_items(exclusions: tuple[Exclusion, ...], ids: tuple[str, ...], source: str) -> None:
    from fergus.studies.problems import legal, shown

    for one in exclusions:
        if one.item not in ids:
            remedy = legal(one.item, ids) if len(ids) <= 20 else f"texts have names such as {', '.join(ids[:5])}"
            raise InputError(f"{shown(one.item)} is excluded and is no text of these", path=source, remedy=remedy)


def _predictors(given: str | None, scores: Scores) -> tuple[str, ...]:
    from fergus.studies.problems import legal

    names = tuple(name.strip() for name in (given or "").split(",") if name.strip())
    every = [*scores.metrics, *scores.predictors]
    for name in names:
        if name not in every:
            raise InputError(f"there is no predictor {name}", remedy=legal(name, every))
    return names
