"""Typed records from JSON: ``read(Greeting, {"name": "Ann"})`` is one, or an InvalidError tells all that is wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import is_dataclass
from typing import Any, TypeVar, cast, get_args, get_origin

from fergus.web.schema import KINDS, Fault, InvalidError, Said, is_union, parts_of

T = TypeVar("T")
SHOWN = 60
"""Characters of a wrong value that are shown."""
MOST_FAULTS = 20
"""Faults that are told at once."""
_WORDS = {str: "a string", int: "a whole number", float: "a number", bool: "true or false", type(None): "null"}


def read(record: type[T], value: object) -> T:
    """The record that JSON describes; raises InvalidError."""
    faults: list[Fault] = []
    found = _record(record, value, "", faults)
    if faults:
        raise InvalidError(tuple(faults[:MOST_FAULTS]))
    return cast(T, found)


def _record(record: type, value: object, at: str, faults: list[Fault]) -> Any:
    if not isinstance(value, dict):
        faults.append(_wrong(at or "the request", value, "is no object", "write an object, {...}"))
        return None
    parts = parts_of(record)
    names = [part.name for part in parts if not part.said.is_rest]
    unnamed = {name: value[name] for name in sorted(value.keys() - set(names))}
    if len(names) == len(parts):
        legal = f"the fields are {', '.join(names)}"
        faults += [Fault(_under(at, name), "there is no such field", remedy=legal) for name in unnamed]
    given = {}
    for part in parts:
        where = _under(at, part.name)
        if part.said.is_rest:
            given[part.name] = _value(part.kind, unnamed, at, part.said, faults)
        elif part.name in value:
            given[part.name] = _value(part.kind, value[part.name], where, part.said, faults)
        elif part.is_needed:
            faults.append(Fault(where, "is missing", remedy=part.said.description))
    return None if faults else record(**given)


def _value(kind: Any, value: object, at: str, said: Said, faults: list[Fault]) -> Any:
    if kind is object:
        return value
    if is_union(kind):
        return _one_of(kind, value, at, said, faults)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is tuple:
        if not isinstance(value, list):
            faults.append(_wrong(at, value, "is no list", "write a list, [...]"))
            return None
        if inner[-1] is not ...:
            return _fixed(inner, value, at, said, faults)
        _check_size(len(value), "entries", at, said, faults)
        return tuple(_value(inner[0], one, f"{at}[{n}]", _of_member(said), faults) for n, one in _some(value, faults))
    if origin is dict:
        if not isinstance(value, dict):
            faults.append(_wrong(at, value, "is no object", "write an object, {...}"))
            return None
        _check_size(len(value), "entries", at, said, faults)
        return {name: _value(inner[1], one, _under(at, name), _of_member(said), faults) for name, one in value.items()}
    if is_dataclass(kind):
        return _record(cast(type, kind), value, at, faults)
    if not _is(value, kind):
        faults.append(_wrong(at, value, f"is not {_WORDS[kind]}", f"write {_WORDS[kind]}{_example(said)}"))
        return None
    return _bounded(value, at, said, faults)


def _fixed(kinds: tuple[Any, ...], value: list[Any], at: str, said: Said, faults: list[Fault]) -> tuple[Any, ...]:
    """A list with so many members, each of its own type."""
    if len(value) != len(kinds):
        remedy = f"give {len(kinds)}{_example(said)}"
        faults.append(Fault(at, f"has {len(value):,} entries", value=_shown(value), remedy=remedy))
        return ()
    pairs = enumerate(zip(kinds, value, strict=True))
    return tuple(_value(kind, one, f"{at}[{n}]", _of_member(said), faults) for n, (kind, one) in pairs)


def _one_of(kind: Any, value: object, at: str, said: Said, faults: list[Fault]) -> Any:
    """A value of one of several types, told by the kind of JSON it is; of records, the first whose fields are there."""
    options = [one for one in get_args(kind) if not (is_dataclass(one) and _lacks(value, cast(type, one)))]
    for option in options or get_args(kind):
        origin = get_origin(option) or option
        is_list, is_object = origin is tuple, origin is dict or is_dataclass(option)
        if (is_list and isinstance(value, list)) or (is_object and isinstance(value, dict)):
            return _value(option, value, at, said, faults)
        if option in KINDS and _is(value, option):
            return None if value is None else _bounded(value, at, said, faults)
    legal = " or ".join(dict.fromkeys(_words(option) for option in get_args(kind)))
    faults.append(_wrong(at, value, f"is not {legal}", f"write {legal}{_example(said)}"))
    return None


def _lacks(value: object, record: type) -> bool:
    return isinstance(value, dict) and any(part.is_needed and part.name not in value for part in parts_of(record))


def _words(kind: Any) -> str:
    return _WORDS.get(kind) or ("a list" if get_origin(kind) is tuple else "an object")


def _bounded(value: Any, at: str, said: Said, faults: list[Fault]) -> Any:
    if said.choices and isinstance(value, str) and value not in said.choices:
        faults.append(_wrong(at, value, f"“{value[:SHOWN]}” will not do", f"write one of {', '.join(said.choices)}"))
    elif isinstance(value, str):
        _check_size(len(value), "characters", at, said, faults)
        if any("\ud800" <= character <= "\udfff" for character in value):
            faults.append(Fault(at, "has half a surrogate pair in it", remedy="write whole characters"))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        low, high = said.least, said.most
        if (low is not None and value < low) or (high is not None and value > high):
            legal = f"give a number from {low:,} to {high:,}" if None not in (low, high) else f"give {low:,} or more"
            faults.append(_wrong(at, value, f"{_shown(value)} is out of bounds", legal))
    return value


def _check_size(size: int, what: str, at: str, said: Said, faults: list[Fault]) -> None:
    if said.least is not None and size < said.least:
        faults.append(Fault(at, f"has {size:,} {what}", remedy=f"give {said.least:,} or more{_example(said)}"))
    elif said.most is not None and size > said.most:
        faults.append(Fault(at, f"has {size:,} {what}", remedy=f"give {said.most:,} at most"))


def _some(value: list[Any], faults: list[Fault]) -> Iterator[tuple[int, Any]]:
    """The members of a list with their numbers, until there are more faults than are told."""
    for number, one in enumerate(value):
        if len(faults) > MOST_FAULTS:
            return
        yield number, one


def _is(value: object, kind: type) -> bool:
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, int | float) if kind is float else isinstance(value, kind)


def _of_member(said: Said) -> Said:
    """The members of a list share its choices, but not the bounds of its length."""
    return Said(said.description, most=said.each_most, choices=said.choices)


def _under(at: str, name: str) -> str:
    return f"{at}.{name[:SHOWN]}" if at else name[:SHOWN]


def _example(said: Said) -> str:
    return "" if said.example is None else f", for instance {_shown(said.example)}"


def _wrong(at: str, value: object, problem: str, remedy: str) -> Fault:
    return Fault(at, problem, value=_shown(value), remedy=remedy)


def _shown(value: object) -> str:
    if isinstance(value, list | dict) and len(value) > SHOWN:  # as much as is shown is enough to be written
        value = value[:SHOWN] if isinstance(value, list) else dict(list(value.items())[:SHOWN])
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 200:
        return f"a number of {value.bit_length():,} bits"
    written = json.dumps(value, ensure_ascii=False, default=str)
    return written if len(written) <= SHOWN else written[: SHOWN - 1] + "…"
