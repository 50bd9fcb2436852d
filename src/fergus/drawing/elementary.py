"""An elementary tree as SVG: its anchor, its slots and its foot marked as the papers mark them (section 2).

      S_r                     …*             ◊ the anchor, the tree's own word
  ┌────┴────┐                 ┊              ↓ a slot, to be filled by an argument
NP_0↓      VP                NOUN            * the foot, where a modifier adjoins; over the tree where only the
        ┌───┴───┐             │                adjunction table says on which side
        V◊    NP_1↓          NOUN◊
"""

from __future__ import annotations

from fergus.core.bracketing import Phrase, PhraseNode, children, parse_bracketing
from fergus.core.supertag import ElementaryTree
from fergus.drawing.svg import cut, document, ems, group, label, line, xy
from fergus.drawing.tidy import tidy

_SIZE = 13.0
_LEVEL = 46.0
_APART = 16.0
_MARGIN = 10.0
_MARKS = {"": "", "headp": "◊", "substp": "↓", "footp": "*"}
_COLOURS = {"": "ink", "headp": "best", "substp": "moved", "footp": "substituted"}
_KINDS = {"alpha": "an argument or the sentence itself", "gamma": "a modifier"}


def draw_elementary(tree: ElementaryTree, *, word: str = "", title: str = "", caption: str = "") -> str:
    """The tree with phrase structure where its grammar has it, else the anchor among its slots.

    A ``word`` is written under the anchor it stands for, a ``caption`` under the drawing.
    """
    phrase = phrase_of(tree)
    below = children(phrase)
    anchor = _anchor(phrase, tree.category) if word else -1
    texts = [cut(node.label, 30) + _MARKS[node.role] for node in phrase]
    written = cut(word, 30)
    width = {i: _SIZE * max(ems(text), ems(written) if i == anchor else 0) + _APART for i, text in enumerate(texts)}
    middle = tidy(range(len(phrase)), dict(enumerate(below)), width)
    left = min(middle[i] - width[i] / 2 for i in middle)
    depth = [0] * len(phrase)
    for i, node in enumerate(phrase):
        depth[i] = depth[node.parent] + 1 if i else 0
    place = {i: (middle[i] - left + _MARGIN, _MARGIN + _SIZE + _LEVEL * depth[i]) for i in middle}
    body = []
    for i, node in enumerate(phrase):
        if i:
            start, end = place[node.parent], place[i]
            path = f"M{xy((start[0], start[1] + 6))}L{xy((end[0], end[1] - 15))}"
            body.append(line(path, dashed=phrase[node.parent].role == "footp"))
    for i, node in enumerate(phrase):
        x, y = place[i]
        colour = _COLOURS[node.role]
        parts = [label(texts[i], x, y, size=_SIZE, fill=colour, bold=node.role == "headp")]
        if i == anchor:
            parts.append(label(written, x, y + 17, size=_SIZE, fill=colour, italic=True))
        body.append(group(parts, name=f"phrase {node.role}".strip()))
    return document(
        "elementary",
        body,
        width=max(place[i][0] + width[i] / 2 for i in middle) + _MARGIN,
        height=max(y + (17 if i == anchor else 0) for i, (_, y) in place.items()) + 6 + _MARGIN,
        title=title or f"Elementary tree {tree.name}",
        description=described(tree, phrase, word),
        note=caption,
    )


def phrase_of(tree: ElementaryTree) -> Phrase:
    """The phrase structure of a tree, made up from its slots where the grammar has none."""
    if tree.bracketing:
        return parse_bracketing(tree.bracketing)
    nodes = []
    if tree.kind == "gamma" and not tree.foot:
        nodes.append(PhraseNode("…", -1, "footp"))
    root = len(nodes)
    nodes.append(PhraseNode(tree.root or tree.category, root - 1))
    if tree.foot and tree.side == "right":
        nodes.append(PhraseNode(tree.foot, root, "footp"))
    nodes += [PhraseNode(slot.category + ("?" if slot.optional else ""), root, "substp") for slot in tree.left]
    nodes.append(PhraseNode(tree.category, root, "headp"))
    nodes += [PhraseNode(category, root, "headp") for category in tree.co_anchors]
    nodes += [PhraseNode(slot.category + ("?" if slot.optional else ""), root, "substp") for slot in tree.right]
    if tree.foot and tree.side != "right":
        nodes.append(PhraseNode(tree.foot, root, "footp"))
    return tuple(nodes)


def described(tree: ElementaryTree, phrase: Phrase, word: str) -> str:
    """The tree in words, for those who do not see it."""
    slots = [node.label for node in phrase if node.role == "substp"]
    parts = [
        f"The tree of {_KINDS[tree.kind]}, anchored by {f'{word}, ' if word else ''}{tree.category}.",
        f"Slots from left to right: {', '.join(slots)}." if slots else "It has no slots.",
    ]
    if tree.foot:
        parts.append(f"It adjoins to {tree.foot}" + (f", on its {tree.side}." if tree.side else "."))
    return " ".join(parts)


def _anchor(phrase: Phrase, category: str) -> int:
    anchors = [i for i, node in enumerate(phrase) if node.role == "headp"]
    return next((i for i in anchors if phrase[i].category == category), anchors[0] if anchors else -1)
