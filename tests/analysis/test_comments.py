from __future__ import annotations

import pytest

from fergus.analysis.comments import coded_comments
from tests.analysis.pair_rows_made import about_person


def comment(person: str, codes: dict[str, list[str]] | None, question: str = "why") -> dict[str, object]:
    return about_person(person, question, "…", type="comment", codes=codes)


def test_counts_people_and_agreement() -> None:
    rows = [
        comment("1", {"ann": ["flow"], "bob": ["flow"]}),
        comment("2", {"ann": ["flow", "sense"], "bob": ["sense"]}),
        comment("3", {"ann": ["guess"]}),
        comment("4", None),
        comment("1", {"ann": ["sense"], "bob": ["guess"]}),
    ]
    (found,) = coded_comments(rows)  # type: ignore[arg-type]
    assert (found.question, found.comments, found.coded, found.coders) == ("why", 5, 4, ("ann", "bob"))
    flow, sense, guess = found.categories
    assert [one.code for one in found.categories] == ["flow", "sense", "guess"]
    assert flow.counts == {"ann": 2, "bob": 1}
    # One of two coders is half of them; the four coded comments are by three people.
    assert (flow.people.hits, flow.people.n) == (2, 3)
    assert (sense.people.hits, guess.people.hits) == (2, 2)
    # flow of units with two coders: (yes, yes), (yes, no), (no, no): n = 6, 3 yes: 1 - 5 * 1 / 9 = 4/9.
    assert flow.agreement.alpha == pytest.approx(4 / 9)
    assert (flow.agreement.units, flow.agreement.share) == (3, pytest.approx(2 / 3))
    assert found.overall.level == "set"


def test_questions_without_codes_practice_and_other_types_are_passed_over() -> None:
    rows = [
        comment("1", None),
        {**comment("1", {"ann": ["x"]}, "warm-up"), "practice": True},
        about_person("1", "age", "30", codes={"ann": ["x"]}),
        comment("1", {"ann": ["x"]}, "second"),
    ]
    assert [one.question for one in coded_comments(rows)] == ["second"]  # type: ignore[arg-type]
