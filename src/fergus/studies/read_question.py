"""The questions of a study file, each by the type that it names; a new type needs nothing here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_type_hints

from fergus.studies.located import Node, Scalar, Table
from fergus.studies.problems import Problems, legal, shown
from fergus.studies.questions import TYPES
from fergus.studies.questions.base import NAME, NAME_RULE, Question
from fergus.studies.read_value import WRONG, described, read_fields


@dataclass(frozen=True)
class Questions:
    """What a study file asks."""

    named: Mapping[str, Question]
    declared: Mapping[str, int]
    """The lines of all of them, also of those that could not be read."""


def read_questions(node: Node | None, problems: Problems) -> Questions:
    """The questions by name."""
    if node is None or (isinstance(node, Scalar) and node.is_null):
        return Questions({}, {})
    if not isinstance(node, Table):
        remedy = "write each with its name: age: {type: choice, ...}"
        problems.add(f"questions is {described(node)}", line=node.line, column=node.column, remedy=remedy)
        return Questions({}, {})
    found = {}
    for name, value in node.values.items():
        line = node.line_of(name)
        if not NAME.fullmatch(name):
            problems.add(f"{shown(name)} is no name for a question", line=line, remedy=NAME_RULE)
        question = read_question(name, value, problems, line=line)
        if question is not None:
            found[name] = question
    return Questions(found, {name: node.line_of(name) for name in node.values})


def read_question(
    name: str, node: Node, problems: Problems, *, line: int, type_name: str | None = None
) -> Question | None:
    """One question; its type is what it says, unless that is known already."""
    owner = "consent" if type_name == "consent" else f"question {shown(name)}"
    if not isinstance(node, Table):
        problems.add(f"{owner} is {described(node)}", line=line, remedy="write a mapping: {type: rating, ...}")
        return None
    if type_name is None:
        given = node.values.get("type")
        if given is None:
            problems.add(f"{owner} has no type", line=line, remedy=f"add type: one of {', '.join(TYPES)}")
            return None
        type_name = given.text if isinstance(given, Scalar) else ""
        if type_name not in TYPES:
            problem = f"{owner} is of type {described(given)}, which is none"
            problems.add(problem, line=given.line, column=given.column, remedy=legal(type_name, TYPES))
            return None
    kind = TYPES[type_name]
    values = read_fields(node, kind.parameters(), get_type_hints(kind), problems, owner=owner, ignored=("type",))
    if any(value is WRONG for value in values.values()):
        return None
    question = kind(name=name, **values)
    mistakes = question.mistakes()
    for parameter, mistake in mistakes.items():
        at = node.line_of(parameter) if parameter in node.keys else line
        problems.add(f"{parameter} of {owner}: {mistake}", line=at)
    return None if mistakes else question
