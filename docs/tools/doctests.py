"""Examples in docstrings (``>>>``) are shown as blocks of Python."""

from __future__ import annotations

import re
from typing import Any

import griffe

# From a prompt to the next empty line.
EXAMPLE = re.compile(r"^[ \t]*>>> .*(?:\n[ \t]*\S.*)*", re.MULTILINE)


class Doctests(griffe.Extension):
    """Puts fences around the examples of a docstring before it is read as Markdown."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change one object's docstring."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(docstring: str) -> str:
    """The docstring with its examples as blocks of Python."""
    return EXAMPLE.sub(lambda match: f"\n```python\n{match[0]}\n```\n", docstring)
