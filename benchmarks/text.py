"""Gold words to text on the development part of three treebanks, learned from their training parts, beside the rules.

    python benchmarks/text.py [--quick] [--only TREEBANK]... [--json FILE] [--save]

Tables go to standard output, progress to standard error.
"""

from __future__ import annotations

import io
import sys
import time
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
import numpy as np
from rich.table import Table
from rich.text import Text

import results
import tables
from bars import Bar
from fergus.core.tree import Node, OrderedTree
from fergus.realize.capitalise import capitalise
from fergus.realize.capitals_model import CapitalsModel, capitals_from, capitals_section, places
from fergus.realize.detokenize import detokenize
from fergus.realize.gap_arcs import head_places
from fergus.realize.join_words import WordJoiner
from fergus.realize.joining_model import joining_from, joining_section
from fergus.realize.learn_capitals import learn_capitals, uncapitalised
from fergus.realize.learn_joining import learn_joining
from fergus.realize.model import Section
from fergus.treebank import read_trees
from held_out import data_folder
from slips import Slips

TREEBANKS = {"en_ewt": "English EWT", "fr_sequoia": "French Sequoia", "tr_imst": "Turkish IMST"}
QUICK = 200
REPEATS = 3
BARS = {
    ("en_ewt", "learned, all labels"): Bar(
        {"exact": 0.93, "sentences_per_second": 20_000, "seconds": 30, "kilobytes": 300}, {"exact": 0.98}
    ),
}
COLUMNS = {
    "exact": ("exact", "{:.2%}"),
    "exact_without_slips": ("no slips", "{:.2%}"),
    "exact_but_for_case": ("case aside", "{:.2%}"),
    "sentences_per_second": ("sentences/s", "{:,.0f}"),
    "seconds": ("training s", "{:.1f}"),
    "kilobytes": ("kB", "{:.0f}"),
}
Item = TypeVar("Item")


