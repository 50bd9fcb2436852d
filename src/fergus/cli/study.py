"""``fergus study``: the table of its commands, each in a module of its own."""

from __future__ import annotations

import click

from fergus.cli.command_table import Table, TableGroup

COMMANDS: Table = {
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


@click.group(cls=TableGroup, table=COMMANDS)
def study() -> None:
    """Make and run studies in which people judge texts.

    A command's own help:  fergus study COMMAND --help
    """
