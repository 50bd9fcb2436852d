from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest

from fergus.analysis.analyse import Settings
from fergus.analysis.methods import methods
from fergus.analysis.plot_style import COLUMN
from fergus.analysis.preregister import freeze_plan
from fergus.analysis.report import Report, checked_plan
from fergus.analysis.report_html import _clusters, report_html
from fergus.analysis.report_text import report_text
from tests.analysis.report_made import HOSTILE, hostile_report, made_analysis, made_report

VOID = {"meta", "link", "br"}


class Tags(HTMLParser):
    """Every element is closed in its place; what has an id, and what is linked to."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        for name, value in attrs:
            assert not name.startswith("on")
            assert name != "style"
            self.ids += [value or ""] if name == "id" else []
            self.links += [value or ""] if name == "href" else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def parsed(page: str) -> Tags:
    tags = Tags()
    tags.feed(page)
    tags.close()
    assert tags.open == []
    return tags


@pytest.fixture(scope="module")
def page() -> str:
    return report_html(made_report())


def test_one_sound_file_without_scripts(page: str) -> None:
    tags = parsed(page)
    assert "script" not in tags.seen
    assert "img" not in tags.seen
    assert len(tags.ids) == len(set(tags.ids))
    assert all(link.startswith("#") for link in tags.links)
    assert {link[1:] for link in tags.links} <= set(tags.ids)
    assert not re.search(r"https?://(?!www\.w3\.org/)", page)


def test_dimensions_that_differ_in_signs_only_have_parts_and_figures_of_their_own() -> None:
    report = made_report(dimensions=2)
    named = tuple(
        replace(one, dimension=name) for one, name in zip(report.analysis.dimensions, ("a b", "a/b"), strict=True)
    )
    page = report_html(replace(report, analysis=replace(report.analysis, dimensions=named)))
    tags = parsed(page)
    assert len(tags.ids) == len(set(tags.ids))
    assert {"#a-b-judges-part", "#a-b-judges-part-2"} <= set(tags.links)
    first = page[page.index('<section id="a-b-regression-part"') : page.index('<section id="a-b-regression-part-2"')]
    assert "Judged against predicted a b (" in first
    assert "Judged against predicted a/b (" not in first


def test_the_policy_allows_this_style_and_nothing_else(page: str) -> None:
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert style is not None
    assert policy is not None
    digest = b64encode(sha256(style[1].encode()).digest()).decode()
    assert policy[1] == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def test_the_order_of_a_reviewer(page: str) -> None:
    places = [page.index(f'<h2 id="{name}-heading">') for name in (
        "summary", "data", "quality-judges-part", "quality-systems-part", "quality-metrics-part",
        "quality-regression-part", "methods", "settings",
    )]  # fmt: skip
    assert places == sorted(places)
    assert page.index("Warnings and notes") < places[1]
    assert page.count("<figure>") == 6
    assert "<details>" in page
    assert "fergus analyse ratings.csv" in page
    assert "Not fitted to: i1/a (mangled, yet well-formed)." in page


def test_a_name_with_a_hyphen_stays_on_its_line_in_a_narrow_head(page: str) -> None:
    assert 'Kendall’s <span class="whole">τ-b</span></th>' in page
    assert '<span class="whole">95%' not in page


def test_figures_wider_than_a_column_can_be_scrolled(page: str) -> None:
    for drawn in made_report().figures:
        width = drawn.figure.get_size_inches()[0]
        assert (f'aria-label="{drawn.title}, figure" tabindex="0"' in page) == (width > COLUMN), drawn.name


def test_tables_have_headers(page: str) -> None:
    for table in re.findall(r"<table>.*?</table>", page, re.DOTALL):
        assert "<caption>" in table
        width = table.count('scope="col"')
        for row in re.findall(r"<tr>(<th scope=\"row\".*?)</tr>", table):
            assert row.count("<t") == width
    assert page.count("<table>") == page.count('role="region"') - 2  # two figures are wide


def test_names_from_outside_are_text() -> None:
    tags = parsed(report_html(hostile_report()))
    assert "script" not in tags.seen
    assert any(HOSTILE in text for text in tags.texts)


def test_the_same_bytes_each_time(page: str) -> None:
    assert report_html(made_report()) == page


def test_several_dimensions() -> None:
    tags = parsed(report_html(made_report(dimensions=2)))
    assert "quality1-systems-part" in tags.ids
    assert "quality1: systems" in tags.texts


def test_a_plan_with_its_history(tmp_path: Path) -> None:
    analysis, path = made_analysis(), tmp_path / "plan.toml"
    path.write_text('format = "fergus-plan"\nversion = 1\nstudy = "ratings.csv"\n')
    assert "It was never frozen" in report_html(Report(analysis=analysis, plan=checked_plan(path, analysis)))
    freeze_plan(path, now=datetime(2026, 3, 1, tzinfo=UTC))
    path.write_text(path.read_text() + 'title = "x"\n')
    assert "Changed since: title." in report_html(Report(analysis=analysis, plan=checked_plan(path, analysis)))
    freeze_plan(path, now=datetime(2026, 4, 1, tzinfo=UTC), reason="a <title>")
    found = report_html(Report(analysis=analysis, plan=checked_plan(path, analysis)))
    parsed(found)
    assert "Amended on 2026-04-01T00:00:00Z" in found
    assert ": a &lt;title&gt;." in found
    assert "dimensions: quality was not planned" in found
    kept = replace(checked_plan(path, analysis), deviations=())
    assert "no less and no more" in report_html(Report(analysis=analysis, plan=kept))
    assert "The plan\n  - " in report_text(Report(analysis=analysis, plan=checked_plan(path, analysis)))


def test_people_alone() -> None:
    (one,) = made_analysis().dimensions
    reliability = replace(one.reliability, intraclass=replace(one.reliability.intraclass, random=None))
    bare = replace(one, correlations=(), best_regression=None, systems=one.systems[:1], notices=(), agreement=(),
                   reliability=reliability, metric_clusters=())  # fmt: skip
    found = report_html(Report(analysis=replace(made_analysis(), dimensions=(bare,), metrics=())))
    parsed(found)
    assert "Nothing in the data calls for a warning." in found
    assert "ICC(2,1)" not in found
    assert "quality-metrics-part" not in found
    assert len(methods(Settings(), topics=("ratings",))) < len(methods(Settings(), topics=("ratings", "metrics")))


@pytest.mark.parametrize(("groups", "said"), [((("good", "noise"),), "tells no group"), ((), "")])
def test_groups_of_metrics_that_there_are_not(groups: tuple[tuple[str, ...], ...], said: str) -> None:
    (one,) = made_analysis().dimensions
    found = _clusters(replace(one, metric_clusters=groups))
    assert said in found
    assert bool(found) == bool(groups)


def test_the_terminal_shows_all_dimensions() -> None:
    text = report_text(made_report(dimensions=2))
    assert "quality1\n--------\n" in text
    assert "Dimensions\nfirst    second" in text
    assert text.endswith("30 samples, 30 trials or more, seed 12345; fergus " + made_analysis().version + "\n")
