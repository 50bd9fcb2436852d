from __future__ import annotations

from fergus.studies.asked import asked_on
from fergus.studies.feedback import Feedback, feedback_on, right_answer
from fergus.studies.model import Item
from fergus.studies.questions.choice import Choice
from fergus.studies.questions.comment import Comment
from fergus.studies.questions.pair import Pair
from fergus.studies.questions.rating import Dimension, Rating
from fergus.studies.questions.task import Task
from fergus.studies.storage.answers import Given
from fergus.studies.study import Block

HUMAN = Item("h", "By hand.", {"author": "human", "right_clear": "7", "gold": "nine|9"})
MACHINE = Item("m", "By machine.", {"author": "machine"})
RATING = Rating(
    "scale",
    dimensions={
        "clear": Dimension("Clear?", {7: "Very"}),
        "good": Dimension("Good?", right=2),
        "odd": Dimension("Odd?"),
    },
)


def test_a_pair_tells_the_right_text() -> None:
    block = Block("b", (Pair("which", text="Which?", right={"author": "human"}),))
    asked = asked_on(block, (MACHINE, HUMAN))
    given = [Given("which", ("m", "h"), {"chosen": "m"})]
    assert feedback_on(asked, given) == [Feedback("Which?", "", False, "By hand.")]


def test_a_rating_tells_the_point_of_the_item_or_of_the_scale_and_nothing_where_there_is_none() -> None:
    asked = asked_on(Block("b", (RATING,)), (HUMAN,))
    given = [Given("scale", ("h",), {"clear": 7, "good": 3, "odd": 1})]
    assert feedback_on(asked, given) == [
        Feedback("Clear?", "By hand.", True, "7 (Very)"),
        Feedback("Good?", "By hand.", False, "2"),
    ]


def test_what_would_have_been_right() -> None:
    assert (
        right_answer(Choice("c", options={"a": "Ant", "b": "Bee"}, right=("a", "b"), multiple=True), (), "")
        == "Ant, Bee"
    )
    assert right_answer(Task("t"), (HUMAN,), "") == "nine"
    assert right_answer(Task("t", grading="by-hand"), (MACHINE,), "") == ""
    assert right_answer(Comment("c"), (), "") == ""
    assert right_answer(Pair("p", right={"author": "human"}), (HUMAN, HUMAN), "") == ""
    assert right_answer(RATING, (), "good") == "2"
