"""A real server under the requests of ``make fuzz``, but fewer of them; and those that broke it once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fuzz.http_endpoints import GROUPS, endpoints
from fuzz.http_findings import Tally, attempt, fuzz
from fuzz.http_schema import fuzz_schema
from fuzz.http_target import Answer, Request, Served, judged, started

FOUND = sorted((Path(__file__).parent / "found_requests").glob("*.http"))
SECONDS = 60.0
"""How long an address may be fuzzed on a slow machine; the number of requests is the limit otherwise."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    found = started(tmp_path_factory.mktemp("fuzz"))
    with found.server:
        found.wait_until_ready()
        found.learn()
        yield found


def told(tallies: list[Tally]) -> list[str]:
    """The findings, in words."""
    return [f"{one.endpoint}: {one.words}: {one.request!r}" for tally in tallies for one in tally.findings.values()]


@pytest.mark.parametrize("file", FOUND, ids=lambda file: file.stem)
def test_what_broke_the_server_once_does_so_no_more(served: Served, file: Path) -> None:
    tally = Tally(file.stem, "found")
    attempt(served, tally, Request(file.read_bytes(), is_whole=not file.stem.startswith("hung-up")))
    assert told([tally]) == []
    assert tally.requests == 1


def test_the_api_is_as_its_document_says(served: Served) -> None:
    tallies = list(fuzz_schema(served, seconds=SECONDS, seed=1, most=10, covers=False))
    assert told(tallies) == []
    assert {200, 422} <= {status for tally in tallies for status in tally.statuses}


@pytest.mark.parametrize("group", GROUPS)
def test_no_request_breaks_the_server(served: Served, group: str) -> None:
    served.learn()
    tallies = [fuzz(served, one, seconds=SECONDS, seed=1, most=8) for one in endpoints(served) if one.group == group]
    assert told(tallies) == []
    statuses = {status for tally in tallies for status in tally.statuses}
    assert statuses & {200, 303}, "some of them are good"
    assert any(400 <= status < 500 for status in statuses), "some of them are bad"


@pytest.mark.parametrize(
    ("answer", "is_whole", "words"),
    [
        (Answer(200, 0.1, "application/json", b'{"a": 1}'), True, ""),
        (Answer(200, 0.1, "application/json", b'{"a": NaN}'), True, "no JSON: NaN is not JSON"),
        (Answer(200, 0.1, "application/x-ndjson", b"{}\n{\n"), True, "no JSON: "),
        (Answer(500, 0.1, "text/html", b""), True, "status 500"),
        (Answer(503, 0.1, "text/html", b""), False, "status 503"),
        (Answer(0, 0.1), True, "closed without an answer"),
        (Answer(0, 0.1), False, ""),
        (Answer(422, 0.1, "text/html", b"<h1>"), True, ""),
    ],
)
def test_what_is_a_finding(answer: Answer, is_whole: bool, words: str) -> None:
    found = judged(Request(b"POST / HTTP/1.1\r\n\r\n", is_whole), answer)
    assert found.startswith(words)
    assert bool(found) == bool(words)


def test_a_traceback_in_the_log_is_a_finding_once(served: Served) -> None:
    assert served.trouble() == ""
    with served.server.log.open("a") as log:
        log.write("Traceback (most recent call last):\n  File x\nValueError: wrong\n")
    assert served.trouble() == "ValueError: wrong"
    assert served.trouble() == ""
