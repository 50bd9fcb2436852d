"""The file of a learned metric: small, readable, and what ``fergus evaluate --metrics FILE`` uses from then on."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite

from fergus.analysis.learn import Learned, Validation
from fergus.errors import InputError
from fergus.metrics.catalogue import CATALOGUE
from fergus.metrics.derived import COUNTS, FORMAT, VERSION
from fergus.version import __version__
from fergus.whole_file import WholeFile

DIGITS = 6


@dataclass(frozen=True, kw_only=True)
class Description:
    """What people are told of a learned metric beside what was learned."""

    name: str
    title: str = ""
    abbreviation: str = ""
    source: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    """How the parts were computed: tokenisation, references, parser."""


def write_learned(path: str | os.PathLike[str], learned: Learned, description: Description) -> None:
    """Write the file whole."""
    with WholeFile(path) as stream:
        stream.write(as_toml(learned, description).encode())


def check_name(name: str) -> None:
    """Raise if a metric cannot have that name."""
    if not name.isidentifier() or not name.isascii() or name in COUNTS or name in CATALOGUE:
        problem = "is the name of another metric" if name in (*COUNTS, *CATALOGUE) else "is no name of a metric"
        raise InputError(f"{name!r} {problem}", remedy="use letters, digits and _, such as my_metric")


def as_toml(learned: Learned, description: Description) -> str:
    """The text of the file."""
    metric, name = learned.metric, description.name
    check_name(name)
    lines = [
        f"# Learned by fergus {__version__} from judgements of {learned.dimension!r}, in the manner of section 4.2 of",
        "# Bangalore, Rambow and Whittaker (2000). A perfect sentence has the intercept and the coefficients times the",
        f"# best values, {_rounded(metric.perfect)}, and is scaled to 1.",
        f"format = {_text(FORMAT)}",
        f"version = {VERSION}",
        f"name = {_text(name)}",
        f"title = {_text(description.title or name.replace('_', ' ').capitalize())}",
        f"abbreviation = {_text(description.abbreviation or name)}",
        f"source = {_text(description.source or f'judgements of {learned.dimension}')}",
        f"intercept = {_rounded(metric.intercept)}",
        "",
        "[coefficients]",
        *(f"{part} = {_rounded(weight)}" for part, weight in metric.coefficients.items()),
        "",
        "[training]",
        f"dimension = {_text(learned.dimension)}",
        *(f"{key} = {getattr(learned, key)}" for key in ("texts", "inputs", "systems", "judges")),
        f"r_squared = {_rounded(learned.r_squared)}",
        f"ridge_penalty = {_rounded(learned.penalty)}",
        f"combinations_tried = {learned.tried}",
        *(f"{_text(key)} = {_text(value)}" for key, value in description.settings.items()),
        "",
        "[validation]",
        *_validated(learned.by_inputs),
        *(_validated(learned.by_systems) if learned.by_systems is not None else ()),
        f"best_part = {_text(learned.best_part.name)}",
        f"best_part_pearson = {_rounded(learned.best_part.pearson)}",
        f"beats_best_part = {str(learned.beats_best_part).lower()}",
        f"verdict = {_text(learned.verdict)}",
    ]
    return "\n".join(lines) + "\n"


def _validated(found: Validation) -> Iterator[str]:
    for kind in ("folds", "pearson", "spearman", "kendall"):
        value = getattr(found, kind)
        yield f"{found.left_out}_left_out_{kind} = {value if kind == 'folds' else _rounded(value)}"


def _rounded(value: float) -> str:
    """A number as TOML has it, to so many digits."""
    if not isfinite(value):
        return "nan"
    text = f"{value:.{DIGITS}g}"
    return text if any(mark in text for mark in ".e") else f"{text}.0"


def _text(value: str) -> str:
    """A string as TOML has it: as JSON has it, but for one character and halves of pairs."""
    clean = value.encode("utf-8", "replace").decode()
    return json.dumps(clean, ensure_ascii=False).replace("\x7f", "\\u007f")
