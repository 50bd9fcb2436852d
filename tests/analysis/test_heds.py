"""The datasheet: every question of it is there, and what a study tells is filled in."""

from __future__ import annotations

import re
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from fergus.analysis.heds import OPEN, QUESTIONS, REST, Answer, Datasheet, facts_of, fill_datasheet, to_markdown
from fergus.analysis.heds_criteria import criteria_of
from fergus.analysis.preregister import check_freeze, freeze_plan
from fergus.studies.presets import PRESETS, preset_files
from fergus.studies.study import Study
from fergus.studies.study_file import parse_study

NUMBERS = [
    *(f"1.{n}" for n in range(1, 4)), *(f"2.{n}" for n in range(1, 6)), *(f"3.1.{n}" for n in range(1, 4)),
    *(f"3.2.{n}" for n in range(1, 6)), *(f"3.3.{n}" for n in range(1, 9)), *(f"4.1.{n}" for n in range(1, 4)),
    *(f"4.2.{n}" for n in range(1, 4)), *(f"4.3.{n}" for n in range(1, 12)), *(f"5.{n}" for n in range(1, 5)),
]  # fmt: skip
"""HEDS 2.0 has 45 questions, 17 of them once for each criterion (Shimorina and Belz 2022)."""

EVERYTHING = """\
study: everything
title: Everything
language: de
items: items.csv
conditions: [readers, experts]
recruitment: {parameters: [PROLIFIC_PID]}
welcome: "# Welcome"
assignment: {design: subsets, pages: 2, participants: 12}
questions:
  good:
    type: rating
    text: About this text
    points: 20
    highest_first: true
    dimensions:
      flow: {text: "How fluent is it?", labels: {20: very, 1: not at all}}
      good: {text: "How good is it?", right: 3}
  number: {type: score, dimensions: {magnitude: "How much better than the first?"}, lowest: 0, ask: item}
  order: {type: ranking, text: Rank them., ties: true}
  ends: {type: best-worst, text: "Best and worst?"}
  two: {type: pair, text: "Which?", right: {system: x}, tie: I cannot tell}
  three: {type: choice, text: "What is it?", options: [a, b, c], multiple: true, right: [a]}
  solve: {type: task, text: Solve it., seconds: 30, gold: "7", grading: number}
  sum: {type: task, text: Sum it up., grading: by-hand}
  marks: {type: review, text: Remarks}
  age: {type: choice, text: "How old are you?", options: [young, old]}
  say: {type: comment, ask: page}
blocks:
  - name: main
    items: {set: ["3"]}
    page: group
    questions: [good, number, order, ends, three, solve, sum, marks, say]
  - {name: pairs, items: {set: ["2"]}, page: group, questions: [two]}
  - {name: about, questions: [age]}
"""
ITEMS = "item,group,system,set,always,right_good,text\n" + "".join(
    f"{group}{system},{group},{system},{size},{always},{right},Some text here.\n"
    for group, systems, size, always, right in (
        ("a", "xyz", 3, "", ""), ("b", "xyz", 3, "yes", "2"), ("c", "xy", 2, "", ""), ("d", "xyw", 3, "", ""),
        ("e", "xyzw", 3, "", ""),
    )
    for system in systems
)  # fmt: skip


@pytest.fixture(scope="module")
def study() -> Study:
    return parse_study(EVERYTHING, ITEMS)


def answers(sheet: Datasheet, title: str = "") -> dict[str, Answer]:
    return {one.number: one for section in sheet.sections if title in section.title for one in section.answers}


