"""Errors of the input as the API tells them: field, problem, remedy, line."""

from __future__ import annotations

from fergus.errors import FergusError, InputError
from fergus.web.schema import Fault


class NotJsonError(FergusError):
    """A body that is no JSON."""


def fault_of(error: FergusError, field: str = "") -> Fault:
    """An error of the input as the API tells it; its field is the one that the error names, if it names one."""
    if isinstance(error, InputError):
        where = error.path or field or "the request"
        return Fault(where, error.problem, remedy=error.remedy or None, line=error.line)
    return Fault(field or "the request", str(error))
