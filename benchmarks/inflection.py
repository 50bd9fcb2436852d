"""Accuracy, speed and size of inflection on three treebanks: lemma, category and all features given (dev).

    python benchmarks/inflection.py [--only TREEBANK]... [--json FILE]

Trained on the training part, and for English on text, which tells where *a* is *an*. Counted are all tokens but
punctuation, case ignored. *alone*: the best form of each word by itself; *in the sentence*: the words stand in their
order, and of each word's candidates the one that suits its neighbours is taken (a/an, d'/de, n't/not), the neighbours'
forms being guessed too, and words that the tree says were taken apart (goeswith) are. *table*: the most frequent form
of what was seen, else the commonest change of ending for these features, longest ending first.
Tables go to standard output, progress to standard error.
"""

from __future__ import annotations

import io
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import click
import numpy as np
from rich.table import Table
from rich.text import Text

import fergus
import results
import tables
from bars import Bar, Figures
from fergus.cli.progress import progress_bars
from fergus.cli.sentences import TextFiles
from fergus.core.tree import Node, OrderedTree
from fergus.errors import FergusError
from fergus.lm.count import NgramCounts, count_ngrams
from fergus.realize.exponents import shared_beginning
from fergus.realize.inflect import Inflector
from fergus.realize.inflection_lexicon import InflectionLexicon, lexicon_key, read_lexicon
from fergus.realize.inflection_model import InflectedForm, InflectionModel
from fergus.realize.inflection_sections import inflection_section
from fergus.realize.learn_inflection import learn_inflection
from fergus.realize.sandhi import FormChooser
from fergus.realize.syncretism import most_frequent
from fergus.realize.word_case import same_word
from fergus.realize.words_apart import WordSplitter
from fergus.treebank import read_trees
from held_out import data_folder

TREEBANKS = {"en_ewt": "EWT", "fr_sequoia": "French Sequoia", "tr_imst": "Turkish IMST"}
BARS = {
    "en_ewt": Bar(
        {"accuracy": 0.983, "tokens_per_second": 20_000, "seconds": 60, "megabytes": 1.5}, {"accuracy": 0.99}
    ),
    "fr_sequoia": Bar({"accuracy": 0.97, "tokens_per_second": 20_000, "seconds": 60}, {"accuracy": 0.985}),
    "tr_imst": Bar({"accuracy": 0.895, "tokens_per_second": 20_000, "seconds": 60}, {"accuracy": 0.94}),
}
SYSTEMS = ("table", "alone", "in the sentence")
COLUMNS = {
    "accuracy": "{:.2%}",
    "unseen": "{:.1%}",
    "seen": "{:.1%}",
    "tokens_per_second": "{:,.0f}",
    "cold_tokens_per_second": "{:,.0f}",
    "seconds": "{:.1f}",
    "megabytes": "{:.2f}",
}
Guess = Callable[[Sequence[Node]], list[str]]


