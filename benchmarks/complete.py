"""The whole realizer beside its bars: every stage by itself, and both tracks of the surface realization shared tasks.

    python benchmarks/complete.py [--model NAME|PATH] [--quick] [--only PART]... [--examples N] [--json FILE] [--save]

Everything is trained on training parts and measured on development parts. BLEU is of tokens; in small letters for the
shared tasks' tracks. IMSurReal, trained and run on the same files, is the peer of en_partut.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import click
from rich.table import Table

import agreement
import function_words
import inflection
import punctuation
import results
import tables
import text
import words
from bars import Bar
from fergus.cli.progress import progress_bars
from fergus.core.tree import DependencyTree, OrderedTree
from fergus.errors import FergusError
from fergus.realize.learn_inflection import learn_inflection
from fergus.realize.pipeline import load
from fergus.realize.wordnet import read_wordnet
from fergus.treebank import read_trees
from fergus.treebank.shallow_track import parse_t1, write_t1
from held_out import SHUFFLE_SEED, data_folder, shuffled
from slips import Slips
from treebank_models import treebank_model

PARTS = ("inflection", "agreement", "text", "partut", "ewt", "deep", "punctuation", "words", "languages")
QUICK = 200
PARTUT = "sr19-en_partut"

BARS: dict[str, tuple[Bar, str]] = {
    "inflection, EWT": (Bar({"value": 98.3}, {"value": 99.0}), "a table with suffix back-off: 97.5"),
    "inflection, Sequoia": (Bar({"value": 97.0}, {"value": 98.5}), "table: 95.7"),
    "inflection, IMST": (Bar({"value": 89.5}, {"value": 94.0}), "table: 85.2"),
    "forms of partial features, EWT": (Bar(), ""),
    "forms of partial features, EWT, without agreement": (Bar(), ""),
    "gold tokens to text, EWT": (Bar({"value": 93.0}, {"value": 98.0}), ""),
    "T1 en_partut, BLEU": (Bar({"value": 84.3}, {"value": 88.0}), "IMSurReal: 84.3"),
    "T1 en_partut, sentences a second": (Bar({"value": 300}, {"value": 1000}), "IMSurReal: about 40"),
    "T2 en_partut, BLEU": (Bar({"value": 42.0}, {"value": 50.0}), "IMSurReal: 45.1"),
    "T2 en_partut, sentences a second": (Bar(), ""),
    "T1 EWT, BLEU": (Bar({"value": 84.0}, {"value": 89.0}), ""),
    "T1 EWT without hints, BLEU": (Bar({"value": 80.0}, {"value": 86.0}), ""),
    "T1 EWT, sentences a second": (Bar({"value": 300}, {"value": 1000}), ""),
    "T2 EWT, BLEU": (Bar(), ""),
    "T2 EWT, some function words given, BLEU": (Bar(), ""),
    "final mark, EWT": (Bar({"value": 94.0}, {"value": 97.0}), ""),
    "marks with position, EWT, F1": (Bar({"value": 0.72}, {"value": 0.85}), ""),
    "final mark, EWT, clause type told": (Bar({"value": 94.0}, {"value": 97.0}), "as deep trees tell it"),
    "marks with position, EWT, clause type told, F1": (Bar({"value": 0.72}, {"value": 0.85}), "as deep trees tell it"),
    "marks with position, EWT, fragments told too, F1": (Bar({"value": 0.72}, {"value": 0.85}), ""),
    "word among synonyms, EWT, points above most frequent": (Bar({"value": 5.0}, {"value": 15.0}), ""),
    "order with labels, Sequoia, BLEU": (Bar({"value": 83.5}, {"value": 88.0}), "prototype: 81.8"),
    "order with labels, IMST, BLEU": (Bar({"value": 68.5}, {"value": 76.0}), "prototype: 66.7"),
}
"""What is asked of every figure, and what others reach."""

Figures = dict[str, float]


@click.command()
@click.option("--model", default="en", show_default=True, metavar="NAME|PATH", help="For the tracks made from EWT.")
@click.option("--quick", is_flag=True, help=f"The first {QUICK} sentences of each development part.")
@click.option("--only", multiple=True, type=click.Choice(PARTS), help="One part; may be repeated.")
@click.option("--wordnet", default="/usr/share/wordnet", show_default=True, type=click.Path(path_type=Path))
@click.option("--examples", default=0, metavar="N", help="Print so many sentences of each track with the reference.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), metavar="FILE", help="Write the results there.")
@click.option("--save", is_flag=True, help="Write them to benchmarks/results/complete-DATE.json.")
def main(
    *,
    model: str,
    quick: bool,
    only: tuple[str, ...],
    wordnet: Path,
    examples: int,
    json_file: Path | None,
    save: bool,
) -> None:
    """Measure every stage and both tracks (FERGUS_DATA, by default ../shared/data)."""
    data, out = data_folder(), tables.console()
    if not data.is_dir():
        raise click.ClickException(f"there is no data at {data}; set FERGUS_DATA")
    if "words" in (only or PARTS) and not (wordnet / "index.noun").is_file():
        raise click.ClickException(f"there is no WordNet at {wordnet}; on Debian: apt-get install wordnet-base")
    most = QUICK if quick else None
    parts: dict[str, Callable[[], Figures]] = {
        "inflection": lambda: inflection_figures(data, most),
        "text": lambda: text_figures(data, most),
        "partut": lambda: partut_figures(data, most, examples),
        "ewt": lambda: ewt_figures(model, data, most, examples),
        "deep": lambda: deep_figures(model, data, most, examples),
        "agreement": lambda: agreement_figures(data, model, most),
        "punctuation": lambda: punctuation_figures(data, most),
        "words": lambda: word_figures(data, wordnet, most),
        "languages": lambda: language_figures(data, most),
    }
    figures: Figures = {}
    try:
        for name in only or PARTS:
            click.echo(f"{name} ...", err=True)
            figures |= parts[name]()
    except FergusError as error:
        raise click.ClickException(str(error)) from error
    out.print(table(figures), "", tables.LEGEND, sep="\n")
    rows = [described(name, value) for name, value in figures.items()]
    heading = results.heading("complete", sys.argv[1:])
    results.keep({**heading, "model": results.without_folder(model), "results": rows}, json_file=json_file, save=save)


def part(data: Path, name: str, which: str, most: int | None = None) -> list[OrderedTree]:
    """A part of a treebank, or its first sentences."""
    return list(read_trees(data / "ud" / f"{name}-{which}.conllu"))[:most]


def inflection_figures(data: Path, most: int | None) -> Figures:
    """Forms from lemma, category and features, in the sentence."""
    found: Figures = {}
    for name, treebank in (("EWT", "en_ewt"), ("Sequoia", "fr_sequoia"), ("IMST", "tr_imst")):
        with progress_bars(shown=True) as progress:
            exceptions, text_pairs = inflection.exceptions_of(treebank), inflection.text_of(treebank)
            train = part(data, treebank, "train")
            model = learn_inflection(train, exceptions=exceptions, text=text_pairs, progress=progress)
        measured = inflection.measured(model, part(data, treebank, "dev", most))
        found[f"inflection, {name}"] = 100 * measured["in the sentence"]["accuracy"]
    return found


def text_figures(data: Path, most: int | None) -> Figures:
    """Words as they were written."""
    train, dev = part(data, "en_ewt", "train"), part(data, "en_ewt", "dev", most)
    slips = Slips.learned(train)
    rows = text.joining_rows(train, dev, [slips.has_one(ordered) for ordered in dev])
    return {"gold tokens to text, EWT": 100 * rows["learned, all labels"]["exact"]}


def partut_figures(data: Path, most: int | None, examples: int) -> Figures:
    """Both tracks of the shared task with a model of their training files alone."""
    folder = data / PARTUT
    deep = folder / "T2-en_partut-ud-train_DEEP.conllu"
    model = treebank_model("en_partut", folder / "UD-en_partut-ud-train.conllu", deep=deep)
    references = list(read_trees(folder / "UD-en_partut-ud-dev.conllu"))[:most]
    found: Figures = {}
    for track, file in (("T1", "T1-en_partut-ud-dev.conllu"), ("T2", "T2-en_partut-ud-dev_DEEP.conllu")):
        trees = [item.tree for item in read_trees(folder / file)][:most]
        found |= track_figures(f"{track} en_partut", model, trees, references, examples)
    return found


def ewt_figures(model: str, data: Path, most: int | None, examples: int) -> Figures:
    """The shallow track made from EWT, with the shared task's hints and without."""
    references = part(data, "en_ewt", "dev", most)
    found: Figures = {}
    for name, hints in (("T1 EWT", True), ("T1 EWT without hints", False)):
        random = Random(SHUFFLE_SEED)
        blocks = (write_t1(item, random=random, tells_forms=False, hints=hints) for item in references)
        trees = t1_trees("".join(blocks))
        found |= track_figures(name, model, trees, references, examples)
    found.pop("T1 EWT without hints, sentences a second")
    return found


