"""A small set of judgements: two systems and a person realize some inputs, some judges rate each text."""

from __future__ import annotations

import numpy as np

from fergus.analysis.judgements import Items, Ratings


def small_table(
    *,
    inputs: int = 12,
    judges: int = 5,
    seed: int = 1,
    noise: float = 0.5,
    systems: tuple[str, ...] = ("a", "b", "person"),
) -> tuple[Items, Ratings]:
    """Quality is the system's (a 0, b .5, person 1) plus the input's; judges have biases, scales and noise."""
    random = np.random.default_rng(seed)
    names = [(f"i{i}", system) for i in range(inputs) for system in systems]
    items = Items(
        tuple(f"{i}/{s}" for i, s in names), tuple(i for i, _ in names), tuple(s for _, s in names),
        tuple(f"text {i} of {s}" for i, s in names),
    )  # fmt: skip
    level = dict(zip(systems, np.linspace(0, 1, len(systems)), strict=True))
    hard = random.normal(0, 0.3, inputs)
    quality = np.array([level[s] + hard[int(i[1:])] for i, s in names])
    judge = np.repeat(np.arange(judges), len(names))
    item = np.tile(np.arange(len(names)), judges)
    bias, width = random.normal(4, 1, judges), random.uniform(0.5, 2, judges)
    score = bias[judge] + width[judge] * (quality[item] + random.normal(0, noise, len(item)))
    return items, Ratings("quality", tuple(f"J{j}" for j in range(judges)), judge, item, score)
