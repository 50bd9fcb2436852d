"""How the administration says things: times, shares, and what was done."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from fergus.studies.model import Json

DONE = {
    "uploaded": "The study is uploaded. Preview it, then pass on its link.",
    "warned": "The study is uploaded. There are warnings: run fergus study check on the file to see them.",
    "open": "The study is open: people can take part.",
    "paused": "The study is paused: nobody can join or answer until you open it again.",
    "closed": "The study is closed: nobody can join. Those who are at it can finish.",
    "condition": "The condition is changed.",
    "links": "The links are made. Each is for one person.",
    "deleted": "The participant and everything they answered are deleted. Backups and exports still have it.",
    "deleted-but-log": (
        "The participant and everything they answered are deleted. As others were reading, SQLite's log beside the "
        "database still has it until the server is stopped once. Backups and exports have it too."
    ),
    "account": "The account is made.",
    "role": "The role is changed.",
    "password": "The password is changed.",
    "remove": "The account is removed.",
    "coded": "That was the last one: all answers to this question are coded.",
}
"""What a page says after a change, by the word in its address; an address cannot make it say anything else."""

STATES = {
    "open": ("open", "good"),
    "paused": ("paused", "warning"),
    "closed": ("closed", ""),
    "active": ("at it", ""),
    "completed": ("completed", "good"),
    "declined": ("declined", ""),
    "withdrawn": ("withdrew", "warning"),
}
"""The word for a state of a study or a participant, and the look of its tag."""


def as_text(value: Json) -> str:
    """A part of an answer: a text as it is, anything else as JSON.

    >>> as_text("yes"), as_text([1, None])
    ('yes', '[1, null]')
    """
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def duration(milliseconds: int | None) -> str:
    """A time span as people say it.

    >>> duration(850), duration(12_400), duration(200_000), duration(7_500_000), duration(None)
    ('0.9 s', '12 s', '3 min 20 s', '2 h 5 min', '–')
    """
    if milliseconds is None:
        return "–"
    if milliseconds < 9_950:
        return f"{milliseconds / 1000:.1f} s"
    seconds = round(milliseconds / 1000)
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60} min {seconds % 60} s"
    return f"{seconds // 3600} h {seconds % 3600 // 60} min"


def moment(milliseconds: int | None) -> str:
    """A point in time, in UTC.

    >>> moment(0), moment(None)
    ('1970-01-01 00:00', '–')
    """
    if milliseconds is None:
        return "–"
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M")


def percent(share: float | None) -> str:
    """A share of 1.

    >>> percent(0.666), percent(None)
    ('67 %', '–')
    """
    return "–" if share is None else f"{100 * share:.0f} %"


def coefficient(value: float | None) -> str:
    """A coefficient, such as alpha.

    >>> coefficient(0.7434), coefficient(-0.04), coefficient(1), coefficient(None)
    ('.743', '−.040', '1.000', '–')
    """
    if value is None:
        return "–"
    text = f"{abs(value):.3f}"
    return ("−" if value < 0 and text != "0.000" else "") + (text[1:] if text.startswith("0") else text)
