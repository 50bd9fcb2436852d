from __future__ import annotations

import json
from dataclasses import replace

from fergus.analysis.judgements import Notice
from fergus.analysis.report import Report
from fergus.analysis.report_json import plain, report_json
from tests.analysis.report_made import hostile_report, made_analysis, made_report


def test_everything_that_was_found_is_there() -> None:
    record = json.loads(report_json(made_report(dimensions=2)))
    analysis = made_analysis(dimensions=2)
    first = record["dimensions"][0]
    assert len(first["correlations"]) == len(analysis.dimensions[0].correlations) == 27
    assert first["reliability"]["ceiling"] == analysis.dimensions[0].reliability.ceiling
    assert first["best_regression"]["terms"][0]["name"] == "intercept"
    assert first["best_regression"]["points"][-1]["excluded"] == "mangled, yet well-formed"
    assert record["analysis_settings"]["exclusions"] == ["mangled, yet well-formed"]
    assert record["settings"]["seed"] == 12345
    assert record["plan"] is None


def test_what_is_undefined_is_null() -> None:
    text = report_json(made_report())
    assert "NaN" not in text
    assert "Infinity" not in text
    level = [own for own in json.loads(text)["dimensions"][0]["correlations"] if own["level"] == "input"]
    assert {own["p"] for own in level} == {None}
    assert plain({"a": (float("inf"), 1.5, None)}) == {"a": [None, 1.5, None]}


def test_the_same_bytes_each_time() -> None:
    assert report_json(made_report()) == report_json(made_report())


def test_strange_names_survive() -> None:
    report = hostile_report()
    record = json.loads(report_json(report))
    assert record["source"] == report.analysis.source
    assert record["metrics"] == list(report.analysis.metrics)


def test_a_notice_that_is_given_twice_is_told_once() -> None:
    twice = (Notice("few", "x", 3), Notice("few", "x", 3))
    (one,) = made_analysis().dimensions
    analysis = replace(made_analysis(), dimensions=(replace(one, notices=twice),))
    assert Report(analysis=analysis, notices=twice).all_notices == (("", twice[0]),)
