"""Rows of hypotheses and references through every metric, in chunks, so that memory does not grow with the text.

What is kept of a sentence are its statistics; the sentences themselves only where a report will show them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from fergus.cluster.chunks import HERE, Workers, chunked
from fergus.errors import InputError
from fergus.evaluation.accumulate import Accumulator
from fergus.evaluation.read import Record, SentenceFile, parallel
from fergus.evaluation.result import Evaluation
from fergus.evaluation.score_rows import Instruments, Scoring
from fergus.metrics.base import Metric
from fergus.metrics.segment import Sentence
from fergus.metrics.significance import SAMPLES, SEED, TRIALS, compare
from fergus.metrics.tokenization import Tokenization
from fergus.treebank.parse import Parser
from fergus.version import __version__

CHUNK = 2000
"""Rows that are scored at once: enough that the cost of a call does not matter."""

Report = Callable[[str, int, int], None]
"""Told the name of a job, how much of it is done, and how much there is (0: not known)."""


@runtime_checkable
class NeedsAllReferences(Protocol):
    """A metric that weighs references against one another before it can score."""

    def prepare(self, references: Iterable[Sentence]) -> None:
        """Look at all references."""
        ...


@dataclass(frozen=True)
class Row:
    """One sentence of every system, and the references that all of them are compared with."""

    hypotheses: tuple[Sentence, ...]
    references: tuple[Sentence, ...]
    identifier: str


@dataclass(frozen=True)
class Options:
    """How an evaluation is made."""

    samples: int = SAMPLES
    """Bootstrap samples for the intervals; 0 for none."""
    trials: int = TRIALS
    """Trials of the approximate randomisation."""
    seed: int = SEED
    has_comparisons: bool = False
    """Whether systems are compared with one another."""
    baseline: str | None = None
    """The system that the others are compared with; None for every pair."""
    keeps_texts: bool = False
    """Whether the result holds the sentences' text (for tables with a row a sentence) ..."""
    keeps_segments: bool = False
    """... or everything about them (for a report that draws alignments and trees)."""


def rows_of_files(systems: Sequence[SentenceFile], references: Sequence[SentenceFile]) -> Iterator[Row]:
    """The rows of parallel files; without reference files the references stand with the hypotheses."""
    for number, records in enumerate(parallel([*systems, *references]), 1):
        hypotheses, given = records[: len(systems)], records[len(systems) :]
        found = [reference for record in given for reference in (record.sentence, *record.references)]
        if not references:
            # Where several systems bring the same references along these are one set, not several.
            sets = {tuple(r.tokens for r in record.references): record.references for record in hypotheses}
            found = [reference for brought in sets.values() for reference in brought]
        identifier = next((record.identifier for record in records if record.identifier), str(number))
        yield Row(tuple(r.sentence for r in hypotheses), _usable(found, hypotheses, identifier), identifier)


def rows_of_lists(systems: Sequence[Sequence[Sentence]], references: Sequence[Sequence[Sentence]]) -> Iterator[Row]:
    """The rows of lists in memory: one of hypotheses for every system, one of references for every sentence."""
    for number, (hypotheses, given) in enumerate(zip(zip(*systems, strict=True), references, strict=True), 1):
        records = [Record(hypothesis) for hypothesis in hypotheses]
        yield Row(hypotheses, _usable(given, records, str(number)), str(number))


def prepare(
    metrics: Sequence[Metric],
    systems: Sequence[SentenceFile],
    references: Sequence[SentenceFile],
    *,
    tokenization: Tokenization,
    report: Report,
) -> None:
    """Show all references to the metrics that weigh them against one another (NIST), in a reading of their own."""
    asking = [metric for metric in metrics if isinstance(metric, NeedsAllReferences)]
    for metric in asking:
        if any(file.path == "-" or Path(file.path).is_fifo() for file in references or systems):
            raise InputError(
                f"{metric.title} reads the references twice, and standard input or a pipe can be read once",
                remedy="give a file, or other --metrics",
            )
        metric.prepare(_all_references(systems, references, tokenization, report))


