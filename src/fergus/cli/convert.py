"""``fergus convert``: trees from any format into another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

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

FORMATS = ("conllu", "notation", "json", "t1", "t2")

Writer = Callable[[OrderedTree], str]


@click.command(
    epilog=examples(
        "fergus convert wsj_0001.mrg --to conllu --out wsj_0001.conllu",
        "fergus convert --tree 'saw/VERB(I/PRON her/PRON)' --to json",
        "fergus convert en_ewt-ud-dev.conllu --to t1 --without-answers --out T1-en_ewt-ud-dev.conllu",
    )
)
@files_argument()
@click.option("--to", required=True, type=click.Choice(FORMATS), help="The format to write.")
@tree_option
@input_format_option
@bare_option
@click.option(
    "--without-answers", is_flag=True, help="T1 and T2 as test sets have them: no word forms, no places of the words."
)
@click.option("--without-hints", is_flag=True, help="T1 without lin=, the order of names, marks and conjuncts.")
@click.option("--seed", type=int, default=1, show_default=True, help="For shuffling the words of T1 and T2.")
@out_option
def convert(
    *,
    files: tuple[str, ...],
    to: str,
    tree: str | None,
    input_format: str,
    bare: bool,
    without_answers: bool,
    without_hints: bool,
    seed: int,
    out: Path | None,
) -> None:
    """Write trees in another format.

    CoNLL-U is written in the input's order (of mention, where it has no other); notation and JSON have a tree
    a line, and their order means nothing. T1 (lemmas) and T2 (no function words) are the inputs of the surface
    realization shared tasks, made from a treebank: words in random order, with forms and places as features.
    """
    from fergus.cli.output import output_to
    from fergus.cli.trees import given_trees, good_trees

    if without_answers and to not in ("t1", "t2"):
        raise click.UsageError("--without-answers goes with --to t1 or t2")
    if without_hints and to != "t1":
        raise click.UsageError("--without-hints goes with --to t1")
    write = _writer(to, Random(seed), answers=not without_answers, hints=not without_hints)
    with output_to(out) as target:
        for item in good_trees(given_trees(files, tree=tree, input_format=input_format)):
            given: DependencyTree = item.tree.bare() if bare else item.tree
            target.write(write(OrderedTree(given, item.order)).encode())


def _writer(to: str, random: Random, *, answers: bool, hints: bool) -> Writer:
    from fergus.treebank.conllu_writer import write_conllu
    from fergus.treebank.deep_track import write_t2
    from fergus.treebank.jsontree_writer import to_json
    from fergus.treebank.notation import to_notation
    from fergus.treebank.shallow_track import write_t1

    writers: dict[str, Writer] = {
        "conllu": lambda item: write_conllu(item.tree, item.order),
        "notation": lambda item: to_notation(item.tree) + "\n",
        "json": lambda item: to_json(item.tree) + "\n",
        "t1": lambda item: write_t1(item, random=random, tells_forms=answers, hints=hints),
        "t2": lambda item: write_t2(item, random=random, tells_places=answers),
    }
    return writers[to]
