"""What a study will be like."""

from __future__ import annotations

import pytest

from fergus.studies.estimate import SECONDS_A_PAGE, WORDS_A_MINUTE, estimate
from fergus.studies.interface import WORDS, placeholders
from fergus.studies.presets import FOLDER
from fergus.studies.study_file import parse_study, read_study

SMALL = """\
study: s
title: t
items: items.csv
questions:
  q: {type: pair}
blocks:
  - {name: main, items: all, page: group, questions: q}
"""
ITEMS = "text,group,system\nOne two,g,x\nThree four,g,y\nFive six,h,x\nSeven eight,h,y\n"


def test_pages_judgements_and_time_of_a_small_study() -> None:
    found = estimate(parse_study(SMALL, ITEMS))
    assert (found.items, found.pages, found.judgements, found.conditions, found.participants) == (4, 2, 2, 1, None)
    # Eight words, and two pages with a choice of four seconds each.
    assert found.minutes == pytest.approx(8 / WORDS_A_MINUTE + 2 * (SECONDS_A_PAGE + 4) / 60)


@pytest.mark.parametrize(
    ("assignment", "participants"),
    [
        ("{participants: 9}", 9),
        ("{design: all, judgements: 5}", 5),
        ("{design: subsets, pages: 1, judgements: 5}", 10),  # each sees one of two pages
        ("{design: subsets, pages: 1}", None),
    ],
)
def test_how_many_people_are_needed(assignment: str, participants: int | None) -> None:
    assert estimate(parse_study(f"{SMALL}assignment: {assignment}\n", ITEMS)).participants == participants


def test_a_latin_square_needs_every_row() -> None:
    text = SMALL.replace("{type: pair}", "{type: comment}") + "assignment: {design: latin-square, judgements: 5}\n"
    found = estimate(parse_study(text, ITEMS))
    assert (found.conditions, found.pages, found.participants) == (2, 2, 10)


def test_the_paper_s_participants_made_48_ratings() -> None:
    """24 variants on two scales; practice is not counted."""
    found = estimate(read_study(FOLDER / "bangalore-2000" / "study.yaml"))
    assert found.judgements == 48
    assert 5 < found.minutes < 15


def test_tasks_take_as_long_as_they_may() -> None:
    slow = read_study(FOLDER / "task" / "study.yaml")
    assert estimate(slow).judgements == 12  # six messages, each with an answer and a rating


def test_a_study_without_items_needs_nobody_for_them() -> None:
    text = "study: s\ntitle: t\nblocks: [{name: a, text: Hello}]\nassignment: {judgements: 3}\n"
    assert estimate(parse_study(text, None)).participants is None


def test_words_of_pages_have_good_braces() -> None:
    for text in WORDS.values():
        assert all(name.isidentifier() for name in placeholders(text))
    with pytest.raises(ValueError, match="Single"):
        placeholders("{")
    assert placeholders("{a} {b:9} {c!r} {{d}}") == {"a", "b9", "cr"}
