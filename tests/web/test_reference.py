"""The reference of the server and its API says what the code says: operations, fields, defaults, statuses, limits."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

from fergus.web.api import SHORT_TEXT
from fergus.web.api_records.models import ModelDescription, ModelsResponse
from fergus.web.api_records.parse import ParsedSentence, ParseResponse
from fergus.web.api_records.realize import RealizedSentence
from fergus.web.connection import Connection
from fergus.web.engine_limits import Limits
from fergus.web.openapi import OPERATIONS, Operation
from fergus.web.problems import KINDS
from fergus.web.schema import parts_of
from fergus.web.settings import Settings
from fergus.web.views_accounts import FROM_STRANGERS

REFERENCE = Path(__file__).resolve().parents[2] / "docs/reference"


def page(name: str) -> str:
    return (REFERENCE / name).read_text(encoding="utf-8")


def section(text: str, title: str) -> str:
    """What stands below a heading, without what stands below the next one."""
    found = re.search(rf"^#+ {title}\n(.*?)(?=^#|\Z)", text, re.MULTILINE | re.DOTALL)
    assert found is not None, title
    return found[1]


def size(number: int) -> str:
    return f"{number // 1024**2} MB" if number % 1024**2 == 0 else f"{number // 1024} KB"


def rows(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("| ")]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one.name)
def test_every_operation_and_field_is_in_the_reference(operation: Operation) -> None:
    text = page("api.md")
    assert f"| `{operation.method} {operation.path}` |" in text
    described = section(text, operation.name.capitalize())
    shown: dict[str, str] = {}
    for name, default, *_ in rows(described)[1:] if operation.request else ():
        names = re.findall(r"`(\w+)`", name)
        values = default.split(", ") if len(names) > 1 else [default]
        shown |= dict(zip(names, values, strict=True))
    parts = () if operation.request is None else parts_of(operation.request)
    assert set(shown) == {part.name for part in parts}
    for part in parts:
        if part.is_needed:
            assert shown[part.name] == "", part.name
            continue
        value = part.field.default
        written = value if isinstance(value, str) else json.dumps(value)
        assert shown[part.name].strip("`") == written, part.name
        # Bounds that are not those of limits, which the next test has, and not how many choices there are.
        if isinstance(value, tuple | None) and part.said.most and not part.said.choices and part.said.most < 100:
            (line,) = [line for line in described.splitlines() if f"`{part.name}`" in line and line.startswith("| `")]
            assert f"up to {part.said.most} " in line, part.name


@pytest.mark.parametrize(
    ("title", "record"),
    [
        ("Realize", RealizedSentence),
        ("Parse", ParseResponse),
        ("Parse", ParsedSentence),
        ("Models", ModelDescription),
        ("Models", ModelsResponse),
    ],
)
def test_every_field_of_answers_is_in_the_reference(title: str, record: type) -> None:
    described = section(page("api.md"), title)
    missing = {one.name for one in fields(record) if f"`{one.name}`" not in described} - {"sentences"}
    assert not missing


def test_every_limit_is_in_the_reference() -> None:
    limits, short = Limits(), f"{SHORT_TEXT:,}"
    shown = {
        "a request": f"{size(limits.body)}, {limits.trees:,} trees of up to {limits.nodes} nodes, "
        f"{limits.characters:,} characters to parse, {limits.sentences:,} sentences of {limits.systems} systems to "
        f"evaluate, {limits.samples:,} bootstrap samples; {limits.nbest} sentences a tree",
        "time": f"{limits.seconds:g} seconds for a tree (for a parse of more than {short} bytes, and for an "
        f"evaluation, {limits.request_seconds:g}), {limits.request_seconds:g} for a request",
        "at once, in each process": f"{limits.of_one} requests of one visitor, {limits.waiting} of all; each waits "
        f"{limits.waiting_seconds:g} seconds at most for its turn",
    }
    assert {name: text for name, text in rows(section(page("api.md"), "Limits")) if name} == shown


def test_every_status_is_in_the_reference() -> None:
    settings = Settings()
    shown = {int(status): text for status, text in rows(section(page("api.md"), "Problems"))[1:]}
    assert set(shown) == {kind.status for kind in KINDS.values()}
    assert f"{settings.body_seconds:g} seconds" in shown[408]
    assert size(settings.limits.body) in shown[413]
    assert size(settings.longest_address) in shown[414]


def test_the_sizes_that_the_server_refuses_are_in_the_reference() -> None:
    settings, seconds = Settings(), f"{Settings().body_seconds:g}"
    strangers = FROM_STRANGERS
    shown = [cells[1:] for cells in rows(section(page("serve.md"), "Safety"))]
    assert shown[1:] == [
        [f"{size(settings.largest_form)}, {settings.most_fields:,} fields", seconds],
        [f"{size(strangers['largest'])}, {strangers['most']} fields", seconds],
        [size(settings.largest_upload), seconds],
        [size(settings.limits.body), seconds],
        [size(settings.longest_address), ""],
        [size(Connection.largest_head), f"{Connection.head_seconds:g}"],
    ]
