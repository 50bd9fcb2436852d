"""Learning where capitals stand: an averaged perceptron on the beginnings of sentences of a treebank.

A word whose lemma is written small was given its capital by its place; it is shown small, as the realizer will
have it. Where there are no lemmas, a word counts as small if it is mostly so elsewhere.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence

from fergus.core.tree import Node, OrderedTree
from fergus.realize.capitals_model import AS_IT_IS, CAPITAL, CAPITALS, CapitalsModel, features, places
from fergus.realize.features import learn_usually_lower

LETTER_COUNT = 3
"""How often a letter's capital must be seen."""


def uncapitalised(word: Node, model: CapitalsModel, usually_lower: frozenset[str] = frozenset()) -> str:
    """The form as it would be in the middle of a sentence."""
    if not word.form[:1].isupper():
        return word.form
    small_letters = {capital: small for small, capital in model.letters.items()}
    lower = "".join(small_letters.get(letter) or letter.lower() for letter in word.form)
    if word.lemma is not None:
        return lower if word.lemma == word.lemma.lower() else word.form
    return lower if lower in usually_lower else word.form


def decision_for(small: str, written: str, model: CapitalsModel) -> int | None:
    """What makes ``written`` of the small word; None if nothing does."""
    return next((d for d in (AS_IT_IS, CAPITAL, CAPITALS) if model.written(small, d) == written), None)


def learn_letters(words: Iterable[Node]) -> dict[str, str]:
    """Small letters that have another capital than Unicode says, by words whose lemmas are small and else the same."""
    capitals: dict[str, Counter[str]] = {}
    for word in words:
        lemma, form = word.lemma or "", word.form
        if form[:1].isupper() and lemma[:1].islower() and form[1:3] == lemma[1:3]:
            capitals.setdefault(lemma[0], Counter())[form[0]] += 1
    found = {}
    for small, seen in sorted(capitals.items()):
        capital, count = min(seen.items(), key=lambda item: (-item[1], item[0]))
        if capital != small.title() and count >= LETTER_COUNT and 2 * count > seen.total():
            found[small] = capital
    return found


def learn_capitals(
    trees: Sequence[OrderedTree], *, epochs: int = 5, least: int = 2, most: int = 8_000, seed: int = 1
) -> CapitalsModel:
    """The model of a treebank; one without any capital gives a model that changes nothing.

    Features seen less often than ``least`` are not used; the ``most`` heaviest are kept.
    """
    usually_lower = learn_usually_lower(ordered.forms for ordered in trees)
    empty = CapitalsModel({}, learn_letters(node for ordered in trees for node in ordered.tree.nodes))
    cases: list[tuple[list[str], int]] = []
    counts: dict[str, int] = {}
    for ordered in trees:
        words = [ordered.tree.nodes[node] for node in ordered.order]
        forms = [word.form for word in words]
        for place in places(forms):
            small = uncapitalised(words[place], empty, usually_lower)
            decision = decision_for(small, forms[place], empty)
            if small != small.lower() or decision is None:
                continue
            seen = features([*forms[:place], small, *forms[place + 1 :]], place)
            cases.append((seen, decision))
            for feature in seen:
                counts[feature] = counts.get(feature, 0) + 1
    cases = [([f for f in seen if counts[f] >= least], decision) for seen, decision in cases]
    return CapitalsModel(_perceptron(cases, epochs=epochs, most=most, seed=seed), empty.letters)


def _perceptron(
    cases: list[tuple[list[str], int]], *, epochs: int, most: int, seed: int
) -> dict[str, tuple[float, float, float]]:
    weights: dict[str, list[float]] = {}
    late: dict[str, list[float]] = {}
    generator = random.Random(seed)
    step = 0
    for _ in range(epochs):
        generator.shuffle(cases)
        for seen, decision in cases:
            step += 1
            scores = [0.0, 0.0, 0.0]
            for feature in seen:
                if (row := weights.get(feature)) is not None:
                    for d in (AS_IT_IS, CAPITAL, CAPITALS):
                        scores[d] += row[d]
            guess = scores.index(max(scores))
            if guess == decision:
                continue
            for feature in seen:
                row, behind = weights.setdefault(feature, [0.0] * 3), late.setdefault(feature, [0.0] * 3)
                for d, amount in ((decision, 1.0), (guess, -1.0)):
                    row[d] += amount
                    behind[d] += amount * step
    averaged = {f: [w - b / (step + 1) for w, b in zip(row, late[f], strict=True)] for f, row in weights.items()}
    heaviest = sorted(averaged, key=lambda f: (-max(map(abs, averaged[f])), f))[:most]
    return {f: (averaged[f][0], averaged[f][1], averaged[f][2]) for f in sorted(heaviest)}
