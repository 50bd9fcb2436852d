"""``fergus model``: which models there are, and what is in one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fergus.cli.options import examples
from fergus.models import DEFAULT_MODEL

if TYPE_CHECKING:
    from fergus.realize.model import ModelFile

SHIPPED = Path(__file__).parent.parent / "models"


@click.group()
def model() -> None:
    """List models and tell what is in one."""


@model.command(epilog=examples("fergus model info", "fergus model info my.fergus --json"))
@click.argument("name", default=DEFAULT_MODEL, metavar="[NAME|PATH]")
@click.option("--json", "as_json", is_flag=True, help="Everything as a JSON object.")
def info(*, name: str, as_json: bool) -> None:
    """What a model was trained on, by which command, under which licence, and how large its parts are."""
    from fergus.realize.model import ModelFile
    from fergus.realize.pipeline import find_model

    file = ModelFile(find_model(name))
    sizes = {section: file.size_of(section) for section in file.sections}
    if as_json:
        record = {**file.header, "bytes": file.path.stat().st_size, "sections": sizes}
        click.echo(json.dumps(record, ensure_ascii=False, indent=2))
    else:
        click.echo(described(file, sizes))


@model.command("list", epilog=examples("fergus model list"))
def list_models() -> None:
    """The models that come with Fergus: name, language, size; parsers after realizers."""
    from fergus.realize.model import ModelFile

    paths = sorted(SHIPPED.glob("*.fergus"))
    if not paths:
        click.echo("no models come with this installation; train one with `fergus train`", err=True)
    for path in paths:
        header = ModelFile(path).header
        treebanks = ", ".join(source["treebank"] for source in header.get("treebanks", ()))
        size = f"{path.stat().st_size / 1e6:.1f} MB"
        click.echo("\t".join([path.stem, str(header.get("language", "und")), size, treebanks]))
    for path in sorted(SHIPPED.glob("*.udpipe")):
        click.echo("\t".join([path.stem, "parser", f"{path.stat().st_size / 1e6:.1f} MB", "see fergus parse"]))


def described(file: ModelFile, sizes: dict[str, int]) -> str:
    """The facts of the header, one a line; facts this version does not know are shown as they stand."""
    header = dict(file.header)
    rows: list[tuple[str, str]] = [
        ("model", str(header.pop("name", file.path.stem))),
        ("language", str(header.pop("language", "und"))),
        ("size", f"{file.path.stat().st_size / 1e6:.1f} MB"),
        ("format", f"{header.pop('format')} {header.pop('version')}"),
        ("written by", f"Fergus {header.pop('fergus', '?')}"),
    ]
    for source in header.pop("treebanks", ()):
        rows.append(("treebank", _source(source)))
    for source in header.pop("text", ()):
        rows.append(("text", f"{source['file']}: {source['sentences']:,} sentences"))
    command, attribution = header.pop("rebuild", ""), header.pop("attribution", "")
    rows += [(key, value if isinstance(value, str) else json.dumps(value)) for key, value in header.items()]
    rows += [("attribution", attribution)] if attribution else []
    rows += [("rebuild", command)] if command else []
    rows += [("section", f"{section}: {size / 1e6:.2f} MB") for section, size in sizes.items()]
    width = max(len(key) for key, _ in rows)
    return "\n".join(f"{key:<{width}}  {value}" for key, value in rows)


def _source(source: dict[str, Any]) -> str:
    return (
        f"{source['treebank']}: {source['sentences']:,} sentences, {source['words']:,} words, "
        f"{source['non_projective_sentences']:,} not projective"
    )
