"""The insertion stage: the function words that a deep tree lacks, each with what else it could be.

    book[Definite=Ind,Number=Plur]    read   has      read[VerbForm=Part]     P(has) .7, P(had) .3
    └── student A1                           student  books
                                             the

Slots are decided from the root down: each sees what was decided for the mother. What is decided stands in ``tree``;
the runners-up stand in ``options``, for the lattice, so that neighbouring words have a say. Function words that the
input has fill their slots.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from fergus.core.deep import is_dropped
from fergus.core.tree import DependencyTree, Node
from fergus.realize.given_words import GivenWords, as_reading, readings_with, with_articles, with_reading
from fergus.realize.insertion_features import DeepTreeView
from fergus.realize.insertion_model import InsertionModel
from fergus.realize.insertion_readings import (
    CASE,
    MARK,
    PREDICATE,
    RELATIVE,
    SLOTS,
    Reading,
    Word,
    completed,
)
from fergus.realize.readings import Option

MOST_OPTIONS = 6
LEAST_SHARE = 0.02
"""Options that are less probable than this are not given."""
LEAST_WORD = 0.2
"""A word is offered where there would rather be none if it is at least this probable."""
_NUMBERS_KEPT = 1 << 17


@dataclass(frozen=True)
class Inserted:
    """A tree with function words, and for every node what it may be, best first."""

    tree: DependencyTree
    """The given nodes at the same indices, their features complete, then the inserted ones."""
    options: tuple[tuple[Option, ...], ...]

    @property
    def best(self) -> DependencyTree:
        """The tree of the best options: nodes that are better left out are, and so are dropped subjects."""
        kept = [node for node, options in enumerate(self.options) if options[0].node is not None]
        return self.tree.pruned(kept)


@dataclass(frozen=True)
class _Choice:
    """The candidates of one slot of one node with their probabilities, and the one that was taken."""

    readings: Sequence[Reading]
    shares: Sequence[float]
    taken: int
    given: Sequence[int] = ()
    """The places of the words that the input has."""

    def options(self, node_of: Callable[[Reading], Node]) -> tuple[Option, ...]:
        """What a node may be by the readings that are like the one that was taken."""
        taken = self.readings[self.taken]
        sums: dict[Node, float] = {}
        for reading, share in zip(self.readings, self.shares, strict=True):
            if same_shape(reading, taken):
                node = node_of(reading)
                sums[node] = sums.get(node, 0.0) + share
        return _ranked(sums, node_of(taken))


class Inserter:
    """Inserts function words into deep trees by a trained model."""

    def __init__(self, model: InsertionModel) -> None:
        self.model = model
        self._numbers: dict[str, int] = {}

    def insert(self, tree: DependencyTree) -> Inserted:
        """The tree with its function words, those first that labels name; dropped subjects stay, their option None."""
        if len(self._numbers) > _NUMBERS_KEPT:
            self._numbers.clear()
        tree, markers = self.model.spelled_out.apply(tree)
        tree = with_articles(tree, self.model)
        given_words = GivenWords.of(tree)
        tree = given_words.with_tenses(tree)
        view = DeepTreeView(tree, self._numbers, without=given_words.nodes)
        nodes: list[Node] = list(tree.nodes)
        options: list[tuple[Option, ...]] = [(Option(None, 0.0),) for _ in nodes]
        added: list[tuple[int, tuple[Option, ...]]] = []
        chains: dict[int, Reading] = {}
        for index in reversed(tree.bottom_up):
            given = tree.nodes[index]
            if is_dropped(given) or index in given_words.nodes:
                continue
            words = [given_words.words.get((index, slot), []) for slot in range(len(SLOTS))]
            choices: list[_Choice] = []
            for slot, own_words in enumerate(words):
                given_nodes = [tree.nodes[word] for word in own_words]
                choices.append(self._choose(view, index, slot, markers.get(index), given_nodes, choices))
            shared = chains.get(tree.heads[index])
            if shared and not words[PREDICATE] and shares_auxiliaries(view, index):
                choices[PREDICATE] = _Choice((Reading((), shared.feats),), (1.0,), 0)
            elif words[PREDICATE]:
                chains[index] = choices[PREDICATE].readings[choices[PREDICATE].taken]
            names = self.model.names_of(given.upos)
            options[index] = self._own_options(given, choices[PREDICATE], names)
            own = options[index][0].node
            nodes[index] = own if own is not None else given
            feats = dict(nodes[index].feats or ())
            for choice, own_words in zip(choices, words, strict=True):
                if not own_words or choice.given:
                    of_slot = enumerate(word_options(choice, feats))
                    added += [(index, each) for place, each in of_slot if place not in choice.given]
                of_words = given_options(choice, [nodes[word] for word in own_words], feats)
                for word, each in zip(own_words, of_words, strict=True):
                    options[word] = each
                    nodes[word] = each[0].node or nodes[word]
        heads = list(tree.heads)
        for head, each in added:
            nodes.append(next(option.node for option in each if option.node is not None))
            heads.append(head)
            options.append(each)
        whole = replace(tree, nodes=tuple(nodes), heads=tuple(heads))
        return Inserted(whole, tuple(options))

    def _choose(
        self,
        view: DeepTreeView,
        index: int,
        slot: int,
        marker: Word | None,
        words: Sequence[Node],
        before: Sequence[_Choice],
    ) -> _Choice:
        """The readings of a slot: of ``words`` if the input has some, of the ``marker`` that the relation says.

        ``before`` are the choices of the slots before this one.
        """
        model, node = self.model, view.tree.nodes[index]
        with_words = readings_with(model, slot, node, words, finite=begins_finite(view, index, before)) if words else []
        said = as_reading(words) if words else Reading((marker,)) if slot == CASE and marker else None
        if said and not with_words and slot != PREDICATE:
            view.note(index, slot, said)
            return _Choice((said,), (1.0,), 0, range(len(words)))
        numbers = tuple(number for number, _ in with_words) or model.candidates(slot, node)
        if slot == PREDICATE and not with_words and (words or model.spelled_out.needs_auxiliary(view.tree, index)):
            numbers = tuple(n for n in numbers if model.readings[n].has_auxiliary) or numbers
        shares = [1.0]
        if len(numbers) > 1:
            view.look_up(index)
            logprobs = model.logprobs(slot, view.rows[index], view.bags[index], numbers)
            shares = [math.exp(value) for value in logprobs.tolist()]
        readings = [model.readings[number] for number in numbers]
        some = [i for i, reading in enumerate(readings) if reading.words]
        # Whether there is a relative pronoun is one question, and which one it is another.
        asked = some if slot == RELATIVE and sum(shares[i] for i in some) > 0.5 else range(len(numbers))
        best = max(asked, key=lambda i: (shares[i], -i))
        view.note(index, slot, said if said and not with_words else readings[best])
        if not with_words:
            return _Choice(readings, shares, best)
        # Others with the same words in the same places only: what is there is not to become another word.
        same = [i for i, reading in enumerate(readings) if reading.name == readings[best].name]
        return _Choice([readings[i] for i in same], [shares[i] for i in same], same.index(best), with_words[best][1])

    def _own_options(self, given: Node, choice: _Choice, names: frozenset[str]) -> tuple[Option, ...]:
        """The node itself with the features of readings that have the same chain of auxiliaries as the best."""
        return choice.options(lambda reading: replace(given, feats=completed(given, reading, names) or None))


def shares_auxiliaries(view: DeepTreeView, index: int) -> bool:
    """Whether a verb is joined to one like it and says nothing else of itself: *is singing and dancing*."""
    node, mother = view.tree.nodes[index], view.tree.nodes[view.tree.heads[index]]
    is_joined = node.deprel == "LIST" and node.upos == mother.upos == "VERB"
    return is_joined and not node.feats and not view.has(index, "A1")


def begins_finite(view: DeepTreeView, index: int, before: Sequence[_Choice]) -> bool | None:
    """Whether a clause has a finite verb: it has a subject, or what marks an infinitive; otherwise that is open."""
    if view.has(index, "A1"):
        return True
    marks = [word for choice in before[MARK : MARK + 1] for word in choice.readings[choice.taken].words]
    if view.has(index, "A2INV", "PART") or any(word.upos != "SCONJ" for word in marks):
        return False
    return True if view.has(index, "A2") else None


def given_options(choice: _Choice, words: Sequence[Node], feats: dict[str, str]) -> list[tuple[Option, ...]]:
    """For every word that the input has for a slot what its features may be; nothing is known of unheard-of groups."""
    if not choice.given:
        return [(Option(word, 0.0),) for word in words]

    def options_of(word: Node, place: int) -> tuple[Option, ...]:
        return choice.options(lambda reading: with_reading(word, reading.words[place], feats))

    return list(map(options_of, words, choice.given))


def same_shape(reading: Reading, other: Reading) -> bool:
    """Whether two readings have words of the same kind in the same places, and leave the node in the same form."""
    if [word.deprel for word in reading.words] != [word.deprel for word in other.words]:
        return False
    return not reading.words or reading.feats == other.feats


def word_options(choice: _Choice, feats: dict[str, str]) -> list[tuple[Option, ...]]:
    """For every word of a slot what it may be; one word that is not the best reading is offered beside none."""
    taken = choice.readings[choice.taken]
    if not taken.words:
        single = [i for i, r in enumerate(choice.readings) if len(r.words) == 1 and r.feats == taken.feats]
        if sum(choice.shares[i] for i in single) < LEAST_WORD:
            return []
        pattern = choice.readings[max(single, key=lambda i: (choice.shares[i], -i))]
        sums: dict[Node | None, float] = {None: choice.shares[choice.taken]}
        for i in single:
            if choice.readings[i].words[0].deprel == pattern.words[0].deprel:
                node = choice.readings[i].words[0].node(feats)
                sums[node] = sums.get(node, 0.0) + choice.shares[i]
        ranked = _ranked(sums, None)
        return [ranked] if len(ranked) > 1 else []  # many words, each of them hardly probable
    found = []
    for place, word in enumerate(taken.words):
        by_node: dict[Node | None, float] = {}
        for reading, share in zip(choice.readings, choice.shares, strict=True):
            if reading.words and same_shape(reading, taken):
                node = reading.words[place].node(feats)
                by_node[node] = by_node.get(node, 0.0) + share
            elif not reading.words and len(taken.words) == 1 and reading.feats == taken.feats:
                by_node[None] = by_node.get(None, 0.0) + share
        found.append(_ranked(by_node, word.node(feats)))
    return found


def _ranked(sums: dict[Node | None, float] | dict[Node, float], first: Node | None) -> tuple[Option, ...]:
    """Options by falling probability, ``first`` before all others, with probabilities that sum to 1."""
    items: list[tuple[Node | None, float]] = list(sums.items())
    total = sum(share for _, share in items)
    ranked = sorted(items, key=lambda item: (item[0] != first, -item[1], str(item[0])))
    kept = [(n, share / total) for n, share in ranked if n == first or share >= LEAST_SHARE * total][:MOST_OPTIONS]
    total = sum(share for _, share in kept)
    return tuple(Option(n, math.log(max(share / total, 1e-12))) for n, share in kept)
