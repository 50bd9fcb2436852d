"""The pages of results are those of the saved records, and every benchmark has a reader."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

import bench
import page
from bars import NO_BAR, Bar
from record_readers import READERS
from record_tables import Cell, Line, Table, asked_by, asked_table, verdicts_of, wide_table

MACHINE = {"cpu": "Z80", "cores": 1, "memory_gigabytes": 0.5, "system": "CP/M", "python": "3.11"}
HEADING = {"fergus": "0.1.0", "commit": "abc", "command": "benchmarks/x.py --save", "machine": MACHINE}


def saved(folder: Path, name: str, date: str, **content: Any) -> None:
    record = {"benchmark": name, "date": date, **HEADING, **content}
    (folder / f"{name}-{date[:10]}.json").write_text(json.dumps(record))


def test_the_page_of_the_documentation_is_what_the_saved_results_give() -> None:
    expected = page.markdown_page(page.sections_of(page.RESULTS))
    assert page.MARKDOWN.read_text("utf-8") == expected, "run python benchmarks/page.py"


def test_every_saved_benchmark_is_on_the_page() -> None:
    text = page.MARKDOWN.read_text("utf-8")
    assert [file.name for file in page.RESULTS.glob("*.json") if file.name not in text] == []


def test_everything_that_make_bench_runs_can_be_read() -> None:
    assert set(bench.BENCHMARKS) <= set(READERS)
    assert all((bench.FOLDER / f"{name}.py").is_file() for name in bench.BENCHMARKS)


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        (Line("x", 3, at_least=2, aim=3), "aim"),
        (Line("x", 2, at_least=2, aim=3), "bar"),
        (Line("x", 1, at_least=2, aim=3), "missed"),
        (Line("x", 1, at_least=2, smaller_is_better=True), "bar"),
        (Line("x", 3, at_least=2, smaller_is_better=True), "missed"),
        (Line("x", 1, aim=3), ""),
        (Line("x", 1), ""),
    ],
)
def test_verdicts(line: Line, verdict: str) -> None:
    assert line.found() == verdict
    assert line.cells()[4].verdict == verdict


def test_a_verdict_of_the_record_stands() -> None:
    assert Line("x", 1, at_least=2, verdict="bar").cells()[4] == Cell("✓ bar", "bar")


def test_what_a_bar_asks_of_a_figure() -> None:
    assert Line("x", 9, **asked_by(Bar({"seconds": 10}, {"seconds": 2}), "seconds")).found() == "bar"
    assert Line("x", 9, **asked_by(Bar({"times": 10}), "times")).found() == "missed"
    assert Line("x", 9, **asked_by(NO_BAR, "times")).found() == ""


def test_a_page_that_cannot_be_written_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = {"results": [], "left_out": {}, "taken": 0, "sentences": 0, "words_per_sentence": 0.0, "peer": "p"}
    saved(tmp_path, "rules", "2026-01-01T00:00:00", **content)
    html = tmp_path / "index.html"
    html.write_text("old")
    monkeypatch.setattr(page, "html_page", lambda *_: "\ud800")  # which UTF-8 cannot write
    found = CliRunner().invoke(page.main, ["--results", str(tmp_path), "--html", str(html), "--no-markdown"])
    assert isinstance(found.exception, UnicodeEncodeError)
    assert html.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["index.html", "rules-2026-01-01.json"]


def test_empty_columns_are_left_out() -> None:
    assert asked_table("t", [Line("x", 1.5, at_least=1)]).headings == ("", "measured", "asked", "verdict")
    wide = wide_table(
        "t", "system", {"a": ("A", "{:.1f}"), "b": ("B", "{}")}, [("one", {"a": 1}), ("two", {"a": None})]
    )
    assert wide.headings == ("system", "A")
    assert [[cell.text for cell in row] for row in wide.rows] == [["one", "1.0"], ["two", ""]]


def test_marked_cells_are_counted_by_name() -> None:
    wide = wide_table("t", "", {"a": ("A", "{}")}, [("one", {"a": 1, "verdicts": {"a": "missed"}})])
    assert verdicts_of([wide, asked_table("u", [Line("x", 1, at_least=1)])]) == [
        ("t: one, A", "missed"),
        ("u: x", "bar"),
    ]


def test_the_newest_of_every_table_is_shown(tmp_path: Path) -> None:
    row = {"test_set": "system", "system": "fergus --help", "seconds": 0.1}
    quality = {"test_set": "ewt-bare", "system": "default", "bleu": 50.0, "sentences": 9, "words_per_sentence": 3.0}
    saved(tmp_path, "realize", "2026-01-01T00:00:00", results=[quality, row])
    saved(tmp_path, "realize", "2026-01-02T00:00:00", results=[{**row, "seconds": 0.2}])
    (section,) = page.sections_of(tmp_path)
    dates = {shown.table.title: shown.source.date[:10] for shown in section.tables}
    assert dates == {"EWT dev, bare": "2026-01-01", "Fergus as a program": "2026-01-02"}
    text = page.markdown_page([section])
    assert "| default | 50.0 |" in text
    assert "| fergus --help | 0.200 |" in text
    assert "0.100" not in text


def test_misses_are_named_first(tmp_path: Path) -> None:
    rows = [{"figure": "a|b_c", "value": 1.0, "at_least": 2.0, "verdict": "missed", "peer": "x"}]
    saved(tmp_path, "complete", "2026-01-01T00:00:00", results=rows)
    sections = page.sections_of(tmp_path)
    assert page.counted(sections) == ({"aim": 0, "bar": 0, "missed": 1}, ["Stages and tracks: a|b_c"])
    text = page.markdown_page(sections)
    assert "1 miss it (✗)" in text
    assert r"| a\|b\_c | 1 | ≥ 2 | ✗ missed | x |" in text
    assert "Z80, 1 cores, 0.5 GB" in text


def test_a_record_of_the_analysis(tmp_path: Path) -> None:
    learned = {"r": 0.5, "best_part": "bleu", "r_of_best_part": 0.4, "difference": 0.1, "p": 0.01}
    results = {
        "report": {"seconds": 20.0, "peak_megabytes": 300.0},
        "learn": [{"judgements": "as given", **learned, "is_better": True}],
        "statistics": [{"what": "OLS", "beside": "statsmodels", "figures": 9, "difference": 1e-3, "at_most": 1e-6}],
        "recovery": [
            {"quantity": "r", "design": "small", "truth": 0.3, "share": 0.5, "n": 20, "low": 0.92, "high": 0.98}
        ],
    }
    saved(tmp_path, "analysis", "2026-01-01T00:00:00", results=results)
    sections = page.sections_of(tmp_path)
    text = page.markdown_page(sections)
    assert "| fergus analyse, seconds | 20.0 | ≤ 60.0 | ≤ 15.0 | ✓ bar |" in text
    assert "| as given | 0.500 ✓ | bleu | 0.400 | +0.100 | 0.010 |" in text
    assert page.counted(sections)[1] == [
        "Statistics: largest difference from others’: OLS",
        "Simulated studies: 95% intervals and tests: r, share that holds it",
    ]


def test_a_soak_whose_memory_grew(tmp_path: Path) -> None:
    growth = "growth_after_the_first_tenth"
    soak = {growth: 0.2, "at_most": {growth: 0.01}, "megabytes_total": [100.0], "per_second": 9.0, "requests": 10}
    saved(tmp_path, "http_api", "2026-01-01T00:00:00", protocol={}, soak=soak)
    assert page.counted(page.sections_of(tmp_path))[1] == ["Many requests: growth of memory after the first tenth"]


def test_a_table_without_rows_can_be_shown(tmp_path: Path) -> None:
    content = {"results": [], "left_out": {}, "taken": 0, "sentences": 0, "words_per_sentence": 0.0, "peer": "p"}
    saved(tmp_path, "rules", "2026-01-01T00:00:00", **content)
    html = tmp_path / "index.html"
    found = CliRunner().invoke(page.main, ["--results", str(tmp_path), "--html", str(html), "--no-markdown"])
    assert found.exit_code == 0, found.output
    assert html.read_text("utf-8").count("<table>") == 2


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [("unheard", {}, "no reader for 'unheard'"), ("rules", {"results": []}, "not a record of benchmarks/rules.py")],
)
def test_what_cannot_be_read_is_told(tmp_path: Path, name: str, content: dict[str, Any], why: str) -> None:
    saved(tmp_path, name, "2026-01-01T00:00:00", **content)
    with pytest.raises(click.ClickException, match=why):
        page.sections_of(tmp_path)


def test_the_html_page_needs_nothing_else(tmp_path: Path) -> None:
    html = tmp_path / "deep" / "index.html"
    found = CliRunner().invoke(page.main, ["--html", str(html), "--no-markdown"])
    assert found.exit_code == 0, found.output
    text = html.read_text("utf-8")
    assert not re.findall(r"<(?:script|link|img|iframe)\b|url\(|@import|https?://", text)
    assert "prefers-color-scheme: dark" in text
    sections = page.sections_of(page.RESULTS)
    assert [text.count(f'<section id="{one.name}">') for one in sections] == [1] * len(sections)
    assert text.count("<table>") == sum(len(one.tables) for one in sections)


def test_html_is_escaped() -> None:
    from page_html import _table

    shown = _table(Table("a < b", ("", "x"), ((Cell("<i>"), Cell("1 ✗", "missed")),), "n & m"))
    assert "<i>" not in shown
    assert "a &lt; b" in shown
    assert '<td class="missed">1 ✗</td>' in shown
    assert "n &amp; m." in shown


def test_what_fails_is_named_and_the_others_run(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []

    def run(words: list[str], **_: Any) -> Any:
        ran.append(Path(words[1]).stem)
        return type("Done", (), {"returncode": int(ran[-1] == "parse")})

    monkeypatch.setattr(bench.subprocess, "run", run)
    found = CliRunner().invoke(bench.main, [])
    assert found.exit_code == 1
    assert "failed: parse (exit code 1)" in found.output
    assert ran == [*bench.BENCHMARKS, "page"]
    ran.clear()
    assert CliRunner().invoke(bench.main, ["--only", "rules"]).exit_code == 0
    assert ran == ["rules", "page"]


def test_a_short_run_is_not_kept_with_the_others() -> None:
    assert bench.command("rules", quick=False)[2:] == ["--save"]
    short = bench.command("rules", quick=True)
    assert "--save" not in short
    assert short[-1].endswith("build/bench/results/rules.json")
    assert "--no-markdown" in bench.page_command(quick=True)
    assert bench.page_command(quick=False)[2:] == []
