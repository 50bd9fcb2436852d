"""Options that several commands share, so that they read the same everywhere.

The names of formats and presets are repeated here because importing the modules that define them would make
every ``--help`` slow; a test compares them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from fergus.models import DEFAULT_MODEL

INPUT_FORMATS = ("auto", "conllu", "notation", "json", "bracketed", "t1", "t2")
STAGES = ("auto", "choose", "insert", "inflect", "order", "punctuate")
PRESETS = ("default", "supertag", "treebank-lr", "baseline-lr")

F = TypeVar("F", bound=Callable[..., Any])

model_option = click.option(
    "--model",
    "-m",
    default=DEFAULT_MODEL,
    show_default=True,
    metavar="NAME|PATH",
    help="A shipped model, or a model file.",
)
preset_option = click.option(
    "--preset",
    "-p",
    type=click.Choice(PRESETS),
    default=PRESETS[0],
    show_default=True,
    help="Which of the model's realizers to use.",
)
rules_option = click.option(
    "--rules",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Hand-written rules that fix, forbid or prefer orders.",
)
stages_option = click.option(
    "--stages",
    default="auto",
    show_default=True,
    metavar="LIST",
    help=f"What to do, some of {', '.join(STAGES[1:])}, with commas between; auto does what the tree lacks.",
)
lexicon_option = click.option(
    "--lexicon",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Word forms that go before the model's: lemma, category, features and form, with tabs between.",
)
synonyms_option = click.option(
    "--synonyms",
    type=click.Path(path_type=Path),
    metavar="DIR|FILE",
    help="Let synonyms stand for content words: a WordNet database folder, or word, category, synonyms with tabs.",
)
input_format_option = click.option(
    "--input-format",
    "-f",
    type=click.Choice(INPUT_FORMATS),
    default="auto",
    show_default=True,
    help="The format of the trees; auto goes by the file's name, then by its first line.",
)
tree_option = click.option("--tree", "-t", metavar="TREE", help="A tree in the quick notation.")
bare_option = click.option("--bare", is_flag=True, help="Ignore every label, use lexemes and heads only.")
out_option = click.option(
    "--out",
    "-o",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write to FILE, which appears only when it is complete; else to standard output.",
)
jobs_option = click.option(
    "--jobs",
    "-j",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Processes that work at once.",
)
dask_option = click.option(
    "--dask",
    metavar="ADDRESS|local[:N]",
    help="Work on the Dask cluster of this scheduler, or on one of N processes of this machine.",
)
quiet_option = click.option("--quiet", "-q", is_flag=True, help="Nothing on standard error but errors.")
keep_going_option = click.option(
    "--keep-going", "-k", is_flag=True, help="Report a bad tree and go on; the exit code is 2 all the same."
)


def files_argument(*, several: bool = True) -> Callable[[F], F]:
    """Files of trees; ``-`` and none at all are standard input."""
    return click.argument(
        "files" if several else "file",
        nargs=-1 if several else 1,
        required=False,
        type=click.Path(),
        metavar="[FILE|-]..." if several else "[FILE|-]",
    )


def made_file_option(what: str) -> Callable[[F], F]:
    """The file that a command is there to make."""
    return click.option("--out", "-o", required=True, type=click.Path(path_type=Path), metavar="FILE", help=f"{what}.")


def texts_option(use: str) -> Callable[[F], F]:
    """Files of running text beside the treebanks."""
    return click.option(
        "--text",
        "texts",
        multiple=True,
        type=click.Path(),
        metavar="FILE",
        help=f"More text for {use}, one paragraph a line, plain or .gz, .xz, .bz2; may be repeated.",
    )


def examples(*lines: str) -> str:
    """The epilog of a command: commands to copy, each on its own line."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def named_file(given: str) -> tuple[str, str]:
    """A name and a file from NAME=FILE, unless there is a file of just that name."""
    name, equals, path = given.partition("=")
    if not equals or Path(given).exists():
        return "", given
    if not name or not path:
        raise click.UsageError(f"{given!r} is not NAME=FILE")
    return name, path
