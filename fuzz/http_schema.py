"""The API against its own OpenAPI document, by schemathesis: legal data is answered as it says, other data refused."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Any

import requests as sender
import schemathesis
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from fuzz.http_findings import Tally, drawn, is_among
from fuzz.http_target import SECONDS, Served

GROUP = "schema"
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    unsupported_method,
]
"""Not that legal data is accepted: that a string is a tree is more than a schema can say."""


def fuzz_schema(
    served: Served,
    addresses: tuple[str, ...] = (),
    *,
    seconds: float,
    seed: int,
    most: int | None = None,
    covers: bool = True,
) -> Iterator[Tally]:
    """Every operation of the document for so long, half of it with legal data; before that what covers the schema."""
    schema = schemathesis.openapi.from_url(f"{served.address}/api/v1/openapi.json")
    schema.config.update(base_url=served.address)
    with sender.Session() as session:
        for found in schema.get_all_operations():
            operation: Any = found.ok()  # type: ignore[union-attr]  # the document is ours: no operation of it is an error
            tally = Tally(f"{operation.method.upper()} {operation.path} (schemathesis)", GROUP)
            if not is_among(tally.name, addresses):
                continue
            work = checked(served, tally, session)
            if covers:
                _cover(schema, operation, work, seconds=seconds)
            modes = list(GenerationMode) if operation.body else [GenerationMode.POSITIVE]
            for mode in modes:
                drawn(operation.as_strategy(mode), work, seconds=seconds / len(modes), seed=seed, most=most)
            yield tally


def _cover(schema: Any, operation: Any, work: Callable[[Any], None], *, seconds: float) -> None:
    """Every keyword of the schema at its bounds, once."""
    until = time.monotonic() + seconds
    config = schema.config.generation_for(operation=operation)
    for case in schema.iter_coverage_cases(operation, generation_modes=list(GenerationMode), generation_config=config):
        if time.monotonic() > until:
            return
        work(case)


def checked(served: Served, tally: Tally, session: sender.Session) -> Callable[[Any], None]:
    """What sends a case and checks the answer."""

    def work(case: Any) -> None:
        try:
            response = case.call(base_url=served.address, session=session, timeout=SECONDS)
        except sender.Timeout:
            tally.note(f"no answer in {SECONDS:.0f} seconds", repr(case).encode())
            return
        tally.count(response.status_code, response.elapsed)
        # A tree that is none has its error in its place, and the answer is 200; 413 is a refusal, of what is too long.
        keeps_going = isinstance(case.body, dict) and case.body.get("keep_going") is True
        is_answered = keeps_going or response.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        checks = [check for check in CHECKS if check is not negative_data_rejection or not is_answered]
        try:
            case.validate_response(response, checks=checks)
        except FailureGroup as group:
            for failure in group.exceptions:
                words = f"{getattr(failure, 'title', type(failure).__name__)}: {getattr(failure, 'message', failure)}"
                tally.note(" ".join(words.split())[:300], as_bytes(response.request))
        if trouble := served.trouble():
            tally.note(trouble, as_bytes(response.request))

    return work


def as_bytes(request: sender.PreparedRequest) -> bytes:
    """A request as it was sent, but for the address of the server."""
    body = request.body if isinstance(request.body, bytes) else str(request.body or "").encode()
    head = f"{request.method} {request.path_url} HTTP/1.1\r\nHost: fergus.test\r\n"
    for name in ("Content-Type", "Accept", "Content-Length"):
        if value := request.headers.get(name):
            head += f"{name}: {value if isinstance(value, str) else value.decode('latin-1')}\r\n"
    return head.encode("utf-8") + b"\r\n" + body
