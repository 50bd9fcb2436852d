"""Lexical choice on EWT dev: is the original word picked from its WordNet synonyms? Learned from EWT train and text.

    python benchmarks/words.py [--wordnet FOLDER] [--quick] [--no-text] [--json FILE] [--save]

Every content word (NOUN, VERB, ADJ, ADV) that has a synonym of one word in WordNet is a case; the candidates are its
lemma and all synonyms in all of its senses. The language model reads the sentence in its order, with the candidate
inflected; an "a" or "an" before it may change. Tables go to standard output, progress to standard error.
"""

from __future__ import annotations

import lzma
import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import click
import numpy as np
from rich.table import Table
from rich.text import Text

import results
import tables
from bars import Bar
from fergus.core.tree import DependencyTree, OrderedTree
from fergus.errors import FergusError
from fergus.lm import NgramModel, count_ngrams
from fergus.lm.tokenize import normalise, sentences
from fergus.realize.choose_words import WordChooser
from fergus.realize.inflect import Inflector
from fergus.realize.learn_inflection import learn_inflection
from fergus.realize.learn_words import learn_words
from fergus.realize.synonyms import Synonyms
from fergus.realize.train_order import language_model
from fergus.realize.training_settings import DEFAULT_SETTINGS
from fergus.realize.word_model import words_from, words_section
from fergus.realize.wordnet import FILES, read_wordnet
from fergus.treebank import read_trees
from held_out import data_folder
from text import stored_bytes

WORDNET = Path("/usr/share/wordnet")
QUICK = 300
LM_WEIGHT = 0.1
"""Of the language model beside the word model (natural logarithms); chosen on a held-out tenth of the training part."""
BAR = Bar({"above": 0.05}, {"above": 0.15})
MODEL = "word and language model"


@dataclass(frozen=True)
class Case:
    """A content word and what might stand in its place; the first candidate is the word itself."""

    ordered: OrderedTree
    node: int
    candidates: tuple[str, ...]

    @property
    def upos(self) -> str:
        return self.ordered.tree.nodes[self.node].upos or ""


