"""A study's analysis: the report of ``fergus analyse``, made in the background, kept, read and downloaded."""

from __future__ import annotations

import re
import shlex
from hashlib import sha256
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from fergus.analysis.report_files import FIGURES, HTML, JSON, LATEX, Wanted
from fergus.studies.flags import FLAGS
from fergus.studies.questions.pair import Pair
from fergus.studies.storage.studies import StudyRow
from fergus.studies.study import Study
from fergus.web.analyses import Analyses, State, missing_packages
from fergus.web.views_data import attachment
from fergus.web.views_study import STUDY, address_of, live_of, study_context
from fergus.web.visits import Visit, changing, looking

METRICS = {
    "string": "string accuracies",
    "peers": "BLEU, NIST, chrF, TER, ROUGE-L, …",
    "tree": "tree accuracies",
    "learned": "understandability and quality",
}
"""Groups of metrics that can be computed from references, as ``--metrics`` has them."""
USUAL = ("string", "peers")
SAMPLES = (10, 10_000)
"""The command takes more: here everybody would wait for it."""
LARGEST_SEED = 2**31 - 1
FILES = {
    HTML: "text/html; charset=utf-8",
    JSON: "application/json",
    LATEX: "application/zip",
    FIGURES: "application/zip",
}
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">')


def analyses_of(visit: Visit) -> Analyses:
    """The reports of all studies."""
    analyses: Analyses = visit.request.app.state.analyses
    return analyses


def show_analysis(visit: Visit, *, problem: str = "") -> Response:
    """How it stands with the report, and what can be chosen for the next one: at first what was for the last one."""
    row = visit.study()
    study = visit.service.study(row)
    state = analyses_of(visit).state(row)
    wanted = state.made.wanted if state.made is not None else Wanted(metrics=USUAL if has_references(study) else ())
    context = {
        "wanted": _typed(visit) if problem else wanted,
        "metrics": METRICS if has_references(study) else {},
        "groups": groups_of(study),
        "flags": FLAGS,
        "samples": SAMPLES,
        "command": command_of(visit, row, wanted),
        "problem": problem,
        "missing": missing_packages(),
    }
    everything = {**study_context(visit, row, "analysis"), **_standing(visit, row, state), **context}
    return visit.page("analysis.html", everything, status=422 if problem else 200)


def _typed(visit: Visit) -> dict[str, Any]:
    """What was sent, as it was, so that only what is wrong need be typed again."""
    fields = {name: visit.field(name) for name in ("group", "samples", "seed")}
    return {"metrics": visit.form.get("metric", []), "leave_out": visit.form.get("leave_out", []), **fields}


def show_state(visit: Visit) -> Response:
    """The part of the page that renews itself; nothing (204) if it is as it was."""
    row = visit.study()
    context = {**study_context(visit, row, "analysis"), **_standing(visit, row, analyses_of(visit).state(row))}
    if context["seen"] == visit.query("seen"):
        return Response(status_code=204)
    if visit.query("first") and context["answers"]:  # now there is something to compute, and the form comes with it
        return Response(headers={"HX-Refresh": "true"})
    return visit.page("analysis_state.html", context)


def _standing(visit: Visit, row: StudyRow, state: State) -> dict[str, Any]:
    """The report, and how many answers have come in since."""
    answers = live_of(visit).of(row).answers
    is_new_version = state.made is not None and state.made.version != row.version
    seconds = state.elapsed_ms // 1000
    marks = repr((state, answers, is_new_version, seconds)).encode()
    return {
        "report": state,
        "answers": answers,
        "since": 0 if state.made is None else max(0, answers - state.made.answers),
        "is_new_version": is_new_version,
        "seen": sha256(marks).hexdigest()[:16],
    }


def has_references(study: Study) -> bool:
    """Can metrics be computed: are there ratings, and references of what is rated?"""
    from fergus.analysis.load import NUMERIC

    has_ratings = any(question.type in NUMERIC for block in study.blocks for question in block.questions)
    return has_ratings and any(item.values.get("reference", "").strip() for item in study.items)


