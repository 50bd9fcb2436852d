"""``fergus study``: the table of its commands, each in a module of its own."""

from __future__ import annotations

import builtins
from importlib import import_module
from keyword import iskeyword

import click

COMMANDS = {
    "new": ("fergus.cli.study_new", "Make a study from a preset, and from outputs of systems."),
    "check": ("fergus.cli.study_check", "Find every mistake in study files."),
    "questions": ("fergus.cli.study_questions", "List the types of questions with their parameters."),
    "simulate": ("fergus.cli.study_simulate", "Let artificial raters take part, through the real pages."),
    "add": ("fergus.cli.study_add", "Put a study, or a new version, into the database."),
    "list": ("fergus.cli.study_list", "List the studies with their states, and how many took part."),
    "open": ("fergus.cli.study_state", "Open a study, so that people can take part (again)."),
    "pause": ("fergus.cli.study_state", "Pause a study: nobody can join or answer until it is open again."),
    "close": ("fergus.cli.study_state", "Close a study: nobody can join any more."),
    "links": ("fergus.cli.study_links", "Make private links to a study, each for one person."),
    "export": ("fergus.cli.study_export", "Write a study's answers as a table, one row a judgement."),
    "import": ("fergus.cli.study_import", "Make a study of judgements that were collected elsewhere."),
    "backup": ("fergus.cli.study_backup", "Copy all studies and answers to a file, also while they are served."),
    "copy": ("fergus.cli.study_copy", "Copy everything to another database, such as PostgreSQL."),
    "delete": ("fergus.cli.study_delete", "Remove a study with everything that people answered."),
    "delete-participant": ("fergus.cli.study_delete_participant", "Remove a person's data from a study."),
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
        is_taken = iskeyword(cmd_name) or hasattr(builtins, cmd_name)
        name = cmd_name.replace("-", "_") + "_" * is_taken
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
