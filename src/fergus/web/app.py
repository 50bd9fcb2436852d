"""The web application: routes, middleware and the errors that people see; the pages are in ``views_*``."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from fergus.studies.service import Service
from fergus.studies.storage.database import Database
from fergus.web import views_participant
from fergus.web.errors import error_page
from fergus.web.last_page import Scores
from fergus.web.question_html import QuestionHtml
from fergus.web.rendering import Pages
from fergus.web.security import HEADERS, Guard
from fergus.web.settings import Settings


def create_app(database: Database, *, settings: Settings | None = None, service: Service | None = None) -> Starlette:
    """The application on an open database; whoever opened the database closes it.

    Views find what they need in ``request.app.state``: ``service``, ``pages``, ``settings``.
    """
    settings, pages = settings or Settings(), Pages()

    async def refused(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        return error_page(pages, status, headers=getattr(error, "headers", None))

    async def broken(request: Request, error: Exception) -> Response:
        return error_page(pages, 500, headers=HEADERS)  # made outside the guard, which adds them elsewhere

    app = Starlette(
        routes=[
            *views_participant.ROUTES,
            Mount("/static", StaticFiles(packages=[("fergus.web", "static")]), name="static"),
        ],
        middleware=[Middleware(Guard, settings=settings, refuse=lambda status: error_page(pages, status))],
        exception_handlers={HTTPException: refused, Exception: broken},
        lifespan=_lifespan,
    )
    app.state.service = service = service or Service(database)
    app.state.pages, app.state.settings = pages, settings
    app.state.question_html, app.state.scores = QuestionHtml(pages), Scores(service)
    return app


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    app.state.pages.warm()
    yield
