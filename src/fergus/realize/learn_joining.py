"""Learning how words are joined: an averaged perceptron with a margin on whole sentences of a treebank.

What a treebank says (``SpaceAfter=No``, multiword tokens) is what is learned. Words are shown now with all of
their labels, now with some, now with none, so that one model serves every input.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fergus.compiled import compiled
from fergus.core.tree import OrderedTree
from fergus.realize.contractions import NO_CONTRACTION, Contractions, learn_contractions
from fergus.realize.features import Ints
from fergus.realize.gap_arcs import fill_arcs
from fergus.realize.gap_features import (
    CONTRACTION,
    DECISION,
    FORM,
    KIND,
    LABELS,
    LETTERS,
    VALUES,
    WIDTH,
    WORDS,
    GapTemplates,
    WordEncoder,
    fill_sentence_columns,
    find_slot,
    gather_gap,
    hash_gap,
    is_plain,
    shipped_gap_templates,
)
from fergus.realize.joining_model import (
    DECISION_SALT,
    GAP_SALT,
    JoiningModel,
    hash_table,
    known_contractions,
    plain_table,
)
from fergus.realize.joining_training import learn_epoch
from fergus.realize.written_form import SPACE, Written, written_sentence

BLOCK = 30
"""Sentences one after the other that count as one writer's: what is seen in one block only is a habit of his."""
MOST_EPOCHS = 20
PLAIN_COUNT, PLAIN_EXCEPTIONS = 3, 0.003
"""A word is plain if seen so often beside other words, and at most in this share of the cases without a space."""


@dataclass(frozen=True)
class JoiningSettings:
    """What can be changed about the training; chosen on held-out documents of the training part of EWT."""

    seed: int = 1
    most: int = 95_000
    """Features kept, the heaviest."""
    epochs: int = 5
    shown: int = 40_000
    """Sentences shown in all, at least: a small treebank goes through more epochs."""
    runs: int = 4
    """The weights are the mean of so many runs, each with the sentences in another order: of 12,544 sentences in four
    folds of documents 29 more are right than by one run, by eight runs 33 (with two thirds of the templates)."""
    rate: float = 0.14
    drop: float = 0.6
    """The share of features that are left out at random: many templates overlap, and none is to be leant on alone.
    On held-out sentences 0.65 is better for English, 0.5 as good for French."""
    bare_drop: float = 0.4
    """The same where all labels are hidden: fewer templates speak there. Of 12,544 sentences in six folds of documents
    0.6 for both has about 60 fewer right without labels."""
    least: int = 2
    """Features seen in fewer blocks of sentences are not used."""
    bare: float = 0.3
    """The share of sentences that are shown without labels."""
    partial: float = 0.2
    """The share of sentences that are shown with some kinds of labels only."""


DEFAULT_JOINING = JoiningSettings()


def written_sentences(trees: Sequence[OrderedTree]) -> list[Written]:
    """How the sentences were written; nothing of a file that never leaves out a space, such as transcripts are."""
    by_file: dict[str, list[Written]] = {}
    for tree in trees:
        if written := written_sentence(tree):
            by_file.setdefault(tree.tree.source.rpartition(":")[0], []).append(written)
    return [w for of_file in by_file.values() if any(any(w.gaps) for w in of_file) for w in of_file]


