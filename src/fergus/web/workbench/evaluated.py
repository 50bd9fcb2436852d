"""Files of outputs and references, evaluated for the page Evaluate exactly as ``fergus evaluate`` would."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, TypeVar

from fergus.core.distinct import distinct_names
from fergus.errors import InputError
from fergus.web.engine_limits import LimitError, Limits
from fergus.web.engine_worker import Loaded
from fergus.web.workbench.figures import Row, rows_of

if TYPE_CHECKING:
    from fergus.evaluation.result import Evaluation

T = TypeVar("T")
ADDRESS = "/workbench/evaluate"
METRICS = {
    "paper": "the paper’s: string, tree and learned accuracies",
    "peers": "BLEU, NIST, chrF, TER, ROUGE-L, fluency, …",
    "tags": "agreement of tags",
    "draft": "tree accuracies of the draft",
}
USUAL = ("paper", "peers")
TOKENIZERS = {
    "spaces": "it has spaces between tokens",
    "13a": "13a (sacreBLEU’s)",
    "intl": "intl (sacreBLEU’s)",
    "parser": "the parser’s own",
}
SAMPLES, SEED, TRIALS = 1000, 12345, 10_000
PARSER = "en"
PAGE, HTML, JSON, CSV, SCORES = "page", "report.html", "report.json", "sentences.csv", "scores.csv"
KINDS = {
    HTML: "text/html; charset=utf-8",
    JSON: "application/json",
    CSV: "text/csv; charset=utf-8",
    SCORES: "text/csv; charset=utf-8",
}
"""What can be downloaded."""
_COMPRESSED = (".gz", ".xz", ".bz2", ".zip")


@dataclass(frozen=True)
class Given:
    """A file as it was uploaded or pasted; its name says its format, and in scores whose it is."""

    name: str
    content: str

    @property
    def lines(self) -> int:
        """How many there are."""
        return self.content.count("\n") + (not self.content.endswith("\n") and bool(self.content))


@dataclass(frozen=True)
class Wanted:
    """What is to be evaluated, and how."""

    outputs: tuple[Given, ...] = ()
    references: tuple[Given, ...] = ()
    metrics: tuple[str, ...] = USUAL
    tokenize: str = "spaces"
    lowercase: bool = False
    samples: int = SAMPLES
    compare: bool = False


@dataclass(frozen=True)
class Evaluated:
    """What the page shows."""

    systems: tuple[str, ...]
    sentences: int
    scores: tuple[Row, ...]
    warnings: tuple[str, ...]
    table: str
    """As the command prints it, with comparisons and signatures."""
    milliseconds: float


def plain_name(name: str, default: str) -> str:
    """A file's name without folders, and without what would make it an option of a command.

    >>> plain_name("C:\\\\texts\\\\-my.txt", "output.txt")
    'my.txt'
    """
    last = PurePath(name.replace("\\", "/")).name
    kept = "".join(c for c in last if c.isprintable() and c not in "=,").strip().lstrip("-.")[:60]
    return kept or default


def page_of(loaded: Loaded, wanted: Wanted, limits: Limits) -> Evaluated:
    """Evaluate, for the page; raises FergusErrors."""
    from fergus.evaluation.tables import as_text

    started = time.perf_counter()
    evaluation = evaluated(loaded, wanted, limits)
    return Evaluated(
        systems=tuple(system.name for system in evaluation.systems),
        sentences=len(evaluation.identifiers),
        scores=rows_of(evaluation),
        warnings=tuple(evaluation.warnings),
        table=as_text(evaluation, has_warnings=False),
        milliseconds=1000 * (time.perf_counter() - started),
    )


def file_of(loaded: Loaded, wanted: Wanted, kind: str, limits: Limits) -> bytes:
    """Evaluate, for a download; raises FergusErrors."""
    from fergus.evaluation import json_report, tables
    from fergus.evaluation.html_report import html_report

    evaluation = evaluated(loaded, wanted, limits, kind=kind)
    if kind == HTML:
        return html_report(evaluation, command=command_of(wanted, HTML)).encode("utf-8", "backslashreplace")
    pieces = {JSON: json_report.json_pieces, CSV: tables.csv_rows, SCORES: tables.csv_of_scores}[kind](evaluation)
    return "".join(pieces).encode("utf-8", "backslashreplace")


def evaluated(loaded: Loaded, wanted: Wanted, limits: Limits, *, kind: str = PAGE) -> Evaluation:
    """The evaluation, as the command line makes it."""
    from fergus.evaluation.run import Options, evaluate, prepare, rows_of_files
    from fergus.evaluation.selection import chosen_names, make_metrics
    from fergus.evaluation.tokenizers import tokenization
    from fergus.web.workbench.memory_file import MemoryFile

    check(wanted, limits)
    how = tokenization(wanted.tokenize, lowercase=wanted.lowercase, parser=lambda: loaded.parser(PARSER))
    metrics = make_metrics(
        chosen_names(wanted.metrics),
        tokenization=how,
        language_model=lambda: loaded.language_model,
        parser=lambda: loaded.parser(PARSER),
        seed=SEED,
    )
    files, references = (
        [MemoryFile(one.name, "auto", how, one.content.encode("utf-8", "replace")) for one in given]
        for given in (wanted.outputs, wanted.references)
    )
    prepare(metrics, files, references, tokenization=how, report=lambda *_: None)
    return evaluate(
        distinct_names(file.name for file in files),
        limited(rows_of_files(files, references), limits),
        metrics,
        parser=lambda: loaded.parser(PARSER),
        tokenization=how,
        options=Options(
            wanted.samples,
            TRIALS,
            SEED,
            has_comparisons=wanted.compare and len(files) > 1,
            keeps_texts=kind in (JSON, CSV),
            keeps_segments=kind == HTML,
        ),
        settings={
            "systems": ", ".join(file.path for file in files),
            "reference_files": ", ".join(file.path for file in references),
        },
    )


def limited(rows: Iterator[T], limits: Limits) -> Iterator[T]:
    """The rows, as long as they are not too many."""
    for number, row in enumerate(rows, 1):
        if number > limits.sentences:
            raise LimitError(f"there are more than {limits.sentences:,} sentences; fergus evaluate takes any number")
        yield row


def check(wanted: Wanted, limits: Limits) -> None:
    """InputError for what cannot be evaluated."""
    if not wanted.outputs:
        raise InputError("there is no output", remedy="upload a file, or paste sentences")
    for given, what in ((wanted.outputs, "outputs"), (wanted.references, "references")):
        if len(given) > limits.systems:
            raise InputError(f"there are {len(given)} files of {what}", remedy=f"give {limits.systems} at most")
        for one in given:
            if one.name.lower().endswith(_COMPRESSED):
                raise InputError(
                    f"{one.name} is compressed", remedy="unpack it first; fergus evaluate reads it as it is"
                )


def command_of(wanted: Wanted, kind: str = PAGE) -> str:
    """The command line that does the same with the same files."""
    outputs, references = [one.name for one in wanted.outputs], [one.name for one in wanted.references]
    if wanted.compare and len(outputs) > 1:
        words = ["compare", *outputs, *(word for name in references for word in ("--references", name))]
    else:
        words = ["evaluate", *outputs[:1], *references, *(word for name in outputs[1:] for word in ("--system", name))]
    words += ["--metrics", ",".join(wanted.metrics)] if wanted.metrics != USUAL else []
    words += ["--tokenize", wanted.tokenize] if wanted.tokenize != "spaces" else []
    words += ["--lowercase"] if wanted.lowercase else []
    words += ["--samples", str(wanted.samples)] if wanted.samples != SAMPLES else []
    words += {
        PAGE: [],
        HTML: ["--html", HTML],
        JSON: ["--output", "json", "--out", JSON],
        CSV: ["--output", "csv", "--out", CSV],
        SCORES: ["--output", "csv-scores", "--out", SCORES],
    }[kind]
    return shlex.join(["fergus", *words])
