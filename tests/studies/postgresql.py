"""A PostgreSQL server of its own for the tests: made in a temporary folder, on a free port of 127.0.0.1."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, LiteralString

import psycopg

USER = "fergus"
SECONDS = 90
"""That a server may take to start or to stop."""


def folder_of_programs() -> Path | None:
    """Where initdb and postgres are; None if the server is not installed."""
    on_path = shutil.which("initdb")
    candidates = [Path(on_path).resolve().parent] if on_path else []
    candidates += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((f for f in candidates if (f / "initdb").is_file() and (f / "postgres").is_file()), None)


class Server:
    """A running server with the databases ``postgres``, and ``empty`` when it is asked for."""

    def __init__(self, port: int, password: str) -> None:
        self.port, self.password = port, password

    def address(self, name: str) -> str:
        return f"postgresql://{USER}:{self.password}@127.0.0.1:{self.port}/{name}"

    def execute(self, name: str, statement: LiteralString) -> None:
        """Run a statement in a database."""
        with psycopg.connect(self.address(name), autocommit=True) as connection:
            connection.execute(statement)


@contextmanager
def running(programs: Path) -> Iterator[Server]:
    """A server from here to the end of the block; it keeps its durable settings."""
    # Not pytest's folder: the path of a socket must be short, and another user must be able to get there.
    folder = Path(tempfile.mkdtemp(prefix="fergus-pg-"))
    account = _account()
    try:
        if account is not None:
            os.chown(folder, account.pw_uid, account.pw_gid)
        password, port = secrets.token_hex(16), _free_port()
        process = _start(programs, folder, password, port, account)
        try:
            _wait(process, port, password, folder)
            yield Server(port, password)
        finally:
            process.send_signal(signal.SIGQUIT)  # "immediate": what it holds is thrown away anyhow
            process.wait(SECONDS)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _account() -> pwd.struct_passwd | None:
    """Whom the server runs as: PostgreSQL refuses root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise RuntimeError("the tests run as root, and there is neither a user postgres nor nobody to run the server")


def _start(
    programs: Path, folder: Path, password: str, port: int, account: pwd.struct_passwd | None
) -> subprocess.Popen[bytes]:
    secret = folder / "password"
    secret.write_text(password, encoding="ascii")
    if account is not None:
        os.chown(secret, account.pw_uid, account.pw_gid)
    who: dict[str, Any] = (
        {} if account is None else {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    )
    environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "HOME": str(folder)}
    made = subprocess.run(
        [programs / "initdb", "-D", folder / "data", "-U", USER, "--pwfile", secret, "--auth=scram-sha-256",
         "--encoding=UTF8", "--no-locale", "--no-sync"],
        cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=60, **who,
    )  # fmt: skip
    if made.returncode:
        raise RuntimeError(f"initdb failed: {made.stderr}")
    with (folder / "log").open("wb") as log:
        return subprocess.Popen(
            [programs / "postgres", "-D", folder / "data", "-p", str(port), "-k", folder,
             "-c", "listen_addresses=127.0.0.1", "-c", "shared_buffers=16MB", "-c", "max_connections=60"],
            cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **who,
        )  # fmt: skip


def _wait(process: subprocess.Popen[bytes], port: int, password: str, folder: Path) -> None:
    address = Server(port, password).address("postgres")
    end = time.monotonic() + SECONDS
    while True:
        try:
            psycopg.connect(address, connect_timeout=2).close()
        except psycopg.OperationalError as error:
            if process.poll() is not None or time.monotonic() > end:
                log = (folder / "log").read_text(encoding="utf-8", errors="replace")
                raise RuntimeError(f"PostgreSQL did not start ({error}): {log}") from None
            time.sleep(0.02)
        else:
            return


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
