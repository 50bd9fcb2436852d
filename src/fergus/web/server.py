"""The server process: a socket, the application on it, one process or several."""

from __future__ import annotations

import socket
from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.supervisors import Multiprocess

from fergus.errors import InputError

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from fergus.web.settings import Settings

BACKLOG = 2048
KEEP_ALIVE_SECONDS = 75
GRACE_SECONDS = 10
"""How long requests that are being answered may take when the server is stopped."""


def listen(host: str, port: int) -> socket.socket:
    """A socket on the port; an error in plain words if somebody has it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(BACKLOG)  # now, so that a second server cannot take the port before the first one answers
    except OSError as error:
        listener.close()
        remedy = f"stop what listens there, or give another one: --port {min(port + 1, 65535)}"
        raise InputError(f"cannot listen on {host}:{port} ({error.strerror or error})", remedy=remedy) from None
    listener.set_inheritable(True)
    return listener


def run(listener: socket.socket, database: str, settings: Settings, *, processes: int, access_log: bool) -> None:
    """Serve until told to stop."""
    config = uvicorn.Config(
        partial(served_app, database, settings),
        factory=True,
        workers=processes,
        log_level="info" if access_log else "warning",
        access_log=access_log,
        lifespan="on",
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    server = uvicorn.Server(config)
    if processes == 1:
        server.run(sockets=[listener])
        return
    older: dict[str, Any] = {"target": server.run} if "target" in signature(Multiprocess).parameters else {}
    Multiprocess(config, sockets=[listener], **older).run()


def served_app(database: str, settings: Settings) -> Starlette:
    """The application with a database of its own, which is closed when the server stops."""
    from fergus.studies.storage.migrate import open_database
    from fergus.web.app import create_app

    opened = open_database(database)
    return create_app(opened, settings=settings, on_close=opened.close)