def deep_figures(model: str, data: Path, most: int | None, examples: int) -> Figures:
    """The deep track made from EWT, and the same with some function words given."""
    references = part(data, "en_ewt", "dev", most)
    found: Figures = {}
    for name, trees in function_words.deep_trees(references).items():
        found |= track_figures(name, model, trees, references, examples)
    return {name: value for name, value in found.items() if name in BARS}


def t1_trees(written: str) -> list[DependencyTree]:
    """The trees of a T1 file."""
    trees = []
    for result in parse_t1(BytesIO(written.encode())):
        if isinstance(result, FergusError):
            raise result
        trees.append(result.tree)
    return trees


def track_figures(
    name: str, model: str | Path, trees: Sequence[DependencyTree], references: Sequence[OrderedTree], examples: int
) -> Figures:
    """BLEU in small letters, and speed on one core once a few sentences have been made."""
    realizer = load(model)
    for tree in trees[:20]:
        realizer.realize(tree)
    started = time.perf_counter()
    outputs = [realizer.realize(tree).tokens for tree in trees]
    seconds = time.perf_counter() - started
    for output, reference in zip(outputs[:examples], references, strict=False):
        click.echo(f"{name}\n  {' '.join(output)}\n  {' '.join(reference.forms)}")
    score = bleu(lines(outputs), lines(item.forms for item in references))
    return {f"{name}, BLEU": score, f"{name}, sentences a second": len(trees) / seconds}


