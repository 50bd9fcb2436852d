"""A worker: a process beside the server that holds models and does one piece of work after the other.

It is a process and not a thread because a search in compiled code can only be ended from outside, and because
participants of studies, whom the server answers meanwhile, must not wait for it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import traceback
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from fergus.errors import FergusError, InputError, ModelError
from fergus.models import public_name
from fergus.web.engine_limits import Limits

if TYPE_CHECKING:
    from fergus.lm.model import NgramModel
    from fergus.realize.model import ModelFile
    from fergus.realize.pipeline import Realizer
    from fergus.treebank.parse import Parser

NICENESS = 15
"""The server and its database go first: by 5 a participant waited 280 ms while the API was busy, by 15 only 16."""
LONGER_S = 5.0
"""A worker whose server is gone ends itself this much after its time is up."""
EXAMPLE = "estimate(there was no cost for(phase(the second)))"
READY, BEGUN = "ready", "begun"
IDLE_S = 1.0
"""After so long without work a worker reads something that it has not needed yet."""

Preparations = Callable[[], "list[Callable[[Loaded], object]]"]
"""What a worker does before it is asked: the first before it is ready, the others while nobody asks."""


class Loaded:
    """The models and parsers of this process, each read when it is first asked for.

    ``names`` has the models that may be asked for, with their files; the first is the default.
    """

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names
        self._realizers: dict[tuple[str, str], Realizer] = {}
        self._parsers: dict[str, Parser] = {}

    @property
    def default(self) -> str:
        """The model that is taken if none is named."""
        return next(iter(self.names))

    def realizer(self, model: str = "", preset: str = "default") -> Realizer:
        """The realizer of a model and a preset."""
        from fergus.realize.pipeline import Realizer

        model = model or self.default
        if model not in self.names:
            raise InputError(f"there is no model “{model}”", remedy=f"take one of {', '.join(self.names)}")
        found = self._realizers.get((model, preset))
        if found is None:
            others = [one for (name, _), one in self._realizers.items() if name == model]
            found = others[0].with_preset(preset) if others else Realizer(self.model_file(model), preset=preset)
            self._realizers[model, preset] = found
        return found

    def parser(self, name: str = "en") -> Parser:
        """A parser that is shipped."""
        from fergus.treebank.parse import load_parser, shipped_parsers

        found = self._parsers.get(name)
        if found is None:
            names = sorted(path.stem for path in shipped_parsers().glob("*.udpipe"))
            if name not in names:
                raise InputError(f"there is no parser “{name}”", remedy=f"take one of {', '.join(names)}")
            found = self._parsers[name] = load_parser(name)
        return found

    @cached_property
    def language_model(self) -> tuple[NgramModel, str]:
        """The language model of the default model, with its name for signatures."""
        from fergus.realize.named_language_model import language_model_in

        return language_model_in(self.model_file(self.default))

    def model_file(self, model: str) -> ModelFile:
        """The file of a model, whose header says what it is; what else is in it is not read."""
        for (name, _), other in self._realizers.items():
            if name == model:
                return other.model
        from fergus.realize.model import ModelFile
        from fergus.realize.pipeline import find_model

        called = public_name(self.names[model])  # visitors read what is wrong with it, and must not read where it is
        try:
            path = find_model(self.names[model])
        except ModelError:
            raise ModelError(f"{called}: there is no such model file") from None
        return ModelFile(path, called=called)


def work_until_told_to_stop(connection: Connection, names: Mapping[str, str], prepare: Preparations) -> None:
    """The whole life of a worker: (function, arguments, seconds) come in, (BEGUN, "") and (outcome, value) go out.

    Before the first job (READY, problem) goes out, when the first of the preparations is done.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the server, which ends its workers
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    loaded = Loaded(names)
    with contextlib.suppress(EOFError, OSError):  # the server is gone
        first, *later = prepare()
        outcome, value = _outcome(first, loaded, ())
        # A model that cannot be read is told to those who ask for it.
        connection.send((READY, "" if outcome == "done" else str(value)))
        later = later if outcome == "done" else []
        while True:
            while later and not connection.poll(IDLE_S):
                _outcome(later.pop(0), loaded, ())
            function, arguments, seconds = connection.recv()
            connection.send((BEGUN, ""))
            _set_alarm(seconds + LONGER_S)
            answer = _outcome(function, loaded, arguments)
            _set_alarm(0)
            connection.send(answer)


def quick_preparations() -> list[Callable[[Loaded], object]]:
    """What brings in the models of every page of the workbench, so that its first visitors need not wait for them."""
    from fergus.web.workbench.examples import EXAMPLES
    from fergus.web.workbench.realized import shown
    from fergus.web.workbench.retold import Typed, retold

    limits = Limits()
    pages: list[Callable[[Loaded], object]] = [partial(shown, asked=one.asked, limits=limits) for one in EXAMPLES]
    return [realize_once, *pages, partial(retold, typed=Typed("She saw him."), limits=limits)]


def long_preparations() -> list[Callable[[Loaded], object]]:
    """What brings in the code of evaluations: compiling it may take longer than an evaluation may."""
    return [evaluate_once]


def realize_once(loaded: Loaded) -> None:
    """Reads what is used most, and the compiled code of it."""
    from fergus.realize.explain import explain
    from fergus.treebank.notation import parse_tree

    realizer = loaded.realizer()
    realizer.text(realizer.realize(parse_tree(EXAMPLE), nbest=3).sentence)
    explain(realizer, parse_tree(EXAMPLE))


def evaluate_once(loaded: Loaded) -> None:
    """Every metric that needs neither model nor parser, and so all compiled code of metrics."""
    from fergus.core.tree import OrderedTree
    from fergus.evaluation.in_memory import evaluate
    from fergus.treebank.notation import parse_tree

    tree = parse_tree(EXAMPLE)
    reference = OrderedTree(tree, tuple(range(len(tree))))
    evaluate({"mine": [" ".join(reference.forms)]}, [[reference]], metrics="all", parser=None, samples=2)


def _outcome(function: Any, loaded: Loaded, arguments: tuple[Any, ...]) -> tuple[str, Any]:
    try:
        return "done", function(loaded, *arguments)
    except FergusError as error:
        return "refused", error
    except RecursionError:
        return "refused", InputError("the input is nested too deeply", remedy="send a flatter one")
    except MemoryError:
        return "refused", InputError("the input needs more memory than there is", remedy="send a smaller one")
    except Exception:
        return "broken", traceback.format_exc()


def _set_alarm(seconds: float) -> None:
    # By default an alarm ends the process, even within compiled code: a server that was killed leaves no worker behind.
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, seconds)
