"""The trees a command was given: from ``--tree``, from files, or from standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from fergus.core.tree import OrderedTree
from fergus.errors import InputError

if TYPE_CHECKING:
    from fergus.treebank.conllu_sentences import Item


def given_trees(
    files: Sequence[str], *, tree: str | None = None, input_format: str = "auto"
) -> Iterator[OrderedTree | InputError]:
    """The trees in their order, with an InputError in the place of every bad one."""
    from fergus.treebank.conllu import read_sentences

    return read_sentences(unread_trees(files, tree=tree, input_format=input_format))


def unread_trees(files: Sequence[str], *, tree: str | None = None, input_format: str = "auto") -> Iterator[Item]:
    """The same, with sentences of CoNLL-U left to ``read_sentences`` of whoever works on them."""
    from fergus.treebank.notation import parse_notation
    from fergus.treebank.read import split_trees

    if tree is not None:
        if files:
            raise click.UsageError("give --tree or files, not both")
        return parse_notation([tree.replace("\n", " ")], path="--tree")
    if not files and sys.stdin.isatty():
        click.echo("reading trees from the terminal; Ctrl-D ends the input", err=True)
    return split_trees(list(files) or ["-"], input_format=input_format)


def good_trees(results: Iterator[OrderedTree | InputError]) -> Iterator[OrderedTree]:
    """The trees, up to the first bad one, which is raised."""
    from fergus.treebank.lines import trees_only

    return trees_only(results, on_error=None)


def has_word_order(ordered: OrderedTree) -> bool:
    """Whether the order is that of a sentence: its nodes are numbered upwards, as treebanks number them.

    The order of a tree in the quick notation is that of mention and means nothing.
    """
    last = 0
    for node in ordered.order:
        name = ordered.tree.nodes[node].identifier
        if not name.isdecimal() or int(name) <= last:
            return False
        last = int(name)
    return True
