"""Maps the nodes of a Penn treebank's dependency trees to XTAG trees by frame and lexicon (section 2).

A node's *frame* is its part of speech, what it is to its mother, and its arguments with their order. The
tree chosen is one whose anchor, kind, side and slots are exactly those of the frame, so that a tree never
contradicts the order seen. Among several the word's own entries in XTAG's lexicon win (by form, then lemma),
then XTAG's defaults for unknown words, then any; then the tree that gives a slot to more optional arguments,
then the likelier place to adjoin, then the more ordinary tree. If there is none, the extracted tree stays.

Heuristics:

- Subject, objects, predicate, complement clause, particle and what a preposition governs must have slots.
  *by* phrases of passives, "closely related" and dative phrases, wh-adverbs and clauses on nouns may have.
- A verb is passive if it is a past participle without *have*, or with a form of *be* or *get*.
- A clause without a subject is a PRO tree; an imperative at the root; a gerund where a noun could be.
- Modifiers before the subject adjoin to S, behind it to VP; before the determiner to NP, behind it to N.
- A tree with a co-anchor (*look up*, *take a walk*) needs those words among the daughters and theirs.
- Conjuncts, possessors, appositions and adverbial clauses, which XTAG substitutes into the tree of the word
  beside them, keep their alpha tree as modifiers: ``/conj``, ``/poss``, ``/app``, ``/adv``. See ``readings``
  for the other suffixes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product

from fergus.core.supertag import Kind, Side
from fergus.core.tree import Node, OrderedTree
from fergus.grammar.arguments import category_of
from fergus.grammar.extract import Extraction, Frame
from fergus.grammar.inventory import Grammar
from fergus.grammar.penn_categories import (
    AUXILIARY,
    BE_OR_GET,
    HAVE,
    OPTIONAL,
    PARENTHETICAL,
    REQUIRED,
    adjunct_suffix,
    anchor_categories,
    is_predicate,
    is_substituted,
    phrase_symbols,
    projections,
)
from fergus.grammar.readings import Reading, ReadingIndex, Signature, as_adjunct
from fergus.grammar.xtag_lexicon import DEFAULT_WORD

SAME_AS = {"''": "``", "-RRB-": "-LRB-", ")": "-LRB-", "(": "-LRB-", "n't": "not", "%": "percent"}
"""Words that XTAG lists under another: the closing mark of a pair, other spellings."""

MOST_SIGNATURES = 64
"""How many ways to read the arguments of one node are tried; two or three are usual."""


@dataclass(frozen=True, slots=True)
class Treelet:
    """A node, its mother and its daughters, with their places in the sentence."""

    node: Node
    mother: Node | None
    daughters: tuple[Node, ...]
    indices: tuple[int, ...]
    places: tuple[int, ...]
    """Of the daughters, relative to the node: negative is left."""
    side: Side | None
    """Of the node beside its mother."""
    aunts: tuple[Node, ...]
    """All daughters of the mother, the node among them."""
    aunt_places: tuple[int, ...]
    """Relative to the mother."""
    place: int
    """The node's own, relative to the mother."""
    grandchildren: frozenset[str]
    """The words two levels below, for idioms with a determiner."""


