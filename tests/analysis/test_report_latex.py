from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.analysis.report import Report
from fergus.analysis.report_latex import FLOATS, as_latex, escaped, latex_tables, write_latex
from fergus.analysis.report_tables import Table
from tests.analysis.report_made import hostile_report, made_report


def check(source: str) -> None:
    """What TeX would stumble over: braces and environments that do not match, and special characters left bare."""
    lines = [line for line in source.splitlines() if not line.startswith(("%", r"\ifdim\wd0>"))]
    text = "\n".join(lines)
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", text.replace(r"\\", "  ")):
        depth += 1 if brace == "{" else -1
        assert depth >= 0
    assert depth == 0
    opened = re.findall(r"\\begin\{([\w*]+)\}", text)
    closed = re.findall(r"\\end\{([\w*]+)\}", text)
    assert sorted(opened) == sorted(closed)
    assert text.isascii()
    bare = text.replace(r"\\", "")
    assert not re.search(r"(?<!\\)[#~]", bare)
    assert len(re.findall(r"(?<!\\)\$", bare)) % 2 == 0
    outside = re.sub(r"(?<!\\)\$[^$]*\$", "", bare)
    assert not re.search(r"(?<!\\)[_^<>|]", re.sub(r"\\(label|input)\{[^}]*\}", "", outside))
    assert not re.search(r"(?<!\\)%", re.sub(r"(?<=[{}])%$", "", outside, flags=re.MULTILINE))
    columns = None
    for line in text.splitlines():
        if found := re.match(r"\\begin\{tabular\}\{([lr]+)\}", line):
            columns = len(found[1])
        elif line.endswith(r"\\"):
            assert columns is not None
            assert len(re.findall(r"(?<!\\)&", line)) == columns - 1
        else:
            assert not re.search(r"(?<!\\)&", line)


def test_dimensions_that_differ_in_signs_only_have_files_and_labels_of_their_own() -> None:
    report = made_report(dimensions=2)
    named = tuple(
        replace(one, dimension=name) for one, name in zip(report.analysis.dimensions, ("a b", "A/b"), strict=True)
    )
    files = list(latex_tables(replace(report, analysis=replace(report.analysis, dimensions=named))))
    names = [name for name, _ in files]
    assert len(set(names)) == len(names)
    assert {"a-b-agreement.tex", "a-b-agreement-2.tex"} <= set(names)
    labels = re.findall(r"\\label\{tab:([^}]*)\}", "".join(content for _, content in files))
    assert [f"{label}.tex" for label in labels] == names[:-1]
    assert r"\input{a-b-agreement-2.tex}" in files[-1][1]


def test_every_table_is_sound() -> None:
    found = dict(latex_tables(made_report(dimensions=2)))
    assert {
        "data.tex",
        "quality-systems.tex",
        "quality-correlations-item.tex",
        "quality-regressions.tex",
    } <= found.keys()
    assert {"quality1-coefficients.tex", "between.tex", "all.tex"} <= found.keys()
    for source in found.values():
        check(source)


def test_the_file_that_shows_all_names_all() -> None:
    found = dict(latex_tables(made_report()))
    assert re.findall(r"\\input\{(.*?)\}", found["all.tex"]) == [name for name in found if name != "all.tex"]


@pytest.mark.filterwarnings("error")
def test_names_from_outside_are_no_commands() -> None:
    for source in dict(latex_tables(hostile_report())).values():
        check(source)
        assert "% Made by fergus" in source or source.startswith("\\documentclass")


def test_a_check_that_can_fail() -> None:
    good = as_latex(Table("t", "T", ("a", "b"), (("x", "1"),)))
    check(good)
    for bad in (good.replace("x & 1", "x & 1 & 2"), good.replace("x &", "x_y &"), good.replace(r"\end{table}", "")):
        with pytest.raises(AssertionError):
            check(bad)


def test_a_wide_table_is_made_to_fit() -> None:
    narrow = as_latex(Table("n", "N", tuple("abcdefgh"), (tuple("12345678"),), "Caption."))
    wide = as_latex(Table("w", "W", tuple("abcdefgh"), (("a name", *["123456789"] * 7),), "Caption."))
    for source, kind in ((narrow, "table"), (wide, "table*")):
        check(source)
        assert source.startswith(rf"\begin{{{kind}}}")
    assert "resizebox" in wide
    assert r"\caption{W. Caption.}" in wide


def test_long_words_have_several_lines() -> None:
    source = as_latex(Table("t", "T", ("a", "b", "c"), (("x", "1", "so many words " * 4),), "", (0, 2)))
    check(source)
    assert r"1 & \parbox[t]{.34\linewidth}{\raggedright so many words" in source


def test_a_title_that_asks_has_no_full_stop() -> None:
    assert r"\caption{Who? All.}" in as_latex(Table("t", "Who?", ("a",), (("x",),), "All."))


def test_many_tables_are_more_than_tex_can_hold_back() -> None:
    found = dict(latex_tables(made_report(dimensions=3)))
    assert found["all.tex"].count(r"\clearpage") == (len(found) - 1) // FLOATS >= 1


@pytest.mark.parametrize("make", [lambda: made_report(dimensions=2), hostile_report])
def test_tex_takes_it_and_everything_fits(make: Callable[[], Report], tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("there is no pdflatex here")
    write_latex(make(), tmp_path)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stdout[-2000:]
    assert "Overfull" not in ran.stdout
    assert (tmp_path / "all.pdf").stat().st_size > 10_000


@given(st.text(alphabet=st.characters(codec="ascii", exclude_categories=("Cc",)), max_size=40))
def test_any_text_is_escaped(text: str) -> None:
    check(as_latex(Table("t", "T", ("a", "b"), ((text, "1"),), text)))


def test_signs() -> None:
    assert escaped("R² < −.5 – α’s") == r"R$^2$ $<$ $-$.5 -- $\alpha$'s"


def test_files_are_written(tmp_path: Path) -> None:
    assert sorted(write_latex(made_report(), tmp_path)) == sorted(path.name for path in tmp_path.iterdir())
