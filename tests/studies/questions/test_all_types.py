"""What holds for questions of every type."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass, replace
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fergus.studies.model import Answer, Item
from fergus.studies.questions import TYPES
from fergus.studies.questions.base import AnswerError, Question
from fergus.studies.questions.task import Task
from fergus.studies.raters import ArtificialRater, RaterSettings, rater

from .examples import QUESTIONS, misfits

IDS = [f"{question.type}-{question.name}" for question in QUESTIONS]
CHARACTERS = st.characters(exclude_categories=["Cc", "Cs"])
"""What an items file can hold."""
TEXTS = st.text(CHARACTERS, min_size=1, max_size=30)
AUTHORS = st.sampled_from(["human", "machine"])
FIELDS = st.sampled_from(
    [
        *("choice", "other", "comment", "solution", "best", "worst", "overall", "quality", "check", "", "agreed"),
        *(f"{name}.{n}" for name in ("rank", "part", "start", "comment", "category") for n in ("0", "1", "2", "25")),
        *("rank.-1", "part.x", "part.0.0", "start." + "9" * 5000, "part.٣"),
    ]
)
VALUES = st.text(st.characters(), max_size=20) | st.sampled_from(
    [
        "0",
        "1",
        "2",
        "3",
        "tie",
        "other",
        "agree",
        "r",
        "style",
        "-1",
        "01",
        "٣",
        "1e9",
        "\x00",
        "\ud800",
        "9" * 5000,
        "the",
    ]
)
FORMS = st.dictionaries(FIELDS, st.lists(VALUES, max_size=3), max_size=8)


def parsed(
    question: Question, form: dict[str, list[str]], items: tuple[Item, ...]
) -> tuple[Answer | None, dict[str, str] | None]:
    """The answer, or what is wrong."""
    try:
        return question.parse(form, items), None
    except AnswerError as error:
        return None, error.problems


@st.composite
def pages(draw: st.DrawFn, question: Question) -> tuple[Item, ...]:
    """Items that the question can be asked of."""
    least, most = (1, 1) if not question.compares else {"pair": (2, 2)}.get(question.type, (3, 6))
    if question.ask == "page":
        least = most = 0
    texts = draw(st.lists(TEXTS, min_size=least, max_size=most))
    items = tuple(Item(f"i{n}", text, {"author": draw(AUTHORS)}) for n, text in enumerate(texts))
    assert question.mistakes_of(items) == []
    return items


def test_types_are_all_those_of_the_reference_in_its_order() -> None:
    order = ["rating", "score", "pair", "ranking", "best-worst", "comment", "choice", "consent", "task", "review"]
    assert list(TYPES) == order
    assert {question.type for question in QUESTIONS} == set(order)


@pytest.mark.parametrize("kind", TYPES.values(), ids=TYPES)
def test_every_type_documents_itself(kind: type[Question]) -> None:
    # A dataclass without a docstring gets its signature as one.
    assert kind.__doc__
    assert not kind.__doc__.startswith(f"{kind.__name__}(")
    assert is_dataclass(kind)
    for one in fields(kind):
        assert one.name == "name" or len(one.metadata["help"]) > 10, one.name
    assert {"text", "ask", "required"} <= {one.name for one in kind.parameters()}
    assert "name" not in {one.name for one in kind.parameters()}


@pytest.mark.parametrize("question", QUESTIONS, ids=IDS)
def test_examples_are_without_mistakes(question: Question) -> None:
    assert question.mistakes() == {}
    json.dumps(question.schema())


@pytest.mark.parametrize("question", QUESTIONS, ids=IDS)
@settings(max_examples=30)
@given(data=st.data(), seed=st.integers(0, 1000), inattention=st.sampled_from([0.0, 0.5, 1.0]))
def test_what_a_simulated_rater_sends_is_an_answer(
    question: Question, data: st.DataObject, seed: int, inattention: float
) -> None:
    items = data.draw(pages(question))
    who = rater(1, seed=seed, settings=RaterSettings(inattention=inattention))
    form = question.simulate(who, items)
    answer = question.parse(form, items)
    if answer is None:
        assert not question.required
        return
    assert misfits(answer, question.schema()) == []
    assert json.loads(json.dumps(answer)) == answer
    rows = question.judgements(answer, items)
    assert rows
    assert {row.item for row in rows} <= {"", *(item.id for item in items)}
    assert all(row.score is None or 0 <= row.score <= 1 for row in rows)


@pytest.mark.parametrize("question", QUESTIONS, ids=IDS)
@settings(max_examples=30)
@given(data=st.data(), form=FORMS)
@example(data=None, form={})
def test_a_forged_form_is_an_answer_or_an_answer_error(
    question: Question, data: st.DataObject | None, form: dict[str, list[str]]
) -> None:
    items = data.draw(pages(question)) if data else tuple(Item(f"i{n}", "the text") for n in range(3))
    answer, problems = parsed(question, form, items)
    if problems is not None:  # every message can be shown
        assert problems
        assert all(0 < len(problem.encode()) < 400 for problem in problems.values())
    if answer is not None:
        assert misfits(answer, question.schema()) == []
        assert "\x00" not in str(answer)
        json.dumps(answer, ensure_ascii=False).encode()
        question.judgements(answer, items)


@pytest.mark.parametrize("question", [q for q in QUESTIONS if q.type != "consent"], ids=lambda q: q.name)
def test_an_empty_form_is_left_out_if_it_may_be(question: Question) -> None:
    items = tuple(Item(f"i{n}", "the text") for n in range(2 if question.type == "pair" else 3))
    untimed = replace(question, seconds=None) if isinstance(question, Task) else question
    assert replace(untimed, required=False).parse({}, items) is None
    with pytest.raises(AnswerError):
        replace(untimed, required=True).parse({}, items)


@pytest.mark.parametrize("question", QUESTIONS, ids=IDS)
def test_a_field_sent_twice_is_refused(question: Question) -> None:
    items = tuple(Item(f"i{n}", "the text", {"author": "human"}) for n in range(2 if question.type == "pair" else 3))
    attentive = ArtificialRater(RaterSettings(inattention=0), Random(1))
    form = {name: values * 2 for name, values in question.simulate(attentive, items).items()}
    assert form
    with pytest.raises(AnswerError, match="more than once"):
        question.parse(form, items)


def test_the_checker_finds_misfits() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer", "minimum": 1}}, "required": ["a"]}
    assert misfits({"a": 1}, schema) == []
    assert misfits({"a": True}, schema) == ["/a: type"]
    assert misfits({"a": 0}, schema) == ["/a: minimum"]
    assert misfits({"b": 0}, {**schema, "additionalProperties": False}) == [": required", ": additionalProperties"]
    with pytest.raises(ValueError, match="pattern"):
        misfits("a", {"pattern": "b"})
