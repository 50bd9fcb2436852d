"""Progress bars on standard error, only where it is a terminal; rich is imported only then."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

Report = Callable[[str, int, int], None]
"""Told the name of a job, how much of it is done, and how much there is (0: not known)."""

PATIENCE_SECONDS = 4.0


@contextmanager
def progress_bars(*, shown: bool, transient: bool = False) -> Iterator[Report]:
    """Bars that appear as their jobs are first reported; may be reported to from several threads.

    Transient ones disappear in the end.
    """
    if not shown or not sys.stderr.isatty():
        yield lambda job, done, total: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (
        SpinnerColumn(finished_text="[green]✓"),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=transient) as progress:
        yield _Bars(progress)


@contextmanager
def patience(is_quiet: bool, *kernels: str) -> Iterator[None]:
    """Say what takes so long, if it does: the first use after an installation compiles the inner loops.

    ``kernels`` are the modules (paths below this package) whose compiled code is kept in files beside them.
    """
    if is_quiet or all(_is_compiled(kernel) for kernel in kernels):
        yield
        return
    text = "compiling the inner loops, once after an installation; this takes up to a minute ...\n"
    timer = Timer(PATIENCE_SECONDS, sys.stderr.write, [text])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _is_compiled(kernel: str) -> bool:
    path = Path(__file__).parent.parent / kernel
    return any((path.parent / "__pycache__").glob(f"{path.name}.*.nbi"))


class _Bars:
    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.tasks: dict[str, TaskID] = {}
        self.done: dict[str, int] = {}

    def __call__(self, job: str, done: int, total: int) -> None:
        if job not in self.tasks:
            self.tasks[job] = self.progress.add_task(job, total=total or None)
        elif done < self.done[job]:  # the same job again: a second half, another epoch
            self.progress.reset(self.tasks[job], total=total or None)
        self.done[job] = done
        self.progress.update(self.tasks[job], completed=done, total=total or None)
