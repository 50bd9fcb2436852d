"""``fergus study``: the table of its commands, each in a module of its own."""

from __future__ import annotations

from importlib import import_module
from keyword import iskeyword

import click

COMMANDS = {
    "new": ("fergus.cli.study_new", "Make a study from a preset, and from outputs of systems."),
    "check": ("fergus.cli.study_check", "Find every mistake in study files."),
    "simulate": ("fergus.cli.study_simulate", "Let artificial raters take part, through the real pages."),
    "export": ("fergus.cli.study_export", "Write a study's answers as a table, one row a judgement."),
    "import": ("fergus.cli.study_import", "Make a study of judgements that were collected elsewhere."),
    "backup": ("fergus.cli.study_backup", "Copy all studies and answers to a file, also while they are served."),
    "delete-participant": ("fergus.cli.study_delete_participant", "Remove a person's data from a study."),
    "questions": ("fergus.cli.study_questions", "List the types of questions with their parameters."),
}
"""The module of every command, which holds a command of its name (``_`` for ``-``, and after a word of Python's own),
and its line in the help."""


class StudyGroup(click.Group):
    """A group whose commands are imported when they are run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_") + "_" * iskeyword(cmd_name)
        command: click.Command = getattr(import_module(COMMANDS[cmd_name][0]), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands with their lines, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in self.list_commands(ctx)])


@click.group(cls=StudyGroup)
def study() -> None:
    """Make and run studies in which people judge texts.

    A command's own help:  fergus study COMMAND --help
    """
