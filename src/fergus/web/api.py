"""The HTTP API: realize, explain, parse, evaluate, models; its OpenAPI document and its page."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from fergus.errors import FergusError
from fergus.studies.storage.database import DatabaseError
from fergus.web import api_work
from fergus.web.access import api_visitor, check_is_here
from fergus.web.api_work import Piece
from fergus.web.engine import LONG, QUICK, Engine
from fergus.web.engine_limits import BrokenError, TookTooLongError
from fergus.web.openapi import OPERATIONS, document, samples
from fergus.web.problems import KINDS, problem, problem_of
from fergus.web.security import read_body
from fergus.web.settings import Settings
from fergus.web.views_workbench import page

JSON, LINES = "application/json", "application/x-ndjson"
UNBUFFERED = {"X-Accel-Buffering": "no"}
"""On streams: nginx would keep them back until they have ended."""
GONE = 499
"""Nobody gets it: the visitor has hung up, and the log, if there is one, has nginx's number for that."""
SHORT_TEXT = 4000
"""Bytes of a request to parse that need not wait behind evaluations."""

Answer = Callable[[Request, Engine, str, bytes], Awaitable[Response]]


def operation(answer: Answer) -> Callable[[Request], Awaitable[Response]]:
    """An address of the API: who may use it, the body, and what becomes of errors."""

    async def endpoint(request: Request) -> Response:
        settings: Settings = request.app.state.settings
        visitor = api_visitor(request)
        if visitor is None:
            detail = (
                "" if settings.api_token else "this server has no token; it is set by the variable FERGUS_API_TOKEN"
            )
            return problem(KINDS["no-token"], detail, headers={"WWW-Authenticate": "Bearer"})
        body = b""
        if request.method == "POST":
            given = request.headers.get("content-type", "")
            if given.partition(";")[0].strip().lower() != JSON:
                # Nothing else is read: forms, which other sites' pages can send without being asked, least of all.
                return problem(KINDS["wrong-type"], f"the content type is “{given[:60]}”, not {JSON}")
            body = await read_body(request, seconds=settings.body_seconds, largest=settings.limits.body)
        try:
            return await answer(request, request.app.state.engine, visitor, body)
        except FergusError as error:
            return problem_of(error)
        except BrokenError:
            return problem(KINDS["broken"])

    return endpoint


async def realize(request: Request, engine: Engine, visitor: str, body: bytes) -> Response:
    """Sentences for trees, as one document or as lines that are sent as they are made."""
    is_stream = LINES in request.headers.get("accept", "")
    pieces = _pieces(engine, visitor, body, keeps_going=is_stream)
    first = await anext(pieces)  # what is wrong with the request is known now, while there is a status to say so
    if is_stream:
        return StreamingResponse(_lines(first, pieces), media_type=LINES, headers=UNBUFFERED)
    sentences = [first.sentences]
    async for piece in pieces:
        if await request.is_disconnected():
            return Response(status_code=GONE)
        sentences.append(piece.sentences)
    listed = b"".join(sentences).rstrip(b"\n").replace(b"\n", b",\n")
    return Response(first.head[:-1].encode() + b', "sentences": [\n' + listed + b"\n]}\n", media_type=JSON)


async def _pieces(engine: Engine, visitor: str, body: bytes, *, keeps_going: bool) -> AsyncIterator[Piece]:
    piece = await engine.run(api_work.begin_realizing, body, keeps_going, engine.limits, visitor=visitor)
    began = time.monotonic()  # not before: a worker had to be free
    yield piece
    while piece.rest:
        if time.monotonic() - began > engine.limits.request_seconds:
            raise TookTooLongError(
                f"this takes longer than {engine.limits.request_seconds:g} seconds; send fewer trees"
            )
        piece = await engine.run(api_work.go_on_realizing, piece.rest, visitor=visitor)
        yield piece


async def _lines(first: Piece, others: AsyncIterator[Piece]) -> AsyncIterator[bytes]:
    yield first.sentences
    try:
        async for piece in others:
            yield piece.sentences
    except (FergusError, BrokenError) as error:  # the status is sent: the last line tells it
        fault = {"field": "trees", "problem": str(error) if isinstance(error, FergusError) else KINDS["broken"].title}
        yield json.dumps({"source": "trees", "error": fault}, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


async def explain(request: Request, engine: Engine, visitor: str, body: bytes) -> Response:
    """Why a tree became its sentence."""
    return Response(await engine.run(api_work.explain, body, engine.limits, visitor=visitor), media_type=JSON)


async def parse(request: Request, engine: Engine, visitor: str, body: bytes) -> Response:
    """Trees for text."""
    lane = QUICK if len(body) <= SHORT_TEXT else LONG
    answer = await engine.run(api_work.parse, body, engine.limits, lane=lane, visitor=visitor)
    return Response(answer, media_type=JSON)


async def evaluate(request: Request, engine: Engine, visitor: str, body: bytes) -> Response:
    """Scores of outputs against references."""
    answer = await engine.run(api_work.evaluate, body, engine.limits, lane=LONG, visitor=visitor)
    return Response(answer, media_type=JSON)


async def models(request: Request, engine: Engine, visitor: str, body: bytes) -> Response:
    """What the server has."""
    return Response(await engine.run(api_work.models, visitor=visitor), media_type=JSON)


async def show_document(request: Request) -> Response:
    """The OpenAPI document."""
    check_is_here(request)
    settings: Settings = request.app.state.settings
    return JSONResponse(document(has_token=settings.workbench == "accounts", server=settings.public_url))


async def show_page(request: Request) -> Response:
    """The operations with examples, for people."""
    check_is_here(request)
    settings: Settings = request.app.state.settings
    base = settings.public_url.rstrip("/") or str(request.base_url).rstrip("/")
    context = {
        "operations": samples(base, has_token=settings.workbench == "accounts"),
        "kinds": KINDS.values(),
        "has_token": settings.workbench == "accounts",
    }
    return page(request, "api.html", context)


async def show_readiness(request: Request) -> Response:
    """Is this process ready: does its database answer, and has its realizer been read?"""
    engine: Engine | None = request.app.state.engine
    try:
        await asyncio.to_thread(_ask_database, request)
        has_database = True
    except DatabaseError:
        has_database = False
    realizer = "off" if engine is None else engine.state
    is_ready = has_database and realizer in ("off", "ready")
    record = {"ready": is_ready, "database": "ready" if has_database else "not answering", "realizer": realizer}
    return JSONResponse(record, 200 if is_ready else 503, headers=None if is_ready else {"Retry-After": "1"})


def _ask_database(request: Request) -> None:
    from fergus.studies.storage import studies

    with request.app.state.service.database.read() as transaction:
        studies.find_study(transaction, "-")


ANSWERS: dict[str, Answer] = {
    "realize": realize,
    "explain": explain,
    "parse": parse,
    "evaluate": evaluate,
    "models": models,
}
ROUTES: list[BaseRoute] = [
    *(Route(one.path, operation(ANSWERS[one.name]), methods=[one.method]) for one in OPERATIONS),
    Route("/api/v1/openapi.json", show_document, methods=["GET"]),
    Route("/api", show_page, methods=["GET"]),
    Route("/readyz", show_readiness, methods=["GET"]),
]
