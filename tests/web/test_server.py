"""The server process: one or several, and a database that is closed at the end."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from typing import Any

import pytest

from fergus.studies.storage.database import DatabaseError
from fergus.web.server import run, served_app
from fergus.web.settings import Settings


def test_a_process_is_run_or_several(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    monkeypatch.setattr("uvicorn.Server.run", lambda self, sockets: ran.append("one"))

    class Several:
        def __init__(self, config: Any, sockets: Any) -> None:
            self.config = config

        def run(self) -> None:
            ran.append(f"{self.config.workers}")

    class OlderSeveral(Several):
        def __init__(self, config: Any, target: Any, sockets: Any) -> None:
            super().__init__(config, sockets)

    with socket.socket() as listener:
        for kind in (Several, OlderSeveral):
            monkeypatch.setattr("fergus.web.server.Multiprocess", kind)
            run(listener, "x.db", Settings(), processes=3, access_log=False)
        run(listener, "x.db", Settings(), processes=1, access_log=False)
    assert ran == ["3", "3", "one"]


def test_the_served_application_closes_its_database(tmp_path: Path) -> None:
    app = served_app(str(tmp_path / "x.db"), Settings())

    async def start_and_stop() -> None:
        async with app.router.lifespan_context(app):
            pass

    asyncio.run(start_and_stop())
    with pytest.raises(DatabaseError, match="closed"):
        app.state.service.database.write(lambda transaction: None)
