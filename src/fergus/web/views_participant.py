"""The pages of participants: every page of the plan, the last one, and the way out."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from anyio import to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from fergus.studies.asked import asked_on
from fergus.studies.feedback import Feedback, feedback_on
from fergus.studies.join import RefusedError
from fergus.studies.service import Service, View
from fergus.studies.storage import answers
from fergus.web.forms import KEY, read_form, whole_number
from fergus.web.last_page import last_context
from fergus.web.participant_page import page_context
from fergus.web.question_html import NOTHING
from fergus.web.showing import read, show

AWAY_MS = 15 * 60 * 1000
"""Who comes back after so long is welcomed."""


async def page(request: Request) -> Response:
    """Where the participant is: the page to answer, or the last one."""
    service: Service = request.app.state.service
    view = await _view(request)
    if view.page is None:
        return await _last(request, view)
    row = view.participant
    if row.study_state == "paused" and row.kind == "person":
        return show(request, "paused.html", view.study, {"key": row.key}, status=503)
    notice, feedback = "", list[Feedback]()
    if "again" in request.query_params:
        notice = "already_answered"
    elif row.page and service.now_ms() - row.seen_ms > AWAY_MS:
        notice = "resume"
    if request.query_params.get("after", "") == str(row.page - 1):
        feedback = await _feedback_after(request, view)
    return _show_page(request, await _served(request, view), notice=notice, feedback=feedback)


async def answer(request: Request) -> Response:
    """Take a page that was filled in: on disk when the next page is shown."""
    service: Service = request.app.state.service
    form, key = await read_form(request), _key(request)
    number = whole_number(form, "page")
    if number is None:
        raise HTTPException(400)
    times = {"shown_ms": whole_number(form, "shown_ms"), "active_ms": whole_number(form, "active_ms")}
    is_fragment = request.headers.get("hx-request") == "true"
    try:
        outcome = await asyncio.wrap_future(service.submit_later(key, number, form, **times))
    except RefusedError as refusal:
        view = await _view(request)
        return _show_page(request, view, form=form, notice=refusal.reason, status=409)
    if outcome is None:
        raise HTTPException(404)
    if outcome.problems:
        return _show_page(request, outcome.view, form=form, problems=outcome.problems, status=422)
    # A page that was sent again because its first answer got lost on the way needs no explanation.
    notice = "already_answered" if outcome.is_repeated and "retried" not in form else ""
    feedback = list[Feedback]()
    if outcome.submitted is not None and outcome.submitted.block.practice:
        feedback = feedback_on(outcome.submitted.asked, outcome.given)
    if not is_fragment:
        query = "?again" if notice else f"?after={number}" if feedback else ""
        return RedirectResponse(f"/p/{key}{query}", 303)
    if outcome.view.page is None:
        return await _last(request, outcome.view, notice=notice)
    view = await _served(request, outcome.view, is_again=outcome.is_repeated and "retried" in form)
    return _show_page(request, view, notice=notice, feedback=feedback)


async def withdraw(request: Request) -> Response:
    """Ask whether somebody really wants to stop; stop."""
    service: Service = request.app.state.service
    view = await _view(request)
    key = view.participant.key
    if request.method == "POST":
        await to_thread.run_sync(service.withdraw, key)
        return RedirectResponse(f"/p/{key}", 303)
    if view.page is None:
        return RedirectResponse(f"/p/{key}", 303)
    return show(request, "withdraw.html", view.study, {"key": key})


async def _view(request: Request) -> View:
    service: Service = request.app.state.service
    key = _key(request)
    view = await read(request, lambda: service.view(key))
    if view is None:
        raise HTTPException(404)
    return view


async def _served(request: Request, view: View, *, is_again: bool = False) -> View:
    """The same, with the clock of the page running if it has one; only such pages are written down."""
    service: Service = request.app.state.service
    return await asyncio.wrap_future(service.serve_later(view, is_again=is_again))


def _key(request: Request) -> str:
    """The secret in the address; what cannot be one is never looked up."""
    key: str = request.path_params["key"]
    if not KEY.fullmatch(key):
        raise HTTPException(404)
    return key


async def _feedback_after(request: Request, view: View) -> list[Feedback]:
    """On the page before this one, if it was practice."""
    service: Service = request.app.state.service
    row, study = view.participant, view.study
    before = row.plan[row.page - 1]
    block = study.by_name[before.block]
    if not block.practice:
        return []

    def find() -> list[answers.AnswerRow]:
        with service.database.read() as transaction:
            return answers.of_participant(transaction, row.id)

    given = [one.given for one in await read(request, find) if one.submission.page == row.page - 1]
    return feedback_on(asked_on(block, tuple(study.by_id[item] for item in before.items)), given)


async def _last(request: Request, view: View, *, notice: str = "") -> Response:
    state = request.app.state
    score = await to_thread.run_sync(state.scores.of, view) if view.study.score else None
    base_url = state.settings.public_url.rstrip("/") or str(request.base_url).rstrip("/")
    context = last_context(view, score=score, base_url=base_url, notice=notice)
    return show(request, "last.html", view.study, context, is_preview=view.participant.kind == "preview")


def _show_page(
    request: Request,
    view: View,
    *,
    form: Mapping[str, list[str]] | None = None,
    problems: Mapping[str, str] | None = None,
    notice: str = "",
    feedback: list[Feedback] | None = None,
    status: int = 200,
) -> Response:
    state = request.app.state
    context = page_context(
        view,
        state.question_html,
        now_ms=state.service.now_ms(),
        form=NOTHING if form is None else form,
        problems=problems,
        notice=notice,
        feedback=feedback or (),
    )
    is_preview = view.participant.kind == "preview"
    return show(request, "page.html", view.study, context, is_preview=is_preview, status=status)


ROUTES: list[BaseRoute] = [
    Route("/p/{key}", page, methods=["GET"]),
    Route("/p/{key}", answer, methods=["POST"]),
    Route("/p/{key}/withdraw", withdraw, methods=["GET", "POST"]),
]
