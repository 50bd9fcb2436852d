"""The JSON of a tree, on one line, nested where it is shallow enough and flat otherwise."""

from __future__ import annotations

import json
from typing import Any

from fergus.core.tree import ROOT, Before, DependencyTree, Node

DEEPEST_NESTED = 200
"""Trees deeper than this are written flat: readers of nested JSON run out of stack."""


def to_json(tree: DependencyTree, *, flat: bool = False) -> str:
    """One line of JSON that ``read_json`` reads back; node order carries no meaning."""
    return json.dumps(tree_to_object(tree, flat=flat), ensure_ascii=False)


def tree_to_object(tree: DependencyTree, *, flat: bool = False) -> dict[str, Any]:
    """The tree as dictionaries and lists, ready for ``json.dumps``."""
    ids = _identifiers(tree, needed=flat or bool(tree.constraints) or _depth(tree) > DEEPEST_NESTED)
    records = [_record(node, name) for node, name in zip(tree.nodes, ids, strict=True)]
    if flat or _depth(tree) > DEEPEST_NESTED:
        for record, head in zip(records, tree.heads, strict=True):
            record["head"] = None if head == ROOT else ids[head]
        result: dict[str, Any] = {"nodes": records}
    else:
        for node in tree.bottom_up:
            if tree.daughters[node]:
                records[node]["daughters"] = [records[daughter] for daughter in tree.daughters[node]]
        result = records[tree.root]
    if tree.constraints:
        result["constraints"] = [
            {"before": [ids[c.first], ids[c.second]]}
            if isinstance(c, Before)
            else {"node": ids[c.node], "side": c.side} | ({} if c.rank is None else {"rank": c.rank})
            for c in tree.constraints
        ]
    if tree.metadata:
        result["metadata"] = dict(tree.metadata)
    return result


def _record(node: Node, identifier: str) -> dict[str, Any]:
    record: dict[str, Any] = {"id": identifier} if identifier else {}
    if node.alternatives:
        record["alternatives"] = [
            choice.word if choice.weight == 1 else {"word": choice.word, "weight": choice.weight}
            for choice in node.alternatives
        ]
    elif node.form:
        record["form"] = node.form
    for key in ("lemma", "upos", "xpos", "deprel", "misc"):
        if (value := getattr(node, key)) is not None:
            record[key] = value
    if node.feats:
        record["feats"] = dict(node.feats)
    return record


def _identifiers(tree: DependencyTree, *, needed: bool) -> list[str]:
    """The nodes' own names if they will do, else 1, 2, 3, ..."""
    own = [node.identifier for node in tree.nodes]
    if needed and ("" in own or len(set(own)) < len(own)):
        return [str(number) for number in range(1, len(tree) + 1)]
    return own


def _depth(tree: DependencyTree) -> int:
    depth = [1] * len(tree)
    for node in reversed(tree.bottom_up):
        if (head := tree.heads[node]) != ROOT:
            depth[node] = depth[head] + 1
    return max(depth)
