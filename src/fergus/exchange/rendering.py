"""A realization as lines of output: text, tokens, CoNLL-U, JSON.

With more than one sentence a tree (``--nbest``), text and tokens have a line for each, best first, and an
empty line after every tree; CoNLL-U has a block for each, with its rank in a comment.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Any

from fergus.core.realization import Realization
from fergus.core.tree import DependencyTree, OrderedTree

WriteText = Callable[[OrderedTree], str]
"""Writes a sentence as people do."""
Renderer = Callable[[Realization, int, WriteText], str]
"""What is printed for a realization, given how many sentences were asked for; ends in a line break."""


def as_tokens(realization: Realization, nbest: int, write: WriteText) -> str:
    """The word forms with one space between them."""
    return _lines([" ".join(candidate.sentence.forms) for candidate in realization.best], nbest)


def as_text(realization: Realization, nbest: int, write: WriteText) -> str:
    """The sentences as people write them."""
    return _lines([write(candidate.sentence) for candidate in realization.best], nbest)


def as_conllu(realization: Realization, nbest: int, write: WriteText) -> str:
    """The words and labels in the order found; ``# text`` is the new sentence, not the input's."""
    from fergus.treebank.conllu_writer import write_conllu

    blocks = []
    for rank, candidate in enumerate(realization.best, 1):
        sentence = candidate.sentence
        tree = respaced(sentence.tree, sentence.order)
        metadata = [(key, value) for key, value in tree.metadata if key != "text"]
        metadata.append(("text", write(sentence)))
        if nbest > 1:
            metadata.append(("rank", str(rank)))
        blocks.append(write_conllu(replace(tree, metadata=tuple(metadata)), sentence.order))
    return "".join(blocks)


def as_json(realization: Realization, nbest: int, write: WriteText) -> str:
    """One object on one line."""
    return json.dumps(as_record(realization, nbest, write), ensure_ascii=False) + "\n"


def as_record(realization: Realization, nbest: int, write: WriteText) -> dict[str, Any]:
    """What JSON has of a realization."""
    names = given_identifiers(realization)
    described = [
        {
            "text": write(candidate.sentence),
            "tokens": list(candidate.sentence.forms),
            "order": [names[node] for node in candidate.order],
            "scores": asdict(candidate.scores),
        }
        for candidate in realization.best
    ]
    record: dict[str, Any] = {"source": realization.tree.source}
    if identifier := dict(realization.tree.metadata).get("sent_id"):
        record["sent_id"] = identifier
    record |= described[0]
    record["stages"] = list(realization.stages)
    if nbest > 1:
        record["nbest"] = described
    return record


def as_shared_task(realization: Realization, nbest: int, write: WriteText) -> str:
    """The text format of the surface realization shared tasks; the number of the sentence stands before it."""
    texts = [f"# text = {write(candidate.sentence)}\n" for candidate in realization.best]
    return "".join(texts) + "\n" if nbest > 1 else texts[0] + "\n"


RENDERERS: dict[str, Renderer] = {
    "text": as_text,
    "tokens": as_tokens,
    "conllu": as_conllu,
    "json": as_json,
    "shared-task": as_shared_task,
}


def failed(output: str, error: str, source: str) -> str:
    """What stands in the place of a tree that failed, so that output and input stay parallel.

    An empty line in text and tokens, an object with ``error`` in JSON, nothing in CoNLL-U, which has no way
    to say it (there the identifiers of the sentences do).
    """
    if output == "shared-task":
        return "# text =\n\n"
    if output == "json":
        return json.dumps({"source": source, "error": error}, ensure_ascii=False) + "\n"
    return "" if output == "conllu" else "\n"


def given_identifiers(realization: Realization) -> list[str | None]:
    """The names of the nodes that the input has; None for function words that were added."""
    given = [node for node in range(len(realization.tree)) if node not in realization.inserted]
    nodes = tuple(realization.tree.nodes[node] for node in given)
    names = dict(zip(given, identifiers(DependencyTree(nodes, (-1, *[0] * (len(given) - 1)))), strict=True))
    return [names.get(node) for node in range(len(realization.tree))]


def identifiers(tree: DependencyTree) -> list[str]:
    """The names by which the input knows the nodes; where it has none, their numbers in order of mention."""
    names = [node.identifier for node in tree.nodes]
    if "" in names or len(set(names)) < len(names):
        return [str(number) for number in range(1, len(names) + 1)]
    return names


def respaced(tree: DependencyTree, order: Sequence[int]) -> DependencyTree:
    """The tree without the input's ``SpaceAfter=No`` at words that have another neighbour now."""
    nodes = list(tree.nodes)
    for node, following in zip(order, [*order[1:], None], strict=True):
        items = (nodes[node].misc or "").split("|")
        name = nodes[node].identifier
        next_name = tree.nodes[following].identifier if following is not None else ""
        same = name.isdecimal() and next_name == str(int(name) + 1)
        if "SpaceAfter=No" in items and not same:
            kept = "|".join(item for item in items if item != "SpaceAfter=No")
            nodes[node] = replace(nodes[node], misc=kept or None)
    return tree.with_nodes(nodes)


def _lines(sentences: Sequence[str], nbest: int) -> str:
    return "".join(f"{sentence}\n" for sentence in sentences) + ("\n" if nbest > 1 else "")
