"""How every figure of a report was come by, in words, with where it is from; the words are in a text file."""

from __future__ import annotations

import re
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fergus.analysis.analyse import Settings

_ABOUT_METRICS = " (metrics)"


def methods(settings: Settings, *, has_metrics: bool) -> tuple[tuple[str, str], ...]:
    """What is explained, and the explanation."""
    text = resources.files("fergus.analysis").joinpath("templates", "methods.txt").read_text("utf-8")
    numbers = {"samples": f"{settings.samples:,}", "trials": f"{settings.trials:,}", "largest": str(settings.largest)}
    found = []
    for part in re.split(r"^# ", text, flags=re.MULTILINE)[1:]:
        title, _, explanation = part.partition("\n")
        if has_metrics or not title.endswith(_ABOUT_METRICS):
            found.append((title.removesuffix(_ABOUT_METRICS), " ".join(explanation.format(**numbers).split())))
    return tuple(found)
