"""The real pages on a free port of this machine, in a thread; and a server that answers as it is told."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from fergus.studies.storage.database import Database
from fergus.studies.storage.studies import VersionRow, add_version
from fergus.studies.study import Study
from fergus.studies.study_file import parse_study, read_files


@contextmanager
def served(database: Database) -> Iterator[str]:
    """The address at which the studies of a database are open."""
    import uvicorn

    from fergus.web.app import create_app
    from fergus.web.settings import Settings

    app = create_app(database, settings=Settings(is_simulation=True))
    config = uvicorn.Config(app, port=0, log_level="error", ws="none", lifespan="on")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        time.sleep(0.005)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


def put_file(database: Database, path: Path) -> Study:
    """Put a study file into a database."""
    files = read_files(path)
    return put_texts(database, files.text, files.items_text or "")


def put_texts(database: Database, text: str, items: str) -> Study:
    """Put a study into a database."""
    study = parse_study(text, items)
    version = VersionRow(study.version, "study.yaml", text, "items.csv", items, 1)
    database.write(lambda transaction: add_version(transaction, study.name, version))
    return study


class ScriptedServer:
    """Answers every request with the next of some prepared texts; None closes the connection instead."""

    def __init__(self, *answers: bytes | None, pause_every: int = 0) -> None:
        self.answers, self.requests, self.connections = list(answers), list[bytes](), 0
        self.pause_every, self.closed = pause_every, 0

    @classmethod
    def of_pages(cls, *pages: str | tuple[int, str] | None) -> ScriptedServer:
        """Answers with pages, each with its status if that is not 200."""
        answers: list[bytes | None] = []
        for page in pages:
            status, text = page if isinstance(page, tuple) else (200, page)
            body = (text or "").encode()
            head = f"HTTP/1.1 {status} Status\r\nContent-Length: {len(body)}\r\n\r\n"
            answers.append(None if page is None else head.encode() + body)
        return cls(*answers)

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        while self.answers:
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except (asyncio.IncompleteReadError, ConnectionError):
                break
            lengths = [int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.startswith(b"Content-Length")]
            self.requests.append(head + (await reader.readexactly(lengths[0]) if lengths else b""))
            answer = self.answers.pop(0)
            if answer is None:
                break
            for start in range(0, len(answer), self.pause_every or len(answer)):
                writer.write(answer[start : start + (self.pause_every or len(answer))])
                await writer.drain()
                await asyncio.sleep(0.001 if self.pause_every else 0)
            if b"Connection: close" in answer or answer.startswith(b"HTTP/1.0"):
                break
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
        self.closed += 1

    async def listen(self) -> tuple[asyncio.Server, str]:
        """Begin; the address."""
        server = await asyncio.start_server(self.talk, "127.0.0.1", 0)
        return server, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"

    async def end(self, server: asyncio.Server) -> None:
        """Wait until every connection is closed."""
        server.close()
        while self.closed < self.connections:
            await asyncio.sleep(0.001)
