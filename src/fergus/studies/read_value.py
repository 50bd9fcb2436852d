"""Values of a study file as the types that a dataclass declares, so that a new question type needs no reader.

Understood are text, numbers, truth values, ``Literal``, optional values, lists, mappings, and dataclasses of these;
a single value where a list is asked for is a list of one, and a text where a dataclass is asked for is its
``text``. Every mistake is noted, and what was read wrongly is ``WRONG``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from math import isfinite
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from fergus.studies.located import Listing, Node, Scalar, Table
from fergus.studies.problems import Problems, legal, shown


class Wrong:
    """What a value with a mistake is read as."""


WRONG: Final = Wrong()

_TRUTH = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_WHOLE = re.compile(r"[+-]?[0-9]{1,15}")
_NUMBER = re.compile(r"[+-]?([0-9]{1,15}(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")


def read_value(node: Node, hint: Any, problems: Problems, *, name: str) -> Any:
    """A value as a type hint has it; ``name`` is what messages call it."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _read_union(node, arguments, problems, name)
    if origin is Literal:
        return _read_literal(node, arguments, problems, name)
    if origin in (tuple, list, Sequence, frozenset):
        return _read_list(node, arguments[0], origin, problems, name)
    if origin in (Mapping, dict):
        return _read_mapping(node, arguments, problems, name)
    if is_dataclass(hint) and isinstance(hint, type):
        return _read_dataclass(node, hint, problems, name)
    if hint in _SCALARS:
        convert, wanted = _SCALARS[hint]
        value = convert(node) if isinstance(node, Scalar) else WRONG
        if value is WRONG:
            problems.add(f"{name} is {described(node)}", line=node.line, column=node.column, remedy=f"write {wanted}")
        return value
    raise TypeError(f"{name}: a study file cannot give {hint}")


def read_fields(
    table: Table,
    found: Collection[Field[Any]],
    hints: Mapping[str, Any],
    problems: Problems,
    *,
    owner: str,
    ignored: Collection[str] = (),
) -> dict[str, Any]:
    """The fields that a mapping gives; ``WRONG`` for one that it should give and does not.

    ``owner`` is what messages call the mapping, such as ``question 'age'``; empty for the file as a whole.
    """
    label, of = owner or "the study", f" of {owner}" if owner else ""
    by_name = {f.name: f for f in found}
    values: dict[str, Any] = {}
    for key, node in table.values.items():
        if key in ignored:
            continue
        if key not in by_name:
            place = table.keys[key]
            remedy = legal(key, [*by_name, *(name for name in ignored if name not in by_name)])
            problems.add(f"{label} has no {shown(key)}", line=place.line, column=place.column, remedy=remedy)
        elif isinstance(node, Scalar) and node.is_null and not _takes_none(hints[key]):
            problem = f"{key}{of} is empty"
            problems.add(problem, line=table.line_of(key), remedy="give it a value, or delete the line")
            values[key] = WRONG
        else:
            values[key] = read_value(node, hints[key], problems, name=f"{key}{of}")
    for name, f in by_name.items():
        if name not in values and name not in ignored and f.default is MISSING and f.default_factory is MISSING:
            problems.add(f"{label} has no {name}", line=table.line, remedy=f"add {name}: {_help(f)}".rstrip(": "))
            values[name] = WRONG
    return values


def described(node: Node) -> str:
    """What was written, for a message."""
    if isinstance(node, Scalar):
        return "empty" if node.is_null else shown(node.text)
    return "a list" if isinstance(node, Listing) else "a mapping"


def _help(f: Field[Any]) -> str:
    return str(f.metadata.get("help", "")).rstrip(".")


def _takes_none(hint: Any) -> bool:
    return NoneType in get_args(hint)


def _text(node: Scalar) -> Any:
    return node.text


def _truth(node: Scalar) -> Any:
    return WRONG if node.is_quoted else _TRUTH.get(node.text.lower(), WRONG)


def _whole(node: Scalar) -> Any:
    return int(node.text) if _WHOLE.fullmatch(node.text) else WRONG


def _number(node: Scalar) -> Any:
    value = float(node.text) if _NUMBER.fullmatch(node.text) else float("nan")
    return value if isfinite(value) else WRONG


_SCALARS: dict[Any, tuple[Callable[[Scalar], Any], str]] = {
    str: (_text, "a text"),
    bool: (_truth, "yes or no"),
    int: (_whole, "a whole number"),
    float: (_number, "a number"),
}


def _read_union(node: Node, arguments: Sequence[Any], problems: Problems, name: str) -> Any:
    """The first kind that it can be read as; if there is none, what is wrong with it as the first kind."""
    kinds = [kind for kind in arguments if kind is not NoneType]
    if len(kinds) < len(arguments) and isinstance(node, Scalar) and node.is_null:
        return None
    for kind in kinds:
        attempt = Problems(problems.path)
        value = read_value(node, kind, attempt, name=name)
        if not attempt.has_errors:
            return value
    return read_value(node, kinds[0], problems, name=name)


def _read_literal(node: Node, choices: Sequence[Any], problems: Problems, name: str) -> Any:
    by_text = {str(choice): choice for choice in choices}
    if isinstance(node, Scalar) and node.text in by_text:
        return by_text[node.text]
    remedy = legal(node.text if isinstance(node, Scalar) else "", by_text)
    problems.add(f"{name} is {described(node)}", line=node.line, column=node.column, remedy=remedy)
    return WRONG


def _read_list(node: Node, kind: Any, made: Any, problems: Problems, name: str) -> Any:
    children = node.items if isinstance(node, Listing) else (node,)
    values = [read_value(child, kind, problems, name=name) for child in children]
    if any(value is WRONG for value in values):
        return WRONG
    return list(values) if made is list else frozenset(values) if made is frozenset else tuple(values)


def _read_mapping(node: Node, arguments: Sequence[Any], problems: Problems, name: str) -> Any:
    if not isinstance(node, Table):
        problems.add(f"{name} is {described(node)}", line=node.line, column=node.column, remedy="write key: value")
        return WRONG
    pairs = [
        (
            read_value(node.keys[key], arguments[0], problems, name=f"a key of {name}"),
            read_value(child, arguments[1], problems, name=f"{shown(key)} in {name}"),
        )
        for key, child in node.values.items()
    ]
    return WRONG if any(WRONG in pair for pair in pairs) else dict(pairs)


def _read_dataclass(node: Node, kind: type[Any], problems: Problems, name: str) -> Any:
    hints = get_type_hints(kind)
    found = fields(kind)
    if isinstance(node, Scalar) and not node.is_null and any(f.name == "text" for f in found):
        node = Table({"text": node}, {"text": Scalar("text", node.line, node.column)}, node.line, node.column)
    if not isinstance(node, Table):
        keys = ", ".join(f.name for f in found)
        remedy = f"write a mapping with some of {keys}"
        problems.add(f"{name} is {described(node)}", line=node.line, column=node.column, remedy=remedy)
        return WRONG
    values = read_fields(node, found, hints, problems, owner=name)
    return WRONG if any(value is WRONG for value in values.values()) else kind(**values)
