"""A sentence that is parsed, shuffled, realized and scored against itself: what the page Text to tree to text shows."""

from __future__ import annotations

import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from urllib.parse import quote, urlencode

from fergus.drawing import draw_alignment, draw_tree
from fergus.errors import InputError
from fergus.web.engine_limits import Limits
from fergus.web.engine_work import How, checked, parse_sentences, realize_tree
from fergus.web.engine_worker import Loaded
from fergus.web.workbench.asked import PRESETS
from fergus.web.workbench.figures import Row, rows_of

ADDRESS = "/workbench/text"
LONGEST = 2000
"""Characters of a sentence."""
METRICS = ("paper", "bleu", "exact_match")
SEED, LARGEST_SEED = 1, 999_999
PARSER = "en"


@dataclass(frozen=True)
class Typed:
    """A sentence, and how it is to be made again."""

    text: str = ""
    preset: str = "default"
    bare: bool = False
    model: str = ""
    seed: int = SEED
    """Of the shuffling."""

    @property
    def address(self) -> str:
        """Where the same is shown again."""
        fields = [("text", self.text)]
        fields += [("preset", self.preset)] if self.preset != "default" else []
        fields += [("model", self.model)] if self.model else []
        fields += [("seed", str(self.seed))] if self.seed != SEED else []
        return f"{ADDRESS}?{urlencode([*fields, *([('bare', '1')] if self.bare else [])], quote_via=quote)}"


def typed_of(form: Mapping[str, Sequence[str]]) -> tuple[Typed, dict[str, str]]:
    """What a form or an address asks for, and by field what is wrong with it."""
    problems = {}

    def one(name: str, default: str) -> str:
        return next(iter(form.get(name, ())), default)

    preset, seed, text = one("preset", "default"), one("seed", str(SEED)).strip(), one("text", "")
    if preset not in PRESETS:
        problems["preset"] = f"Take one of {', '.join(PRESETS)}."
        preset = "default"
    if not (seed.isascii() and seed.isdecimal() and len(seed) <= len(str(LARGEST_SEED))):
        problems["seed"] = f"Give a number from 0 to {LARGEST_SEED:,}."
        seed = str(SEED)
    if len(text) > LONGEST:
        problems["text"] = f"This has {len(text):,} characters; {LONGEST:,} are taken here, fergus parse takes any."
    typed = Typed(text.replace("\0", ""), preset, one("bare", "") == "1", one("model", "")[:100], int(seed))
    return typed, problems


@dataclass(frozen=True)
class Retold:
    """Everything that the page has of a sentence."""

    words: tuple[str, ...]
    shuffled: tuple[str, ...]
    realized: tuple[str, ...]
    text: str
    """What was realized, as people write it."""
    parsed: str
    alignment: str
    scores: tuple[Row, ...]
    conllu: str
    is_same: bool
    milliseconds: float


def retold(loaded: Loaded, typed: Typed, limits: Limits) -> Retold:
    """Parse, shuffle, realize, score; raises FergusErrors."""
    from fergus.evaluation.in_memory import evaluate
    from fergus.metrics.align import align
    from fergus.treebank.conllu_writer import write_conllu

    started = time.perf_counter()
    sentence = one_line(typed.text)
    given = checked(parse_sentences(loaded, sentence, "lines", PARSER, limits)[0], limits)
    if isinstance(given, InputError):
        raise given
    places = list(range(len(given.tree)))
    Random(typed.seed).shuffle(places)
    tree = given.tree.permuted(places)
    found = realize_tree(loaded, tree, How(typed.model, typed.preset, bare=typed.bare))
    words, realized = given.forms, found.realization.tokens
    evaluation = evaluate({"fergus": [list(realized)]}, [[given]], metrics=METRICS, parser=None, samples=0)
    aligned = align(words, realized)
    return Retold(
        words=words,
        shuffled=tuple(node.form for node in tree.nodes),
        realized=realized,
        text=found.texts[0],
        parsed=draw_tree(given.tree, order=given.order),
        alignment=draw_alignment(words, realized, aligned.operations, aligned.moves),
        scores=rows_of(evaluation),
        conllu=write_conllu(given.tree, given.order).rstrip("\n") + "\n",
        is_same=words == realized,
        milliseconds=1000 * (time.perf_counter() - started),
    )


def one_line(text: str) -> str:
    """The sentence on one line; InputError if there is none."""
    line = " ".join(text.split())
    if not line:
        raise InputError("there is nothing to be parsed", remedy="type a sentence")
    return line


def command_of(typed: Typed, *, model: str) -> str:
    """The command line that does the same, with files in the folder where it is run."""
    realize = ["fergus", "realize", "tree.conllu", "--output", "tokens", "--quiet", "--out", "output.txt"]
    realize += ["--model", model] if model != "en" else []
    realize += ["--preset", typed.preset] if typed.preset != "default" else []
    realize += ["--bare"] if typed.bare else []
    evaluate = ["fergus", "evaluate", "output.txt", "tree.conllu", "--metrics", ",".join(METRICS), "--samples", "0"]
    parse = f"printf '%s\\n' {shlex.quote(' '.join(typed.text.split()))} | fergus parse --input lines --quiet"
    return " &&\n".join([f"{parse} --out tree.conllu", shlex.join(realize), shlex.join(evaluate)])
