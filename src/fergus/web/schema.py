"""Typed records: a dataclass says what a request or an answer has, for programs and for people.

    @dataclass(frozen=True)
    class Greeting:
        name: Annotated[str, Said("Who is greeted.", example="Ann", most=50)]
        times: Annotated[int, Said("How often.", example=2, least=1, most=9)] = 1

``schema_reading`` makes records from JSON, ``schema_documents`` their JSON Schemas.
"""

from __future__ import annotations

import types
from dataclasses import MISSING, Field, dataclass, fields
from functools import cache
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from fergus.errors import FergusError

KINDS = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
"""The types of JSON."""


@dataclass(frozen=True)
class Said:
    """What is said of a field: ``least`` and ``most`` bound numbers, and the length of everything else."""

    description: str
    example: object = None
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    each_most: int | None = None
    """The longest that a member of a list, or a value of a mapping, may be."""
    shape: Any = None
    """The type in the document, where ``object`` stands in the record because something else reads the value."""
    is_rest: bool = False
    """Whether the field, a mapping, holds all fields of the JSON object that the record does not name."""


@dataclass(frozen=True)
class Fault:
    """Something that is wrong with a request."""

    field: Annotated[str, Said("Where it is: `nbest`, `trees[3]`.", example="nbest")]
    problem: Annotated[str, Said("What is wrong.", example="0 is less than 1")]
    value: Annotated[str | None, Said("What was given, cut if it is long.", example="0")] = None
    remedy: Annotated[str | None, Said("What would have been right.", example="give a number from 1 to 50")] = None
    line: Annotated[int | None, Said("The line of a text, from 1.", example=1)] = None


class InvalidError(FergusError):
    """A record that is not as its type says."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        self.faults = faults
        super().__init__("; ".join(f"{one.field}: {one.problem}" for one in faults))

    def __reduce__(self) -> tuple[type[InvalidError], tuple[tuple[Fault, ...]]]:
        """By which it comes back whole from a worker."""
        return type(self), (self.faults,)


@dataclass(frozen=True)
class Part:
    """A field of a record: its type and what is said of it."""

    name: str
    kind: Any
    said: Said
    field: Field[Any]

    @property
    def is_needed(self) -> bool:
        """Must it be given?"""
        has_none = self.field.default is MISSING and self.field.default_factory is MISSING
        return has_none and not self.said.is_rest

    @property
    def documented(self) -> Any:
        """Its type in the document."""
        return self.kind if self.said.shape is None else self.said.shape


@cache
def parts_of(record: type) -> tuple[Part, ...]:
    """The fields of a dataclass."""
    hints = get_type_hints(record, include_extras=True)
    found = []
    for field in fields(record):
        kind, said = get_args(hints[field.name])[:2]
        found.append(Part(field.name, kind, said, field))
    return tuple(found)


def is_union(kind: Any) -> bool:
    """Is it one of several types?"""
    return get_origin(kind) in (Union, types.UnionType)
