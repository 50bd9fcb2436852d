"""XTAG's trees as dependency trees see them: who depends on the anchor, on whom the anchor (section 2).

    betanx0Vs1   (S_r NP_0↓ (VP V◊ S_1*))     NP.s * S     *think*: the foot is the verb's own complement
    betavxPnx    (VP_r VP* (PP P◊ NP↓))       * NP         the foot is the mother, on whose right it stands
    betaN0nx0V   (NP_r NP_f* (S_p NP_w↓ ...)) NP.w *       a relative clause

XTAG and a treebank's dependencies differ in five places; a tree read against its own grain gets a suffix:

- Where the foot of a verb's tree is a complement (``S_1``), it is a slot and the tree an alpha tree.
- Phrases that hold a fixed word or a co-anchor (*by* NP, a particle) are one slot.
- Slots for punctuation are left out: marks attach by the adjunction table.
- A conjunction or mark depends on the first conjunct; what XTAG substitutes behind it depends on the first
  conjunct too. So the trees of conjunctions and marks have no slots; the closing one of a pair is ``/close``.
- Subordinating prepositions and the genitive *'s* depend on the word that fills their slot: ``/head``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from fergus.core.bracketing import Phrase, parse_bracketing
from fergus.core.supertag import ElementaryTree, Kind, Side
from fergus.grammar.phrase_structure import dependency_slots, foot_of, main_anchor, slots_by_side

Signature = tuple[tuple[str, ...], tuple[str, ...]]
"""The symbols of the slots left and right of the anchor."""

SUBJECT_OF_VERB = re.compile(r"(?:nx|s|N)(\d)l?V")
GERUND = re.compile(r"alpha(R|RE|X)?G")
IMPERATIVE = re.compile(r"(alpha(R|RE)?|beta(X)?)I(E?nx)")
ERGATIVE = re.compile(r"T(R?)E")
RARE = {"D": 2, "E": 1, "R": 3, "X": 1, "I": 3}
"""Extra distance of families by the letter behind the T: ergatives, resultatives, clefts and the like."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read an XTAG tree in a dependency tree."""

    tree: ElementaryTree
    """With the slots of this reading; its name may carry a suffix."""
    source: str
    """XTAG's own name."""
    anchor: str
    """The category under which words look for it; ``Mark`` for subordinating prepositions."""
    signature: Signature
    passive: bool | None = None
    """None where the tree has no clause of its own."""
    gerund: bool = False
    imperative: bool = False
    clause: bool = False
    """Whether the anchor heads a clause (its family is a verb's or a predicate's)."""
    relative: bool = False
    """Whether it is a clause that modifies a noun."""
    distance: int = 0
    """The smaller, the more ordinary the tree: decides among equals."""


def readings(tree: ElementaryTree) -> Iterator[Reading]:
    """All readings of one tree; none for the few that dependency trees cannot show."""
    phrase = parse_bracketing(tree.bracketing)
    anchor, foot = main_anchor(phrase), foot_of(phrase)
    if tree.category == "Conj":
        side: Side = tree.side or "left"  # betaCONJs has a slot where the others have their foot
        yield plain(tree, tree.name, side, tree.foot or "S", distance=len(tree.co_anchors))
    elif tree.category == "Punct":
        yield from marks(tree, phrase, anchor, foot)
    else:
        yield dependency_reading(tree, phrase, anchor, foot)
        yield from slot_as_head(tree)


def plain(
    tree: ElementaryTree, name: str, side: Side | None, foot: str, *, anchor: str = "", distance: int = 0
) -> Reading:
    """A gamma reading without slots."""
    bare = replace(tree, name=name, kind="gamma", left=(), right=(), side=side, foot=foot, co_anchors=())
    return Reading(bare, tree.name, anchor or tree.category, ((), ()), distance=distance)


