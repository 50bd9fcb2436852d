"""Expert review: comments on parts of a text, coded with categories (section 2.4 of Hardcastle and Scott 2008)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, cast

from fergus.studies.interface import Message
from fergus.studies.model import Answer, Form, Item, Json, Judgement
from fergus.studies.questions.base import AnswerError, Question, Rater, only, parameter
from fergus.studies.questions.fields import about, one_of, quote, written

OVERALL = "overall"
MOST_ROWS = 200
LONGEST = 5000
_FIELD = re.compile(r"(part|start|comment|category)\.([0-9]+)")
_OFFSET = re.compile(r"[0-9]{1,9}")
_COMMENTS = ("This is clumsy.", "A good choice of word.", "The reading is not clear here.")


@dataclass(frozen=True)
class Review(Question):
    """Remarks of an expert, each on a part of the text or on all of it.

    Row *n* from 0 is ``part.n`` (words of the text; empty for all of it), ``start.n`` (the character at which they
    begin, which may be left out), ``comment.n`` and ``category.n``; ``overall`` holds a comment on the whole. Rows with
    nothing in them are passed over.
    """

    type: ClassVar[str] = "review"
    asks: ClassVar[tuple[str, ...]] = ("item",)

    ask: Literal["item", "page"] = parameter("Asked of every item; it is about a text.", default="item")
    required: bool = parameter("Must there be a remark?", default=False)
    categories: Mapping[str, str] = parameter("What each code means; experts choose one a remark.", factory=dict)
    most: int = parameter("How many remarks there may be.", default=20)
    overall: str = parameter("The label of a comment on the whole text; none if empty.", default="")

    def mistakes(self) -> dict[str, str]:
        """No rows, or a category that is not told from the overall comment."""
        found = {}
        if not 1 <= self.most <= MOST_ROWS:
            found["most"] = f"{self.most} is not from 1 to {MOST_ROWS}"
        if unusable := [code for code in self.categories if not code.strip() or code != code.strip()]:
            found["categories"] = f"{quote(unusable[0])} is empty or has space around it"
        elif OVERALL in self.categories:
            found["categories"] = f"{OVERALL} is what the comment on the whole text is called; take another code"
        if self.ask not in self.asks:
            found["ask"] = "a review is of a text; it is asked of every item"
        return found

    def mistakes_of(self, items: Sequence[Item]) -> list[str]:
        """No text to remark on."""
        return [] if items else ["a review needs an item"]

    def most_fields(self, items: Sequence[Item]) -> int:
        """A browser sends all rows, also those with nothing in them."""
        return self.most * (4 if self.categories else 3) + bool(self.overall)

    def schema(self) -> dict[str, Json]:
        """A list of remarks, and the overall comment; the offsets count characters, and are null for the whole text."""
        offset: Json = {"type": ["integer", "null"], "minimum": 0}
        string: dict[str, Json] = {"type": "string", "maxLength": LONGEST}
        category: Json = {"type": ["string", "null"], "enum": [*self.categories, None]}
        remark: dict[str, Json] = {
            "type": "object",
            "properties": {
                "start": offset,
                "end": offset,
                "part": {"type": "string"},
                "comment": string,
                "category": category,
            },
            "required": ["start", "end", "part", "comment", "category"],
            "additionalProperties": False,
        }
        remarks: Json = {"type": "array", "items": remark, "maxItems": self.most}
        return {
            "type": "object",
            "properties": {"remarks": remarks, **({OVERALL: {**string, "minLength": 1}} if self.overall else {})},
            "required": ["remarks"],
            "additionalProperties": False,
        }

    def parse(self, form: Form, items: Sequence[Item]) -> Answer | None:
        """Every row that is not blank; the parts must be in the text."""
        remarks: list[Json] = []
        problems = {
            name: Message("too_many_remarks", most=self.most)
            for name in form
            if (match := _FIELD.fullmatch(name)) and not _is_row(match[2], self.most)
        }
        text = items[0].text if items else ""
        for row in range(self.most):
            try:
                remark = self._remark(form, row, text)
            except AnswerError as error:
                problems.update(error.problems)
            else:
                remarks += [remark] if remark is not None else []
        overall = ""
        try:
            overall = written(form, OVERALL, longest=LONGEST) if self.overall else ""
        except AnswerError as error:
            problems.update(error.problems)
        if not (remarks or overall or problems) and self.required:
            problems["comment.0"] = Message("please_remark")
        if problems:
            raise AnswerError(problems)
        if not remarks and not overall:
            return None
        return {"remarks": remarks, **({OVERALL: overall} if overall else {})}

    def _remark(self, form: Form, row: int, text: str) -> dict[str, Json] | None:
        part, comment = (written(form, f"{name}.{row}", longest=LONGEST) for name in ("part", "comment"))
        category = one_of(form, f"category.{row}", list(self.categories))
        offset = only(form, f"start.{row}")
        if offset and not _OFFSET.fullmatch(offset):
            raise AnswerError({f"start.{row}": Message("no_number", given=quote(offset))})
        if not (part or comment or category):
            return None
        if not (comment or category):
            raise AnswerError({f"comment.{row}": Message("please_say_remark")})
        start: int | None = None
        end: int | None = None
        if part:
            found = _find(part, text, near=int(offset or 0))
            if found is None:
                raise AnswerError({f"part.{row}": Message("not_in_text", given=quote(part))})
            start, end = found
            part = text[start:end]
        return {"start": start, "end": end, "part": part, "comment": comment, "category": category or None}

    def judgements(self, answer: Answer, items: Sequence[Item]) -> list[Judgement]:
        """A row for each remark, with its category as the dimension; one for the overall comment."""
        remarks = cast("list[dict[str, Json]]", answer["remarks"])
        rows = [Judgement(one, dimension=str(one["category"] or ""), item=about(items)) for one in remarks]
        if OVERALL in answer:
            rows.append(Judgement(answer[OVERALL], dimension=OVERALL, item=about(items)))
        return rows

    def simulate(self, rater: Rater, items: Sequence[Item]) -> dict[str, list[str]]:
        """A stock comment on a word of the text; nothing from a rater who does not attend, where that is allowed."""
        if not rater.attends() and not self.required:
            return {}
        words = items[0].text.split() if items else []
        return {
            "part.0": [rater.pick(words)[:LONGEST] if words else ""],
            "comment.0": [rater.pick(_COMMENTS)],
            "category.0": [rater.pick(list(self.categories)) if self.categories else ""],
        }


def _is_row(digits: str, most: int) -> bool:
    return len(digits) <= len(str(most)) and int(digits) < most


def _find(part: str, text: str, *, near: int) -> tuple[int, int] | None:
    """Where the part is in the text, whatever the space between its words: the place nearest to the one given.

    Nearest, because browsers count UTF-16 units and space that a page does not show.
    """
    words = r"\s+".join(map(re.escape, part.split()))
    pattern = re.compile(f"(?=({words}))")  # looked ahead, so that places may overlap
    places = [match.span(1) for match in pattern.finditer(text)]
    return min(places, key=lambda place: abs(place[0] - near)) if places else None
