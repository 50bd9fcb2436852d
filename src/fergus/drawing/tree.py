"""A dependency tree as SVG: the root on top, over every word its relation, under it its supertag.

         estimate                     Without an order the daughters stand as near to one another as their words
          a.NOUN                      allow (Reingold and Tilford 1981). With one every word has a column of its
  ┌──────┬──┴────┐                    own, so that the sentence can be read from left to right.
expl    cop     nmod
there   was     for
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from fergus.core.tree import DependencyTree, Node
from fergus.drawing.svg import cut, document, ems, group, label, line, xy
from fergus.drawing.tidy import tidy

_WORD, _SMALL = 14.0, 10.5
_BETWEEN = 34.0
"""From the last line of a node to the first of its daughters."""
_APART = 14.0
_MARGIN = 12.0


@dataclass(frozen=True, slots=True)
class _Shown:
    """What stands at a node."""

    relation: str
    word: str
    below: str
    whole: str

    @property
    def width(self) -> float:
        return max(_WORD * ems(self.word), _SMALL * ems(self.relation), _SMALL * ems(self.below)) + _APART


def draw_tree(
    tree: DependencyTree,
    *,
    order: Sequence[int] | None = None,
    supertags: Sequence[str] = (),
    marked: Collection[int] = (),
    title: str = "",
    limit: int = 150,
) -> str:
    """The tree with lexemes, relations and, where given, the supertag of every node; else categories.

    ``marked`` nodes are coloured. Every node is a group with its number as ``data-node``. Of a tree with more than
    ``limit`` nodes, those nearest to the root are drawn, and a sentence says so.
    """
    kept = tree.bottom_up[::-1][: max(limit, 1)]  # breadth first: mothers before daughters
    shown = {n: _shown(tree.nodes[n], supertags[n] if supertags else None) for n in kept}
    drawn = {n: [d for d in tree.daughters[n] if d in shown] for n in kept}
    depth = {tree.root: 0}
    for node in kept[1:]:
        depth[node] = depth[tree.heads[node]] + 1
    middle = _columns(shown, order) if order is not None else tidy(kept, drawn, {n: shown[n].width for n in kept})
    left = min(middle[n] - shown[n].width / 2 for n in kept)
    # Nothing but edges between one level's lowest line and the next one's highest: no edge crosses a text.
    above = 28 if any(one.relation for one in shown.values()) else 15
    below = 20 if any(one.below for one in shown.values()) else 7
    level = above + below + _BETWEEN
    place = {n: (middle[n] - left + _MARGIN, _MARGIN + above + level * depth[n]) for n in kept}
    body = [_edge(place[tree.heads[n]], place[n], shown[tree.heads[n]], shown[n]) for n in kept if n != tree.root]
    reading = sorted(kept, key=lambda n: place[n]) if order is not None else kept
    body += [_node(n, place[n], shown[n], marked=n in marked) for n in reading]
    left_out = len(tree) - len(kept)
    note = f"{len(kept)} of {len(tree):,} words are drawn, those nearest to the root." if left_out else ""
    return document(
        "tree",
        body,
        width=max(place[n][0] + shown[n].width / 2 for n in kept) + _MARGIN,
        height=max(place[n][1] for n in kept) + below + _MARGIN,
        title=title or f"Dependency tree of {shown[tree.root].whole}",
        description=described(tree, shown, drawn),
        note=note,
    )


def described(tree: DependencyTree, shown: dict[int, _Shown], drawn: dict[int, list[int]]) -> str:
    """The tree in words, for those who do not see it."""
    parts = []
    for node, daughters in drawn.items():
        if daughters:
            named = (shown[d].whole + (f" ({shown[d].relation})" if shown[d].relation else "") for d in daughters)
            parts.append(f"{shown[node].whole} governs {', '.join(named)}.")
    return " ".join(parts) or f"A single word, {shown[tree.root].whole}."


def _shown(node: Node, supertag: str | None) -> _Shown:
    word = "{" + "|".join(c.word for c in node.alternatives) + "}" if node.alternatives else node.form or node.lemma
    below = supertag if supertag is not None else node.upos or node.xpos or ""
    return _Shown(cut(node.deprel or "", 20), cut(word or "_"), cut(below), word or "_")


def _columns(shown: dict[int, _Shown], order: Sequence[int]) -> dict[int, float]:
    middle, edge = {}, 0.0
    for node in order:
        if node in shown:
            middle[node] = edge + shown[node].width / 2
            edge += shown[node].width
    return middle


def _edge(mother: tuple[float, float], daughter: tuple[float, float], above: _Shown, below: _Shown) -> str:
    start = (mother[0], mother[1] + (20 if above.below else 7))
    end = (daughter[0], daughter[1] - (28 if below.relation else 15))
    bend = (start[1] + end[1]) / 2
    return line(f"M{xy(start)}C{start[0]:.1f} {bend:.1f} {end[0]:.1f} {bend:.1f} {xy(end)}")


def _node(node: int, place: tuple[float, float], shown: _Shown, *, marked: bool) -> str:
    x, y = place
    parts = []
    if shown.relation:
        parts.append(label(shown.relation, x, y - 17, size=_SMALL, fill="quiet", italic=True))
    parts.append(label(shown.word, x, y, size=_WORD, fill="best" if marked else "ink", bold=True))
    if shown.below:
        parts.append(label(shown.below, x, y + 14, size=_SMALL, fill="quiet"))
    tip = shown.whole if shown.whole != shown.word else ""
    return group(parts, name="node marked" if marked else "node", tooltip=tip, node=node)
