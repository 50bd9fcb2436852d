"""The words of participants' pages: none that nobody says, none that is missing, all in the study's language."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from fergus.studies import interface
from fergus.studies.interface import WORDS, Message, placeholders
from fergus.studies.questions.base import AnswerError, only

SOURCE = Path(interface.__file__).parents[1]
SAYING = ("Message", "RefusedError")
"""Whatever these are called with is a key."""
NAMES = ("notice", "message")
"""What is given under these names is a key, if anything."""


def said_in_templates() -> set[str]:
    pages = [page for page in (SOURCE / "web" / "templates").rglob("*.html") if page.parent.name != "admin"]
    assert len(pages) > 15
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    return set(re.findall(r"\bwords\.(\w+)", text)) | set(re.findall(r"""\bwords\[["'](\w+)["']\]""", text))


def strings(tree: ast.AST) -> set[str]:
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def outcomes(tree: ast.expr) -> set[str]:
    """The strings that an expression may be; those that it only compares are left out."""
    if isinstance(tree, ast.IfExp):
        return outcomes(tree.body) | outcomes(tree.orelse)
    if isinstance(tree, ast.Tuple):
        return set().union(*map(outcomes, tree.elts))
    return strings(tree) if isinstance(tree, ast.Constant) else set()


def said_in_code() -> set[str]:
    found: set[str] = set()
    for path in [*(SOURCE / "web").glob("*.py"), *(SOURCE / "studies").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "words":
                found |= strings(node.slice)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAYING:
                found |= set().union(*map(outcomes, node.args))
            elif isinstance(node, ast.keyword) and node.arg in NAMES:
                found |= outcomes(node.value)
            elif isinstance(node, ast.Assign):
                names = {name.id for target in node.targets for name in ast.walk(target) if isinstance(name, ast.Name)}
                found |= outcomes(node.value) if names & set(NAMES) else set()
    return found - {""}


def test_every_word_is_said_somewhere_and_every_word_said_is_there() -> None:
    said = said_in_templates() | said_in_code()
    assert set(WORDS) - said == set(), "nobody says these"
    assert said - set(WORDS) == set(), "these are said and not there"


def test_a_message_is_english_and_can_be_said_in_other_words() -> None:
    message = Message("not_on_scale", given="“8”", lowest=1, highest=7)
    assert message == "“8” is not from 1 to 7."
    assert message.said({}) == message.said(WORDS) == message
    assert message.said({"not_on_scale": "Bitte {lowest} bis {highest}."}) == "Bitte 1 bis 7."
    assert message.said({"next": "Weiter"}) == message
    with pytest.raises(KeyError):
        Message("no_such_word")


def test_what_stands_in_a_form_is_only_quoted() -> None:
    assert Message("no_number", given="{given}{0}").said({"no_number": "{given}?"}) == "{given}{0}?"


def test_errors_are_english() -> None:
    with pytest.raises(AnswerError) as caught:
        only({"x": ["1", "2"]}, "x")
    assert str(caught.value) == "x: This was sent more than once."
    assert caught.value.problems["x"].said({"sent_twice": "Doppelt."}) == "Doppelt."


@pytest.mark.parametrize("key", WORDS)
def test_braces_are_plain_names(key: str) -> None:
    assert all(name.isidentifier() for name in placeholders(WORDS[key]))
