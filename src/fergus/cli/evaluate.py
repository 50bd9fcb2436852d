"""``fergus evaluate``: every metric of one system or several, against one reference or several."""

from __future__ import annotations

from pathlib import Path

import click

from fergus.cli.evaluation_options import Choices, evaluation_options, run
from fergus.cli.options import examples


@click.command(
    epilog=examples(
        "fergus evaluate output.txt references.conllu",
        "fergus evaluate output.txt first.txt second.txt --metrics paper,bleu --json",
        "fergus evaluate mine.txt references.conllu --system other=theirs.txt --html report.html",
    )
)
@click.argument("hypotheses", type=click.Path(), metavar="HYPOTHESES")
@click.argument("references", nargs=-1, type=click.Path(), metavar="[REFERENCES]...")
@click.option(
    "--references",
    "-r",
    "more_references",
    multiple=True,
    type=click.Path(),
    metavar="FILE",
    help="A file of references, as fergus compare has it: the same as another REFERENCES.",
)
@click.option(
    "--system",
    "-s",
    "systems",
    multiple=True,
    metavar="[NAME=]FILE",
    help="The output of a further system on the same sentences; may be given again.",
)
@evaluation_options
def evaluate(
    *,
    hypotheses: str,
    references: tuple[str, ...],
    more_references: tuple[str, ...],
    systems: tuple[str, ...],
    out: Path | None,
    **options: object,
) -> None:
    """Score generated sentences against references.

    HYPOTHESES and REFERENCES are parallel files: plain text with a sentence a line (tokens with spaces between
    them unless --tokenize says otherwise), CoNLL-U, or JSON lines. Several REFERENCES are several references of
    every sentence: each metric takes the best. References without trees are parsed for the tree accuracies.
    """
    run([hypotheses, *systems], references + more_references, Choices.of(options), out=out, has_comparisons=False)
