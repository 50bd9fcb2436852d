"""``fergus analyse``: judges, systems and metrics, from judgements and metric scores to a report."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fergus.analysis.score_sources import Sources
from fergus.cli.judgements_source import (
    COLUMNS,
    chance_options,
    check_scale,
    exclusion_of,
    is_table,
    judgements_from,
    judgements_options,
)
from fergus.cli.metric_scores import metric_options
from fergus.cli.options import dask_option, examples, out_option, quiet_option
from fergus.cli.study_database import find, opened

if TYPE_CHECKING:
    from fergus.analysis.analyse import Settings
    from fergus.analysis.report import Report
    from fergus.cli.progress import Report as Told
    from fergus.cluster.chunks import Workers

KERNELS = ("analysis/coefficient_kernel", "analysis/mixed_kernel", "analysis/soft_kernel", "metrics/edit_kernel")


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
    "--group",
    metavar="QUESTION",
    help="Of a study: the question of type choice, or condition, that divides people into groups, such as experts.  "
    "[default: the first that does]",
)
@click.option(
    "--leave-out",
    multiple=True,
    type=click.Choice(["straight", "fast", "failed"]),
    help="Of a study: leave out whoever gave nearly always the same answer, sent pages much faster than others, or "
    "failed an attention check; may be repeated.",
)
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
    metavar="TEXT=REASON",
    help="Fit regressions without this text, and say why; may be repeated.",
)
@chance_options
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
@dask_option
@out_option
@quiet_option
def analyse(
    *,
    source: str,
    group: str | None,
    leave_out: tuple[str, ...],
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
    dask: str | None,
    out: Path | None,
    quiet: bool,
    **options: Any,
) -> None:
    """Analyse judgements: judges, systems, metrics.

    How far do judges agree, which systems do they prefer, and which metrics agree with them? TABLE is a CSV, TSV or
    JSON lines file with a row for every text that somebody judged; STUDY is the name of a study in the database, of
    which pairs, coded comments and tasks are analysed too. Scores of metrics come from columns of the table, from an
    evaluation, or are computed from references.
    """
    from fergus.analysis.analyse import Settings
    from fergus.cli.choose_cluster import chosen_cluster
    from fergus.cli.output import folder_at, output_to
    from fergus.cli.progress import patience, progress_bars

    if html is not None and html == out:
        raise click.UsageError("--html and --out name the same file")
    exclusions = tuple(exclusion_of(one) for one in exclude)
    with ExitStack() as targets:  # opened first: what cannot be written should be known before the work
        page = None if html is None else targets.enter_context(output_to(html))
        target = targets.enter_context(output_to(out))
        for folder in (latex, figures):
            if folder is not None:
                targets.enter_context(folder_at(folder))
        with (
            progress_bars(shown=not quiet, transient=True) as report,
            patience(quiet, *KERNELS),
            chosen_cluster(dask, report) as cluster,
        ):
            settings = Settings(
                samples=samples,
                trials=trials,
                seed=seed,
                predictors=tuple(name.strip() for name in (predictors or "").split(",") if name.strip()),
                largest=largest,
                exclude=exclusions,
            )
            made = _made(
                source,
                options,
                group=group,
                leave_out=leave_out,
                settings=settings,
                plan=plan,
                told=report,
                cluster=cluster,
            )
        if not quiet and (as_json or out is not None):
            _warn(made)
        _write_more(made, latex, figures)
        if page is not None:
            from fergus.analysis.report_html import report_html

            page.write(report_html(made).encode(errors="backslashreplace"))
        target.write(_text(made, as_json).encode(errors="backslashreplace"))


def _made(
    source: str,
    options: dict[str, Any],
    *,
    group: str | None,
    leave_out: tuple[str, ...],
    settings: Settings,
    plan: Path | None,
    told: Told,
    cluster: Workers | None,
) -> Report:
    """The report on a table or a study."""
    from fergus.analysis.make_report import report_of_judgements, report_of_study
    from fergus.cli.stated_command import stated_command

    command, sources = stated_command(sys.argv[1:]), Sources.of(options)
    if is_table(source):
        if group is not None:
            raise click.UsageError("--group is for studies; a table of ratings has no groups of people")
        if leave_out:
            raise click.UsageError("--leave-out is for studies; a table does not tell who was attentive")
        return report_of_judgements(
            judgements_from(source, **{name: options[name] for name in COLUMNS}),
            settings=settings,
            sources=sources,
            item_column=options["item"],
            plan=plan,
            command=command,
            told=told,
            workers=cluster,
        )
    check_scale(options["scale"])
    with opened(options["database"]) as database:
        from fergus.studies.service import Service

        return report_of_study(
            Service(database),
            find(database, source),
            settings=settings,
            sources=sources,
            group=group or "",
            leave_out=leave_out,
            dimensions=options["scores"],
            scale=options["scale"],
            plan=plan,
            command=command,
            told=told,
            workers=cluster,
        )


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
