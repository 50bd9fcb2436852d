"""CoNLL-U from a tree and an order of its nodes, with IDs by that order."""

from __future__ import annotations

from collections.abc import Sequence

from fergus.core.tree import ROOT, DependencyTree, Node
from fergus.treebank.choices import choices_to_misc
from fergus.treebank.constraints import constraint_items

# What would end a column or a line becomes a space, which CoNLL-U allows inside a form.
_SPACES = dict.fromkeys(map(ord, "\t\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"), " ")


def write_conllu(tree: DependencyTree, order: Sequence[int]) -> str:
    """One sentence with the empty line that ends it.

    Labels, metadata, order constraints and words to choose from are kept. A multiword token of the input comes
    back only where its words still stand together, in their order.
    """
    number = {node: position for position, node in enumerate(order, 1)}
    ranges, miscs, comments = _multiword_tokens(tree, order)
    lines = [f"# {key} = {value}" if value else f"# {key}" for key, value in comments]
    constraints = constraint_items(tree)
    for position, index in enumerate(order, 1):
        if position in ranges:
            end, old, surface = ranges[position]
            lines.append("\t".join((f"{position}-{end}", surface, *"_______", miscs.get(old, "_"))))
        node = tree.nodes[index]
        head = tree.heads[index]
        misc = [node.misc] if node.misc else []
        for key, value in constraints.get(index, ()):
            misc.append(f"{key.capitalize()}={number[value] if isinstance(value, int) else value}")
        if node.alternatives:
            misc.append(f"Alternatives={choices_to_misc(node.alternatives)}")
        columns = (
            str(position),
            node.form or "_",
            node.lemma or "_",
            node.upos or "_",
            node.xpos or "_",
            _feats(node),
            "0" if head == ROOT else str(number[head]),
            node.deprel or "_",
            "_",
            "|".join(misc) or "_",
        )
        lines.append("\t".join(column.translate(_SPACES) for column in columns))
    return "\n".join(line if "\t" in line else line.translate(_SPACES) for line in lines) + "\n\n"


def _feats(node: Node) -> str:
    """Features in the order CoNLL-U asks for: by name, without regard to case."""
    pairs = sorted(node.feats or (), key=lambda pair: (pair[0].lower(), pair))
    return "|".join(f"{name}={value}" if value else name for name, value in pairs) or "_"


def _multiword_tokens(
    tree: DependencyTree, order: Sequence[int]
) -> tuple[dict[int, tuple[int, str, str]], dict[str, str], list[tuple[str, str]]]:
    """Multiword tokens by their first position, their MISC by their old range, and the other metadata."""
    position = {tree.nodes[node].identifier: place for place, node in enumerate(order, 1)}
    ranges: dict[int, tuple[int, str, str]] = {}
    miscs: dict[str, str] = {}
    comments: list[tuple[str, str]] = []
    for key, value in tree.metadata:
        kind, _, rest = key.partition(" ")
        old, _, what = rest.partition(" ")
        first, _, last = old.partition("-")
        if kind != "multiword" or not (first.isdecimal() and last.isdecimal()):
            comments.append((key, value))
        elif what == "misc":
            miscs[old] = value
        else:
            places = [position.get(str(n)) for n in range(int(first), min(int(last), int(first) + 99) + 1)]
            if places and places[0] is not None and places == list(range(places[0], places[0] + len(places))):
                ranges[places[0]] = (places[0] + len(places) - 1, old, value)
    return ranges, miscs, comments
