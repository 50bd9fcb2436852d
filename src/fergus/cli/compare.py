"""``fergus compare``: which system is better, and whether that could be chance."""

from __future__ import annotations

from pathlib import Path

import click

from fergus.cli.evaluation_options import MOST_SAMPLES, Choices, evaluation_options, run
from fergus.cli.options import examples


@click.command(
    epilog=examples(
        "fergus compare mine.txt theirs.txt --references references.conllu",
        "fergus compare a.txt b.txt c.txt -r references.txt --baseline a --metrics paper --html report.html",
    )
)
@click.argument("systems", nargs=-1, required=True, type=click.Path(), metavar="[NAME=]HYPOTHESES...")
@click.option(
    "--references",
    "-r",
    multiple=True,
    type=click.Path(),
    metavar="FILE",
    help="A file of references; may be given again, for several references of every sentence.",
)
@click.option("--baseline", metavar="NAME", help="Compare this system with every other one, not every pair.")
@click.option(
    "--trials",
    type=click.IntRange(1, MOST_SAMPLES),
    default=10_000,
    show_default=True,
    help="Trials of the approximate randomisation.",
)
@evaluation_options
def compare(
    *,
    systems: tuple[str, ...],
    references: tuple[str, ...],
    baseline: str | None,
    trials: int,
    out: Path | None,
    **options: object,
) -> None:
    """Compare systems, with tests of significance.

    Every metric's difference is tested by paired bootstrap and by approximate randomisation; p-values are corrected
    for the number of pairs of systems (Holm). Files are those of `fergus evaluate`.
    """
    if len(systems) < 2:
        raise click.UsageError("give the outputs of two systems or more")
    choices = Choices.of(options)
    run(systems, references, choices, out=out, has_comparisons=True, baseline=baseline, trials=trials)
