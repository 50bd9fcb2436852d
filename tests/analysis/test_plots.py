from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from fergus.analysis.analyse import Settings, analyse
from fergus.analysis.judgements import Items, Judgements, Ratings
from fergus.analysis.metric_plots import matrix_figure, metrics_figure
from fergus.analysis.plot_style import Drawn, file_name, inline_svg, png_of, svg_of
from fergus.analysis.plots import figures_of, systems_figure, write_figures
from fergus.analysis.regression_plots import MANY, residuals_figure
from fergus.analysis.report import Report
from tests.analysis.report_made import hostile_report, made_analysis, made_report


@pytest.fixture(scope="module")
def drawn() -> dict[str, Drawn]:
    return {one.name: one for one in figures_of(made_report())}


def test_every_figure_is_there_with_its_n(drawn: dict[str, Drawn]) -> None:
    kinds = ["systems", "judges", "metrics", "significance", "model", "residuals"]
    assert list(drawn) == [f"quality-{kind}" for kind in kinds]
    assert "n = 36 texts, 180 judgements" in drawn["quality-systems"].caption
    assert "Pearson’s r over 36 texts and within 12 inputs, with 95% intervals" in drawn["quality-metrics"].caption
    assert "n = 35 texts" in drawn["quality-model"].caption


def test_axes_are_labelled(drawn: dict[str, Drawn]) -> None:
    for name, one in drawn.items():
        for axes in one.figure.axes:
            labelled = axes.get_xlabel() or name.endswith("significance")
            assert labelled, name


def test_an_excluded_point_is_drawn_with_its_reason(drawn: dict[str, Drawn]) -> None:
    model = drawn["quality-model"]
    (axes,) = model.figure.axes
    assert [" ".join(text.get_text().split()) for text in axes.texts] == ["i1/a: mangled, yet well-formed"]
    assert "Crosses: 1 text that the model was not fitted to (i1/a: mangled, yet well-formed)" in model.caption
    crosses = next(line for line in axes.lines if line.get_marker() == "X")
    assert len(crosses.get_xdata()) == 1


def test_the_ceiling_stands_where_it_holds_and_chance_is_marked(drawn: dict[str, Drawn]) -> None:
    figure = drawn["quality-metrics"].figure
    left, _ = figure.axes
    ceiling = made_analysis().dimensions[0].reliability.ceiling
    (marks,) = [line for line in left.lines if line.get_marker() == "|"]
    assert np.asarray(marks.get_xdata()).tolist() == [ceiling] * 3
    assert np.asarray(marks.get_ydata()).tolist() == [-0.22, 0.78, 1.78]  # beside each text by text
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == [
        "text by text",
        "within inputs",
        f"human ceiling of text by text ({ceiling:.2f})".replace("0.", "."),
        "chance in pairs (50.0%)",
    ]


def test_few_systems_are_not_drawn_and_more_are() -> None:
    analysis = made_analysis()
    (one,) = analysis.dimensions
    few = metrics_figure(one, analysis.settings)
    assert few is not None
    assert "Whole systems are not drawn: 3 are too few to correlate anything with." in few.caption
    assert not [line for line in few.figure.axes[0].lines if line.get_marker() == "^"]
    more = tuple(replace(c, n=5) if c.level == "system" else c for c in one.correlations)
    drawn = metrics_figure(replace(one, correlations=more), analysis.settings)
    assert drawn is not None
    assert "over 36 texts, within 12 inputs and over 5 systems" in drawn.caption
    assert [line for line in drawn.figure.axes[0].lines if line.get_marker() == "^"]


def test_a_metric_without_a_correlation_is_named() -> None:
    analysis = made_analysis()
    (one,) = analysis.dimensions
    lacking = tuple(replace(c, value=float("nan")) if c.metric == "noise" else c for c in one.correlations)
    found = metrics_figure(replace(one, correlations=lacking), analysis.settings)
    assert found is not None
    assert "Not drawn, since no correlation is defined (too few scores, or all alike): noise." in found.caption


@pytest.mark.parametrize(("share", "mark", "side"), [(0.01, "<", 0), (0.999, ">", 1)])
def test_one_share_far_off_does_not_squeeze_the_others(share: float, mark: str, side: int) -> None:
    analysis = made_analysis()
    (one,) = analysis.dimensions
    given = {"good": 0.52, "cost": 0.51, "noise": share}
    shares = tuple(
        replace(own, pairs=replace(own.pairs, value=given[own.metric], low=0.5, high=0.53)) for own in one.agreement
    )
    found = metrics_figure(replace(one, agreement=shares), analysis.settings)
    assert found is not None
    right = found.figure.axes[1]
    assert 47 < right.get_xlim()[0] < right.get_xlim()[1] < 55
    (beyond,) = [line for line in right.lines if line.get_marker() == mark]
    assert np.asarray(beyond.get_xdata()).tolist() == [right.get_xlim()[side]]
    assert [text.get_text() for text in right.texts] == [f"{100 * share:.1f}"]
    assert f"Triangles: beyond the axis lies noise ({100 * share:.1f}%)." in found.caption


