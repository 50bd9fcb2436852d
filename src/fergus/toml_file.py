"""TOML from bytes that anybody may have written: whatever is wrong with them is an InputError."""

from __future__ import annotations

import tomllib
from typing import Any

from fergus.errors import InputError

LONGEST = 100_000
"""Bytes: metrics and plans are short, and a key of many parts takes tomllib the time of the square of their number."""
DEEPEST = 20
LARGEST = 2**63 - 1
"""Of whole numbers: what TOML promises. Python would read larger ones, and then could neither print nor use them."""


def parse_toml(data: bytes, *, path: str, what: str) -> dict[str, Any]:
    """The tables of a file that should be a ``what``.

    >>> parse_toml(b"level = 0.05", path="plan.toml", what="plan")
    {'level': 0.05}
    >>> parse_toml(b"level = ", path="plan.toml", what="plan")
    Traceback (most recent call last):
    fergus.errors.InputError: plan.toml: this is no plan (Invalid value (at end of document)); write it in TOML
    """
    if len(data) > LONGEST:
        raise InputError(f"the file has {len(data):,} bytes", path=path, remedy=f"a {what} has at most {LONGEST:,}")
    try:
        content = tomllib.loads(data.decode())
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"this is no text ({error.reason})", path=path, line=line, remedy="save it as UTF-8") from None
    except (ValueError, RecursionError) as error:  # not only TOMLDecodeError: a number may have too many digits
        raise InputError(f"this is no {what} ({error})", path=path, remedy="write it in TOML") from None
    waiting: list[tuple[object, int]] = [(content, 0)]
    while waiting:
        value, depth = waiting.pop()
        if depth > DEEPEST:
            problem = f"tables and lists are nested more than {DEEPEST} deep"
            raise InputError(problem, path=path, remedy=f"a {what} is flat")
        if isinstance(value, int) and abs(value) > LARGEST:
            raise InputError("a whole number has more than 64 bits", path=path, remedy="write a smaller one")
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        waiting += [(own, depth + 1) for own in inner]
    return content
