from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from fergus.cli.streaming import Job, Realizing, outcome, stream
from fergus.core.tree import OrderedTree
from fergus.errors import InputError
from fergus.treebank import read_trees
from fergus.treebank.conllu_sentences import UnreadSentence
from fergus.treebank.read import split_trees


def test_a_chunk_is_realized_as_a_stream_is(model: str, small_treebank: Path) -> None:
    trees = list(read_trees(small_treebank))[:3]
    job = Job(model)
    items = [*trees, InputError("bad", path="a.txt")]
    realizing = Realizing(job)
    assert realizing(items) == list(stream(items, job))
    assert realizing(items[3:])[0].error == "a.txt: bad"


def test_sentences_are_read_where_they_are_realized(model: str, small_treebank: Path) -> None:
    job = Job(model)
    unread = list(split_trees(small_treebank))[:3]
    assert all(isinstance(item, UnreadSentence) for item in unread)
    bad = UnreadSentence(["# a", "1\tsaw"], 7, "b.conllu")
    expected = list(stream(list(read_trees(small_treebank))[:3], job))
    for found in (Realizing(job)([*unread, bad]), list(stream([*unread, bad], job))):
        assert found[:3] == expected
        assert found[3].error.startswith("b.conllu:8: 2 columns where 10 are needed")


def test_a_worker_that_is_killed_is_reported(model: str, small_treebank: Path) -> None:
    import multiprocessing

    trees = list(read_trees(small_treebank))

    def endless() -> Iterator[OrderedTree]:
        while True:
            yield from trees

    results = stream(endless(), Job(model), jobs=2)
    next(results)
    children = multiprocessing.active_children()
    assert len(children) == 2
    assert children[0].pid is not None
    os.kill(children[0].pid, signal.SIGKILL)
    with pytest.raises(InputError, match="a worker process was ended from outside; if memory ran out"):
        for _ in results:
            pass
    assert not multiprocessing.active_children()


def test_the_source_is_named_once(model: str) -> None:
    from fergus.errors import ConstraintError
    from fergus.realize.pipeline import Realizer
    from fergus.treebank import parse_tree

    class Refusing:
        message = "no"

        def realize(self, *_: object, **__: object) -> None:
            raise ConstraintError(self.message)

    from dataclasses import replace
    from typing import cast

    tree = replace(parse_tree("saw(I)"), source="a.txt:3")
    item = OrderedTree(tree, (0, 1))
    refusing = Refusing()
    realizer = cast(Realizer, refusing)
    assert outcome(item, realizer, Job(model)).error == "a.txt:3: no"
    refusing.message = "a.txt:3: really no"
    assert outcome(item, realizer, Job(model)).error == "a.txt:3: really no"
    anonymous = OrderedTree(replace(tree, source=""), (0, 1))
    refusing.message = "no"
    assert outcome(anonymous, realizer, Job(model)).error == "no"
