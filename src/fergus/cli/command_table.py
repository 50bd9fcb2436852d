"""A group of commands by a table, so that its help imports none of them; whoever mistypes a name is told its like."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from keyword import iskeyword
from typing import Any

import click

Table = Mapping[str, tuple[str, str]]
"""The module of every command, which holds a command of its name (``_`` for ``-``, and after a word of Python's own),
and its line in the help."""


class TableGroup(click.Group):
    """A group whose commands are imported when they are run."""

    def __init__(self, *arguments: Any, table: Table, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.table = table

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in self.table:
            return None
        is_taken = iskeyword(cmd_name) or hasattr(builtins, cmd_name)
        name = cmd_name.replace("-", "_") + "_" * is_taken
        command: click.Command = getattr(import_module(self.table[cmd_name][0]), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant."""
        is_unknown = args and not args[0].startswith("-") and args[0] not in self.table
        if is_unknown and not ctx.resilient_parsing:  # which completion in a shell asks for
            close = get_close_matches(args[0], self.table, n=2)
            remedy = f"did you mean {' or '.join(close)}?" if close else f"{ctx.command_path} --help lists all"
            ctx.fail(f"there is no command {args[0]!r}; {remedy}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands with their lines, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in self.table.items()])
