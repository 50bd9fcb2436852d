"""The server is killed at random moments while raters answer; nothing that it acknowledged may be lost or doubled."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from fergus.cli.local_server import LocalServer
from fergus.studies.simulate import Crowd, Load, run_fast
from fergus.studies.simulation import Simulation
from fergus.studies.study_file import read_study

FOREVER = 1_000_000
"""More raters than there is time for."""


def answer_under_kills(
    study: Path,
    server: LocalServer,
    *,
    kills: int,
    raters: int,
    seed: int,
    longest_seconds: float = 1.0,
    report: Callable[[int], None] = lambda done: None,
) -> Simulation:
    """Raters answer without a pause, the server is killed (SIGKILL) and started again as often as asked.

    It lives for a random time, up to ``longest_seconds`` after it answers for the first time. In the end, when the
    server is back, everybody answers at least one more page and leaves.
    """
    load = Load(raters=FOREVER, concurrent=raters, patience_seconds=60)
    crowd = Crowd(read_study(study), server.address, seed=seed, load=load)
    random = Random(f"{seed}/kills")

    async def kill_again_and_again() -> None:
        for done in range(kills):
            await _some_answers(crowd)  # otherwise a kill would find nothing to lose
            await asyncio.sleep(random.uniform(0, longest_seconds))
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
            report(done + 1)
        await _some_answers(crowd, raters)
        crowd.is_over = True

    async def run() -> Simulation:
        async with asyncio.TaskGroup() as group:
            answering = group.create_task(crowd.run())
            group.create_task(kill_again_and_again())
        return answering.result()

    return run_fast(run())


async def _some_answers(crowd: Crowd, more: int = 1, *, within_seconds: float = 60) -> None:
    wanted, deadline = len(crowd.sent) + more, time.monotonic() + within_seconds
    while len(crowd.sent) < wanted:
        if time.monotonic() > deadline:
            raise TimeoutError("the server is back, but no rater comes through")
        await asyncio.sleep(0.005)
