"""Artificial raters go through the real pages of a study: join, read, fill in, send, until there is nothing left.

What a rater answers depends on the seed, the rater's number, the question and the texts on the page alone, so that
the same raters give the same answers to the same texts whatever order the server shows them in.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field, replace
from random import Random
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from fergus.errors import FergusError
from fergus.studies.asked import Asked, asked_on
from fergus.studies.model import Answer, Item
from fergus.studies.page_client import LostConnectionError, PageClient, Response
from fergus.studies.questions.base import AnswerError
from fergus.studies.raters import ArtificialRater, Qualities, RaterSettings, rater
from fergus.studies.read_page import Page, as_read, read_page
from fergus.studies.simulation import Sent, Simulation, Visit
from fergus.studies.study import Study

Report = Callable[[str, int, int], None]
"""Told the name of a job, how much of it is done, and how much there is."""
Result = TypeVar("Result")
KIND = "simulated"
"""What the form that joins says of such participants, and what exports say of their answers."""
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.02, 0.5
"""Between two attempts to reach a server that is away."""


class PageError(FergusError):
    """A page that is not what a participant's page promises to be, or that refused what a rater filled in."""


@dataclass(frozen=True, kw_only=True)
class Load:
    """How many raters come, how many of them at a time, and how long they take."""

    raters: int = 50
    concurrent: int = 50
    think_seconds: float = 0.0
    """From a page to its answer: on average this, at random between half as long and half as long again."""
    patience_seconds: float = 15.0
    """How long a rater tries to reach a server that is away, before giving up."""
    stop_after_seconds: float | None = None
    """Then everybody leaves after the answer that is being sent."""


@dataclass
class Crowd:
    """The raters of one simulation; ``run`` lets them in."""

    study: Study
    address: str
    """Where the study runs; without a path it is that of a server, where the study is looked for by its name."""
    _: KW_ONLY
    seed: int
    load: Load = field(default_factory=Load)
    settings: RaterSettings = field(default_factory=RaterSettings)
    qualities: Qualities = field(default_factory=dict)
    report: Report = field(default=lambda job, done, total: None)
    sent: list[Sent] = field(default_factory=list, init=False)
    lost: int = field(default=0, init=False)
    is_over: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        if not urlsplit(self.address).path.strip("/"):
            self.address = f"{self.address.rstrip('/')}/s/{self.study.name}"
        self.by_text = _by_text(self.study)

    def simulate(self) -> Simulation:
        """Let them take part in the study that runs at the address, and tell how it went."""
        return run_fast(self.run())

    def link_of(self, number: int) -> str:
        """The link that a rater comes by: with the parameter that the study requires, as a recruiter's link has it."""
        recruitment, parts = self.study.recruitment, urlsplit(self.address)
        given = parse_qsl(parts.query, keep_blank_values=True)
        if not recruitment.required or any(name == recruitment.parameters[0] for name, _ in given):
            return self.address
        own = (recruitment.parameters[0], f"{KIND}-{self.seed}-{number}")
        return urlunsplit(parts._replace(query=urlencode([*given, own])))

    async def run(self) -> Simulation:
        """Everybody takes part; raises PageError if there is no such study at the address."""
        await self._look()
        started = self._started = time.perf_counter()
        numbers, visits = iter(range(self.load.raters)), list[Visit]()
        workers = min(self.load.concurrent, self.load.raters)
        async with asyncio.TaskGroup() as group:
            for _ in range(workers):
                group.create_task(self._work(numbers, visits))
        visits.sort(key=lambda visit: visit.rater)
        seconds = time.perf_counter() - started
        return Simulation(tuple(visits), tuple(self.sent), seconds, started=started, lost=self.lost)

    async def _look(self) -> None:
        client = PageClient(self.address)
        try:
            response = await client.get(self.address)
        except LostConnectionError as error:
            raise PageError(f"{self.address}: {error}; is `fergus serve` running there?") from None
        finally:
            client.close()
        if response.status != 200:
            raise PageError(f"{self.address} answers with status {response.status}; is the study on that server?")

    async def _work(self, numbers: Iterator[int], visits: list[Visit]) -> None:
        for number in numbers:
            visits.append(await Participation(self, number).take_part())
            self.report("raters", len(visits), self.load.raters)
            if self.time_is_up():
                return

    def time_is_up(self) -> bool:
        """Is everybody to leave?"""
        limit = self.load.stop_after_seconds
        self.is_over = self.is_over or (limit is not None and time.perf_counter() - self._started >= limit)
        return self.is_over

    def items_on(self, page: Page) -> tuple[Item, ...]:
        """The items that a page shows, found by their texts alone: a rater knows no more of them."""
        places = sorted(page.texts, key=int)
        known = self.by_text.get(page.block, {})
        missing = [page.texts[place] for place in places if page.texts[place] not in known]
        if missing:
            raise PageError(
                f"the page shows “{missing[0][:60]}”, which is no item of {self.study.name}; another version?"
            )
        return tuple(known[page.texts[place]] for place in places)


