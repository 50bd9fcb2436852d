"""Runs of the systems that are compared: random order, and a model's presets, each sentence timed."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fergus.errors import FergusError
from fergus.realize.pipeline import load
from held_out import SHUFFLE_SEED, Shuffled
from score import score

RANDOM = "random order"
WARM_UP = 20
"""Sentences realized before the clock starts: compiled code and the model's sections are loaded by them."""

LOG = logging.getLogger("benchmarks")
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Run:
    """The orders a system gave to some trees, and the wall-clock seconds each took; or why it gave none."""

    system: str
    orders: Sequence[tuple[int, ...]] = ()
    seconds: Sequence[float] = ()
    skipped: str = ""


@dataclass(frozen=True)
class Row:
    """A system's figures on a test set."""

    test_set: str
    system: str
    figures: dict[str, float]
    skipped: str = ""


def random_run(cases: Sequence[Shuffled]) -> Run:
    """Every order of a sentence's words equally likely."""
    generator = random.Random(SHUFFLE_SEED)
    orders, seconds = [], []
    for case in cases:
        started = time.perf_counter()
        order = list(range(len(case.tree)))
        generator.shuffle(order)
        seconds.append(time.perf_counter() - started)
        orders.append(case.in_original_numbers(order))
    return Run(RANDOM, orders, seconds)


def preset_run(
    model: str | Path, preset: str, cases: Sequence[Shuffled], *, bare: bool, progress: Progress, system: str = ""
) -> Run:
    """One preset of a model; a model that lacks it gives a run without orders, with the reason."""
    name = system or preset
    try:
        realizer = load(model, preset=preset)
        for case in cases[:WARM_UP]:
            realizer.realize(case.tree, bare=bare)
    except FergusError as error:
        return Run(name, skipped=reason(error, model))
    orders, seconds = [], []
    for number, case in enumerate(cases, 1):
        started = time.perf_counter()
        realization = realizer.realize(case.tree, bare=bare)
        seconds.append(time.perf_counter() - started)
        orders.append(case.in_original_numbers(realization.order))
        if number % 20 == 0 or number == len(cases):
            progress(f"{name}{', bare' if bare else ''}", number, len(cases))
    # For logs, where there are no progress bars.
    slowest = max(zip(seconds, (len(case.tree) for case in cases), strict=True))
    LOG.info("%s: %.1f s, slowest %.2f s for %d words", name, sum(seconds), *slowest)
    return Run(name, orders, seconds)


def reason(error: FergusError, model: str | Path) -> str:
    """An error's message without the folder of the model: results do not tell where their maker keeps files."""
    return str(error).replace(str(model), Path(model).name)


def rows_of(run: Run, cases: Sequence[Shuffled], subsets: dict[str, list[int]]) -> list[Row]:
    """The scores of one run on test sets, given as numbers of its sentences."""
    rows = []
    for test_set, numbers in subsets.items():
        if run.skipped or not numbers:
            rows.append(Row(test_set, run.system, {}, run.skipped or "no sentences"))
            continue
        figures = score([cases[i].ordered for i in numbers], [run.orders[i] for i in numbers])
        figures["words_per_sentence"] = sum(len(cases[i].tree) for i in numbers) / len(numbers)
        if run.system != RANDOM:
            figures["sentences_per_second"] = len(numbers) / sum(run.seconds[i] for i in numbers)
        rows.append(Row(test_set, run.system, figures))
    return rows


def differing_sentences(a: Run, b: Run, cases: Sequence[Shuffled]) -> int:
    """How many sentences two runs on differently shuffled trees put into different words."""

    def words(case: Shuffled, order: Sequence[int]) -> list[str]:
        return [case.ordered.tree.nodes[node].form for node in order]

    return sum(words(case, x) != words(case, y) for case, x, y in zip(cases, a.orders, b.orders, strict=True))
