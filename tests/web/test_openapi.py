"""The OpenAPI document and its page: made from the records that check requests, so what they show works."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from typing import Any

import pytest

from fergus.web.app import create_app
from fergus.web.openapi import OPERATIONS, document, samples
from fergus.web.problems import KINDS
from fergus.web.schema import parts_of
from fergus.web.schema_documents import records_in
from fergus.web.schema_reading import read
from fergus.web.settings import Settings
from tests.web.conftest import Visitor


@pytest.fixture
def visitor(database: Any, service: Any, pages: Any) -> Iterator[Visitor]:
    found = Visitor(create_app(database, settings=Settings(workbench="open"), service=service, pages=pages))
    yield found
    found.close()


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (reference for key, reference in value.items() if key == "$ref")
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from references(one)


def test_the_document_is_whole(visitor: Visitor) -> None:
    response = visitor.get("/api/v1/openapi.json")
    found = response.json()
    assert found == document(has_token=False)
    assert found["openapi"] == "3.1.0"
    assert set(found["paths"]) == {one.path for one in OPERATIONS}
    schemas = found["components"]["schemas"]
    assert {one.removeprefix("#/components/schemas/") for one in references(found)} == set(schemas)
    for name, schema in schemas.items():
        for field, described in schema["properties"].items():
            assert described["description"].endswith((".", "?")), f"{name}.{field}"
    realize = found["paths"]["/api/v1/realize"]["post"]
    assert set(realize["responses"]) == {"200", "400", "403", "408", "413", "414", "415", "422", "429", "500", "503"}
    assert "application/x-ndjson" in realize["responses"]["200"]["content"]
    assert "security" not in found


def untyped(value: Any, at: str = "") -> Iterator[str]:
    """Where a schema says nothing of a value."""
    if isinstance(value, list):
        for number, one in enumerate(value):
            yield from untyped(one, f"{at}[{number}]")
    elif isinstance(value, dict):
        if not value.keys() & {"type", "anyOf", "$ref", "enum"}:
            yield at
        for key in ("anyOf", "prefixItems", "items", "additionalProperties"):
            if isinstance(value.get(key), dict | list):
                yield from untyped(value[key], f"{at}.{key}")


def test_every_field_has_a_type() -> None:
    schemas = document(has_token=False)["components"]["schemas"]
    fields = {f"{name}.{field}": one for name, schema in schemas.items() for field, one in schema["properties"].items()}
    assert [at for name, one in fields.items() for at in untyped(one, name)] == []
    rests = [schema["additionalProperties"] for schema in schemas.values() if schema["additionalProperties"]]
    assert [at for one in rests for at in untyped(one)] == []
    assert list(untyped({"type": "array", "items": {}}, "a")) == ["a.items"]
    assert list(untyped({"anyOf": [{"type": "null"}, {"description": "x"}]}, "a")) == ["a.anyOf[1]"]


def test_a_token_is_in_the_document_where_one_is_needed() -> None:
    found = document(has_token=True, server="https://s.example")
    assert found["components"]["securitySchemes"] == {"token": {"type": "http", "scheme": "bearer"}}
    assert found["servers"] == [{"url": "https://s.example"}]
    assert all("401" in one["responses"] for path in found["paths"].values() for one in path.values())
    commands = [one["command"] for one in samples("https://s.example", has_token=True)]
    assert all('-H "Authorization: Bearer $FERGUS_API_TOKEN"' in command for command in commands)


def example_of(record: type) -> dict[str, Any]:
    """The record that the examples of its fields make."""
    return {part.name: part.said.example for part in parts_of(record) if part.said.example is not None}


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one.name)
def test_examples_are_requests_and_answers(operation: Any) -> None:
    for record in [operation.request, operation.response]:
        for one in () if record is None else records_in(record):
            given = {part.name for part in parts_of(one) if part.is_needed and part.said.example is not None}
            if given == {part.name for part in parts_of(one) if part.is_needed}:
                assert read(one, json.loads(json.dumps(example_of(one))))
    if operation.request is not None:
        assert read(operation.request, operation.example)
        assert set(example_of(operation.request)) >= {part.name for part in parts_of(operation.request)} - {"conllu"}


def test_the_page_has_every_operation_field_and_problem(visitor: Visitor) -> None:
    page = visitor.get("/api").text
    assert "<script" not in page
    assert '<a href="/api" aria-current="page">API</a>' in page, "the workbench's bar"
    for one in samples("http://test", has_token=False):
        assert f'id="{one["operation"].name}"' in page
        words = shlex.split(one["command"].replace("\\\n", ""))
        assert words[:2] == ["curl", f"http://test{one['operation'].path}"]
        if one["operation"].request is not None:
            assert json.loads(words[3]) == one["operation"].example
        for field in one["fields"]:
            assert f'<th scope="row"><code>{field["name"]}</code></th>' in page
    for kind in KINDS.values():
        assert f'<tr id="{kind.name}">' in page
