"""The server process: a socket, the application on it, one process or several."""

from __future__ import annotations

import socket
from functools import partial
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

import uvicorn

from fergus.errors import FergusError, InputError
from fergus.web.connection import Connection as HttpConnection
from fergus.web.processes import BACKLOG, Processes, sockets_of, when_parent_ends

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from fergus.web.settings import Settings

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
    """Serve until told to stop; raises FergusError if several processes would not live."""
    if processes == 1:
        server_of(database, settings, access_log=access_log).run(sockets=[listener])
        return
    sockets = sockets_of(listener, processes)
    try:
        serve = partial(serve_one, database=database, settings=settings, access_log=access_log)
        if not Processes(serve, sockets, grace_seconds=2 * GRACE_SECONDS).run():
            raise FergusError("the processes of the server end as soon as they are started; the log above tells why")
    finally:
        for one in sockets:
            one.close()


def serve_one(own: socket.socket, life: Connection, *, database: str, settings: Settings, access_log: bool) -> None:
    """What each of several processes does."""
    server = server_of(database, settings, access_log=access_log)
    when_parent_ends(life, partial(setattr, server, "should_exit", True))
    server.run(sockets=[own])
    if not server.started:
        raise SystemExit(1)


def server_of(database: str, settings: Settings, *, access_log: bool) -> uvicorn.Server:
    """The server of one process."""
    config = uvicorn.Config(
        partial(served_app, database, settings),
        factory=True,
        http=HttpConnection,
        log_level="info" if access_log else "warning",
        access_log=access_log,
        lifespan="on",
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    return uvicorn.Server(config)


def served_app(database: str, settings: Settings) -> Starlette:
    """The application with a database of its own, which is closed when the server stops."""
    from fergus.studies.storage.migrate import open_database
    from fergus.web.app import create_app

    opened = open_database(database)
    return create_app(opened, settings=settings, on_close=opened.close)
