"""A workbench that everybody may use, with the shipped model in this process."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import unescape
from typing import Any

import httpx
import pytest

from fergus.web.app import create_app
from fergus.web.engine_limits import Limits
from fergus.web.settings import Settings
from tests.untraced import tracing
from tests.web.conftest import Visitor
from tests.web.inline_engine import InlineEngine


class Workbench:
    """The application and a visitor of it."""

    def __init__(self, database: Any, pages: Any, **options: Any) -> None:
        self.app = create_app(database, settings=Settings(**{"workbench": "open", **options}), pages=pages)
        limits = self.app.state.settings.limits
        self.engine = InlineEngine(limits=limits)
        if self.app.state.engine is not None:
            self.app.state.engine = self.engine
        self.visitor = Visitor(self.app)

    def get(self, address: str) -> httpx.Response:
        return self.visitor.get(address)

    def post(self, address: str, form: Mapping[str, str | Sequence[str]]) -> httpx.Response:
        return self.visitor.post(address, form)

    def upload(self, address: str, fields: Mapping[str, Any], files: Sequence[tuple[str, Any]]) -> httpx.Response:
        return self.visitor.request("POST", address, data=dict(fields), files=list(files))


@pytest.fixture
def make_workbench(database: Any, pages: Any) -> Iterator[Callable[..., Workbench]]:
    """make_workbench(limits=..., workbench=...)"""
    made: list[Workbench] = []

    def make(**options: Any) -> Workbench:
        made.append(Workbench(database, pages, **options))
        return made[-1]

    yield make
    for one in made:
        one.visitor.close()


@pytest.fixture
def workbench(make_workbench: Callable[..., Workbench]) -> Workbench:
    return make_workbench()


@pytest.fixture
def limits() -> Limits:
    return Limits()


def sentence(response: httpx.Response) -> str:
    """The sentence that a page shows."""
    assert response.status_code == 200, response.text[:3000]
    found = re.search(r'id="sentence">(.*?)</p>', response.text)
    assert found is not None
    return unescape(found[1])


def textarea(response: httpx.Response, name: str) -> str:
    """What stands in a field of a page; browsers leave out the first line break."""
    found = re.search(rf'<textarea[^>]* name="{name}"[^>]*>\n(.*?)</textarea>', response.text, re.DOTALL)
    assert found is not None
    return unescape(found[1])


def command_lines(response: httpx.Response) -> list[str]:
    """The command lines that a page shows."""
    found = re.findall(r'<textarea id="command-\d+"[^>]*>\n(.*?)</textarea>', response.text, re.DOTALL)
    return [unescape(one) for one in found]


def buttons(response: httpx.Response, name: str) -> list[str]:
    """The values of the buttons of this name."""
    return [unescape(one) for one in re.findall(rf'<button[^>]* name="{name}" value="([^"]*)"', response.text)]


def least_ms(work: Callable[[], object]) -> float:
    """The least processor time of five runs, in milliseconds: neither the machine's other work nor coverage is ours."""
    found = []
    for _ in range(5):
        started = time.process_time()
        with tracing(None):
            work()
        found.append(time.process_time() - started)
    return 1000 * min(found)
