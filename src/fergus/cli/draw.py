"""``fergus draw``: trees as text."""

from __future__ import annotations

from pathlib import Path

import click

from fergus.cli.options import examples, files_argument, input_format_option, out_option, tree_option


@click.command(
    epilog=examples("fergus draw --tree 'saw/VERB(I/PRON her/PRON)' --labels", "fergus draw trees.conllu --ordered")
)
@files_argument()
@tree_option
@input_format_option
@click.option("--labels", is_flag=True, help="Part of speech, relation, lemma and features beside each word.")
@click.option("--ordered", is_flag=True, help="The words in the input's order from top to bottom.")
@out_option
def draw(
    *,
    files: tuple[str, ...],
    tree: str | None,
    input_format: str,
    labels: bool,
    ordered: bool,
    out: Path | None,
) -> None:
    """Draw trees as text.

    Each tree is followed by an empty line.
    """
    from fergus.cli.output import output_to
    from fergus.cli.trees import given_trees, good_trees
    from fergus.treebank.draw import draw as drawn

    with output_to(out) as target:
        for item in good_trees(given_trees(files, tree=tree, input_format=input_format)):
            text = drawn(item.tree, order=item.order if ordered else None, labels=labels)
            target.write(f"{text}\n\n".encode())
