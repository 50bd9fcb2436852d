"""What ``fergus evaluate`` and ``fergus compare`` share: options, and the way from files to a report."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from fergus.cli.options import dask_option, named_file, out_option, quiet_option
from fergus.core.distinct import distinct_names
from fergus.models import DEFAULT_MODEL

if TYPE_CHECKING:
    from fergus.evaluation.read import SentenceFile
    from fergus.evaluation.result import Evaluation

TOKENIZERS = ("spaces", "13a", "intl", "zh", "char", "parser")
OUTPUTS = ("table", "json", "csv", "csv-scores", "latex")
KERNEL = "metrics/edit_kernel"
"""What every evaluation compiles at its first use."""
FILE_FORMATS = ("auto", "text", "conllu", "json")
MOST_SAMPLES = 100_000
"""Of the bootstrap and of the approximate randomisation: the sums of all of them are in memory at once."""

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--metrics",
        "--metric",
        "-m",
        multiple=True,
        metavar="LIST",
        help="Names, groups (paper, string, tree, learned, draft, peers, tags, all) or files of learned metrics, "
        "with commas between them.  [default: paper,peers]",
    ),
    click.option(
        "--tokenize",
        type=click.Choice(TOKENIZERS),
        default=TOKENIZERS[0],
        show_default=True,
        help="How plain text becomes tokens: spaces says that it is tokenised already, the next four are "
        "sacreBLEU's, parser is the parser's own. CoNLL-U and lists in JSON are tokenised.",
    ),
    click.option("--lowercase", is_flag=True, help="Compare tokens without regard to case."),
    click.option(
        "--file-format",
        "-f",
        type=click.Choice(FILE_FORMATS),
        default="auto",
        show_default=True,
        help="The format of all files; auto goes by each file's name, then by its first line.",
    ),
    click.option(
        "--parser",
        default=DEFAULT_MODEL,
        show_default=True,
        metavar="NAME|PATH|none",
        help="What parses references without trees and tags for tag agreement: a shipped parser, a UDPipe model, "
        "spacy:PIPELINE, or none.",
    ),
    click.option(
        "--language-model",
        default=DEFAULT_MODEL,
        show_default=True,
        metavar="NAME|PATH|none",
        help="The language model of fluency: a shipped model, a model file, an ARPA file, or none.",
    ),
    click.option(
        "--samples",
        type=click.IntRange(0, MOST_SAMPLES),
        default=1000,
        show_default=True,
        help="Bootstrap samples; 0 for no intervals.",
    ),
    click.option(
        "--seed", type=click.IntRange(0), default=12345, show_default=True, help="Where all randomness comes from."
    ),
    click.option("--json", "as_json", is_flag=True, help="The same as --output json."),
    click.option(
        "--output",
        type=click.Choice(OUTPUTS),
        default=OUTPUTS[0],
        show_default=True,
        help="A table for people; JSON with every sentence; CSV with a row a sentence, or a row a score; LaTeX.",
    ),
    click.option(
        "--html",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Also write a report with every sentence's alignment, as one HTML file.",
    ),
    dask_option,
    out_option,
    quiet_option,
)


def evaluation_options(command: F) -> F:
    """Add the options to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@dataclass(frozen=True)
class Choices:
    """The values of the options."""

    metrics: tuple[str, ...]
    tokenize: str
    lowercase: bool
    file_format: str
    parser: str
    language_model: str
    samples: int
    seed: int
    as_json: bool
    output: str
    html: Path | None
    dask: str | None
    quiet: bool

    @classmethod
    def of(cls, options: dict[str, Any]) -> Choices:
        """The choices that click collected."""
        return cls(**{field.name: options[field.name] for field in fields(cls)})


