"""``fergus lattice``: the orders that were considered for a tree, as a word lattice."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import click

from fergus.cli.options import (
    bare_option,
    examples,
    files_argument,
    input_format_option,
    model_option,
    out_option,
    preset_option,
    rules_option,
    stages_option,
    tree_option,
)
from fergus.core.lattice import Lattice, expanded
from fergus.errors import InputError

FORMATS = ("att", "dot", "svg", "json")
JSON_FORMAT, JSON_VERSION = "fergus-lattice", 1


@click.command(
    epilog=examples(
        "fergus lattice --tree 'estimate(there was no cost)' --format svg --out lattice.svg",
        "fergus lattice trees.conllu --number 3 --format att --symbols words.syms --out lattice.txt",
        "fergus lattice --tree 'saw(I her)' --format dot | dot -Tpdf > lattice.pdf",
    )
)
@files_argument(several=False)
@tree_option
@click.option("--number", type=click.IntRange(1), default=1, show_default=True, help="Which of the trees.")
@click.option(
    "--format",
    "to",
    type=click.Choice(FORMATS),
    default="att",
    show_default=True,
    help="AT&T text (OpenFst, Kaldi), Graphviz, a drawing, or JSON.",
)
@click.option(
    "--symbols",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="With att: the symbol table.",
)
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=100_000,
    show_default=True,
    help="The most arcs to write.",
)
@click.option(
    "--cut",
    type=click.IntRange(1),
    metavar="ARCS",
    help="With svg: draw the orders nearest to the best one, so many arcs or three a word.",
)
@click.option("--wide", is_flag=True, help="Also the orders that are pruned for being far from the best.")
@model_option
@preset_option
@rules_option
@input_format_option
@stages_option
@bare_option
@out_option
def lattice(
    *,
    file: str | None,
    tree: str | None,
    number: int,
    to: str,
    symbols: Path | None,
    limit: int,
    cut: int | None,
    wide: bool,
    model: str,
    preset: str,
    rules: Path | None,
    input_format: str,
    stages: str,
    bare: bool,
    out: Path | None,
) -> None:
    """Show every order that was considered for a tree.

    Arcs carry the ordering model's weights, higher is better (AT&T costs are their negatives). The path of
    the best sentence, in which the language model has a say too, is highlighted.
    """
    from fergus.cli.output import write_text
    from fergus.cli.streaming import Job
    from fergus.cli.trees import given_trees, good_trees
    from fergus.drawing.lattice import relabelled
    from fergus.exchange.deep import tree_for
    from fergus.realize.lattice_formats import to_att, to_dot, to_svg
    from fergus.realize.stages import chosen_stages

    if symbols is not None and to != "att":
        raise click.UsageError("--symbols goes with --format att")
    if cut is not None and to != "svg":
        raise click.UsageError("--cut goes with --format svg")
    names = chosen_stages(stages.split(","))
    items = good_trees(given_trees([file] if file else [], tree=tree, input_format=input_format))
    item = next(islice(items, number - 1, None), None)
    if item is None:
        raise InputError(f"there is no tree number {number} in the input", remedy="count from 1")
    realizer = Job(model, preset, rules).realizer()
    realization = realizer.realize(tree_for(names, item.tree, realizer), bare=bare, wide=wide, stages=names)
    if realization.lattice is None:
        raise InputError(f"preset {preset} makes no lattice", remedy="use another preset")
    words = [node.form for node in realization.tree.nodes]
    packed = relabelled(realization.lattice, realization.canonical)
    if cut is not None:  # before it is expanded: what is cut down may be of any size
        write_text(to_svg(packed, words, realization.order, limit=cut), out)
        return
    try:
        flat = expanded(packed, limit=limit)
    except ValueError:
        problem = f"the lattice has more than {limit:,} arcs"
        raise InputError(problem, path=item.tree.source, remedy="raise --limit, or take a smaller tree") from None
    if to == "att":
        att = to_att(flat, words)
        if symbols is not None:
            write_text(att.symbols, symbols)
        write_text(att.fsm, out)
    elif to == "json":
        write_text(to_json(flat, words, realization.order), out)
    else:
        write_text((to_dot if to == "dot" else to_svg)(flat, words, realization.order), out)


def to_json(flat: Lattice, words: Sequence[str], order: Sequence[int]) -> str:
    """States, arcs and the places of the best path's arcs among them."""
    from fergus.drawing.lattice_cut import best_path

    arcs = [
        {"source": a.source, "target": a.target, "word": words[a.label], "node": a.label, "weight": a.weight}
        for a in flat.arcs(0)
    ]
    record = {
        "format": JSON_FORMAT,
        "version": JSON_VERSION,
        "states": flat.part_states[0],
        "final": flat.part_states[0] - 1,
        "arcs": arcs,
        "best": list(best_path(flat, order)),
    }
    return json.dumps(record, ensure_ascii=False) + "\n"
