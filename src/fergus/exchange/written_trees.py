"""Parsed trees as text: CoNLL-U, JSON, the quick notation, tokens."""

from __future__ import annotations

from collections.abc import Callable

from fergus.core.tree import OrderedTree

OUTPUTS = ("conllu", "json", "notation", "tokens")


def writer(output: str) -> Callable[[OrderedTree, int], str]:
    """How a tree, the so-and-so-many-th, is written."""
    from fergus.treebank.conllu_writer import write_conllu
    from fergus.treebank.jsontree_writer import to_json
    from fergus.treebank.notation import to_notation

    writers: dict[str, Callable[[OrderedTree, int], str]] = {
        "conllu": lambda item, number: f"# sent_id = {number}\n{write_conllu(item.tree, item.order)}",
        "json": lambda item, number: to_json(item.tree) + "\n",
        "notation": lambda item, number: to_notation(item.tree) + "\n",
        "tokens": lambda item, number: " ".join(item.forms) + "\n",
    }
    return writers[output]
