"""Preferences in tables and in words: systems side by side, their win rates, and every pair."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan
from typing import TYPE_CHECKING

from fergus.analysis.many_tests import LEVEL
from fergus.analysis.report_tables import Table
from fergus.analysis.written import NOTHING, counted, is_p, listed, people, percent, percents, probability

if TYPE_CHECKING:
    from fergus.analysis.preferences import Preferences, SystemPreference

MOST = 6
"""So many pairs of systems are told in words; the table has all."""
INDEPENDENT = " Of one person’s choices, and where all are alike, interval and p take them to be independent."


def preference_tables(found: Preferences) -> Iterator[Table]:
    """What is always shown."""
    if found.between:
        yield between_table(found)
        yield wins_table(found)
    yield side_table(found)


def between_table(found: Preferences) -> Table:
    """Every two systems."""
    rows = tuple(
        (
            own.first, own.second, f"{own.share.crossed.people:,}", f"{own.share.crossed.texts:,}",
            f"{own.share.choices.n:,}", f"{own.ties:,}", percent(own.share.choices.value),
            percents(*own.share.told_bounds), probability(own.share.told_p), probability(own.corrected_p),
            f"{own.for_first:,} : {own.for_second:,}", probability(own.sign_p),
        )
        for own in found.between
    )  # fmt: skip
    return Table(
        f"{found.question}-preferred", "Systems side by side",
        ("first", "second", "people", "pairs", "choices", "ties", "first chosen", "95% interval", "p", "corrected p",
         "people for either", "sign test p"),
        rows,
        "Of choices between a text of the first system and one of the second, the share for the first; ties are left "
        "out. Interval and p (against 50%) allow for other people and other pairs; p is corrected by Holm’s method for "
        f"{counted(len(rows), 'comparison')}. People for either: how many chose one more often than the other, with "
        f"the exact sign test.{INDEPENDENT * any(isnan(own.share.p) for own in found.between)}", (0, 1),
    )  # fmt: skip


def wins_table(found: Preferences) -> Table:
    """Systems, the most preferred first."""
    rows = tuple(
        (
            own.system, f"{own.share.crossed.people:,}", f"{own.share.crossed.texts:,}", f"{own.share.choices.n:,}",
            f"{own.share.choices.hits:,}", percent(own.share.choices.value), percents(*own.share.told_bounds),
        )
        for own in found.systems
    )  # fmt: skip
    return Table(
        f"{found.question}-wins", "Win rates",
        ("system", "people", "pairs", "choices", "won", "win rate", "95% interval"), rows,
        "Of the choices that a system’s text was part of, those that it won; intervals allow for other people and "
        "other pairs. A win rate depends on the systems that it stood beside.",
    )  # fmt: skip


def side_table(found: Preferences) -> Table:
    """How often the text that stands first is chosen."""
    own = found.side
    row = (
        "all", f"{own.pairs:,}", f"{own.first.choices.n:,}", percent(own.first.choices.value),
        percents(*own.first.told_bounds), probability(own.first.told_p), percent(own.same_text),
        percent(own.same_text_error),
    )  # fmt: skip
    return Table(
        f"{found.question}-side", "The side that is preferred, and agreement",
        ("of", "pairs", "choices", "first text chosen", "95% interval", "p", "same text", "standard error"), (row,),
        "Without a preference for a side the first text is chosen in 50% (p is against that). Same text: the chance "
        "that two people chose the same text of a pair, 50% if they chose blindly; its standard error is over pairs.",
    )  # fmt: skip


def texts_table(found: Preferences) -> Table:
    """Every pair, those on which people agree most first."""
    rows = tuple(
        (
            own.pair, own.text, own.system or NOTHING, f"{own.share.n:,}", f"{own.share.hits:,}",
            percent(own.share.value), percents(own.share.low, own.share.high),
        )
        for own in found.texts
    )  # fmt: skip
    return Table(
        f"{found.question}-texts", "Every pair",
        ("pair", "preferred text", "system", "choices", "chosen", "share", "95% interval"), rows,
        "The text that was chosen more often, the first by name where neither was; Wilson’s intervals.", (0, 1, 2),
    )  # fmt: skip


def preferred(found: Preferences) -> str:
    """What was found, in plain language."""
    text = (
        f"{people(found.people)} made {counted(found.choices, 'choice')} on “{found.question}”, which has no right "
        f"answer, over {counted(found.pairs, 'pair')}."
    )
    if not found.between:
        return f"{text} No texts of two systems stood side by side, so that no system can be preferred."
    best = found.systems[0]
    if len(found.systems) > 2:
        text += (
            f" {best.system} won most of its choices: {percent(best.share.choices.value)} "
            f"(95% interval {percents(*best.share.told_bounds)})."
        )
    clear = [own for own in found.between if own.corrected_p < LEVEL]
    side = " People prefer a side, whatever stands there: see the table." if found.side.first.told_p < LEVEL else ""
    if clear:
        more = f"; and {len(clear) - MOST:,} more" if len(clear) > MOST else ""
        return f"{text} {_sentence(clear)}{more}.{side}"
    most = found.between[0]
    return (
        f"{text} No system is certainly preferred to another ({most.first} to {most.second} in {_share_of(most)}), "
        f"which does not show that they are equally good.{side}"
    )


def _sentence(clear: list[SystemPreference]) -> str:
    told = []
    for own in clear[:MOST]:
        first, second = (own.first, own.second) if own.share.choices.value > 0.5 else (own.second, own.first)
        told.append(f"{first} is preferred to {second} ({own.first} chosen in {_share_of(own)})")
    return listed(told)


def _share_of(own: SystemPreference) -> str:
    share = own.share
    return (
        f"{percent(share.choices.value)} of {counted(share.choices.n, 'choice')}, 95% interval "
        f"{percents(*share.told_bounds)}, {is_p(own.corrected_p)}"
    )
