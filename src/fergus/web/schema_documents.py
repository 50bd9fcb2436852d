"""JSON Schemas of typed records, as OpenAPI 3.1 has them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, is_dataclass
from typing import Annotated, Any, cast, get_args, get_origin

from fergus.web.schema import KINDS, Said, is_union, parts_of


def schema_of(kind: Any, said: Said | None = None) -> dict[str, Any]:
    """The JSON Schema of a type; records are referred to by their names."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return schema_of(inner[0], inner[1])
    found: dict[str, Any]
    if kind is object:
        found = {}
    elif is_union(kind):
        found = {"anyOf": [schema_of(option, _only_bounds(said, option)) for option in inner]}
    elif origin is tuple and inner[-1] is not ...:
        members = [schema_of(one, _of_member_schema(said)) for one in inner]
        found = {"type": "array", "prefixItems": members, "items": False, "minItems": len(inner)}
    elif origin is tuple:
        found = {"type": "array", "items": schema_of(inner[0], _of_member_schema(said))}
        found |= _bounds(said, "minItems", "maxItems")
    elif origin is dict:
        found = {"type": "object", "additionalProperties": schema_of(inner[1], _of_member_schema(said))}
        found |= _bounds(said, "minProperties", "maxProperties")
    elif is_dataclass(kind):
        found = {"$ref": f"#/components/schemas/{cast(type, kind).__name__}"}
    else:
        found = {"type": KINDS[kind]}
        if kind is str:
            found |= _bounds(said, "minLength", "maxLength")
            if said is not None and said.choices:
                found["enum"] = list(said.choices)
        elif kind in (int, float):
            found |= _bounds(said, "minimum", "maximum")
    if said is not None and said.description:
        found["description"] = said.description
        if said.example is not None:
            found["examples"] = [said.example]
    return found


def _only_bounds(said: Said | None, option: Any) -> Said | None:
    """What of a field is said of one of its types: the description stands once, beside them all."""
    if said is None or option is type(None):
        return None
    return Said("", least=said.least, most=said.most, choices=said.choices, each_most=said.each_most)


def _of_member_schema(said: Said | None) -> Said | None:
    return None if said is None else Said("", most=said.each_most, choices=said.choices)


def _bounds(said: Said | None, low: str, high: str) -> dict[str, Any]:
    if said is None:
        return {}
    return {name: value for name, value in ((low, said.least), (high, said.most)) if value is not None}


def record_schema(record: type) -> dict[str, Any]:
    """The schema of a dataclass itself, with all fields."""
    parts = parts_of(record)
    properties = {}
    others: bool | dict[str, Any] = False
    for part in parts:
        described = schema_of(part.documented, part.said)
        if part.said.is_rest:
            others = described["additionalProperties"] | {"description": part.said.description}
            continue
        properties[part.name] = described
        if part.field.default is not MISSING and part.field.default is not None:
            default = part.field.default
            properties[part.name]["default"] = list(default) if isinstance(default, tuple) else default
    needed = [part.name for part in parts if part.is_needed]
    found = {"type": "object", "properties": properties, "additionalProperties": others}
    found["description"] = " ".join((record.__doc__ or "").split())
    return found | ({"required": needed} if needed else {})


def records_in(kind: Any) -> Iterator[type]:
    """The dataclasses that a type is made of, itself among them, each once: a tree's node has nodes below it."""
    seen: set[type] = set()
    stack = [kind]
    while stack:
        one = stack.pop()
        if is_dataclass(one) and one not in seen:
            seen.add(cast(type, one))
            yield cast(type, one)
            stack += reversed([part.documented for part in parts_of(cast(type, one))])
        stack += [inner for inner in reversed(get_args(one)) if not isinstance(inner, Said)]
