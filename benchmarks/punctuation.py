"""Punctuation restored on the development part of three treebanks, learned from their training parts, beside baselines.

    python benchmarks/punctuation.py [--quick] [--only TREEBANK]... [--examples N] [--json FILE] [--save]

Marks are taken out of the gold sentences (what depended on one depends on its head); order and labels are given. A
mark counts as right between the same two words. Sentences of nothing but marks stay in: no system is asked about them,
all of their marks count as missed and their ends as wrong. Tables go to standard output, progress to standard error.

The *final mark* is asked of sentences that end in one: a quarter of EWT's do not, for no reason that the words tell.
Right is the right kind of the last one: a question's (*?*, *??*, *?!*), an exclamation's (*!*, *!!*), a statement's
(*.*, and *..*, *...* with it); quotes, brackets and other marks beside it are set aside. Beside this figure stand: of
all sentences, the right kind or rightly none (*or none*); all marks of the end but for quotes and brackets the same
(*pairs aside*); all marks of the end the same (*whole end*).

*Clause type told*: the input says whether the sentence is a statement, a question or an exclamation, as deep trees do
(``ClauseType``, which the shared tasks made of the mark itself); of sentences without a mark at the end nothing is
said. *Fragments too*: of these it is said that they are fragments.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

import results
import tables
from bars import Bar
from fergus.core.deep import CLAUSE_TYPE, FRAGMENT, clause_type, end_of, without_clause_type
from fergus.core.tree import DependencyTree, Node, OrderedTree
from fergus.realize.learn_punctuation import learn_punctuation
from fergus.realize.punctuate import Punctuator, with_marks
from fergus.realize.punctuation_marks import SENTENCE_ENDS, is_of_a_pair, without_marks
from fergus.realize.punctuation_model import punctuation_from, punctuation_section
from fergus.treebank import read_trees
from fergus.treebank.deep_conversion import clause_type_of
from held_out import data_folder
from text import QUICK, TREEBANKS, stored_bytes, verdict_of

REPEATS = 3
BARS = {
    ("en_ewt", "learned, all labels"): Bar(
        {"final": 0.94, "f1": 0.72, "sentences_per_second": 2000, "seconds": 90, "kilobytes": 1200},
        {"final": 0.97, "f1": 0.85},
    ),
}
COLUMNS = {
    "final": ("final mark", "{:.2%}"),
    "final_or_none": ("or none", "{:.2%}"),
    "final_whole": ("whole end", "{:.2%}"),
    "final_but_for_pairs": ("pairs aside", "{:.2%}"),
    "f1": ("F1", "{:.4f}"),
    "precision": ("precision", "{:.4f}"),
    "recall": ("recall", "{:.4f}"),
    "exact": ("exact", "{:.2%}"),
    "sentences_per_second": ("sentences/s", "{:,.0f}"),
    "seconds": ("training s", "{:.1f}"),
    "kilobytes": ("kB", "{:.0f}"),
}
KINDS_SHOWN = 14
SENTENCE_FIGURES = ("final_or_none", "final_whole", "final_but_for_pairs", "exact")
CLAUSES = frozenset({"advcl", "obl"})

TOLD, FRAGMENTS_TOLD = "learned, clause type told", "learned, fragments told too"

Gaps = tuple[tuple[str, ...], ...]
Restore = Callable[[OrderedTree], OrderedTree]


@dataclass
class Tally:
    """Marks found, wrongly put and missed, by kind; sentences."""

    right: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    sentences: int = 0
    ended: int = 0
    """Sentences whose end has a sentence-final mark."""
    final: int = 0
    """Of these, where the last one is of the right kind."""
    final_or_none: int = 0
    final_whole: int = 0
    final_but_for_pairs: int = 0
    exact: int = 0

    def add(self, found: Gaps, gold: Gaps) -> None:
        """Count one sentence."""
        self.sentences += 1
        self.exact += found == gold
        kind = end_kind(gold[-1])
        self.ended += bool(kind)
        self.final += bool(kind) and end_kind(found[-1]) == kind
        self.final_or_none += end_kind(found[-1]) == kind
        self.final_whole += found[-1] == gold[-1]
        self.final_but_for_pairs += _without_pairs(found[-1]) == _without_pairs(gold[-1])
        for ours, theirs in zip(found, gold, strict=True):
            common = Counter(ours) & Counter(theirs)
            self.right += common
            self.wrong += Counter(ours) - common
            self.missed += Counter(theirs) - common

    def add_unasked(self, gold: Gaps) -> None:
        """Count a sentence of nothing but marks."""
        self.sentences += 1
        self.ended += bool(end_kind(gold[-1]))
        self.missed.update(mark for gap in gold for mark in gap)

    def shares(self) -> dict[str, float]:
        """What is counted by sentence."""
        count = max(self.sentences, 1)
        of_all = {name: getattr(self, name) / count for name in SENTENCE_FIGURES}
        return {"final": self.final / max(self.ended, 1), **of_all}

    def figures(self, mark: str | None = None) -> dict[str, float]:
        """Precision, recall and F1, of one kind of mark or of all."""
        counts = (self.right, self.wrong, self.missed)
        right, wrong, missed = (c[mark] if mark is not None else c.total() for c in counts)
        return {
            "precision": right / max(right + wrong, 1),
            "recall": right / max(right + missed, 1),
            "f1": 2 * right / max(2 * right + wrong + missed, 1),
        }


def end_kind(marks: Sequence[str]) -> str:
    """What ends the sentence, if it is a sentence-final mark: ``?``, ``!``, ``.``, or nothing; a colon is none here."""
    kind = end_of(marks)
    return kind if kind in SENTENCE_ENDS else ""


def _without_pairs(marks: Sequence[str]) -> list[str]:
    return [mark for mark in marks if not is_of_a_pair(mark)]


def measured(
    restore: Restore, dev: Sequence[OrderedTree], *, tells: bool = False, untold: str = ""
) -> tuple[dict[str, float], Tally]:
    """The figures of a system that puts marks into sentences, and all counts.

    If the input ``tells``, the root has the type of the clause, as deep trees do; where these say nothing, ``untold``.
    """
    cases = [without_marks(stripped_of_misc(ordered)) for ordered in dev]
    if tells:
        kinds = [clause_type_of(ordered) or untold for ordered in dev]
        cases = [(words and telling(words, kind), gold) for (words, gold), kind in zip(cases, kinds, strict=True)]
    asked = [(words, gold) for words, gold in cases if words is not None]
    outputs = [restore(words) for words, _ in asked]
    best = float("inf")
    for _ in range(REPEATS):
        started = time.process_time()  # other processes are not the system's fault
        for words, _ in asked:
            restore(words)
        best = min(best, time.process_time() - started)
    tally = Tally()
    for output, (words, gold) in zip(outputs, asked, strict=True):
        tally.add(new_marks(output, words), gold)
    for words_left, gold in cases:
        if words_left is None:
            tally.add_unasked(gold)
    return {**tally.shares(), **tally.figures(), "sentences_per_second": len(asked) / best}, tally


def telling(sentence: OrderedTree, kind: str) -> OrderedTree:
    """The sentence with the type of its clause at the root, if it has one."""
    nodes = list(sentence.tree.nodes)
    root = nodes[sentence.tree.root]
    if kind:
        nodes[sentence.tree.root] = replace(root, feats=(*(root.feats or ()), (CLAUSE_TYPE, kind)))
    return replace(sentence, tree=replace(sentence.tree, nodes=tuple(nodes)))


def as_told(punctuator: Punctuator, sentence: OrderedTree) -> OrderedTree:
    """The sentence with marks, the type of its clause being known."""
    words = replace(sentence, tree=without_clause_type(sentence.tree))
    return punctuator.punctuate(words, clause_type=clause_type(sentence.tree))


def new_marks(output: OrderedTree, words: OrderedTree) -> Gaps:
    """The marks that were put into a sentence, by gap."""
    gaps: list[list[str]] = [[]]
    for index in output.order:
        if index < len(words.tree):
            gaps.append([])
        else:
            gaps[-1].append(output.tree.nodes[index].form)
    return tuple(map(tuple, gaps))


def stripped_of_misc(ordered: OrderedTree) -> OrderedTree:
    """The same sentence without what tells how it was written: spaces, the text itself."""
    tree = ordered.tree
    nodes = tuple(Node(n.form, n.lemma, n.upos, n.xpos, n.feats, n.deprel) for n in tree.nodes)
    return OrderedTree(DependencyTree(nodes, tree.heads), ordered.order)


def with_two_labels(ordered: OrderedTree) -> OrderedTree:
    """The same sentence with UPOS and relations only."""
    nodes = tuple(Node(n.form, upos=n.upos, deprel=n.deprel) for n in ordered.tree.nodes)
    return OrderedTree(DependencyTree(nodes, ordered.tree.heads), ordered.order)


def bare(ordered: OrderedTree) -> OrderedTree:
    """The same sentence without labels."""
    return OrderedTree(ordered.tree.bare(), ordered.order)


def final_period(ordered: OrderedTree) -> OrderedTree:
    """The first baseline: a period ends every sentence."""
    return with_marks(ordered, [*([()] * len(ordered.order)), (".",)])


def by_rule(ordered: OrderedTree) -> OrderedTree:
    """The second: also commas before *cc*, or *conj* without one, and after an advcl or obl before the root."""
    words = [ordered.tree.nodes[index] for index in ordered.order]
    heads, last = ordered.head_places, list(range(len(words)))
    for place in range(len(words)):
        at = place
        while heads[at] >= 0 and last[heads[at]] < place:
            at = heads[at]
            last[at] = place
    gaps: list[tuple[str, ...]] = [() for _ in range(len(words) + 1)]
    for place, word in enumerate(words):
        relation = (word.deprel or "").partition(":")[0]
        before = (words[place - 1].deprel or "") if place else ""
        if place and (relation == "cc" or (relation == "conj" and before != "cc")):
            gaps[place] = (",",)
        root_ahead = heads[place] >= 0 and heads[heads[place]] < 0 and heads[place] > place
        if relation in CLAUSES and root_ahead and last[place] < heads[place]:
            gaps[last[place] + 1] = (",",)
    gaps[-1] = (".",)
    return with_marks(ordered, gaps)


@click.command()
@click.option("--quick", is_flag=True, help=f"The first {QUICK} sentences of each development part.")
@click.option("--only", multiple=True, type=click.Choice(tuple(TREEBANKS)), help="One treebank; may be repeated.")
@click.option("--examples", default=0, metavar="N", help="Print so many sentences, {gold>ours} where they differ.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), metavar="FILE", help="Write the results there.")
@click.option("--save", is_flag=True, help="Write them to benchmarks/results/punctuation-DATE.json.")
def main(*, quick: bool, only: tuple[str, ...], examples: int, json_file: Path | None, save: bool) -> None:
    """Measure how marks are restored (FERGUS_DATA, by default ../shared/data)."""
    data, out = data_folder(), tables.console()
    if not data.is_dir():
        raise click.ClickException(f"there is no data at {data}; set FERGUS_DATA")
    record: dict[str, Any] = {}
    for name in only or TREEBANKS:
        click.echo(f"{name}: training ...", err=True)
        train = list(read_trees(data / "ud" / f"{name}-train.conllu"))
        dev = list(read_trees(data / "ud" / f"{name}-dev.conllu"))[: QUICK if quick else None]
        rows, tally, punctuator = punctuation_rows(train, dev)
        record[name] = {
            "sentences": len(dev),
            "systems": {system: described(name, system, figures) for system, figures in rows.items()},
            "marks": {mark: _rounded(tally, mark) for mark in _kinds(tally)},
        }
        out.print(score_table(name, rows, len(dev)), "", kind_table(tally), "", sep="\n")
        for ordered in dev[:examples]:
            out.print(compared(punctuator.punctuate, ordered), markup=False, highlight=False)
    out.print(tables.LEGEND)
    results.keep({**results.heading("punctuation", sys.argv[1:]), **record}, json_file=json_file, save=save)


def punctuation_rows(
    train: Sequence[OrderedTree], dev: Sequence[OrderedTree]
) -> tuple[dict[str, dict[str, float]], Tally, Punctuator]:
    """Two baselines and the learned model with all labels, with two of them, with none."""
    learn_punctuation(train[:400])  # compiled code is loaded before the clock starts
    started = time.process_time()
    learned = learn_punctuation(train)
    seconds = time.process_time() - started
    if learned is None:
        raise click.ClickException("the treebank has no punctuation")
    section = punctuation_section(learned)
    punctuator = Punctuator(punctuation_from(section))
    figures, tally = measured(punctuator.punctuate, dev)
    rows = {
        "a period at the end": measured(final_period, dev)[0],
        "that, and commas by rule": measured(by_rule, dev)[0],
        "learned, all labels": {**figures, "seconds": seconds, "kilobytes": stored_bytes(section) / 1e3},
        TOLD: measured(lambda s: as_told(punctuator, s), dev, tells=True)[0],
        FRAGMENTS_TOLD: measured(lambda s: as_told(punctuator, s), dev, tells=True, untold=FRAGMENT)[0],
        "learned, always an end": measured(Punctuator(punctuator.model, always_end=True).punctuate, dev)[0],
        "learned, UPOS and relation": measured(lambda s: punctuator.punctuate(with_two_labels(s)), dev)[0],
        "learned, no labels": measured(lambda s: punctuator.punctuate(bare(s)), dev)[0],
    }
    return rows, tally, punctuator


def compared(restore: Restore, ordered: OrderedTree) -> str:
    """A sentence as it was restored, {gold>ours} in the gaps that differ."""
    sentence, gold = without_marks(stripped_of_misc(ordered))
    if sentence is None:
        return " ".join(ordered.forms)
    ours = new_marks(restore(sentence), sentence)
    pieces: list[str] = []
    for place, (mine, theirs) in enumerate(zip(ours, gold, strict=True)):
        pieces += mine if mine == theirs else ["{" + " ".join(theirs) + ">" + " ".join(mine) + "}"]
        pieces += sentence.forms[place : place + 1]
    return " ".join(pieces)


def described(name: str, system: str, figures: dict[str, float]) -> dict[str, Any]:
    """Figures with what was asked of them."""
    bar = BARS.get((name, system), Bar())
    verdicts = {key: verdict for key, value in figures.items() if (verdict := verdict_of(bar, key, value))}
    extras = {"at_least": bar.at_least, "aim": bar.aim, "verdicts": verdicts}
    return {**{key: round(value, 4) for key, value in figures.items()}, **{k: v for k, v in extras.items() if v}}


def _kinds(tally: Tally) -> list[str]:
    counts = tally.right + tally.missed
    return sorted(counts, key=lambda mark: (-counts[mark], mark))[:KINDS_SHOWN]


def _rounded(tally: Tally, mark: str) -> dict[str, float]:
    figures = {name: round(value, 4) for name, value in tally.figures(mark).items()}
    return {"count": tally.right[mark] + tally.missed[mark], **figures}


def score_table(name: str, rows: dict[str, dict[str, float]], sentences: int) -> Table:
    """A row a system."""
    table = Table(title=f"{TREEBANKS[name]} dev, {sentences:,} sentences", title_justify="left", box=None)
    table.add_column("marks restored")
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


def kind_table(tally: Tally) -> Table:
    """The most frequent marks of the treebank: how many there are, and how well they are restored."""
    table = Table(title="by kind of mark, learned with all labels", title_justify="left", box=None)
    for heading in ("mark", "in gold", "precision", "recall", "F1"):
        table.add_column(heading, justify="left" if heading == "mark" else "right")
    for mark in _kinds(tally):
        own = tally.figures(mark)
        count = tally.right[mark] + tally.missed[mark]
        table.add_row(mark, f"{count:,}", *(f"{own[name]:.3f}" for name in ("precision", "recall", "f1")))
    return table


if __name__ == "__main__":
    main()
