from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from fergus.analysis.analyse import Settings, analyse
from fergus.analysis.judgements import Items, Judgements, Ratings
from fergus.analysis.preregister import freeze_plan
from fergus.analysis.report import Report, analysis_settings, checked_plan, short_of, title_of
from fergus.analysis.summary import against, summary
from fergus.analysis.systems import SystemComparison
from fergus.analysis.written import counted, figure, general, interval, is_p, listed, percent, probability
from fergus.metrics.catalogue import CATALOGUE
from tests.analysis.report_made import made_analysis, made_report

NAN = float("nan")


def test_what_a_small_study_says() -> None:
    data, judges, systems, metrics, regression = summary(made_report())
    assert data == "5 judges gave 180 scores for quality to 36 texts by 3 systems for 12 inputs: 5.0 a text on average."
    assert "Krippendorff's alpha" in judges
    assert "even a perfect metric would correlate" in judges
    assert systems.startswith("person has the highest mean (+")
    assert "significantly better than every other system" in systems
    assert metrics.startswith("Text by text, good agrees best with people (r = ")
    assert "of the" in metrics
    assert "whole systems" in metrics
    assert regression.startswith("Of 7 linear models the one with the lowest BIC uses")


def test_several_dimensions_are_named_and_correlated() -> None:
    found = summary(made_report(dimensions=2))
    assert found[0].startswith("Quality. 5 judges")
    assert found[5].startswith("Quality1. 5 judges")
    assert found[-1] == "The dimensions correlate over texts: quality and quality1 by r = 1.00 (1.00 to 1.00, n = 36)."


def test_a_metric_that_may_be_none() -> None:
    analysis = made_analysis()
    (one,) = analysis.dimensions
    flat = tuple(replace(c, low=-0.9, high=0.9) for c in one.correlations)
    text = " ".join(summary(Report(analysis=replace(analysis, dimensions=(replace(one, correlations=flat),)))))
    assert "No metric certainly agrees with people text by text; the best is good" in text
    nothing = tuple(replace(c, value=NAN) for c in one.correlations)
    text = " ".join(summary(Report(analysis=replace(analysis, dimensions=(replace(one, correlations=nothing),)))))
    assert "No metric has a defined correlation" in text


def test_metrics_that_nothing_tells_apart() -> None:
    analysis = made_analysis()
    (one,) = analysis.dimensions
    for p, said in ((0.9, "It is not significantly better than noise and cost."),):
        same = tuple(replace(c, corrected_p=p) for c in one.metric_comparisons)
        text = " ".join(
            summary(Report(analysis=replace(analysis, dimensions=(replace(one, metric_comparisons=same),))))
        )
        assert said in text
    first, *rest = one.metric_comparisons
    mixed = (replace(first, corrected_p=0.001), *(replace(c, corrected_p=0.5) for c in rest))
    text = " ".join(summary(Report(analysis=replace(analysis, dimensions=(replace(one, metric_comparisons=mixed),)))))
    assert "significantly better than noise, not than 1 other." in text


def comparison(first: str, second: str, difference: float, p: float) -> SystemComparison:
    return SystemComparison(first, second, difference, 9, p, p)


def test_better_counts_only_in_the_right_direction() -> None:
    pairs = [comparison("a", "b", 1, 0.01), comparison("c", "a", -1, 0.01), comparison("d", "a", 1, 0.01)]
    assert against(pairs, "a") == (["b", "c"], ["d"])


def systems_text(pairs: list[SystemComparison], groups: list[int]) -> str:
    analysis = made_analysis()
    (one,) = analysis.dimensions
    systems = tuple(replace(own, cluster=group) for own, group in zip(one.systems, groups, strict=True))
    changed = replace(one, systems=systems, system_comparisons=tuple(pairs))
    return summary(Report(analysis=replace(analysis, dimensions=(changed,))))[2]


def test_systems_that_are_not_told_apart() -> None:
    none = [comparison("person", "b", 1, 0.5), comparison("person", "a", 1, 0.5)]
    assert "is not significantly better than any other of 3." in systems_text(none, [1, 1, 1])
    some = [comparison("person", "b", 1, 0.5), comparison("person", "a", 1, 0.01)]
    found = systems_text(some, [1, 1, 2])
    assert "better than 1 of the other 2 systems, not than b." in found
    assert "into 2 groups, best first: person and b; a. A mixed-effects model" in found
    one = [comparison("person", "b", 1, 0.5)]
    assert "but is not significantly better than b." in systems_text(one, [1, 1, 1])


