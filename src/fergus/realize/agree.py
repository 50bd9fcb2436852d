"""The agreement stage: features that the input leaves open, by those of the words that a word agrees with.

    arrive[Tense=Pres]                    Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin      arrive
    └── train[Number=Plur]                Number=Plur                                                trains
        └── this                          Number=Plur|PronType=Dem                                   these

Every set of features that has the given ones is possible; how probable it is tells the treebank, from what is general
(the category) to what is special (the very verb's auxiliaries, marker and subject). Nouns and pronouns come first,
since the others agree with them. Several sets stay, for the lattice to choose from. Where function words were put in,
every feature is there already, and finite words only get the number and person that go with their subject.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from fergus.core.tree import DependencyTree, Node
from fergus.realize.agreement_contexts import AGREEING, contexts_of, is_finite, padded, subject_contexts
from fergus.realize.agreement_model import AgreementModel, agreement_of, parsed
from fergus.realize.inflection_lexicon import Feats
from fergus.realize.readings import Option

MOST_SETS = 4
LEAST_SHARE = 0.03
"""Sets that are less probable than this are not given, nor more than the most: the lattice grows with each."""
LEAST_HEARD = 0.2
"""A number that goes with the subject is taken to be at least this probable to insertion, which may know better."""
USUAL = 0.05
"""Features are all that a word has if, of the sets that have them, they alone are at least this frequent."""
_REMEMBERED = 1 << 16
_CONTROLLERS = frozenset({"NOUN", "PROPN", "PRON", "NUM"})


class Agreement:
    """Completes the features of words, or mends those of finite ones, by counts of a treebank."""

    def __init__(self, model: AgreementModel) -> None:
        self.model = model
        self._open: dict[tuple[str | None, str | None, Feats | None], bool] = {}

    def complete(self, tree: DependencyTree) -> list[list[Option]]:
        """For every node what it may be; one whose features are all there is what it is."""
        nodes = list(tree.nodes)
        found = [[Option(node, 0.0)] for node in nodes]
        order = [index for index in reversed(tree.bottom_up) if not nodes[index].form and self.is_open(nodes[index])]
        order.sort(key=lambda index: _rank(nodes[index]))  # within a rank mothers stay before daughters
        for index in order:
            found[index] = self._ranked(tree, nodes, index)
            nodes[index] = found[index][0].node or nodes[index]
        return found

    def agree(
        self, tree: DependencyTree, options: Sequence[Sequence[Option]], given: Sequence[Node]
    ) -> list[list[Option]]:
        """The options of all nodes once finite words agree with their subjects; ``given`` are the input's own nodes.

        Insertion looks at much besides the subject, and of *was the children happy* it likes all but the number.
        """
        said = {index for index, node in enumerate(given) if _is_verb(node) and agreement_of(node.feats)}
        return [
            list(own) if index in said or (index >= len(given) and head in said) else self._agreeing(tree, index, own)
            for index, (head, own) in enumerate(zip(tree.heads, options, strict=True))
        ]

    def _agreeing(self, tree: DependencyTree, index: int, options: Sequence[Option]) -> list[Option]:
        if not any(option.node and is_finite(option.node) for option in options):
            return list(options)
        alike: dict[Node | None, dict[Node | None, float]] = {}
        for option in options:
            same = option.node and _with_agreement(option.node, ())
            alike.setdefault(same, {})[option.node] = math.exp(option.logprob)
        found: list[Option] = []
        for bare, shares in alike.items():
            context = next(subject_contexts(tree, tree.nodes, index, bare), None) if bare else None
            seen = self.model.counts.rows.get(padded(context), {}) if context else {}
            total = sum(shares.values())
            weighed = {_with_agreement(bare, tuple(parsed(outcome))): seen[outcome] for outcome in seen} if bare else {}
            agreed = {node: max(shares.get(node, 0.0), LEAST_HEARD * total) * weighed[node] for node in weighed}
            least = LEAST_SHARE * sum(agreed.values())
            kept = {node: share for node, share in agreed.items() if share >= least} or shares
            scale = total / sum(kept.values())
            found += [Option(node, math.log(share * scale)) for node, share in kept.items()]
        return sorted(found, key=lambda option: (-option.logprob, str(option.node)))

    def usual(self, node: Node) -> Node:
        """A noun without number as it mostly is, by itself: what agrees with it must know."""
        if node.upos not in ("NOUN", "PROPN") or not self.is_open(node):
            return node
        known = self.model.known(node)
        best = min(known, key=lambda outcome: (-known[outcome], outcome))
        return replace(node, feats=tuple(sorted(self.model.sets[best])) or None)

    def is_open(self, node: Node) -> bool:
        """Whether a word of this category, and this very word if it is known, has more features than these."""
        key = (node.lemma, node.upos, node.feats)
        found = self._open.get(key)
        if found is None:
            if len(self._open) >= _REMEMBERED:
                self._open.clear()
            found = self._open[key] = node.lemma is not None and self._has_more(node)
        return found

    def _has_more(self, node: Node) -> bool:
        given, known = frozenset(node.feats or ()), self.model.known(node)
        alone = sum(count for outcome, count in known.items() if self.model.sets[outcome] == given)
        return alone < USUAL * sum(known.values())

    def _ranked(self, tree: DependencyTree, nodes: Sequence[Node], index: int) -> list[Option]:
        node = nodes[index]
        contexts = [padded(context) for context in contexts_of(tree, nodes, index)]
        possible = self.model.fitting(contexts[0], frozenset(node.feats or ()))
        if not possible:  # known of this very word only
            return [Option(node, 0.0)]
        shares = dict.fromkeys(possible, 1.0 / len(possible))
        for context in contexts:
            shares = {outcome: self.model.counts.mixed(context, outcome, share) for outcome, share in shares.items()}
        total = sum(shares.values())
        best = sorted(shares, key=lambda outcome: (-shares[outcome], outcome))[:MOST_SETS]
        kept = [outcome for outcome in best if shares[outcome] >= LEAST_SHARE * total]
        total = sum(shares[outcome] for outcome in kept)
        return [
            Option(
                replace(node, feats=tuple(sorted(self.model.sets[outcome])) or None), math.log(shares[outcome] / total)
            )
            for outcome in kept
        ]


def _rank(node: Node) -> int:
    """Nouns and pronouns first, verbs last: these agree with subjects of any category."""
    return 0 if node.upos in _CONTROLLERS else 2 if _is_verb(node) else 1


def _is_verb(node: Node) -> bool:
    return node.upos in ("VERB", "AUX")


def _with_agreement(node: Node, feats: Feats) -> Node:
    """A word with other number, person and gender."""
    others = (item for item in node.feats or () if item[0] not in AGREEING)
    return replace(node, feats=tuple(sorted((*others, *feats))) or None)
