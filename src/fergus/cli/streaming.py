"""Trees through a realizer, in order, in this process or in several, on this machine or on others.

With ``--jobs`` or ``--dask`` chunks of trees go to workers, each with its own realizer; at most a few chunks for
each worker are under way, so that memory does not grow with the input, and results come back in order. Workers also
read: a sentence of CoNLL-U is sent as its lines, which is less work than to read it and send the tree.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from fergus.cli.progress import patience
from fergus.cli.second_compiler import second_compiler
from fergus.cli.trees import has_word_order
from fergus.cluster.carried import Carried, carried_file
from fergus.cluster.chunks import Workers, chunked
from fergus.cluster.processes import Processes
from fergus.core.tree import OrderedTree
from fergus.errors import FergusError, InputError
from fergus.exchange.deep import tree_for
from fergus.exchange.rendering import RENDERERS, failed
from fergus.treebank.conllu import read_sentences
from fergus.treebank.conllu_sentences import Item

if TYPE_CHECKING:
    from fergus.realize.pipeline import Realizer

KERNELS = (
    "realize/choose_path",
    "realize/insertion_features",
    "realize/transducer_search",
    "realize/punctuation_scores",
)
"""The last of the inner loops to be compiled, and those of stages that not every tree needs."""
MODULES = ("fergus.cli.streaming", "fergus.realize.pipeline")
"""What a worker imports."""
CHUNK = 50
"""Trees that go to another process at once: at 1,000 a second, enough to outweigh the cost of sending them ..."""
CLUSTER_CHUNK = 500
"""... and to another machine."""


@dataclass(frozen=True)
class Job:
    """What is to be done with every tree; small, as every worker gets a copy."""

    model: str | Carried
    preset: str = "default"
    rules: Path | Carried | None = None
    lexicon: Path | Carried | None = None
    synonyms: Path | Carried | None = None
    stages: tuple[str, ...] | None = None
    bare: bool = False
    nbest: int = 1
    output: str = "text"
    is_quiet: bool = True

    def realizer(self) -> Realizer:
        """The model, loaded."""
        from fergus.realize.pipeline import load

        more = {"rules": self.rules, "lexicon": self.lexicon, "synonyms": self.synonyms}
        files = {name: os.fspath(file) for name, file in more.items() if file is not None}
        return load(os.fspath(self.model), preset=self.preset, **files)

    def with_files(self) -> Job:
        """The same for other machines: the files go along, of shipped models only the name."""
        rules, lexicon, synonyms = (
            None if file is None else Carried(Path(file)) for file in (self.rules, self.lexicon, self.synonyms)
        )
        model = carried_file(os.fspath(self.model))
        return replace(self, model=model, rules=rules, lexicon=lexicon, synonyms=synonyms)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one tree became."""

    printed: str
    error: str = ""
    """Why it failed, with its place; empty if it did not."""
    has_word_order: bool = False
    is_projective: bool = True


def stream(items: Iterable[Item], job: Job, *, jobs: int = 1, cluster: Workers | None = None) -> Iterator[Outcome]:
    """One outcome for each item, in order; from the cluster, if there is one, else from so many processes."""
    if cluster is not None:
        sent = job.with_files()
        if sent != job:
            job.realizer()  # what is wrong with a file is said here, under the name that it has here
        return chain.from_iterable(cluster.map(Realizing(sent), chunked(items, CLUSTER_CHUNK)))
    if jobs > 1:
        return chain.from_iterable(Processes(jobs).map(Realizing(job), chunked(items, CHUNK)))
    return _stream_here(items, job)


def _stream_here(items: Iterable[Item], job: Job) -> Iterator[Outcome]:
    rest = read_sentences(items)
    # Not for the preset by which the second compiler works: it would start a third.
    with second_compiler() if job.preset == "default" else nullcontext():
        with patience(job.is_quiet, KERNELS[0]):
            realizer = job.realizer()
        for item in rest:
            with patience(job.is_quiet, *KERNELS):
                result = outcome(item, realizer, job)
            yield result
            if not result.error:  # all is compiled
                break
    for item in rest:
        yield outcome(item, realizer, job)


def outcome(item: OrderedTree | InputError, realizer: Realizer, job: Job) -> Outcome:
    """Realize one tree."""
    if isinstance(item, InputError):
        source = item.path + (f":{item.line}" if item.line is not None else "")
        return Outcome(failed(job.output, str(item), source), str(item))
    tree = item.tree
    try:
        tree = tree_for(job.stages, tree, realizer)
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


@dataclass(frozen=True)
class Realizing:
    """What a worker does; its realizer is loaded once, before its first chunk."""

    job: Job

    @cached_property
    def realizer(self) -> Realizer:
        """The model, loaded."""
        return self.job.realizer()

    def __call__(self, items: list[Item]) -> list[Outcome]:
        """Realize a chunk."""
        return [outcome(item, self.realizer, self.job) for item in read_sentences(items)]
