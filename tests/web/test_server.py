"""The server process: one or several, and a database that is closed at the end."""

from __future__ import annotations

import asyncio
import multiprocessing
import socket
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from fergus.errors import FergusError
from fergus.studies.storage.database import DatabaseError
from fergus.web.processes import sockets_of
from fergus.web.server import listen, run, serve_one, served_app
from fergus.web.settings import Settings


def test_a_process_is_run_or_several(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    lives = [True]
    monkeypatch.setattr("uvicorn.Server.run", lambda self, sockets: ran.append("one"))

    class Several:
        def __init__(self, serve: Any, sockets: Any, *, grace_seconds: float) -> None:
            self.sockets = sockets

        def run(self) -> bool:
            ran.append(f"{len({one.getsockname() for one in self.sockets})} address")
            ran.append(f"{len({one.fileno() for one in self.sockets})} sockets")
            return lives[0]

    monkeypatch.setattr("fergus.web.server.Processes", Several)
    run(listen("127.0.0.1", 0), "x", Settings(), processes=3, access_log=False)
    lives[0] = False
    with pytest.raises(FergusError, match="as soon as they are started"):
        run(listen("127.0.0.1", 0), "x", Settings(), processes=2, access_log=False)
    with listen("127.0.0.1", 0) as listener:
        run(listener, "x.db", Settings(), processes=1, access_log=False)
    assert ran == ["1 address", "3 sockets", "1 address", "2 sockets", "one"]


def test_where_the_kernel_does_not_share_connections_out_there_is_one_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    with listen("127.0.0.1", 0) as listener:
        assert sockets_of(listener, 2) == [listener, listener]


def test_one_of_several_ends_when_it_cannot_start_and_when_its_parent_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs, ours = multiprocessing.Pipe(duplex=False)
    ended = threading.Event()

    def wait_for_the_end(server: Any, sockets: Any) -> None:
        ours.close()
        while not server.should_exit:
            time.sleep(0.01)
        ended.set()

    monkeypatch.setattr("uvicorn.Server.run", wait_for_the_end)
    with socket.socket() as own, pytest.raises(SystemExit):  # it has never answered
        serve_one(own, theirs, database="x.db", settings=Settings(), access_log=False)
    assert ended.is_set()
    theirs.close()


def test_the_served_application_closes_its_database(tmp_path: Path) -> None:
    app = served_app(str(tmp_path / "x.db"), Settings(workbench="off"))

    async def start_and_stop() -> None:
        async with app.router.lifespan_context(app):
            pass

    asyncio.run(start_and_stop())
    with pytest.raises(DatabaseError, match="closed"):
        app.state.service.database.write(lambda transaction: None)
