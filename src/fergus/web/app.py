"""The web application: routes, middleware and the errors that people see; the pages are in ``views_*``."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from fergus.studies.service import Service
from fergus.studies.storage.database import Database, DatabaseError
from fergus.web import (
    views_accounts,
    views_admin,
    views_analysis,
    views_arrival,
    views_coding,
    views_data,
    views_participant,
    views_study,
)
from fergus.web.analyses import Analyses
from fergus.web.errors import error_page
from fergus.web.last_page import Scores
from fergus.web.live import LiveProgress
from fergus.web.login import Logins
from fergus.web.question_html import QuestionHtml
from fergus.web.rendering import Pages
from fergus.web.security import HEADERS, Guard
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
        yield
        app.state.analyses.close()
        if on_close is not None:
            on_close()

    async def refused(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        return error_page(pages, status, headers=getattr(error, "headers", None))

    async def home(request: Request) -> Response:
        return RedirectResponse("/admin", 303)  # which studies there are is nobody's business who has no link

    async def unavailable(request: Request, error: Exception) -> Response:
        logger.error("%s", error)
        return error_page(pages, 503, headers={"Retry-After": "5"})

    async def broken(request: Request, error: Exception) -> Response:
        return error_page(
            pages, 500, headers={**HEADERS, "Cache-Control": "no-store"}
        )  # made outside the guard, which adds them elsewhere

    app = Starlette(
        routes=[
            Route("/", home),
            *views_participant.ROUTES,
            *views_arrival.ROUTES,
            *views_accounts.ROUTES,
            *views_admin.ROUTES,
            *views_study.ROUTES,
            *views_data.ROUTES,
            *views_analysis.ROUTES,
            *views_coding.ROUTES,
            Mount("/static", StaticFiles(packages=[("fergus.web", "static")]), name="static"),
        ],
        middleware=[Middleware(Guard, settings=settings, refuse=lambda status: error_page(pages, status))],
        exception_handlers={HTTPException: refused, DatabaseError: unavailable, Exception: broken},
        lifespan=lifespan,
    )
    app.state.service = service = service or Service(database)
    app.state.logins, app.state.live = Logins(database, now_ms=service.now_ms), LiveProgress(service)
    app.state.pages, app.state.settings, app.state.analyses = pages, settings, Analyses(database)
    app.state.question_html, app.state.scores = QuestionHtml(pages), Scores(service)
    return app
