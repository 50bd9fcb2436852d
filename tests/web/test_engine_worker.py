"""What a worker does with what it is sent, and the pieces of work themselves; in this process."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import subprocess
import sys
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest

import fergus
from fergus.core.tree import OrderedTree
from fergus.errors import InputError, ModelError
from fergus.web.engine_limits import LimitError, Limits
from fergus.web.engine_work import How, explain_tree, read_trees, realize_tree
from fergus.web.engine_worker import (
    BEGUN,
    READY,
    Loaded,
    Preparations,
    quick_preparations,
    realize_once,
    work_until_told_to_stop,
)
from fergus.web.workbench.examples import EXAMPLES
from fergus.web.workbench.realized import Shown
from tests.web import engine_tasks as tasks
from tests.web.inline_engine import loaded

TREE = "estimate(there was no cost for(phase(the second)))"
SHIPPED = Path(fergus.__file__).parent / "models" / "en.fergus"


@pytest.fixture
def nice(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How much less important the process made itself."""
    found: list[int] = []
    monkeypatch.setattr(os, "nice", found.append)
    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(signal, "signal", lambda *_: before)
    return found


def answers(*jobs: Any, names: dict[str, str], prepare: Preparations = tasks.no_preparations) -> list[Any]:
    """What a worker sends back until the server is gone: that it is ready, and of every job that it begins and ends."""
    ours, theirs = multiprocessing.Pipe()
    for job in jobs:
        ours.send((*job, 5.0))
    found: list[Any] = []

    def listen() -> None:
        found.extend(ours.recv() for _ in range(2 * len(jobs) + 1))
        ours.close()

    thread = threading.Thread(target=listen)
    thread.start()
    work_until_told_to_stop(theirs, names, prepare)
    thread.join()
    theirs.close()
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0  # nothing ends this process
    return found


def test_a_worker_answers_until_the_server_is_gone(nice: list[int]) -> None:
    ready, *others = answers((tasks.add, (1, 2)), (tasks.refuse, ()), (tasks.fail, ()), names={"en": str(SHIPPED)})
    assert ready == (READY, "")
    assert others[::2] == [(BEGUN, "")] * 3
    added, refused, broken = others[1::2]
    assert added == ("done", 3)
    assert (refused[0], refused[1].line) == ("refused", 3)
    assert broken[0] == "broken"
    assert "ZeroDivisionError" in broken[1]
    assert nice == [15]


def test_a_worker_says_if_it_cannot_read_its_model(nice: list[int]) -> None:
    assert answers(names={"a": "nowhere.fergus"}, prepare=lambda: [realize_once, tasks.fail]) == [
        (READY, "nowhere.fergus: there is no such model file")
    ]


def test_a_worker_whose_preparation_fails_works_all_the_same(nice: list[int]) -> None:
    ready, _, added = answers((tasks.add, (1, 2)), names={}, prepare=lambda: [tasks.fail])
    assert "ZeroDivisionError" in ready[1]
    assert added == ("done", 3)