def learn_joining(
    trees: Sequence[OrderedTree],
    *,
    templates: GapTemplates | None = None,
    settings: JoiningSettings = DEFAULT_JOINING,
    progress: Callable[[int], None] = lambda _: None,
) -> JoiningModel | None:
    """The model of a treebank; None if it does not tell how its sentences were written."""
    written = written_sentences(trees)
    if not written:
        return None
    templates = templates or shipped_gap_templates()
    contractions = learn_contractions(pair for w in written for pair in w.multiword)
    corpus = gap_corpus(written, contractions)
    # A small treebank has few blocks: they are made smaller, and fewer of them are asked for.
    block, least = min(BLOCK, 1 + len(written) // 100), min(settings.least, 2 + len(written) // 1000)
    plain = plain_table(plain_words(corpus))
    corpus = without_settled(corpus, plain)
    keys, slots, links = index_features(corpus, templates, block=block, least=least)
    gap_asks, link_asks = label_mask(templates.gap), label_mask(templates.decision)
    epochs = max(settings.epochs, min(settings.shown // len(written), MOST_EPOCHS))
    averaged = np.zeros((len(keys), 2), np.float32)
    kinds = WIDTH - LABELS
    for run in range(settings.runs):
        weights, squares, total = (np.zeros((len(keys), 2), np.float32) for _ in range(3))
        random = np.random.default_rng(settings.seed + run)
        state = np.uint64(1234567 + settings.seed + run)
        for epoch in range(epochs):
            order = random.permutation(len(written))
            hidden = random.integers(0, 1 << kinds, len(written))
            share = random.random(len(written))
            hidden[share < settings.bare] = (1 << kinds) - 1
            hidden[share > settings.bare + settings.partial] = 0
            drops = np.where(hidden == (1 << kinds) - 1, settings.bare_drop, settings.drop)
            state = np.uint64(learn_epoch(
                corpus, slots, links, gap_asks, link_asks, order, hidden, (drops * 65536).astype(np.uint64),
                weights, squares, settings.rate if epoch < epochs - 1 else settings.rate / 2, state,
            ))  # fmt: skip
            progress(len(written))
            if epoch >= epochs // 2:
                total += weights
        # Features were left out at random while learning: together they speak too loudly.
        averaged += total * np.float32((1.0 - settings.drop) / (epochs - epochs // 2) / settings.runs)
    strength = np.abs(averaged).max(axis=1)
    used = np.argsort(-strength, kind="stable")[: settings.most]
    used = used[strength[used] > 0]
    used = used[keys[used] > 0]
    return JoiningModel(templates, *hash_table(keys[used], averaged[used]), plain, contractions)


def index_features(
    corpus: GapCorpus, templates: GapTemplates, *, block: int, least: int
) -> tuple[NDArray[np.uint32], Ints, Ints]:
    """A hash table of the features that are frequent enough, and where those of every open gap stand in it, 0 for none.

    Frequent enough is what open gaps of ``least`` blocks of so many sentences have.
    """
    counts, latest = np.zeros(1 << 24, np.uint8), np.zeros(1 << 24, np.int32)
    gaps = 1 + int(corpus.place.max(initial=0))
    slots = np.zeros((gaps, len(templates.gap)), np.int32)
    links = np.zeros((gaps, 3, len(templates.decision)), np.int32)
    arguments = (corpus, templates.gap, templates.decision, block)
    visit_features(*arguments, counts, latest, least, np.zeros(1, np.uint32), slots, links)
    size = 4 * int(np.count_nonzero(counts >= least)) + 16
    keys = np.zeros(1 << size.bit_length(), np.uint32)
    keys[0] = 1  # slot 0 is taken: it stands for no feature
    visit_features(*arguments, counts, latest, least, keys, slots, links)
    return keys, slots, links


def plain_words(corpus: GapCorpus) -> NDArray[np.uint32]:
    """Words of letters that are nearly always apart from words beside them, with the side: 0 as left, 1 as right."""
    last = np.zeros(len(corpus.rows), bool)
    last[corpus.start[1:] - 1] = True
    letters = corpus.rows[:, KIND] < LETTERS
    gaps = np.flatnonzero(letters[:-1] & letters[1:] & ~last[:-1])
    found = []
    for side in (0, 1):
        words = corpus.rows[gaps + side, FORM].astype(np.uint32) * np.uint32(2) + np.uint32(side)
        keys, number, counts = np.unique(words, return_inverse=True, return_counts=True)
        tight = np.bincount(number, weights=corpus.gold[gaps] != SPACE, minlength=len(keys))
        found.append(keys[(counts >= PLAIN_COUNT) & (tight <= PLAIN_EXCEPTIONS * counts)])
    return np.concatenate(found)


def label_mask(templates: Ints) -> Ints:
    """For each template a bit for every kind of label it looks at."""
    columns = np.where((templates >= 0) & (templates < CONTRACTION), templates % WIDTH, 0)
    sentence = templates >= len(WORDS) * WIDTH
    bits = np.where((columns >= LABELS) & ~sentence, 1 << np.maximum(columns - LABELS, 0), 0)
    mask: Ints = np.bitwise_or.reduce(bits, axis=1).astype(np.int32)
    return mask


class GapCorpus(NamedTuple):
    """All sentences as one; the gap after the last word of a sentence counts, and is empty."""

    rows: Ints
    start: NDArray[np.int64]
    gold: Ints
    known: Ints
    place: Ints
    """The number of each gap among those that are open, -1 for one that is settled."""


def gap_corpus(written: Sequence[Written], contractions: Contractions) -> GapCorpus:
    """Rows of words, where each sentence begins, decisions and contractions in the gaps."""
    encoder = WordEncoder()
    rows = [encoder.encode(w.words) for w in written]
    for own, w in zip(rows, written, strict=True):
        fill_arcs(own, w.heads)
    start = np.cumsum([0, *map(len, rows)])
    gold, known = np.zeros(start[-1], np.int32), np.full(start[-1], NO_CONTRACTION, np.int32)
    for w, begin in zip(written, start.tolist(), strict=False):
        gold[begin : begin + len(w.gaps)] = w.gaps
        known[begin : begin + len(w.gaps)] = known_contractions(contractions, [word.form for word in w.words])
    return GapCorpus(np.concatenate(rows), start, gold, known, np.arange(start[-1], dtype=np.int32))


def without_settled(corpus: GapCorpus, plain: NDArray[np.uint32]) -> GapCorpus:
    """The corpus with gaps between plain words settled: there nothing is to be learned, and they are three of five."""
    return corpus._replace(place=open_places(corpus.rows, corpus.start, corpus.gold, corpus.known, plain))


@compiled
def open_places(rows, start, gold, known, plain):
    """Number the gaps that the model has to decide; one that goes against its plain words stays among them."""
    place = np.full(gold.shape[0], -1, np.int32)
    count = 0
    for s in range(start.shape[0] - 1):
        for g in range(start[s], start[s + 1] - 1):
            if gold[g] != SPACE or known[g] != NO_CONTRACTION or not is_plain(rows, g, plain):
                place[g] = count
                count += 1
    return place


@compiled
def visit_features(corpus, gap, decision, size, counts, latest, least, keys, slots, links):
    """Count features (with keys of length 1), or put those seen often enough into the table and note where."""
    rows, start, gold, known, place = corpus
    values, sentence = np.empty(VALUES, np.int32), np.empty(3, np.int32)
    hashes, link_hashes = np.empty(gap.shape[0], np.uint32), np.empty(decision.shape[0], np.uint32)
    for s in range(start.shape[0] - 1):
        begin, n, block = start[s], start[s + 1] - start[s], 1 + s // size
        own = rows[begin : begin + n]
        fill_sentence_columns(own, sentence)
        for i in range(n - 1):
            g = begin + i
            if place[g] < 0:
                continue
            gather_gap(own, sentence, i, values)
            values[CONTRACTION] = known[g]
            hash_gap(values, gap, GAP_SALT, hashes)
            visit(hashes, counts, latest, block, least, keys, slots[place[g]], True)
            for p in range(3):
                values[DECISION] = 1 + p if i > 0 else 4
                hash_gap(values, decision, DECISION_SALT, link_hashes)
                seen = p == (gold[g - 1] if i > 0 else 0)
                visit(link_hashes, counts, latest, block, least, keys, links[place[g], p], seen)


@compiled
def visit(hashes, counts, latest, block, least, keys, slots, seen):
    """Count the features of one gap, once a block, or note their slots."""
    for t in range(hashes.shape[0]):
        if hashes[t] == 0:
            continue
        c = (hashes[t] >> np.uint32(1)) & np.uint32(counts.shape[0] - 1)
        if keys.shape[0] == 1:
            if seen and counts[c] < 255 and latest[c] != block:
                counts[c] += 1
                latest[c] = block
        elif counts[c] >= least:
            slot = find_slot(keys, hashes[t])
            keys[slot] = hashes[t]
            slots[t] = slot
