"""Section 4 of the datasheet: what a study asks about texts, criterion by criterion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fergus.studies.questions.base import Question
from fergus.studies.questions.best_worst import BestWorst
from fergus.studies.questions.choice import Choice
from fergus.studies.questions.comment import Comment
from fergus.studies.questions.pair import Pair
from fergus.studies.questions.ranking import Ranking
from fergus.studies.questions.rating import Rating
from fergus.studies.questions.review import Review
from fergus.studies.questions.score import Score
from fergus.studies.questions.task import Task
from fergus.studies.study import Block, Study

MOST_BUTTONS = 11
"""A longer scale is shown as a slider."""
NONE = "none: there is no rating instrument"


@dataclass(frozen=True)
class Criterion:
    """Something that texts are judged by: a question, or one of its scales."""

    name: str
    question: Question
    block: Block
    together: int
    """Texts on a page at most."""
    dimension: str = ""


def criteria_of(study: Study) -> list[Criterion]:
    """Every question about items outside practice, and every scale of those that have several."""
    found: dict[str, Criterion] = {}
    for block in study.blocks:
        if block.items is None or block.practice:
            continue
        together = max((len(items) for items in study.pages_of(block).values()), default=1)
        for question in block.questions:
            own: Iterable[str] = question.dimensions if isinstance(question, Rating | Score) else [""]
            for dimension in own:
                name = f"{question.name}: {dimension}" if dimension not in ("", question.name) else question.name
                found.setdefault(name, Criterion(name, question, block, together, dimension))
    return list(found.values())


def answers_of(criterion: Criterion) -> dict[str, tuple[str, bool]]:
    """What can be said of a criterion, by number of the question; the flag says whether that is all of the answer."""
    question = criterion.question
    size, values, presented = _instrument(criterion)
    found = {
        "4.2.1": (_judgement(question), True),
        "4.2.2": (_terms(criterion), True),
        "4.2.3": ("extrinsic: by what people could do with the texts", True)
        if isinstance(question, Task)
        else ("intrinsic, unless the question is about an effect of the texts", False),
        "4.3.1": (criterion.dimension or question.name, False),
        "4.3.3": (size, True),
        "4.3.4": (values, True),
        "4.3.5": (presented, True),
        "4.3.6": (_task(question), True),
        "4.3.7": (_asked(criterion), True),
        "4.3.8": (_FORMS.get(type(question), "other"), type(question) in _FORMS),
    }
    if isinstance(question, Rating | Score):
        text = "unless the report says otherwise: scores of each judge as z-scores, averaged over the judges of a text"
        found["4.3.9"] = (text, False)
    return found


_FORMS: Mapping[type[Question], str] = {
    Rating: "direct estimation of quality",
    Score: "direct estimation of quality",
    Pair: "relative estimation: a forced choice between two texts",
    Ranking: "relative estimation: a ranking",
    BestWorst: "relative estimation: the best and the worst of several",
    Task: "measurement of performance at a task",
    Review: "annotation of the text with remarks",
    Comment: "qualitative feedback, in a text box",
    Choice: "classification",
}


def _judgement(question: Question) -> str:
    if isinstance(question, Task) and question.grading != "by-hand":
        return f"objective: solutions are graded by a program ({question.grading})"
    return "subjective"


def _terms(criterion: Criterion) -> str:
    if criterion.question.compares:
        return "relative: texts are compared with one another"
    beside = f", though up to {criterion.together} texts are on a page together" if criterion.together > 1 else ""
    return f"absolute{beside}"


def _instrument(criterion: Criterion) -> tuple[str, str, str]:
    """How many values, which, and how they are shown."""
    question = criterion.question
    if isinstance(question, Rating):
        labels = question.dimensions[criterion.dimension].labels
        named = "".join(f"; {point} = {label}" for point, label in sorted(labels.items()))
        shown = "a slider" if question.points > MOST_BUTTONS else "one of several options"
        order = ", the highest first" if question.highest_first else ""
        return str(question.points), f"{question.values[0]} to {question.values[-1]}{named}", shown + order
    if isinstance(question, Score):
        ends = [
            f"{name} {end:g}" for name, end in (("from", question.lowest), ("to", question.highest)) if end is not None
        ]
        return "continuous", " ".join(["any number", *ends]), "a box for a number"
    if isinstance(question, Pair):
        third = f", or “{question.tie}”" if question.tie else ""
        return str(3 if question.tie else 2), f"the first text, the second text{third}", "one of several options"
    if isinstance(question, Choice):
        labels_of = list(question.labels.values())
        shown = "check-boxes" if question.multiple else "one of several options"
        return str(len(labels_of)), "; ".join(labels_of), shown
    return (NONE,) * 3


def _task(question: Question) -> str:
    if isinstance(question, Task):
        limit = f" within {question.seconds} seconds" if question.seconds is not None else ""
        return f"people give a solution{limit}; the solution, its grade and the time are recorded"
    if isinstance(question, Ranking):
        return f"people rank the texts of a page{', ties allowed' if question.ties else ''}; ranks are recorded"
    if isinstance(question, BestWorst):
        return "people choose the best and the worst text of a page; both are recorded"
    if isinstance(question, Review | Comment):
        return "people write remarks; these are recorded, and coded afterwards"
    return "not applicable: there is a rating instrument"


def _asked(criterion: Criterion) -> str:
    question, texts = criterion.question, [criterion.question.text]
    if isinstance(question, Rating):
        texts.append(question.dimensions[criterion.dimension].text)
    elif isinstance(question, Score):
        texts.append(question.dimensions[criterion.dimension])
    return "\n".join(text.strip() for text in texts if text.strip())
