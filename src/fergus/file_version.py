"""The versions of file formats: a file of an older version is read, one of a newer version is refused."""

from __future__ import annotations

from fergus.errors import InputError

FIRST = 1
"""What a file is that does not say its version."""


def check_version(found: object, *, what: str, newest: int, path: str = "", line: int | None = None) -> int:
    """The version that a file says it has; an InputError if it is newer than ``newest``, or none at all.

    >>> check_version(None, what="a plan", newest=2), check_version(2, what="a plan", newest=2)
    (1, 2)
    >>> check_version(3, what="a plan", newest=2, path="plan.toml")
    Traceback (most recent call last):
    fergus.errors.InputError: plan.toml: a plan of version 3, newer than this Fergus reads (2); install a newer Fergus
    """
    if found is None:
        return FIRST
    if isinstance(found, bool) or not isinstance(found, int) or found < FIRST:
        remedy = f"write a whole number from {FIRST} to {newest}, or none"
        raise InputError(f"version {str(found)[:40]!r} is no version of {what}", path=path, line=line, remedy=remedy)
    if found > newest:
        problem = f"{what} of version {found}, newer than this Fergus reads ({newest})"
        raise InputError(problem, path=path, line=line, remedy="install a newer Fergus")
    return found
