from __future__ import annotations

from dataclasses import replace

from fergus.analysis.report import Report
from tests.analysis.report_made import hostile_report, made_analysis, made_report


def test_summary_warnings_and_tables() -> None:
    html = made_report()._repr_html_()
    assert html.startswith("<div>\n<h3>Analysis of ratings.csv</h3>\n<p>")
    assert [title for title in ("Judgements", "Agreement of the judges") if f"<caption>{title}</caption>" in html]
    assert html.count("<table>") == 4
    assert "<h4>" not in html
    assert "<style" not in html


def test_several_dimensions_have_their_names() -> None:
    html = made_report(dimensions=2)._repr_html_()
    assert "<h4>quality</h4>" in html
    assert "<h4>quality1</h4>" in html


def test_what_there_is_not_is_left_out() -> None:
    analysis = made_analysis()
    (one,) = analysis.dimensions
    bare = replace(one, systems=one.systems[:1], correlations=(), notices=())
    html = Report(analysis=replace(analysis, dimensions=(bare,), notices=()))._repr_html_()
    assert html.count("<table>") == 2
    assert "<ul>" not in html
    empty = Report(analysis=replace(analysis, dimensions=(), notices=()))._repr_html_()
    assert "<table>" not in empty


def test_nothing_gets_out_of_a_text() -> None:
    assert "<script" not in hostile_report()._repr_html_()
