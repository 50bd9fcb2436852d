"""The page Evaluate: outputs and references in, scores and the report of ``fergus evaluate`` out.

Nothing is kept on the server: what was uploaded comes back in the page's own form, and a download sends it again.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from fergus.core.distinct import distinct_names
from fergus.errors import FergusError
from fergus.web.engine import LONG, BrokenError
from fergus.web.forms import Upload, read_uploads
from fergus.web.views_data import attachment
from fergus.web.views_workbench import Problem, engine_of, for_visitors, page, problem_of
from fergus.web.workbench import evaluated as work
from fergus.web.workbench.evaluated import ADDRESS, HTML, KINDS, Evaluated, Given, Wanted, plain_name

REPORT = "report"
"""The report as a page of its own."""
MOST_FIELDS = 80
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">')
EXAMPLE = Wanted(
    outputs=(
        Given(
            "mine.txt",
            "there was no cost estimate for the second phase .\nshe gave him a book yesterday .\n"
            "he said that already they left .\n",
        ),
        Given(
            "theirs.txt",
            "there was estimate for phase the second no cost .\nshe gave yesterday him a book .\n"
            "he said that they already left .\n",
        ),
    ),
    references=(
        Given(
            "references.txt",
            "there was no cost estimate for the second phase .\nyesterday she gave him a book .\n"
            "he said that they had already left .\n",
        ),
    ),
)
"""To begin with."""


async def look(request: Request, visitor: str) -> Response:
    """The form; with ``example`` filled in."""
    engine_of(request)
    wanted = EXAMPLE if "example" in request.query_params else Wanted()
    return show(request, wanted, started=time.perf_counter())


async def ask(request: Request, visitor: str) -> Response:
    """Scores, or a file of the report."""
    started = time.perf_counter()
    engine = engine_of(request)
    fields, files = await read_uploads(
        request, most_files=4 * engine.limits.systems, most_fields=MOST_FIELDS, largest_field=engine.limits.body
    )
    wanted, wrong = wanted_of(fields, files, most=engine.limits.samples)
    answer = fields.get("answer", [""])[0]
    if answer and answer != REPORT and answer not in KINDS:
        raise HTTPException(400)
    if wrong:
        problem = Problem("Some of the options cannot be: see beside them")
        return show(request, wanted, wrong=wrong, problem=problem, started=started)
    try:
        if not answer:
            found = await engine.run(work.page_of, wanted, engine.limits, lane=LONG, visitor=visitor)
            return show(request, wanted, found, started=started)
        kind = HTML if answer == REPORT else answer
        content = await engine.run(work.file_of, wanted, kind, engine.limits, lane=LONG, visitor=visitor)
    except (FergusError, BrokenError) as error:
        return show(request, wanted, problem=problem_of(error), started=started)
    return report(content) if answer == REPORT else Response(content, headers=attachment(answer, KINDS[answer]))


def report(content: bytes) -> Response:
    """The report as a page, under its own policy, by which nothing but its own script runs."""
    found = _POLICY.search(content[:10_000].decode("utf-8", "replace"))
    policy = {} if found is None else {"Content-Security-Policy": f"{found[1]}; frame-ancestors 'none'"}
    return HTMLResponse(content, headers=policy)


def wanted_of(
    fields: Mapping[str, Sequence[str]], files: Mapping[str, Sequence[Upload]], *, most: int
) -> tuple[Wanted, dict[str, str]]:
    """What a form asks for, and by field what is wrong with it."""
    problems = {}

    def one(name: str, default: str) -> str:
        return next(iter(fields.get(name, ())), default)

    metrics = tuple(name for name in work.METRICS if name in fields.get("metrics", ()))
    if not metrics:
        problems["metrics"] = "Choose one or more."
    tokenize, samples = one("tokenize", "spaces"), one("samples", str(work.SAMPLES)).strip()
    if tokenize not in work.TOKENIZERS:
        problems["tokenize"] = f"Take one of {', '.join(work.TOKENIZERS)}."
        tokenize = "spaces"
    if not (samples.isascii() and samples.isdecimal() and len(samples) < 9 and int(samples) <= most):
        problems["samples"] = f"Give a number from 0 to {most:,}."
        samples = str(work.SAMPLES)
    wanted = Wanted(
        outputs=given("outputs", fields, files),
        references=given("references", fields, files),
        metrics=metrics or work.USUAL,
        tokenize=tokenize,
        lowercase=one("lowercase", "") == "1",
        samples=int(samples),
        compare=one("compare", "") == "1",
    )
    return wanted, problems


def given(name: str, fields: Mapping[str, Sequence[str]], files: Mapping[str, Sequence[Upload]]) -> tuple[Given, ...]:
    """The files of a field: those that were there before, pasted or kept, then those that were uploaded."""
    found: list[Given] = []
    default = f"{name}.txt"
    texts, names = fields.get(f"{name}_text", ()), fields.get(f"{name}_name", ())
    for number, text in enumerate(texts):
        if text.strip():
            named = plain_name(names[number], default) if number < len(names) else default
            found.append(Given(named, text.replace("\r\n", "\n").replace("\r", "\n")))
    for upload in files.get(name, ()):
        if upload.content or upload.name:
            text = upload.content.decode("utf-8", "replace").removeprefix("\ufeff")
            found.append(Given(plain_name(upload.name, default), text.replace("\r\n", "\n")))
    # The command needs them apart.
    names = distinct_names((one.name for one in found), keeps_endings=True)
    return tuple(replace(one, name=name) for one, name in zip(found, names, strict=True))


def show(
    request: Request,
    wanted: Wanted,
    found: Evaluated | None = None,
    *,
    wrong: Mapping[str, str] | None = None,
    problem: Problem | None = None,
    started: float,
) -> Response:
    """The page."""
    context = {
        "wanted": wanted,
        "wrong": wrong or {},
        "found": found,
        "work": work,
        "report": REPORT,
        "downloads": {kind: work.command_of(wanted, kind) for kind in KINDS} if found else {},
        "command": work.command_of(wanted) if found else "",
        "milliseconds": 1000 * (time.perf_counter() - started),
    }
    return page(request, "evaluate.html", context, problem=problem)


ROUTES: list[BaseRoute] = [
    Route(ADDRESS, for_visitors(look), methods=["GET"]),
    Route(ADDRESS, for_visitors(ask), methods=["POST"]),
]
