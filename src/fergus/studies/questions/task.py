"""Tasks against the clock, with a solution that is graded (section 2.3 of Hardcastle and Scott 2008; SCANMail)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from fergus.studies.interface import Message
from fergus.studies.model import Answer, Form, Item, Json, Judgement
from fergus.studies.questions import grading as grade
from fergus.studies.questions.base import AnswerError, Question, Rater, parameter
from fergus.studies.questions.fields import about, written

WRONG = ("I do not know", "nothing", "something else")
"""What artificial raters write who find no solution."""


@dataclass(frozen=True)
class Task(Question):
    """Something to find out or to write, with a gold answer that it is graded by.

    The field ``solution`` holds what the participant found. Where there is a time limit an empty solution is an answer
    too, graded 0: the page sends itself when the time is up. Whether an answer came too late, and quality by time,
    follow from the time on task that is stored with every answer.
    """

    type: ClassVar[str] = "task"

    seconds: int | None = parameter("The time limit in seconds; none if left out.", default=None)
    grading: Literal["exact", "number", "set", "ranking", "by-hand"] = parameter(
        "How the solution is graded: exact (but for case, space and punctuation), number (within the tolerance), "
        "set (members separated by commas or lines; F1), ranking (the same, or separated by >; share of pairs in the "
        "right order), by-hand (by coders, later).",
        default="exact",
    )
    gold: str = parameter(
        "The right solution, for items that have none of their own; alternatives are separated by |.", default=""
    )
    gold_column: str = parameter("The column of the items file that holds an item's right solution.", default="gold")
    tolerance: float = parameter("How far off a number may be.", default=0.0)
    rows: int = parameter("How many lines the box shows.", default=1)
    longest: int = parameter("How many characters a solution may have.", default=5000)

    def gold_of(self, items: Sequence[Item]) -> str:
        """The right solution: the item's own, or else the question's."""
        own = items[0].values.get(self.gold_column, "") if items else ""
        return own.strip() or self.gold.strip()

    def mistakes(self) -> dict[str, str]:
        """No time, no room, or a gold answer of the wrong kind."""
        found = {}
        if self.seconds is not None and self.seconds < 1:
            found["seconds"] = f"{self.seconds} is not 1 or more"
        if not 0 <= self.tolerance < float("inf"):
            found["tolerance"] = f"{self.tolerance} is not 0 or more"
        for name, value in (("rows", self.rows), ("longest", self.longest)):
            if value < 1:
                found[name] = f"{value} is not 1 or more"
        if self.gold.strip() and (wrong := self._wrong_with(self.gold)):
            found["gold"] = wrong
        if self.ask == "page" and not self.gold.strip() and self.grading != "by-hand":
            found["gold"] = "there is none, and a page has no column; give one, or grade by hand"
        return found

    def mistakes_of(self, items: Sequence[Item]) -> list[str]:
        """No gold answer, or one of the wrong kind."""
        gold = self.gold_of(items)
        if not gold and self.grading != "by-hand":
            where = f"item {items[0].id}" if items else "the page"
            return [f"{where} has no right solution; fill the column {self.gold_column}, or grade by hand"]
        wrong = self._wrong_with(gold) if gold else ""
        return [f"item {items[0].id}: the right solution {wrong}"] if wrong and items else []

    def _wrong_with(self, gold: str) -> str:
        if len(gold) > self.longest:
            return f"is longer than {self.longest} characters"
        if self.grading == "number" and any(grade.number(right) is None for right in grade.alternatives(gold)):
            return f"{gold} is not a number"
        if self.grading == "ranking" and len(grade.parts(gold, steps=True)) < 2:
            return f"{gold} has fewer than two members; separate them by >"
        return ""

    def schema(self) -> dict[str, Json]:
        """The solution as a string."""
        return {
            "type": "object",
            "properties": {"solution": {"type": "string", "maxLength": self.longest}},
            "required": ["solution"],
            "additionalProperties": False,
        }

    def parse(self, form: Form, items: Sequence[Item]) -> Answer | None:
        """The solution; empty only where time can run out."""
        solution = written(form, "solution", longest=self.longest)
        if solution or self.seconds is not None:
            return {"solution": solution}
        if self.required:
            raise AnswerError({"solution": Message("please_solve")})
        return None

    def score(self, solution: str, items: Sequence[Item]) -> float | None:
        """How good a solution is, from 0 to 1; None if that is for coders to say."""
        gold = self.gold_of(items)
        if self.grading == "by-hand" or not gold:
            return None
        if self.grading == "number":
            return grade.grade_number(solution, gold, tolerance=self.tolerance)
        grades = {"exact": grade.grade_exact, "set": grade.grade_set, "ranking": grade.grade_ranking}
        return grades[self.grading](solution, gold)

    def judgements(self, answer: Answer, items: Sequence[Item]) -> list[Judgement]:
        """One row: the solution with its score."""
        solution = answer["solution"]
        return [Judgement(solution, item=about(items), score=self.score(str(solution), items))]

    def simulate(self, rater: Rater, items: Sequence[Item]) -> dict[str, list[str]]:
        """The gold answer as far as the rater finds it: a set member by member, anything else all or nothing."""
        gold = self.gold_of(items)
        steps = self.grading == "ranking"
        found: list[str] = []
        if gold and rater.attends():
            members = grade.parts(gold, steps=steps) if steps or self.grading == "set" else [gold]
            known = [(grade.alternatives(member) or [member])[0] for member in members]
            found = known if steps and rater.finds(gold) else []
            if not steps:
                found = [member for member in known if rater.finds(member)]
        solution = (" > " if steps else ", ").join(found) or rater.pick(WRONG)
        return {"solution": [solution[: self.longest]]}
