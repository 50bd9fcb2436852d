"""The tables of a Turing-style test: the share identified between its bounds, sides, detection, pairs, people."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, nan
from typing import TYPE_CHECKING

from fergus.analysis.report_tables import Table
from fergus.analysis.turing import CONDITION
from fergus.analysis.written import NOTHING, figure, interval, people, percent, probability

if TYPE_CHECKING:
    from fergus.analysis.turing import Share, Turing

EVERYBODY = "everybody"


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
        f"choices to be independent and is too narrow. Last: how far the share is from one bound to the other.{groups}",
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
        "for other people and other pairs; p corrected by Holm’s method.", (0, 1),
    )  # fmt: skip


def sides_table(found: Turing) -> Table:
    """How often the text that stands first is chosen, in pairs with a right answer and in control pairs."""
    rows = tuple(
        (
            f"control, {own.kind}" if own.kind else "one text is a person’s", f"{own.pairs:,}",
            f"{own.first.choices.n:,}", percent(own.first.choices.value), percents(*bounds_of(own.first)),
            probability(own.first.p), percent(own.same_text), percent(own.same_text_error),
        )
        for own in found.sides
    )  # fmt: skip
    return Table(
        f"{found.question}-controls", "Control pairs, and the side that is preferred",
        ("pairs", "number", "choices", "first text chosen", "95% interval", "p", "same text", "standard error"), rows,
        "Control pairs have no right answer. Without a preference for a side the first text is chosen in 50% (p is "
        "against that). Same text: the chance that two people chose the same text of a pair, 50% if they chose "
        "blindly; its standard error is over pairs.",
    )  # fmt: skip


def detection_table(found: Turing) -> Table:
    """Sensitivity and bias."""
    rows = [
        ("all choices together", figure(found.pooled.d_prime, 2), figure(found.pooled.d_prime_of_share, 2),
         figure(found.pooled.bias, 2, signed=True), f"{found.pooled.n:,} choices"),
        ("mean over people", *_means(found, None)),
        *((f"mean over {group_label(found, own.group)}", *_means(found, own.group)) for own in found.groups),
    ]  # fmt: skip
    return Table(
        f"{found.question}-detection", "Signal detection", ("of", "d'", "d' without bias", "bias c", "n"), tuple(rows),
        "d' is 0 where nobody can tell, 1 at 76% right; what a preferred side explains is taken out. Without bias: √2 "
        "z of the share that is right. Bias c is above 0 if the second text is preferred (Macmillan and Creelman 2005, "
        "chapter 7; log-linear correction).",
    )  # fmt: skip


def _means(found: Turing, group: str | None) -> tuple[str, ...]:
    own = [one.detection for one in found.people if group in (None, one.group)]
    kept = [one for one in own if not isnan(one.d_prime)]
    values = [[one.d_prime for one in kept], [one.d_prime_of_share for one in kept], [one.bias for one in kept]]
    means = [sum(column) / len(column) if column else nan for column in values]
    return figure(means[0], 2), figure(means[1], 2), figure(means[2], 2, signed=True), people(len(kept))


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
    return "the study’s conditions" if found.group_name == CONDITION else f"answers to “{found.group_name}”"


def bounds_of(share: Share) -> tuple[float, float]:
    """The interval that allows for other people and pairs; Wilson's where nothing varies and there is none."""
    if isnan(share.crossed.low):
        return share.choices.low, share.choices.high
    return share.crossed.low, share.crossed.high


def percents(low: float, high: float) -> str:
    """Both ends of an interval.

    >>> percents(0.5, 0.6251)
    '50.0 to 62.5%'
    """
    return NOTHING if isnan(low) or isnan(high) else f"{100 * low:.1f} to {100 * high:.1f}%"


def points(value: float) -> str:
    """A difference of shares.

    >>> points(-0.125)
    '−12.5'
    """
    return figure(100 * value, 1, signed=True)


def _points(low: float, high: float) -> str:
    return interval(100 * low, 100 * high, 1)


def turing_tables(found: Turing) -> Sequence[Table]:
    """What is always shown; pairs and people are long, and folded."""
    tables = [share_table(found)]
    tables += [differences_table(found)] if found.differences else []
    return [*tables, sides_table(found), detection_table(found)]
