"""The report as one HTML file: no script, no network; what a reviewer reads first stands first.

Every text that came from outside is escaped, and the page's content security policy lets nothing run and nothing load.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import escape
from importlib import resources
from typing import TYPE_CHECKING

from fergus.analysis import metric_tables as metrics
from fergus.analysis import report_tables as people
from fergus.analysis.html_parts import figure as drawing
from fergus.analysis.html_parts import folded, section, table
from fergus.analysis.many_tests import LEVEL
from fergus.analysis.methods import methods, topics_of
from fergus.analysis.mixed_tables import components_table, mixed_table
from fergus.analysis.plot_style import Drawn, file_name
from fergus.analysis.report import Report, title_of
from fergus.analysis.study_sections import study_sections
from fergus.analysis.summary import summary
from fergus.analysis.written import counted, figure
from fergus.core.distinct import distinct_names

if TYPE_CHECKING:
    from fergus.analysis.analyse import DimensionAnalysis
    from fergus.analysis.report import PlanCheck


def report_html(report: Report) -> str:
    """The whole page."""
    style = resources.files("fergus.analysis").joinpath("templates", "report.css").read_text("utf-8")
    title = f"Analysis of {report.analysis.source}"
    policy = f"default-src 'none'; style-src {_hash(style)}; base-uri 'none'; form-action 'none'"
    told = list(_sections(report))
    ids = distinct_names(name for name, *_ in told)  # dimensions that differ in signs only must not share a place
    sections = [(name, label, content) for name, (_, label, content) in zip(ids, told, strict=True)]
    links = "\n".join(f'<a href="#{name}">{escape(label)}</a>' for name, label, _ in sections)
    body = "\n".join(section(name, label, content) for name, label, content in sections)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Fergus">
<title>{escape(title)}</title>
<style>{style}</style>
</head>
<body>
<a class="skip" href="#summary">Skip to the summary</a>
<header>
<h1>{escape(title)}</h1>
<p class="byline">{escape(_byline(report))}</p>
</header>
<nav aria-label="Parts of the report">
{links}
</nav>
<main>
{body}
</main>
</body>
</html>
"""


def _byline(report: Report) -> str:
    analysis = report.analysis
    judged = sum(one.judgements for one in analysis.dimensions)
    parts = []
    if analysis.dimensions:
        numbers = ((judged, "judgement"), (len(analysis.systems), "system"), (len(analysis.metrics), "metric"))
        parts += [counted(number, noun) for number, noun in numbers]
    chosen = [one.share.choices.n for one in report.found.turing] + [one.choices for one in report.found.preferences]
    parts += [counted(n, "choice") + " between two texts" for n in chosen]
    parts += [counted(one.coded, "coded comment") for one in report.found.comments]
    solved = {one.question: sum(own.solutions for own in one.levels) for one in report.found.tasks}
    parts += [counted(number, "solution") + " of tasks" for number in solved.values()]
    return ", ".join(parts) + f"; fergus {analysis.version}" + (f", {report.date}" if report.date else "")


def _sections(report: Report) -> Iterator[tuple[str, str, str]]:
    """The id, heading and content of every section."""
    analysis = report.analysis
    text = "".join(f"<p>{escape(paragraph)}</p>\n" for paragraph in summary(report))
    yield "summary", "Summary", f'{_cautions(report)}<div class="summary">\n{text}</div>\n{_warnings(report)}'
    if report.plan is not None:
        yield "plan", "The plan", _plan(report.plan)
    if analysis.dimensions:
        yield "data", "Data", table(people.data_table(analysis)) + _between(report)
    drawn = {(one.about, one.kind): one for one in report.figures}
    several = len(analysis.dimensions) > 1
    for one in analysis.dimensions:
        for name, label, content in _dimension(report, one, drawn):
            full = f"{one.dimension}: {label.lower()}" if several else label
            yield f"{file_name(one.dimension)}-{name}", full, content
    for own in study_sections(report.found):
        content = drawing(drawn[own.figure]) if own.figure else ""
        content += "".join(map(table, own.tables)) + "".join(folded(label, table(long)) for label, long in own.folded)
        yield own.name, own.heading, content
    yield "methods", "Methods", _methods(report)
    yield "settings", "How it was made", _settings(report)


