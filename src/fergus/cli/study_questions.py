"""``fergus study questions``: the types of questions, what a study file can say of each, and what answers look like."""

from __future__ import annotations

import json
from dataclasses import MISSING
from typing import TYPE_CHECKING, Any

import click

from fergus.cli.options import examples

if TYPE_CHECKING:
    from dataclasses import Field

    from fergus.studies.questions.base import Question


@click.command(epilog=examples("fergus study questions", "fergus study questions rating --json"))
@click.argument("names", nargs=-1, metavar="[TYPE]...")
@click.option("--json", "as_json", is_flag=True, help="As JSON, with the schema of an answer.")
def questions(*, names: tuple[str, ...], as_json: bool) -> None:
    """List the types of questions with their parameters; without TYPE all of them."""
    from fergus.errors import InputError
    from fergus.studies.problems import legal
    from fergus.studies.questions import TYPES

    for name in names:
        if name not in TYPES:
            raise InputError(f"there is no type of question {name!r}", remedy=legal(name, TYPES))
    chosen = [TYPES[name] for name in names or TYPES]
    if as_json:
        click.echo(json.dumps([_record(kind) for kind in chosen], ensure_ascii=False, indent=2))
        return
    for number, kind in enumerate(chosen):
        click.echo(("\n" if number else "") + f"{kind.type}: {_first_line(kind)} (asked {_where(kind)})")
        rows = [(f.name, _shown_default(f), f.metadata["help"]) for f in kind.parameters()]
        width = max(len(name) for name, _, _ in rows)
        for name, default, help_text in rows:
            click.echo(f"  {name:<{width}}  {help_text}{default}")


def _record(kind: type[Question]) -> dict[str, Any]:
    return {
        "type": kind.type,
        "help": _first_line(kind),
        "compares": kind.compares,
        "asks": ["page"] if kind.compares else list(kind.asks),
        "parameters": {
            f.name: {"help": f.metadata["help"], "required": not _has_default(f), "default": _default(f)}
            for f in kind.parameters()
        },
        # Of a question with its defaults; names of scales and options come with the question.
        "answer": kind(name=kind.type).schema(),
    }


def _where(kind: type[Question]) -> str:
    ways = {"item": "of every item", "page": "once a page"}
    return "once a page, of all its items" if kind.compares else ", or ".join(ways[way] for way in kind.asks)


def _first_line(kind: type[Question]) -> str:
    return (kind.__doc__ or "").strip().split("\n")[0].replace("``", "")


def _has_default(f: Field[Any]) -> bool:
    return f.default is not MISSING or f.default_factory is not MISSING


def _default(f: Field[Any]) -> Any:
    if f.default_factory is not MISSING:
        return f.default_factory()
    return None if f.default is MISSING else f.default


def _shown_default(f: Field[Any]) -> str:
    default = _default(f)
    if default in (None, "", (), {}):
        return ""
    return f"  [{'yes' if default is True else 'no' if default is False else default}]"
