from __future__ import annotations

import re
from typing import Any

import pytest

from fergus.studies.asked import Asked
from fergus.studies.model import Item
from fergus.studies.questions import TYPES
from fergus.studies.questions.base import Question
from fergus.studies.questions.comment import Comment
from fergus.studies.questions.rating import Dimension, Rating
from fergus.studies.study import Block, Study
from fergus.web import question_html
from fergus.web.question_html import QuestionHtml, has_more_remarks, named_points
from fergus.web.rendering import Pages
from tests.studies.questions.examples import QUESTIONS


def places(labels: list[int], **options: Any) -> list[str]:
    dimension = Dimension("?", dict.fromkeys(labels, "x"))
    return [one.place for one in named_points(Rating("q", dimensions={"d": dimension}, **options), dimension)]


@pytest.mark.parametrize("name", sorted(TYPES))
def test_every_type_has_a_template(pages: Pages, name: str) -> None:
    assert f"questions/{name}.html" in pages.environment.list_templates()


def test_labels_stand_under_their_points_as_wide_as_there_is_room() -> None:
    assert places([1, 4, 7]) == ["from-1 over-2 start", "from-3 over-3 middle", "from-6 over-2 end"]
    assert places([1, 7]) == ["from-1 over-3 start", "from-5 over-3 end"]
    assert places([4]) == ["from-1 over-7 middle"]
    assert places([2, 3]) == ["from-2 over-1 middle", "from-3 over-1 middle"]
    assert places([1, 2, 3, 4, 5], points=5) == [
        "from-1 over-1 start",
        "from-2 over-1 middle",
        "from-3 over-1 middle",
        "from-4 over-1 middle",
        "from-5 over-1 end",
    ]


def test_labels_of_a_scale_that_begins_with_its_highest_point_are_turned_round() -> None:
    dimension = Dimension("?", {0: "low", 4: "high"})
    question = Rating("q", dimensions={"d": dimension}, points=5, lowest=0, highest_first=True)
    assert [(one.label, one.place) for one in named_points(question, dimension)] == [
        ("high", "from-1 over-2 start"),
        ("low", "from-4 over-2 end"),
    ]


def test_labels_never_share_a_column() -> None:
    for points in range(2, 12):
        for mask in range(1, 2**points):
            labels = [point for point in range(1, points + 1) if mask >> (point - 1) & 1]
            taken: list[int] = []
            for place in places(labels, points=points):
                first, over = (int(part.partition("-")[2]) for part in place.split()[:2])
                taken += range(first, first + over)
            assert len(set(taken)) == len(taken)
            assert not taken or (min(taken) >= 1 and max(taken) <= points)


def test_a_row_after_the_first_one_is_more() -> None:
    assert has_more_remarks("0.r.", {"0.r.part.2": ["x"]})
    assert not has_more_remarks(
        "0.r.", {"0.r.part.0": ["x"], "0.r.part.1": [""], "0.r.overall": ["x"], "1.r.part.2": ["x"]}
    )


def test_kept_questions_are_made_once_and_those_filled_in_each_time(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(question_html, "MOST_KEPT", 2)
    html, study = QuestionHtml(pages), Study("s", "S", (Block("b"),), version="1")
    asked = [Asked(Comment("c", text=f"Number {n}?"), (Item(str(n), "Text"),), str(n)) for n in range(3)]

    def make(one: Asked, **form: Any) -> str:
        return html.make(study, "b", one, holds_texts=False, form=form.get("form", {}), problems={})

    first = make(asked[0])
    assert make(asked[0]) is first
    assert "<i>" not in make(asked[0], form={"0.c.comment": ["<i>mine"]})
    assert "mine" not in make(asked[0])
    make(asked[1])
    make(asked[2])  # more than are kept
    assert make(asked[0]) == first
    assert make(asked[0]) is not first


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: f"{question.type}-{question.name}")
def test_questions_know_how_many_fields_they_have(pages: Pages, question: Question) -> None:
    items = tuple(Item(f"i{n}", f"Text {n}") for n in range(3 if question.compares else 1))
    made = QuestionHtml(pages).make(
        Study("s", "S", (Block("b"),)), "b", Asked(question, items, "page"), holds_texts=False, form={}, problems={}
    )
    fields = re.findall(r'<(?:input(?: class="\w+")? type="(\w+)"|select|textarea)[^>]* name="([^"]+)"', made)
    # Of radio buttons with one name one is sent, of boxes every one that is ticked.
    sent = len({name for kind, name in fields if kind != "checkbox"})
    assert sent + sum(kind == "checkbox" for kind, _ in fields) == question.most_fields(items)
