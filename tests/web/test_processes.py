"""Several processes behind one port: shared connections, a dead one started again, all ended together; PostgreSQL."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPConnection
from multiprocessing import Pipe
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

import pytest

from fergus.cli.local_server import LocalServer
from fergus.studies.read_page import read_page
from fergus.studies.storage.migrate import open_database
from fergus.web import login, processes
from fergus.web.login import Logins
from fergus.web.processes import QUICK_S, WAITS_S, Processes
from tests.studies import postgresql
from tests.web import short_lived

PASSWORD = "four words in a row"
STUDY = (
    "study: tiny\ntitle: Tiny\nquestions: {q: {type: comment, text: Well}, r: {type: comment, text: And}}\n"
    "blocks: [{name: a, questions: [q]}, {name: b, questions: [r]}]\n"
)


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    programs = postgresql.folder_of_programs()
    if programs is None:
        pytest.skip("PostgreSQL's server (initdb, postgres) is not installed; on Debian: apt-get install postgresql")
    with postgresql.running(programs) as server:
        with open_database(server.address("postgres")) as opened:
            Logins(opened, now_ms=lambda: round(time.time() * 1000)).set_up("ann", PASSWORD)
        yield server.address("postgres")


@pytest.fixture(scope="module")
def server(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    folder = tmp_path_factory.mktemp("processes")
    (folder / "study.yaml").write_text(STUDY, encoding="utf-8")
    with LocalServer(folder / "study.yaml", database, log=folder / "log", options=("--processes", "2")) as found:
        yield found
    assert "Traceback" not in (folder / "log").read_text()


def children(process: int) -> list[int]:
    """The server processes; not the one that Python starts beside them to clean up after them."""
    numbers = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [int(n) for n in numbers if "resource_tracker" not in Path(f"/proc/{n}/cmdline").read_text()]


def lives(process: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def wait_until(condition: Any, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


def ask(
    server: LocalServer, method: str, path: str, form: dict[str, str] | None = None, cookie: str = ""
) -> tuple[int, dict[str, str], str]:
    """A request by a new connection, which any of the processes may get."""
    connection = HTTPConnection(server.address.removeprefix("http://"), timeout=60)
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookie, "Origin": server.address}
    connection.request(method, path, urlencode(form or {}), headers)
    response = connection.getresponse()
    found = {name.lower(): value for name, value in reversed(response.getheaders())}  # the first of each name
    body = response.read().decode()
    connection.close()
    return response.status, found, body


def sockets_of_process(process: int, port: int) -> int:
    """Connections that a process has on the port, its listening socket among them."""
    inodes = set()
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if int(fields[1].rpartition(":")[2], 16) == port:
            inodes.add(f"socket:[{fields[9]}]")
    held = 0
    for link in Path(f"/proc/{process}/fd").iterdir():
        with suppress(OSError):
            held += os.readlink(link) in inodes
    return held


def test_connections_are_shared_out(server: LocalServer) -> None:
    wait_until(lambda: len(children(server.pid)) == 2)
    open_ones = [HTTPConnection(server.address.removeprefix("http://"), timeout=60) for _ in range(40)]
    for one in open_ones:
        one.request("GET", "/s/tiny")
        assert one.getresponse().read()
    held = [sockets_of_process(number, server.port) for number in children(server.pid)]
    for one in open_ones:
        one.close()
    # Each by chance to one of the two: fewer than 5 of 40 come about once in 10 million runs.
    assert min(held) >= 5


def test_a_participant_and_a_session_are_known_to_all_processes(server: LocalServer) -> None:
    address = ask(server, "POST", "/s/tiny", read_page(ask(server, "GET", "/s/tiny")[2]).hidden)[1]["location"]
    for number, question in enumerate("qr"):
        page = read_page(ask(server, "GET", address)[2])
        assert page.hidden["page"] == str(number)
        status, _, _ = ask(server, "POST", address, {**page.hidden, f"page.{question}.comment": "Well."})
        assert status == 303
    assert all(ask(server, "GET", address)[0] == 200 for _ in range(6))
    status, headers, _ = ask(server, "POST", "/admin/login", {"name": "ann", "password": PASSWORD})
    assert status == 303
    cookie = headers["set-cookie"].partition(";")[0]
    assert {ask(server, "GET", "/admin", cookie=cookie)[0] for _ in range(8)} == {200}
    csrf = read_page(ask(server, "GET", "/admin", cookie=cookie)[2]).hidden.get("csrf", "")
    assert csrf


def test_failed_logins_are_counted_by_all_processes_together(server: LocalServer) -> None:
    wrong = {"name": "nobody", "password": "wrong wrong wrong"}
    statuses = [ask(server, "POST", "/admin/login", wrong)[0] for _ in range(login.MOST_FOR_BOTH + 3)]
    assert statuses == [401] * login.MOST_FOR_BOTH + [429] * 3


def test_a_process_that_dies_is_started_again_and_nobody_is_refused(server: LocalServer) -> None:
    wait_until(lambda: len(children(server.pid)) == 2)
    first, second = children(server.pid)
    os.kill(first, signal.SIGKILL)
    statuses = [ask(server, "GET", "/s/tiny")[0] for _ in range(20)]
    assert set(statuses) == {200}
    wait_until(lambda: len(children(server.pid)) == 2 and first not in children(server.pid))
    assert second in children(server.pid)
    assert ask(server, "GET", "/s/tiny")[0] == 200


def test_ctrl_c_ends_all(server: LocalServer) -> None:
    wait_until(lambda: len(children(server.pid)) == 2)
    everyone = [server.pid, *children(server.pid)]
    os.kill(server.pid, signal.SIGINT)
    wait_until(lambda: not any(map(lives, everyone)))


PROGRAM = """
import socket, sys
from fergus.web.processes import Processes
from tests.web import short_lived

