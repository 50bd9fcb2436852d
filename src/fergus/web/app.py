"""The web application: routes, middleware and the errors that people see; the pages are in ``views_*``."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from fergus.studies.service import Service
from fergus.studies.storage.database import Database, DatabaseError
from fergus.web import (
    api,
    views_accounts,
    views_admin,
    views_analysis,
    views_arrival,
    views_coding,
    views_data,
    views_evaluate,
    views_participant,
    views_realize,
    views_study,
    views_text,
    views_workbench,
)
from fergus.web.access import BehindProxyError
from fergus.web.analyses import Analyses
from fergus.web.engine import Engine
from fergus.web.errors import BEHIND_PROXY, error_page
from fergus.web.last_page import Scores
from fergus.web.live import LiveProgress
from fergus.web.login import Logins
from fergus.web.problems import KINDS, problem, problem_of_status
from fergus.web.question_html import QuestionHtml
from fergus.web.rendering import Pages
from fergus.web.security import API, HEADERS, Guard
from fergus.web.settings import Settings

logger = logging.getLogger(__name__)


def create_app(
    database: Database,
    *,
    settings: Settings | None = None,
    service: Service | None = None,
    pages: Pages | None = None,
    on_close: Callable[[], None] | None = None,
) -> Starlette:
    """The application on an open database; ``on_close`` is called when the server stops.

    Views find what they need in ``request.app.state``: ``service``, ``pages``, ``settings``.
    """
    settings, pages = settings or Settings(), pages or Pages()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        pages.warm()
        if app.state.engine is not None:
            app.state.engine.start()
        async with AsyncExitStack() as ended:  # each, whatever becomes of the others
            if on_close is not None:
                ended.callback(on_close)
            if app.state.engine is not None:
                ended.push_async_callback(run_in_threadpool, app.state.engine.close)
            ended.callback(app.state.analyses.close)
            yield

    def told(status: int, path: str, headers: Mapping[str, str] | None = None) -> Response:
        is_for_programs = path.startswith(API)
        return (
            problem_of_status(status, headers=headers)
            if is_for_programs
            else error_page(pages, status, headers=headers)
        )

    async def refused(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        return told(status, request.url.path, getattr(error, "headers", None))

    async def behind_proxy(request: Request, error: Exception) -> Response:
        is_for_programs = request.url.path.startswith(API)
        return problem(KINDS["behind-proxy"]) if is_for_programs else error_page(pages, 403, words=BEHIND_PROXY)

    async def unavailable(request: Request, error: Exception) -> Response:
        logger.error("%s", error)
        return told(503, request.url.path, {"Retry-After": "5"})

    async def broken(request: Request, error: Exception) -> Response:
        # Made outside the guard, which adds the headers elsewhere.
        return told(500, request.url.path, {**HEADERS, "Cache-Control": "no-store"})

    app = Starlette(
        routes=[
            *views_workbench.ROUTES,
            *views_realize.ROUTES,
            *views_text.ROUTES,
            *views_evaluate.ROUTES,
            *views_participant.ROUTES,
            *views_arrival.ROUTES,
            *views_accounts.ROUTES,
            *views_admin.ROUTES,
            *views_study.ROUTES,
            *views_data.ROUTES,
            *views_analysis.ROUTES,
            *views_coding.ROUTES,
            *api.ROUTES,
            Mount("/static", StaticFiles(packages=[("fergus.web", "static")]), name="static"),
        ],
        middleware=[Middleware(Guard, settings=settings, refuse=told)],
        exception_handlers={
            BehindProxyError: behind_proxy,
            HTTPException: refused,
            DatabaseError: unavailable,
            Exception: broken,
        },
        lifespan=lifespan,
    )
    app.state.service = service = service or Service(database)
    app.state.logins, app.state.live = Logins(database, now_ms=service.now_ms), LiveProgress(service)
    app.state.pages, app.state.settings, app.state.analyses = pages, settings, Analyses(database)
    app.state.engine = None if settings.workbench == "off" else engine_of(settings)
    app.state.question_html, app.state.scores = QuestionHtml(pages), Scores(service)
    return app


def engine_of(settings: Settings) -> Engine:
    """The workers that the settings ask for; they are started with the server, or when there is work."""
    return Engine(models=dict(settings.models), workers=settings.workers, limits=settings.limits)