@click.command()
@click.option("--only", multiple=True, type=click.Choice(tuple(TREEBANKS)), help="One treebank; may be repeated.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), metavar="FILE", help="Write the results there.")
def main(*, only: tuple[str, ...], json_file: Path | None) -> None:
    """Measure inflection on the dev parts of three treebanks (FERGUS_DATA, by default ../shared/data)."""
    data, out = data_folder() / "ud", tables.console()
    if not data.is_dir():
        raise click.ClickException(f"there is no data at {data}; set FERGUS_DATA")
    rows = []
    try:
        for treebank in only or TREEBANKS:
            train, dev = (list(read_trees(data / f"{treebank}-{part}.conllu")) for part in ("train", "dev"))
            click.echo(f"{treebank}: training ...", err=True)
            # The first training in a process compiles; it is not what is measured.
            learn_inflection(train[:50])
            exceptions, text = exceptions_of(treebank), text_of(treebank)
            started = time.perf_counter()
            with progress_bars(shown=True) as progress:
                model = learn_inflection(train, exceptions=exceptions, text=text, progress=progress)
            costs = {"seconds": time.perf_counter() - started, "megabytes": megabytes(model)}
            figures = measured(model, dev)
            figures["in the sentence"].update(costs)
            rows += [{"treebank": treebank, "system": system, **figures[system]} for system in SYSTEMS]
            out.print(table(treebank, figures), "")
    except FergusError as error:
        raise click.ClickException(str(error)) from error
    out.print(tables.LEGEND)
    if json_file:
        results.write(json_file, record(rows))
        click.echo(f"written: {json_file.name}", err=True)


def exceptions_of(treebank: str) -> InflectionLexicon:
    """The irregular forms that the shipped model of a treebank's language is told; other languages have none."""
    found = forms_of(treebank)
    return read_lexicon(found[0]) if found else InflectionLexicon()


def text_of(treebank: str) -> NgramCounts | None:
    """Pairs of words in the text that the shipped model of the language is given; other languages have none."""
    path = data_folder() / f"text-{treebank.partition('_')[0]}.txt.xz"
    if not path.exists():
        return None
    return count_ngrams(TextFiles([str(path)], lambda *_: None), order=2, lowercase=True)


def forms_of(treebank: str) -> list[Path]:
    """The table of irregular forms of a treebank's language, if there is one."""
    path = Path(fergus.__file__).parent / "models" / f"{treebank.partition('_')[0]}.forms.tsv"
    return [path] if path.exists() else []


def measured(model: InflectionModel, trees: Sequence[OrderedTree]) -> dict[str, dict[str, float]]:
    """The figures of the three systems."""
    sentences = [[ordered.tree.nodes[i] for i in ordered.order] for ordered in trees]
    inflector, chooser, splitter = Inflector(model), FormChooser(model.sandhi), WordSplitter(model.lexicon)

    def alone(nodes: Sequence[Node]) -> list[str]:
        return [own[0].form if own else "" for own in candidates(nodes)]

    def candidates(nodes: Sequence[Node]) -> list[tuple[InflectedForm, ...]]:
        return [
            inflector.inflect(node)
            if node.upos == "PUNCT" or node.upos is None
            else inflector.candidates(node.lemma or "", node.upos, node.feats, complete=True)
            for node in nodes
        ]

    def in_the_sentence(nodes: Sequence[Node]) -> list[str]:
        found = splitter.split(nodes, candidates(nodes))
        return [own[x].form if own else "" for own, x in zip(found, chooser.choose(nodes, found), strict=True)]

    suffixes = SuffixTable(model.lexicon)
    systems: dict[str, Guess] = {"table": suffixes.guess, "alone": alone, "in the sentence": in_the_sentence}
    figures = {}
    for name, guess in systems.items():
        guess(sentences[0])
        own = accuracies(model.lexicon, sentences, guess)
        cold = own.pop("tokens_per_second")
        if name != "table":
            own["cold_tokens_per_second"] = cold
            own["tokens_per_second"] = accuracies(model.lexicon, sentences, guess)["tokens_per_second"]
        figures[name] = own
        inflector = Inflector(model)
    return figures


def accuracies(lexicon: InflectionLexicon, sentences: Sequence[Sequence[Node]], guess: Guess) -> dict[str, float]:
    """How many tokens are right: all, those whose lemma and features were not seen in training, those seen."""
    started = time.perf_counter()
    guesses = [guess(nodes) for nodes in sentences]
    seconds = time.perf_counter() - started
    right: list[tuple[bool, bool]] = []
    for nodes, forms in zip(sentences, guesses, strict=True):
        for node, form in zip(nodes, forms, strict=True):
            if node.upos != "PUNCT":
                is_seen = lexicon_key(node.lemma, node.upos or "", node.feats) in lexicon.entries
                right.append((is_seen, same_word(form, node.form)))
    array = np.array(right)
    return {
        "tokens": float(len(array)),
        "unseen_tokens": float(np.sum(~array[:, 0])),
        "accuracy": float(array[:, 1].mean()),
        "unseen": float(array[~array[:, 0], 1].mean()),
        "seen": float(array[array[:, 0], 1].mean()),
        "tokens_per_second": sum(map(len, sentences)) / seconds,
    }


class SuffixTable:
    """The baseline: what was seen, else the commonest change of ending by category and features."""

    def __init__(self, lexicon: InflectionLexicon) -> None:
        self._lexicon = lexicon
        self._changes: dict[tuple[object, ...], Counter[tuple[str, str]]] = {}
        for (lemma, upos, feats), counts in lexicon.entries.items():
            form = most_frequent(counts)
            shared = shared_beginning(lemma, form)
            change = (lemma[shared:], form[shared:])
            for length in range(5):
                key = (upos, feats, length, lemma[len(lemma) - length :])
                self._changes.setdefault(key, Counter())[change] += 1

    def guess(self, nodes: Sequence[Node]) -> list[str]:
        """The form of every word."""
        return [self._form(node) for node in nodes]

    def _form(self, node: Node) -> str:
        lemma, upos, feats = lexicon_key(node.lemma, node.upos or "", node.feats)
        if counts := self._lexicon.entries.get((lemma, upos, feats)):
            return most_frequent(counts)
        for length in range(4, -1, -1):
            for (old, new), _ in self._changes.get(
                (upos, feats, length, lemma[len(lemma) - length :]), Counter()
            ).most_common():
                if lemma.endswith(old):
                    return lemma.removesuffix(old) + new
        return lemma


def megabytes(model: InflectionModel) -> float:
    """What the model takes in a model file."""
    section, stream = inflection_section(model), io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("section.json", repr(section.settings))
        for name, array in section.arrays.items():
            archive.writestr(name, array.tobytes())
    return len(stream.getvalue()) / 1e6


def table(treebank: str, figures: dict[str, dict[str, float]]) -> Table:
    """A treebank's rows."""
    counts = figures["alone"]
    title = f"{TREEBANKS[treebank]} dev: {counts['tokens']:,.0f} tokens, {counts['unseen_tokens']:,.0f} unseen"
    headings = {name: (name.replace("_per_", "/").replace("_", " "), form) for name, form in COLUMNS.items()}
    made = Table(title=title, title_justify="left", box=None, pad_edge=False)
    made.add_column("")
    for heading, _ in headings.values():
        made.add_column(heading, justify="right", no_wrap=True)
    for system in SYSTEMS:
        bar = BARS[treebank] if system == "in the sentence" else Bar()
        made.add_row(system, *(cell(figures[system], name, bar) for name in COLUMNS))
    for name, asked in (("bar", BARS[treebank].at_least), ("aim", BARS[treebank].aim)):
        made.add_row(f"  {name}", *(shown(asked, column) for column in COLUMNS), style="dim")
    return made


def cell(figures: dict[str, float], name: str, bar: Bar) -> Text:
    if name not in figures:
        return Text("")
    mark, style = tables.MARKS[bar.verdict(name, figures[name])]
    return Text(f"{COLUMNS[name].format(figures[name])} {mark}", style)


def shown(asked: Figures, name: str) -> str:
    return f"{COLUMNS[name].format(asked[name])}  " if name in asked else ""


def record(rows: list[dict[str, object]]) -> dict[str, object]:
    """Everything that was measured and how."""
    return {
        **results.heading("inflection", sys.argv[1:]),
        "bars": {name: {"at_least": bar.at_least, "aim": bar.aim} for name, bar in BARS.items()},
        "results": rows,
    }


if __name__ == "__main__":
    main()
