"""The options that say where metric scores of judged texts come from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from fergus.cli.evaluation_options import TOKENIZERS
from fergus.models import DEFAULT_MODEL

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--references",
        "-r",
        multiple=True,
        metavar="FILE",
        help="Compute metrics from these references: a CSV with a column reference and one or more that the judgements "
        "have too, or text, CoNLL-U or JSON lines with a sentence for every input. May be repeated.",
    ),
    click.option(
        "--metrics",
        "-m",
        multiple=True,
        metavar="LIST",
        help="What is computed: metrics, groups or files as fergus evaluate has them, with commas between.  "
        "[default: string,peers]",
    ),
    click.option(
        "--metric-columns",
        multiple=True,
        metavar="PATTERN",
        help="Columns of the judgements with scores of metrics.  [default: m.*]",
    ),
    click.option(
        "--evaluation",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Scores from what fergus evaluate --json wrote for the same texts.",
    ),
    click.option(
        "--lower-is-better", multiple=True, metavar="LIST", help="Metrics of which less is better, beside TER."
    ),
    click.option(
        "--tokenize", type=click.Choice(TOKENIZERS), default="13a", show_default=True, help="How texts become tokens."
    ),
    click.option("--lowercase", is_flag=True, help="Compare tokens without regard to case."),
    click.option(
        "--parser",
        default=DEFAULT_MODEL,
        show_default=True,
        metavar="NAME|PATH|none",
        help="What parses references for tree accuracies.",
    ),
    click.option(
        "--language-model",
        default=DEFAULT_MODEL,
        show_default=True,
        metavar="NAME|PATH|none",
        help="The language model of fluency.",
    ),
)


def metric_options(command: F) -> F:
    """Add the options to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
