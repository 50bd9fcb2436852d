"""Trees through a realizer, in order, in this process or in several.

With ``--jobs`` chunks of trees go to worker processes, each with its own realizer; at most a few chunks for
each worker are under way, so that memory does not grow with the input, and results come back in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from fergus.cli.progress import patience
from fergus.cli.trees import has_word_order
from fergus.cli.workers import in_order
from fergus.core.tree import OrderedTree
from fergus.errors import FergusError, InputError
from fergus.exchange.deep import deep_tree
from fergus.exchange.rendering import RENDERERS, failed

if TYPE_CHECKING:
    from fergus.realize.pipeline import Realizer

CHUNK = 50
"""Trees that go to a worker at once: at 1,000 a second, enough to outweigh the cost of sending them."""


@dataclass(frozen=True)
class Job:
    """What is to be done with every tree; small, as every worker gets a copy."""

    model: str
    preset: str = "default"
    rules: Path | None = None
    lexicon: Path | None = None
    synonyms: Path | None = None
    stages: tuple[str, ...] | None = None
    bare: bool = False
    nbest: int = 1
    output: str = "text"
    is_quiet: bool = True

    def realizer(self) -> Realizer:
        """The model, loaded."""
        from fergus.realize.pipeline import load

        return load(self.model, preset=self.preset, rules=self.rules, lexicon=self.lexicon, synonyms=self.synonyms)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one tree became."""

    printed: str
    error: str = ""
    """Why it failed, with its place; empty if it did not."""
    has_word_order: bool = False
    is_projective: bool = True


def stream(items: Iterable[OrderedTree | InputError], job: Job, *, jobs: int = 1) -> Iterator[Outcome]:
    """One outcome for each item, in order."""
    if jobs > 1:
        return in_order(partial(_realize_chunk, job=job), items, jobs=jobs, chunk=CHUNK)
    return _stream_here(items, job)


def _stream_here(items: Iterable[OrderedTree | InputError], job: Job) -> Iterator[Outcome]:
    with patience(job.is_quiet, "realize/choose_path"):
        realizer = job.realizer()
    is_first = True
    for item in items:
        with patience(job.is_quiet or not is_first, "realize/choose_path"):
            result = outcome(item, realizer, job)
        is_first = False
        yield result


def outcome(item: OrderedTree | InputError, realizer: Realizer, job: Job) -> Outcome:
    """Realize one tree."""
    if isinstance(item, InputError):
        source = item.path + (f":{item.line}" if item.line is not None else "")
        return Outcome(failed(job.output, str(item), source), str(item))
    tree = item.tree
    try:
        if job.stages is not None and "insert" in job.stages:
            tree = deep_tree(tree, realizer)
        realization = realizer.realize(tree, nbest=job.nbest, bare=job.bare, stages=job.stages)
    except FergusError as error:
        message = str(error)
        if tree.source and not message.startswith(tree.source):
            message = f"{tree.source}: {message}"
        return Outcome(failed(job.output, message, tree.source), message)
    # Words without forms are those of a test set, in random order.
    ordered = has_word_order(item) and all(node.form for node in item.tree.nodes)
    printed = RENDERERS[job.output](realization, job.nbest, realizer.text)
    return Outcome(printed, has_word_order=ordered, is_projective=not ordered or item.is_projective)


class _Worker:
    """The realizer of this worker process, loaded once, before its first chunk."""

    realizer: Realizer | None = None


def _realize_chunk(items: list[OrderedTree | InputError], job: Job) -> list[Outcome]:
    if _Worker.realizer is None:
        _Worker.realizer = job.realizer()
    return [outcome(item, _Worker.realizer, job) for item in items]
