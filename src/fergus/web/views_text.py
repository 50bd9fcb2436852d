"""The page Text to tree to text: a sentence is parsed, shuffled, realized and scored against itself."""

from __future__ import annotations

import time
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from fergus.errors import FergusError
from fergus.web.engine import BrokenError
from fergus.web.forms import read_form
from fergus.web.views_workbench import Problem, engine_of, for_visitors, models_of, page, problem_of
from fergus.web.workbench import asked as choices
from fergus.web.workbench import retold as work
from fergus.web.workbench.asked import LONGEST_ADDRESS
from fergus.web.workbench.retold import ADDRESS, Retold, Typed, command_of, retold, typed_of

SENTENCES = (
    "There was no cost estimate for the second phase.",
    "Have you ever seen a film that made you laugh and cry?",
    "Yesterday the old man quietly gave his neighbour three very large boxes of books.",
    "I don't think she'll come, but you never know.",
)
"""To begin with."""


async def look(request: Request, visitor: str) -> Response:
    """The form, and the sentence of the address if it has one."""
    form = {name: request.query_params.getlist(name) for name in request.query_params}
    return await answer(request, visitor, *typed_of(form), started=time.perf_counter())


async def ask(request: Request, visitor: str) -> Response:
    """A sentence that was typed: on to the address that shows it, if that is not too long."""
    started = time.perf_counter()
    typed, wrong = typed_of(await read_form(request))
    if not wrong and len(typed.address) <= LONGEST_ADDRESS:
        return RedirectResponse(f"{typed.address}#result" if typed.text.strip() else typed.address, 303)
    return await answer(request, visitor, typed, wrong, started=started)


async def answer(request: Request, visitor: str, typed: Typed, wrong: Mapping[str, str], *, started: float) -> Response:
    """The page with the sentence made again, or with what is wrong with it."""
    engine = engine_of(request)
    found: Retold | None = None
    problem = Problem("Some of this cannot be: see beside it") if wrong else None
    if typed.text.strip() and not wrong:
        try:
            found = await engine.run(retold, typed, engine.limits, visitor=visitor)
        except (FergusError, BrokenError) as error:
            problem = problem_of(error)
    models = models_of(request)
    model = models.get(typed.model, next(iter(models.values())))
    context = {
        "typed": typed,
        "wrong": wrong,
        "found": found,
        "work": work,
        "models": list(models),
        "choices": choices,
        "sentences": [Typed(text) for text in SENTENCES],
        "command": command_of(typed, model=model) if found else "",
        "milliseconds": 1000 * (time.perf_counter() - started),
    }
    return page(request, "text.html", context, problem=problem)


ROUTES: list[BaseRoute] = [
    Route(ADDRESS, for_visitors(look), methods=["GET"]),
    Route(ADDRESS, for_visitors(ask), methods=["POST"]),
]