class XtagFrames:
    """Finds XTAG trees; give it to ``extract``."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self._index = ReadingIndex(grammar.trees.values())
        self._words: dict[tuple[str, str], tuple[str, ...]] = {}
        self._entries: dict[tuple[str, str], dict[str, list[tuple[str, ...]]]] = {}

    def frame(self, ordered: OrderedTree, positions: Sequence[int], node: int, kind: Kind) -> Frame | None:
        """The XTAG tree of a node with the daughters that fill its slots, or None."""
        if ordered.tree.nodes[node].deprel == "PRT":
            return None  # a co-anchor of its verb's tree
        treelet = view(ordered, positions, node)
        conjuncts = [p for a, p in zip(treelet.aunts, treelet.aunt_places, strict=True) if a.deprel == "CONJ"]
        anchors = anchor_categories(
            treelet.node, kind, treelet.side, treelet.mother,
            before_conjunct=any(place > treelet.place for place in conjuncts),
        )  # fmt: skip
        choices = list(argument_choices(treelet))
        suffix = adjunct_suffix(treelet.node)
        if kind == "alpha":
            return self.best(treelet, anchors, choices, "alpha", "")
        found = None
        if not is_substituted(treelet.node, treelet.mother, treelet.side):
            found = self.best(treelet, anchors, choices, "gamma", "")
        return found or (self.best(treelet, anchors, choices, "alpha", suffix) if suffix else None)

    def best(
        self, treelet: Treelet, anchors: Sequence[str], choices: Sequence[Choice], kind: Kind, suffix: str
    ) -> Frame | None:
        """The best reading for the first category that has one."""
        feet = adjunction_sites(treelet)
        for anchor in anchors:
            scored: list[tuple[tuple[int, int, int, int, int, str], Reading, Choice]] = []
            for choice in choices:
                for reading in self._index.find(anchor, kind, choice.signature):
                    if not agrees(treelet, reading):
                        continue
                    if kind == "gamma":
                        if reading.tree.foot not in feet or reading.tree.side != treelet.side:
                            continue
                        preference = feet.index(reading.tree.foot)
                    else:
                        preference = alpha_preference(treelet, reading)
                    tier = self.tier(treelet, anchor, reading)
                    if tier is None or (tier and choice.optional):
                        continue
                    distance = reading.distance
                    if tier == 0 and reading.anchor == "V":
                        distance -= 4 * len(reading.tree.co_anchors)  # all its words are there: the idiom
                    score = (choice.cost, tier, -choice.optional, preference, distance, reading.tree.name)
                    scored.append((score, reading, choice))
            if scored:
                _, reading, choice = min(scored, key=lambda item: item[0])
                return Frame((as_adjunct(reading, suffix) if suffix else reading).tree, choice.fillers)
        return None

    def tier(self, treelet: Treelet, anchor: str, reading: Reading) -> int | None:
        """0 for the word's own entry, 1 for XTAG's default, 2 for any other; None without the co-anchor."""
        category = "P" if anchor == "Mark" else anchor
        tree = self.grammar.trees[reading.source]
        alone = category in ("Punct", "Conj")  # the second of a pair is a word of its own
        for word in self.words(treelet.node.form, category):
            entries = self.entries(word, category)
            for name in (reading.source, tree.family):
                listed = entries.get(name, ())
                if any(alone or not others or words_below(treelet) >= {*others} for others in listed):
                    return 0
        if not alone and any(other != "PL" for other in tree.co_anchors):
            return None
        default = self.entries(DEFAULT_WORD, category)
        return 1 if reading.source in default or tree.family in default else 2

    def words(self, form: str, category: str) -> tuple[str, ...]:
        """The words under which a form may be listed: itself, in lower case, its lemmas."""
        key = (form, category)
        if key not in self._words:
            forms = dict.fromkeys((form, form.lower(), SAME_AS.get(form, form)))
            for each in list(forms):
                forms.update((lemma, None) for lemma, _ in self.grammar.morphology.get(each, ()))
            self._words[key] = tuple(each for each in forms if self.entries(each, category))
        return self._words[key]

    def entries(self, word: str, category: str) -> dict[str, list[tuple[str, ...]]]:
        """What a word of a category may anchor: tree or family name to the co-anchors it then needs."""
        key = (word, category)
        if key not in self._entries:
            found: dict[str, list[tuple[str, ...]]] = {}
            for entry in self.grammar.lexicon.get(word, ()):
                if entry.category == category:
                    found.setdefault(entry.name, []).append(entry.co_anchors)
            self._entries[key] = found
        return self._entries[key]


def view(ordered: OrderedTree, positions: Sequence[int], node: int) -> Treelet:
    """The surroundings of a node."""
    tree = ordered.tree
    head = tree.heads[node]
    aunts = tree.daughters[head] if head >= 0 else ()
    here = positions[node]
    there = positions[head] if head >= 0 else here
    indices = tuple(sorted(tree.daughters[node], key=positions.__getitem__))
    return Treelet(
        tree.nodes[node],
        tree.nodes[head] if head >= 0 else None,
        tuple(tree.nodes[d] for d in indices),
        indices,
        tuple(positions[d] - here for d in indices),
        None if head < 0 else ("left" if here < there else "right"),
        tuple(tree.nodes[a] for a in aunts),
        tuple(positions[a] - there for a in aunts),
        here - there,
        frozenset(tree.nodes[g].form.lower() for d in indices for g in tree.daughters[d]),
    )


def words_below(treelet: Treelet) -> set[str]:
    """The words among which the co-anchors of the node's tree must be."""
    words = {node.form.lower() for node in treelet.daughters} | treelet.grandchildren
    return words | {node.lemma.lower() for node in treelet.daughters if node.lemma}


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to read the daughters as fillers of slots."""

    fillers: tuple[int, ...]
    signature: Signature
    optional: int
    """How many optional arguments are among them."""
    cost: int
    """How far the slots are from the likeliest ones for these daughters."""


def argument_choices(treelet: Treelet) -> Iterator[Choice]:
    """Every set of arguments, with every way to read them."""
    category = category_of(treelet.node)
    required: list[int] = []
    optional: list[int] = []
    for i, daughter in enumerate(treelet.daughters):
        relation = daughter.deprel or ""
        if relation in REQUIRED:
            required.append(i)
        elif relation in OPTIONAL.get(category, OPTIONAL[""]) and len(optional) < 4:
            optional.append(i)
    for size in range(len(optional), -1, -1):
        for chosen in combinations(optional, size):
            members = sorted([*required, *chosen])
            symbols = [list(enumerate(phrase_symbols(treelet.daughters[i]))) for i in members]
            left = sum(1 for i in members if treelet.places[i] < 0)
            for ways in islice(product(*symbols), MOST_SIGNATURES):
                names = tuple(name for _, name in ways)
                fillers = tuple(treelet.indices[i] for i in members)
                yield Choice(fillers, (names[:left], names[left:]), size, sum(cost for cost, _ in ways))


def agrees(treelet: Treelet, reading: Reading) -> bool:
    """Whether clause, voice, gerund, imperative and auxiliary are what the treelet shows."""
    if reading.anchor != "V":
        being = any(d.deprel == "COP" and d.form.lower() == "being" for d in treelet.daughters)
        predicate = reading.relative or is_predicate(treelet.daughters)
        return predicate >= reading.clause and being >= reading.gerund
    tag, relation = treelet.node.xpos or "", treelet.node.deprel or ""
    if reading.tree.kind == "gamma" and reading.tree.foot in ("V", "VP", "S"):
        # Auxiliaries, and parentheticals such as *he says*, whose trees have places for commas.
        return relation in PARENTHETICAL if "pu" in reading.source else relation in AUXILIARY
    if reading.passive is None:
        return True
    if reading.passive != is_passive(treelet) or (reading.gerund and tag != "VBG"):
        return False
    if reading.imperative:
        free = not any(d.deprel == "AUX" and d.xpos == "TO" for d in treelet.daughters)
        return tag in ("VB", "VBP") and free and relation == "root"
    return True


def is_passive(treelet: Treelet) -> bool:
    """A past participle with *be*, or without any auxiliary."""
    if treelet.node.xpos != "VBN":
        return False
    auxiliaries = {d.form.lower() for d in treelet.daughters if d.deprel in ("AUX", "COP")}
    return bool(auxiliaries & BE_OR_GET) or not auxiliaries & HAVE


def alpha_preference(treelet: Treelet, reading: Reading) -> int:
    """Phrases for words without a clause around them, clauses for verbs and predicates."""
    if reading.anchor == "V":
        noun_place = treelet.node.deprel in ("SBJ", "OBJ", "POBJ", "PCOMP")
        if treelet.node.xpos == "VBG" and reading.gerund != noun_place:
            return 1
        return 0 if reading.clause else 5
    if not reading.clause and is_predicate(treelet.daughters):
        return 5
    return 0 if reading.tree.root in ("NP", "AP", "PP", "") or reading.clause else 1


def adjunction_sites(treelet: Treelet) -> list[str]:
    """The categories at which the node can adjoin to its mother in its place, the likeliest first."""
    if treelet.mother is None:
        return []
    sites = projections(treelet.mother, treelet.aunts, treelet.side)
    beyond = [
        aunt.deprel or ""
        for aunt, place in zip(treelet.aunts, treelet.aunt_places, strict=True)
        if 0 > place > treelet.place
    ]
    if "SBJ" in beyond:
        return [site for site in sites if site == "S"]
    if treelet.side == "left" and any(aunt.deprel == "SBJ" for aunt in treelet.aunts):
        sites = [site for site in sites if site != "S"] + (["S"] if "COP" in beyond or "AUX" in beyond else [])
    if {"DT", "POSS"} & set(beyond):
        sites = [site for site in sites if site not in ("N", "A")]
    return sites


@dataclass(frozen=True)
class Coverage:
    """How many nodes of each category got a tree of XTAG's."""

    mapped: dict[str, int]
    total: dict[str, int]

    @property
    def share(self) -> float:
        """Mapped nodes as a share of all."""
        return sum(self.mapped.values()) / max(1, sum(self.total.values()))

    def __str__(self) -> str:
        rows = [f"XTAG trees for {self.share:.1%} of {sum(self.total.values())} words"]
        for category in sorted(self.total, key=lambda c: (-self.total[c], c)):
            share = self.mapped.get(category, 0) / self.total[category]
            rows.append(f"  {category:<6} {share:7.1%} of {self.total[category]:6}")
        return "\n".join(rows)


def coverage(extraction: Extraction) -> Coverage:
    """Counts over the kept trees; a particle counts if it is the co-anchor of its verb's XTAG tree."""
    mapped: dict[str, int] = {}
    total: dict[str, int] = {}
    for tagged in extraction.tagged:
        tree = tagged.ordered.tree
        for node, (name, attachment) in enumerate(zip(tagged.supertags, tagged.attachments, strict=True)):
            category = category_of(tree.nodes[node])
            total[category] = total.get(category, 0) + 1
            particle = tree.nodes[node].deprel == "PRT" and attachment.slot is not None
            if is_xtag(tagged.supertags[tree.heads[node]] if particle else name):
                mapped[category] = mapped.get(category, 0) + 1
    return Coverage(mapped, total)


def is_xtag(name: str) -> bool:
    """Whether a supertag is one of XTAG's: extracted ones have a dot in second place."""
    return name.startswith(("alpha", "beta"))
