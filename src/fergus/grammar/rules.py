"""Hand-written grammar: rules that fix, forbid or prefer orders, and add trees, beside the stochastic models.

One rule a line, ``#`` begins a comment. *Left of* and *right of* place a daughter beside its head, *before*
and *after* order two daughters of one head (``under`` says of which).

    fix    word "only" left of head                         hard: every sentence obeys
    fix    category ADJ left of category NOUN
    fix    word "not" right of head rank 1                  the nearest daughter on that side
    fix    relation det before relation amod under category NOUN
    forbid category ADV right of category NOUN              hard: the opposite is fixed
    prefer relation obl after relation obj by 2.0           soft: a score in natural-log units
    add    tree "g.ADV(* obl)" for word "only"              an elementary tree, and who may anchor it

A selector is one or more of ``word "..."`` (form, any case), ``lemma "..."``, ``category UPOS``, ``relation
DEPREL``, ``feature Name=Value`` or ``feature Name``, joined by ``and``. A node without the label a selector
asks for is not selected. Two hard rules with the same selectors that contradict one another are an error
when read; where other rules contradict one another in a treelet, the later wins, also over a chain of others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from fergus.core.supertag import ElementaryTree, Side
from fergus.core.tree import Node
from fergus.grammar.inventory import Grammar, LexicalEntry
from fergus.grammar.source import read_utf8

HEAD = -1
"""The mother in the answers of a ``RuleSet``; daughters go by their place in the list that was given."""

Field = Literal["word", "lemma", "category", "relation", "feature"]
FIELDS: tuple[Field, ...] = ("word", "lemma", "category", "relation", "feature")


@dataclass(frozen=True, slots=True)
class Selector:
    """Which nodes a rule speaks of: all tests must hold; no test at all selects every node."""

    tests: tuple[tuple[Field, str], ...] = ()

    def selects(self, node: Node) -> bool:
        """Whether the node is one of them."""
        return all(passes(node, field, value) for field, value in self.tests)

    def __str__(self) -> str:
        quoted = ("word", "lemma")
        return " and ".join(f'{f} "{v}"' if f in quoted else f"{f} {v}" for f, v in self.tests) or "head"


def passes(node: Node, field: Field, value: str) -> bool:
    """One test of a selector; a label that is missing passes none."""
    if field == "word":
        return node.form.casefold() == value.casefold()
    if field == "lemma":
        return node.lemma is not None and node.lemma.casefold() == value.casefold()
    if field == "category":
        return node.upos == value
    if field == "relation":
        return node.deprel == value
    name, equals, wanted = value.partition("=")
    return any(n == name and (not equals or v == wanted) for n, v in node.feats or ())


@dataclass(frozen=True, slots=True)
class PlaceRule:
    """``daughter`` stands on ``side`` of ``head``; hard if ``weight`` is None."""

    daughter: Selector
    side: Side
    head: Selector
    rank: int | None = None
    weight: float | None = None
    line: int = 0


@dataclass(frozen=True, slots=True)
class SisterRule:
    """``first`` comes before ``second`` among the daughters of ``head``; hard if ``weight`` is None."""

    first: Selector
    second: Selector
    head: Selector
    weight: float | None = None
    line: int = 0


@dataclass(frozen=True, slots=True)
class AddedTree:
    """An elementary tree that the grammar gets, and the words that may anchor it."""

    tree: ElementaryTree
    words: tuple[str, ...] = ()
    line: int = 0


OrderRule = PlaceRule | SisterRule


@dataclass(frozen=True)
class RuleSet:
    """The rules of one file, in its order."""

    rules: tuple[OrderRule, ...] = ()
    trees: tuple[AddedTree, ...] = ()

    def precedences(self, mother: Node, daughters: Sequence[Node]) -> list[tuple[int, int]]:
        """Pairs (i, j): item i must come before item j; never a cycle. ``HEAD`` is the mother."""
        order = Precedences(len(daughters))
        for rule in reversed(self.rules):  # the later rule wins, so it comes first
            if rule.weight is None:
                for first, second in pairs(rule, mother, daughters):
                    order.add(first, second)
        return sorted(order.pairs)

    def forbidden(self, mother: Node, daughters: Sequence[Node]) -> list[tuple[int, Side]]:
        """Daughters and the side of the mother on which each may not stand."""
        result: list[tuple[int, Side]] = []
        for first, second in self.precedences(mother, daughters):
            if first == HEAD:
                result.append((second, "left"))
            elif second == HEAD:
                result.append((first, "right"))
        return sorted(result)

    def places(self, mother: Node, daughters: Sequence[Node]) -> list[tuple[int, Side, int]]:
        """Daughters with a fixed side and rank there, 1 nearest to the mother; no two at one place."""
        barred = set(self.forbidden(mother, daughters))
        taken: dict[int, tuple[Side, int]] = {}
        for rule in reversed(self.rules):
            if not isinstance(rule, PlaceRule) or rule.rank is None or not rule.head.selects(mother):
                continue
            for i, daughter in enumerate(daughters):
                place = (rule.side, rule.rank)
                free = i not in taken and place not in taken.values() and (i, rule.side) not in barred
                if free and rule.daughter.selects(daughter):
                    taken[i] = place
        return [(i, *taken[i]) for i in sorted(taken)]

    def weights(self, mother: Node, daughters: Sequence[Node]) -> dict[tuple[int, int], float]:
        """What the soft rules add to the score of "i before j", summed over rules, in natural-log units."""
        result: dict[tuple[int, int], float] = {}
        for rule in self.rules:
            if rule.weight is not None:
                for pair in pairs(rule, mother, daughters):
                    result[pair] = result.get(pair, 0.0) + rule.weight
        return dict(sorted(result.items()))

    def extend(self, grammar: Grammar) -> Grammar:
        """The grammar with the added trees; a word's new entry has the count 1, so that it can be chosen."""
        trees = dict(grammar.trees)
        lexicon = dict(grammar.lexicon)
        for added in self.trees:
            trees[added.tree.name] = grammar.trees.get(added.tree.name, added.tree)
            for word in added.words:
                entries = lexicon.get(word, ())
                if all(entry.name != added.tree.name for entry in entries):
                    lexicon[word] = (*entries, LexicalEntry(added.tree.name, 1))
        categories = {name: tree.category for name, tree in trees.items()}
        table = replace(grammar.adjunction, categories=categories)
        return replace(grammar, trees=trees, lexicon=lexicon, adjunction=table)


