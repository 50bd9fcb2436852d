"""Requests over many connections at once, each sent when the one before it was answered, and what they took."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit


@dataclass
class Measured:
    """What came of the requests."""

    began_s: float
    times: list[tuple[float, float]] = field(default_factory=list)
    """When each was sent, and how many seconds its answer took."""
    statuses: dict[int, int] = field(default_factory=dict)
    megabytes: list[tuple[int, dict[str, float]]] = field(default_factory=list)
    """Answers so far, and the memory that was in use then."""
    ended_s: float = 0.0

    def per_second(self, since_s: float = 0.0) -> float:
        """Answers a second, from some seconds after the beginning."""
        begin = self.began_s + since_s
        return sum(sent >= begin for sent, _ in self.times) / max(1e-9, self.ended_s - begin)

    def quantile_ms(self, share: float, since_s: float = 0.0) -> float:
        """How long so large a share waited at most."""
        waits = sorted(took for sent, took in self.times if sent >= self.began_s + since_s)
        return 1000 * waits[min(len(waits) - 1, int(share * len(waits)))] if waits else float("nan")


async def send_all(
    address: str,
    bodies: Iterator[bytes],
    *,
    connections: int,
    look: Callable[[], dict[str, float]] | None = None,
    every: int = 0,
) -> Measured:
    """Send every body to ``address``; ``look`` is called after ``every`` so many answers."""
    parts = urlsplit(address)
    measured = Measured(time.perf_counter())

    async def one_connection() -> None:
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        for body in bodies:
            head = (
                f"POST {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\nContent-Type: application/json\r\n"
                f"Content-Length: {len(body)}\r\n\r\n"
            )
            sent = time.perf_counter()
            writer.write(head.encode() + body)
            answer = await reader.readuntil(b"\r\n\r\n")
            lines = answer.decode("latin-1").split("\r\n")
            length = next(int(line[15:]) for line in lines if line.lower().startswith("content-length:"))
            await reader.readexactly(length)
            measured.times.append((sent, time.perf_counter() - sent))
            status = int(lines[0].split()[1])
            measured.statuses[status] = measured.statuses.get(status, 0) + 1
            if look is not None and len(measured.times) % every == 0:
                measured.megabytes.append((len(measured.times), look()))
        writer.close()

    await asyncio.gather(*(one_connection() for _ in range(connections)))
    measured.ended_s = time.perf_counter()
    return measured


def realize_bodies(trees: Sequence[str]) -> list[bytes]:
    """A request a tree."""
    return [json.dumps({"trees": [tree], "format": "conllu"}).encode() for tree in trees]


def memory_of(process: int) -> dict[str, float]:
    """Megabytes that each process of a server holds, by its number: the process and all that came of it."""
    found = {}
    for number in (process, *descendants(process)):
        try:
            pages = int(Path(f"/proc/{number}/statm").read_text().split()[1])
        except OSError:
            continue
        found[str(number)] = round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)
    return found


def descendants(process: int) -> Iterator[int]:
    """The processes that a process began, and those that they began."""
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            numbers = [int(number) for number in task.read_text().split()]
        except OSError:
            continue
        for number in numbers:
            yield number
            yield from descendants(number)
