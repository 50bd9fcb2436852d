"""``fergus study import``: judgements that were collected elsewhere, as a study."""

from __future__ import annotations

import time
from pathlib import Path

import click

from fergus.cli.counting import counted
from fergus.cli.options import examples
from fergus.cli.study_database import database_option, opened


@click.command(
    "import",
    epilog=examples(
        "fergus study import ratings.csv --study ratings --score fluency --score adequacy",
        "fergus study import e2e_quality.csv --study e2e --score quality --database judgements.db",
    ),
)
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--study", "name", required=True, metavar="NAME", help="What the study is to be called.")
@click.option("--judge", default="judge", show_default=True, metavar="COLUMN", help="Who judged.")
@click.option("--text", default="text", show_default=True, metavar="COLUMN", help="What was judged.")
@click.option("--item", metavar="COLUMN", help="What texts are versions of.  [default: item, if it is there]")
@click.option("--system", metavar="COLUMN", help="Who wrote the text.  [default: system, if it is there]")
@click.option(
    "--score", "scores", multiple=True, metavar="COLUMN", help="A number that was given; may be repeated.  "
    "[default: score, quality, rating, if they are there]",
)  # fmt: skip
@click.option("--replace", is_flag=True, help="If there is an imported study of this name, put this one in its place.")
@database_option
def import_(
    *,
    file: Path,
    name: str,
    judge: str,
    text: str,
    item: str | None,
    system: str | None,
    scores: tuple[str, ...],
    replace: bool,
    database: str,
) -> None:
    """Make a study of judgements that were collected elsewhere.

    FILE is a table (CSV, TSV or JSON lines) with a row for every text that somebody judged. Every judge becomes a
    participant, and numbers are kept as they are. Nothing is imported if a row has a mistake.
    """
    from fergus.studies.judgements_file import Columns, read_judgements

    columns = Columns(judge=judge, text=text, item=item, system=system, scores=scores)
    judged = read_judgements(file, columns=columns)
    with opened(database, must_exist=False) as data:
        from fergus.analysis.report_files import forget_report
        from fergus.studies.import_judgements import import_judgements
        from fergus.studies.storage.studies import find_study

        with data.read() as transaction:
            replaced = find_study(transaction, name)
        now_ms = time.time_ns() // 1_000_000
        import_judgements(data, judged, name=name, source=file.name, now_ms=now_ms, replace=replace)
        if replaced is not None:  # the report has the rows of those who are gone
            forget_report(data, replaced.id)
    judges = counted(len({given.judge for given in judged.given}), "judge")
    count = counted(sum(len(given.scores) for given in judged.given), "judgement")
    scales, texts = ", ".join(judged.dimensions), counted(len(judged.items), "text")
    click.echo(f"{name}: {count} ({scales}) of {texts} by {judges}")
    if judged.repeated:
        line, rows = judged.repeated[0], len(judged.repeated)
        again = "a text again that the judge had judged"
        one = f"line {line} judges {again}; it is kept"
        several = f"{rows:,} rows judge {again} (the first on line {line}); they are kept"
        click.echo(one if rows == 1 else several, err=True)
    if judged.missing:
        click.echo(f"{counted(judged.missing, 'score')} {'is' if judged.missing == 1 else 'are'} empty", err=True)
    if judged.left_out:
        left_out = ", ".join(judged.left_out)
        click.echo(f"not kept, since judgements of one text differ in it: {left_out}", err=True)
