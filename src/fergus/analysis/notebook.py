"""A report as a notebook shows it: the summary, the warnings, and the tables about systems and metrics."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from fergus.analysis.html_parts import table
from fergus.analysis.metric_tables import metrics_table
from fergus.analysis.report import Report
from fergus.analysis.report_tables import agreement_table, data_table, systems_table
from fergus.analysis.study_sections import study_sections
from fergus.analysis.summary import summary


def report_fragment(report: Report) -> str:
    """What belongs into a cell; the whole report, with its figures, is ``report_html``."""
    return "<div>\n" + "".join(_parts(report)) + "</div>\n"


def _parts(report: Report) -> Iterator[str]:
    analysis = report.analysis
    yield f"<h3>Analysis of {escape(analysis.source)}</h3>\n"
    yield from (f"<p>{escape(paragraph)}</p>\n" for paragraph in (*report.cautions, *summary(report)))
    items = [
        f"<li>{escape(f'{dimension}, ' if dimension else '')}{escape(notice.kind)}: {escape(notice.message)}</li>"
        for dimension, notice in report.all_notices
    ]
    if items:
        yield f"<ul>\n{''.join(items)}\n</ul>\n"
    if analysis.dimensions:
        yield table(data_table(analysis))
    for one in analysis.dimensions:
        if len(analysis.dimensions) > 1:
            yield f"<h4>{escape(one.dimension)}</h4>\n"
        yield table(agreement_table(one))
        if len(one.systems) > 1:
            yield table(systems_table(one, analysis.settings))
        if one.correlations:
            yield table(metrics_table(one, analysis.settings))
    for section in study_sections(report.found):
        yield f"<h4>{escape(section.heading)}</h4>\n" + "".join(map(table, section.tables))
