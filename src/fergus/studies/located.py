"""YAML whose every value knows its line: text, lists and mappings, built from PyYAML's events.

Types are not guessed: a value is the text as it was written (``no`` is no boolean, ``0123`` no number) until a
reader asks for a number or a truth value. There are no tags, and aliases stand for what was written but cannot
make a small file large.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn

import yaml

from fergus.studies.characters import unstorable
from fergus.studies.problems import Problems, shown

LARGEST = 1_000_000
"""Characters of a study file; texts to be judged are in the items file."""
DEEPEST = 20
MOST_VALUES = 20_000
"""Values of a file, aliases written out."""
_BEGUN_BEFORE = ("could not find expected ':'", "found unexpected end of stream")
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})


@dataclass(frozen=True)
class Scalar:
    """A text, and whether quotes or a block say that it is nothing else."""

    text: str
    line: int
    column: int
    is_quoted: bool = False

    @property
    def is_null(self) -> bool:
        """Is it nothing at all?"""
        return not self.is_quoted and self.text in _NULLS


@dataclass(frozen=True)
class Listing:
    """Values in a row."""

    items: tuple[Node, ...]
    line: int
    column: int


@dataclass(frozen=True)
class Table:
    """Values by key; each key knows its own place."""

    values: dict[str, Node]
    keys: dict[str, Scalar]
    line: int
    column: int

    def line_of(self, key: str) -> int:
        """The line of a key, or of the whole if it has no such key."""
        return self.keys[key].line if key in self.keys else self.line


Node = Scalar | Listing | Table


@dataclass
class _Open:
    """A list or a mapping that is not complete yet."""

    event: yaml.CollectionStartEvent
    count: int
    """How many values there were when it began, itself included."""
    children: list[Node] = field(default_factory=list)


class _RefusedError(Exception):
    """Reading cannot go on; the problem has been noted."""


def read_yaml(text: str, problems: Problems) -> Node | None:
    """The value of a file; None if it has none. What is wrong is noted, and what can be read is returned."""
    if len(text) > LARGEST:
        problems.add(f"the file has {len(text):,} characters", line=None, remedy=f"at most {LARGEST:,} are read")
        return None
    try:
        return _Builder(problems).built(_events(text, problems))
    except _RefusedError:
        return None


def _events(text: str, problems: Problems) -> Iterator[yaml.Event]:
    """PyYAML's events; its errors become problems."""
    try:
        yield from yaml.parse(text, Loader=yaml.SafeLoader)
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        problem = f"there is a character that YAML does not allow ({ord(text[error.position]):#04x})"
        problems.add(problem, line=line, remedy="delete it")
    except yaml.MarkedYAMLError as error:
        # Where a text began that never ends is told by the context, other mistakes by where they came to light.
        begun = error.context_mark if any(sign in str(error.problem) for sign in _BEGUN_BEFORE) else None
        mark = begun or error.problem_mark or error.context_mark
        line, column = (1, None) if mark is None else (mark.line + 1, mark.column + 1)
        problem, remedy = _explained(error, text.split("\n")[line - 1] if line <= text.count("\n") + 1 else "")
        problems.add(problem, line=line, column=column, remedy=remedy)
    else:
        return
    raise _RefusedError


def _explained(error: yaml.MarkedYAMLError, line: str) -> tuple[str, str]:
    """The usual mistakes in words that say what to do, others in the words of YAML's reader."""
    said = " ".join(part for part in (error.context, error.problem) if part)
    if "\\t" in said or line[: len(line) - len(line.lstrip())].count("\t"):
        return "there is a tab", "indent with spaces"
    if "mapping values are not allowed here" in said:
        return "there is a colon where YAML expects none", 'put the text in quotes: "..."; or check the indentation'
    if "could not find expected ':'" in said:
        return "this line is no key with a value", "write key: value; or indent the line as the text above it"
    if "found unexpected end of stream" in said:
        return "a quotation mark is not closed", "end the text with \" or '"
    if "<block end>" in said:
        return "this line does not belong to what is above it", "check the indentation, and quotes and brackets above"
    if "',' or" in said:
        return (
            "a bracket is not closed, or a comma is missing",
            "between brackets, put texts with a comma, a colon or a question mark in quotes",
        )
    return f"this is not YAML: {said}", "check the signs and the indentation here; put texts in quotes"


