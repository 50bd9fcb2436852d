"""The Human Evaluation Datasheet (HEDS; Shimorina and Belz 2022), filled in from a study as far as it can be.

A study file says what was asked, of how many texts, in which design, with which instructions; the answers say how many
took part; the plan, what was preregistered. Nothing of these says who was paid how much, how outputs were selected, or
who approved: such questions are marked as to be answered, and so is the rest of those that were answered in part.
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fergus.analysis.heds_criteria import answers_of, criteria_of
from fergus.analysis.heds_study import Known, known_of_study

if TYPE_CHECKING:
    from fergus.analysis.preregister import FreezeCheck
    from fergus.studies.model import Json
    from fergus.studies.study import Study

FORMAT, VERSION = "fergus-datasheet", 1
QUESTIONS = Path(__file__).with_name("heds_questions.toml")
OPEN = "_To be answered._"
REST = "_The rest is to be answered._"


@dataclass(frozen=True)
class Answer:
    """One question of the datasheet."""

    number: str
    topic: str
    text: str
    """Empty if nothing is known."""
    is_complete: bool


@dataclass(frozen=True)
class Section:
    """Questions under a heading."""

    title: str
    answers: tuple[Answer, ...]


@dataclass(frozen=True)
class Datasheet:
    """All of it."""

    study: str
    version: str
    sections: tuple[Section, ...]

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many questions are answered, answered in part, and open."""
        answers = [answer for section in self.sections for answer in section.answers]
        done = sum(answer.is_complete for answer in answers)
        known = sum(bool(answer.text) for answer in answers)
        return done, known - done, len(answers) - known


@dataclass(frozen=True)
class Facts:
    """What the answers of a study tell of those who took part."""

    completed: int
    """People who came to the end."""
    started: int
    simulated: int
    """Of all, those that were no people."""
    said: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """By question about the person: how often each option was chosen."""


def facts_of(records: Iterable[Mapping[str, Json]]) -> Facts:
    """Count the participants in rows of an export, and what they said of themselves."""
    people: dict[str, tuple[bool, bool]] = {}
    said: dict[str, Counter[str]] = {}
    for record in records:
        people[str(record["participant"])] = record["state"] == "completed", record["kind"] == "simulated"
        if record["type"] == "choice" and not record["item"] and not record["dimension"]:
            value = record["value"]
            said.setdefault(str(record["question"]), Counter()).update(
                map(str, value) if isinstance(value, list) else [str(value)]
            )
    return Facts(
        sum(done for done, _ in people.values()),
        len(people),
        sum(simulated for _, simulated in people.values()),
        {question: dict(counts.most_common()) for question, counts in said.items()},
    )


def fill_datasheet(study: Study, *, facts: Facts | None = None, plan: FreezeCheck | None = None) -> Datasheet:
    """The datasheet of a study; with what its answers and its plan add."""
    known = known_of_study(study)
    for source in (_of_facts(facts), _of_plan(plan)):
        for number, answer in source.items():
            before = known.get(number)
            known[number] = answer if before is None else (f"{before[0]}\n{answer[0]}", before[1] or answer[1])
    tests = plan.plan.tests if plan is not None else ()
    sections: list[Section] = []
    for table in tomllib.loads(QUESTIONS.read_text(encoding="utf-8"))["sections"]:
        if not table.get("is_of_criterion"):
            sections.append(_section(f"{table['number']} {table['title']}", table["questions"], known))
            continue
        for criterion in criteria_of(study):
            own = answers_of(criterion)
            if tests:
                own["4.3.10"] = (f"planned tests: {', '.join(tests)}", False)
            title = f"{table['number']} {table['title']}: {criterion.name}"
            sections.append(_section(title, table["questions"], own))
    return Datasheet(study.name, study.version, tuple(sections))


def _section(title: str, questions: Iterable[tuple[str, str]], known: Known) -> Section:
    return Section(title, tuple(Answer(number, topic, *known.get(number, ("", False))) for number, topic in questions))


def _of_facts(facts: Facts | None) -> Known:
    if facts is None:
        return {}
    robots = f"; {facts.simulated} of them were simulated and are no people" if facts.simulated else ""
    found = {"3.2.1": (f"{facts.completed} completed it, of {facts.started} who began{robots}", True)}
    if facts.said:
        lines = [
            f"{question}: {', '.join(f'{value} ({count})' for value, count in counts.items())}"
            for question, counts in facts.said.items()
        ]
        found["3.2.5"] = ("\n".join(["They answered:", *lines]), False)
    return found


def _of_plan(plan: FreezeCheck | None) -> Known:
    if plan is None:
        return {}
    found: dict[str, tuple[str, bool]] = {}
    if plan.frozen:
        lines = [f"An analysis plan was frozen on {plan.frozen[0].date}, SHA-256 {plan.frozen[0].sha256}."]
        lines += [f"It was amended on {one.date}: {one.reason} (SHA-256 {one.sha256})." for one in plan.frozen[1:]]
        lines += [f"It has been changed since, in {', '.join(plan.changes)}."] if plan.changes else []
        found["3.3.1"] = ("\n".join([*lines, "The registry, if there is one, is to be named."]), False)
    else:
        found["3.3.1"] = ("There is an analysis plan that was not frozen.", False)
    if plan.plan.exclusions:
        found["3.3.3"] = ("\n".join(["Planned exclusions:", *plan.plan.exclusions]), False)
    if plan.plan.numbers:
        numbers = ", ".join(f"{count} {name}" for name, count in plan.plan.numbers.items())
        found["3.1.3"] = (f"Planned were {numbers}; `fergus plan power` computes their power.", False)
    return found


def to_json(sheet: Datasheet) -> str:
    """The datasheet for programs; an empty text is a question to be answered."""
    record: dict[str, Any] = {"format": FORMAT, "version": VERSION, "study": sheet.study}
    record["study_version"] = sheet.version
    record["sections"] = [asdict(section) for section in sheet.sections]
    return json.dumps(record, ensure_ascii=False, indent=2) + "\n"


def to_markdown(sheet: Datasheet) -> str:
    """The datasheet as Markdown; answers are quoted, line by line as they are."""
    done, part, left = sheet.counts
    lines = [
        f"# Human evaluation datasheet: {sheet.study}",
        "",
        "Numbers are those of HEDS 2.0 (Shimorina and Belz 2022), which says what exactly is asked; the topics are in "
        "our own words.",
        "",
        f"Study version {sheet.version or 'unknown'}: {done} answered, {part} in part, {left} to be answered.",
    ]
    for section in sheet.sections:
        lines += ["", f"## {section.title}"]
        for answer in section.answers:
            lines += ["", f"### {answer.number} {answer.topic}", ""]
            lines += _quoted(answer.text)
            if not answer.is_complete:
                lines += ["", REST] if answer.text else [OPEN]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> list[str]:
    """Lines of a quotation that stay apart; a heading of the study's is none of the datasheet's."""
    lines = ["\\" + line if line.startswith("#") else line for line in text.splitlines()]
    found = []
    for place, line in enumerate(lines):
        goes_on = bool(line) and any(lines[place + 1 : place + 2])
        found.append(f"> {line}" + "  " * goes_on if line else ">")
    return found
