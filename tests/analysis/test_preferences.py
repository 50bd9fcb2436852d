from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fergus.analysis.of_study import Findings
from fergus.analysis.preference_tables import between_table, preference_tables, texts_table
from fergus.analysis.preferences import Preferences, analyse_preferences
from fergus.analysis.study_summary import study_paragraphs
from fergus.errors import InputError

from .pair_rows_made import pair_row


def choice(person: str, pair: str, chosen: str | None, other: str, **more: Any) -> dict[str, Any]:
    """Somebody preferred the text of one system to that of the other; None for “I cannot tell”."""
    texts = [f"{pair}-{name}" for name in (chosen or "a", other)]
    row = pair_row(person, pair, None, question="better", shown_order=sorted(texts), **more)
    return {**row, "value": None if chosen is None else texts[0], "item": "" if chosen is None else texts[0]}


def analysed(rows: list[dict[str, Any]], *, systems: dict[str, str] | None = None) -> Preferences:
    texts = {text for row in rows for text in row["shown_order"]}
    told = {text: text.rpartition("-")[2] for text in texts} if systems is None else systems
    return analyse_preferences(rows, question="better", systems=told, samples=200)


def said(found: Preferences) -> str:
    return " ".join(study_paragraphs(Findings(preferences=(found,))))


def by_chance(shares: dict[tuple[str, str], float], *, people: int = 20, pairs: int = 12) -> list[dict[str, Any]]:
    random = np.random.default_rng(1)
    return [
        choice(f"p{i}", f"{a}{b}{j}", *((a, b) if random.random() < share else (b, a)))
        for (a, b), share in shares.items()
        for i in range(people)
        for j in range(pairs)
    ]


def test_two_systems_by_hand() -> None:
    # p0 takes a twice, p1 a twice, p2 once either, p3 b twice and a tie: a has 5 of 8, 2 people to 1.
    taken = [("p0", "aa"), ("p1", "aa"), ("p2", "ab"), ("p3", "bb")]
    rows = [choice(who, f"x{j}", own, "ba"["ab".index(own)]) for who, both in taken for j, own in enumerate(both)]
    rows += [choice("p3", "x2", None, "b"), choice("p3", "x3", "b", "a", practice=True)]
    found = analysed(rows)
    (own,) = found.between
    assert (own.first, own.second, own.share.choices.hits, own.share.choices.n) == ("a", "b", 5, 8)
    assert (own.for_first, own.for_second, own.sign_p, own.ties) == (2, 1, 1.0, 1)
    assert [(one.system, one.share.choices.hits) for one in found.systems] == [("a", 5), ("b", 3)]
    assert (found.people, found.pairs, found.choices, found.ties) == (4, 2, 8, 1)
    assert {one.kind: one.count for one in found.notices} == {"few participants": 4, "few pairs": 2, "tie": 1}
    assert [(one.pair, one.text, one.share.hits) for one in found.texts] == [("x0", "x0-a", 3), ("x1", "x1-a", 2)]
    assert found.side.first.choices.n == 8


def test_clear_preferences_are_found_and_corrected_for_their_number() -> None:
    found = analysed(by_chance({("a", "b"): 0.8, ("c", "b"): 0.5, ("a", "c"): 0.75}))
    assert found.systems[0].system == "a"
    by_pair = {(own.first, own.second): own for own in found.between}
    clear = by_pair["a", "b"]
    assert clear.share.told_bounds[0] > 0.65
    assert clear.corrected_p >= clear.share.p
    assert clear.corrected_p < 0.001
    assert clear.sign_p < 0.001
    text = said(found)
    assert "a won most of its choices: " in text
    assert "a is preferred to b (a chosen in " in text
    assert "b is preferred to" not in text
    assert "People prefer a side" in text  # the first by name stands first here, and a is better
    assert between_table(found).rows[0][:2] == ("a", "c")


def test_nothing_clear_is_not_called_equal() -> None:
    found = analysed(by_chance({("a", "b"): 0.5}))
    assert "No system is certainly preferred to another" in said(found)
    assert "does not show that they are equally good" in said(found)
    assert "won most" not in said(found)


def test_the_system_with_fewer_wins_may_win_a_pair() -> None:
    # b loses to c and c loses to a, often; but b beats a.
    found = analysed(by_chance({("a", "c"): 0.95, ("c", "b"): 0.6, ("b", "a"): 0.8}, people=30))
    assert "b is preferred to a (a chosen in " in said(found)


def test_one_person_has_the_p_of_independent_choices() -> None:
    found = analysed([choice("p", f"x{j}", "a", "b") for j in range(12)])
    assert np.isnan(found.between[0].share.p)
    assert found.between[0].corrected_p == pytest.approx(2 / 2**12)
    assert "take them to be independent" in between_table(found).caption
    assert "one participant" in {one.kind for one in found.notices}


def test_texts_without_systems_and_of_one_system() -> None:
    rows = by_chance({("a", "b"): 0.7})
    found = analysed(rows, systems={})
    assert (found.systems, found.between) == ((), ())
    assert {one.kind: one.count for one in found.notices} == {"no system": 240}
    assert "no system can be preferred" in said(found)
    assert [table.title for table in preference_tables(found)] == ["The side that is preferred, and agreement"]
    assert texts_table(found).rows[0][2] == "–"
    same = analysed(rows, systems={text: "one" for row in rows for text in row["shown_order"]})
    assert {one.kind: one.count for one in same.notices} == {"one system": 240}
    assert same.systems == ()


def test_ties_alone_are_no_preferences() -> None:
    with pytest.raises(InputError, match="nobody chose a text of “better”"):
        analysed([choice("p", "x", None, "b")])
