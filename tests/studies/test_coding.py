from __future__ import annotations

from fergus.studies.coding import codables, code_book, code_books
from fergus.studies.questions.task import Task
from tests.studies.admin_rows import QUALITY, STUDY, answer


def coded(*rows):
    return codables(rows, study_of=lambda _: STUDY)


def test_the_books_of_a_study_in_the_order_of_its_questions() -> None:
    books = code_books(STUDY)
    assert [(name, dict(book.categories), book.is_graded) for name, book in books.items()] == [
        ("why", {"order": "Word order", "words": "Choice of words"}, False),
        ("look", {"good": "Good"}, False),
        ("sum", {}, True),
    ]


def test_ratings_and_tasks_with_a_gold_answer_are_not_coded() -> None:
    assert code_book(QUALITY) is None
    assert code_book(Task("sum", gold="4")) is None
    assert coded(answer(1, 0, {"fluent": 1, "clear": 2}, items=["i0"])) == []


def test_a_comment() -> None:
    (one,) = coded(answer(7, 3, {"comment": "Odd."}, block="about", question="why", id=42))
    assert one.key == (42, 0)
    assert (one.participant_id, one.block, one.question, one.written, one.item) == (7, "about", "why", "Odd.", None)


def test_every_remark_of_a_review_and_its_comment_on_the_whole() -> None:
    remarks = [
        {"start": 0, "end": 4, "part": "Text", "comment": "Vague.", "category": "good"},
        {"start": None, "end": None, "part": "", "comment": "Short.", "category": None},
    ]
    value = {"remarks": remarks, "overall": "Fine."}
    found = coded(answer(1, 0, value, block="expert", question="look", items=["i1"], id=5))
    assert [(one.key, one.written, one.about, one.own) for one in found] == [
        ((5, 0), "Vague.", "Text", "good"),
        ((5, 1), "Short.", "", ""),
        ((5, 2), "Fine.", "", ""),
    ]
    assert {one.item.text for one in found if one.item} == {"Text 1."}
    del value["overall"]
    assert len(coded(answer(1, 0, value, block="expert", question="look", items=["i1"]))) == 2


def test_a_solution_that_is_graded_by_hand() -> None:
    (one,) = coded(answer(1, 0, {"solution": "2 + 2"}, block="work", question="sum"))
    assert (one.written, one.gold) == ("2 + 2", "four")


def test_practice_and_blocks_that_are_gone_are_not_coded() -> None:
    assert coded(answer(1, 0, {"comment": "x"}, block="practice", question="why")) == []
    assert coded(answer(1, 0, {"comment": "x"}, block="gone", question="why")) == []
    assert coded(answer(1, 0, {"comment": "x"}, block="about", question="gone")) == []
