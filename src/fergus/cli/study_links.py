"""``fergus study links``: private links to a study, each for one person."""

from __future__ import annotations

import json
import time

import click

from fergus.cli.options import examples
from fergus.cli.study_database import database_option, find, opened
from fergus.cli.web_address import checked_address

BASE_URL = "http://127.0.0.1:8000"
"""Where ``fergus serve`` is, if it is told nothing else."""


@click.command(
    epilog=examples(
        "fergus study links my-study -n 20 --base-url https://studies.example.org",
        "fergus study links my-study --label Ann --label Bob --condition expert",
    )
)
@click.argument("name", metavar="STUDY")
@click.option("--number", "-n", type=click.IntRange(1, 1000), help="How many.  [default: one, or one for each label]")
@click.option(
    "--label", "labels", multiple=True, metavar="TEXT",
    help="Whom a link is for; may be repeated. With -n, one label that is numbered.",
)  # fmt: skip
@click.option("--condition", metavar="NAME", help="The condition that they lead to; else it is chosen as for anybody.")
@click.option(
    "--base-url", default=BASE_URL, show_default=True, callback=checked_address, metavar="URL",
    help="Where people reach the server.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="As JSON: a list with an object a link.")
@database_option
def links(
    *,
    name: str,
    number: int | None,
    labels: tuple[str, ...],
    condition: str | None,
    base_url: str,
    as_json: bool,
    database: str,
) -> None:
    """Make private links to a study, and print them: label and address, a tab between.

    Whoever opens such a link first takes part by it, and nobody else can; it leads back to one's own pages.
    """
    if number is not None and len(labels) > 1:
        raise click.UsageError("-n takes one label, which it numbers; without -n there is a link for each label")
    if number is not None and number > 1 and labels:
        labels = tuple(f"{labels[0]} {place}" for place in range(1, number + 1))
    with opened(database) as data:
        from fergus.studies.private_links import make_links
        from fergus.studies.service import Service

        row = find(data, name)
        now_ms = time.time_ns() // 1_000_000
        made = make_links(
            data,
            row,
            Service(data).study(row),
            labels or ("",) * (number or 1),
            condition=condition,
            now_ms=now_ms,
        )
    found = [(link.label, f"{base_url}/j/{link.token}", link.condition) for link in made]
    if as_json:
        records = [dict(zip(("label", "link", "condition"), one, strict=True)) for one in found]
        click.echo(json.dumps(records, ensure_ascii=False, indent=2))
        return
    for label, address, _ in found:
        click.echo(f"{label}\t{address}")
