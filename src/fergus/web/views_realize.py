"""The page Realize: a tree becomes a sentence, and one sees how; a click makes another one of it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from fergus.errors import FergusError
from fergus.realize.compare_candidates import ordering_model
from fergus.web.engine import BrokenError
from fergus.web.forms import read_form
from fergus.web.views_workbench import Problem, engine_of, for_visitors, models_of, page, problem_of
from fergus.web.workbench import asked as choices
from fergus.web.workbench.asked import LONGEST_ADDRESS, Asked, Command, asked_of, commands
from fergus.web.workbench.changes import changed_text
from fergus.web.workbench.examples import EXAMPLES
from fergus.web.workbench.realized import Shown, shown

Form = Mapping[str, Sequence[str]]


async def look(request: Request, visitor: str) -> Response:
    """The form, and the tree of the address if it has one."""
    form = {name: request.query_params.getlist(name) for name in request.query_params}
    asked, wrong = asked_of(form, most=engine_of(request).limits.nbest)
    return await answer(request, visitor, asked, wrong, started=time.perf_counter())


async def ask(request: Request, visitor: str) -> Response:
    """A tree that was typed, or changed by a click: on to the address that shows it, if that is not too long."""
    started = time.perf_counter()
    engine = engine_of(request)
    form = await read_form(request)
    asked, wrong = asked_of(form, most=engine.limits.nbest)
    change = change_of(form, asked)
    if change and not wrong:
        try:
            text = await engine.run(
                changed_text, asked.tree, asked.input_format, change, engine.limits, visitor=visitor
            )
        except (FergusError, BrokenError) as error:
            return show(request, asked, wrong, None, started=started, problem=problem_of(error))
        asked = replace(asked, tree=text)
    if not wrong and len(asked.address) <= LONGEST_ADDRESS:
        return RedirectResponse(f"{asked.address}#result" if asked.tree.strip() else asked.address, 303)
    return await answer(request, visitor, asked, wrong, started=started)


def change_of(form: Form, asked: Asked) -> str:
    """The change that a button asks for; none if the tree was edited since its page was made."""
    change = next(iter(form.get("change", ())), "")
    if not change or form.get("seen", [""])[0] != mark_of(asked.tree):
        return ""
    if change != "pair":
        return change
    first, second = (form.get(name, [""])[0] for name in ("first", "second"))
    return f"before:{second}:{first}" if form.get("wish") == ["not"] else f"before:{first}:{second}"


def mark_of(tree: str) -> str:
    """By which a page tells whether its tree was edited."""
    return sha256(tree.encode("utf-8", "replace")).hexdigest()[:16]


async def answer(request: Request, visitor: str, asked: Asked, wrong: Mapping[str, str], *, started: float) -> Response:
    """The page with the tree realized, or with what is wrong with it."""
    if not asked.tree.strip() or wrong:
        return show(request, asked, wrong, None, started=started)
    engine = engine_of(request)
    try:
        found = await engine.run(shown, asked, engine.limits, visitor=visitor)
    except (FergusError, BrokenError) as error:
        return show(request, asked, wrong, None, started=started, problem=problem_of(error))
    return show(request, asked, wrong, found, started=started)


def show(
    request: Request,
    asked: Asked,
    wrong: Mapping[str, str],
    found: Shown | None,
    *,
    started: float,
    problem: Problem | None = None,
) -> Response:
    """The page."""
    models = models_of(request)
    if wrong and problem is None:
        problem = Problem("Some of the options cannot be: see beside them")
    model = models.get(asked.model, next(iter(models.values())))
    context = {
        "asked": asked,
        "wrong": wrong,
        "seen": mark_of(asked.tree),
        "examples": EXAMPLES,
        "models": list(models),
        "choices": choices,
        "found": found,
        "ordering": ordering_model(asked.preset),
        "commands": commands_of(asked, found, model) if found else (),
        "is_sharable": len(asked.address) <= LONGEST_ADDRESS,
        "milliseconds": 1000 * (time.perf_counter() - started),
    }
    return page(request, "realize.html", context, problem=problem)


def commands_of(asked: Asked, found: Shown, model: str) -> tuple[Command, ...]:
    """The command lines that print what is shown."""
    return commands(asked, is_notation=found.input_format == "notation", is_wide=found.is_wide, model=model)


ROUTES: list[BaseRoute] = [
    Route(choices.ADDRESS, for_visitors(look), methods=["GET"]),
    Route(choices.ADDRESS, for_visitors(ask), methods=["POST"]),
]
