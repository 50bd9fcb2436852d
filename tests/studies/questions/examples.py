"""Questions of every type, a rater that does as told, and a checker of answers against schemas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fergus.studies.questions.base import Question
from fergus.studies.questions.best_worst import BestWorst
from fergus.studies.questions.choice import Choice
from fergus.studies.questions.comment import Comment
from fergus.studies.questions.consent import Consent
from fergus.studies.questions.pair import Pair
from fergus.studies.questions.ranking import Ranking
from fergus.studies.questions.rating import Dimension, Rating
from fergus.studies.questions.review import Review
from fergus.studies.questions.score import Score
from fergus.studies.questions.task import Task

HUMAN = {"author": "human"}
SCALES = {"quality": Dimension("How good is it?"), "check": Dimension("Choose two.", right=2)}
QUESTIONS: tuple[Question, ...] = (
    Rating("rate", dimensions=SCALES),
    Rating("slide", dimensions={"amount": Dimension("How much?")}, points=101, lowest=-50, required=False),
    Score("magnitude", dimensions={"quality": "How good is it, if 100 is good?"}),
    Score("share", dimensions={"check": "What share is right?"}, lowest=0.0, highest=1.0, required=False),
    Pair("who", right=HUMAN),
    Pair("better", tie="Neither", required=False),
    Ranking("rank"),
    Ranking("tied", ties=True, required=False),
    BestWorst("extremes"),
    BestWorst("optional", required=False),
    Comment("why", categories={"order": "The order of words"}),
    Comment("short", required=True, longest=7),
    Choice("age", options=("young", "old"), other="Something else"),
    Choice("check", options={"r": "Red", "g": "Green", "b": "Blue"}, multiple=True, right=("g", "r")),
    Choice("languages", options=("en", "de"), multiple=True, other="Others", required=False),
    Consent("consent", text="We keep your answers."),
    Task("name", gold="Bob|Robert"),
    Task("time", gold="7.5", grading="number", tolerance=0.5, seconds=30),
    Task("who", gold="Ann, Bob|Rob, Eve", grading="set"),
    Task("first", gold="Ann > Bob|Rob > Eve", grading="ranking", required=False),
    Task("summary", grading="by-hand", longest=12),
    Review("expert", categories={"style": "How it reads", "sense": "What it means"}, overall="All in all"),
    Review("must", required=True, most=2),
)


@dataclass(frozen=True)
class ToldRater:
    """Attends and finds as told; impressions are given by text; picks the first or, told so, the last."""

    attentive: bool = True
    finding: bool = True
    impressions: Mapping[str, float] = field(default_factory=dict)
    picks: int = 0

    def impression(self, text: str, dimension: str) -> float:
        return self.impressions[text]

    def attends(self) -> bool:
        return self.attentive

    def pick(self, choices: Sequence[str]) -> str:
        return choices[self.picks]

    def finds(self, gold: str) -> bool:
        return self.finding


_KINDS: dict[str, Any] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
}


def _is(value: Any, kind: str) -> bool:
    if kind == "null":
        return value is None
    return isinstance(value, _KINDS[kind]) and (kind == "boolean" or not isinstance(value, bool))


def misfits(value: Any, schema: Mapping[str, Any], place: str = "") -> list[str]:
    """Where a value does not fit the schema; a keyword that is not known here is an error of the schema's."""
    found = []
    for keyword, wanted in schema.items():
        match keyword:
            case "type":
                kinds = wanted if isinstance(wanted, list) else [wanted]
                is_good = any(_is(value, kind) for kind in kinds)
            case "enum":
                is_good = value in wanted
            case "minimum":
                is_good = value is None or value >= wanted
            case "maximum":
                is_good = value is None or value <= wanted
            case "minLength" | "minItems":
                is_good = len(value) >= wanted
            case "maxLength" | "maxItems":
                is_good = len(value) <= wanted
            case "uniqueItems":
                is_good = len({repr(one) for one in value}) == len(value)
            case "required":
                is_good = set(wanted) <= set(value)
            case "items":
                is_good = True
                found += [m for i, one in enumerate(value) for m in misfits(one, wanted, f"{place}/{i}")]
            case "properties":
                is_good = True
                found += [m for k, one in value.items() if k in wanted for m in misfits(one, wanted[k], f"{place}/{k}")]
            case "additionalProperties":
                more = {k: one for k, one in value.items() if k not in schema.get("properties", {})}
                is_good = bool(wanted) or not more
                if isinstance(wanted, dict):
                    found += [m for k, one in more.items() for m in misfits(one, wanted, f"{place}/{k}")]
            case _:
                raise ValueError(f"{place}: {keyword}")
        if not is_good:
            found.append(f"{place}: {keyword}")
    return found
