"""How every figure of a report was come by, in words, with where it is from; the words are in a text file."""

from __future__ import annotations

import re
from collections.abc import Collection
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fergus.analysis.analyse import Settings
    from fergus.analysis.report import Report

_TITLE = re.compile(r"(.*) \((\w+)\)")
"""What is explained, and what a report must be about to explain it."""


def methods(settings: Settings, *, topics: Collection[str]) -> tuple[tuple[str, str], ...]:
    """What is explained, and the explanation."""
    text = resources.files("fergus.analysis").joinpath("templates", "methods.txt").read_text("utf-8")
    numbers = {"samples": f"{settings.samples:,}", "trials": f"{settings.trials:,}", "largest": str(settings.largest)}
    found = []
    for part in re.split(r"^# ", text, flags=re.MULTILINE)[1:]:
        line, _, explanation = part.partition("\n")
        told = _TITLE.fullmatch(line)
        if told is not None and told[2] in topics:
            found.append((told[1], " ".join(explanation.format(**numbers).split())))
    return tuple(found)


def topics_of(report: Report) -> tuple[str, ...]:
    """What a report is about, by the words that stand behind the titles of methods."""
    analysis, found = report.analysis, report.found
    held = {
        "ratings": analysis.dimensions,
        "models": [one for one in analysis.dimensions if one.mixed is not None],
        "metrics": analysis.metrics,
        "turing": found.turing,
        "preferences": found.preferences,
        "comments": found.comments,
        "tasks": found.tasks,
    }
    return tuple(topic for topic, own in held.items() if own)
