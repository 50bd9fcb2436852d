"""``fergus``: the table of commands and what every one of them does about errors.

Neither this module nor the help of ``fergus`` imports a command: the table holds the lines that are shown.
"""

from __future__ import annotations

from errno import EPIPE
from typing import Any, NoReturn

import click

from fergus import __version__
from fergus.cli.command_table import Table, TableGroup
from fergus.errors import FergusError

INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it: 128 and the number of the signal."""

COMMANDS: Table = {
    "realize": ("fergus.cli.realize", "Turn unordered trees into sentences."),
    "explain": ("fergus.cli.explain", "Show for one tree why it became this sentence."),
    "lattice": ("fergus.cli.lattice", "Show every order that was considered for a tree."),
    "evaluate": ("fergus.cli.evaluate", "Score generated sentences against references."),
    "compare": ("fergus.cli.compare", "Compare systems, with tests of significance."),
    "serve": ("fergus.cli.serve", "Open studies to participants; the workbench and the API."),
    "study": ("fergus.cli.study", "Make and run studies in which people judge texts."),
    "learn": ("fergus.cli.learn", "Learn a metric from judgements, and validate it."),
    "analyse": ("fergus.cli.analyse", "Analyse judgements: judges, systems, metrics."),
    "plan": ("fergus.cli.plan", "Plan a study: its power, its analysis, its datasheet."),
    "parse": ("fergus.cli.parse", "Turn text into dependency trees."),
    "train": ("fergus.cli.train", "Train a model on treebanks."),
    "train-parser": ("fergus.cli.train_parser", "Train a parser on treebanks."),
    "model": ("fergus.cli.model", "List models and tell what is in one."),
    "grammar": ("fergus.cli.grammar", "Extract, search and draw elementary trees."),
    "draw": ("fergus.cli.draw", "Draw trees as text."),
    "convert": ("fergus.cli.convert", "Write trees in another format."),
    "account": ("fergus.cli.account", "Make, list and remove accounts of the administration pages."),
}


class BadInputError(click.ClickException):
    """An error of the user's: its message on standard error, exit code 2."""

    exit_code = 2


class Fergus(TableGroup):
    """All commands, and what every one of them does about errors."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; errors of the user's become messages, Ctrl-C an exit code."""
        try:
            return super().invoke(ctx)
        except FergusError as error:
            raise BadInputError(str(error)) from None
        except OSError as error:
            if error.errno == EPIPE:  # whoever reads our output has had enough: click ends quietly
                raise
            place = f"{error.filename}: " if error.filename else ""
            raise BadInputError(f"{place}{error.strerror or error}") from None
        except ModuleNotFoundError as error:  # of a command's own module too: it is imported in here
            from fergus.cli.extras import what_to_install

            remedy = what_to_install(error.name)
            if remedy is None:
                raise
            raise BadInputError(remedy) from None
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)


@click.group(
    cls=Fergus,
    table=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example:  fergus realize --tree 'estimate(there was no cost for(phase(the second)))'",
)
@click.version_option(__version__, prog_name="fergus", message="%(prog)s %(version)s")
def cli() -> None:
    """Fergus: from unordered dependency trees to sentences, by models that you can train and look inside.

    A command's own help:  fergus COMMAND --help
    """


def main() -> NoReturn:
    """The entry point of the ``fergus`` command."""
    cli.main(prog_name="fergus")
    raise SystemExit(0)
