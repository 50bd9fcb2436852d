"""The OpenAPI document of the API, and its examples, from the typed records of requests and responses."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from typing import Any, get_args

from fergus.version import __version__
from fergus.web.api_records.evaluate import EvaluateRequest, EvaluateResponse
from fergus.web.api_records.explain import ExplainRequest, ExplainResponse
from fergus.web.api_records.models import ModelsResponse
from fergus.web.api_records.names import TREE
from fergus.web.api_records.parse import ParseRequest, ParseResponse
from fergus.web.api_records.realize import RealizedSentence, RealizeRequest, RealizeResponse
from fergus.web.problems import KINDS, MEDIA_TYPE, Problem
from fergus.web.schema import Part, is_union, parts_of
from fergus.web.schema_documents import record_schema, records_in

JSON, LINES = "application/json", "application/x-ndjson"
BASE = "/api/v1"


@dataclass(frozen=True)
class Operation:
    """Something that the API does."""

    name: str
    method: str
    summary: str
    description: str
    response: type
    request: type | None = None
    example: Any = None
    """A request to try."""
    line: type | None = None
    """What a line of a stream is, if there can be one."""

    @property
    def path(self) -> str:
        """Its address."""
        return f"{BASE}/{self.name}"


OPERATIONS = (
    Operation(
        "realize",
        "POST",
        "Turn trees into sentences",
        "Every tree becomes its best sentence, or the n best, in the order of the request; what `fergus realize` does. "
        f"With `Accept: {LINES}` the answer is a line for every tree, sent as soon as it is made, and a tree that "
        "cannot be realized is an `error` in its line.",
        RealizeResponse,
        RealizeRequest,
        {"trees": [TREE], "nbest": 2},
        RealizedSentence,
    ),
    Operation(
        "explain",
        "POST",
        "Tell why a tree became its sentence",
        "Supertags and labels with their runners-up, what every other position would cost, and in words why the best "
        "order won; what `fergus explain --json` prints, and the text.",
        ExplainResponse,
        ExplainRequest,
        {"tree": TREE},
    ),
    Operation(
        "parse",
        "POST",
        "Turn text into trees",
        "Sentences are found, tokenized, tagged and parsed; what `fergus parse` does. The trees can be sent to "
        "`/api/v1/realize` as they are.",
        ParseResponse,
        ParseRequest,
        {"text": "There was no cost estimate.", "output": "notation"},
    ),
    Operation(
        "evaluate",
        "POST",
        "Score sentences against references",
        "Every metric for every system and every sentence, with intervals and signatures; what `fergus evaluate "
        "--json` writes.",
        EvaluateResponse,
        EvaluateRequest,
        {
            "systems": {"mine": ["no cost estimate there was"]},
            "references": [["there was no cost estimate"]],
            "metrics": ["string", "bleu"],
            "per_sentence": False,
        },
    ),
    Operation(
        "models",
        "GET",
        "List the models",
        "The models and parsers that the server has, by the names that requests use.",
        ModelsResponse,
    ),
)


def document(*, has_token: bool, server: str = "") -> dict[str, Any]:
    """The whole document, OpenAPI 3.1."""
    used: list[type] = [Problem]
    for one in OPERATIONS:
        used += [kind for kind in (one.request, one.response, one.line) if kind is not None]
    records = {record.__name__: record for kind in used for record in records_in(kind)}
    components: dict[str, Any] = {"schemas": {name: record_schema(records[name]) for name in sorted(records)}}
    found: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": "Fergus",
            "version": __version__,
            "summary": "Sentences from trees, trees from text, scores of sentences.",
        },
        "servers": [{"url": server or "/"}],
        "paths": {one.path: {one.method.lower(): _described(one, has_token=has_token)} for one in OPERATIONS},
        "components": components,
    }
    if has_token:
        components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        found["security"] = [{"token": []}]
    return found


def _described(one: Operation, *, has_token: bool) -> dict[str, Any]:
    content = {JSON: {"schema": _reference(one.response)}}
    if one.line is not None:
        content[LINES] = {"schema": _reference(one.line)}
    answers: dict[str, Any] = {"200": {"description": "The answer.", "content": content}}
    if one.request is None:
        statuses = {400, 403, 414, 429, 500, 503}
    else:
        statuses = {kind.status for kind in KINDS.values()} - {401, 404, 405}
    for status in sorted(statuses | ({401} if has_token else set())):
        titles = [kind.title for kind in KINDS.values() if kind.status == status]
        answers[str(status)] = {
            "description": ", or: ".join(titles) + ".",
            "content": {MEDIA_TYPE: {"schema": _reference(Problem)}},
        }
    found: dict[str, Any] = {
        "operationId": one.name,
        "summary": one.summary,
        "description": one.description,
        "responses": answers,
    }
    if one.request is not None:
        media = {"schema": _reference(one.request), "example": one.example}
        found["requestBody"] = {"required": True, "content": {JSON: media}}
    return found


def _reference(record: type) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{record.__name__}"}


def samples(base: str, *, has_token: bool) -> list[dict[str, Any]]:
    """For people: every operation with its fields and a command that tries it."""
    found = []
    for one in OPERATIONS:
        fields = [
            {
                "name": part.name,
                "description": part.said.description,
                "is_needed": part.is_needed,
                "bounds": _bounds(part),
                "default": "" if part.is_needed else json.dumps(part.field.default, ensure_ascii=False),
            }
            for part in (() if one.request is None else parts_of(one.request))
        ]
        found.append({"operation": one, "fields": fields, "command": _command(one, base, has_token=has_token)})
    return found


def _bounds(part: Part) -> str:
    least, most = part.said.least, part.said.most
    if part.said.choices:
        return ", ".join(part.said.choices)
    kinds = get_args(part.kind) if is_union(part.kind) else (part.kind,)
    is_number = any(kind in (int, float) for kind in kinds)
    unit = "" if is_number else " characters" if str in kinds else " entries"
    if least is not None and most is not None:
        return f"{least:,} to {most:,}{unit}"
    return f"up to {most:,}{unit}" if most is not None else ""


def _command(one: Operation, base: str, *, has_token: bool) -> str:
    words = ["curl", f"{base}{one.path}"]
    lines = [" ".join(words)]
    if has_token:
        lines.append('-H "Authorization: Bearer $FERGUS_API_TOKEN"')
    if one.request is not None:
        lines.append(f"--json {shlex.quote(json.dumps(one.example, ensure_ascii=False))}")
    return " \\\n  ".join(lines)