@click.command()
@click.option("--quick", is_flag=True, help=f"The first {QUICK} sentences of each development part.")
@click.option("--only", multiple=True, type=click.Choice(tuple(TREEBANKS)), help="One treebank; may be repeated.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), metavar="FILE", help="Write the results there.")
@click.option("--save", is_flag=True, help="Write them to benchmarks/results/text-DATE.json.")
def main(*, quick: bool, only: tuple[str, ...], json_file: Path | None, save: bool) -> None:
    """Measure how words become text (FERGUS_DATA, by default ../shared/data)."""
    data, out = data_folder(), tables.console()
    if not data.is_dir():
        raise click.ClickException(f"there is no data at {data}; set FERGUS_DATA")
    record: dict[str, Any] = {}
    for name in only or TREEBANKS:
        click.echo(f"{name}: training ...", err=True)
        train = list(read_trees(data / "ud" / f"{name}-train.conllu"))
        dev = list(read_trees(data / "ud" / f"{name}-dev.conllu"))[: QUICK if quick else None]
        slips = Slips.learned(train)
        with_slip = [slips.has_one(ordered) for ordered in dev]
        rows = joining_rows(train, dev, with_slip)
        capitals = capital_figures(train, dev)
        record[name] = {
            "sentences": len(dev),
            "sentences_with_slips": sum(with_slip),
            "joining": {system: described(name, system, figures) for system, figures in rows.items()},
            "capitals": {key: round(value, 4) for key, value in capitals.items()},
        }
        out.print(score_table(name, rows, len(dev), sum(with_slip)), "", capital_line(capitals), "", sep="\n")
    out.print(tables.LEGEND + "\nslip: a space, or none, against 99% of the training part or by its own correction")
    results.keep({**results.heading("text", sys.argv[1:]), **record}, json_file=json_file, save=save)


def joining_rows(
    train: Sequence[OrderedTree], dev: Sequence[OrderedTree], with_slip: Sequence[bool]
) -> dict[str, dict[str, float]]:
    """The rules, and the learned model with all of the tree, all labels, two of them, none.

    Nobody sees how it was written.
    """
    texts = [" ".join(dict(ordered.tree.metadata)["text"].split()) for ordered in dev]
    words = [[stripped(ordered.tree.nodes[node]) for node in ordered.order] for ordered in dev]
    two = [[Node(word.form, upos=word.upos, deprel=word.deprel) for word in sentence] for sentence in words]
    forms = [ordered.forms for ordered in dev]
    heads = [head_places(ordered.tree, [[node] for node in ordered.order]) for ordered in dev]
    whole = list(zip(words, heads, strict=True))
    learn_joining(train[:50])  # compiled code is loaded before the clock starts
    started = time.perf_counter()
    learned = learn_joining(train)
    seconds = time.perf_counter() - started
    if learned is None:
        raise click.ClickException("the treebank does not tell how its sentences were written")
    section = joining_section(learned)
    joiner = WordJoiner(joining_from(section))
    costs = {"seconds": seconds, "kilobytes": stored_bytes(section) / 1e3}

    def figures(write: Callable[[Item], str], inputs: Sequence[Item]) -> dict[str, float]:
        outputs, rate = timed(write, inputs)
        right = [output == text for output, text in zip(outputs, texts, strict=True)]
        no_slip = [r for r, slip in zip(right, with_slip, strict=True) if not slip]
        but_for_case = [o.casefold() == t.casefold() for o, t in zip(outputs, texts, strict=True)]
        return {
            "exact": float(np.mean(right)),
            "exact_without_slips": float(np.mean(no_slip)),
            "exact_but_for_case": float(np.mean(but_for_case)),
            "sentences_per_second": rate,
        }

    return {
        "rules": figures(detokenize, forms),
        "learned, all labels": {**figures(lambda tree: joiner.join_nodes(tree[0], heads=tree[1]), whole), **costs},
        "learned, no heads": figures(joiner.join_nodes, words),
        "learned, UPOS and relation": figures(joiner.join_nodes, two),
        "learned, forms only": figures(joiner.join, forms),
    }


def stripped(word: Node) -> Node:
    """A word with its labels, without what MISC says."""
    return Node(word.form, word.lemma, word.upos, word.xpos, word.feats, word.deprel)


def timed(write: Callable[[Item], str], inputs: Sequence[Item]) -> tuple[list[str], float]:
    """What is written, and sentences a second: the best of some runs, after one."""
    outputs = [write(item) for item in inputs]
    best = float("inf")
    for _ in range(REPEATS):
        started = time.perf_counter()
        for item in inputs:
            write(item)
        best = min(best, time.perf_counter() - started)
    return outputs, len(inputs) / best


def capital_figures(train: Sequence[OrderedTree], dev: Sequence[OrderedTree]) -> dict[str, float]:
    """How many first words, made small unless they are names, get their form back; and others after a mark."""
    started = time.perf_counter()
    section = capitals_section(learn_capitals(train))
    seconds = time.perf_counter() - started
    model = capitals_from(section)
    always = CapitalsModel({"first": (0.0, 1.0, 0.0)}, model.letters)
    right: dict[str, list[bool]] = {"first": [], "first_always": [], "inside": [], "inside_never": []}
    for ordered in dev:
        words = [ordered.tree.nodes[node] for node in ordered.order]
        for number, place in enumerate(places(ordered.forms)):
            written, small = words[place].form, uncapitalised(words[place], model)
            given = [*ordered.forms[:place], small, *ordered.forms[place + 1 :]]
            answer = capitalise(given, model)[place] == written
            if number == 0:
                right["first"].append(answer)
                right["first_always"].append(capitalise(given, always)[place] == written)
            elif small == small.lower():
                right["inside"].append(answer)
                right["inside_never"].append(small == written)
    shares = {name: float(np.mean(answers)) for name, answers in right.items()}
    counts = {"first_words": float(len(right["first"])), "inside_words": float(len(right["inside"]))}
    return {**shares, **counts, "seconds": seconds, "kilobytes": stored_bytes(section) / 1e3}


def stored_bytes(section: Section) -> int:
    """The bytes that the arrays of a section take, compressed as in a model file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, array in section.arrays.items():
            archive.writestr(name, array.tobytes())
        archive.writestr("section.json", str(section.settings))
    return len(buffer.getvalue())


def described(name: str, system: str, figures: dict[str, float]) -> dict[str, Any]:
    """Figures with what was asked of them."""
    bar = BARS.get((name, system), Bar())
    verdicts = {key: verdict for key, value in figures.items() if (verdict := verdict_of(bar, key, value))}
    extras = {"at_least": bar.at_least, "aim": bar.aim, "verdicts": verdicts}
    return {**{key: round(value, 4) for key, value in figures.items()}, **{k: v for k, v in extras.items() if v}}


def verdict_of(bar: Bar, name: str, value: float) -> str:
    """The verdict; of a size the smaller is the better."""
    if name == "kilobytes" and name in bar.at_least:
        return "bar" if value <= bar.at_least[name] else "missed"
    return bar.verdict(name, value)


def score_table(name: str, rows: dict[str, dict[str, float]], sentences: int, slips: int) -> Table:
    """Sentences that came out as they were written."""
    title = f"{TREEBANKS[name]} dev, {sentences:,} sentences, {slips} of them with a slip of the writer"
    table = Table(title=title, title_justify="left", box=None)
    table.add_column("gold words to text")
    for heading, _ in COLUMNS.values():
        table.add_column(heading, justify="right")
    for system, figures in rows.items():
        bar = BARS.get((name, system), Bar())
        cells = []
        for key, (_, form) in COLUMNS.items():
            value = figures.get(key)
            mark, style = tables.MARKS["" if value is None else verdict_of(bar, key, value)]
            cells.append(Text("" if value is None else f"{form.format(value)} {mark}", style))
        table.add_row(system, *cells)
    return table


def capital_line(figures: dict[str, float]) -> str:
    """The capitals in words."""
    return (
        f"capitals: first words {figures['first']:.2%} of {figures['first_words']:,.0f} (always a capital: "
        f"{figures['first_always']:.2%}); words after a mark {figures['inside']:.2%} of "
        f"{figures['inside_words']:,.0f} (never: {figures['inside_never']:.2%}); training {figures['seconds']:.1f} s, "
        f"{figures['kilobytes']:.0f} kB"
    )


if __name__ == "__main__":
    main()
