"""``fergus plan power``: how often a study would find a difference, by simulation."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from fergus.cli.options import examples
from fergus.errors import InputError

if TYPE_CHECKING:
    from fergus.analysis.power import Design, Power

RATINGS_ONLY = ("judgements", "different_judges", "points", "shared", "bias", "noise", "inattention")
PAIRS_ONLY = ("skill", "ease", "binomial")
"""Options that are about studies of one kind."""


@click.command(
    epilog=examples(
        "fergus plan power --difference 0.3 --judges 5",
        "fergus plan power --difference 0.3 --judges 3 --judges 5 --items 50 --items 100",
        "fergus plan power --share 0.6 --judges 30",
    )
)
@click.option("--difference", type=float, metavar="D", help="Of two systems' ratings, in SDs of the texts' quality.")
@click.option("--share", type=float, metavar="P", help="Of pairs in which a person's text is identified, against 0.5.")
@click.option("--judges", "-j", type=int, multiple=True, help="How many; may be repeated. Left out: the fewest.")
@click.option(
    "--items", "-n", type=int, multiple=True, help="How many, or pairs; may be repeated. Left out: the fewest."
)
@click.option("--judgements", type=int, default=0, help="Judges of each text; by default all.  [ratings]")
@click.option("--different-judges", is_flag=True, help="Both texts of an item have other judges.  [ratings]")
@click.option("--points", type=int, default=0, help="Of the scale; by default any number is given.  [ratings]")
@click.option(
    "--shared", type=float, default=0.0, help="Variance that an item's texts have in common, 0 to 1.  [ratings]"
)
@click.option(
    "--bias", type=float, default=0.4, show_default=True, help="How much judges differ in severity.  [ratings]"
)
@click.option(
    "--noise", type=float, default=0.6, show_default=True, help="How much a judge differs each time.  [ratings]"
)
@click.option("--inattention", type=float, default=0.02, show_default=True, help="Share of blind answers.  [ratings]")
@click.option("--skill", type=float, default=0.3, show_default=True, help="How much people differ: an SD.  [pairs]")
@click.option("--ease", type=float, default=0.4, show_default=True, help="How much pairs differ: an SD.  [pairs]")
@click.option("--binomial", is_flag=True, help="Test as if all choices were independent.  [pairs]")
@click.option("--target", type=float, default=0.8, show_default=True, help="The power to be reached.")
@click.option("--level", type=float, default=0.05, show_default=True, help="Of the test.")
@click.option("--runs", type=click.IntRange(1, 1_000_000), default=2000, show_default=True, help="Simulated studies.")
@click.option("--seed", type=click.IntRange(0), default=12345, show_default=True, help="Of the simulation.")
@click.option("--json", "as_json", is_flag=True, help="Everything as a list of JSON objects.")
@click.pass_context
def power(
    ctx: click.Context,
    /,
    *,
    difference: float | None,
    share: float | None,
    judges: tuple[int, ...],
    items: tuple[int, ...],
    target: float,
    runs: int,
    seed: int,
    as_json: bool,
    **more: Any,
) -> None:
    """How often a study would find a difference, or how many judges and items it takes.

    Studies are simulated. Give a difference of ratings or a share of pairs; judges, items, or both: what is left out is
    searched for.
    """
    from fergus.analysis.power import least_items, least_judges, power_of

    if (difference is None) == (share is None):
        raise InputError("a study has ratings or pairs", remedy="give --difference or --share, one of them")
    for name in PAIRS_ONLY if share is None else RATINGS_ONLY:
        if ctx.get_parameter_source(name) is not ParameterSource.DEFAULT:
            kind = "--difference" if share is None else "--share"
            problem = f"--{name.replace('_', '-')} has no meaning with {kind}"
            raise InputError(problem, remedy="leave it out")
    if not judges and not items:
        raise InputError("judges or items must be known", remedy="give --judges, --items, or both")
    found: list[tuple[Design, Power | None]] = []
    for count in judges or (max(1, more["judgements"]),):
        for number in items or (2,):
            design = _design(difference, share, count, number, more)
            if judges and items:
                found.append((design, power_of(design, runs=runs, seed=seed)))
            else:
                search = least_items if judges else least_judges
                found.append((design, search(design, target=target, runs=runs, seed=seed)))
    if as_json:
        records = [None if one is None else {**asdict(one), "total": one.design.total} for _, one in found]
        click.echo(json.dumps(records, indent=2))
        return
    searched = "" if judges and items else "items" if judges else "judges"
    click.echo(_power_table(found, searched, target))


def _design(difference: float | None, share: float | None, judges: int, items: int, more: dict[str, Any]) -> Design:
    from fergus.analysis.power import PairDesign, RatingDesign
    from fergus.studies.raters import RaterSettings

    if difference is None:
        return PairDesign(
            share=share or 0.0, items=items, judges=judges, skill=more["skill"], ease=more["ease"],
            test="binomial" if more["binomial"] else "crossed", level=more["level"],
        )  # fmt: skip
    raters = RaterSettings(bias=more["bias"], noise=more["noise"], inattention=more["inattention"])
    return RatingDesign(
        difference=difference, items=items, judges=judges, judgements=more["judgements"],
        same_judges=not more["different_judges"], points=more["points"], shared=more["shared"], raters=raters,
        level=more["level"],
    )  # fmt: skip


def _power_table(found: list[tuple[Design, Power | None]], searched: str, target: float) -> str:
    lines = [f"{'judges':>8} {'items':>8} {'judgements':>11} {'power':>7}  95% interval of the simulation"]
    for design, one in found:
        if one is None:
            known = f"{design.judges} judges" if searched == "items" else f"{design.items} items"
            lines.append(f"with {known} no number of {searched} that was tried has a power of {target:g}")
            continue
        own = one.design
        lines.append(
            f"{own.judges:>8,} {own.items:>8,} {own.total:>11,} {one.power:>7.3f}  {one.low:.3f} to {one.high:.3f}"
        )
    if searched:
        lines.append(f"the fewest {searched} with a power of {target:g}")
    return "\n".join(lines)
