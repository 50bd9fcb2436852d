"""``fergus parse``: text in, dependency trees out."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import click

from fergus.cli.options import examples, jobs_option, out_option, quiet_option
from fergus.exchange.written_trees import OUTPUTS
from fergus.models import DEFAULT_MODEL

INPUTS = ("text", "lines", "tokens")


@click.command(
    epilog=examples(
        "fergus parse article.txt --out article.conllu",
        "echo 'There was no cost estimate for the second phase.' | fergus parse --output notation",
        "fergus parse hypotheses.txt --input lines --model spacy:en_core_web_sm",
    )
)
@click.argument("files", nargs=-1, required=False, type=click.Path(), metavar="[FILE|-]...")
@click.option(
    "--model",
    "-m",
    default=DEFAULT_MODEL,
    show_default=True,
    metavar="NAME|PATH|spacy:NAME",
    help="A shipped parser, a file of UDPipe's, or an installed spaCy pipeline.",
)
@click.option(
    "--input",
    "-i",
    "given",
    type=click.Choice(INPUTS),
    default="text",
    show_default=True,
    help="Running text, one sentence a line, or one sentence a line with spaces between its tokens.",
)
@click.option(
    "--output",
    type=click.Choice(OUTPUTS),
    default="conllu",
    show_default=True,
    help="CoNLL-U, a JSON object a tree, the quick notation, or word forms with spaces between.",
)
@jobs_option
@out_option
@quiet_option
def parse(
    *, files: tuple[str, ...], model: str, given: str, output: str, jobs: int, out: Path | None, quiet: bool
) -> None:
    """Turn text into dependency trees.

    Files are plain or .gz, .xz, .bz2; no file is standard input. In running text an empty line always ends a
    sentence. With one sentence a line, every line is one tree, and an empty line is an error.
    """
    from fergus.cli.output import output_to
    from fergus.cli.parsing import parsed, passages
    from fergus.cli.progress import progress_bars
    from fergus.exchange.written_trees import writer

    if not files and sys.stdin.isatty():
        click.echo("reading text from the terminal; Ctrl-D ends the input", err=True)
    write = writer(output)
    started = time.perf_counter()
    sentences = words = 0
    is_live = out is None and sys.stdout.isatty()
    with output_to(out) as target, progress_bars(shown=not (quiet or is_live), transient=True) as report:
        for tree in parsed(passages(files or ("-",), given), model=model, given=given, jobs=jobs):
            sentences += 1
            words += len(tree.tree)
            target.write(write(tree, sentences).encode())
            if is_live:
                target.flush()
            report("sentences", sentences, 0)
    if not quiet:
        seconds = time.perf_counter() - started
        rate = words / max(seconds, 1e-9)
        click.echo(
            f"{sentences:,} sentences, {words:,} words in {seconds:.1f} s ({rate:,.0f} words a second)", err=True
        )
