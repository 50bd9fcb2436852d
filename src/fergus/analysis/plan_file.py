"""The analysis plan: a TOML file that says before the data are in what will be tested, and how."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time
from math import isfinite
from pathlib import Path
from typing import Any

from fergus.errors import InputError
from fergus.file_version import check_version
from fergus.studies.problems import legal
from fergus.toml_file import parse_toml

FORMAT, VERSION = "fergus-plan", 1
_LISTS = ("dimensions", "metrics", "tests", "exclusions")
KEYS = ("format", "version", "study", "title", *_LISTS, "level", "correction", "hypotheses", "numbers", "notes")
HYPOTHESIS_KEYS = ("name", "text", "dimension", "metric", "test")
NUMBERS = ("participants", "items", "judgements")


@dataclass(frozen=True)
class Hypothesis:
    """What is expected, and the test that decides."""

    name: str
    text: str
    dimension: str = ""
    metric: str = ""
    test: str = ""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a plan says."""

    study: str
    title: str = ""
    hypotheses: tuple[Hypothesis, ...] = ()
    dimensions: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    exclusions: tuple[str, ...] = ()
    """Which texts are left out: rules in words, as the reasons of ``fergus analyse --exclude`` name them."""
    level: float = 0.05
    correction: str = ""
    """For the number of comparisons: ``holm``, or empty for none."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    """Of participants, items and judgements."""
    notes: str = ""
    digest: str = ""
    """SHA-256 of the canonical content."""
    content: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """Everything that the file says, as plain data."""


def read_plan(path: str | Path) -> Plan:
    """The plan in a file; raises its first mistake."""
    where = str(path)
    data = Path(path).read_bytes()
    content = parse_toml(data, path=where, what="plan")
    return _Reader(where, data.decode()).plan(_plain(content))


def digest_of(content: Mapping[str, Any]) -> str:
    """The hash of what a plan says: its comments, its layout and the order of its keys do not count."""
    canonical = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(canonical.encode(errors="surrogatepass")).hexdigest()


def _plain(value: Any) -> Any:
    """TOML's dates and times as text, so that all of it is JSON."""
    if isinstance(value, dict):
        return {key: _plain(own) for key, own in value.items()}
    if isinstance(value, list):
        return [_plain(own) for own in value]
    return value.isoformat() if isinstance(value, date | datetime | time) else value


@dataclass(frozen=True)
class _Reader:
    """Reads keys, and tells the line of one that is wrong."""

    path: str
    text: str

    def plan(self, content: dict[str, Any]) -> Plan:
        if content.get("format") != FORMAT:
            remedy = f'it must say format = "{FORMAT}", version = {VERSION}'
            raise InputError(f"the file says format = {content.get('format')!r}", path=self.path, remedy=remedy)
        check_version(content.get("version"), what="a plan", newest=VERSION, path=self.path)
        self.known(content, KEYS)
        lists = {key: self.names(content.get(key, []), key) for key in _LISTS}
        study = self.string(content.get("study", ""), "study")
        if not study:
            raise InputError("the plan is for no study", path=self.path, remedy='write study = "name-of-the-study"')
        told = content.get("hypotheses", [])
        if not isinstance(told, list) or not all(isinstance(one, dict) for one in told):
            raise self.wrong("hypotheses", "is no list of tables", "begin each with a line [[hypotheses]]")
        return Plan(
            study=study,
            title=self.string(content.get("title", ""), "title"),
            hypotheses=tuple(self.hypothesis(one, number) for number, one in enumerate(told, 1)),
            **lists,
            level=self.level(content.get("level", 0.05)),
            correction=self.string(content.get("correction", ""), "correction"),
            numbers=self.numbers(content.get("numbers", {})),
            notes=self.string(content.get("notes", ""), "notes"),
            digest=digest_of(content),
            content=content,
        )

    def wrong(self, key: str, problem: str, remedy: str) -> InputError:
        found = re.search(rf"(?m)^[ \t]*+\[*+[ \t]*+{re.escape(key)}\b", self.text)
        line = self.text.count("\n", 0, found.start()) + 1 if found else None
        return InputError(f"{key} {problem}", path=self.path, line=line, remedy=remedy)

    def known(self, table: Mapping[str, Any], keys: tuple[str, ...]) -> None:
        for key in table:
            if key not in keys:
                raise self.wrong(key, "means nothing here", legal(key, keys))

    def string(self, value: Any, key: str) -> str:
        if not isinstance(value, str):
            raise self.wrong(key, f"is {value!r}, which is no text", "put it in quotes")
        return value.strip()

    def names(self, value: Any, key: str) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(one, str) and one.strip() for one in value):
            raise self.wrong(key, f"is {value!r}", f'write a list of texts: {key} = ["one", "two"]')
        return tuple(one.strip() for one in value)

    def level(self, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or not 0 < value < 1:
            raise self.wrong("level", f"is {value!r}", "write a number between 0 and 1, such as 0.05")
        return float(value)

    def numbers(self, value: Any) -> dict[str, int]:
        if not isinstance(value, dict):
            raise self.wrong("numbers", "is no table", "begin it with a line [numbers]")
        self.known(value, NUMBERS)
        for key, number in value.items():
            if isinstance(number, bool) or not isinstance(number, int) or number < 1:
                raise self.wrong(key, f"is {number!r}", "write a whole number from 1")
        return dict(value)

    def hypothesis(self, table: dict[str, Any], number: int) -> Hypothesis:
        self.known(table, HYPOTHESIS_KEYS)
        values = {key: self.string(table.get(key, ""), key) for key in HYPOTHESIS_KEYS}
        if not values["text"]:
            raise self.wrong("hypotheses", f"{number} has no text", 'write text = "what is expected"')
        return Hypothesis(**{**values, "name": values["name"] or f"H{number}"})
