"""Mistakes in a study's files: each with its place, what is wrong, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from fergus.errors import InputError

MOST = 200
"""Problems that one file is told; a file of another kind would have one on every line."""


@dataclass(frozen=True)
class Problem:
    """A mistake, or what is likely to be one."""

    text: str
    path: str
    line: int | None = None
    column: int | None = None
    remedy: str = ""
    is_warning: bool = False
    """A study with warnings alone can be run."""

    def as_error(self) -> InputError:
        """The same as an exception."""
        return InputError(self.text, path=self.path, line=self.line, column=self.column, remedy=self.remedy)

    def __str__(self) -> str:
        return str(self.as_error())


class Problems:
    """Collects what is wrong with one file."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._found: list[Problem] = []

    def add(
        self, text: str, *, line: int | None, remedy: str = "", column: int | None = None, is_warning: bool = False
    ) -> None:
        """Note a mistake; one that was noted already is noted once, and those after the first 200 are not."""
        problem = Problem(text, self.path, line, column, remedy, is_warning)
        if len(self._found) < MOST and problem not in self._found:
            self._found.append(problem)

    @property
    def has_errors(self) -> bool:
        """Is anything wrong that is not a mere warning?"""
        return any(not problem.is_warning for problem in self._found)

    @property
    def count(self) -> int:
        """How many there are so far, warnings included."""
        return len(self._found)

    def sorted(self) -> list[Problem]:
        """All of them, in the order of the lines."""
        return sorted(self._found, key=lambda problem: (problem.line or 0, problem.column or 0))


def legal(given: str, names: Iterable[str]) -> str:
    """The remedy for a name that is not one of these: the closest one, and all of them.

    >>> legal("ratting", ["rating", "pair"])
    'did you mean rating? Possible are rating, pair'
    """
    names = list(names)
    close = get_close_matches(given.lower().replace(" ", "_"), names, n=1)
    hint = f"did you mean {close[0]}? " if close else ""
    possible = f"{'P' if hint else 'p'}ossible are {', '.join(names)}" if names else "there are none"
    return hint + possible


def shown(value: str) -> str:
    """A value in a message: in quotes, and not longer than a line.

    >>> shown("a" * 100) == "'" + "a" * 57 + "...'"
    True
    """
    return repr(value if len(value) <= 60 else value[:57] + "...")
