from __future__ import annotations

from fergus.studies.model import Item
from fergus.studies.questions.comment import Comment
from fergus.studies.questions.pair import Pair
from fergus.studies.storage.answers import AnswerRow, Given, Submission
from fergus.studies.storage.tally import Counted
from fergus.studies.study import Block, Study
from fergus.studies.turing import Tally, score_of, tally

WHICH = Pair("which", right={"author": "human"})
ITEMS = tuple(
    Item(name, f"Text {name}", {"author": author, "group": name[1]})
    for name, author in [
        ("h1", "human"),
        ("m1", "machine"),
        ("h2", "human"),
        ("m2", "machine"),
        ("h3", "human"),
        ("x3", "human"),
    ]
)
STUDY = Study(
    "s",
    "S",
    (
        Block("practice", (WHICH,), items={}, practice=True),
        Block("main", (WHICH, Comment("note")), items={}),
    ),
    ITEMS,
)


def answered(items: tuple[str, str], chosen: str, *, block: str = "main", question: str = "which") -> AnswerRow:
    return AnswerRow(1, 1, Submission(0, block, items, 0, 0, 0, 0), Given(question, items, {"chosen": chosen}))


def counted(
    items: tuple[str, str], chosen: str, count: int, *, block: str = "main", question: str = "which"
) -> Counted:
    return Counted(block, question, items, {"chosen": chosen}, count)


def test_both_orders_of_a_pair_are_the_same_pair() -> None:
    found = tally(STUDY, [counted(("h1", "m1"), "h1", 3), counted(("m1", "h1"), "m1", 2)])
    assert found == {("which", frozenset({"h1", "m1"})): Tally(3, 5)}


def test_practice_controls_other_questions_and_texts_of_other_versions_are_not_counted() -> None:
    rows = [
        counted(("h1", "m1"), "h1", 3, block="practice"),
        counted(("h3", "x3"), "h3", 3),
        counted(("h1", "gone"), "h1", 3),
        counted(("h1", "m1"), "h1", 3, question="note"),
    ]
    assert tally(STUDY, rows) == {}
    assert score_of(STUDY, [answered(r.items, "h1", block=r.block, question=r.question) for r in rows], {}) is None


def test_the_score_tells_texts_in_the_order_shown() -> None:
    rows = [answered(("m1", "h1"), "h1"), answered(("h2", "m2"), "m2"), answered(("h3", "x3"), "x3")]
    score = score_of(STUDY, rows, {})
    assert score is not None
    assert (score.right, score.total, score.average, score.hardest) == (1, 2, None, ())
    first = score.pairs[0]
    assert [(one.text, one.author, one.is_right, one.is_chosen) for one in first.texts] == [
        ("Text m1", "machine", False, False),
        ("Text h1", "human", True, True),
    ]
    assert [pair.is_right for pair in score.pairs] == [True, False, None]


def test_the_hardest_come_first_and_four_judgements_are_too_few() -> None:
    rows = [answered(("m1", "h1"), "h1"), answered(("h2", "m2"), "m2")]
    one, two = ("which", frozenset({"h1", "m1"})), ("which", frozenset({"h2", "m2"}))
    score = score_of(STUDY, rows, {one: Tally(4, 10), two: Tally(1, 10)})
    assert score is not None
    assert [(pair.fooled_percent, pair.count) for pair in score.hardest] == [(90, 10), (60, 10)]
    assert score.average == 25  # 5 of 20
    nearly = score_of(STUDY, rows, {one: Tally(4, 4), two: Tally(4, 4)})
    assert nearly is not None
    assert nearly.average is None  # eight judgements, but of four people
    few = score_of(STUDY, rows, {one: Tally(0, 4), two: Tally(5, 10)})
    assert few is not None
    assert [pair.fooled_percent for pair in few.pairs] == [None, 50]
    assert few.hardest == ()  # half of the people are not most of them