class _Builder:
    """Puts values together, innermost first."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self._anchored: dict[str, tuple[Node, int]] = {}
        self._count = 0

    def built(self, events: Iterator[yaml.Event]) -> Node | None:
        """The value of the one document."""
        stack: list[_Open] = []
        result: Node | None = None
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                if result is not None:
                    self._refuse(event, "a second document begins here", "give one study a file: delete the line ---")
                continue
            node: Node
            if isinstance(event, yaml.CollectionStartEvent):
                self._check(event)
                stack.append(_Open(event, self._count))
                if len(stack) > DEEPEST:
                    self._refuse(event, f"lists and mappings are nested more than {DEEPEST} deep", "make it flatter")
                continue
            if isinstance(event, yaml.CollectionEndEvent):
                closed = stack.pop()
                node = self._closed(closed)
                self._keep(closed.event.anchor, node, self._count - closed.count + 1)
            elif isinstance(event, yaml.ScalarEvent):
                self._check(event)
                node = self._scalar(event)
                self._keep(event.anchor, node, 1)
            elif isinstance(event, yaml.AliasEvent):
                node = self._alias(event)
            else:
                continue
            if stack:
                stack[-1].children.append(node)
            else:
                result = node
        return result

    def _scalar(self, event: yaml.ScalarEvent) -> Scalar:
        line, column = _place(event)
        if sign := unstorable(event.value):
            problem = f"the text has the character {sign}, which cannot be stored"
            self._problems.add(problem, line=line, column=column, remedy="delete it, or the escape that stands for it")
        return Scalar(event.value, line, column, is_quoted=event.style is not None)

    def _check(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent) -> None:
        self._count += 1
        if self._count > MOST_VALUES:
            self._refuse(event, f"the file has more than {MOST_VALUES:,} values", "put texts into the items file")
        if event.tag is not None:
            self._refuse(event, f"{event.tag} is a tag, and tags mean nothing here", "delete it, or quote the text")

    def _keep(self, anchor: str | None, node: Node, size: int) -> None:
        if anchor is not None:
            self._anchored[anchor] = (node, size)

    def _alias(self, event: yaml.AliasEvent) -> Node:
        if event.anchor not in self._anchored:
            remedy = f"write &{event.anchor} where it is first given, or quote the text"
            self._refuse(event, f"*{event.anchor} stands for nothing above it", remedy)
        node, size = self._anchored[event.anchor]
        self._count += size
        if self._count > MOST_VALUES:
            self._refuse(event, f"written out, the file has more than {MOST_VALUES:,} values", "use fewer aliases")
        return node

    def _closed(self, opened: _Open) -> Node:
        line, column = _place(opened.event)
        if isinstance(opened.event, yaml.SequenceStartEvent):
            return Listing(tuple(opened.children), line, column)
        values: dict[str, Node] = {}
        keys: dict[str, Scalar] = {}
        for key, value in zip(opened.children[::2], opened.children[1::2], strict=True):
            if not isinstance(key, Scalar):
                self._problems.add("a list or mapping is no key", line=key.line, remedy="write key: value")
            elif key.text in keys:
                told = f"{shown(key.text)} is given twice (before, on line {keys[key.text].line})"
                self._problems.add(told, line=key.line, column=key.column, remedy="delete or rename one of them")
            else:
                keys[key.text], values[key.text] = key, value
        return Table(values, keys, line, column)

    def _refuse(self, event: yaml.Event, problem: str, remedy: str) -> NoReturn:
        line, column = _place(event)
        self._problems.add(problem, line=line, column=column, remedy=remedy)
        raise _RefusedError


def _place(event: yaml.Event) -> tuple[int, int]:
    mark = event.start_mark
    return (1, 1) if mark is None else (mark.line + 1, mark.column + 1)
