"""TOML from bytes that anybody may have written: whatever is wrong with them is an InputError."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from fergus.errors import InputError

LONGEST = 40_000
"""Bytes: metrics and plans are short."""
DEEPEST = 20
LARGEST = 2**63 - 1
"""Of whole numbers: what TOML promises. Python would read larger ones, and then could neither print nor use them."""
# A key of thousands of parts takes tomllib the time of the square of their number, so it is looked for beforehand.
_DEEP_KEY = re.compile(rb"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){%d}""" % (DEEPEST + 1))


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
    too_deep = InputError(
        f"tables and lists are nested more than {DEEPEST} deep", path=path, remedy=f"a {what} is flat"
    )
    if _DEEP_KEY.search(data):
        raise too_deep
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
            raise too_deep
        if isinstance(value, int) and abs(value) > LARGEST:
            raise InputError("a whole number has more than 64 bits", path=path, remedy="write a smaller one")
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        waiting += [(own, depth + 1) for own in inner]
    return content