def test_a_worker_reads_ahead_while_nobody_asks(nice: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = multiprocessing.Pipe()
    found: list[Any] = []

    def ask(loaded: Loaded) -> None:
        found.append("read")
        ours.send((tasks.add, (1, 2), 5.0))

    def listen() -> None:
        found.extend([ours.recv() for _ in range(3)])
        ours.close()

    monkeypatch.setattr("fergus.web.engine_worker.IDLE_S", 0.01)
    thread = threading.Thread(target=listen)
    thread.start()
    # What cannot be read is left for those who ask for it.
    work_until_told_to_stop(theirs, {}, lambda: [tasks.names, tasks.fail, tasks.refuse, ask])
    thread.join()
    theirs.close()
    assert found == ["read", (READY, ""), (BEGUN, ""), ("done", 3)]


def test_what_is_read_ahead_is_what_the_pages_show() -> None:
    first, *pages = quick_preparations()
    first(loaded())
    shown = pages[0](loaded())
    assert isinstance(shown, Shown)
    assert shown.sentence == "There was no cost estimate for the second phase"
    assert len(pages) == len(EXAMPLES) + 1


AFTERWARDS = """
import sys
from fergus.evaluation.in_memory import evaluate
from fergus.web.engine_worker import Loaded, long_preparations

def compiled():
    modules = [module for name, module in sys.modules.items() if name.startswith("fergus.")]
    kernels = {kernel for module in modules for kernel in vars(module).values() if hasattr(kernel, "signatures")}
    return sum(len(kernel.signatures) for kernel in kernels)

for preparation in long_preparations():
    preparation(Loaded({"a": "nowhere.fergus"}))
before = compiled()
systems = {"a": ["x y z", "y"], "b": ["z y x x", ""]}
evaluate(systems, [["x z y", "y"], ["a", "b"]], metrics=sys.argv[1:], samples=5, compare=True)
print(before, compiled() - before)
"""


def test_evaluations_are_compiled_before_anybody_asks_for_one() -> None:
    """In a process of its own, where nothing has been compiled, without a model; a parser makes the trees."""
    run = [sys.executable, "-c", AFTERWARDS, "paper", "draft", "bleu", "nist", "chrf", "ter", "rouge_l", "dist"]
    before, afterwards = map(int, subprocess.run(run, check=True, capture_output=True, text=True).stdout.split())
    assert before
    assert not afterwards


def test_models_and_parsers_are_those_that_are_offered() -> None:
    found = Loaded({"mine": str(SHIPPED), "en": "en"})
    assert found.default == "mine"
    assert found.realizer() is found.realizer("mine")
    assert found.realizer("mine", "treebank-lr").model is found.realizer().model
    assert found.realizer("en").model is not found.realizer().model
    with pytest.raises(InputError, match="there is no model “other”; take one of mine, en"):
        found.realizer("other")
    with pytest.raises(InputError, match="there is no parser “/etc/passwd”; take one of en"):
        found.parser("/etc/passwd")
    assert found.language_model[1].startswith("en.fergus-")


def test_where_models_are_is_not_told(tmp_path: Path) -> None:
    """A model without supertags, and one that is gone: what is wrong is said under the file's name alone."""
    with zipfile.ZipFile(SHIPPED) as shipped, zipfile.ZipFile(tmp_path / "less.fergus", "w") as less:
        less.writestr("header.json", shipped.read("header.json"))
    found = Loaded({"less": str(tmp_path / "less.fergus"), "gone": str(tmp_path / "gone.fergus")})
    for work in (lambda: found.realizer("less"), lambda: found.realizer("gone"), lambda: found.language_model):
        with pytest.raises(ModelError, match=r"^(less|gone)\.fergus: ") as caught:
            work()
        assert str(tmp_path) not in str(caught.value)


def test_trees_are_read_realized_and_explained() -> None:
    (item,) = read_trees(TREE, "auto", Limits())
    assert isinstance(item, OrderedTree)
    realized = realize_tree(loaded(), item.tree, How(nbest=2))
    assert realized.texts[0] == "There was no cost estimate for the second phase"
    assert len(realized.texts) == len(realized.realization.best) == 2
    explanation, text = explain_tree(loaded(), item.tree, How())
    assert text == realized.texts[0]
    assert "beats" in explanation.reason


@pytest.mark.parametrize(
    ("text", "input_format", "problem"),
    [
        ("saw(I her", "auto", r"trees:1: .*without"),
        ("", "auto", "the input is empty"),
        ("# nothing", "conllu", "there is no sentence"),
        ("a(b(c d))", "notation", "the tree has 4 nodes; this server takes trees of up to 3"),
    ],
)
def test_trees_that_cannot_be_taken(text: str, input_format: str, problem: str) -> None:
    (found,) = read_trees(text, input_format, Limits(nodes=3))
    assert isinstance(found, InputError)
    assert re.search(problem, str(found))


def test_trees_that_are_too_many() -> None:
    with pytest.raises(LimitError, match="more than 2 trees"):
        read_trees("a\nb\nc", "notation", Limits(trees=2))
