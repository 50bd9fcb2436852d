"""Numbers with their nouns, as messages of commands have them."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """A number and what it counts.

    >>> counted(1, "judge"), counted(0, "private link"), counted(14895, "judgement")
    ('1 judge', '0 private links', '14,895 judgements')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
