"""The same ratings on Potato (PyPI ``potato-annotation``), the annotation platform of our field, by its own pages.

It runs as its makers run it in containers: one process of gunicorn with threads (its state is in the memory of the
process, so that there cannot be two), nothing in debug mode, participants who come by a link and need no password. A
rating is sent as its page's script sends it: the answer to ``/updateinstance``, then ``next_instance`` to
``/annotate``, then the page is loaded again. What the script saves besides while people click is left out, in its
favour.
"""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import click

from fergus.cli.local_server import HOST, free_port
from fergus.studies.page_client import LostConnectionError, PageClient
from fergus.studies.simulate import Load

VERSION = "2.12.1"
THREADS = 16
PATIENCE_SECONDS = 300.0
"""Longer than anything takes: a request that is given up would be counted as an error."""
_INSTANCE = re.compile(r'name="instance_id"[^>]*\bvalue="([^"]*)"')
_SCHEME = """
- annotation_type: likert
  name: {name}
  description: {text}
  min_label: {least}
  max_label: {most}
  size: 7
  label_requirement: {{required: true}}
"""
_CONFIG = """
annotation_task_name: Ratings
task_dir: .
output_annotation_dir: annotation_output
data_files: [items.json]
item_properties: {{id_key: id, text_key: text}}
user_config: {{allow_all_users: true, users: []}}
require_password: false
login: {{type: url_direct, url_argument: PROLIFIC_PID}}
host: {host}
port: {port}
annotation_schemes: {schemes}
"""


@dataclass(frozen=True)
class Step:
    """One rating that Potato said it has."""

    started: float
    saved_seconds: float
    """Until the answer to ``/updateinstance`` was there."""
    seconds: float
    """Until the next page was there."""


@dataclass(frozen=True)
class PotatoRun:
    """What raters sent to Potato."""

    steps: tuple[Step, ...]
    started: float
    everybody_in: float
    """When the last of those who work at the same time had the first page."""
    errors: int


def install(folder: Path) -> None:
    """Potato in a virtual environment of its own, made if it is not there yet."""
    if not (folder / "bin" / "gunicorn").exists():
        click.echo(f"installing potato-annotation {VERSION} ...", err=True)
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        pip = [str(folder / "bin" / "pip"), "install", "--quiet", f"potato-annotation=={VERSION}", "gunicorn"]
        subprocess.run(pip, check=True)


class PotatoServer:
    """A Potato project in a folder, served to this machine."""

    def __init__(
        self, environment: Path, folder: Path, items: Sequence[tuple[str, str]], scales: dict[str, str]
    ) -> None:
        self.folder, self.port = folder, free_port()
        folder.mkdir()
        lines = [json.dumps({"id": name, "text": text}) for name, text in items]
        (folder / "items.json").write_text("\n".join(lines) + "\n", encoding="utf-8")
        schemes = "".join(
            _SCHEME.format(name=name, text=json.dumps(text), least="lowest", most="highest")
            for name, text in scales.items()
        )
        config = _CONFIG.format(host=HOST, port=self.port, schemes=schemes)
        (folder / "config.yaml").write_text(config, encoding="utf-8")
        self._command = [
            str(environment / "bin" / "gunicorn"), "--workers", "1", "--threads", str(THREADS), "--keep-alive", "75",
            "--timeout", "600", "--bind", f"{HOST}:{self.port}", "potato.flask_server:create_app('config.yaml')",
        ]  # fmt: skip

    @property
    def address(self) -> str:
        """Where it is reached."""
        return f"http://{HOST}:{self.port}"

    def __enter__(self) -> PotatoServer:
        with (self.folder / "server.log").open("wb") as log:
            self._process = subprocess.Popen(self._command, cwd=self.folder, stdout=log, stderr=log)
        asyncio.run(self._ready())
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    async def _ready(self) -> None:
        client, deadline = PageClient(self.address), time.monotonic() + 120
        while True:
            try:
                await client.get("/?PROLIFIC_PID=nobody")
            except LostConnectionError:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise click.ClickException(f"Potato did not start; see {self.folder / 'server.log'}") from None
                await asyncio.sleep(0.5)
            else:
                client.close()
                return

    def stored(self) -> int:
        """How many ratings of items are in its files."""
        states = [
            json.loads(path.read_text(encoding="utf-8"))
            for path in (self.folder / "annotation_output").glob("*/user_state.json")
        ]
        return sum(len(state["instance_id_to_label_to_value"]) for state in states)


async def rate(address: str, scales: Sequence[str], load: Load, *, name: str, seed: int) -> PotatoRun:
    """Raters come by links, rate item after item, and others follow them, until the time is up.

    The clock of ``load.stop_after_seconds`` begins when everybody has a first page.
    """
    numbers, steps, errors = iter(range(load.raters)), list[Step](), 0
    started, arrived, everybody_in = time.perf_counter(), 0, float("inf")

    def is_over() -> bool:
        return time.perf_counter() > everybody_in + (load.stop_after_seconds or 0)

    async def work(number: int) -> None:
        nonlocal errors, arrived, everybody_in
        random, client = Random(f"{seed}/{number}"), PageClient(address, timeout_seconds=PATIENCE_SECONDS)
        await asyncio.sleep(random.uniform(0, load.think_seconds))
        try:
            response = await client.get(f"/?PROLIFIC_PID={name}-{number}")
            arrived += 1
            if arrived == load.concurrent:
                everybody_in = time.perf_counter()
            while not is_over() and (found := _INSTANCE.search(response.text)):
                await asyncio.sleep(load.think_seconds * random.uniform(0.5, 1.5))
                if is_over():
                    break
                begun = time.perf_counter()
                points = {f"{scale}:{point}": point for scale in scales if (point := str(random.randint(1, 7)))}
                answer: dict[str, object] = {
                    "instance_id": found[1],
                    "annotations": points,
                    "cleared_schemas": [],
                    "span_annotations": [],
                }
                answer |= {"client_timestamp": "2026-01-01T00:00:00.000", "response_time_seconds": load.think_seconds}
                saved = await _post(client, "/updateinstance", answer)
                saved_seconds = time.perf_counter() - begun
                await _post(client, "/annotate", {"action": "next_instance", "instance_id": found[1]})
                response = await client.get("/annotate")
                if b'"success"' in saved:
                    steps.append(Step(begun, saved_seconds, time.perf_counter() - begun))
                else:
                    errors += 1
        except (LostConnectionError, click.ClickException):
            errors += 1
        finally:
            client.close()

    async def works() -> None:
        for number in numbers:
            await work(number)
            if is_over():
                return

    async with asyncio.TaskGroup() as group:
        for _ in range(load.concurrent):
            group.create_task(works())
    return PotatoRun(tuple(steps), started, everybody_in, errors)


async def _post(client: PageClient, address: str, content: object) -> bytes:
    response = await client.post(address, json.dumps(content).encode(), headers={"Content-Type": "application/json"})
    if response.status != 200:
        raise click.ClickException(f"{address} answered with status {response.status}")
    return response.body
