"""The blocks of a study file: which questions they ask of which items."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import Field, dataclass, fields
from typing import Any, get_type_hints

from fergus.studies.located import Listing, Node, Scalar, Table
from fergus.studies.problems import Problems, legal, shown
from fergus.studies.questions.base import Question
from fergus.studies.read_question import Questions
from fergus.studies.read_value import WRONG, described, read_fields, read_value
from fergus.studies.study import Block

LONGEST_NAME = 60
_NAME = re.compile(r"\w[\w .-]*")
_OWN = ("questions", "items")
"""What is read here and not as its type says."""


@dataclass(frozen=True)
class ReadBlock:
    """A block with the place that it has in the file."""

    block: Block
    table: Table

    @property
    def line(self) -> int:
        """The line of its name."""
        return self.table.line_of("name")

    def line_of_column(self, column: str) -> int:
        """Where a column is named among those that say which items."""
        items = self.table.values.get("items")
        return items.line_of(column) if isinstance(items, Table) else self.table.line_of("items")


def read_blocks(node: Node | None, questions: Questions, problems: Problems) -> list[ReadBlock]:
    """The blocks that can be read, in order."""
    if node is None or (isinstance(node, Scalar) and node.is_null):
        return []
    if not isinstance(node, Listing):
        remedy = "write a list: each block begins with - name: ..."
        problems.add(f"blocks is {described(node)}", line=node.line, column=node.column, remedy=remedy)
        return []
    found: list[ReadBlock] = []
    lines: dict[str, int] = {}
    for number, child in enumerate(node.items, 1):
        if not isinstance(child, Table):
            remedy = "write a mapping: - name: main"
            problems.add(f"block {number} is {described(child)}", line=child.line, column=child.column, remedy=remedy)
            continue
        block = _read_block(child, number, questions, problems)
        if block is None:
            continue
        if block.name in lines:
            problem = f"two blocks have the name {shown(block.name)} (before, on line {lines[block.name]})"
            problems.add(problem, line=child.line_of("name"), remedy="rename one of them")
        else:
            lines[block.name] = child.line_of("name")
            found.append(ReadBlock(block, child))
    return found


def _read_block(table: Table, number: int, questions: Questions, problems: Problems) -> Block | None:
    given = table.values.get("name")
    label = shown(given.text) if isinstance(given, Scalar) else str(number)
    owner = f"block {label}"
    values = read_fields(table, _read_by_type(), get_type_hints(Block), problems, owner=owner, ignored=_OWN)
    asked = _read_asked(table, questions, problems, owner)
    items = _read_items(table, problems, owner)
    name = values["name"]
    if name is not WRONG and not (len(name) <= LONGEST_NAME and _NAME.fullmatch(name)):
        remedy = f"use letters, digits, spaces, hyphens and dots, at most {LONGEST_NAME}"
        problems.add(f"{shown(name)} is no name for a block", line=table.line_of("name"), remedy=remedy)
        return None
    if items is WRONG or any(value is WRONG for value in values.values()):
        return None
    return Block(questions=asked, items=items, **values)


def _read_by_type() -> list[Field[Any]]:
    return [f for f in fields(Block) if f.name not in _OWN]


def _read_asked(table: Table, questions: Questions, problems: Problems, owner: str) -> tuple[Question, ...]:
    """The questions that are named; one that could not be read has been told of already."""
    node = table.values.get("questions")
    if node is None:
        return ()
    names = node.items if isinstance(node, Listing) else (node,)
    asked: dict[str, Question] = {}
    for child in names:
        name = read_value(child, str, problems, name=f"a question of {owner}")
        if name is WRONG:
            continue
        if name not in questions.declared:
            problem = f"{owner} asks {shown(name)}, which is no question"
            remedy = legal(name, questions.declared) if questions.declared else "describe it under questions:"
            problems.add(problem, line=child.line, column=child.column, remedy=remedy)
        elif name in asked:
            problems.add(f"{owner} asks {shown(name)} twice", line=child.line, column=child.column, remedy="delete one")
        elif name in questions.named:
            asked[name] = questions.named[name]
    return tuple(asked.values())


def _read_items(table: Table, problems: Problems, owner: str) -> Any:
    """Allowed values by column; {} for ``all``, None if nothing is said of items."""
    node = table.values.get("items")
    if node is None or (isinstance(node, Scalar) and node.is_null):
        return None
    if isinstance(node, Scalar) and node.text == "all":
        return {}
    if not isinstance(node, Table):
        problem = f"items of {owner} is {described(node)}"
        remedy = "write all, or the values of a column: {block: main}"
        problems.add(problem, line=node.line, column=node.column, remedy=remedy)
        return WRONG
    return read_value(node, Mapping[str, tuple[str, ...]], problems, name=f"items of {owner}")