def test_the_questions_are_those_of_the_datasheet() -> None:
    sections = tomllib.loads(QUESTIONS.read_text(encoding="utf-8"))["sections"]
    assert [number for section in sections for number, _ in section["questions"]] == NUMBERS
    assert all(topic and not topic.endswith("?") for section in sections for _, topic in section["questions"])


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_has_a_datasheet(name: str) -> None:
    files = preset_files(name)
    study = parse_study(files.text, files.items_text)
    sheet = fill_datasheet(study)
    assert set(answers(sheet)) == set(NUMBERS)
    assert sum(section.title.startswith("4 ") for section in sheet.sections) == len(criteria_of(study)) >= 1
    done, part, left = sheet.counts
    assert done + part + left == 28 + 17 * len(criteria_of(study))
    assert min(done, part, left) > 0
    # What no study knows is never filled in.
    assert all(not answers(sheet)[number].text for number in ("1.1", "1.3", "3.1.2", "5.1", "5.3", "5.4"))
    text = to_markdown(sheet)
    assert text.count(OPEN) == left
    assert text.count(REST) == part


def test_the_study_is_described(study: Study) -> None:
    found = answers(fill_datasheet(study))
    assert found["2.5"].text.startswith("de")
    assert (
        found["3.1.1"].text == "4 of x, 4 of y, 2 of z, 2 of w; of 4 inputs; and 3 that everybody saw (checks, anchors)"
    )
    assert found["3.2.1"].text == "planned are 12"
    assert found["3.2.2"].text == "groups of participants: readers, experts; payment: the study does not know"
    assert found["3.2.3"].text == "by links that carry PROLIFIC_PID"
    assert found["3.2.4"].text == "Welcome:\n# Welcome"
    assert found["3.2.5"].text == "They were asked:\nage: How old are you?"
    # One scale and one choice have right answers, and three items have them in their column.
    assert found["3.3.3"].text.startswith("5 attention checks\n")
    assert "main: 3 to 4 texts a page, in random order" in found["3.3.4"].text
    assert found["3.3.5"].text.startswith("solve: 30 seconds; otherwise")
    assert found["3.3.6"].text == "Comments are asked for:\nsay"
    assert "from the link: PROLIFIC_PID" in found["5.2"].text
    assert "No consent is asked for." in found["5.2"].text
    assert not found["3.3.1"].text


def test_every_kind_of_criterion(study: Study) -> None:
    sheet = fill_datasheet(study)
    assert [one.name for one in criteria_of(study)] == [
        "good: flow", "good", "number: magnitude", "order", "ends", "three", "solve", "sum", "marks", "say", "two",
    ]  # fmt: skip

    def told(title: str, *numbers: str) -> list[str]:
        return [answers(sheet, f": {title}")[number].text for number in numbers]

    assert told("good: flow", "4.2.2", "4.3.1", "4.3.3", "4.3.4", "4.3.5", "4.3.7") == [
        "absolute, though up to 4 texts are on a page together", "flow", "20", "1 to 20; 1 = not at all; 20 = very",
        "a slider, the highest first", "About this text\nHow fluent is it?",
    ]  # fmt: skip
    assert told("number", "4.3.3", "4.3.4", "4.3.7") == [
        "continuous", "any number from 0", "How much better than the first?",
    ]  # fmt: skip
    assert told("order", "4.2.2", "4.3.3", "4.3.6")[0].startswith("relative")
    assert told("order", "4.3.6") == ["people rank the texts of a page, ties allowed; ranks are recorded"]
    assert "best and the worst" in told("ends", "4.3.6")[0]
    assert told("two", "4.3.3", "4.3.4") == ["3", "the first text, the second text, or “I cannot tell”"]
    assert told("three", "4.3.3", "4.3.4", "4.3.5") == ["3", "a; b; c", "check-boxes"]
    assert told("solve", "4.2.1")[0].startswith("objective")
    assert told("solve", "4.2.3")[0].startswith("extrinsic")
    assert "within 30 seconds" in told("solve", "4.3.6")[0]
    assert told("sum", "4.2.1") == ["subjective"]
    assert told("marks", "4.3.8") == ["annotation of the text with remarks"]
    assert told("say", "4.3.3") == ["none: there is no rating instrument"]


