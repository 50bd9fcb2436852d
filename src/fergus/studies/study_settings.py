"""What a study file says of the study as a whole: names, texts, consent, assignment, recruitment, words of pages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, get_type_hints
from urllib.parse import urlsplit

from fergus.errors import InputError
from fergus.file_version import check_version
from fergus.studies.assign import CONSENT, INSTRUCTIONS
from fergus.studies.interface import WORDS, placeholders
from fergus.studies.located import Scalar, Table
from fergus.studies.problems import Problems, legal, shown
from fergus.studies.read_question import read_question
from fergus.studies.read_value import WRONG, read_fields, read_value
from fergus.studies.study import Assignment, Block, Recruitment, Study, direction_of

NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
LONGEST_NAME = 60
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*")
_PARAMETER = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,59}")
_CONDITION = re.compile(r"\w[\w .-]{0,59}")
FORMAT_VERSION = 1
"""Of the study file, which need not say it: the key ``format``."""
_ELSEWHERE = ("study", "format", "consent", "items", "questions", "blocks")
"""Keys that are no fields of a study, or are read in another way."""
_MADE = ("name", "blocks", "items", "version")


def has_known_format(root: Table, problems: Problems) -> bool:
    """Is the file of a version that is read? If not, that is noted, and nothing else of it can be told."""
    node = root.values.get("format")
    if node is None or (isinstance(node, Scalar) and node.is_null):
        return True
    value = read_value(node, int, problems, name="format")
    if value is WRONG:
        return False
    try:
        check_version(value, what="a study file", newest=FORMAT_VERSION)
    except InputError as error:
        problems.add(error.problem, line=root.line_of("format"), remedy=error.remedy)
        return False
    return True


def read_settings(root: Table, problems: Problems) -> dict[str, Any]:
    """The fields of a study but for its blocks and items; of one that is wrong the default, so that checks go on."""
    found = [f for f in fields(Study) if f.name not in _MADE]
    read = read_fields(root, found, get_type_hints(Study), problems, owner="", ignored=_ELSEWHERE)
    values = {"title": "", **{name: value for name, value in read.items() if value is not WRONG}}
    values["name"] = _read_name(root, problems)
    language = values.get("language", "en")
    if not _LANGUAGE.fullmatch(language):
        remedy = "write a code such as en, de, ar or pt-BR"
        problems.add(f"language is {shown(language)}", line=root.line_of("language"), remedy=remedy)
    values.setdefault("direction", direction_of(language))
    conditions = values.get("conditions", ())
    for condition in conditions:
        if not _CONDITION.fullmatch(condition):
            remedy = "use letters, digits, spaces, hyphens and dots, at most 60"
            problems.add(f"{shown(condition)} is no condition", line=root.line_of("conditions"), remedy=remedy)
    if len(set(conditions)) < len(conditions):
        problems.add("a condition is there twice", line=root.line_of("conditions"), remedy="delete one")
    _check_assignment(values.get("assignment", Assignment()), root, problems)
    _check_recruitment(values.get("recruitment", Recruitment()), root, problems)
    _check_words(values.get("interface", {}), root, problems)
    return values


def own_blocks(root: Table, settings: Mapping[str, Any], problems: Problems) -> dict[str, Block]:
    """The blocks that ``consent`` and ``instructions`` make, in this order."""
    made = {}
    node = root.values.get("consent")
    if node is not None and not (isinstance(node, Scalar) and node.is_null):
        line = root.line_of("consent")
        if isinstance(node, Scalar):
            node = Table({"text": node}, {"text": Scalar("text", line, node.column)}, line, node.column)
        question = read_question(CONSENT, node, problems, line=line, type_name=CONSENT)
        made[CONSENT] = Block(CONSENT, (question,) if question else ())
    text = settings.get("instructions", "").strip()
    if text:
        made[INSTRUCTIONS] = Block(INSTRUCTIONS, text=text)
    return made


def square_line(root: Table) -> int:
    """Where a study says what its Latin square rotates, or else that it has one."""
    node = root.values.get("assignment")
    has_factor = isinstance(node, Table) and "factor" in node.keys
    return _line_in(root, "assignment", "factor" if has_factor else "design")


def _read_name(root: Table, problems: Problems) -> Any:
    node = root.values.get("study")
    name = node.text if isinstance(node, Scalar) else ""
    if node is None:
        problems.add("the study has no name", line=root.line, remedy="add study: NAME, as it is to be in addresses")
    elif len(name) > LONGEST_NAME or not NAME.fullmatch(name):
        remedy = f"use small letters, digits and hyphens between them, at most {LONGEST_NAME}"
        problems.add(f"{shown(name)} is no name for a study", line=root.line_of("study"), remedy=remedy)
    return name


def _line_in(root: Table, section: str, key: str) -> int:
    node = root.values.get(section)
    return node.line_of(key) if isinstance(node, Table) else root.line_of(section)


def _check_assignment(assignment: Assignment, root: Table, problems: Problems) -> None:
    for key in ("pages", "judgements", "participants"):
        number = getattr(assignment, key)
        if number is not None and number < 1:
            problem = f"{key} of assignment is {number}"
            problems.add(problem, line=_line_in(root, "assignment", key), remedy="write a number from 1")
    if assignment.seed < 0:
        problem = f"seed of assignment is {assignment.seed}"
        problems.add(problem, line=_line_in(root, "assignment", "seed"), remedy="write a number from 0")
    if assignment.design == "subsets" and assignment.pages is None and assignment.judgements is None:
        problem = "the design is subsets, but nothing says how many pages each participant sees"
        problems.add(problem, line=_line_in(root, "assignment", "design"), remedy="add pages: 10")
    if assignment.design != "subsets" and assignment.pages is not None:
        problem = f"pages has no meaning in the design {assignment.design}"
        remedy = "write design: subsets, or delete pages"
        problems.add(problem, line=_line_in(root, "assignment", "pages"), remedy=remedy)


def _check_recruitment(recruitment: Recruitment, root: Table, problems: Problems) -> None:
    for name in recruitment.parameters:
        if not _PARAMETER.fullmatch(name):
            remedy = "use letters, digits, hyphens and underscores"
            line = _line_in(root, "recruitment", "parameters")
            problems.add(f"{shown(name)} is no parameter of a link", line=line, remedy=remedy)
    if recruitment.required and not recruitment.parameters:
        line = _line_in(root, "recruitment", "required")
        problems.add("no parameter is named that could be required", line=line, remedy="add parameters: [PROLIFIC_PID]")
    url = recruitment.completion_url
    if not url:
        return
    line = _line_in(root, "recruitment", "completion_url")
    if not is_web_address(url):
        remedy = "begin with https:// (or http://) and a host"
        problems.add(f"completion_url is {shown(url)}", line=line, remedy=remedy)
        return
    _check_braces(url, {"code", *recruitment.parameters}, "completion_url", line, problems)
    if "{code}" in url and not recruitment.completion_code:
        problems.add("completion_url has {code}, but there is no code", line=line, remedy="add completion_code: ...")


def is_web_address(url: str) -> bool:
    """Is it an address of the web, with a host that is the same for everybody?"""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    has_good_signs = url.isprintable() and not any(sign in url for sign in " \\\"'<>")
    # A placeholder before the path would let a link of somebody else's decide where people are sent.
    return parts.scheme in ("http", "https") and bool(parts.hostname) and "{" not in parts.netloc and has_good_signs


def _check_words(words: Mapping[str, str], root: Table, problems: Problems) -> None:
    for key, text in words.items():
        line = _line_in(root, "interface", key)
        if key not in WORDS:
            problems.add(f"interface has no {shown(key)}", line=line, remedy=legal(key, WORDS))
        else:
            _check_braces(text, placeholders(WORDS[key]), f"{key} of interface", line, problems)


def _check_braces(text: str, known: set[str], name: str, line: int, problems: Problems) -> None:
    try:
        unknown = sorted(placeholders(text) - known)
    except ValueError:
        problems.add(f"the braces of {name} do not match", line=line, remedy="write {{ for a brace of the text itself")
        return
    if unknown:
        remedy = f"{name} can have {', '.join(f'{{{key}}}' for key in sorted(known))}" if known else "delete the braces"
        problems.add(f"{{{unknown[0]}}} means nothing in {name}", line=line, remedy=remedy)
