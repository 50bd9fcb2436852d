"""The table of coded comments: how many people spoke of what, and how far the coders agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fergus.analysis.report_tables import Table
from fergus.analysis.written import counted, figure, listed, people, percent, percents

if TYPE_CHECKING:
    from fergus.analysis.comments import CodedComments


def codes_table(found: CodedComments) -> Table:
    """Every code, the commonest first."""
    rows = tuple(
        (
            own.code, f"{own.people.hits:,}", percent(own.people.value), percents(own.people.low, own.people.high),
            *(f"{own.counts[coder]:,}" for coder in found.coders), figure(own.agreement.alpha, 2),
            percent(own.agreement.share),
        )
        for own in found.categories
    )  # fmt: skip
    said = found.categories[0].people.n
    return Table(
        f"{found.question}-codes", "What the comments are about",
        ("code", "people", "share", "95% interval", *(f"by {coder}" for coder in found.coders), "α", "same"), rows,
        f"{counted(found.coded, 'comment')} of {found.comments:,} have a code, by {people(said)}; people: "
        "those to whom at least half of a comment’s coders gave it, with Wilson’s interval; by coder: comments that "
        f"the coder gave it to. α: Krippendorff’s, for {counted(found.overall.units, 'comment')} that two coders or "
        f"more coded; same: pairs of codings that are alike. {agreement_of(found)}",
    )  # fmt: skip


def agreement_of(found: CodedComments) -> str:
    """How far coders agree on whole sets of codes."""
    if len(found.coders) < 2:
        return "One coder alone coded: how far coders would agree is not known."
    alpha = found.overall.alpha
    names = listed(list(found.coders), most=4)
    if alpha is None:
        return f"How far {names} agree cannot be told."
    return f"On whole sets of codes {names} agree by α = {figure(alpha, 2)}."
