from __future__ import annotations

import pytest

from fergus.analysis.codes import report_codings
from fergus.studies.coding import Codable, CodeBook
from fergus.studies.storage.codings import CodingRow

BOOK = CodeBook("why", "Why?", {"order": "Word order", "words": "Words"}, is_graded=False)
GRADES = CodeBook("sum", "Add.", {}, is_graded=True)
ANSWERS = [Codable(number, 0, 1, "main", "why", f"comment {number}") for number in range(1, 4)]


def said(answer: int, coder: str, *codes: str, grade: float | None = None, part: int = 0) -> CodingRow:
    return CodingRow(0, answer, part, coder, codes, grade, 0)


def test_nothing_coded_yet() -> None:
    found = report_codings(BOOK, ANSWERS, [])
    assert (found.answers, found.coded, found.disagreements) == (3, {}, ())
    assert [(one.code, one.count, one.agreement.alpha) for one in found.categories] == [
        ("order", 0, None),
        ("words", 0, None),
    ]
    assert found.overall.alpha is None


def test_two_coders() -> None:
    codings = [
        said(1, "ann", "order"), said(1, "bob", "order"),
        said(2, "ann", "words"), said(2, "bob", "words", "order"),
        said(3, "ann"),
    ]  # fmt: skip
    found = report_codings(BOOK, ANSWERS, codings)
    assert found.coded == {"ann": 3, "bob": 2}
    order, words = found.categories
    assert (order.counts, words.counts) == ({"ann": 1, "bob": 2}, {"ann": 1, "bob": 1})
    # order: (yes, yes), (no, yes): n = 4, n_yes = 3: 1 - 3 * 1 / 3 = 0. words: perfect.
    assert order.agreement.alpha == pytest.approx(0)
    assert order.agreement.share == 0.5
    assert words.agreement.alpha == 1
    # Sets: {order}, {order}, {words}, {words, order}. Observed 2/3 ({words} in {words, order}); expected
    # 2 * 1 * 1 ({order}, {words}) + 2 * 1 * 2/3 ({order}, both) + 1 * 1 * 2/3 = 4: 1 - 3 * (2/3) / 4 = 1/2.
    assert found.overall.alpha == pytest.approx(0.5)
    assert found.overall.units == 2
    assert [one.codable.answer_id for one in found.disagreements] == [2]
    assert found.disagreements[0].said["bob"].codes == ("words", "order")


def test_the_order_of_codes_is_no_disagreement() -> None:
    rows = [said(1, "ann", "words", "order"), said(1, "bob", "order", "words")]
    assert report_codings(BOOK, ANSWERS, rows).disagreements == ()


def test_a_code_of_an_earlier_book_is_still_there() -> None:
    found = report_codings(BOOK, ANSWERS, [said(1, "ann", "tone")])
    assert [one.code for one in found.categories] == ["order", "words", "tone"]


def test_codings_of_other_questions_and_parts_are_passed_over() -> None:
    assert report_codings(BOOK, ANSWERS, [said(9, "ann", "order"), said(1, "ann", "order", part=3)]).coded == {}


def test_grades_are_numbers() -> None:
    codings = [
        said(1, "ann", grade=1.0), said(1, "bob", grade=1.0),
        said(2, "ann", grade=0.0), said(2, "bob", grade=0.5),
        said(3, "ann"),  # no grade was given
    ]  # fmt: skip
    found = report_codings(GRADES, ANSWERS, codings)
    # Values 1 1 0 .5: observed .25; expected 2 * 1 + 2 * .25 + .25 = 2.75: 1 - 3 * .25 / 2.75.
    assert found.overall.alpha == pytest.approx(1 - 0.75 / 2.75)
    assert found.mean_grade == pytest.approx(0.625)
    assert (found.categories, [one.codable.answer_id for one in found.disagreements]) == ((), [2])
    assert found.coded == {"ann": 2, "bob": 2}