@pytest.mark.parametrize(
    ("alpha", "words"),
    [
        (0.9, "agree well"),
        (0.7, "agree enough"),
        (0.4, "agree only in part"),
        (0.1, "hardly agree"),
        (None, "cannot be told"),
    ],
)
def test_how_far_judges_agree(alpha: float | None, words: str) -> None:
    analysis = made_analysis()
    (one,) = analysis.dimensions
    for top in (0.8, NAN):
        changed = replace(one, reliability=replace(one.reliability, alpha_normalised=alpha, ceiling=top))
        assert words in summary(Report(analysis=replace(analysis, dimensions=(changed,))))[1]


def test_one_judge_one_text_and_no_metric() -> None:
    ratings = Ratings("ease", ("J",), np.array([0]), np.array([0]), np.array([3.0]))
    judgements = Judgements(Items(("x",), ("x",), ("s",)), {"ease": ratings}, source="s")
    found = summary(Report(analysis=analyse(judgements, {}, settings=Settings(samples=10, trials=10))))
    assert found[0] == "1 judge gave 1 score for ease to 1 text by 1 system: 1.0 a text on average."
    assert len(found) == 2


def test_people_alone_have_no_ceiling_of_metrics() -> None:
    items = made_analysis()
    (one,) = items.dimensions
    alone = replace(one, correlations=(), best_regression=None)
    text = summary(Report(analysis=replace(items, dimensions=(alone,))))[1]
    assert "with what everybody thinks" in text


def test_a_plan_that_was_kept(tmp_path: Path) -> None:
    analysis = made_analysis()
    path = tmp_path / "plan.toml"
    path.write_text(
        'format = "fergus-plan"\nversion = 1\nstudy = "ratings.csv"\ndimensions = ["quality"]\ncorrection = "holm"\n'
        'metrics = ["good", "noise", "cost"]\ntests = ["permutation", "williams", "regression"]\n'
        'exclusions = ["mangled, yet well-formed"]\n[numbers]\nparticipants = 5\nitems = 36\njudgements = 180\n'
    )
    said = summary(Report(analysis=analysis, plan=checked_plan(path, analysis)))[-1]
    assert said == "The analysis plan plan.toml was never frozen, and the analysis follows it."
    freeze_plan(path, now=datetime(2026, 3, 1, tzinfo=UTC))
    kept = checked_plan(path, analysis)
    assert kept.is_kept
    said = summary(Report(analysis=analysis, plan=kept))[-1]
    assert said == "The analysis plan plan.toml is as it was frozen on 2026-03-01, and the analysis follows it."
    path.write_text(path.read_text().replace("items = 36", "items = 40"))
    said = summary(Report(analysis=analysis, plan=checked_plan(path, analysis)))[-1]
    assert "was changed after it was frozen (numbers); the analysis deviates from it in 1 point." in said


def test_what_was_done_without_metrics() -> None:
    (one,) = made_analysis().dimensions
    alone = replace(made_analysis(), metrics=(), dimensions=(replace(one, best_regression=None),))
    assert analysis_settings(alone).tests == ("permutation",)


def test_figures() -> None:
    assert [figure(x) for x in (0.5, -0.5, 12.3456, NAN, None, float("inf"), -float("inf"), 0.0, -0.0001)] == [
        ".500", "−.500", "12.346", "–", "–", "∞", "−∞", ".000", ".000",
    ]  # fmt: skip
    assert (figure(0.25, 2, signed=True), figure(3, 0), figure(1234.5, 1)) == ("+.25", "3", "1,234.5")
    assert (interval(0.1, 1), interval(NAN, 1)) == (".100 to 1.000", "–")
    assert [probability(p) for p in (0.0001, 0.0311, 1.0, NAN)] == ["< .001", ".031", "1", "–"]
    assert (is_p(0.2), is_p(1e-9), percent(0.5049), percent(None)) == ("p = .200", "p < .001", "50.5%", "–")
    assert (counted(1, "judge"), general(-0.0123456), general(NAN)) == ("1 judge", "−0.01235", "–")
    assert (listed(["a"]), listed([]), listed(["a", "b", "c"]), listed(["a", "b", "c"], most=1)) == (
        "a", "", "a, b and c", "a and 2 others",
    )  # fmt: skip


def test_names() -> None:
    assert (title_of("ter"), title_of("length"), title_of("mine")) == ("TER", "length", "mine")
    assert title_of("draft_simple_tree_accuracy") == "Simple Tree Accuracy (draft)"
    assert (short_of("simple_tree_accuracy"), short_of("remaining_insertions"), short_of("mine")) == (
        "STA", "I'", "mine",
    )  # fmt: skip
    assert short_of("quality_accuracy") == "QA"


def test_every_metric_has_both_names() -> None:
    assert all(title_of(name) and short_of(name) for name in CATALOGUE)
    assert len({title_of(name) for name in CATALOGUE}) == len(CATALOGUE)
