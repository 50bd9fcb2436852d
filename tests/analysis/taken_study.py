"""A small study with all kinds of questions that are analysed, and artificial raters who take part in it."""

from __future__ import annotations

from collections.abc import Sequence

from fergus.studies.raters import RaterSettings, rater
from fergus.studies.service import Service
from fergus.studies.storage import answers, codings, studies
from fergus.studies.storage.database import Transaction
from fergus.studies.storage.participants import KINDS
from fergus.studies.storage.studies import StudyRow, VersionRow
from fergus.studies.study_file import version_of

QUESTIONS = {
    "which": "{type: pair, text: Which is a person’s, right: {author: human}}",
    "liked": "{type: pair, text: Which is better}",
    "fact": "{type: task, text: Which number, grading: exact, gold_column: gold}",
    "good": "{type: rating, points: 7, dimensions: {quality: {text: How good}}}",
    "why": "{type: comment, text: Why so, categories: {flow: Rhythm, sense: Meaning}}",
    "reader": '{type: choice, text: You edit texts, options: ["Yes", "No"]}',
}
ITEMS = """item,group,author,system,kind,gold,text
a-h,a,human,person,pair,one,The rain came late that year.
a-m,a,machine,rules,pair,one,Late that year the rain came.
b-h,b,human,person,pair,two,Nobody saw the two of them leave.
b-m,b,machine,rules,pair,two,The two of them nobody saw leave.
c-h,c,human,person,pair,three,She counted to three and jumped.
c-m,c,machine,rules,pair,three,To three she counted and jumped.
d-m,d,machine,rules,control,four,At four by the gate we meet.
d-n,d,machine,rules,control,four,By the gate at four we meet.
"""


def put_in(
    service: Service,
    *,
    ask: Sequence[str] = ("which", "fact", "good", "why", "reader"),
    name: str = "small",
    items: str = ITEMS,
    more: str = "",
) -> StudyRow:
    """A study with these questions, pairs and others on pages of their own."""
    blocks = []
    for one in ask:
        kind = QUESTIONS[one].partition("type: ")[2].partition(",")[0]
        shown = {"pair": "items: {}, page: group, ", "task": "items: {kind: [pair]}, ", "rating": "items: {}, "}
        blocks.append(f"  - {{name: {one}, {shown.get(kind, '')}questions: [{one}]}}\n")
    asked = "".join(f"  {one}: {QUESTIONS[one]}\n" for one in ask)
    text = f"study: {name}\ntitle: Small\nitems: items.csv\nquestions:\n{asked}blocks:\n{''.join(blocks)}{more}"
    version = VersionRow(version_of(text, items), "study.yaml", text, "items.csv", items, 1)
    return service.database.write(lambda transaction: studies.add_version(transaction, name, version))


def take(service: Service, row: StudyRow, *, people: int, skill: float = 0.5, first: int = 0) -> None:
    """So many artificial raters go through all pages."""
    for number in range(first, first + people):
        person = rater(number, seed=1, settings=RaterSettings(skill=skill, inattention=0))
        key = service.join(row, nonce=f"{row.name}-{number}", parameters={}, kind="simulated")
        while (view := service.view(key)) is not None and view.page is not None:
            form: dict[str, list[str]] = {}
            for asked in view.asked:
                told = asked.question.simulate(person, asked.items)
                if asked.question.name == "reader":  # who is in which group must not be chance
                    told = {"choice": [("No", "Yes")[number % 2]]}
                form |= {f"{asked.prefix}{name}": values for name, values in told.items()}
            outcome = service.submit(key, view.participant.page, form)
            assert outcome is not None
            assert not outcome.problems


def code(service: Service, row: StudyRow, *, by: Sequence[str] = ("ann", "bob"), question: str = "why") -> None:
    """Every coder gives the comments codes; the second has another opinion of the first comment."""
    with service.database.read() as transaction:
        written = [
            one.id for one in answers.of_study(transaction, row.id, kinds=KINDS) if one.given.question == question
        ]

    def put(transaction: Transaction) -> None:
        for number, answer in enumerate(written):
            for place, coder in enumerate(by):
                codes = ["flow"] if number % 2 or (place and not number) else ["sense"]
                codings.add_coding(transaction, answer, coder=coder, codes=codes, now_ms=1)

    service.database.write(put)