class Participation:
    """One rater's way through the pages."""

    def __init__(self, crowd: Crowd, number: int) -> None:
        self.crowd, self.number = crowd, number
        self.person = rater(number, seed=crowd.seed, settings=crowd.settings, qualities=crowd.qualities)
        self.client = PageClient(crowd.address)
        self.pace = Random(f"{crowd.seed}/{number}/pace")
        self.key, self.pages = "", 0

    async def take_part(self) -> Visit:
        """From the first page to the last."""
        try:
            state, problem = await self._go_through(), ""
        except (PageError, LostConnectionError) as error:
            state, problem = "failed", str(error)
        finally:
            self.client.close()
        return Visit(self.number, self.key, state, self.pages, problem)

    async def _go_through(self) -> str:
        think = self.crowd.load.think_seconds
        await asyncio.sleep(self.pace.uniform(0, think))  # people do not all arrive in the same moment
        link = self.crowd.link_of(self.number)
        response = await self._persist(lambda: self.client.get(link))
        page = read_page(response.text)
        if not page.has_form:
            return "refused"
        join = {name: [value] for name, value in page.hidden.items()} | {"kind": [KIND]}
        target = page.action or response.address
        response = await self._persist(lambda: self.client.post(target, join))
        address = response.address
        home, _, key = urlsplit(address).path.rpartition("/")
        self.key = key if home == "/p" else ""  # whoever is refused stays where they were
        while True:
            page = read_page(response.text)
            if page.finished:
                return page.finished
            if response.status != 200 or "page" not in page.hidden:
                return _refused(response)
            if think:
                await asyncio.sleep(think * self.pace.uniform(0.5, 1.5))
            if self.crowd.time_is_up():
                return "stopped"
            response = await self._answer(page, address)

    async def _answer(self, page: Page, address: str) -> Response:
        """Fill in a page and send it until the server says that it has it; sent twice, it counts once."""
        form, judgements = self._filled_in(page)
        started = time.perf_counter()
        # As the page's own script sends it: the answer is the next page's content.
        response = await self._persist(lambda: self.client.post(address, form, headers={"HX-Request": "true"}))
        finished = time.perf_counter()
        if response.status == 422:
            raise PageError(f"page {page.hidden['page']} of block {page.block} refused what a rater filled in")
        if response.status == 200:
            self.pages += 1
            self.crowd.sent.append(
                Sent(self.number, self.key, int(page.hidden["page"]), started, finished - started, judgements, form)
            )
        return replace(response, address=address)

    def _filled_in(self, page: Page) -> tuple[dict[str, list[str]], int]:
        block = self.crowd.study.by_name.get(page.block)
        if block is None:
            raise PageError(f"the page is of block “{page.block}”, which {self.crowd.study.name} does not have")
        now_ms = time.time_ns() // 1_000_000
        form = {name: [value] for name, value in page.hidden.items()}
        form |= {"shown_ms": [str(now_ms)], "active_ms": [str(round(1000 * self.crowd.load.think_seconds))]}
        judgements = 0
        items = self.crowd.items_on(page)
        for asked in asked_on(block, items):
            own = asked.question.simulate(self._rater_of(page.block, asked, items), asked.items)
            judgements += _count(asked, own)
            for name, values in own.items():
                if asked.prefix + name not in page.names:
                    raise PageError(f"block {page.block}: the page has no field {asked.prefix + name}")
                form[asked.prefix + name] = values
        return form, judgements

    def _rater_of(self, block: str, asked: Asked, shown: Sequence[Item]) -> _Reader:
        texts = "\0".join(sorted(item.text for item in asked.items or shown))
        asks = f"{self.crowd.seed}/{self.number}/{block}/{asked.question.name}"
        return _Reader(replace(self.person, random=Random(f"{asks}/{texts}")), asks)

    async def _persist(self, send: Callable[[], Awaitable[Response]]) -> Response:
        """Try until the server answers: it may be away for a moment, and what is sent here may be sent twice."""
        deadline, pause = time.monotonic() + self.crowd.load.patience_seconds, FIRST_PAUSE_SECONDS
        while True:
            try:
                response = await send()
            except LostConnectionError:
                self.crowd.lost += 1
                if time.monotonic() >= deadline:
                    raise
            else:
                if response.status != 503 or time.monotonic() >= deadline:
                    return response
            await asyncio.sleep(pause * self.pace.uniform(0.5, 1.5))
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)


@dataclass(frozen=True)
class _Reader:
    """A rater at one question, whose impression of a text does not depend on what was read before it."""

    person: ArtificialRater
    asks: str

    def impression(self, text: str, dimension: str) -> float:
        random = Random(f"{self.asks}/{dimension}\0{text}")
        return replace(self.person, random=random).impression(text, dimension)

    def attends(self) -> bool:
        return self.person.attends()

    def pick(self, choices: Sequence[str]) -> str:
        return self.person.pick(choices)

    def finds(self, gold: str) -> bool:
        return self.person.finds(gold)


def run_fast(work: Coroutine[Any, Any, Result]) -> Result:
    """Run it in an event loop, the fast one if it is installed."""
    make: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop
    with suppress(ModuleNotFoundError):  # there is none for Windows
        from uvloop import new_event_loop as make
    with asyncio.Runner(loop_factory=make) as runner:
        return runner.run(work)


def _by_text(study: Study) -> dict[str, dict[str, Item]]:
    """The items of each block by their texts as a page shows them; of equal ones the first, as nobody can tell."""
    found: dict[str, dict[str, Item]] = {}
    for block in study.blocks:
        known = found[block.name] = {}
        for item in study.items_of(block):
            known.setdefault(as_read(item.text), item)
    return found


def _count(asked: Asked, own: dict[str, list[str]]) -> int:
    try:
        answer: Answer | None = asked.question.parse(own, asked.items)
    except AnswerError:  # the server will say so
        return 0
    return len(asked.question.judgements(answer, asked.items)) if answer is not None else 0


def _refused(response: Response) -> str:
    if response.status == 403:
        raise PageError("the server lets no artificial raters in; start it with `fergus serve --simulation`")
    if response.status >= 500:
        raise PageError(f"the server answered with status {response.status}")
    return "refused"
