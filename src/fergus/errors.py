"""The errors a user can cause: one base, few subclasses, each message with place, value and remedy."""

from __future__ import annotations


class FergusError(Exception):
    """Base of every error that is the input's fault and not ours; the command line exits with 2."""


class InputError(FergusError):
    """A file or stream that cannot be read as what it claims to be.

    >>> str(InputError("head 9 is not a node", path="a.conllu", line=3, remedy="use 0 to 4"))
    'a.conllu:3: head 9 is not a node; use 0 to 4'
    """

    def __init__(
        self,
        problem: str,
        *,
        path: str = "",
        line: int | None = None,
        column: int | None = None,
        remedy: str = "",
    ) -> None:
        self.problem, self.path, self.line, self.column, self.remedy = problem, path, line, column, remedy
        place = path + (f":{line}" if line is not None else "") + (f":{column}" if column is not None else "")
        super().__init__((f"{place}: " if place else "") + problem + (f"; {remedy}" if remedy else ""))


class ModelError(FergusError):
    """A model file that is missing, broken, or of a version this Fergus does not read."""


class ConstraintError(FergusError):
    """Order constraints that contradict one another or the tree."""
