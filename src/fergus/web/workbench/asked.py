"""What somebody asks of the page Realize, as the address and the form have it, and the commands that do the same."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from fergus.web.engine_work import How

ADDRESS = "/workbench/realize"
FORMATS = {"auto": "as it looks", "notation": "quick notation", "conllu": "CoNLL-U", "json": "JSON"}
PRESETS = {
    "default": "default (ordering model)",
    "supertag": "supertag (the paper’s)",
    "treebank-lr": "treebank-lr",
    "baseline-lr": "baseline-lr",
}
STAGES = {
    "choose": "choose words",
    "insert": "put in function words",
    "inflect": "inflect",
    "order": "order",
    "punctuate": "punctuate",
}
OUTPUTS = {"text": "text", "tokens": "tokens"}
NBEST = 5
MOST_ARCS = 60
"""Of the drawing of a lattice; larger ones are cut down."""
LONGEST_ADDRESS = 6000
"""Longer ones do not go through every mail, log and proxy; then the page is the answer to the form itself."""

Form = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Asked:
    """A tree and how it is to be realized."""

    tree: str = ""
    input_format: str = "auto"
    model: str = ""
    """"" is the server's first model."""
    preset: str = "default"
    stages: tuple[str, ...] = ()
    """None of them: whatever the tree lacks."""
    nbest: int = NBEST
    output: str = "text"
    bare: bool = False

    @property
    def how(self) -> How:
        """The same for the engine."""
        return How(self.model, self.preset, self.stages or None, self.bare, self.nbest)

    @property
    def query(self) -> str:
        """What stands behind the question mark: what is not as usual."""
        fields: list[tuple[str, str]] = [("tree", self.tree)]
        usual = Asked()
        for name in ("input_format", "model", "preset", "nbest", "output"):
            if (value := getattr(self, name)) != getattr(usual, name):
                fields.append((name, str(value)))
        fields += [("stages", stage) for stage in self.stages]
        return urlencode([*fields, *([("bare", "1")] if self.bare else [])], quote_via=quote)

    @property
    def address(self) -> str:
        """Where the same is shown again."""
        return f"{ADDRESS}?{self.query}"


def asked_of(form: Form, *, most: int) -> tuple[Asked, dict[str, str]]:
    """What a form or an address asks for, and by field what is wrong with it; wrong fields are as usual."""
    usual, problems = Asked(), {}

    def one(name: str, default: str) -> str:
        return next(iter(form.get(name, ())), default)

    chosen = {}
    for name, legal in (("input_format", FORMATS), ("preset", PRESETS), ("output", OUTPUTS)):
        chosen[name] = one(name, getattr(usual, name))
        if chosen[name] not in legal:
            problems[name] = f"“{chosen[name][:40]}” is none of them: take one of {', '.join(legal)}."
            chosen[name] = getattr(usual, name)
    number = one("nbest", str(NBEST)).strip()
    if not (number.isascii() and number.isdecimal() and len(number) < 5 and 1 <= int(number) <= most):
        problems["nbest"] = f"Give a number from 1 to {most}."
        number = str(NBEST)
    stages = form.get("stages", ())
    if any(stage not in STAGES for stage in stages):
        problems["stages"] = f"The stages are {', '.join(STAGES)}."
    asked = Asked(
        tree=one("tree", "").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\0", ""),
        model=one("model", "")[:100],
        nbest=int(number),
        stages=tuple(stage for stage in STAGES if stage in stages),
        bare=one("bare", "") == "1",
        **chosen,
    )
    return asked, problems


@dataclass(frozen=True)
class Command:
    """A command line, and what it is for."""

    name: str
    line: str


def commands(asked: Asked, *, is_notation: bool, is_wide: bool, model: str) -> tuple[Command, ...]:
    """The command lines that print what the page shows; ``model`` is the name or file that the command knows.

    ``is_wide``: the lattice has pruned orders, since it had fewer than there were sentences asked for.
    """
    tree = asked.tree.strip("\n")
    inline = is_notation and "\n" not in tree
    before = "" if inline else f"printf '%s\\n' {shlex.quote(tree)} | "
    shared = ["--tree", tree] if inline else []
    if asked.input_format != "auto" and not inline:
        shared += ["--input-format", asked.input_format]
    shared += ["--model", model] if model != "en" else []
    shared += ["--preset", asked.preset] if asked.preset != "default" else []
    shared += ["--bare"] if asked.bare else []
    stages = ["--stages", ",".join(asked.stages)] if asked.stages else []
    nbest = ["--nbest", str(asked.nbest)] if asked.nbest > 1 else []
    output = ["--output", asked.output] if asked.output != "text" else []
    quiet = [] if inline else ["--quiet"]
    drawn = [*(["--wide"] if is_wide else []), "--format", "svg", "--cut", str(MOST_ARCS), "--out", "lattice.svg"]
    lines = {
        "The sentences": ["realize", *shared, *stages, *nbest, *output, *quiet],
        "The reasons": ["explain", *shared, *stages],
        "The lattice": ["lattice", *shared, *stages, *drawn],
    }
    return tuple(Command(name, before + shlex.join(["fergus", *words])) for name, words in lines.items())
