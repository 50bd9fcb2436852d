"""A report for the terminal: the summary first, warnings always, then the tables that fit."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill, indent
from typing import TYPE_CHECKING

from fergus.analysis.metric_tables import coefficients_table, excluded_of, metrics_table, pairs_table, shown_models
from fergus.analysis.mixed_tables import components_table, mixed_table
from fergus.analysis.report import Report, short_of
from fergus.analysis.report_tables import Table, agreement_table, between_table, systems_table
from fergus.analysis.study_sections import study_sections
from fergus.analysis.summary import summary
from fergus.analysis.written import figure, is_p

if TYPE_CHECKING:
    from fergus.analysis.analyse import DimensionAnalysis, Settings
    from fergus.analysis.judgements import Notice

WIDTH = 100
MODELS = 3
"""Regressions of each size that are shown."""


def report_text(report: Report) -> str:
    """The whole text, ending in a line break."""
    return "\n".join(_parts(report)).rstrip("\n") + "\n"


def _parts(report: Report) -> Iterator[str]:
    analysis = report.analysis
    yield f"{analysis.source}\n{'=' * len(analysis.source)}\n"
    for paragraph in (*report.cautions, *summary(report)):
        yield fill(paragraph, WIDTH) + "\n"
    if report.all_notices:
        yield "Warnings and notes\n" + "".join(f"{line}\n" for line in notice_lines(report.all_notices))
    for one in analysis.dimensions:
        yield from _dimension(one, analysis.settings, has_name=len(analysis.dimensions) > 1)
    if analysis.between_dimensions:
        yield as_text(between_table(analysis))
    for section in study_sections(report.found):
        yield f"{section.heading}\n{'-' * len(section.heading)}\n"
        yield from map(as_text, section.tables)
    if report.plan is not None and report.plan.deviations:
        yield "The plan\n" + "".join(f"  - {own.message}\n" for own in report.plan.deviations)
    settings = analysis.settings
    trials = f", {settings.trials:,} trials or more" if analysis.dimensions or report.found.tasks else ""
    how = f"{settings.samples:,} samples{trials}, seed {settings.seed}"
    yield f"{how}; fergus {analysis.version}"


def _dimension(one: DimensionAnalysis, settings: Settings, *, has_name: bool) -> Iterator[str]:
    if has_name:
        yield f"{one.dimension}\n{'-' * len(one.dimension)}\n"
    yield as_text(agreement_table(one), has_caption=False)
    if len(one.systems) > 1:
        yield as_text(systems_table(one, settings))
    if one.mixed is not None:
        yield as_text(mixed_table(one.dimension, one.mixed))
        yield as_text(components_table(one.dimension, one.mixed))
    if one.correlations:
        yield as_text(metrics_table(one, settings))
        yield as_text(pairs_table(one, settings))
    if one.best_regression is not None:
        yield _models(one)
        yield as_text(coefficients_table(one.dimension, one.best_regression))
        if said := excluded_of(one.best_regression):
            yield fill(f"Not fitted to: {said}", WIDTH) + "\n"


def _models(one: DimensionAnalysis) -> str:
    """The best few models of each size."""
    seen: dict[int, int] = {}
    rows = []
    for own in shown_models(one.regressions):
        size = len(own.predictors)
        seen[size] = seen.get(size, 0) + 1
        if seen[size] <= MODELS:
            names = " + ".join(short_of(name) for name in own.predictors)
            rows.append((names, figure(own.r_squared), figure(own.f, 2), is_p(own.corrected_p)))
    caption = f"The best of {len(one.regressions):,} models by size, n = {one.regressions[0].n:,}; p corrected (Holm)."
    return as_text(Table("", "Regressions", ("model", "R²", "F", ""), tuple(rows), caption, (0, 3)))


def notice_lines(notices: tuple[tuple[str, Notice], ...]) -> list[str]:
    """Every notice with its count and dimension, wrapped."""
    lines = []
    for dimension, notice in notices:
        count = f" ({notice.count:,})" if notice.count > 1 else ""
        begin = f"{dimension}, " if dimension else ""
        lines.append(fill(f"{begin}{notice.kind}{count}: {notice.message}", WIDTH, initial_indent="  - ",
                          subsequent_indent="    "))  # fmt: skip
    return lines


def as_text(table: Table, *, has_caption: bool = True) -> str:
    """Columns as wide as their widest cell; words to the left, figures to the right."""
    rows = (table.head, *table.rows)
    widths = [max(len(row[column]) for row in rows) for column in range(len(table.head))]
    lines = []
    for row in rows:
        cells = [
            c.ljust(w) if i in table.words else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    caption = indent(fill(table.caption, WIDTH - 2), "  ") + "\n" if has_caption and table.caption else ""
    return f"{table.title}\n" + "\n".join(lines) + f"\n{caption}"