@click.command()
@click.option("--wordnet", type=click.Path(path_type=Path), default=WORDNET, show_default=True, help="The database.")
@click.option("--quick", is_flag=True, help=f"The first {QUICK} sentences of the development part.")
@click.option("--no-text", is_flag=True, help="Learn from the treebank alone.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), metavar="FILE", help="Write the results there.")
@click.option("--save", is_flag=True, help="Write them to benchmarks/results/words-DATE.json.")
def main(*, wordnet: Path, quick: bool, no_text: bool, json_file: Path | None, save: bool) -> None:
    """Measure lexical choice (FERGUS_DATA, by default ../shared/data)."""
    data, out = data_folder(), tables.console()
    if not data.is_dir():
        raise click.ClickException(f"there is no data at {data}; set FERGUS_DATA")
    try:
        synonyms = read_wordnet(wordnet)
    except FergusError as error:
        raise click.ClickException(str(error)) from error
    train, dev = (list(read_part(data, part)) for part in ("train", "dev"))
    text = [] if no_text else list(read_text(data))
    cases = list(cases_of(dev[: QUICK if quick else None], synonyms))
    rows = measured(train, text, cases)
    out.print(score_table(rows, cases), "", tables.LEGEND, sep="\n")
    shares = {"cases": len(cases), "candidates": float(np.mean([len(case.candidates) for case in cases]))}
    bars = {"at_least": BAR.at_least, "aim": BAR.aim, "verdict": BAR.verdict("above", rows[MODEL]["above"])}
    rounded = {system: {key: round(value, 4) for key, value in row.items()} for system, row in rows.items()}
    record = {**results.heading("words", sys.argv[1:]), **shares, "systems": rounded, **bars}
    results.keep(record, json_file=json_file, save=save)


def read_part(data: Path, part: str) -> Iterable[OrderedTree]:
    return read_trees(data / "ud" / f"en_ewt-{part}.conllu")


def read_text(data: Path) -> Iterable[list[str]]:
    click.echo("reading text ...", err=True)
    with lzma.open(data / "text-en.txt.xz", "rt", encoding="utf-8") as stream:
        yield from sentences(stream)


def cases_of(trees: Iterable[OrderedTree], synonyms: Synonyms) -> Iterable[Case]:
    """Every content word that has synonyms, with them."""
    for ordered in trees:
        for index, node in enumerate(ordered.tree.nodes):
            if node.upos in FILES and node.lemma:
                lemma = node.lemma.lower()
                others = [other.lower() for other in synonyms.of(lemma, node.upos)]
                candidates = tuple(dict.fromkeys([lemma, *others]))
                if len(candidates) > 1:
                    yield Case(ordered, index, candidates)


def measured(
    train: Sequence[OrderedTree], text: Sequence[Sequence[str]], cases: Sequence[Case]
) -> dict[str, dict[str, float]]:
    """The accuracies of all systems; those of the models with their distance from the better baseline."""
    click.echo("training ...", err=True)
    frequencies = Counter(map(str.lower, chain.from_iterable(text)))
    started = time.perf_counter()
    model = learn_words(train, frequencies=frequencies)
    seconds = time.perf_counter() - started
    section = words_section(model)
    chooser = WordChooser(words_from(section))
    started = time.perf_counter()
    by_model = [np.array(chooser.scores(hidden(case), case.node, case.candidates)) for case in cases]
    rate = len(cases) / (time.perf_counter() - started)
    lm = language_model(train, count_ngrams(text, order=DEFAULT_SETTINGS.lm_order, lowercase=True), DEFAULT_SETTINGS)
    inflector = Inflector(learn_inflection(train))
    by_lm = [np.array([lm_score(case, word, lm, inflector) for word in case.candidates]) for case in cases]
    both = [own + LM_WEIGHT * other for own, other in zip(by_model, by_lm, strict=True)]
    rows = {f"most frequent, {name}": right(cases, scores) for name, scores in baselines(train, text, cases).items()}
    baseline = max(row["all"] for row in rows.values())
    costs = {"seconds": seconds, "kilobytes": stored_bytes(section) / 1e3, "cases_per_second": rate}
    for name, scores, extra in (
        ("language model", by_lm, {}),
        ("word model", by_model, costs),
        (MODEL, both, {}),
    ):
        row = right(cases, scores)
        rows[name] = {**row, "above": row["all"] - baseline, **extra}
    return rows


def hidden(case: Case) -> DependencyTree:
    """The tree without the word that is to be found."""
    tree = case.ordered.tree
    node = replace(tree.nodes[case.node], form="", lemma=None, xpos=None, misc=None)
    return replace(tree, nodes=(*tree.nodes[: case.node], node, *tree.nodes[case.node + 1 :]))


def lm_score(case: Case, word: str, lm: NgramModel, inflector: Inflector) -> float:
    """The natural log probability of the sentence with a candidate in the place of the word."""
    node, ordered = case.ordered.tree.nodes[case.node], case.ordered
    place = ordered.order.index(case.node)
    form = inflector.candidates(word, node.upos, node.feats, most=1)[0].form
    tokens = [normalise(token) for token in ordered.forms]
    tokens[place : place + 1] = form.split(" ")
    score = sum(lm.score(tokens))
    if place and (before := tokens[place - 1].lower()) in ("a", "an"):
        tokens[place - 1] = "an" if before == "a" else "a"
        score = max(score, sum(lm.score(tokens)))
    return score * math.log(10)


def baselines(
    train: Sequence[OrderedTree], text: Sequence[Sequence[str]], cases: Sequence[Case]
) -> dict[str, list[Any]]:
    """Frequencies: in the treebank, ties by text; and in both together. Ties that are left go by the alphabet."""
    of_text = Counter(token.lower() for sentence in text for token in sentence)
    of_treebank: Counter[tuple[str, str]] = Counter()
    readings: dict[str, Counter[tuple[str, str]]] = {}
    for ordered in train:
        for node in ordered.tree.nodes:
            key = ((node.lemma or node.form).lower(), node.upos or "")
            of_treebank[key] += 1
            readings.setdefault(node.form.lower(), Counter())[key] += 1
    in_text: Counter[tuple[str, str]] = Counter()
    for token, count in of_text.items():
        if token in readings:
            total = readings[token].total()
            for key, times in readings[token].items():
                in_text[key] += count * times / total  # type: ignore[assignment]

    def frequency(word: str, upos: str) -> float:
        return in_text[word, upos] + (0 if word in readings else of_text[word])

    def ranks(key: Callable[[str, str], Any]) -> list[Any]:
        scores = []
        for case in cases:
            order = sorted(sorted(case.candidates, reverse=True), key=lambda word: key(word, case.upos))
            scores.append(np.array([order.index(word) for word in case.candidates]))
        return scores

    return {
        "treebank": ranks(lambda word, upos: (of_treebank[word, upos], frequency(word, upos))),
        "treebank and text": ranks(lambda word, upos: of_treebank[word, upos] + frequency(word, upos)),
    }


def right(cases: Sequence[Case], scores: Sequence[Any]) -> dict[str, float]:
    """How many words are picked again, in all and by category."""
    picked = [int(np.argmax(own)) == 0 for own in scores]
    row = {"all": float(np.mean(picked))}
    for category in FILES:
        own = [hit for hit, case in zip(picked, cases, strict=True) if case.upos == category]
        row[category] = float(np.mean(own)) if own else math.nan
    return row


def score_table(rows: dict[str, dict[str, float]], cases: Sequence[Case]) -> Table:
    """Accuracies by system."""
    candidates = np.mean([len(case.candidates) for case in cases])
    title = f"EWT dev: {len(cases):,} content words, {candidates:.1f} candidates each; the original word is picked"
    table = Table(title=title, title_justify="left", box=None)
    columns = {
        **{name: (name, "{:.2%}") for name in ("all", *FILES)},
        "above": ("above", "{:+.2%}"),
        "seconds": ("s", "{:.0f}"),
        "kilobytes": ("kB", "{:.0f}"),
        "cases_per_second": ("words/s", "{:,.0f}"),
    }
    table.add_column("system", no_wrap=True)
    for heading, _ in columns.values():
        table.add_column(heading, justify="right")
    for system, row in rows.items():
        cells = []
        for key, (_, form) in columns.items():
            value = row.get(key)
            verdict = BAR.verdict(key, value) if value is not None and system == MODEL else ""
            mark, style = tables.MARKS[verdict]
            cells.append(Text("" if value is None else f"{form.format(value)} {mark}", style))
        table.add_row(system, *cells)
    return table


if __name__ == "__main__":
    main()