def lines(sentences: Iterable[Sequence[str]]) -> list[str]:
    """Tokens in small letters with spaces between."""
    return [" ".join(tokens).lower() for tokens in sentences]


def bleu(outputs: Sequence[str], references: Sequence[str]) -> float:
    """sacreBLEU's BLEU of tokens as they are."""
    import sacrebleu

    return float(sacrebleu.corpus_bleu(outputs, [references], tokenize="none", force=True).score)


def agreement_figures(data: Path, model: str, most: int | None) -> Figures:
    """Forms of words whose features are only in part given."""
    found, without = agreement.shares(load(model), part(data, "en_ewt", "dev", most))
    return {
        "forms of partial features, EWT": 100 * found,
        "forms of partial features, EWT, without agreement": 100 * without,
    }


def punctuation_figures(data: Path, most: int | None) -> Figures:
    """Marks put back into sentences without them."""
    rows, _, _ = punctuation.punctuation_rows(part(data, "en_ewt", "train"), part(data, "en_ewt", "dev", most))
    learned = rows["learned, all labels"]
    told = rows[punctuation.TOLD]
    return {
        "final mark, EWT": 100 * learned["final"],
        "marks with position, EWT, F1": learned["f1"],
        "final mark, EWT, clause type told": 100 * told["final"],
        "marks with position, EWT, clause type told, F1": told["f1"],
        "marks with position, EWT, fragments told too, F1": rows[punctuation.FRAGMENTS_TOLD]["f1"],
    }


def word_figures(data: Path, wordnet: Path, most: int | None) -> Figures:
    """The original word among its synonyms."""
    cases = list(words.cases_of(part(data, "en_ewt", "dev", most), read_wordnet(wordnet)))
    rows = words.measured(part(data, "en_ewt", "train"), list(words.read_text(data)), cases)
    return {"word among synonyms, EWT, points above most frequent": 100 * rows[words.MODEL]["above"]}


def language_figures(data: Path, most: int | None) -> Figures:
    """Order with all labels given, by models of the treebanks' training parts alone."""
    found: Figures = {}
    for name, treebank in (("Sequoia", "fr_sequoia"), ("IMST", "tr_imst")):
        realizer = load(treebank_model(treebank, data / "ud" / f"{treebank}-train.conllu"))
        cases = shuffled(part(data, treebank, "dev", most))
        outputs = [" ".join(realizer.realize(case.tree).tokens) for case in cases]
        score = bleu(outputs, [" ".join(case.ordered.forms) for case in cases])
        found[f"order with labels, {name}, BLEU"] = score
    return found


def described(name: str, value: float) -> dict[str, Any]:
    """A figure with what is asked of it."""
    bar, peer = BARS[name]
    asked = {key: number["value"] for key, number in (("at_least", bar.at_least), ("aim", bar.aim)) if number}
    return {"figure": name, "value": round(value, 4), **asked, "verdict": bar.verdict("value", value), "peer": peer}


def table(figures: Figures) -> Table:
    """All figures with their bars."""
    shown = Table(title="The whole realizer", box=tables.console_box())
    for column in ("figure", "measured", "at least", "aim", "", "beside it"):
        shown.add_column(column, justify="right" if column in ("measured", "at least", "aim") else "left")
    for name, value in figures.items():
        row = described(name, value)
        asked = [f"{row[key]:g}" if key in row else "" for key in ("at_least", "aim")]
        measured = f"{value:.3f}" if value < 1 else f"{value:.2f}"
        shown.add_row(name, measured, *asked, row["verdict"], row["peer"])
    return shown


if __name__ == "__main__":
    main()
