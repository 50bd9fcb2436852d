"""The HTML of questions and other parts of pages; what does not depend on the participant is made once and kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from fergus.studies.asked import Asked
from fergus.studies.interface import WORDS
from fergus.studies.model import Form
from fergus.studies.questions.rating import Dimension, Rating
from fergus.studies.study import Study
from fergus.web.rendering import Pages

MOST_KEPT = 5000
"""Parts of pages as they are before anything is filled in; a few thousand bytes each."""
NOTHING: Mapping[str, Sequence[str]] = {}


@dataclass(frozen=True)
class NamedPoint:
    """A label of a scale, and the columns that it stands under."""

    value: int
    label: str
    place: str
    """Classes of the stylesheet: its first column, how many it spans, and to which side it leans."""


class QuestionHtml:
    """Makes the parts of pages."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages
        pages.environment.globals |= {
            "named_points": named_points,
            "given": given,
            "has_more_remarks": has_more_remarks,
        }
        self._kept: dict[tuple[str, ...], Markup] = {}

    def make(
        self, study: Study, block: str, asked: Asked, *, holds_texts: bool, form: Form, problems: Mapping[str, str]
    ) -> Markup:
        """One question; ``holds_texts``: the texts that it compares stand in it, and nowhere else on the page."""
        ids = (item.id for item in asked.items)
        key = None if form or problems else (study.version, study.name, block, asked.prefix, *ids, str(holds_texts))
        return self.kept(
            key,
            f"questions/{asked.question.type}.html",
            lambda: {
                "q": asked.question,
                "items": asked.items,
                "place": asked.place,
                "prefix": asked.prefix,
                "holds_texts": holds_texts,
                "words": words_of(study),
                "form": form,
                "problems": problems,
            },
        )

    def kept(self, key: tuple[str, ...] | None, template: str, context: Callable[[], Mapping[str, Any]]) -> Markup:
        """A part of a page that is made once for each key; without a key it is made anew."""
        if key is None:
            return Markup(self.pages.render(template, context()))
        found = self._kept.get((template, *key))
        if found is None:
            found = Markup(self.pages.render(template, context()))
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[template, *key] = found
        return found


def words_of(study: Study) -> dict[str, str]:
    """What the study's pages say: in English, but for what the study says otherwise."""
    return {**WORDS, **study.interface}


def given(name: str, form: Form) -> str:
    """What a field held when the page was sent."""
    values = form.get(name)
    return values[0] if values else ""


def has_more_remarks(prefix: str, form: Form) -> bool:
    """Was a row after the first one filled in?"""
    rows = (
        name.removeprefix(prefix).partition(".")[2] for name, v in form.items() if name.startswith(prefix) and any(v)
    )
    return any(row not in ("", "0") for row in rows)


def named_points(question: Rating, dimension: Dimension) -> list[NamedPoint]:
    """Where the labels of a scale stand: under their points, and as wide as their neighbours leave room.

    Of seven points with labels at 1, 4 and 7: columns 1-2, 3-5 and 6-7.
    """
    order = list(reversed(question.values)) if question.highest_first else list(question.values)
    columns = sorted((order.index(value) + 1, value) for value in dimension.labels if value in question.values)
    found = []
    for number, (column, value) in enumerate(columns):
        before = column - columns[number - 1][0] if number else 2 * column - 1
        after = columns[number + 1][0] - column if number + 1 < len(columns) else 2 * (len(order) - column) + 1
        if column == 1:
            first, last, side = 1, 1 + (after - 1) // 2, "start"
        elif column == len(order):
            first, last, side = column - (before - 1) // 2, column, "end"
        else:
            half = (min(before, after) - 1) // 2
            first, last, side = column - half, column + half, "middle"
        place = f"from-{first} over-{last - first + 1} {side}"
        found.append(NamedPoint(value, dimension.labels[value], place))
    return found
