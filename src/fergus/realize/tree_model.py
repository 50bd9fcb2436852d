"""The supertag tree model: lexeme and supertag of a daughter given lexeme and supertag of her mother (3.3).

P(l_d, s_d | l_m, s_m, role) = P(s_d | l_m, s_m, role) * P(l_d | s_d, l_m, s_m, role), where the role is the slot
of the mother's tree that the daughter fills (``SBJ<``: a slot SBJ on the left), ``+`` for a modifier, ``root``
for the root. Each factor is interpolated by Witten-Bell, from the last level of these lists to the first:

    supertag   (l_m, s_m, role)  (s_m, role)  (category of s_m, role)  role  evenly among all trees
    lexeme     (s_d, l_m)  (s_d, category of s_m, role)  s_d  the word's class given s_d

The class of a word is how it is written and its last letters. A treelet is the product over the daughters and
P(number of modifiers | s_m), whose levels are the tree, its category, and all trees.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, TypeVar

from numpy.typing import NDArray

from fergus.core.supertag import ElementaryTree
from fergus.core.tree import ROOT
from fergus.errors import ModelError
from fergus.grammar.extract import Extraction, TaggedTree
from fergus.grammar.inventory import Grammar
from fergus.realize.conditional_counts import (
    ConditionalCounts,
    Context,
    tables_from_arrays,
    tables_to_arrays,
)
from fergus.realize.features import PUNCTUATION_SHAPE, word_shape

MODIFIER, AT_ROOT = "+", "root"
MOST_MODIFIERS = 6
"""More modifiers than this are counted as this many."""
RARE = 3
"""Words seen at most this often tell what unknown words are like."""
MEMORY = 500_000
"""Estimates kept for the next tree; beyond that all are forgotten."""
UNSEEN = 1000
"""How many words of each class are taken not to have been seen."""
LABEL_FLOOR = 1e-4
"""What a label that was never seen with a supertag is given."""
K = TypeVar("K")
LEXICAL = ("tag_given_word", "word_given_word", "place_given_word")
TABLES = (
    *LEXICAL,
    *("tag_given_tag", "tag_given_category", "tag_given_role"),
    *("word_given_role", "word_given_tag", "class_given_tag", "shape_given_tag", "class_given_shape"),
    *("modifiers_given_tag", "modifiers_given_category"),
    *("upos_given_tag", "relation_given_tag", "relation_given_role"),
)


def word_class(form: str) -> tuple[str, str]:
    """How a word is written, and that with its last three letters: what is known of an unknown word."""
    shape = word_shape(form)
    if shape == PUNCTUATION_SHAPE:
        return "punctuation", "punctuation"
    return str(shape), f"{shape}-{form.lower()[-3:] if not form[-1:].isdigit() else '0'}"


def role_of(mother: ElementaryTree, slot: int) -> str:
    """The role of the daughter in a slot: its category and side, and its number if there are several."""
    before = slot < len(mother.left)
    slots = mother.left if before else mother.right
    place = slot if before else slot - len(mother.left)
    category = slots[place].category
    same = sum(1 for other in slots[:place] if other.category == category)
    return f"{category}{'<' if before else '>'}{same or ''}"


class TreeModel:
    """Probabilities of supertagged treelets; all logarithms are natural."""

    def __init__(self, grammar: Grammar, tables: Mapping[str, ConditionalCounts]) -> None:
        self.grammar = grammar
        self.tables = dict(tables)
        self._category = {"": ""} | {name: tree.category for name, tree in grammar.trees.items()}
        self._seen_tags, self._seen_words = self.tables["tag_given_word"].rows, self.tables["word_given_word"].rows
        self._modifiers: dict[str, list[float]] = {}
        self._tag: dict[tuple[str, str, str], float] = {}
        self._word: dict[tuple[str, str, str, str], float] = {}

    @classmethod
    def train(cls, extraction: Extraction, *, least: int = 1) -> TreeModel:
        """Count the analysed trees; lexicalised events seen less than ``least`` times count only without the mother."""
        grammar = extraction.grammar
        frequency = Counter(node.form.lower() for tagged in extraction.tagged for node in tagged.ordered.tree.nodes)
        collected: dict[str, list[tuple[Context, str]]] = {name: [] for name in TABLES}
        for tagged in extraction.tagged:
            for name, context, outcome in events(tagged, grammar, frequency):
                collected[name].append((context, outcome))
        tables = {
            name: ConditionalCounts.of(found, least=least if name in LEXICAL else 1)
            for name, found in collected.items()
        }
        return cls(grammar, tables)

    @cached_property
    def tags_of_word(self) -> dict[str, dict[str, int]]:
        """For every word of the treebank its supertags with counts."""
        return inverted(self.tables["word_given_tag"])

    @cached_property
    def tags_of_class(self) -> dict[str, dict[str, int]]:
        """For every class (and every shape) of rare words their supertags with counts."""
        return inverted(self.tables["class_given_tag"]) | inverted(self.tables["shape_given_tag"])

    @cached_property
    def tags_of_label(self) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, int]]]:
        """For every UPOS, and for every relation, the supertags seen with it."""
        return inverted(self.tables["upos_given_tag"]), inverted(self.tables["relation_given_tag"])

    def daughter(self, form: str, tag: str, mother_form: str, mother_tag: str, role: str) -> float:
        """Log P(l_d, s_d | l_m, s_m, role); ``mother_form`` in lower case, ``""`` for the root."""
        key = (mother_tag, role, tag)
        plain = self._tag.get(key)
        if plain is None:
            plain = self._remember(self._tag, key, self._tag_probability(mother_tag, role, tag))
        where = (form, tag, self._category[mother_tag], role)
        word = self._word.get(where)
        if word is None:
            word = self._remember(self._word, where, self._word_probability(*where))
        # Most lexicalised contexts are new: look before calling.
        if (mother_form, mother_tag, role) in self._seen_tags:
            plain = self.tables["tag_given_word"].mixed((mother_form, mother_tag, role), tag, plain)
        if (tag, mother_form) in self._seen_words:
            word = self.tables["word_given_word"].mixed((tag, mother_form), form.lower(), word)
        return math.log(plain * word)

    def root(self, form: str, tag: str) -> float:
        """Log P(l, s) of a root."""
        return self.daughter(form, tag, "", "", AT_ROOT)

    def modifiers(self, tag: str, number: int) -> float:
        """Log P(number of modifiers | s_m)."""
        if tag not in self._modifiers:
            counts, category = self.tables["modifiers_given_category"], self.category(tag)
            row = []
            for outcome in map(str, range(MOST_MODIFIERS + 1)):
                estimate = counts.mixed(("",), outcome, 1.0 / (MOST_MODIFIERS + 1))
                estimate = counts.mixed((category,), outcome, estimate)
                row.append(math.log(self.tables["modifiers_given_tag"].mixed((tag,), outcome, estimate)))
            self._modifiers[tag] = row
        return self._modifiers[tag][min(number, MOST_MODIFIERS)]

    def labels(self, tag: str, role: str, upos: str | None, relation: str | None) -> float:
        """Log P(the labels that the input gives | s, role); 0 for a bare node."""
        total = 0.0
        if upos is not None:
            total += math.log(self.tables["upos_given_tag"].mixed((tag,), upos, LABEL_FLOOR))
        if relation is not None:
            in_slot = role not in (MODIFIER, AT_ROOT)
            table, context = ("relation_given_role", role) if in_slot else ("relation_given_tag", tag)
            total += math.log(self.tables[table].mixed((context,), relation, LABEL_FLOOR))
        return total

    def category(self, tag: str) -> str:
        """The category of a supertag's anchor; empty above the root."""
        return self._category[tag]

    def _tag_probability(self, mother_tag: str, role: str, tag: str) -> float:
        estimate = self.tables["tag_given_role"].mixed((role,), tag, 1.0 / len(self.grammar.trees))
        estimate = self.tables["tag_given_category"].mixed((self.category(mother_tag), role), tag, estimate)
        return self.tables["tag_given_tag"].mixed((mother_tag, role), tag, estimate)

    def _word_probability(self, form: str, tag: str, mother_category: str, role: str) -> float:
        word = form.lower()
        estimate = self.tables["word_given_tag"].mixed((tag,), word, self.unknown_word(form, tag))
        return self.tables["word_given_role"].mixed((tag, mother_category, role), word, estimate)

    def unknown_word(self, form: str, tag: str) -> float:
        """P(a word that was never seen | s), by its class; each class is taken to have UNSEEN more words."""
        shape, kind = word_class(form)
        estimate = self.tables["shape_given_tag"].mixed((tag,), shape, 0.05)
        estimate *= self.tables["class_given_shape"].mixed((shape,), kind, 0.01)
        return self.tables["class_given_tag"].mixed((tag,), kind, estimate) / UNSEEN

    def _remember(self, memory: dict[K, float], key: K, value: float) -> float:
        if len(memory) >= MEMORY:
            memory.clear()
        memory[key] = value
        return value

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """The counts as named arrays; the grammar is stored by itself."""
        return tables_to_arrays(self.tables)

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], grammar: Grammar) -> TreeModel:
        """The model that ``to_arrays`` took apart, over the grammar it was trained with."""
        tables = tables_from_arrays(arrays, TABLES)
        for (tag,) in tables["word_given_tag"].rows:
            if tag not in grammar.trees:
                raise ModelError(f"tree model: {tag!r} is no tree of the grammar it is used with")
        return cls(grammar, tables)


