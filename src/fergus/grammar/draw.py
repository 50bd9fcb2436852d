"""One elementary tree as text: a phrase-structure drawing, or the row of slots around the anchor (section 2).

      S_r                                  nsubj↓  VERB◊  obj↓
  ┌────┴────┐
NP_0↓      VP                      ↓ a slot to be filled     ◊ the anchor, the tree's own word
        ┌───┴───┐                  * the foot, where the tree adjoins
        V◊    NP_1↓
"""

from __future__ import annotations

from dataclasses import dataclass

from fergus.core.bracketing import Phrase, PhraseNode, children, parse_bracketing
from fergus.core.supertag import ElementaryTree, Side
from fergus.grammar.inventory import Grammar

MARKS = {"": "", "headp": "◊", "substp": "↓", "footp": "*"}
MARGIN = 2
"""Columns between sister constituents."""


@dataclass(frozen=True, slots=True)
class Block:
    """A drawn constituent: lines of equal width, and the column under which its mother's branch ends."""

    lines: tuple[str, ...]
    column: int

    @property
    def width(self) -> int:
        """The length of every line."""
        return len(self.lines[0])


def draw(tree: ElementaryTree) -> str:
    """The tree alone; phrase structure where the grammar has it."""
    if tree.bracketing:
        return draw_phrase(parse_bracketing(tree.bracketing))
    cells = [f"{slot.category}{'?' if slot.optional else ''}↓" for slot in tree.left]
    cells.append(f"{tree.category}◊")
    cells.extend(f"{slot.category}{'?' if slot.optional else ''}↓" for slot in tree.right)
    return "   ".join(cells)


def draw_phrase(phrase: Phrase) -> str:
    """A phrase-structure tree, root on top, daughters centred below it."""
    below = children(phrase)
    blocks: dict[int, Block] = {}
    for place in range(len(phrase) - 1, -1, -1):  # preorder backwards: daughters come before mothers
        blocks[place] = stack(label_of(phrase[place]), [blocks.pop(daughter) for daughter in below[place]])
    return "\n".join(line.rstrip() for line in blocks[0].lines)


def label_of(node: PhraseNode) -> str:
    """The node as it is drawn."""
    return node.label + MARKS[node.role] + (" NA" if node.constraint == "NA" and not node.role else "")


def stack(label: str, daughters: list[Block]) -> Block:
    """A label over its daughters, joined by branches."""
    if not daughters:
        return Block((label,), (len(label) - 1) // 2)
    height = max(len(block.lines) for block in daughters)
    starts, columns, width = [], [], 0
    for block in daughters:
        starts.append(width)
        columns.append(width + block.column)
        width += block.width + MARGIN
    width -= MARGIN
    rows = [
        (" " * MARGIN).join(block.lines[i] if i < len(block.lines) else " " * block.width for block in daughters)
        for i in range(height)
    ]
    column = (columns[0] + columns[-1]) // 2
    branch = [" "] * width
    if len(columns) == 1:
        branch[column] = "│"
    else:
        for i in range(columns[0], columns[-1] + 1):
            branch[i] = "─"
        for i in columns:
            branch[i] = "┬"
        branch[columns[0]], branch[columns[-1]] = "┌", "┐"
        branch[column] = "┼" if branch[column] == "┬" else "┴"
    start = column - (len(label) - 1) // 2
    lines = [" " * max(start, 0) + label, "".join(branch), *rows]
    if start < 0:  # the label is wider than what stands to the left of its column
        lines[1:] = [" " * -start + line for line in lines[1:]]
        column -= start
    full = max(len(line) for line in lines)
    return Block(tuple(line.ljust(full) for line in lines), column)


def describe(grammar: Grammar, name: str, *, examples: int = 8) -> str:
    """What ``fergus grammar show NAME`` prints: drawing, kind, family, words, and where it adjoins."""
    tree = grammar.tree(name)
    facts = [f"{tree.name}: {tree.kind} tree, anchor {tree.category}"]
    if tree.co_anchors:
        facts[0] += f", co-anchors {' '.join(tree.co_anchors)}"
    if count := grammar.counts.get(name, 0):
        facts[0] += f", seen {count} time{'s' if count > 1 else ''}"
    drawing = "\n".join("  " + line for line in draw(tree).split("\n"))
    lines = [facts[0], "", drawing, ""]
    if tree.family:
        lines.append(f"family {tree.family}: {len(grammar.families[tree.family])} trees")
    if tree.foot:
        lines.append(f"foot {tree.foot}" + (f": adjoins on the {tree.side} of it" if tree.side else ""))
    words = grammar.anchors.get(name, []) + (grammar.anchors.get(tree.family, []) if tree.family else [])
    if words:
        shown = ", ".join(f"{word} ({count})" if count else word for word, count in words[:examples])
        more = len(words) - examples
        lines.append(f"words: {shown}" + (f" and {more} more" if more > 0 else ""))
    rows: dict[tuple[str, Side, int], int] = {}
    for (gamma, category, side, gap), count in grammar.adjunction.by_category().items():
        if gamma == name:
            rows[category, side, gap] = count
    for (category, side, gap), count in sorted(rows.items(), key=lambda row: (-row[1], row[0]))[:examples]:
        where = "beside the anchor" if gap == 0 else f"{gap} slot{'s' if gap > 1 else ''} from the anchor"
        lines.append(f"adjoins to {category}, {side}, {where}: {count}")
    return "\n".join(lines).rstrip() + "\n"
