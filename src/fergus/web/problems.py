"""Errors of the API: what every problem is called, its status, and how it is told (RFC 9457)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated

from starlette.responses import Response

from fergus.errors import FergusError
from fergus.web.engine_limits import BusyError, LimitError, TookTooLongError, TooManyAtOnceError
from fergus.web.faults import NotJsonError, fault_of
from fergus.web.schema import Fault, InvalidError, Said

MEDIA_TYPE = "application/problem+json"
PAGE = "/api"
"""Which explains every kind of problem."""


@dataclass(frozen=True)
class Problem:
    """Why a request was not answered (RFC 9457)."""

    type: Annotated[str, Said("A page that explains this kind of problem.", example="/api#invalid")]
    title: Annotated[str, Said("The kind of problem.", example="The request is not as it should be")]
    status: Annotated[int, Said("The HTTP status.", example=422)]
    detail: Annotated[str, Said("What is wrong with this request.", example="nbest: 0 is out of bounds")]
    errors: Annotated[tuple[Fault, ...] | None, Said("Everything that is wrong, up to twenty things.")] = None


@dataclass(frozen=True)
class Kind:
    """A kind of problem."""

    name: str
    status: int
    title: str
    meaning: str


KINDS = {
    kind.name: kind
    for kind in (
        Kind("not-json", 400, "The request is not JSON", "The body cannot be read as JSON in UTF-8."),
        Kind("no-token", 401, "You are not known here", "Send `Authorization: Bearer TOKEN` with the server's token."),
        Kind("from-elsewhere", 403, "The request comes from another site", "Pages of other sites cannot use the API."),
        Kind(
            "behind-proxy",
            403,
            "This server is open to its own machine only",
            "A proxy passed the request on. Whoever runs the server starts it with `--public-url URL`, and the API is "
            "for those with the token, or with `--workbench open`, and it is for everybody.",
        ),
        Kind("not-found", 404, "There is no such address", "See the list of operations."),
        Kind("wrong-method", 405, "This address does not take that method", "`Allow` says which it takes."),
        Kind("too-slow", 408, "The request took too long to arrive", "Send it faster, or a smaller one."),
        Kind("too-large", 413, "The request is too large", "Send it in several requests."),
        Kind("long-address", 414, "The address is too long", "What is to be read belongs into the body."),
        Kind("wrong-type", 415, "The request is not of a type that is read", "Send `Content-Type: application/json`."),
        Kind(
            "invalid", 422, "The request is not as it should be", "`errors` says what is wrong and what would be right."
        ),
        Kind("too-much", 422, "The request asks for more than one may", "Send less at once; see the limits."),
        Kind("too-long", 422, "The request takes too long to answer", "Send less at once; the work was stopped."),
        Kind("too-many", 429, "You have too many requests under way", "Wait for answers before you send more."),
        Kind("broken", 500, "Something went wrong here", "It is not your fault; the server's log has it."),
        Kind("busy", 503, "The server is busy", "`Retry-After` says when to come back."),
    )
}
_BY_STATUS = {kind.status: kind for kind in reversed(KINDS.values())}


def problem(
    kind: Kind, detail: str = "", *, faults: tuple[Fault, ...] = (), headers: Mapping[str, str] | None = None
) -> Response:
    """The response for a problem."""
    record: dict[str, object] = {
        "type": f"{PAGE}#{kind.name}",
        "title": kind.title,
        "status": kind.status,
        "detail": detail or kind.meaning,
    }
    if faults:
        record["errors"] = [{name: value for name, value in asdict(one).items() if value is not None} for one in faults]
    # Half a surrogate pair, which JSON can write and UTF-8 cannot, may be in what is quoted.
    body = json.dumps(record, ensure_ascii=False).encode("utf-8", "replace")
    return Response(body, kind.status, headers=headers, media_type=MEDIA_TYPE)


def problem_of_status(status: int, *, headers: Mapping[str, str] | None = None) -> Response:
    """The response for an HTTP error without more words."""
    return problem(_BY_STATUS.get(status, KINDS["broken"]), headers=headers)


def problem_of(error: FergusError) -> Response:
    """The response for an error of the input, or of limits."""
    if isinstance(error, InvalidError):
        return problem(KINDS["invalid"], str(error), faults=error.faults)
    if isinstance(error, TooManyAtOnceError):
        return problem(KINDS["too-many"], str(error), headers={"Retry-After": str(error.retry_s)})
    if isinstance(error, BusyError):
        return problem(KINDS["busy"], str(error), headers={"Retry-After": str(error.retry_s)})
    if isinstance(error, TookTooLongError):
        return problem(KINDS["too-long"], str(error))
    if isinstance(error, LimitError):
        faults = (Fault(error.field, str(error)),) if error.field else ()
        return problem(KINDS["too-much"], str(error), faults=faults)
    if isinstance(error, NotJsonError):
        return problem(KINDS["not-json"], str(error))
    return problem(KINDS["invalid"], str(error), faults=(fault_of(error),))