def groups_of(study: Study) -> tuple[str, ...]:
    """What may divide people in a Turing-style test; nothing where there is none."""
    from fergus.analysis.of_study import dividing

    asked = [question for block in study.blocks if not block.practice for question in block.questions]
    return dividing(study) if any(isinstance(one, Pair) and one.right for one in asked) else ()


def command_of(visit: Visit, row: StudyRow, wanted: Wanted) -> str:
    """The command line that makes the same report."""
    words = ["fergus", "analyse", row.name, "--database", visit.service.database.shown]
    words += ["--metrics", ",".join(wanted.metrics)] if wanted.metrics else []
    words += ["--group", wanted.group] if wanted.group else []
    words += [word for rule in wanted.leave_out for word in ("--leave-out", rule)]
    words += ["--samples", str(wanted.samples)] if wanted.samples != Wanted.samples else []
    words += ["--seed", str(wanted.seed)] if wanted.seed != Wanted.seed else []
    return shlex.join([*words, "--html", f"{row.name}.html"])


def start(visit: Visit) -> Response:
    """Begin a report."""
    row = visit.study()
    study = visit.service.study(row)
    if missing_packages() or not live_of(visit).of(row).answers:
        return show_analysis(visit)
    chosen, group = visit.form.get("metric", []), visit.field("group")
    rules = visit.form.get("leave_out", [])
    offered = METRICS if has_references(study) else {}
    if any(name not in offered for name in chosen) or (group and group not in groups_of(study)):
        raise HTTPException(400)
    if any(name not in FLAGS for name in rules):
        raise HTTPException(400)
    samples, seed = visit.field("samples"), visit.field("seed")
    if not (_is_number(samples) and SAMPLES[0] <= int(samples) <= SAMPLES[1]):
        return show_analysis(visit, problem=f"Give a number of samples from {SAMPLES[0]} to {SAMPLES[1]:,}.")
    if not (_is_number(seed) and int(seed) <= LARGEST_SEED):
        return show_analysis(visit, problem=f"Give a seed from 0 to {LARGEST_SEED:,}.")
    ordered = tuple(name for name in METRICS if name in chosen)
    left_out = tuple(name for name in FLAGS if name in rules)
    wanted = Wanted(metrics=ordered, group=group, leave_out=left_out, samples=int(samples), seed=int(seed))
    problem = analyses_of(visit).start(row, wanted, command=command_of(visit, row, wanted))
    return show_analysis(visit, problem=problem) if problem else visit.go(f"{address_of(row)}/analysis")


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 12


def stop(visit: Visit) -> Response:
    """Want the report that is being made no more."""
    row = visit.study()
    analyses_of(visit).stop(row)
    return visit.go(f"{address_of(row)}/analysis")


def show_report(visit: Visit) -> Response:
    """The report itself: the very file that is downloaded, under its own policy, by which nothing runs or loads."""
    row = visit.study()
    content = analyses_of(visit).content(row, HTML)
    if content is None:  # it was there a moment ago, or it is an old bookmark
        return RedirectResponse(f"{address_of(row)}/analysis", 303)
    found = _POLICY.search(content[:10_000].decode("utf-8", "replace"))
    policy = {} if found is None else {"Content-Security-Policy": f"{found[1]}; frame-ancestors 'none'"}
    return HTMLResponse(content, headers=policy)


def download(visit: Visit) -> Response:
    """A file of the report."""
    row, name = visit.study(), visit.request.path_params["file"]
    content = analyses_of(visit).content(row, name) if name in FILES else None
    if content is None:
        raise HTTPException(404)
    return Response(content, headers=attachment(f"{row.name}-{name}", FILES[name]))


ROUTES: list[BaseRoute] = [
    Route(f"{STUDY}/analysis", looking(show_analysis), methods=["GET"]),
    Route(f"{STUDY}/analysis", changing(start), methods=["POST"]),
    Route(f"{STUDY}/analysis/state", looking(show_state), methods=["GET"]),
    Route(f"{STUDY}/analysis/stop", changing(stop), methods=["POST"]),
    Route(f"{STUDY}/analysis/report", looking(show_report), methods=["GET"]),
    Route(f"{STUDY}/analysis/{{file}}", looking(download), methods=["GET"]),
]