def marks(tree: ElementaryTree, phrase: Phrase, anchor: int, foot: int) -> Iterator[Reading]:
    """A punctuation mark, and the closing one where the tree has two around its foot."""
    if foot < 0:
        return
    adjective = any(slot.category == "A" for slot in tree.slots)  # betanxPUa: rarer than with a noun phrase
    yield plain(tree, tree.name, tree.side, tree.foot, distance=len(tree.co_anchors) + adjective)
    closing = [place for place, node in enumerate(phrase) if node.role == "headp" and place > foot > anchor]
    if closing:
        yield plain(tree, f"{tree.name}/close", "right", tree.foot, distance=1)


def slot_as_head(tree: ElementaryTree) -> Iterator[Reading]:
    """*because* under the verb of its clause, *'s* under the possessor."""
    if tree.kind == "gamma" and not tree.co_anchors and not tree.family:
        slots = [slot.category for slot in tree.slots if not slot.category.startswith("Punct")]
        if tree.category == "P" and slots == ["S"]:
            yield plain(tree, f"{tree.name}/head", "left", "S", anchor="Mark", distance=len(tree.slots))
        if tree.category == "G" and slots == ["NP"]:
            yield plain(tree, f"{tree.name}/head", "right", "NP")


def dependency_reading(tree: ElementaryTree, phrase: Phrase, anchor: int, foot: int) -> Reading:
    """The ordinary reading: one slot for each constituent that depends on the anchor."""
    complement = foot >= 0 and tree.category == "V" and phrase[foot].index.isdigit() and tree.foot == "S"
    places = [
        place
        for place in dependency_slots(phrase, anchor, -1 if complement else foot)
        if phrase[place].category != "Punct"
    ]
    left, right = slots_by_side(phrase, anchor, places)
    kind: Kind = "alpha" if complement else tree.kind
    read = replace(tree, kind=kind, left=left, right=right)
    if complement:
        read = replace(read, side=None, foot="")
    gerund = bool(GERUND.match(tree.name))
    clause = bool(tree.family) and (gerund or any(node.category == "S" for node in phrase))
    relative = clause and kind == "gamma"
    subject = SUBJECT_OF_VERB.search(tree.name)
    passive = bool(subject and subject[1] != "0" and not ERGATIVE.match(tree.family)) if clause else None
    return Reading(
        read,
        tree.name,
        tree.category,
        (
            tuple(symbol(phrase, place) for place in places if place < anchor),
            tuple(symbol(phrase, place) for place in places if place > anchor),
        ),
        passive=passive,
        gerund=gerund,
        imperative=bool(IMPERATIVE.match(tree.name)),
        clause=clause,
        relative=relative,
        distance=2 * len(tree.co_anchors) + RARE.get(tree.family[1:2], 0) + 5 * relative,
    )


def symbol(phrase: Phrase, place: int) -> str:
    """Category of a slot, with ``.s`` for a subject and ``.w`` for a place that asks for a wh-word."""
    node = phrase[place]
    if node.index == "w" or phrase[node.parent].label == "S_q":
        return f"{node.category}.w"
    mother = phrase[node.parent]
    if node.category in ("NP", "S") and node.role != "footp" and mother.category == "S":
        return f"{node.category}.s"
    if node.category == "NP" and mother.label == "NP_r":  # the subject of a gerund
        return "NP.s"
    return node.category


def as_adjunct(reading: Reading, suffix: str) -> Reading:
    """An alpha tree that the treebank hangs on its mother as a modifier (a conjunct, an apposition ...)."""
    tree = replace(reading.tree, name=f"{reading.tree.name}/{suffix}", kind="gamma", side=None)
    return replace(reading, tree=tree)


class ReadingIndex:
    """Readings by anchor category, kind, and signature."""

    def __init__(self, trees: Iterable[ElementaryTree]) -> None:
        self._readings: dict[tuple[str, Kind, Signature], list[Reading]] = {}
        for tree in trees:
            for reading in readings(tree):
                key = (reading.anchor, reading.tree.kind, reading.signature)
                self._readings.setdefault(key, []).append(reading)

    def find(self, anchor: str, kind: Kind, signature: Signature) -> list[Reading]:
        """The readings with exactly these slots."""
        return self._readings.get((anchor, kind, signature), [])
