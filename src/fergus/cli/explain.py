"""``fergus explain``: why a tree became this sentence and not another."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import click

from fergus.cli.options import (
    bare_option,
    examples,
    files_argument,
    input_format_option,
    lexicon_option,
    model_option,
    out_option,
    preset_option,
    rules_option,
    stages_option,
    synonyms_option,
    tree_option,
)
from fergus.errors import InputError


@click.command(
    epilog=examples(
        "fergus explain --tree 'estimate(there was no cost for(phase(the second)))'",
        "fergus explain trees.conllu --number 3 --preset supertag",
        "fergus explain --tree 'saw(I her)' --json | jq .reason",
    )
)
@files_argument(several=False)
@tree_option
@click.option("--number", type=click.IntRange(1), default=1, show_default=True, help="Which of the trees.")
@click.option("--json", "as_json", is_flag=True, help="Everything, as JSON.")
@model_option
@preset_option
@rules_option
@lexicon_option
@synonyms_option
@input_format_option
@stages_option
@bare_option
@out_option
def explain(
    *,
    file: str | None,
    tree: str | None,
    number: int,
    as_json: bool,
    model: str,
    preset: str,
    rules: Path | None,
    lexicon: Path | None,
    synonyms: Path | None,
    input_format: str,
    stages: str,
    bare: bool,
    out: Path | None,
) -> None:
    """Show for one tree why it became this sentence.

    What was done for what the tree lacked and the words that every node could have become; the supertag of every
    node with its probability and the runners-up; what each other position of a daughter would cost; the language
    model's score of each word; and why the winner beat the second best. Costs are natural logarithms: what costs
    2.3 is ten times less probable.
    """
    from fergus.cli.output import write_text
    from fergus.cli.trees import given_trees, good_trees
    from fergus.exchange.deep import tree_for
    from fergus.exchange.explanation import as_object, as_text
    from fergus.realize.explain import explain as explain_tree
    from fergus.realize.pipeline import load
    from fergus.realize.stages import chosen_stages

    trees = good_trees(given_trees([file] if file else [], tree=tree, input_format=input_format))
    wanted = next(islice(trees, number - 1, None), None)
    if wanted is None:
        raise InputError(
            f"there is no tree number {number}", path=file or "the input", remedy="give a smaller --number"
        )
    names = chosen_stages(stages.split(","))
    realizer = load(model, preset=preset, rules=rules, lexicon=lexicon, synonyms=synonyms)
    given = tree_for(names, wanted.tree, realizer)
    explanation = explain_tree(realizer, given, bare=bare, stages=names)
    write_text(json.dumps(as_object(explanation), ensure_ascii=False) + "\n" if as_json else as_text(explanation), out)
