"""An evaluation as JSON: settings, and for every system both aggregates and every sentence's counts and scores.

    {"format": "fergus-evaluation", "version": 1, "settings": {...},
     "metrics": {"bleu": {"title": ..., "higher_is_better": true, "headline": "pooled", "signature": ...}, ...},
     "systems": [{"name": "mine",
                  "scores": {"bleu": {"score": 90.5, "mean": ..., "mean_interval": [..], "pooled": ..., ...}, ...},
                  "counts": {"substitutions": 17, ...},
                  "sentences": [{"id": "1", "substitutions": 1, ..., "simple_string_accuracy": 0.44, ...}, ...]}],
     "comparisons": [...]}

Counts are those of the string alignment; ``tree_substitutions`` and so on those of the treelets. What is
undefined is null. It is written sentence by sentence, so that memory does not grow with the text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from math import isnan
from typing import Any

from fergus.evaluation.result import Evaluation, SystemResult
from fergus.evaluation.tables import COUNTS
from fergus.metrics.base import CorpusScore
from fergus.metrics.significance import Comparison, Interval

FORMAT, VERSION = "fergus-evaluation", 1


def json_pieces(evaluation: Evaluation) -> Iterator[str]:
    """The document, piece by piece."""
    metrics = {
        metric.name: {
            "title": metric.title,
            "abbreviation": metric.abbreviation,
            "higher_is_better": metric.higher_is_better,
            "headline": metric.headline,
            "scale": metric.scale,
            "signature": evaluation.systems[0].corpus[metric.name].signature,
        }
        for metric in evaluation.metrics
    }
    head = {"format": FORMAT, "version": VERSION, "settings": dict(evaluation.settings), "metrics": metrics}
    yield _dumped(head)[:-1] + ', "systems": [\n'
    for number, system in enumerate(evaluation.systems):
        yield (",\n" if number else "") + _dumped(_summary(system))[:-1] + ', "sentences": [\n'
        for row, identifier in enumerate(evaluation.identifiers):
            yield (",\n" if row else "") + _dumped(sentence_record(system, row, identifier))
        yield "\n]}"
    comparisons = [_comparison(found) for found in evaluation.comparisons]
    yield f'\n], "comparisons": {_dumped(comparisons)}}}\n'


def sentence_record(system: SystemResult, row: int, identifier: str) -> dict[str, Any]:
    """Everything about one sentence."""
    record: dict[str, Any] = {"id": identifier}
    if system.texts:
        record["hypothesis"], record["reference"] = system.texts[row]
    record["reference_number"] = int(system.chosen[row]) + 1
    record |= dict(zip(COUNTS, system.counts[row].tolist(), strict=True))
    for name, count in zip(COUNTS, system.tree_counts[row].tolist(), strict=True):
        record[f"tree_{name}"] = None if count < 0 else count
    for name, scores in system.scores.items():
        value = float(scores[row])
        record[name] = None if isnan(value) else value
    return record


def _summary(system: SystemResult) -> dict[str, Any]:
    trees = system.tree_counts[system.tree_counts[:, 4] >= 0]
    counts = dict(zip(COUNTS, system.counts.sum(axis=0).tolist(), strict=True))
    tree_counts = {f"tree_{name}": n for name, n in zip(COUNTS, trees.sum(axis=0).tolist(), strict=True)}
    return {
        "name": system.name,
        "scores": {name: _score(score) for name, score in system.corpus.items()},
        "counts": counts | (tree_counts if len(trees) else dict.fromkeys(tree_counts)),
    }


def _score(score: CorpusScore) -> dict[str, Any]:
    return {
        "score": score.score,
        "mean": score.mean,
        "mean_interval": _bounds(score.mean_interval),
        "pooled": score.pooled,
        "pooled_interval": _bounds(score.pooled_interval),
        "sentences": score.sentences,
        "missing": score.missing,
        "signature": score.signature,
    }


def _comparison(found: Comparison) -> dict[str, Any]:
    return {**asdict(found), "interval": _bounds(found.interval)}


def _bounds(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
