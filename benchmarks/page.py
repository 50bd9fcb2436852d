"""The saved results as pages: build/bench/index.html, and docs/explanation/benchmarks.md for the documentation.

    python benchmarks/page.py [--results DIR] [--html FILE] [--markdown FILE | --no-markdown]

Of every table the newest record that has it is shown: a run with --only renews its own part.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from fergus.errors import InputError
from fergus.file_version import check_version
from fergus.whole_file import WholeFile
from page_html import html_page
from record_format import VERSION
from record_readers import READERS
from record_tables import Table, verdicts_of

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
MARKDOWN = ROOT / "docs" / "explanation" / "benchmarks.md"
HTML = ROOT / "build" / "bench" / "index.html"
VERDICT_NAMES = {"aim": "reach the aim (★)", "bar": "clear the bar (✓)", "missed": "miss it (✗)"}
INTRODUCTION = (
    "What `make bench` measured, and beside it what was asked, what the papers had and what others’ programs do on\n"
    "the same data. This page is made from the dated records by the same command;\n"
    "[how each is measured](../../benchmarks/README.md)."
)


@dataclass(frozen=True)
class Source:
    """Where and when the figures of some tables come from."""

    file: str
    benchmark: str
    date: str
    version: str
    commit: str
    command: str
    machine: str

    @classmethod
    def of(cls, file: str, record: Mapping[str, Any]) -> Source:
        """What the heading of a record says."""
        machine = record["machine"]
        version = record["fergus"]
        return cls(
            file,
            record["benchmark"],
            record["date"],
            # Records of studies once had something else under this name.
            version if isinstance(version, str) else "",
            record["commit"],
            record["command"],
            f"{machine['cpu']}, {machine['cores']} cores, {machine['memory_gigabytes']:g} GB, {machine['system']}, "
            f"Python {machine['python']}",
        )

    @property
    def line(self) -> str:
        """When, by which version, on which machine."""
        version = f"Fergus {self.version}, commit {self.commit}" if self.version else f"commit {self.commit}"
        return f"{self.date[:10]}; {version}; {self.machine}"


@dataclass(frozen=True)
class Shown:
    """A table and its source."""

    table: Table
    source: Source


@dataclass(frozen=True)
class Section:
    """What is shown of one benchmark."""

    name: str
    title: str
    tables: tuple[Shown, ...]

    def by_source(self) -> list[tuple[Source, list[Table]]]:
        """Tables that follow one another and come from the same record."""
        groups = groupby(self.tables, key=lambda shown: shown.source)
        return [(source, [shown.table for shown in group]) for source, group in groups]


def sections_of(folder: Path) -> list[Section]:
    """The newest of every table among the records of a folder."""
    records = [(path.name, json.loads(path.read_text("utf-8"))) for path in sorted(folder.glob("*.json"))]
    found: dict[str, dict[str, Shown]] = {name: {} for name in READERS}
    for file, record in sorted(records, key=lambda pair: pair[1]["date"]):
        try:
            check_version(record.get("version"), what="a record", newest=VERSION, path=file)
        except InputError as error:
            raise click.ClickException(str(error)) from None
        name = record["benchmark"]
        if name not in READERS:
            raise click.ClickException(f"{file}: there is no reader for {name!r}; add one to record_readers.py")
        source = Source.of(file, record)
        try:
            tables = list(READERS[name][1](record))
        except (KeyError, TypeError, IndexError) as error:
            raise click.ClickException(f"{file}: not a record of benchmarks/{name}.py ({error!r})") from error
        for table in tables:
            # A newer one takes the place of the older.
            found[name][table.title] = Shown(table, source)
    return [Section(name, READERS[name][0], tuple(shown.values())) for name, shown in found.items() if shown]


def counted(sections: Iterable[Section]) -> tuple[dict[str, int], list[str]]:
    """How many figures have which verdict, and the names of those that miss."""
    verdicts = [pair for one in sections for pair in verdicts_of([shown.table for shown in one.tables])]
    counts = {kind: sum(verdict == kind for _, verdict in verdicts) for kind in VERDICT_NAMES}
    return counts, [name for name, verdict in verdicts if verdict == "missed"]


def markdown_page(sections: Iterable[Section]) -> str:
    """The page of the documentation."""
    sections = list(sections)
    counts, missed = counted(sections)
    summary = ", ".join(f"{count} {VERDICT_NAMES[kind]}" for kind, count in counts.items())
    lines = ["# Benchmarks", "", INTRODUCTION, "", f"Of the figures that something is asked of, {summary}."]
    if missed:
        lines += ["", "Missed:", "", *(f"- {name}" for name in missed)]
    for section in sections:
        lines += ["", f"## {section.title}"]
        for source, tables in section.by_source():
            link = f"[{source.file}](../../benchmarks/results/{source.file})"
            lines += ["", f"`{source.command}`: {source.line} ({link})."]
            for table in tables:
                lines += ["", f"### {table.title}", ""]
                lines += [f"{_plain(table.note)}.", ""] if table.note else []
                lines += _pipes(table)
    return "\n".join(lines) + "\n"


def _pipes(table: Table) -> list[str]:
    def row(cells: Iterable[str]) -> str:
        return f"| {' | '.join(map(_plain, cells))} |"

    texts = [[cell.text for cell in cells] for cells in table.rows]
    rules = ["---" if table.has_words(column) else "---:" for column in range(len(table.headings))]
    return [row(table.headings), f"|{'|'.join(rules)}|", *map(row, texts)]


def _plain(text: str) -> str:
    """Text in which Markdown sees nothing of its own."""
    return text.rstrip(".").replace("|", "\\|").replace("*", "\\*").replace("_", "\\_")


@click.command()
@click.option("--results", default=RESULTS, type=click.Path(path_type=Path, exists=True), help="The records.")
@click.option("--html", default=HTML, type=click.Path(path_type=Path), help="Where the page is written.")
@click.option("--markdown", default=MARKDOWN, type=click.Path(path_type=Path), help="Where the documentation's is.")
@click.option("--no-markdown", is_flag=True, help="Write the HTML page only.")
def main(*, results: Path, html: Path, markdown: Path, no_markdown: bool) -> None:
    """Write the pages of the newest results."""
    sections = sections_of(results)
    pages = {html: html_page(sections, *counted(sections))}
    if not no_markdown:
        pages[markdown] = markdown_page(sections)
    for path, text in pages.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        with WholeFile(path) as file:
            file.write(text.encode("utf-8"))
        click.echo(f"written: {path.relative_to(ROOT) if path.is_relative_to(ROOT) else path.name}", err=True)


if __name__ == "__main__":
    main()
