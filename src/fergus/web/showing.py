"""How views read from the database and show a page or a part of one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from fergus.studies.service import Service
from fergus.studies.study import Study
from fergus.web.question_html import words_of

Result = TypeVar("Result")


async def read(request: Request, work: Callable[[], Result]) -> Result:
    """Read from the database: at once if it is a file, as that is faster than to change threads."""
    service: Service = request.app.state.service
    return work() if service.database.is_sqlite else await to_thread.run_sync(work)


def show(
    request: Request,
    fragment: str,
    study: Study,
    context: Mapping[str, Any],
    *,
    is_preview: bool = False,
    status: int = 200,
) -> Response:
    """A page, or only its content if the page's script asks for it."""
    pages = request.app.state.pages
    everything = {"words": words_of(study), "study": study, **context}
    if request.headers.get("hx-request") == "true":
        response: Response = pages.response(fragment, everything, status=status)
        return response
    everything |= {"language": study.language, "direction": study.direction, "is_preview": is_preview}
    heading = context.get("heading")
    everything |= {"fragment": fragment, "title": f"{heading} · {study.title}" if heading else study.title}
    response = pages.response("participant.html", everything, status=status)
    return response
