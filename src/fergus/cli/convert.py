"""``fergus convert``: trees from any format into another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from fergus.cli.options import (
    bare_option,
    examples,
    files_argument,
    input_format_option,
    out_option,
    tree_option,
)
from fergus.core.tree import DependencyTree, OrderedTree

FORMATS = ("conllu", "notation", "json")


@click.command(
    epilog=examples(
        "fergus convert wsj_0001.mrg --to conllu --out wsj_0001.conllu",
        "fergus convert --tree 'saw/VERB(I/PRON her/PRON)' --to json",
    )
)
@files_argument()
@click.option("--to", required=True, type=click.Choice(FORMATS), help="The format to write.")
@tree_option
@input_format_option
@bare_option
@out_option
def convert(
    *, files: tuple[str, ...], to: str, tree: str | None, input_format: str, bare: bool, out: Path | None
) -> None:
    """Write trees in another format.

    CoNLL-U is written in the input's order (of mention, where it has no other); notation and JSON have a tree
    a line, and their order means nothing.
    """
    from fergus.cli.output import output_to
    from fergus.cli.trees import given_trees, good_trees

    write = _writer(to)
    with output_to(out) as target:
        for item in good_trees(given_trees(files, tree=tree, input_format=input_format)):
            given: DependencyTree = item.tree.bare() if bare else item.tree
            target.write(write(OrderedTree(given, item.order)).encode())


def _writer(to: str) -> Callable[[OrderedTree], str]:
    from fergus.treebank.conllu_writer import write_conllu
    from fergus.treebank.jsontree_writer import to_json
    from fergus.treebank.notation import to_notation

    if to == "conllu":
        return lambda item: write_conllu(item.tree, item.order)
    one_line = to_notation if to == "notation" else to_json
    return lambda item: one_line(item.tree) + "\n"