def _dimension(
    report: Report, one: DimensionAnalysis, drawn: dict[tuple[str, str], Drawn]
) -> Iterator[tuple[str, str, str]]:
    settings = report.analysis.settings

    def shown(kind: str) -> str:
        own = drawn.get((one.dimension, kind))
        return "" if own is None else drawing(own)

    judges = folded(f"Each of {counted(len(one.reliability.judges), 'judge')}", table(people.judges_table(one)))
    yield "judges-part", "Judges", table(people.agreement_table(one), notes=(4,)) + shown("judges") + judges
    if len(one.systems) > 1:
        pairs = folded(f"Every pair ({len(one.system_comparisons):,})", table(people.system_pairs_table(one)))
        content = shown("systems") + table(people.systems_table(one, settings)) + pairs
        if one.mixed is not None:
            content += table(mixed_table(one.dimension, one.mixed)) + table(components_table(one.dimension, one.mixed))
        yield "systems-part", "Systems", content
    if one.correlations:
        tables = "".join(
            table(metrics.correlations_table(one, level, settings)) for level in ("item", "input", "system")
        )
        compared = folded(f"Every pair ({len(one.metric_comparisons):,})", table(metrics.metric_pairs_table(one)))
        content = shown("metrics") + table(metrics.metrics_table(one, settings)) + _clusters(one)
        content += shown("significance") + (compared if one.metric_comparisons else "")
        content += f"<h3>All coefficients</h3>\n{tables}" + table(metrics.pairs_table(one, settings))
        yield "metrics-part", "Metrics against people", content
    if one.best_regression is not None:
        best = one.best_regression
        content = table(metrics.regressions_table(one)) + table(metrics.coefficients_table(one.dimension, best))
        if said := metrics.excluded_of(best):
            content += f"<p>Not fitted to: {escape(said)}.</p>\n"
        yield "regression-part", "Regression", content + shown("model") + shown("residuals")


def _cautions(report: Report) -> str:
    return "".join(f'<div class="warnings first" role="note"><p>{escape(one)}</p></div>\n' for one in report.cautions)


def _warnings(report: Report) -> str:
    if not report.all_notices:
        return '<p class="caption">Nothing in the data calls for a warning.</p>'
    items = []
    for dimension, notice in report.all_notices:
        count = f" ({notice.count:,})" if notice.count > 1 else ""
        begin = f"{dimension}, " if dimension else ""
        items.append(f"<li><b>{escape(begin + notice.kind + count)}</b>: {escape(notice.message)}</li>")
    return (
        '<div class="warnings" role="note">\n<h2>Warnings and notes</h2>\n<ul>\n'
        + "\n".join(items)
        + "\n</ul>\n</div>\n"
    )


def _clusters(one: DimensionAnalysis) -> str:
    groups = [", ".join(title_of(name) for name in names) for names in one.metric_clusters]
    if len(groups) < 2:
        return "<p>Significance tells no group of metrics apart from the rest.</p>\n" if groups else ""
    items = "".join(f"<li>{escape(group)}</li>\n" for group in groups)
    said = "Groups, best first; every metric of a group is significantly better than all below:"
    return f"<p>{said}</p>\n<ol>\n{items}</ol>\n"


def _between(report: Report) -> str:
    return table(people.between_table(report.analysis)) if report.analysis.between_dimensions else ""


def _plan(check: PlanCheck) -> str:
    lines = [f"<p><code>{escape(check.path)}</code>, SHA-256 <code>{escape(check.freeze.plan.digest)}</code>.</p>"]
    for number, one in enumerate(check.freeze.frozen):
        what = "Amended" if number else "Frozen"
        reason = f": {escape(one.reason)}" if one.reason else ""
        lines.append(f"<p>{what} on {escape(one.date)} ({escape(one.sha256[:12])}){reason}.</p>")
    if not check.freeze.frozen:
        lines.append("<p>It was never frozen: nobody can tell what was planned before the data were in.</p>")
    if check.freeze.changes:
        lines.append(f"<p>Changed since: {escape(', '.join(check.freeze.changes))}.</p>")
    if check.deviations:
        items = "".join(f"<li>{escape(own.message)}</li>\n" for own in check.deviations)
        lines.append(f"<p>The analysis deviates from it:</p>\n<ul>\n{items}</ul>")
    else:
        lines.append("<p>The analysis does what it says, no less and no more.</p>")
    return "\n".join(lines) + "\n"


def _methods(report: Report) -> str:
    found = methods(report.analysis.settings, topics=topics_of(report))
    return (
        '<dl class="methods">\n' + "".join(f"<dt>{escape(a)}</dt><dd>{escape(b)}</dd>\n" for a, b in found) + "</dl>\n"
    )


def _settings(report: Report) -> str:
    analysis, settings = report.analysis, report.analysis.settings
    rated, every = bool(analysis.dimensions), "all metrics, counts of errors and length, as far as known"
    rows = [
        ("source", analysis.source),
        ("command", report.command),
        ("version", f"fergus {analysis.version}"),
        ("seed", str(settings.seed)),
        ("resamples", f"{settings.samples:,} of {'inputs and judges' if rated else 'people and texts'}"),
        ("permutations", f"{settings.trials:,} trials, or 100 a comparison if that is more" * rated),
        ("level", f"{figure(LEVEL, 2)}, Holm’s correction"),
        ("predictors", (", ".join(settings.predictors) or every) * rated),
        ("less is better", ", ".join(settings.lower_is_better)),
        ("excluded", "; ".join(f"{one.item}: {one.reason}" for one in settings.exclude)),
        *((title_of(name), signature) for name, signature in report.signatures.items()),
    ]
    return "<dl>\n" + "".join(f"<dt>{escape(a)}</dt><dd>{escape(b)}</dd>\n" for a, b in rows if b) + "</dl>\n"


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
