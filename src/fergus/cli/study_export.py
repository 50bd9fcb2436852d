"""``fergus study export``: a study's answers as a table, one row a judgement."""

from __future__ import annotations

from pathlib import Path

import click

from fergus.cli.options import examples, out_option
from fergus.cli.output import output_to
from fergus.cli.study_database import database_option, find, opened

FORMATS = ("csv", "jsonl")


@click.command(
    epilog=examples(
        "fergus study export my-study -o my-study.csv",
        "fergus study export my-study --completed-only --format jsonl | head -n 1",
    )
)
@click.argument("name", metavar="STUDY")
@out_option
@click.option(
    "--format", "form", type=click.Choice(FORMATS), help="CSV or JSON lines; by default the ending of FILE, or csv."
)
@click.option("--completed-only", is_flag=True, help="Leave out those who are not at the end.")
@click.option("--withdrawn", is_flag=True, help="Also those who stopped taking part, or declined.")
@click.option("--practice", is_flag=True, help="Also the answers to practice items.")
@click.option("--previews", is_flag=True, help="Also the answers of previews.")
@click.option("--with-ids", is_flag=True, help="Also the recruiter's names for people, in a column external.")
@click.option(
    "--safe-for-spreadsheets", "is_safe", is_flag=True, help="An apostrophe before texts that look like formulas (CSV)."
)
@database_option
def export(
    *,
    name: str,
    out: Path | None,
    form: str | None,
    completed_only: bool,
    withdrawn: bool,
    practice: bool,
    previews: bool,
    with_ids: bool,
    is_safe: bool,
    database: str,
) -> None:
    """Write a study's answers as a table, one row a judgement.

    Participants have numbers that say nothing of them, in the column participant. Columns of the items file begin with
    item_. Texts are written as they were given, unless --safe-for-spreadsheets: a spreadsheet takes a comment that
    begins with =, +, - or @ for a formula.
    """
    ending = out.suffix.lower().removeprefix(".") if out is not None else ""
    chosen = form or (ending if ending in FORMATS else "csv")
    with opened(database) as data:
        from fergus.studies.export import Choice, export_study
        from fergus.studies.service import Service

        row = find(data, name)
        choice = Choice(
            completed_only=completed_only, withdrawn=withdrawn, practice=practice, previews=previews, with_ids=with_ids
        )
        with output_to(out) as stream:
            for piece in export_study(Service(data), row, form=chosen, choice=choice, is_safe=is_safe):
                stream.write(piece.encode())