def row(person: int, **more: Any) -> dict[str, Any]:
    return {
        "participant": person, "state": "completed", "kind": "person", "type": "rating", "item": "a", "dimension": "",
        "question": "good", "value": 3, **more,
    }  # fmt: skip


def test_facts_and_a_plan_are_added(study: Study, tmp_path: Path) -> None:
    rows = [
        row(1), row(1, type="choice", item="", question="age", value="old"),
        row(2, state="active", kind="simulated"),
        row(2, state="active", kind="simulated", type="choice", item="", question="age", value=["old", "young"]),
        row(3, type="choice", item="", question="age", value="me", dimension="other"),
    ]  # fmt: skip
    facts = facts_of(rows)
    assert (facts.completed, facts.started, facts.simulated) == (2, 3, 1)
    assert facts.said == {"age": {"old": 2, "young": 1}}
    path = tmp_path / "plan.toml"
    plan = (
        'format = "fergus-plan"\nversion = 1\nstudy = "everything"\ntests = ["t"]\n'
        'exclusions = ["too fast"]\n[numbers]\nitems = 4\n'
    )
    path.write_text(plan)
    before = answers(fill_datasheet(study, plan=check_freeze(path)))
    assert before["3.3.1"].text == "There is an analysis plan that was not frozen."
    frozen, _ = freeze_plan(path, now=datetime(2026, 1, 1, tzinfo=UTC))
    path.write_text(plan.replace("items = 4", "items = 5"))
    freeze_plan(path, now=datetime(2026, 2, 1, tzinfo=UTC), reason="more items")
    path.write_text(plan)
    found = answers(fill_datasheet(study, facts=facts, plan=check_freeze(path)))
    assert found["3.2.1"].is_complete
    assert found["3.2.1"].text == (
        "planned are 12\n2 completed it, of 3 who began; 1 of them were simulated and are no people"
    )
    assert found["3.2.5"].text.endswith("They answered:\nage: old (2), young (1)")
    assert frozen.sha256 in found["3.3.1"].text
    assert "amended on 2026-02-01T00:00:00Z: more items" in found["3.3.1"].text
    assert "changed since, in numbers" in found["3.3.1"].text
    assert found["3.3.3"].text.endswith("Planned exclusions:\ntoo fast")
    assert "Planned were 4 items" in found["3.1.3"].text
    assert found["4.3.10"].text == "planned tests: t"


def test_a_plan_and_facts_that_say_little(study: Study, tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text('format = "fergus-plan"\nversion = 1\nstudy = "everything"\n')
    freeze_plan(path, now=datetime(2026, 1, 1, tzinfo=UTC))
    found = answers(fill_datasheet(study, facts=facts_of([]), plan=check_freeze(path)))
    assert found["3.2.1"].text.endswith("0 completed it, of 0 who began")
    assert "changed" not in found["3.3.1"].text
    assert not found["3.1.3"].text
    assert not found["4.3.10"].text


def test_a_study_without_items_and_without_anything() -> None:
    text = "study: bare\ntitle: Bare\nquestions:\n  q: {type: choice, options: [a, b]}\n"
    text += "blocks:\n  - {name: x, questions: [q]}\n"
    sheet = fill_datasheet(parse_study(text, None))
    found = answers(sheet)
    assert "4.1.1" not in found
    assert not found["3.1.1"].text
    assert not found["2.2"].text
    assert found["3.2.4"].text == "none"
    assert not found["3.2.5"].text
    assert found["3.3.3"].text.startswith("no attention checks")
    assert found["3.3.5"].text.startswith("no time limit")


def test_texts_of_the_study_make_no_headings(study: Study) -> None:
    text = to_markdown(fill_datasheet(study))
    assert "> \\# Welcome\n" in text
    headings = re.findall(r"(?m)^#+ (.*)", text)
    assert headings[0] == "Human evaluation datasheet: everything"
    assert not any(line.endswith(" ") and not line.startswith(">") for line in text.splitlines())
    assert "> Welcome:  \n> \\# Welcome\n" in text
