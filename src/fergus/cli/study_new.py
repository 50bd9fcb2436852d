"""``fergus study new``: a study from a preset, with its own example texts or with outputs of systems."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fergus.cli.evaluation_options import TOKENIZERS
from fergus.cli.options import examples, quiet_option
from fergus.models import DEFAULT_MODEL

if TYPE_CHECKING:
    from fergus.studies.study_file import StudyFiles

PRESETS = ("bangalore-2000", "hardcastle-2008", "best-worst", "expert-review", "task")
"""Repeated here because importing them would make the help slow; a test compares them."""


def _from_to(ctx: click.Context, param: click.Parameter, value: str) -> tuple[int, int]:
    """Two numbers, such as 3-5; one number is both."""
    match = re.fullmatch(r"([0-9]{1,6})(?:-([0-9]{1,6}))?", value.strip())
    low, high = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= low <= high:
        raise click.BadParameter(f"{value!r} is not two numbers from 1, the smaller first, such as 3-5")
    return low, high


@click.command(
    epilog=examples(
        "fergus study new my-study",
        "fergus study new turing --preset hardcastle-2008 --human written.txt --generated fergus=realized.txt",
        "fergus study new ratings --outputs a.txt --outputs b.txt --outputs c.txt --references references.conllu",
    )
)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER")
@click.option("--preset", "-p", type=click.Choice(PRESETS), default=PRESETS[0], show_default=True, help="What to make.")
@click.option("--name", metavar="NAME", help="The study's name in addresses; else that of the folder.")
@click.option(
    "--outputs",
    "-s",
    multiple=True,
    metavar="[NAME=]FILE",
    help="The outputs of a system, parallel to the references; may be given again.",
)
@click.option("--references", "-r", multiple=True, type=click.Path(), metavar="FILE", help="What they are scored by.")
@click.option("--contexts", type=click.Path(), metavar="FILE", help="What stands above each sentence, a line each.")
@click.option("--bases", type=click.IntRange(1), metavar="N", help="How many sentences or pairs.  [default: 6; 30]")
@click.option(
    "--variants", callback=_from_to, default="3-5", show_default=True, metavar="N-N", help="Variants of each sentence."
)
@click.option(
    "--words",
    callback=_from_to,
    default="6-40",
    show_default=True,
    metavar="N-N",
    help="Leave out sentences whose references are shorter or longer.",
)
@click.option("--human", multiple=True, metavar="FILE", help="Texts by people, a line each; two files: control pairs.")
@click.option(
    "--generated",
    multiple=True,
    metavar="[NAME=]FILE",
    help="Texts by machines, parallel to the people's; two files: control pairs.",
)
@click.option(
    "--controls", type=click.IntRange(0), default=4, show_default=True, help="Control pairs of each kind, at most."
)
@click.option(
    "--tokenize",
    type=click.Choice(TOKENIZERS),
    default=TOKENIZERS[0],
    show_default=True,
    help="How plain text becomes tokens for the scores, as in fergus evaluate.",
)
@click.option(
    "--parser", default=DEFAULT_MODEL, show_default=True, metavar="NAME|PATH", help="What parses plain references."
)
@click.option(
    "--seed", type=click.IntRange(0), metavar="N", help="Where all randomness comes from.  [default: the preset's]"
)
@click.option("--force", is_flag=True, help="Write over files that are there.")
@click.option("--json", "as_json", is_flag=True, help="Print what was chosen as JSON.")
@quiet_option
def new(*, folder: Path, name: str | None, force: bool, as_json: bool, **options: Any) -> None:
    """Make a study: FOLDER/study.yaml and FOLDER/items.csv.

    Without files the preset's own example texts are taken, and the study runs as it is. With --outputs and --references
    3-5 variants of some sentences are picked, so that they cover the values of the metrics and pull the metrics
    apart; with --human and --generated pairs are made. It is said what was picked, and why.
    """
    from fergus.cli.study_making import Wanted, make_study
    from fergus.studies.study_file import ITEMS_FILE, STUDY_FILE, check_texts

    paths = [folder / STUDY_FILE, folder / ITEMS_FILE]
    there = [str(path) for path in paths if path.exists()]
    if there and not force:
        raise click.UsageError(f"{there[0]} is there already; give another folder, or --force to write over it")
    name = name or _name_of(folder)
    made = make_study(name, Wanted(**options))
    checked = check_texts(made.files.text, made.files.items_text, name=str(paths[0]), items_name=str(paths[1]))
    if checked.study is None:
        raise checked.errors[0].as_error()
    _write(folder, made.files)
    if as_json:
        click.echo(json.dumps({"study": name, "folder": str(folder), **made.record}, ensure_ascii=False, indent=2))
    else:
        click.echo("\n".join(made.lines))
        click.echo(f"Written: {paths[0]} and {paths[1]}. Change what they say, then: fergus study check {folder}")


def _name_of(folder: Path) -> str:
    """The folder's name as one that can be in addresses."""
    name = re.sub(r"[^a-z0-9]+", "-", folder.resolve().name.lower()).strip("-")[:60].strip("-")
    if not name:
        raise click.UsageError(f"{folder} has no name for a study in it; give one: --name my-study")
    return name


def _write(folder: Path, files: StudyFiles) -> None:
    """Both files, the study file last: a folder with a study file is complete."""
    from fergus.cli.output import write_text
    from fergus.studies.study_file import ITEMS_FILE, STUDY_FILE

    folder.mkdir(parents=True, exist_ok=True)
    write_text(files.items_text or "", folder / ITEMS_FILE)
    write_text(files.text, folder / STUDY_FILE)
