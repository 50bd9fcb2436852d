"""Form fields read strictly: a form can be forged, and a person can paste anything."""

from __future__ import annotations

from collections.abc import Sequence

from fergus.studies.characters import without_unstorable
from fergus.studies.interface import Message
from fergus.studies.model import Form, Item
from fergus.studies.questions.base import AnswerError, only

LONGEST_QUOTE = 40


def clean(text: str) -> str:
    """The text with single newlines and without what cannot be stored; bidirectional marks and joiners stay.

    >>> clean("one\\r\\ntwo\\x00")
    'one\\ntwo'
    """
    return without_unstorable(text.replace("\r\n", "\n").replace("\r", "\n")).strip()


def quote(text: str) -> str:
    """A value as an error message shows it: clean, and not longer than a line."""
    kept = " ".join(clean(text[: 2 * LONGEST_QUOTE]).split())
    return f"“{kept[:LONGEST_QUOTE]}{'…' if len(kept) > LONGEST_QUOTE or len(text) > 2 * LONGEST_QUOTE else ''}”"


def written(form: Form, name: str, *, longest: int) -> str:
    """Free text, cleaned; "" if there is none."""
    text = clean(only(form, name))
    if len(text) > longest:
        raise AnswerError({name: Message("too_long", count=len(text), most=longest)})
    return text


def one_of(form: Form, name: str, legal: Sequence[str]) -> str:
    """One of the legal values; "" if nothing was chosen."""
    given = only(form, name)
    if given and given not in legal:
        raise AnswerError({name: Message("no_choice", given=quote(given))})
    return given


def shown_item(form: Form, name: str, items: Sequence[Item]) -> Item | None:
    """The item whose place on the page, from 0, was chosen; None if nothing was chosen."""
    places = {str(place): item for place, item in enumerate(items)}
    given = one_of(form, name, list(places))
    return places[given] if given else None


def about(items: Sequence[Item]) -> str:
    """The id of the item that a question was asked of; "" if it was asked of a page or a person."""
    return items[0].id if items else ""
