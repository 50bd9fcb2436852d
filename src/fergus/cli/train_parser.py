"""``fergus train-parser``: a treebank in, a model for ``fergus parse`` out."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fergus.cli.options import examples, made_file_option, quiet_option, texts_option

if TYPE_CHECKING:
    from fergus.treebank.word_vectors import WordVectors


@click.command(
    "train-parser",
    epilog=examples(
        "fergus train-parser en_ewt-ud-train.conllu --text books.txt.xz --out my.udpipe",
        "fergus train-parser fr_sequoia-ud-train.conllu --heldout fr_sequoia-ud-dev.conllu --out fr.udpipe",
    ),
)
@click.argument(
    "treebanks", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False), metavar="TREEBANK..."
)
@made_file_option("The model to write")
@click.option(
    "--heldout",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="A treebank on which the best round of each component is chosen.",
)
@texts_option("word vectors")
@click.option("--no-vectors", is_flag=True, help="No word vectors: the parser learns from the treebank alone.")
@click.option(
    "--folds",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="Parts of the treebank, each tagged by a tagger of the others for training the parser.",
)
@click.option("--tokenizer", metavar="OPTIONS", help="UDPipe's options for the tokenizer in place of ours, or none.")
@click.option("--tagger", metavar="OPTIONS", help="UDPipe's options for the tagger in place of ours, or none.")
@click.option("--parser", metavar="OPTIONS", help="UDPipe's options for the parser in place of ours, or none.")
@quiet_option
def train_parser(
    *,
    treebanks: tuple[str, ...],
    out: Path,
    heldout: Path | None,
    texts: tuple[str, ...],
    no_vectors: bool,
    folds: int,
    tokenizer: str | None,
    tagger: str | None,
    parser: str | None,
    quiet: bool,
) -> None:
    """Train a parser on treebanks.

    Tokenizer, tagger and parser are trained on CoNLL-U. The same files and options give the same bytes. On
    200,000 words it takes an hour or two, on one core; UDPipe tells on standard error how far it is.
    """
    from fergus.cli.train import check_writable
    from fergus.treebank import train_parser as training
    from fergus.whole_file import WholeFile

    if no_vectors and texts:
        raise click.UsageError("give --text or --no-vectors, not both")
    check_writable(out)
    settings = training.ParserSettings(
        tokenizer=tokenizer or training.TOKENIZER,
        tagger=tagger or training.TAGGER,
        parser=parser or training.PARSER,
        folds=folds,
    )

    def log(message: str) -> None:
        if not quiet:
            click.echo(message, err=True)

    vectors = None if no_vectors or settings.parser == training.NONE else _vectors(treebanks, texts, quiet=quiet)
    with _silent_and_interruptible(is_silent=quiet):
        model = training.train_parser(
            [Path(name) for name in treebanks], heldout=heldout, vectors=vectors, settings=settings, log=log
        )
    with WholeFile(out) as stream:
        stream.write(model)
    log(f"{out}: {len(model) / 1e6:.1f} MB")


def _vectors(treebanks: tuple[str, ...], texts: tuple[str, ...], *, quiet: bool) -> WordVectors:
    from fergus.cli.progress import progress_bars
    from fergus.cli.sentences import TextFiles
    from fergus.treebank import read_trees
    from fergus.treebank.word_vectors import word_vectors

    sentences = [tree.forms for tree in read_trees(treebanks, input_format="conllu")]
    with progress_bars(shown=not quiet) as report:
        vectors = word_vectors(sentences, TextFiles(texts, report))
    if not quiet:
        click.echo(f"vectors of {len(vectors.words):,} words", err=True)
    return vectors


@contextmanager
def _silent_and_interruptible(*, is_silent: bool) -> Iterator[None]:
    """What UDPipe writes to standard error goes nowhere, if so wished; Ctrl-C ends the process at once.

    UDPipe is not Python and returns to it only when a component is trained.
    """
    is_main = threading.current_thread() is threading.main_thread()
    previous = signal.signal(signal.SIGINT, signal.SIG_DFL) if is_main else None
    kept = os.dup(2) if is_silent else None
    try:
        if kept is not None:
            sys.stderr.flush()
            with open(os.devnull, "wb") as nowhere:
                os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        if kept is not None:
            os.dup2(kept, 2)
            os.close(kept)
        if is_main:
            signal.signal(signal.SIGINT, previous)
