"""Tables for a paper: LaTeX with booktabs, one file a table, and one that shows how to put them in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from fergus.analysis.metric_tables import (
    coefficients_table,
    correlations_table,
    metrics_table,
    pairs_table,
    regressions_table,
)
from fergus.analysis.mixed_tables import components_table, mixed_table
from fergus.analysis.plot_style import file_name
from fergus.analysis.report_tables import Table, agreement_table, between_table, data_table, systems_table
from fergus.analysis.study_sections import study_sections
from fergus.core.distinct import distinct_names
from fergus.whole_file import WholeFile

if TYPE_CHECKING:
    from fergus.analysis.report import Report

_SPECIAL = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "−": "$-$", "–": "--", "’": "'",
    "<": "$<$", ">": "$>$", "²": "$^2$", "√": r"$\surd$", "α": r"$\alpha$", "ρ": r"$\rho$", "τ": r"$\tau$",
    "∞": r"$\infty$", "“": "``", "”": "''", "|": r"\textbar{}", '"': r"\textquotedbl{}", "\n": " ",
}  # fmt: skip
_HEAD = (
    "% Made by fergus {version} from {source}.\n"
    "% Needs \\usepackage{{booktabs}}, \\usepackage{{graphicx}} and \\usepackage[T1]{{fontenc}}.\n"
)
_ALL = r"""\documentclass[a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage[margin=2.5cm]{geometry}
\usepackage{booktabs}
\usepackage{graphicx}
\makeatletter
\setlength{\@fptop}{0pt}
\setlength{\@fpsep}{24pt}
\setlength{\@fpbot}{0pt plus 1fil}
\makeatother
\begin{document}
"""
COLUMN_CHARACTERS, LONG_WORDS = 62, 40
"""What a column of a paper has room for in small letters, and from where on a cell of words has several lines."""
FLOATS = 15
"""Tables after which a page is ended: TeX keeps no more than fifty that are not yet placed."""


def latex_tables(report: Report) -> Iterator[tuple[str, str]]:
    """The name of every file and its content."""
    analysis = report.analysis
    head = _HEAD.format(version=analysis.version, source=_one_line(analysis.source))
    files = []
    tables = list(_tables(report))
    for label, table in zip(distinct_names(file_name(table.name) for table in tables), tables, strict=True):
        files.append(f"{label}.tex")
        yield files[-1], head + as_latex(table, label=label)
    inputs = [f"\\input{{{name}}}\n" + "\\clearpage\n" * (n % FLOATS == 0) for n, name in enumerate(files, 1)]
    yield "all.tex", f"{_ALL}{''.join(inputs)}\\end{{document}}\n"


def write_latex(report: Report, folder: Path) -> list[str]:
    """Write every table; the names of the files."""
    names = []
    for name, content in latex_tables(report):
        with WholeFile(folder / name) as stream:
            stream.write(content.encode())
        names.append(name)
    return names


def _tables(report: Report) -> Iterator[Table]:
    analysis, settings = report.analysis, report.analysis.settings
    if analysis.dimensions:
        yield data_table(analysis)
    for one in analysis.dimensions:
        yield agreement_table(one)
        if len(one.systems) > 1:
            yield systems_table(one, settings)
        if one.mixed is not None:
            yield mixed_table(one.dimension, one.mixed)
            yield components_table(one.dimension, one.mixed)
        if one.correlations:
            yield metrics_table(one, settings)
            for level in ("item", "input", "system"):
                yield correlations_table(one, level, settings)
            yield pairs_table(one, settings)
        if one.best_regression is not None:
            yield regressions_table(one)
            yield coefficients_table(one.dimension, one.best_regression)
    if analysis.between_dimensions:
        yield between_table(analysis)
    for section in study_sections(report.found):
        yield from section.tables
        yield from (table for _, table in section.folded)


def as_latex(table: Table, *, label: str = "") -> str:
    """A table with its caption and a label (its name, if none is said); a wide one may use the page, and is shrunk."""
    widths = [max(map(len, column)) for column in zip(table.head, *table.rows, strict=True)]
    kinds = "".join("l" if column in table.words else "r" for column in range(len(widths)))
    wide = "*" if sum(widths) + 2 * len(widths) > COLUMN_CHARACTERS else ""
    lines = [rf"\begin{{table{wide}}}", r"\centering", r"\footnotesize" if wide else r"\small"]
    lines += [r"\setlength{\tabcolsep}{3.5pt}"] if wide else []
    lines += [r"\sbox0{%", rf"\begin{{tabular}}{{{kinds}}}", r"\toprule", _row(table.head), r"\midrule"]
    lines += [_row(row) for row in table.rows]
    lines += [r"\bottomrule", r"\end{tabular}}%"]
    lines += [r"\ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\usebox0}\else\usebox0\fi"]
    title = escaped(table.title) + ("" if table.title.endswith("?") else ".")
    caption = f"{title} {escaped(table.caption)}" if table.caption else title
    lines += [rf"\caption{{{caption}}}", rf"\label{{tab:{label or file_name(table.name)}}}", rf"\end{{table{wide}}}"]
    return "\n".join(lines) + "\n"


def _row(cells: tuple[str, ...]) -> str:
    """Words that would make a table too wide have several lines."""
    lines = r"\parbox[t]{.34\linewidth}{\raggedright "
    texts = (lines + escaped(cell) + r"\strut}" if len(cell) > LONG_WORDS else escaped(cell) for cell in cells)
    return " & ".join(texts) + r" \\"


def escaped(text: str) -> str:
    r"""Text in which nothing is a command.

    >>> escaped("50% of R² & _x_")
    '50\\% of R$^2$ \\& \\_x\\_'
    """
    return "".join(_SPECIAL.get(c, f"\\{c}" if c in "&%$#_{}" else c) for c in text)


def _one_line(text: str) -> str:
    return " ".join(text.split())
