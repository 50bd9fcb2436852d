"""Training the model of lexical choice on a treebank and, for the frequencies of rare words, on plain text.

The weights of the kinds of context are those with which held-out words are told best from rivals: words of the
same category, drawn at random. No thesaurus is needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from fergus.core.tree import OrderedTree
from fergus.realize.word_context import KINDS, LEXICAL, Hashes, context_hash, contexts, event_keys, lexeme, word_hash
from fergus.realize.word_model import TEXT, WordModel

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class WordSettings:
    """How the word model is trained; chosen on a held-out tenth of the English Web Treebank's training part."""

    categories: tuple[str, ...] = ("NOUN", "VERB", "ADJ", "ADV")
    """The categories whose words are chosen."""
    relations: int = 12
    """So many relations below each category are noted as absent."""
    prior: float = 20.0
    rivals: int = 20
    flatness: float = 0.75
    """Rivals are drawn by this power of their frequency."""
    least_evidence: float = 0.25
    """A pair that would change the score by less is not stored (natural-log units)."""
    text_words: int = 30_000
    held_out: int = 10
    """Of so many blocks of sentences one is held out."""
    block: int = 20
    penalty: float = 1e-3
    seed: int = 1


@dataclass(frozen=True)
class _Uses:
    """Every word of the categories in the treebank with its contexts."""

    words: list[str]
    categories: list[str]
    sentence: NDArray[np.int64]
    first: NDArray[np.int64]
    """Where the contexts of each use begin, and where the last ones end."""
    kinds: NDArray[np.int64]
    contexts: Hashes

    def slice(self, use: int) -> slice:
        return slice(int(self.first[use]), int(self.first[use + 1]))


