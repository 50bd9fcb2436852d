"""A small analysis for tests of reports: two metrics, three systems, one excluded text."""

from __future__ import annotations

from functools import cache

import numpy as np

from fergus.analysis.analyse import Analysis, Settings, analyse
from fergus.analysis.judgements import Items, Judgements, Notice, Ratings
from fergus.analysis.regress import Exclusion
from fergus.analysis.report import Report
from tests.analysis.small_table import small_table

HOSTILE = '<script>alert(1)</script> & "50%" _x^{y}~\\'
"""A name that breaks what is not escaped."""


@cache
def made_analysis(*, dimensions: int = 1, name: str = "good", inputs: int = 12) -> Analysis:
    """The metric ``name`` knows what people think; noise does not, and cost is turned round."""
    items, ratings = small_table(inputs=inputs)
    means = ratings.item_means(len(items))
    random = np.random.default_rng(0)
    metrics = {
        name: means + random.normal(0, 0.3, len(items)),
        "noise": random.normal(size=len(items)),
        "cost": -means + random.normal(0, 1, len(items)),
    }
    every = {f"quality{n or ''}": ratings for n in range(dimensions)}
    named = {key: Ratings(key, own.judges, own.judge, own.item, own.score) for key, own in every.items()}
    settings = Settings(
        samples=30, trials=30, lower_is_better=("cost",), exclude=(Exclusion(items.ids[3], "mangled, yet well-formed"),)
    )
    return analyse(Judgements(items, named, source="ratings.csv"), metrics, settings=settings)


def made_report(**options: int | str) -> Report:
    """The same as a report."""
    return Report(analysis=made_analysis(**options), command="fergus analyse ratings.csv")  # type: ignore[arg-type]


def hostile_report() -> Report:
    """Every text that comes from outside is one that must be escaped."""
    items, ratings = small_table(inputs=6)
    systems = tuple(HOSTILE if system == "a" else system for system in items.systems)
    own = Items(tuple(f"{HOSTILE}{i}" for i in range(len(items))), items.inputs, systems, items.texts)
    judged = Ratings(HOSTILE, (HOSTILE, *ratings.judges[1:]), ratings.judge, ratings.item, ratings.score)
    means = ratings.item_means(len(items))
    metrics = {HOSTILE: means + np.arange(len(items)) % 3, "b": np.arange(len(items)) % 5 + 0.0, "c": means**2}
    settings = Settings(samples=20, trials=20, exclude=(Exclusion(own.ids[0], HOSTILE),), lower_is_better=(HOSTILE,))
    notices = (Notice(HOSTILE, HOSTILE, 2),)
    judgements = Judgements(own, {HOSTILE: judged}, notices, HOSTILE)
    done = analyse(judgements, metrics, predictors={"length": means * 0 + np.arange(len(items)) % 7}, settings=settings)
    return Report(analysis=done, command=HOSTILE, signatures={HOSTILE: HOSTILE}, notices=notices, date="2026-01-01")