def pairs(rule: OrderRule, mother: Node, daughters: Sequence[Node]) -> list[tuple[int, int]]:
    """The pairs (i, j), i before j, that a rule asks for; a pair asked for in both directions is none."""
    if not rule.head.selects(mother):
        return []
    if isinstance(rule, PlaceRule):
        chosen = [i for i, daughter in enumerate(daughters) if rule.daughter.selects(daughter)]
        return [(i, HEAD) if rule.side == "left" else (HEAD, i) for i in chosen]
    firsts = [i for i, daughter in enumerate(daughters) if rule.first.selects(daughter)]
    seconds = [j for j, daughter in enumerate(daughters) if rule.second.selects(daughter)]
    both = set(firsts) & set(seconds)
    return [(i, j) for i in firsts for j in seconds if i != j and not (i in both and j in both)]


class Precedences:
    """Pairs that never form a cycle: one that would is refused."""

    def __init__(self, daughters: int) -> None:
        self.pairs: set[tuple[int, int]] = set()
        self._after = [0] * (daughters + 1)  # for item i at place i + 1: a bit for each item known to follow it

    def add(self, first: int, second: int) -> None:
        """Take the pair, unless second is already known to come before first."""
        i, j = first + 1, second + 1
        if self._after[j] >> i & 1:
            return
        self.pairs.add((first, second))
        follow = self._after[j] | 1 << j
        for k, after in enumerate(self._after):
            if k == i or after >> i & 1:
                self._after[k] = after | follow


def load_rules(path: str | Path) -> RuleSet:
    """The rules of a file."""
    from fergus.grammar.rule_parser import parse_rules

    return parse_rules(read_utf8(path), path=str(path))