def test_no_share_of_pairs_is_no_trouble() -> None:
    analysis = made_analysis()
    (one,) = analysis.dimensions
    unknown = tuple(replace(own, pairs=replace(own.pairs, value=float("nan"))) for own in one.agreement)
    found = metrics_figure(replace(one, agreement=unknown), analysis.settings)
    assert found is not None
    assert "Triangles" not in found.caption


def test_the_matrix_counts_what_was_tested_and_marks_the_least_that_trials_show() -> None:
    analysis = made_analysis()  # of three metrics; 100 trials a comparison
    (one,) = analysis.dimensions
    first, second, third = one.metric_comparisons
    told = (
        replace(first, permutation_p=1 / 301, corrected_p=2 / 301),
        replace(second, permutation_p=0.02, corrected_p=0.02),
        replace(third, permutation_p=float("nan"), corrected_p=float("nan")),
    )
    found = matrix_figure(replace(one, metric_comparisons=told), analysis.settings)
    assert found is not None
    assert "300 trials, Holm’s correction for 2 comparisons" in found.caption
    assert found.caption.endswith("≤: the least that so many trials can show.")
    assert sorted(text.get_text() for text in found.figure.axes[0].texts) == [".02", "≤.01"]


def test_abbreviations_of_the_matrix_are_explained() -> None:
    analysis = made_analysis(name="simple_string_accuracy")
    (one,) = analysis.dimensions
    turned = tuple(replace(c, value=-abs(c.value)) if "string" in c.metric else c for c in one.correlations)
    found = matrix_figure(replace(one, correlations=turned), analysis.settings)
    assert found is not None
    assert "SSA: Simple String Accuracy." in found.caption


def test_the_same_analysis_gives_the_same_bytes(drawn: dict[str, Drawn]) -> None:
    for again in figures_of(made_report()):
        assert svg_of(drawn[again.name]) == svg_of(again)
        assert b"<dc:date>" not in svg_of(again)
    name = "quality-systems"
    assert png_of(drawn[name]) == png_of(next(figures_of(made_report())))


def test_figures_for_a_page_need_no_permission(drawn: dict[str, Drawn]) -> None:
    every = [inline_svg(one) for one in drawn.values()]
    for text in every:
        root = ElementTree.fromstring(text)  # it is well-formed
        assert root.attrib["role"] == "img"
        assert "style" not in text.replace("font-style", "")
        assert "currentColor" in text
        assert not re.search(r"<(image|script|style|metadata)\b", text)
        sizes = re.findall(r'<text[^>]*font-size="([\d.]+)"', text)
        assert sizes
        assert all(4 < float(size) < 12 for size in sizes)
    ids = [name for text in every for name in re.findall(r' id="([^"]*)"', text)]
    assert len(ids) == len(set(ids))
    used = [name for text in every for name in re.findall(r'(?:href="#|url\(#)([^")]+)', text)]
    assert set(used) == set(ids)


def test_names_from_outside_cannot_become_markup() -> None:
    for one in figures_of(hostile_report()):
        ElementTree.fromstring(inline_svg(one))
        assert "<script" not in inline_svg(one)
        ElementTree.fromstring(svg_of(one))
        assert re.fullmatch(r"[\w-]+", one.name)


def test_a_title_that_asks_needs_no_full_stop(drawn: dict[str, Drawn]) -> None:
    one = replace(drawn["quality-systems"], title="Who is best?", caption="Nobody.")
    assert one.told == "Who is best? Nobody."
    assert 'aria-label="Who is best? Nobody."' in inline_svg(one)


def test_files_are_written(tmp_path: Path) -> None:
    names = write_figures(made_report(), tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)
    assert (tmp_path / "captions.txt").read_text().startswith("quality-systems: Systems by quality. Mean normalised")


