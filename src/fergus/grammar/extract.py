"""Extracts a lexicalised grammar from trees whose word order is known (section 2).

Every node gets an elementary tree: its category, whether it is an argument of its mother (or the root: alpha)
or a modifier (gamma), and its own arguments in the order in which they stand around it.

    today/NOUN:obl  she/PRON:nsubj  sees/VERB:root  her/PRON:obj

    sees   a.VERB(nsubj * obj)     the slots of *she* and *her*
    she    a.PRON                  fills slot 0
    her    a.PRON                  fills slot 1
    today  g.NOUN                  adjoins to a.VERB(nsubj * obj) on the left, one slot from the anchor
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from fergus.core.supertag import ElementaryTree, Kind, Side
from fergus.core.tree import OrderedTree
from fergus.grammar.adjunction import Adjunction, AdjunctionTable
from fergus.grammar.arguments import ARGUMENTS, ArgumentTable, category_of
from fergus.grammar.inventory import Grammar, lexicon_of
from fergus.grammar.names import extracted_tree, label


class Attachment(NamedTuple):
    """How a node hangs on its mother."""

    slot: int | None
    """Which slot of the mother's tree it fills (surface order), None for a modifier and for the root."""
    side: Side | None
    """On which side of the mother it stands, None for the root."""
    gap: int = 0
    """For a modifier: how many of the mother's slots lie between it and the mother."""


class Frame(NamedTuple):
    """The elementary tree of a node and the daughters that fill its slots, in surface order."""

    tree: ElementaryTree
    fillers: tuple[int, ...] = ()


class Frames(Protocol):
    """Another source of elementary trees, asked first; ``fergus.grammar.frames`` finds XTAG's."""

    def frame(self, ordered: OrderedTree, positions: Sequence[int], node: int, kind: Kind) -> Frame | None:
        """The frame of one node, or None for the extracted one; its tree must be of ``kind``."""
        ...


@dataclass(frozen=True)
class TaggedTree:
    """A tree of the treebank with the supertag and the attachment of every node."""

    ordered: OrderedTree
    supertags: tuple[str, ...]
    attachments: tuple[Attachment, ...]


@dataclass(frozen=True)
class Extraction:
    """A grammar and the analysis of every tree it was extracted from."""

    grammar: Grammar
    tagged: tuple[TaggedTree, ...] = field(default=(), repr=False)
    """Empty if ``extract`` was asked not to keep the trees."""


def extract(
    trees: Iterable[OrderedTree],
    *,
    arguments: ArgumentTable = ARGUMENTS,
    frames: Frames | None = None,
    relations: bool = False,
    keep: bool = True,
) -> Extraction:
    """The grammar of ``trees``.

    ``frames`` replaces extracted trees where it has one. With ``relations`` a gamma tree is named after its
    relation too (``g.NOUN/compound``), which tells apart modifiers that stand on different sides. ``keep``
    says whether the analysis of every tree is wanted.
    """
    analysis = Analysis(arguments, frames, relations=relations)
    inventory: dict[str, ElementaryTree] = {}
    lexicon: Counter[tuple[str, str]] = Counter()
    adjunctions: Counter[Adjunction] = Counter()
    fillers: Counter[tuple[str, str]] = Counter()
    kept: list[TaggedTree] = []
    for ordered in trees:
        tagged, found = analysis.tag(ordered)
        for node, (tree, attachment) in enumerate(zip(found, tagged.attachments, strict=True)):
            inventory[tree.name] = tree
            lexicon[ordered.tree.nodes[node].form, tree.name] += 1
            if attachment.side is None:
                continue
            mother = found[ordered.tree.heads[node]]
            if attachment.slot is None:
                adjunctions[Adjunction(tree.name, mother.name, attachment.side, attachment.gap)] += 1
            else:
                fillers[mother.slots[attachment.slot].category, tree.category] += 1
        if keep:
            kept.append(tagged)
    ordered_inventory = {name: inventory[name] for name in sorted(inventory)}
    table = AdjunctionTable(dict(adjunctions), {name: tree.category for name, tree in ordered_inventory.items()})
    return Extraction(Grammar(ordered_inventory, lexicon_of(lexicon), table, dict(fillers)), tuple(kept))


class Analysis:
    """Finds the elementary trees of one tree after the other; equal trees are one object."""

    def __init__(
        self, arguments: ArgumentTable = ARGUMENTS, frames: Frames | None = None, *, relations: bool = False
    ) -> None:
        self.arguments = arguments
        self.frames = frames
        self.relations = relations
        self._known: dict[tuple[Kind, str, str, tuple[str, ...], tuple[str, ...]], ElementaryTree] = {}

    def tag(self, ordered: OrderedTree) -> tuple[TaggedTree, list[ElementaryTree]]:
        """The supertags and attachments of a tree, and the trees the supertags name."""
        tree = ordered.tree
        positions = [0] * len(tree)
        for place, node in enumerate(ordered.order):
            positions[node] = place
        found: list[ElementaryTree | None] = [None] * len(tree)
        attachments = [Attachment(None, None)] * len(tree)
        for node in reversed(tree.bottom_up):  # mothers first: her tree decides who is an argument
            attachment = attachments[node]
            kind: Kind = "gamma" if attachment.side and attachment.slot is None else "alpha"
            frame = self.frames.frame(ordered, positions, node, kind) if self.frames else None
            if frame is None:
                frame = self.extracted(ordered, positions, node, kind)
            found[node] = frame.tree
            attach(frame, tree.daughters[node], positions, node, attachments)
        trees = [each for each in found if each is not None]
        return TaggedTree(ordered, tuple(each.name for each in trees), tuple(attachments)), trees

    def extracted(self, ordered: OrderedTree, positions: Sequence[int], node: int, kind: Kind) -> Frame:
        """The frame that the treebank's own relations give."""
        nodes = ordered.tree.nodes
        category = category_of(nodes[node])
        fillers = [d for d in ordered.tree.daughters[node] if self.arguments.has(nodes[d].deprel, category)]
        fillers.sort(key=positions.__getitem__)
        left = tuple(label(nodes[d].deprel or "") for d in fillers if positions[d] < positions[node])
        right = tuple(label(nodes[d].deprel or "") for d in fillers if positions[d] > positions[node])
        relation = label(nodes[node].deprel or "") if self.relations and kind == "gamma" else ""
        key = (kind, label(category), relation, left, right)
        if key not in self._known:
            self._known[key] = extracted_tree(*key)
        return Frame(self._known[key], tuple(fillers))


def attach(
    frame: Frame, daughters: Iterable[int], positions: Sequence[int], node: int, attachments: list[Attachment]
) -> None:
    """Note how each daughter hangs on ``node``, given which of them fill its slots."""
    places = sorted(positions[filler] for filler in frame.fillers)
    before_anchor = bisect_left(places, positions[node])
    slot_of = {filler: slot for slot, filler in enumerate(frame.fillers)}
    for daughter in daughters:
        side: Side = "left" if positions[daughter] < positions[node] else "right"
        if daughter in slot_of:
            attachments[daughter] = Attachment(slot_of[daughter], side)
        else:
            gap = abs(before_anchor - bisect_left(places, positions[daughter]))
            attachments[daughter] = Attachment(None, side, gap)