def _all_references(
    systems: Sequence[SentenceFile],
    references: Sequence[SentenceFile],
    tokenization: Tokenization,
    report: Report,
) -> Iterator[Sentence]:
    rows = rows_of_files((), references) if references else rows_of_files(systems, ())
    for number, row in enumerate(rows, 1):
        if number % CHUNK == 0:
            report("references", number, 0)
        yield from (tokenization.cased(reference) for reference in row.references)


def evaluate(
    names: Sequence[str],
    rows: Iterable[Row],
    metrics: Sequence[Metric],
    *,
    parser: Callable[[], Parser] | None = None,
    tokenization: Tokenization,
    options: Options | None = None,
    settings: Mapping[str, str] | None = None,
    report: Report = lambda job, done, total: None,
    workers: Workers = HERE,
    made_there: Callable[[], Instruments] | None = None,
) -> Evaluation:
    """Every metric of every system, sentence by sentence and as a whole.

    ``parser`` loads what parses references; it is called only if a metric needs a tree that is not there.
    ``workers`` that are elsewhere make their metrics, tokenization and parser themselves, by ``made_there``.
    """
    import numpy as np

    options = options or Options()
    here = Instruments(metrics, tokenization, parser)
    keeps = options.keeps_texts, options.keeps_segments
    scoring = Scoring(lambda: here, *keeps) if made_there is None else Scoring(made_there, *keeps).like(metrics)
    tables = [Accumulator(name, metrics) for name in names]
    identifiers: list[str] = []
    reference_counts: set[int] = set()
    tree_sources: dict[str, None] = {}
    untokenized = lines = 0
    has_hypothesis_trees = has_reference_trees = False
    for part in workers.map(scoring, chunked(rows, CHUNK)):
        for table, scored in zip(tables, part.systems, strict=True):
            table.add(scored)
        identifiers += part.identifiers
        reference_counts |= part.reference_counts
        tree_sources.update(dict.fromkeys(part.tree_sources))
        untokenized, lines = untokenized + part.untokenized, lines + part.lines
        has_hypothesis_trees |= part.has_hypothesis_trees
        has_reference_trees |= part.has_reference_trees
        report("sentences", len(identifiers), 0)
    if not identifiers:
        raise InputError("there are no sentences", remedy="give files that are not empty")
    counts = sorted(reference_counts)
    context = {
        "references": "-".join(map(str, dict.fromkeys((counts[0], counts[-1])))),
        "trees": "+".join(tree_sources) or "none",
    }
    systems = []
    for number, table in enumerate(tables):
        report("intervals", number, len(tables))
        systems.append(table.result(context, samples=options.samples, seed=options.seed))
    report("intervals", len(tables), len(tables))
    comparisons = []
    if options.has_comparisons and len(systems) > 1:
        comparisons = compare(
            [
                metric
                for metric in metrics
                if not metric.is_yardstick and not all(np.isnan(s.scores[metric.name]).all() for s in systems)
            ],
            {system.name: system.statistics for system in systems},
            baseline=options.baseline,
            samples=options.samples or SAMPLES,
            trials=options.trials,
            seed=options.seed,
        )
    stated = {
        "version": __version__,
        "sentences": str(len(identifiers)),
        **context,
        "tokenization": tokenization.name,
        "case": tokenization.signature["case"],
        "samples": str(options.samples),
        "seed": str(options.seed),
        **({"trials": str(options.trials)} if comparisons else {}),
        **(settings or {}),
    }
    swapped = has_hypothesis_trees and not has_reference_trees
    return Evaluation(metrics, systems, identifiers, stated, comparisons, untokenized / lines, swapped)


def _usable(found: Sequence[Sentence], hypotheses: Sequence[Record], identifier: str) -> tuple[Sentence, ...]:
    """The references that are not empty; of several some may be."""
    filled = tuple(reference for reference in found if reference.tokens)
    if filled:
        return filled
    if found:
        raise InputError(
            f"the reference is empty (sentence {identifier}): no score is defined",
            path=found[0].source,
            remedy="give every sentence a reference, or leave it out of all files",
        )
    raise InputError(
        f"there is no reference (sentence {identifier})",
        path=hypotheses[0].sentence.source,
        remedy='name a file of references, or give them with the output: JSON lines with "references"',
    )
