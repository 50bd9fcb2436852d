"""An evaluation as tables: for the terminal, as CSV, as LaTeX.

Figures of the accuracies are written without the leading zero, as the papers do; an undefined score is a dash.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import fields
from math import isnan

from fergus.evaluation.result import Evaluation
from fergus.metrics.align import Counts
from fergus.metrics.base import CorpusScore, Metric
from fergus.metrics.significance import SAMPLES, Comparison, Interval

COUNTS = tuple(field.name for field in fields(Counts))
SIGNIFICANT = 0.05
FEW = 30
"""Of fewer sentences the bootstrap says little."""
FIGURES = re.compile(r"[-+<.\d\s]|$")
"""How a cell begins that is a figure, or nothing."""


def as_text(evaluation: Evaluation, *, has_warnings: bool = True) -> str:
    """Tables for people: both aggregates of every system, then the comparisons, notes and warnings."""
    parts = [*map(_laid_out, tables_of(evaluation)), notes_of(evaluation)]
    if has_warnings:
        parts[-1] += "".join(f"Warning: {warning}\n" for warning in evaluation.warnings)
    return "\n".join(parts)


def tables_of(evaluation: Evaluation) -> list[list[list[str]]]:
    """The cells of the tables, the heads in the first row: scores, then comparisons if there are any."""
    tables = [_scores_of_one(evaluation)] if len(evaluation.systems) == 1 else _scores_of_several(evaluation)
    return [*tables, _comparisons(evaluation)] if evaluation.comparisons else tables


def as_latex(evaluation: Evaluation) -> str:
    """A table for a paper: a row a system, a column a metric, the best in bold; needs the package booktabs."""
    metrics = [m for m in evaluation.metrics if any(s.corpus[m.name].score is not None for s in evaluation.systems)]
    lines = [f"% {evaluation.systems[0].corpus[metric.name].signature}" for metric in metrics]
    lines += [r"\begin{tabular}{l" + "r" * len(metrics) + "}", r"\toprule"]
    arrows = {True: r"$\uparrow$", False: r"$\downarrow$"}
    heads = [f"{_escaped(metric.abbreviation)} {arrows[metric.higher_is_better]}" for metric in metrics]
    lines += [" & ".join(["System", *heads]) + r" \\", r"\midrule"]
    best = {metric.name: _best(evaluation, metric) for metric in metrics}
    for system in evaluation.systems:
        cells = [_escaped(system.name)]
        for metric in metrics:
            score = system.corpus[metric.name].score
            cell = "--" if score is None else _figure(score, metric)
            is_best = len(evaluation.systems) > 1 and score is not None and score == best[metric.name]
            cells.append(rf"\textbf{{{cell}}}" if is_best else cell)
        lines.append(" & ".join(cells) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}"]
    return "\n".join(lines) + "\n"


def csv_rows(evaluation: Evaluation) -> Iterator[str]:
    """A row a sentence and system, with every count and every score; undefined is empty."""
    counts = [*COUNTS, *(f"tree_{name}" for name in COUNTS)]
    names = [metric.name for metric in evaluation.metrics]
    has_texts = any(system.texts for system in evaluation.systems)
    texts = ["hypothesis", "reference"] if has_texts else []
    yield _csv(["system", "id", "reference_number", *counts, *names, *texts])
    for system in evaluation.systems:
        for row, identifier in enumerate(evaluation.identifiers):
            trees = system.tree_counts[row].tolist()
            cells: list[object] = [system.name, identifier, int(system.chosen[row]) + 1, *system.counts[row].tolist()]
            cells += ["" if count < 0 else count for count in trees]
            cells += ["" if isnan(value := float(system.scores[name][row])) else value for name in names]
            yield _csv([*cells, *(system.texts[row] if has_texts else ())])


def csv_of_scores(evaluation: Evaluation) -> Iterator[str]:
    """A row a system and metric, with both aggregates and their intervals."""
    head = ["system", "metric", "score", "mean", "mean_low", "mean_high", "pooled", "pooled_low", "pooled_high"]
    yield _csv([*head, "sentences", "missing", "signature"])
    for system in evaluation.systems:
        for name, score in system.corpus.items():
            cells: list[object] = [system.name, name, score.score, score.mean, *_bounds(score.mean_interval)]
            cells += [score.pooled, *_bounds(score.pooled_interval), score.sentences, score.missing, score.signature]
            yield _csv(["" if cell is None else cell for cell in cells])


def _scores_of_one(evaluation: Evaluation) -> list[list[str]]:
    system = evaluation.systems[0]
    rows = [["", "mean ", "95% interval", "pooled ", "95% interval", ""]]
    for metric in evaluation.metrics:
        score = system.corpus[metric.name]
        cells = [_titled(metric)]
        for aggregate, value, interval in (
            ("mean", score.mean, score.mean_interval),
            ("pooled", score.pooled, score.pooled_interval),
        ):
            mark = "*" if metric.headline == aggregate and value is not None else " "
            cells += [_cell(value, metric) + mark, _spread(interval, metric)]
        rows.append([*cells, _remark(score, metric)])
    if evaluation.settings["samples"] == "0":
        rows = [[row[column] for column in (0, 1, 3, 5)] for row in rows]
    return rows


def _scores_of_several(evaluation: Evaluation) -> list[list[list[str]]]:
    tables = []
    for aggregate, heading in (("mean", "Mean over sentences"), ("pooled", "Pooled")):
        rows = [[heading, *(system.name for system in evaluation.systems)]]
        for metric in evaluation.metrics:
            cells = []
            for system in evaluation.systems:
                score = system.corpus[metric.name]
                value = score.mean if aggregate == "mean" else score.pooled
                interval = score.mean_interval if aggregate == "mean" else score.pooled_interval
                half = (
                    f" ±{_figure((interval.high - interval.low) / 2, metric)}" if interval and value is not None else ""
                )
                cells.append(_cell(value, metric) + half)
            rows.append([_titled(metric) + (" *" if metric.headline == aggregate else ""), *cells])
        tables.append(rows)
    return tables


def _comparisons(evaluation: Evaluation) -> list[list[str]]:
    """Differences of the headline aggregates; p-values corrected for the number of pairs."""
    by_name = {metric.name: metric for metric in evaluation.metrics}
    rows = [["Differences", "systems", "difference", "95% interval", "p bootstrap", "p randomisation", ""]]
    for found in evaluation.comparisons:
        metric = by_name[found.metric]
        rows.append(
            [
                _titled(metric),
                f"{found.first} - {found.second}",
                _figure(found.difference, metric, signed=True),
                _spread(found.interval, metric),
                _probability(found.corrected_bootstrap_p),
                _probability(found.corrected_randomisation_p),
                _verdict(found, metric),
            ]
        )
    return rows


def _verdict(found: Comparison, metric: Metric) -> str:
    if max(found.corrected_bootstrap_p, found.corrected_randomisation_p) >= SIGNIFICANT or found.difference == 0:
        return ""
    return f"{found.first if (found.difference > 0) == metric.higher_is_better else found.second} is better"


def notes_of(evaluation: Evaluation) -> str:
    """Lines about how the scores were made."""
    settings = evaluation.settings
    case = "letters in lower case" if settings["case"] == "lower" else "case as it is"
    sentences, references = int(settings["sentences"]), settings["references"]
    lines = [
        f"{_number(sentences, 'sentence')}, {references} reference{'' if references == '1' else 's'} each; tokens: "
        f"{settings['tokenization']}, {case}; trees: {settings['trees']}",
        "* the aggregate that is usually reported; ↑ ↓ whether more or less is better",
    ]
    samples = f"{int(settings['samples']) or SAMPLES:,} samples"
    if settings["samples"] != "0":
        lines.append(f"intervals: bootstrap of {samples}, seed {settings['seed']}")
    if evaluation.comparisons:
        count = len({(found.first, found.second) for found in evaluation.comparisons})
        lines += [
            f"p: paired bootstrap of {samples}, approximate randomisation of {int(settings['trials']):,} trials, seed "
            f"{settings['seed']},",
            f"   corrected for {_number(count, 'comparison')} a metric (Holm); better: both are below {SIGNIFICANT}",
        ]
    if sentences < FEW and (settings["samples"] != "0" or evaluation.comparisons):
        lines.append(f"fewer than {FEW} sentences: intervals{' and p' * bool(evaluation.comparisons)} are rough")
    if len(evaluation.systems) > 1:
        for metric in evaluation.metrics:
            missing = {system.name: system.corpus[metric.name].missing for system in evaluation.systems}
            where = ", ".join(f"{count:,} ({name})" for name, count in missing.items() if count)
            if where:
                lines.append(f"{metric.title} is undefined for sentences: {where}")
    return "\n".join(lines) + "\n"


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _remark(score: CorpusScore, metric: Metric) -> str:
    if not score.missing:
        return ""
    reason = ": no trees" if metric.needs_trees else ""
    return f"undefined{reason}" if score.missing == score.sentences else f"undefined for {score.missing:,}{reason}"


def _titled(metric: Metric) -> str:
    return f"{metric.title} {'↑' if metric.higher_is_better else '↓'}"


def _best(evaluation: Evaluation, metric: Metric) -> float:
    scores = [score for system in evaluation.systems if (score := system.corpus[metric.name].score) is not None]
    return max(scores) if metric.higher_is_better else min(scores)


def _cell(value: float | None, metric: Metric) -> str:
    return "-" if value is None else _figure(value, metric)


def _figure(value: float, metric: Metric, *, signed: bool = False) -> str:
    written = f"{value:+.{metric.decimals}f}" if signed else f"{value:.{metric.decimals}f}"
    return written.replace("0.", ".", 1) if metric.decimals > 2 and abs(value) < 1 and written[-2] != "." else written


def _spread(interval: Interval | None, metric: Metric) -> str:
    return "" if interval is None else f"{_figure(interval.low, metric)} to {_figure(interval.high, metric)}"


def _probability(p: float) -> str:
    return "< .001" if p < 0.001 else f"{p:.3f}".replace("0.", ".", 1)


def _bounds(interval: Interval | None) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (interval.low, interval.high)


def _laid_out(rows: Sequence[Sequence[str]]) -> str:
    """Columns as wide as their widest cell; words to the left, figures to the right."""
    columns = list(zip(*rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    is_word = [not all(FIGURES.match(cell) for cell in column[1:]) for column in columns]
    lines = []
    for row in rows:
        cells = [c.ljust(w) if left else c.rjust(w) for c, w, left in zip(row, widths, is_word, strict=True)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines) + "\n"


def _csv(cells: Sequence[object]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerow(cells)
    return buffer.getvalue()


def _escaped(text: str) -> str:
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return "".join(special.get(c, f"\\{c}" if c in "&%$#_{}" else c) for c in text)