def test_many_points_become_hexagons() -> None:
    size = MANY + 50
    random = np.random.default_rng(3)
    items = Items(
        tuple(f"t{i}" for i in range(size)), tuple(f"i{i // 2}" for i in range(size)), ("a", "b") * (size // 2)
    )
    judge, item = np.repeat([0, 1], size), np.tile(np.arange(size), 2)
    ratings = Ratings("quality", ("J", "K"), judge, item, random.normal(size=2 * size))
    metrics = {"m": ratings.item_means(size) + random.normal(size=size)}
    done = analyse(Judgements(items, {"quality": ratings}), metrics, settings=Settings(samples=10, trials=10))
    found = {one.name: one for one in figures_of(Report(analysis=done))}
    assert "Darker hexagons hold more texts" in found["quality-model"].caption
    assert "quality-judges" not in found  # a histogram of two judges says nothing
    assert "quality-significance" not in found
    assert len(svg_of(found["quality-model"])) < 200_000


@pytest.mark.parametrize("size", [40, MANY + 50])
def test_a_text_that_a_coefficient_is_fitted_to_alone_is_not_drawn(size: int) -> None:
    random = np.random.default_rng(3)
    items = Items(tuple(f"t{i}" for i in range(size)), tuple(f"i{i}" for i in range(size)), ("a",) * size)
    ratings = Ratings("quality", ("J",), np.zeros(size, np.int64), np.arange(size), random.normal(size=size))
    metrics = {"m": np.where(np.arange(size) == 7, 0.3, 0.0)}
    done = analyse(Judgements(items, {"quality": ratings}), metrics, settings=Settings(samples=10, trials=10))
    found = {one.name: one for one in figures_of(Report(analysis=done))}
    assert found["quality-residuals"].caption.endswith(" Without 1 text that a coefficient is fitted to alone.")
    assert svg_of(found["quality-residuals"])


def test_a_model_without_residuals_has_no_figure_of_them() -> None:
    done = made_analysis()
    best = done.dimensions[0].best_regression
    assert best is not None
    points = tuple(replace(point, standardised=float("nan")) for point in best.points)
    one = replace(done.dimensions[0], best_regression=replace(best, points=points))
    assert residuals_figure(one, done.settings) is None


def test_a_point_far_out_does_not_flatten_the_others() -> None:
    from matplotlib.figure import Figure

    from fergus.analysis.regression_plots import _points

    random = np.random.default_rng(4)
    y = [*random.normal(size=MANY + 200).tolist(), -40.0, 55.0]
    axes = Figure().subplots()
    shown = _points(axes, list(range(len(y))), y)
    assert shown.beyond == (-40, 55)
    assert shown.caption.endswith("Triangles: 2 texts beyond the axis (−40.0 and 55.0).")
    low, high = axes.get_ylim()
    assert -8 < low < -2 < 2 < high < 8
    assert {(line.get_marker(), *np.asarray(line.get_ydata()).tolist()) for line in axes.lines} == {
        ("v", low),
        ("^", high),
    }
    axes = Figure().subplots()
    assert _points(axes, list(range(len(y))), y, keep=[60]).beyond == (-40,)
    assert axes.get_ylim()[1] >= 60  # an excluded point is always shown


def test_figures_are_drawn_once_and_laid_out_once() -> None:
    report = made_report()
    assert report.figures is report.figures
    for one in report.figures:
        before = [axes.get_position().bounds for axes in one.figure.axes]
        svg_of(one)
        assert [axes.get_position().bounds for axes in one.figure.axes] == before


def test_groups_are_banded() -> None:
    analysis = made_analysis()
    (one,) = analysis.dimensions
    grouped = replace(one, systems=tuple(replace(own, cluster=n) for n, own in enumerate(one.systems, 1)))
    found = systems_figure(grouped, analysis.settings)
    assert found is not None
    assert found.caption.endswith("Bands: 3 groups that significance tells apart.")
    assert len(found.figure.axes[0].patches) == 1


def test_what_there_is_nothing_to_draw_for() -> None:
    analysis = made_analysis()
    (one,) = analysis.dimensions
    bare = replace(one, systems=one.systems[:1], correlations=(), best_regression=None, metric_comparisons=())
    bare = replace(bare, reliability=replace(one.reliability, judges=()))
    assert list(figures_of(Report(analysis=replace(analysis, dimensions=(bare,))))) == []


def test_pairs_that_cannot_be_tested_stay_empty() -> None:
    analysis = made_analysis()
    (one,) = analysis.dimensions
    untested = tuple(replace(own, corrected_p=float("nan")) for own in one.metric_comparisons)
    found = matrix_figure(replace(one, metric_comparisons=untested), analysis.settings)
    assert found is not None
    assert found.figure.axes[0].texts == [] or not list(found.figure.axes[0].texts)


def test_letters_that_the_font_lacks_are_no_trouble() -> None:
    analysis = made_analysis()
    (one,) = analysis.dimensions
    named = replace(one, systems=(replace(one.systems[0], system="质量 $x$"), *one.systems[1:]))
    found = next(figures_of(Report(analysis=replace(analysis, dimensions=(named,)))))
    assert png_of(found).startswith(b"\x89PNG")
    assert "质量 $x$" in inline_svg(found)


def test_names_that_are_alike_but_for_signs_have_figures_of_their_own(tmp_path: Path) -> None:
    (one,) = made_analysis().dimensions
    names = ("a b", "a/b", "A B", "?", "!")
    dimensions = tuple(replace(one, dimension=name) for name in names)
    report = Report(analysis=replace(made_analysis(), dimensions=dimensions))
    assert [drawn.name for drawn in report.figures if drawn.kind == "model"] == [
        "a-b-model", "a-b-model-2", "a-b-model-3", "dimension-model", "dimension-model-2",
    ]  # fmt: skip
    written = write_figures(replace(report, analysis=replace(report.analysis, dimensions=dimensions[:2])), tmp_path)
    assert len(set(written)) == len(written) == len(list(tmp_path.iterdir()))


def test_file_names() -> None:
    assert (file_name("Well-formedness (1/2)"), file_name("质量"), file_name("?")) == (
        "well-formedness-1-2",
        "质量",
        "dimension",
    )
