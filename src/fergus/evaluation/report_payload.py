"""What the HTML report embeds: scores by column, and for every sentence its alignment and its treelets out of order.

The page draws what is computed here and aligns nothing itself, so that what it shows is what was counted.
A sentence is a list ``[identifier, number of references, references, systems]``:

    reference   [tokens, heads, relations, number]   heads by place in the sentence, -1 for the root; or 0, 0
    system      [reference]                          where the hypothesis is the reference
                [reference, tokens, operations, moves, places, treelets]
    operations  "..dd..i..is"                        as example (2) of the paper writes them
    moves       [2, 7, ...]                          index in the reference, index in the hypothesis, ...
    places      [0, 1, 4, ...]                       the reference's word that each token stands for, or -1
    treelets    [[4, "..dd..ii", [2, 6, 3, 7]], ...] head, operations and moves, of those with errors only

Tokens are one string with spaces between them, or a list where a token has a space itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from math import isfinite
from typing import TYPE_CHECKING, Any

from fergus.core.tree import ROOT, OrderedTree
from fergus.errors import InputError
from fergus.metrics.align import align
from fergus.metrics.segment import Batch, Segment, Sentence

if TYPE_CHECKING:
    from fergus.evaluation.result import Evaluation, SystemResult
    from fergus.metrics.base import CorpusScore, Metric
    from fergus.metrics.significance import Interval

LEVEL = 0.05
"""A difference is called significant where both corrected p-values are below it."""

_LETTERS = {"match": ".", "deletion": "d", "insertion": "i", "substitution": "s"}
Json = Any


def check(evaluation: Evaluation) -> None:
    """Refuse an evaluation that has not what a report shows."""
    size = len(evaluation.identifiers)
    for system in evaluation.systems:
        if len(system.segments) != size:
            raise InputError(
                f"system {system.name!r} has {len(system.segments)} sentences kept of {size}",
                remedy="keep the sentences when the report of an evaluation is wanted",
            )


def overview(evaluation: Evaluation) -> dict[str, Json]:
    """All that is said of the evaluation as a whole."""
    return {
        "sentences": len(evaluation.identifiers),
        "settings": [[key, value] for key, value in evaluation.settings.items()],
        "systems": [system.name for system in evaluation.systems],
        "metrics": [_metric(metric) for metric in evaluation.metrics],
        "corpus": [
            [_corpus(system.corpus.get(metric.name)) for metric in evaluation.metrics] for system in evaluation.systems
        ],
        "best": [_best(evaluation, metric) for metric in evaluation.metrics],
        "comparisons": [
            {
                "metric": c.metric,
                "aggregate": c.aggregate,
                "first": c.first,
                "second": c.second,
                "difference": c.difference,
                "interval": _interval(c.interval),
                "p": [_number(c.corrected_bootstrap_p), _number(c.corrected_randomisation_p)],
            }
            for c in evaluation.comparisons
        ],
        "level": LEVEL,
    }


def columns(evaluation: Evaluation) -> dict[str, Json]:
    """What is sorted, filtered and plotted by: of every system the scores of all sentences, and the counts.

    A score is a whole number of the metric's last decimal place; counts are substitutions, insertions,
    deletions and moves, in trees too (-1 where there is no tree), and the length.
    """
    return {
        "scores": [
            [_scaled(system.scores[metric.name].tolist(), metric.decimals) for metric in evaluation.metrics]
            for system in evaluation.systems
        ],
        "counts": [system.counts.T.tolist() for system in evaluation.systems],
        "treeCounts": [system.tree_counts[:, :4].T.tolist() for system in evaluation.systems],
    }


def sentences(evaluation: Evaluation, start: int, end: int) -> list[Json]:
    """The sentences from ``start`` to before ``end``."""
    by_system = [list(_system_sentences(system, start, end)) for system in evaluation.systems]
    result: list[Json] = []
    for row in range(start, end):
        numbers: dict[int, int] = {}
        references: list[Json] = []
        shown: list[Json] = []
        for system, entries in zip(evaluation.systems, by_system, strict=True):
            chosen = int(system.chosen[row])
            if chosen not in numbers:
                numbers[chosen] = len(references)
                references.append([*_reference(system.segments[row].references[chosen]), chosen + 1])
            shown.append([numbers[chosen], *entries[row - start]])
        count = len(evaluation.systems[0].segments[row].references) if evaluation.systems else 0
        result.append([evaluation.identifiers[row], count, references, shown])
    return result


def _system_sentences(system: SystemResult, start: int, end: int) -> Iterator[list[Json]]:
    rows = range(start, end)
    chosen = [system.segments[row].references[int(system.chosen[row])] for row in rows]
    hypotheses = [system.segments[row].hypothesis for row in rows]
    pairs = [Segment(h, (r,)) for h, r in zip(hypotheses, chosen, strict=True)]
    batch = Batch(pairs)
    for pair, (hypothesis, reference) in enumerate(batch.pairs):
        places = [] if reference.tree is None else batch.places_of(pair)
        treelets = [] if reference.tree is None else treelets_with_errors(reference, reference.tree, hypothesis, places)
        # Identifiers of nodes tell equal words apart, so that equal sentences may have errors in their treelets.
        if hypothesis.tokens == reference.tokens and not treelets:
            yield []
            continue
        operations, moves = _aligned(reference.tokens, hypothesis.tokens)
        yield [_tokens(hypothesis.tokens), operations, moves, places, treelets]


def treelets_with_errors(
    reference: Sentence, tree: OrderedTree, hypothesis: Sentence, places: Sequence[int]
) -> list[Json]:
    """The treelets whose words differ: head, operations, moves (section 3.2).

    Treelets are those of ``fergus.metrics.tree_accuracy``: a node that is no leaf, or a root that is one,
    with all its daughters. ``places`` has the reference's word that each token of the hypothesis stands for.
    """
    heads = tree.head_places
    is_head = [head == ROOT for head in heads]
    for head in heads:
        if head != ROOT:
            is_head[head] = True
    expected: list[list[str]] = [[] for _ in heads]
    realized: list[list[str]] = [[] for _ in heads]
    for treelets, where, words in (
        (expected, range(len(heads)), reference.tokens),
        (realized, places, hypothesis.tokens),
    ):
        for place, word in zip(where, words, strict=True):
            if place >= 0 and is_head[place]:
                treelets[place].append(word)
            if place >= 0 and heads[place] != ROOT:
                treelets[heads[place]].append(word)
    return [[head, *_aligned(words, realized[head])] for head, words in enumerate(expected) if words != realized[head]]


def _aligned(reference: Sequence[str], hypothesis: Sequence[str]) -> tuple[str, list[int]]:
    alignment = align(reference, hypothesis)
    return "".join(_LETTERS[step.kind] for step in alignment.operations), [*chain.from_iterable(alignment.moves)]


def _reference(sentence: Sentence) -> list[Json]:
    if sentence.tree is None:
        return [_tokens(sentence.tokens), 0, 0]
    tree = sentence.tree
    relations = [tree.tree.nodes[node].deprel or "" for node in tree.order]
    return [_tokens(sentence.tokens), tree.head_places, _tokens(relations) if any(relations) else 0]


def _tokens(tokens: Sequence[str]) -> str | list[str]:
    text = " ".join(tokens)
    return text if text.split(" ") == [*tokens] and text else [*tokens]


def _metric(metric: Metric) -> dict[str, Json]:
    return {
        "name": metric.name,
        "title": metric.title,
        "abbreviation": metric.abbreviation,
        "headline": metric.headline,
        "higher": metric.higher_is_better,
        "perfect": metric.perfect,
        "scale": metric.scale,
        "decimals": metric.decimals,
    }


def _corpus(score: CorpusScore | None) -> dict[str, Json] | None:
    if score is None:
        return None
    return {
        "mean": _number(score.mean),
        "pooled": _number(score.pooled),
        "meanInterval": _interval(score.mean_interval),
        "pooledInterval": _interval(score.pooled_interval),
        "missing": score.missing,
        "signature": score.signature,
    }


def _best(evaluation: Evaluation, metric: Metric) -> dict[str, Json] | None:
    """The system with the best headline score alone, and whether it is significantly better than all others."""
    sign = 1 if metric.higher_is_better else -1
    corpora = [system.corpus.get(metric.name) for system in evaluation.systems]
    scores = [None if c is None or c.score is None else sign * c.score for c in corpora]
    known = [score for score in scores if score is not None]
    if len(known) < 2 or known.count(max(known)) > 1:
        return None
    best = scores.index(max(known))
    if not evaluation.comparisons:
        return {"system": best, "significant": None}
    name = evaluation.systems[best].name
    beaten = {
        other
        for c in evaluation.comparisons
        if c.metric == metric.name and c.aggregate == metric.headline
        for other in ({c.first, c.second} - {name} if name in (c.first, c.second) else ())
        if max(c.corrected_bootstrap_p, c.corrected_randomisation_p) < LEVEL
    }
    return {"system": best, "significant": beaten >= {s.name for s in evaluation.systems} - {name}}


def _interval(interval: Interval | None) -> list[float | None] | None:
    return None if interval is None else [_number(interval.low), _number(interval.high)]


def _number(value: float | None) -> float | None:
    return None if value is None or not isfinite(value) else float(value)


def _scaled(scores: list[float], decimals: int) -> list[int | None]:
    scale = 10**decimals
    return [round(score * scale) if isfinite(score) else None for score in scores]
