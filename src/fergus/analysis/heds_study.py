"""Sections 1 to 3 and 5 of the datasheet: what a study file says of texts, people, pages and data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from statistics import mean

from fergus.studies.assign import conditions_of, is_always
from fergus.studies.estimate import estimate
from fergus.studies.questions.choice import Choice
from fergus.studies.questions.comment import Comment
from fergus.studies.questions.consent import Consent
from fergus.studies.questions.rating import Rating
from fergus.studies.questions.task import Task
from fergus.studies.study import Block, Study
from fergus.version import __version__

Known = Mapping[str, tuple[str, bool]]
"""By number of the question: what is known, and whether that is all of the answer."""


def known_of_study(study: Study) -> dict[str, tuple[str, bool]]:
    """Everything that the study file and the items file tell; an empty answer is none."""
    found = {
        "1.2": (
            f"study “{study.name}”, version {study.version or 'unknown'}; its files can be published as they are",
            False,
        ),
        "2.2": (_output(study), False),
        "2.5": (f"{study.language} (of the study)", False),
        "3.1.1": (_sample(study), True),
        "3.2.1": (_planned(study), False),
        "3.2.2": (_kinds(study), False),
        "3.2.3": (_recruitment(study), False),
        "3.2.4": (_training(study), True),
        "3.2.5": (_person(study), False),
        "3.3.2": (f"on web pages, by Fergus {__version__}; every page is stored when it is sent", True),
        "3.3.3": (_assurance(study), False),
        "3.3.4": (_pages(study), False),
        "3.3.5": (_time(study), True),
        "3.3.6": (_feedback(study), False),
        "3.3.7": ("online, at a place and a time of their own, unless the study was run in a laboratory", False),
        "5.2": (_data(study), False),
    }
    return {number: answer for number, answer in found.items() if answer[0]}


def _main(study: Study) -> list[Block]:
    return [block for block in study.blocks if not block.practice and block.items is not None]


def _output(study: Study) -> str:
    texts = [item.text for block in _main(study) for item in study.items_of(block)]
    return f"texts of {mean(len(text.split()) for text in texts):.1f} words on average" if texts else ""


def _sample(study: Study) -> str:
    items = {item.id: item for block in _main(study) for item in study.items_of(block)}
    judged = [item for item in items.values() if not is_always(item)]
    if not judged:
        return ""
    counts = Counter(item.system or "(no system)" for item in judged)
    each = ", ".join(f"{count} of {system}" for system, count in counts.items())
    extra = f"; and {len(items) - len(judged)} that everybody saw (checks, anchors)" if len(items) > len(judged) else ""
    return f"{each}; of {len({item.group for item in judged})} inputs{extra}"


def _planned(study: Study) -> str:
    people = estimate(study).participants
    return "" if people is None else f"planned are {people}"


def _kinds(study: Study) -> str:
    groups = f"groups of participants: {', '.join(study.conditions)}; " if study.conditions else ""
    return f"{groups}payment: the study does not know"


def _recruitment(study: Study) -> str:
    names = study.recruitment.parameters
    return f"by links that carry {', '.join(names)}" if names else ""


def _training(study: Study) -> str:
    lines = []
    for name, text in (("Welcome", study.welcome), ("Instructions", study.instructions)):
        if text.strip():
            lines += [f"{name}:", *text.strip().splitlines()]
    for block in study.blocks:
        if block.practice:
            pages = len(study.pages_of(block)) if block.items is not None else 1
            lines.append(f"Practice: {pages} {'page' if pages == 1 else 'pages'} with the right answers shown")
    return "\n".join(lines) or "none"


def _person(study: Study) -> str:
    asked = [
        question
        for block in study.blocks
        if block.items is None
        for question in block.questions
        if not isinstance(question, Consent)
    ]
    lines = [f"{question.name}: {question.text.strip()}" for question in asked if question.text.strip()]
    return "\n".join(["They were asked:", *lines]) if lines else ""


def _assurance(study: Study) -> str:
    checks = sum(
        bool(question.right_values)
        if isinstance(question, Choice)
        else any(one.right is not None for one in question.dimensions.values())
        for block in study.blocks
        for question in block.questions
        if isinstance(question, Choice | Rating)
    )
    columns = sum(any(name.startswith("right_") and value for name, value in i.values.items()) for i in study.items)
    lines = [f"{checks + columns} attention checks"] if checks + columns else ["no attention checks"]
    lines.append("participants who always answer alike, or much faster than others, are marked for the experimenter")
    return "\n".join(lines)


def _pages(study: Study) -> str:
    lines = []
    for block in _main(study):
        sizes = sorted({len(items) for items in study.pages_of(block).values()})
        texts = f"{sizes[0]} to {sizes[-1]}" if len(sizes) > 1 else str(sizes[0]) if sizes else "0"
        asked = ", ".join(f"{question.name} ({question.type})" for question in block.questions)
        lines.append(f"{block.name}: {texts} texts a page, in {block.order} order; questions: {asked}")
    found = estimate(study)
    design = study.assignment.design
    lines.append(
        f"design: {design}, {len(conditions_of(study))} conditions; each participant: {found.pages} pages, "
        f"{found.judgements} judgements, about {max(1, round(found.minutes))} minutes"
    )
    return "\n".join(lines)


def _time(study: Study) -> str:
    limits = {
        question.name: question.seconds
        for block in study.blocks
        for question in block.questions
        if isinstance(question, Task) and question.seconds is not None
    }
    free = "participants may stop after any page and go on later"
    if not limits:
        return f"no time limit; {free}"
    return f"{', '.join(f'{name}: {seconds} seconds' for name, seconds in limits.items())}; otherwise {free}"


def _feedback(study: Study) -> str:
    asked = [q.text.strip() or q.name for b in study.blocks for q in b.questions if isinstance(q, Comment)]
    return "\n".join(["Comments are asked for:", *asked]) if asked else ""


def _data(study: Study) -> str:
    lines = ["The study keeps answers, times and a random key for each participant; names are not asked for by itself."]
    if study.recruitment.parameters:
        lines.append(f"It also keeps from the link: {', '.join(study.recruitment.parameters)}.")
    consents = [q.text.strip() for b in study.blocks for q in b.questions if isinstance(q, Consent)]
    if consents:
        lines += ["Participants agreed to this:", *(line for text in consents for line in text.splitlines())]
    else:
        lines.append("No consent is asked for.")
    return "\n".join(lines)