def inverted(table: ConditionalCounts) -> dict[str, dict[str, int]]:
    """For every outcome the contexts (of one string) it was seen in, with counts."""
    result: dict[str, dict[str, int]] = {}
    for (context,), outcome, count in table.events():
        result.setdefault(outcome, {})[context] = count
    return result


def events(tagged: TaggedTree, grammar: Grammar, frequency: Mapping[str, int]) -> Iterator[tuple[str, Context, str]]:
    """What one analysed tree adds to the tables: table, context, outcome."""
    tree, tags = tagged.ordered.tree, tagged.supertags
    for node, (head, tag, attachment) in enumerate(zip(tree.heads, tags, tagged.attachments, strict=True)):
        label, form = tree.nodes[node], tree.nodes[node].form
        word, (shape, kind) = form.lower(), word_class(form)
        mother_word = mother_tag = mother_category = ""
        role = AT_ROOT
        if head != ROOT:
            mother = grammar.trees[tags[head]]
            mother_word, mother_tag, mother_category = (
                tree.nodes[head].form.lower(),
                mother.name,
                mother.category,
            )
            role = MODIFIER if attachment.slot is None else role_of(mother, attachment.slot)
            yield "tag_given_word", (mother_word, mother_tag, role), tag
            yield "word_given_word", (tag, mother_word), word
            if attachment.slot is None:
                place = f"{attachment.side}{attachment.gap}"
                yield "place_given_word", (word, tag, mother_category), place
        yield "tag_given_tag", (mother_tag, role), tag
        yield "tag_given_category", (mother_category, role), tag
        yield "tag_given_role", (role,), tag
        yield "word_given_role", (tag, mother_category, role), word
        yield "word_given_tag", (tag,), word
        if frequency[word] <= RARE:
            yield "class_given_tag", (tag,), kind
            yield "shape_given_tag", (tag,), shape
            yield "class_given_shape", (shape,), kind
        modifiers = sum(1 for d in tree.daughters[node] if tagged.attachments[d].slot is None)
        number = str(min(modifiers, MOST_MODIFIERS))
        yield "modifiers_given_tag", (tag,), number
        yield "modifiers_given_category", (grammar.trees[tag].category,), number
        yield "modifiers_given_category", ("",), number
        if label.upos is not None:
            yield "upos_given_tag", (tag,), label.upos
        if label.deprel is not None:
            yield "relation_given_tag", (tag,), label.deprel
            yield "relation_given_role", (role,), label.deprel
