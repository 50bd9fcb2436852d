"""Every address of ``fergus serve`` that takes something, with what its page or its examples say that it takes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import unescape
from typing import Any

from hypothesis import strategies as st

from fergus.web.openapi import OPERATIONS
from fuzz.http_requests import Bodies, Endpoint
from fuzz.http_target import ROOT, Served
from fuzz.http_values import TREES, documents, encoded, pairs, texts, uploads

GROUPS = ("api", "workbench", "study", "administration")
FORM, JSON = "application/x-www-form-urlencoded", "application/json"
SESSION = ("Cookie: fergus_admin={session}", "X-CSRF: {csrf}")
NOTHING: Bodies = st.just(("", b""))
NO_QUERY = st.just(b"")
_FIELD = re.compile(r"<(input|textarea|select|button)\b([^>]*)>")
_NAME, _VALUE = re.compile(r'\bname="([^"]*)"'), re.compile(r'\bvalue="([^"]*)"')
_OPTION = re.compile(r'<option\b[^>]*\bvalue="([^"]*)"')
EXAMPLES: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "realize": [
        {"trees": [TREES[0]], "format": "auto", "nbest": 3},
        {"trees": "\n".join(TREES[:2]), "preset": "supertag", "conllu": True, "keep_going": True},
        {"trees": TREES[2], "format": "conllu", "stages": ["insert", "inflect", "order", "punctuate"]},
        {"trees": [{"form": "saw", "daughters": [{"form": "I"}, {"form": "her", "deprel": "obj"}]}], "bare": True},
        {"trees": ["x"], "preset": "treebank-lr", "model": "en"},
        {"trees": [TREES[4]], "preset": "baseline-lr", "format": "bracketed"},
    ],
    "parse": [
        {"text": "There was no cost estimate.", "output": "notation"},
        {"text": "I saw her\nwe left", "input": "lines", "output": "conllu"},
        {"text": "I saw her .", "input": "tokens", "output": "json", "parser": "en"},
        {"text": "One. Two? Three!", "output": "tokens"},
    ],
    "evaluate": [
        {
            "systems": {"mine": ["there was no cost"]},
            "references": [["there was a cost"]],
            "metrics": ["all"],
            "samples": 20,
        },
        {
            "systems": {"a": ["x y", ""], "b": ["y x", "z"]},
            "references": [["x y", "z"], ["y", "z z"]],
            "compare": True,
            "samples": 10,
            "metrics": ["string", "bleu"],
        },
        {
            "systems": {"a": ["I saw her"]},
            "conllu": TREES[2],
            "metrics": ["paper", "tags"],
            "tokenize": "13a",
            "lowercase": True,
            "samples": 0,
        },
        {
            "systems": {"a": ["x"]},
            "references": [["x"]],
            "metrics": ["peers"],
            "parser": None,
            "tokenize": "char",
            "seed": 1,
            "samples": 5,
            "per_sentence": False,
        },
    ],
}


def endpoints(served: Served) -> list[Endpoint]:
    """All of them; pages are looked at for their forms."""
    return [*of_api(), *of_workbench(served), *of_study(served), *of_administration(served)]


def of_api() -> list[Endpoint]:
    """The HTTP API."""
    found = []
    for one in OPERATIONS:
        bodies = st.tuples(st.just(JSON), documents(EXAMPLES.get(one.name, [one.example]))) if one.request else NOTHING
        found.append(Endpoint("api", one.method, one.path, bodies, NO_QUERY))
        if one.line is not None:
            lines = ("Accept: application/x-ndjson",)
            found.append(Endpoint("api", one.method, one.path, bodies, NO_QUERY, lines, " (lines)"))
    found.append(Endpoint("api", "GET", "/api/v1/openapi.json", NOTHING, NO_QUERY))
    return found


def of_workbench(served: Served) -> list[Endpoint]:
    """Its pages: by their addresses, by their forms, by uploads."""
    found = [Endpoint("workbench", "GET", path, NOTHING, NO_QUERY) for path in ("/", "/api", "/static/style.css")]
    for path, near in (
        ("/workbench/realize", TREES),
        ("/workbench/text", ("There was no cost estimate.", "I saw her")),
    ):
        fields = {**fields_of(served.page(path)), ("tree" if "realize" in path else "text"): near}
        found.append(Endpoint("workbench", "GET", path, NOTHING, pairs(fields).map(encoded)))
        found.append(Endpoint("workbench", "POST", path, forms(fields), NO_QUERY))
    # Few samples: what is fuzzed is reading, not counting.
    every: dict[str, Sequence[str]] = {
        **fields_of(served.page("/workbench/evaluate?example")),
        "samples": ("0", "10"),
        "answer": ("", "", "report", "report.json", "sentences.csv"),
    }
    found.append(Endpoint("workbench", "POST", "/workbench/evaluate", forms(every), NO_QUERY))
    sent = uploads(every, ["outputs", "references", "x"])
    found.append(Endpoint("workbench", "POST", "/workbench/evaluate", sent, NO_QUERY, note=" (upload)"))
    return found


def of_study(served: Served) -> list[Endpoint]:
    """What participants send: the form that joins, pages of answers, stopping."""
    page = fields_of(served.page(served.filled(b"/p/{participants-key}").decode()))
    answers = {name: legal for name, legal in page.items() if name != "page"}
    every = {**answers, "page": [str(number) for number in range(12)], **{f"page.{name}": () for name in QUESTIONS}}
    hx = ("HX-Request: true",)
    queries = texts(("again", "after=0")).map(lambda text: encoded([(text, text)]))
    return [
        Endpoint("study", "GET", "/s/every-type", NOTHING, queries),
        Endpoint(
            "study",
            "POST",
            "/s/every-type",
            forms({"nonce": ["x" * 43, "y" * 43], "kind": ["simulated", "person"]}),
            queries,
        ),
        Endpoint("study", "GET", "/p/{participants-key}", NOTHING, queries),
        Endpoint("study", "POST", "/p/{participants-key}", forms(every), queries),
        Endpoint("study", "POST", "/p/{participants-key}", forms(every), NO_QUERY, hx, " (script)"),
        Endpoint("study", "GET", "/p/{participants-key}/withdraw", NOTHING, NO_QUERY),
        Endpoint("study", "POST", "/j/unknown", forms({"nonce": ["x" * 43]}), NO_QUERY),
    ]


QUESTIONS = (
    "scale.clear",
    "slider.good",
    "which.choice",
    "order.0",
    "order.1",
    "extremes.best",
    "extremes.worst",
    "note.comment",
    "home.choice",
    "home.other",
    "many.choice",
    "find.solution",
    "essay.solution",
    "remarks.0.start",
    "remarks.0.end",
    "remarks.0.category",
    "remarks.0.comment",
    "remarks.overall",
)


def of_administration(served: Served) -> list[Endpoint]:
    """What strangers can send there, and what somebody with an account can."""
    study = "/admin/studies/every-type"
    login = {"name": ["fuzz2"], "password": ["x"], "next": ["/admin", "//other.test"]}
    found = [
        Endpoint("administration", "POST", "/admin/login", forms(login), NO_QUERY),
        Endpoint("administration", "POST", "/admin/setup", forms({**login, "token": ["x"], "again": ["x"]}), NO_QUERY),
        Endpoint("administration", "GET", f"{study}/participants/1", NOTHING, NO_QUERY, SESSION[:1]),
        Endpoint(
            "administration", "GET", f"{study}/export.csv", NOTHING, queries_of("with_ids", "is_safe"), SESSION[:1]
        ),
        Endpoint("administration", "GET", f"{study}/participants", NOTHING, queries_of("flag"), SESSION[:1]),
        Endpoint(
            "administration", "GET", f"{study}/comments/note/code", NOTHING, queries_of("answer", "part"), SESSION[:1]
        ),
        Endpoint("administration", "GET", f"{study}/progress", NOTHING, queries_of("seen"), SESSION[:1]),
    ]
    for path, fields in {
        f"{study}/links": {"number": ["1", "2"], "labels": ["", "a\nb"], "condition": [""]},
        f"{study}/preview": {"condition": [""]},
        f"{study}/condition": {"condition": [""], "closed": ["yes", "no"]},
        f"{study}/comments/note/code": {
            "answer": ["1"],
            "part": ["0"],
            "codes": ["x"],
            "grade": ["0.5"],
            "remark": [""],
        },
        f"{study}/comments/essay/code": {"answer": ["1"], "part": ["0"], "grade": ["0.5", "nan", "1"]},
    }.items():
        found.append(Endpoint("administration", "POST", path, forms(fields), NO_QUERY, SESSION))
    good = tuple((ROOT / "tests" / "web" / name).read_text("utf-8") for name in ("every-type.yaml", "every-type.csv"))
    sent = uploads({}, ["study", "items"], good)
    found.append(Endpoint("administration", "POST", "/admin/studies", sent, NO_QUERY, SESSION, " (upload)"))
    return found


def forms(fields: Mapping[str, Sequence[str]]) -> Bodies:
    """Forms with these fields."""
    return st.tuples(st.just(FORM), pairs(fields).map(encoded))


def queries_of(*names: str) -> st.SearchStrategy[bytes]:
    """What stands behind a question mark."""
    return pairs({name: ["yes", "1"] for name in names}).map(encoded)


def fields_of(html: str) -> dict[str, list[str]]:
    """The fields of all forms of a page, with the values that it has for them."""
    found: dict[str, list[str]] = {}
    for field in _FIELD.finditer(html):
        name, value = _NAME.search(field[2]), _VALUE.search(field[2])
        if name is None:
            continue
        legal = found.setdefault(unescape(name[1]), [])
        if value is not None:
            legal.append(unescape(value[1]))
        if field[1] == "select":
            inside = html[field.end() : html.find("</select", field.end())]
            legal += [unescape(one) for one in _OPTION.findall(inside)]
    return found
