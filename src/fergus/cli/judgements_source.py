"""Where the judgements of an analysis come from: a table, or a study in the database."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from fergus.cli.study_database import database_option, find, opened
from fergus.errors import InputError

if TYPE_CHECKING:
    from fergus.analysis.judgements import Judgements
    from fergus.analysis.regress import Exclusion

TABLES = (".csv", ".tsv", ".jsonl")
COLUMNS = ("judge", "text", "item", "system", "scores", "scale", "database")
"""The options that say what the judgements are."""
F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--judge", default="judge", show_default=True, metavar="COLUMN", help="Who judged."),
    click.option("--text", default="text", show_default=True, metavar="COLUMN", help="What was judged."),
    click.option(
        "--item", metavar="COLUMN", help="The input that texts are versions of.  [default: item, if it is there]"
    ),
    click.option("--system", metavar="COLUMN", help="Who wrote the text.  [default: system, if it is there]"),
    click.option(
        "--score",
        "scores",
        multiple=True,
        metavar="COLUMN",
        help="A number that was given; may be repeated.  [default: score, quality, rating, if they are there]",
    ),
    click.option(
        "--scale",
        type=(float, float),
        metavar="LOW HIGH",
        help="The scale: scores outside of it are left out, and named.",
    ),
    database_option,
)

_CHANCE = (
    click.option(
        "--samples",
        type=click.IntRange(10, 100_000),
        default=1000,
        show_default=True,
        help="Resamples of inputs and judges, for intervals.",
    ),
    click.option(
        "--trials",
        type=click.IntRange(10, 100_000),
        default=1000,
        show_default=True,
        help="Trials of permutation tests, at least; more where many are compared.",
    ),
    click.option(
        "--seed", type=click.IntRange(0), default=12345, show_default=True, help="Where all randomness comes from."
    ),
)


def chance_options(command: F) -> F:
    """Add what decides on resamples and random exchanges."""
    for option in reversed(_CHANCE):
        command = option(command)
    return command


def judgements_options(command: F) -> F:
    """Add the options to a command; its argument SOURCE is a table's path or a study's name."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def judgements_from(
    source: str,
    *,
    judge: str,
    text: str,
    item: str | None,
    system: str | None,
    scores: tuple[str, ...],
    scale: tuple[float, float] | None,
    database: str,
) -> Judgements:
    """The judgements of a table or a study, within the scale; InputError where nothing is left."""
    from fergus.analysis.load import load_study, load_table
    from fergus.analysis.make_report import kept
    from fergus.studies.judgements_file import Columns

    check_scale(scale)
    if is_table(source):
        columns = Columns(judge=judge, text=text, item=item, system=system, scores=scores)
        return kept(load_table(Path(source), columns=columns), scale=scale)
    with opened(database) as data:
        from fergus.studies.service import Service

        return kept(load_study(Service(data), find(data, source)), dimensions=scores, scale=scale)


def check_scale(scale: tuple[float, float] | None) -> None:
    """A scale begins with its lowest value."""
    if scale is not None and not scale[0] < scale[1]:
        raise InputError(f"the scale goes from {scale[0]:g} to {scale[1]:g}", remedy="give the lowest value first")


def is_table(source: str) -> bool:
    """Whether this is the path of a table and not the name of a study."""
    return Path(source).suffix.lower() in TABLES or Path(source).is_file()


def exclusion_of(given: str) -> Exclusion:
    """A text that is left out, from ``TEXT=REASON``."""
    from fergus.analysis.regress import Exclusion

    item, equals, reason = given.partition("=")
    if not equals:
        raise click.UsageError(f"--exclude {given}: write TEXT=REASON; the report will show why")
    return Exclusion(item, reason)