def run(
    systems: Sequence[str],
    references: Sequence[str],
    choices: Choices,
    *,
    out: Path | None,
    has_comparisons: bool,
    baseline: str | None = None,
    trials: int = 1,
) -> None:
    """Read, score, write."""
    from fergus.cli.choose_cluster import chosen_cluster
    from fergus.cli.evaluation_recipe import Recipe
    from fergus.cli.output import output_to
    from fergus.cli.progress import patience, progress_bars
    from fergus.cli.stated_command import stated_command
    from fergus.cluster.chunks import HERE
    from fergus.evaluation.read import SentenceFile
    from fergus.evaluation.run import Options, evaluate, prepare, rows_of_files
    from fergus.evaluation.selection import DEFAULT, chosen_names, unavailable

    if choices.as_json and choices.output not in ("table", "json"):
        raise click.UsageError(f"--json and --output {choices.output} contradict each other")
    output = "json" if choices.as_json else choices.output
    _check_names([*systems, *references])
    parser = None if choices.parser == "none" else choices.parser
    language_model = None if choices.language_model == "none" else choices.language_model
    if choices.tokenize == "parser" and parser is None:
        raise click.UsageError("--tokenize parser needs a parser")
    given = [name.strip() for part in choices.metrics for name in part.split(",") if name.strip()]
    absent = unavailable(parser=parser, language_model=language_model)
    names = chosen_names(given if choices.metrics else DEFAULT, unavailable=absent)
    recipe = Recipe(names, choices.tokenize, choices.lowercase, parser, language_model, choices.seed)
    made = recipe()
    metrics, tokenization = made.metrics, made.tokenization
    named = [named_file(system) for system in systems]
    labels = distinct_names([label or SentenceFile(path).name for label, path in named])
    if baseline is not None and baseline not in labels:
        raise click.UsageError(f"there is no system {baseline!r}; the systems are {', '.join(labels)}")
    if out is not None and out == choices.html:
        raise click.UsageError("--html and --out name the same file")
    files = [SentenceFile(path, choices.file_format, tokenization) for _, path in named]
    reference_files = [SentenceFile(path, choices.file_format, tokenization) for path in references]
    _check_standard_input([*files, *reference_files])
    options = Options(
        choices.samples,
        trials,
        choices.seed,
        has_comparisons,
        baseline,
        keeps_texts=output in ("json", "csv"),
        keeps_segments=choices.html is not None,
    )
    settings = {
        "systems": ", ".join(file.path for file in files),
        "reference_files": ", ".join(file.path for file in reference_files),
    }
    with ExitStack() as targets:  # opened first: what cannot be written should be known before the work
        html = None if choices.html is None else targets.enter_context(output_to(choices.html))
        target = targets.enter_context(output_to(out))
        with (
            progress_bars(shown=not choices.quiet, transient=True) as report,
            patience(choices.quiet, KERNEL),
            chosen_cluster(choices.dask, report) as cluster,
        ):
            prepare(metrics, files, reference_files, tokenization=tokenization, report=report)
            evaluation = evaluate(
                labels,
                rows_of_files(files, reference_files),
                metrics,
                parser=made.parser,
                tokenization=tokenization,
                options=options,
                settings=settings,
                report=report,
                workers=HERE if cluster is None else cluster,
                made_there=None if cluster is None else recipe.with_files(),
            )
        if not choices.quiet:
            for warning in evaluation.warnings:
                click.echo(f"Warning: {warning}", err=True)
        if html is not None:
            from fergus.evaluation.html_report import write_html

            write_html(evaluation, html, command=stated_command(sys.argv[1:]))
        for piece in _pieces(evaluation, output):
            target.write(piece.encode(errors="backslashreplace"))  # half of a surrogate pair, as JSON writes it


def _pieces(evaluation: Evaluation, output: str) -> Iterator[str]:
    from fergus.evaluation import json_report, tables

    if output == "json":
        return json_report.json_pieces(evaluation)
    if output == "csv":
        return tables.csv_rows(evaluation)
    if output == "csv-scores":
        return tables.csv_of_scores(evaluation)
    return iter([tables.as_latex(evaluation) if output == "latex" else tables.as_text(evaluation, has_warnings=False)])


def _check_names(paths: Sequence[str]) -> None:
    """A metric where a file should be: `--metrics paper, bleu` or `--metrics paper bleu`."""
    from fergus.evaluation.selection import GROUPS
    from fergus.metrics.catalogue import CATALOGUE

    for path in paths:
        if (path in CATALOGUE or path in GROUPS) and not Path(path).exists():
            raise click.UsageError(f"{path} is a metric and no file; write --metrics paper,{path} without spaces")


def _check_standard_input(files: Sequence[SentenceFile]) -> None:
    if [file.path for file in files].count("-") > 1:
        raise click.UsageError("only one file can be standard input")
