"""Learning where marks stand: log-linear models of stretches, gaps (looked at twice) and sentence ends.

The marks are taken out and put back by the model. Sentences of nothing but marks teach nothing. Some sentences are
shown a second time with fewer labels, so that one model serves every input; pairs are hidden at random, since the
model will overlook many of them too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fergus.core.tree import OrderedTree
from fergus.realize.features import Ints
from fergus.realize.punctuation_context import second_instances
from fergus.realize.punctuation_features import (
    DEPREL,
    FEATS,
    LEMMA,
    MOOD,
    UPOS,
    XPOS,
    PunctuationTemplates,
    TreeWordEncoder,
    shipped_punctuation_templates,
)
from fergus.realize.punctuation_marks import (
    CLOSING,
    OPENING,
    Pair,
    Unmarked,
    is_of_a_pair,
    learn_pairs,
    unmarked,
    without_marks,
)
from fergus.realize.punctuation_model import (
    EMPTY_PATTERNS,
    LabelTable,
    PunctuationModel,
    chances_of,
    groups_of,
    logarithms,
)
from fergus.realize.punctuation_scores import gap_instances, stretch_instances
from fergus.realize.punctuation_training import Instances, TableSettings, gathered, learn_table

FOLD_BLOCK = 100
"""Sentences side by side, often of one text, are in one fold."""
_LABEL_COLUMNS = ((LEMMA,), (UPOS,), (XPOS,), (DEPREL,), (FEATS, MOOD))
STRETCH_SETTINGS = TableSettings(epochs=5, rate=0.1, slow=0.1, drop=0.3, most=30_000)
GAP_SETTINGS = TableSettings(epochs=5, rate=0.05, slow=0.1, drop=0.3, most=120_000)
SECOND_SETTINGS = TableSettings(epochs=6, rate=0.02, slow=3.0, drop=0.5, most=25_000, least=3)
FINAL_SETTINGS = TableSettings(epochs=20, rate=0.1, slow=1.0, drop=0.7, most=30_000)


@dataclass(frozen=True)
class PunctuationSettings:
    """What can be changed about the training; rates and caution were chosen on held-out blocks of EWT train."""

    seed: int = 1
    stretch: TableSettings = STRETCH_SETTINGS
    gap: TableSettings = GAP_SETTINGS
    second: TableSettings = SECOND_SETTINGS
    final: TableSettings = FINAL_SETTINGS
    folds: int = 3
    """The second look learns from what the first says of sentences that it has not learned from."""
    least: int = 5
    """Patterns and pairs seen less often are not learned."""
    rarest: float = 1e-4
    """Nor are patterns seen in a smaller share of places: they would never be put, and each costs time."""
    keep_pairs: float = 0.4
    """The share of pairs that are known while gaps are learned."""
    bare: float = 0.1
    """The share of sentences shown again without labels."""
    partial: float = 0.1
    """The share of sentences shown again with some kinds of labels only."""
    negatives: float = 0.35
    """The share of stretches without a pair that are learned from."""
    threshold: float = 0.4
    """How likely a pair must be to be put."""
    caution: float = 0.6
    """What the probability of no mark is multiplied by, for as many marks put wrongly as left out."""


DEFAULT_PUNCTUATION = PunctuationSettings()


def learn_punctuation(
    trees: Sequence[OrderedTree],
    *,
    templates: PunctuationTemplates | None = None,
    settings: PunctuationSettings = DEFAULT_PUNCTUATION,
    progress: Callable[[int], None] = lambda _: None,
) -> PunctuationModel | None:
    """The model of a treebank; None if it has no punctuation. ``progress`` is told of sentences, three times each."""
    stripped = [(sentence, gaps) for sentence, gaps in map(without_marks, trees) if sentence is not None]
    if not any(map(any, (gaps for _, gaps in stripped))):
        return None
    templates = templates or shipped_punctuation_templates()
    pairs = learn_pairs((gaps for _, gaps in stripped), least=settings.least)
    sentences = [unmarked(sentence, gaps, pairs) for sentence, gaps in stripped]
    random = np.random.default_rng(settings.seed)
    shown = list(_shown(sentences, settings, random))
    progress(len(trees))
    stretches = _stretch_instances(shown, pairs, templates, settings, random)
    stretch = learn_table(
        ("", *map(" ".join, pairs)),
        np.ones((1, 1 + len(pairs)), np.uint8),
        stretches,
        settings=settings.stretch,
        seed=settings.seed,
    )
    del stretches
    progress(len(trees))
    known = [_known_pairs(one, pairs, settings, random) for one in shown]
    (labels, gaps), (end_labels, ends) = _gap_instances(shown, known, templates, settings)
    gap = learn_table(labels, groups_of(labels), gaps, settings=settings.gap, seed=settings.seed)
    final = learn_table(end_labels, groups_of(end_labels), ends, settings=settings.final, seed=settings.seed)
    second = _second_table(shown, known, labels, gaps, templates, settings)
    progress(len(trees))
    # Only a share of the stretches without a pair was shown: pairs look likelier than they are.
    odds = settings.threshold / (1.0 - settings.threshold) / settings.negatives
    return PunctuationModel(templates, pairs, stretch, gap, final, second, odds / (1.0 + odds), settings.caution)


@dataclass(frozen=True)
class _Shown:
    """A sentence as the model sees it."""

    rows: Ints
    head: Ints
    unmarked: Unmarked


def _shown(
    sentences: Sequence[Unmarked], settings: PunctuationSettings, random: np.random.Generator
) -> Iterator[_Shown]:
    """Every sentence with its labels, some again with fewer."""
    encoder = TreeWordEncoder()
    for sentence in sentences:
        rows, head = encoder.encode(sentence.sentence)
        yield _Shown(rows, head, sentence)
        share = random.random()
        if share < settings.bare + settings.partial:
            hidden = np.ones(len(_LABEL_COLUMNS), bool) if share < settings.bare else random.random(5) < 0.5
            fewer = rows.copy()
            fewer[:, [c for columns, hide in zip(_LABEL_COLUMNS, hidden, strict=True) if hide for c in columns]] = 0
            yield _Shown(fewer, head, sentence)


def _stretch_instances(
    shown: Sequence[_Shown],
    pairs: Sequence[Pair],
    templates: PunctuationTemplates,
    settings: PunctuationSettings,
    random: np.random.Generator,
) -> Instances:
    numbers = {pair: 1 + number for number, pair in enumerate(pairs)}
    parts: list[tuple[NDArray[np.uint32], NDArray[np.int64]]] = []
    gold: list[int] = []
    for one in shown:
        right = {(s.begin, s.end): numbers[s.pair] for s in one.unmarked.stretches}
        places, keys, start = stretch_instances(one.rows, one.head, templates.pair)
        kept = random.random(len(places)) < settings.negatives
        for k, (begin, end) in enumerate(places[:, :2].tolist()):
            label = right.get((begin, end), 0)
            if label or kept[k]:
                gold.append(label)
                parts.append((keys[start[k] : start[k + 1]], start[k : k + 2] - start[k]))
    return gathered(parts, gold, [0] * len(gold))


@dataclass(frozen=True)
class _Known:
    """The pairs of a sentence that are known while its gaps are learned."""

    begins: Ints
    ends: Ints
    labels: Ints
    group: Ints

    @property
    def arrays(self) -> tuple[Ints, Ints, Ints]:
        return self.begins, self.ends, self.labels


def _known_pairs(
    one: _Shown, pairs: Sequence[Pair], settings: PunctuationSettings, random: np.random.Generator
) -> _Known:
    known = [s for s in one.unmarked.stretches if random.random() < settings.keep_pairs]
    begins, ends = np.array([s.begin for s in known], np.int32), np.array([s.end for s in known], np.int32)
    group = np.zeros(len(one.rows) + 1, np.int32)
    group[ends] |= 1
    group[begins] |= 2
    return _Known(begins, ends, np.array([1 + pairs.index(s.pair) for s in known], np.int32), group)


def _gap_instances(
    shown: Sequence[_Shown], known: Sequence[_Known], templates: PunctuationTemplates, settings: PunctuationSettings
) -> list[tuple[tuple[str, ...], Instances]]:
    """The patterns within sentences and what teaches them; then the same for the patterns at the end."""
    parts: tuple[list[tuple[NDArray[np.uint32], NDArray[np.int64]]], ...] = ([], [])
    patterns: tuple[list[str], ...] = ([], [])
    groups: tuple[list[int], ...] = ([], [])
    for one, pairs in zip(shown, known, strict=True):
        n, group = len(one.rows), pairs.group.tolist()
        keys, start = gap_instances(one.rows, one.head, *pairs.arrays, templates.gap, templates.final)
        seen = [_known_part(pattern, group[g]) for g, pattern in enumerate(one.unmarked.patterns)]
        cut = start[n]
        parts[0].append((keys[:cut], start[: n + 1]))
        parts[1].append((keys[cut:], start[n:] - cut))
        patterns[0].extend(seen[:n])
        patterns[1].append(seen[n])
        groups[0].extend(group[:n])
        groups[1].append(group[n])
    out = []
    for place in range(2):
        least = max(settings.least, round(settings.rarest * len(patterns[place])))
        labels = inventory(patterns[place], least=least)
        number = {label: y for y, label in enumerate(labels)}
        gold = [number.get(pattern, -1) for pattern in patterns[place]]
        out.append((labels, gathered(parts[place], gold, groups[place])))
    return out


def _second_table(
    shown: Sequence[_Shown],
    known: Sequence[_Known],
    labels: Sequence[str],
    gaps: Instances,
    templates: PunctuationTemplates,
    settings: PunctuationSettings,
) -> LabelTable | None:
    """What mends the first look, learned from the first look of models that have not seen the sentence."""
    blocks = np.arange(len(shown)) // FOLD_BLOCK
    if blocks[-1] + 1 < settings.folds:
        return None
    allowed = groups_of(labels)
    bounds = np.concatenate([[0], np.cumsum([len(one.rows) for one in shown])])
    folds = np.repeat(blocks % settings.folds, np.diff(bounds))
    chances = np.zeros((len(gaps.gold), len(labels)))
    for fold in range(settings.folds):
        others = Instances(gaps.keys, gaps.start, np.where(folds == fold, -1, gaps.gold).astype(np.int32), gaps.group)
        table = learn_table(labels, allowed, others, settings=settings.gap, seed=settings.seed)
        for block in range(fold, int(blocks[-1]) + 1, settings.folds):
            begin, end = bounds[block * FOLD_BLOCK], bounds[min((block + 1) * FOLD_BLOCK, len(shown))]
            chances[begin:end] = chances_of(table, gaps.keys, gaps.start[begin : end + 1], gaps.group[begin:end])
    parts = [
        second_instances(one.rows, one.head, *pairs.arrays, chances[begin:end], templates.second)
        for one, pairs, begin, end in zip(shown, known, bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
    ]
    again = gathered(parts, gaps.gold.tolist(), gaps.group.tolist())
    return learn_table(labels, allowed, again, settings=settings.second, seed=settings.seed, given=logarithms(chances))


def _known_part(pattern: str, group: int) -> str:
    """A pattern without members of pairs that are not known, and without brackets and quotes that stand alone."""
    hidden = {mark for mark, bit in ((CLOSING, 1), (OPENING, 2)) if not group & bit}
    return " ".join(mark for mark in pattern.split() if mark not in hidden and not is_of_a_pair(mark))


def inventory(patterns: Sequence[str], *, least: int) -> tuple[str, ...]:
    """The patterns that are frequent enough, and those of pairs alone: each group of places needs one."""
    counts = Counter(patterns)
    ranked = sorted(counts, key=lambda pattern: (-counts[pattern], pattern))
    return (*EMPTY_PATTERNS, *(p for p in ranked if counts[p] >= least and p not in EMPTY_PATTERNS))
