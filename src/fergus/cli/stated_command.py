"""How a report states the command that made it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

_PASSWORD = re.compile(r"(://[^:/]*):[^@]*@")
"""Of an address: a password may hold everything but @."""


def stated_command(arguments: Sequence[str]) -> str:
    """The command as a report states it: without the cluster, which changes nothing in the report, and passwords.

    >>> stated_command(["analyse", "a.csv", "--dask", "local:2", "--dask=local", "--json"])
    'fergus analyse a.csv --json'
    >>> stated_command(["analyse", "small", "--database", "postgresql://ann:secret@host/studies"])
    'fergus analyse small --database postgresql://ann@host/studies'
    """
    kept, rest = ["fergus"], iter(arguments)
    for argument in rest:
        if argument == "--dask":
            next(rest, None)
        elif not argument.startswith("--dask="):
            kept.append(_without_password(argument))
    return shlex.join(kept)


def _without_password(argument: str) -> str:
    """The same, as ``Database.shown`` has it; that one needs the packages of a database, which not all commands do."""
    if "://" not in argument:
        return argument
    place, mark, query = _PASSWORD.sub(r"\1@", argument).partition("?")
    kept = [one for one in query.split("&") if "password" not in one.partition("=")[0].lower()]
    return f"{place}{mark if any(kept) else ''}{'&'.join(kept)}"
