"""Questions with several scales, each answered in a field of its own name: what rating and score have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from fergus.studies.interface import Message
from fergus.studies.model import Answer, Form, Json
from fergus.studies.questions.base import NAME, NAME_RULE, AnswerError, only
from fergus.studies.questions.fields import quote

NONE = "there is none; give at least one, with its text"


def wrong_names(names: Iterable[str]) -> str:
    """What is wrong with the names of scales, which are parts of fields' names and of ids; "" if nothing is."""
    wrong = [quote(name) for name in names if not NAME.fullmatch(name)]
    return f"{', '.join(wrong)} cannot be the name of a scale; {NAME_RULE}" if wrong else ""


def schema_of(names: Iterable[str], value: dict[str, Json], *, is_required: bool) -> dict[str, Json]:
    """An object with a value for each scale."""
    required: list[Json] = list(names) if is_required else []
    return {
        "type": "object",
        "properties": {name: dict(value) for name in names},
        "required": required,
        "additionalProperties": False,
    }


def parse_each(
    form: Form, names: Iterable[str], read: Callable[[str], int | float | Message], *, missing: Message | None
) -> Answer | None:
    """The value of each scale as ``read`` has it, which says what is wrong with one by a message.

    ``missing`` is what is said if there is no value; None if it may be left out.
    """
    answer: Answer = {}
    problems: dict[str, Message] = {}
    for name in names:
        try:
            given = only(form, name)
        except AnswerError as error:
            problems.update(error.problems)
            continue
        value = read(given) if given else missing
        if isinstance(value, Message):
            problems[name] = value
        elif value is not None:
            answer[name] = value
    if problems:
        raise AnswerError(problems)
    return answer or None
