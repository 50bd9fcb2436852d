"""A dependency tree drawn as text, for people.

estimate                      without an order: daughters as the tree stores them
├── there
└── for
    └── phase

┌── there                     in a given order: one word a line, top to bottom, each
estimate                      joined to its head above or below
└── for
    └── phase
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fergus.core.tree import DependencyTree, Node, OrderedTree

_DEEPEST_INDENT = 60
"""Below this depth the lines are not indented further, or a chain of n words would need n² characters."""


def draw(tree: DependencyTree, *, order: Sequence[int] | None = None, labels: bool = False) -> str:
    """The tree as lines of text; with an order, the words stand in it from top to bottom.

    An order that tears a subtree apart (not projective) can only be drawn by storing daughters side by
    side: then the words of the sentence are given on a last line.
    """
    text = _with_labels if labels else _form
    if order is None:
        return _draw(tree, None, text)
    position = [0] * len(tree)
    for place, node in enumerate(order):
        position[node] = place
    drawing = _draw(tree, position, text)
    if not OrderedTree(tree, tuple(order)).is_projective:
        drawing += "\n(not projective) " + " ".join(tree.nodes[node].form for node in order)
    return drawing


def _form(node: Node) -> str:
    return (
        "{" + "|".join(choice.word for choice in node.alternatives) + "}"
        if node.alternatives
        else node.form or node.lemma or "_"
    )


def _with_labels(node: Node) -> str:
    parts = [_form(node), node.upos or node.xpos or "", node.deprel or ""]
    if node.lemma is not None and node.lemma != node.form:
        parts.append(f"lemma={node.lemma}")
    parts += [f"{name}={value}" for name, value in node.feats or ()]
    return "  ".join(part for part in parts if part)


def _draw(tree: DependencyTree, position: list[int] | None, text: Callable[[Node], str]) -> str:
    """Nodes in order from an explicit stack; each pending node carries the prefix of its lines."""
    lines: list[str] = []
    # (node, prefix of the lines above it, its own prefix, prefix of the lines below it, done with daughters)
    stack: list[tuple[int, str, str, str, bool]] = [(tree.root, "", "", "", False)]
    while stack:
        node, above, own, below, expanded = stack.pop()
        if expanded:
            lines.append(own + text(tree.nodes[node]))
            continue
        before, after = _split(tree, node, position)
        if len(above) > 4 * _DEEPEST_INDENT:
            above = own = below = "…   "
        # The stack is last in, first out: what is to be drawn first is pushed last.
        for daughter in reversed(after):
            last = daughter == after[-1]
            corner, line = ("└── ", "    ") if last else ("├── ", "│   ")
            stack.append((daughter, below + "│   ", below + corner, below + line, False))
        stack.append((node, above, own, below, True))
        for daughter in reversed(before):
            first = daughter == before[0]
            corner, line = ("┌── ", "    ") if first else ("├── ", "│   ")
            stack.append((daughter, above + line, above + corner, above + "│   ", False))
    return "\n".join(lines)


def _split(tree: DependencyTree, node: int, position: list[int] | None) -> tuple[list[int], list[int]]:
    """The daughters drawn above and below a node."""
    daughters = list(tree.daughters[node])
    if position is None:
        return [], daughters
    daughters.sort(key=position.__getitem__)
    here = position[node]
    return [d for d in daughters if position[d] < here], [d for d in daughters if position[d] > here]
