"""What a parser's errors do to the tree accuracies: the same outputs scored by gold trees and by parsed ones."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from fergus.core.tree import DependencyTree, OrderedTree
from fergus.metrics import generation_accuracies, simple_accuracies, tree_counts_batch
from fergus.treebank.parse import Parser
from held_out import SHUFFLE_SEED, shuffled
from systems import Progress, preset_run, random_run

METRICS = {"simple tree accuracy": simple_accuracies, "generation tree accuracy": generation_accuracies}


@dataclass(frozen=True)
class EffectRow:
    """A metric of one system's outputs by both kinds of tree, means over sentences."""

    system: str
    gold: float
    parsed: float
    mean_absolute_difference: float
    """Of the scores of a sentence."""
    correlation: float | None
    """Pearson's, over sentences; None where all scores are equal."""


@dataclass(frozen=True)
class Effect:
    """A metric of all systems."""

    metric: str
    rows: tuple[EffectRow, ...]

    @property
    def has_same_ranking(self) -> bool:
        """Whether both kinds of tree put the systems in the same order."""
        by_gold = sorted(self.rows, key=lambda row: -row.gold)
        return by_gold == sorted(self.rows, key=lambda row: -row.parsed)

    def described(self) -> dict[str, Any]:
        """For the record."""
        rows = [{k: round(v, 5) if isinstance(v, float) else v for k, v in asdict(row).items()} for row in self.rows]
        return {"metric": self.metric, "has_same_ranking": self.has_same_ranking, "systems": rows}


def effects(parser: Parser, gold: Sequence[OrderedTree], *, progress: Progress) -> list[Effect]:
    """Both tree accuracies of several systems' outputs for the treebank's trees."""
    parsed = parser.parse_tokens([ordered.forms for ordered in gold])
    systems = outputs(gold, progress=progress)
    found = []
    for metric, accuracies in METRICS.items():
        rows = []
        for system, orders in systems.items():
            by_gold = accuracies(tree_counts_batch(gold, orders))
            positions = [in_positions(o, order) for o, order in zip(gold, orders, strict=True)]
            by_parsed = accuracies(tree_counts_batch(parsed, positions))
            rows.append(
                EffectRow(
                    system,
                    float(by_gold.mean()),
                    float(by_parsed.mean()),
                    float(np.abs(by_gold - by_parsed).mean()),
                    float(np.corrcoef(by_gold, by_parsed)[0, 1]) if by_gold.std() and by_parsed.std() else None,
                )
            )
        found.append(Effect(metric, tuple(rows)))
    return found


def outputs(gold: Sequence[OrderedTree], *, progress: Progress) -> dict[str, list[tuple[int, ...]]]:
    """Orders of the trees' nodes by the realizer, and by chance."""
    cases = shuffled(gold)
    runs = {
        "default, with labels": preset_run("en", "default", cases, bare=False, progress=progress),
        "default, bare": preset_run("en", "default", cases, bare=True, progress=progress),
        "supertag, bare": preset_run("en", "supertag", cases, bare=True, progress=progress),
    }
    found = {name: list(run.orders) for name, run in runs.items() if not run.skipped}
    generator = random.Random(SHUFFLE_SEED)
    found["random order of each treelet"] = [random_treelets(ordered.tree, generator) for ordered in gold]
    found["random order of the words"] = list(random_run(cases).orders)
    return found


def random_treelets(tree: DependencyTree, generator: random.Random) -> tuple[int, ...]:
    """A random projective order: in every treelet any order of the head and its daughters."""
    parts: dict[int, list[int]] = {}
    for node in tree.bottom_up:
        places: list[list[int]] = [[node], *(parts.pop(daughter) for daughter in tree.daughters[node])]
        generator.shuffle(places)
        parts[node] = [word for place in places for word in place]
    return tuple(parts[tree.root])


def in_positions(ordered: OrderedTree, order: Sequence[int]) -> list[int]:
    """Nodes as their positions in the sentence, which number the nodes of a parsed tree."""
    position = {node: place for place, node in enumerate(ordered.order)}
    return [position[node] for node in order]
