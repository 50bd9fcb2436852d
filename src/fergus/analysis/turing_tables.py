"""The tables of a Turing-style test: the share identified between its bounds, sides, detection, pairs, people."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING

from fergus.analysis.detection import RESAMPLES, Detection, mean_detection
from fergus.analysis.report_tables import Table
from fergus.analysis.turing import CONDITION
from fergus.analysis.written import NOTHING, figure, interval, people, percent, percents, points, probability

if TYPE_CHECKING:
    from fergus.analysis.choice_share import Share
    from fergus.analysis.turing import Turing

EVERYBODY, ONE_HUMAN = "everybody", "one text is a person’s"
INDEPENDENT = (
    "Of one person’s choices, and where all are alike, intervals are Wilson’s: nothing is said of other people."
)


def share_table(found: Turing) -> Table:
    """Everybody and each group between the bounds."""
    rows = [_share_row(EVERYBODY, len(found.people), found.share)]
    rows += [_share_row(group_label(found, own.group), own.people, own.share) for own in found.groups]
    blank = (NOTHING,) * 4
    rows += [
        ("if nobody could tell", *blank, "50.0%", NOTHING, NOTHING, NOTHING, "0.0%"),
        ("if everybody always could", *blank, "100.0%", NOTHING, NOTHING, NOTHING, "100.0%"),
    ]
    groups = f" Groups: {group_title(found)}." if found.groups else ""
    return Table(
        f"{found.question}-identified", "Person’s text identified",
        ("who", "people", "pairs", "choices", "identified", "share", "95% interval", "as if independent", "p",
         "from 50% to 100%"),
        tuple(rows),
        "Of forced choices between a person’s text and a machine’s, the share that found the person’s. The interval "
        "and p (against 50%) allow for other people and other pairs; the next interval is Wilson’s, which takes all "
        "choices to be independent and is too narrow. One person’s choices say nothing of other people, and choices "
        "that are all alike do not show how people vary: both have the latter alone. Last: how far the share is from "
        f"one bound to the other.{groups}",
    )  # fmt: skip


def _share_row(name: str, number: int, share: Share) -> tuple[str, ...]:
    own = share.choices
    return (
        name, f"{number:,}", f"{share.crossed.texts:,}", f"{own.n:,}", f"{own.hits:,}", percent(own.value),
        percents(share.crossed.low, share.crossed.high), percents(own.low, own.high), probability(share.p),
        percent(share.of_range),
    )  # fmt: skip


def differences_table(found: Turing) -> Table:
    """Every two groups."""
    rows = tuple(
        (
            own.first, own.second, points(own.difference.value), _points(own.difference.low, own.difference.high),
            probability(own.p), probability(own.corrected_p),
        )
        for own in found.differences
    )  # fmt: skip
    return Table(
        f"{found.question}-groups", "Groups of people beside one another",
        ("first", "second", "difference", "95% interval", "p", "corrected p"), rows,
        f"Difference of the shares identified, in percentage points, by {group_title(found)}; intervals and p allow "
        "for other people and other pairs; p corrected by Holm’s method. A group of one person cannot be compared. "
        "Where all of either group did alike there is no interval, and p is that of exchanging people.", (0, 1),
    )  # fmt: skip


def sides_table(found: Turing) -> Table:
    """How often the text that stands first is chosen, in pairs with a right answer and in control pairs."""
    rows = tuple(
        (
            f"control, {own.kind}" if own.kind else ONE_HUMAN, f"{own.pairs:,}",
            f"{own.first.choices.n:,}", percent(own.first.choices.value), percents(*own.first.told_bounds),
            probability(own.first.told_p), percent(own.same_text), percent(own.same_text_error),
        )
        for own in found.sides
    )  # fmt: skip
    return Table(
        f"{found.question}-controls", "Control pairs, and the side that is preferred",
        ("pairs", "number", "choices", "first text chosen", "95% interval", "p", "same text", "standard error"), rows,
        "Control pairs have no right answer. Without a preference for a side the first text is chosen in 50% (p is "
        "against that). Same text: the chance that two people chose the same text of a pair, 50% if they chose "
        f"blindly; its standard error is over pairs.{_independent(found)}",
    )  # fmt: skip


def _independent(found: Turing) -> str:
    is_so = any(isnan(own.first.p) for own in found.sides)
    return " Of one person’s choices, and where all are alike, p and interval take them to be independent." * is_so


def detection_table(found: Turing) -> Table:
    """Sensitivity and bias."""
    rows = [
        _detected("all choices together", found.pooled, f"{found.pooled.n:,} choices of {people(len(found.people))}"),
        _detected("mean over people", *_means(found, None)),
        *(_detected(f"mean over {group_label(found, own.group)}", *_means(found, own.group)) for own in found.groups),
    ]
    return Table(
        f"{found.question}-detection", "Signal detection",
        ("of", "d'", "95% interval", "d' without bias", "bias c", "n"), tuple(rows),
        "d' is 0 where nobody can tell, 1 at 76% right; what a preferred side explains is taken out. Intervals: "
        f"percentiles of {RESAMPLES:,} resamples of people, with the same pairs; from one person there is none. "
        "Without bias: √2 z of the share that is right. Bias c is above 0 if the second text is preferred (Macmillan "
        "and Creelman 2005, chapter 7; log-linear correction).",
    )  # fmt: skip


def _detected(name: str, own: Detection, n: str) -> tuple[str, ...]:
    return (
        name, figure(own.d_prime, 2), interval(own.low, own.high, 2), figure(own.d_prime_of_share, 2),
        figure(own.bias, 2, signed=True), n,
    )  # fmt: skip


def _means(found: Turing, group: str | None) -> tuple[Detection, str]:
    own = mean_detection([one.detection for one in found.people if group in (None, one.group)])
    return own, people(own.n)


def pairs_table(found: Turing) -> Table:
    """Every pair, those that fooled most people first."""
    rows = tuple(
        (own.pair, f"{own.share.n:,}", f"{own.share.hits:,}", percent(own.share.value),
         percents(own.share.low, own.share.high))
        for own in found.pairs
    )  # fmt: skip
    return Table(
        f"{found.question}-pairs", "Every pair", ("pair", "choices", "identified", "share", "95% interval"), rows,
        "Those that fooled most people first; Wilson’s intervals.",
    )  # fmt: skip


def people_table(found: Turing) -> Table:
    """Every participant."""
    has_groups = bool(found.groups)
    rows = tuple(
        (
            own.person, *((own.group,) if has_groups else ()), f"{own.share.n:,}", f"{own.share.hits:,}",
            percent(own.share.value), percents(own.share.low, own.share.high), figure(own.detection.d_prime, 2),
            figure(own.detection.bias, 2, signed=True),
        )
        for own in found.people
    )  # fmt: skip
    head = ("person", *(("group",) if has_groups else ()), "choices", "identified", "share", "95% interval", "d'", "c")
    words = (0, 1) if has_groups else (0,)
    caption = "Wilson’s intervals; d' and c as in the table of signal detection."
    return Table(f"{found.question}-people", "Every person", head, rows, caption, words)


def group_label(found: Turing, group: str) -> str:
    """A group's name, with the question that it is an answer to."""
    return group if found.group_name == CONDITION else f"{found.group_name}: {group}"


def group_title(found: Turing) -> str:
    """What divides people, in words."""
    if found.group_name == CONDITION:
        return "the study’s conditions"
    if found.group_text in ("", found.group_name):
        return f"answers to “{found.group_name}”"
    return f"answers to “{found.group_text}” ({found.group_name})"


def _points(low: float, high: float) -> str:
    return interval(100 * low, 100 * high, 1)


def turing_tables(found: Turing) -> Sequence[Table]:
    """What is always shown; pairs and people are long, and folded."""
    tables = [share_table(found)]
    tables += [differences_table(found)] if found.differences else []
    return [*tables, sides_table(found), detection_table(found)]
