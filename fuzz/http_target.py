"""A real ``fergus serve`` that is fuzzed: started on a free port, watched for tracebacks, talked to by bare sockets."""

from __future__ import annotations

import http.client
import json
import re
import socket
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from fergus.cli.local_server import HOST, LocalServer
from fergus.errors import FergusError

ROOT = Path(__file__).resolve().parents[1]
SITE = "fergus.test"
"""What requests call the server, so that one that is kept is the same on every port."""
SECONDS = 75.0
"""No answer may take longer: the longest limit is 60 seconds, for an evaluation and for a whole batch."""
HALF_SECONDS = 0.2
"""Whoever has sent half a request waits so long for an answer, then hangs up."""
NAME, PASSWORD = "fuzz", "four words in a row"
_BAD = re.compile(r"Traceback|a worker failed|Exception in|never (awaited|retrieved)|Unhandled|Task was destroyed")


@dataclass(frozen=True)
class Request:
    """The bytes of a request; ``is_whole``: whoever sends them can expect an answer."""

    data: bytes
    is_whole: bool = True

    @property
    def method(self) -> str:
        """Its first word."""
        return self.data.split(b" ", 1)[0].decode("latin-1")


@dataclass(frozen=True)
class Answer:
    """What came back; status 0: the connection was closed without a word."""

    status: int
    seconds: float
    content_type: str = ""
    body: bytes = b""


@dataclass
class Served:
    """The server, and what a visitor of it knows: keys, a session. Placeholders stand for them in kept requests."""

    server: LocalServer
    known: dict[str, str] = field(default_factory=dict)
    """By placeholder."""
    _read: int = 0

    @property
    def address(self) -> str:
        """Where it is."""
        return self.server.address

    def wait_until_ready(self, seconds: float = 120.0) -> None:
        """Until its model has been read."""
        until = time.monotonic() + seconds
        while True:
            try:
                with urllib.request.urlopen(f"{self.address}/readyz", timeout=10):
                    return
            except OSError:
                if time.monotonic() > until:
                    raise FergusError("the server was not ready in time") from None
                time.sleep(0.2)

    def send(self, request: Request, *, seconds: float = SECONDS) -> Answer:
        """The answer to a request on a connection of its own; raises TimeoutError if there is none in time."""
        began = time.perf_counter()
        with socket.create_connection((HOST, self.server.port), timeout=seconds) as connection:
            try:
                connection.sendall(request.data)
                if not request.is_whole:
                    connection.settimeout(HALF_SECONDS)
                found = _answer(connection, request.method)
            except TimeoutError:
                if request.is_whole:
                    raise
                found = _hang_up(connection, seconds)
            except (ConnectionError, http.client.HTTPException):  # closed, perhaps while we were still sending
                found = (0, "", b"")
        return Answer(found[0], time.perf_counter() - began, found[1], found[2])

    def trouble(self) -> str:
        """What the log tells since it was last looked at, if it is a mistake of ours; "" if not."""
        with self.server.log.open("rb") as log:
            log.seek(self._read)
            new = log.read()
        self._read += len(new)
        text = new.decode("utf-8", "replace")
        if not _BAD.search(text):
            return ""
        lines = [line for line in text.splitlines() if line.strip()]
        last = [line for line in lines if re.match(r"\S*(Error|Exception|Interrupt|Exit)\b", line)]
        return (last or lines)[-1][:200]

    def filled(self, data: bytes) -> bytes:
        """A kept request with what this server knows in the place of its placeholders."""
        for placeholder, value in self.known.items():
            data = data.replace(placeholder.encode(), value.encode())
        return data

    def emptied(self, data: bytes) -> bytes:
        """A request as it is kept."""
        for placeholder, value in self.known.items():
            data = data.replace(value.encode(), placeholder.encode())
        return data

    def learn(self) -> None:
        """Take part in the study and log in; by this forms that people fill in can be fuzzed."""
        status, headers, body = self._ask("GET", "/s/every-type")
        nonce = re.search(r'name="nonce" value="([^"]+)"', body)
        if nonce is None:
            raise FergusError(f"the first page of the study has no form: status {status}")
        joined = self._ask("POST", "/s/every-type", {"nonce": nonce[1]})
        self.known["{participants-key}"] = joined[1]["location"].removeprefix("/p/")
        if "{session}" in self.known:
            return
        status, headers, _ = self._ask("POST", "/admin/login", {"name": NAME, "password": PASSWORD})
        if status != 303:
            raise FergusError(f"the login failed with status {status}")
        self.known["{session}"] = headers["set-cookie"].partition("=")[2].partition(";")[0]
        _, _, body = self._ask("GET", "/admin")
        csrf = re.search(r'name="csrf" value="([^"]+)"', body)
        self.known["{csrf}"] = csrf[1] if csrf else "csrf"

    def _ask(self, method: str, path: str, form: dict[str, str] | None = None) -> tuple[int, dict[str, str], str]:
        connection = http.client.HTTPConnection(HOST, self.server.port, timeout=SECONDS)
        headers = {"Host": SITE, "Origin": f"http://{SITE}", "Content-Type": "application/x-www-form-urlencoded"}
        headers["Cookie"] = f"fergus_admin={self.known.get('{session}', '')}"
        connection.request(method, path, urlencode(form or {}) if method == "POST" else None, headers)
        response = connection.getresponse()
        told = {name.lower(): value for name, value in reversed(response.getheaders())}  # the first of each name
        body = response.read().decode()
        connection.close()
        return response.status, told, body

    def page(self, path: str) -> str:
        """A page as its visitor sees it."""
        return self._ask("GET", path)[2]


def _answer(connection: socket.socket, method: str) -> tuple[int, str, bytes]:
    response = http.client.HTTPResponse(connection, method=method)
    try:
        response.begin()
        return response.status, response.getheader("content-type", ""), response.read()
    finally:
        response.close()


def _hang_up(connection: socket.socket, seconds: float) -> tuple[int, str, bytes]:
    """Half a request was sent: end it, and wait until the server has closed too."""
    connection.settimeout(seconds)
    connection.shutdown(socket.SHUT_WR)
    while connection.recv(1 << 16):
        pass
    return 0, "", b""


def judged(request: Request, answer: Answer) -> str:
    """What is wrong with an answer; "" if nothing is."""
    if answer.status >= 500:
        return f"status {answer.status}"
    if not answer.status:
        return "closed without an answer" if request.is_whole else ""
    if request.method == "HEAD" or not answer.body:
        return ""
    try:
        if answer.content_type in ("application/json", "application/problem+json"):
            json.loads(answer.body, parse_constant=_no_constant)
        elif answer.content_type == "application/x-ndjson":
            for line in answer.body.decode("utf-8").splitlines():
                json.loads(line, parse_constant=_no_constant)
    except ValueError as error:
        return f"no JSON: {error}"
    return ""


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def started(folder: Path) -> Served:
    """A server with a study of every type of question, an account, and a workbench for everybody; not yet running."""
    from fergus.studies.storage.migrate import open_database
    from fergus.web.login import Logins

    for name, kept in (("every-type.yaml", "study.yaml"), ("every-type.csv", "items.csv")):
        (folder / kept).write_bytes((ROOT / "tests" / "web" / name).read_bytes())
    with open_database(folder / "fuzz.db") as database:
        Logins(database, now_ms=lambda: round(time.time() * 1000)).set_up(NAME, PASSWORD)
    options = ("--workbench", "open")
    return Served(LocalServer(folder / "study.yaml", folder / "fuzz.db", log=folder / "log", options=options))