def learn_words(
    trees: Sequence[OrderedTree],
    *,
    frequencies: Mapping[str, int] = MappingProxyType({}),
    settings: WordSettings = WordSettings(),
) -> WordModel:
    """Train on trees with categories; other labels are used where they are.

    ``frequencies`` are of the words of some text, in small letters.
    """
    relations = _relations(trees, settings)
    uses = _uses(trees, relations, settings)
    of_text = dict(sorted(frequencies.items(), key=lambda item: (-item[1], item[0]))[: settings.text_words])
    everything = np.arange(len(uses.words))
    model = _counted(uses, everything, relations, of_text, settings)
    held_out = (uses.sentence // settings.block) % settings.held_out == settings.held_out - 1
    if held_out.any() and not held_out.all():
        trial = _counted(uses, everything[~held_out], relations, of_text, settings)
        cases = list(_cases(trial, uses, np.flatnonzero(~held_out), np.flatnonzero(held_out), settings))
        if cases:
            weights = fitted(cases, penalty=settings.penalty)
            # Frequent rivals were met more often than rare ones, by a power of their frequency: that is put back.
            weights[0] += settings.flatness
            model = replace(model, weights=weights)
    return _pruned(model, uses, settings)


def _relations(trees: Sequence[OrderedTree], settings: WordSettings) -> dict[str, tuple[str, ...]]:
    """The most frequent relations below each category; of equals the first in the alphabet."""
    below: dict[str, Counter[str]] = {category: Counter() for category in settings.categories}
    for ordered in trees:
        nodes, heads = ordered.tree.nodes, ordered.tree.heads
        for node, head in zip(nodes, heads, strict=True):
            if head >= 0 and node.deprel is not None and (category := nodes[head].upos) in below:
                below[category][node.deprel] += 1
    return {
        category: tuple(sorted(counts, key=lambda relation: (-counts[relation], relation))[: settings.relations])
        for category, counts in below.items()
    }


def _uses(trees: Sequence[OrderedTree], relations: Mapping[str, Sequence[str]], settings: WordSettings) -> _Uses:
    words: list[str] = []
    categories: list[str] = []
    sentence: list[int] = []
    first: list[int] = [0]
    kinds: list[int] = []
    hashes: list[int] = []
    known: dict[tuple[int, str], int] = {}
    for number, ordered in enumerate(trees):
        for index, node in enumerate(ordered.tree.nodes):
            if node.upos not in settings.categories or not (word := lexeme(node)):
                continue
            for context in contexts(ordered.tree, index, relations):
                hashed = known.get(context)
                if hashed is None:
                    hashed = known[context] = context_hash(*context)
                kinds.append(context[0])
                hashes.append(hashed)
            words.append(word)
            categories.append(node.upos)
            sentence.append(number)
            first.append(len(kinds))
    as_arrays = np.array(sentence, np.int64), np.array(first, np.int64), np.array(kinds, np.int64)
    return _Uses(words, categories, *as_arrays, np.array(hashes, np.uint64))


def _counted(
    uses: _Uses,
    chosen: NDArray[np.int64],
    relations: Mapping[str, tuple[str, ...]],
    text: Mapping[str, int],
    settings: WordSettings,
) -> WordModel:
    """The counts of some uses, nothing left out, with the same weight for every kind."""
    word, category, contexts = _events(uses, chosen)
    of_word = np.array([word_hash(uses.words[use], uses.categories[use]) for use in chosen], np.uint64)
    of_category = np.array([word_hash("", uses.categories[use]) for use in chosen], np.uint64)
    none = np.zeros(1, np.uint64)
    seen = [
        event_keys(of_word, none),
        event_keys(of_category, none),
        event_keys(word, contexts),
        event_keys(category, contexts),
    ]
    keys, counts = np.unique(np.concatenate(seen), return_counts=True)
    of_text = event_keys(np.array([word_hash(item, TEXT) for item in text], np.uint64), none)
    counts = np.concatenate([counts, np.array(list(text.values()), np.int64)])
    keys, firsts = np.unique(np.concatenate([keys, of_text]), return_index=True)
    weights = np.concatenate([[1.0, 0.1], np.full(len(KINDS), 0.2)])
    return WordModel(keys, counts[firsts].astype(np.float32), relations, weights, settings.prior)


def _events(uses: _Uses, chosen: NDArray[np.int64]) -> tuple[Hashes, Hashes, Hashes]:
    """Of every context of some uses: the word, the category, the context."""
    lengths = np.diff(uses.first)[chosen]
    word = np.array([word_hash(uses.words[use], uses.categories[use]) for use in chosen], np.uint64)
    category = np.array([word_hash("", uses.categories[use]) for use in chosen], np.uint64)
    where = np.zeros(len(uses.words), bool)
    where[chosen] = True
    inside = np.repeat(where, np.diff(uses.first))
    return np.repeat(word, lengths), np.repeat(category, lengths), uses.contexts[inside]


def _cases(
    model: WordModel, uses: _Uses, kept: NDArray[np.int64], held_out: NDArray[np.int64], settings: WordSettings
) -> Iterable[Floats]:
    """For held-out uses what speaks for the word itself (the first row) and for its rivals."""
    generator = np.random.default_rng(settings.seed)
    drawn: dict[str, tuple[list[str], Floats]] = {}
    for category in settings.categories:
        counts = Counter(uses.words[use] for use in kept.tolist() if uses.categories[use] == category)
        powers = np.array(list(counts.values()), np.float64) ** settings.flatness
        drawn[category] = (list(counts), np.cumsum(powers))
    for use in held_out.tolist():
        words, sums = drawn[uses.categories[use]]
        if not words:
            continue
        places = np.searchsorted(sums, generator.random(settings.rivals) * sums[-1])
        rivals = {words[place] for place in places.tolist()} - {uses.words[use]}
        part = uses.slice(use)
        if rivals:
            own = [uses.words[use], *sorted(rivals)]
            yield model.evidence(own, uses.categories[use], uses.kinds[part], uses.contexts[part])


def fitted(cases: Sequence[Floats], *, penalty: float) -> Floats:
    """The weights under which the first row of each case is most probable among its rows (Newton's method)."""
    rows = np.concatenate(cases)
    ends = np.cumsum([len(case) for case in cases])
    starts = ends - [len(case) for case in cases]
    case_of = np.repeat(np.arange(len(cases)), ends - starts)

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = rows @ weights
        scores -= np.maximum.reduceat(scores, starts)[case_of]
        masses = np.exp(scores)
        sums = np.add.reduceat(masses, starts)
        value = float((np.log(sums) - scores[starts]).mean() + penalty * weights @ weights)
        return value, masses / sums[case_of]

    weights = np.zeros(rows.shape[1])
    value, shares = loss(weights)
    damping = 1e-3
    for _ in range(100):
        means = np.add.reduceat(rows * shares[:, None], starts)
        gradient = (means.sum(0) - rows[starts].sum(0)) / len(cases) + 2 * penalty * weights
        centred = rows - means[case_of]
        curvature = (centred * shares[:, None]).T @ centred / len(cases) + 2 * penalty * np.eye(len(weights))
        step = np.linalg.solve(curvature + damping * np.eye(len(weights)), gradient)
        new_value, new_shares = loss(weights - step)
        if new_value > value:
            damping *= 10
            continue
        gained, damping = value - new_value, max(damping / 5, 1e-9)
        weights, value, shares = weights - step, new_value, new_shares
        if gained < 1e-7:
            break
    return weights


def _pruned(model: WordModel, uses: _Uses, settings: WordSettings) -> WordModel:
    """The model without pairs that would hardly change a score, and without contexts that have no pairs left."""
    everything = np.arange(len(uses.words))
    word, category, contexts = _events(uses, everything)
    none = np.zeros(1, np.uint64)
    with_any = model.count(category, contexts)
    share = with_any / model.count(category, none)
    weight = np.maximum(model.weights[2:], 0)[uses.kinds]
    joint = model.count(word, contexts)
    gain = weight * np.log1p(joint / (share * settings.prior))
    # Of the other kinds every use has many: what is little each time adds up.
    telling = ((gain >= settings.least_evidence) | ~np.isin(uses.kinds, LEXICAL)) & (with_any > 1)
    kept = [event_keys(word[telling], contexts[telling]), event_keys(category[telling], contexts[telling])]
    dropped = [event_keys(word[~telling], contexts[~telling]), event_keys(category[~telling], contexts[~telling])]
    out = np.setdiff1d(np.concatenate(dropped), np.concatenate(kept))
    remaining = ~np.isin(model.keys, out)
    return replace(model, keys=model.keys[remaining], counts=model.counts[remaining])