if __name__ == "__main__":
    listener = socket.socket()
    serve = getattr(short_lived, sys.argv[1])
    sys.exit(0 if Processes(serve, [listener, listener], grace_seconds=5).run() else 7)
"""


@pytest.fixture
def program(tmp_path: Path) -> Any:
    """Starts processes that do what ``short_lived`` has."""
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}

    def start(what: str) -> subprocess.Popen[str]:
        command = [sys.executable, str(tmp_path / "program.py"), what]
        return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)

    return start


def test_processes_that_will_not_live_are_not_started_for_ever(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "WAITS_S", (0.01, 0.02))
    with socket.socket() as listener:
        assert not Processes(short_lived.end_at_once, [listener], grace_seconds=5).run()
    assert caplog.text.count("(code 3)") == 3


def test_each_process_is_counted_for_itself_and_waited_for_longer_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    begun: list[tuple[float, Any]] = []

    class Dead(Processes):
        def _begin(self, own: Any, quick: int = 0) -> Any:
            begun.append((now, own))
            dead = SimpleNamespace(is_alive=lambda: own == "lives", exitcode=3, pid=1)
            return processes._Child(dead, Pipe()[0], quick, now)  # type: ignore[arg-type]

    several = Dead(short_lived.end_at_once, ["a", "lives", "b"], grace_seconds=1)  # type: ignore[list-item]
    several._children = [several._begin(own) for own in several.sockets]
    begun.clear()
    while several._replace_dead():
        now += 0.5
    # The fourth time in a row is the last; five deaths of two processes were not.
    assert begun == [(now, own) for now in (1001.0, 1003.5, 1008.0) for own in "ab"]
    assert WAITS_S == (1, 2, 4)


def test_one_that_has_lived_is_started_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Processes(short_lived.end_at_once, ["a"], grace_seconds=1)  # type: ignore[list-item]
    dead = SimpleNamespace(is_alive=lambda: False, exitcode=3, pid=1)
    found._children = [processes._Child(dead, Pipe()[0], 3, time.monotonic() - QUICK_S - 1)]  # type: ignore[arg-type]
    begun: list[Any] = []
    monkeypatch.setattr(found, "_begin", lambda own, quick: begun.append((own, quick)))
    assert found._replace_dead()
    assert begun == [("a", 0)]


@pytest.mark.parametrize("what", ["wait_for_parent", "ignore_signals"])
def test_a_signal_ends_all_even_those_that_will_not(what: str, caplog: pytest.LogCaptureFixture) -> None:
    before = signal.getsignal(signal.SIGTERM)
    others = {process.pid for process in multiprocessing.active_children()}
    killed: list[int] = []

    def own() -> list[int]:
        return [
            process.pid for process in multiprocessing.active_children() if process.pid and process.pid not in others
        ]

    def kill_one_then_stop() -> None:
        try:
            wait_until(lambda: len(own()) == 2)
            killed.extend(own())
            os.kill(killed[0], signal.SIGKILL)
            wait_until(lambda: len(own()) == 2 and killed[0] not in own())
            killed.extend(own())
            if what == "ignore_signals":
                wait_until(lambda: all(map(ignores_signals, own())))
        finally:  # whatever went wrong, the processes must not run for ever
            os.kill(os.getpid(), signal.SIGTERM)

    thread = threading.Thread(target=kill_one_then_stop)
    with socket.socket() as listener:
        thread.start()
        assert Processes(getattr(short_lived, what), [listener] * 2, grace_seconds=1).run()
    thread.join()
    assert f"process {killed[0]} ended" in caplog.text
    assert not any(map(lives, killed))
    assert signal.getsignal(signal.SIGTERM) == before


def test_all_end_when_their_parent_is_killed(program: Any) -> None:
    running = program("wait_for_parent")
    wait_until(lambda: len(children(running.pid)) == 2)
    everyone = children(running.pid)
    running.kill()
    running.communicate(timeout=60)
    wait_until(lambda: not any(map(lives, everyone)))


def ignores_signals(process: int) -> bool:
    status = Path(f"/proc/{process}/status").read_text()
    mask = next(int(line.split()[1], 16) for line in status.splitlines() if line.startswith("SigIgn"))
    return bool(mask & 1 << (signal.SIGTERM - 1))
