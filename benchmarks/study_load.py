"""What the studies benchmark asks and how it counts: items, study file, the window that is measured, the figures."""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from bars import Bar
from fergus.studies.simulation import percentile

ITEMS, WORDS_IN_A_TEXT = 40, 17
_WORDS = (
    "the a this every some old new small large report estimate cost phase plan team market house paper city road "
    "was is seems became remains written found given shown made under over for with from in on at after before no"
)
STUDY = """study: ratings
title: Ratings of sentences
items: items.csv
welcome: Thank you for coming.
consent: I have read what this study is about, and take part.
questions:
  rating:
    type: rating
    dimensions:
      understanding:
        text: How easy is it to understand?
        labels: {1: not at all, 4: with some effort, 7: at once}
      quality:
        text: How well written is it?
        labels: {1: badly, 4: acceptably, 7: very well}
blocks:
  - name: main
    items: all
    questions: [rating]
"""


def items() -> list[tuple[str, str]]:
    """Names and texts: as many words as a sentence of the Wall Street Journal has, always the same ones."""
    random, words = Random(2000), _WORDS.split()
    texts = [" ".join(random.choice(words) for _ in range(WORDS_IN_A_TEXT)) for _ in range(ITEMS)]
    return [(f"s{number:02}", f"{text.capitalize()}.") for number, text in enumerate(texts)]


def write_study(folder: Path) -> Path:
    """A study in a new folder: each of the items on a page of its own, with two scales of seven points."""
    folder.mkdir()
    with (folder / "items.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["item", "text", "system"])
        writer.writerows([name, text, "ab"[number % 2]] for number, (name, text) in enumerate(items()))
    path = folder / "study.yaml"
    path.write_text(STUDY, encoding="utf-8")
    return path


@dataclass(frozen=True)
class Clock:
    """First people arrive, then it is measured."""

    warm_seconds: float
    seconds: float

    @property
    def until(self) -> float:
        """When everybody may go."""
        return self.warm_seconds + self.seconds

    def window(self, started: float) -> tuple[float, float]:
        """From when to when answers count."""
        return started + self.warm_seconds, started + self.until


@dataclass(frozen=True)
class Figures:
    """What a load gave."""

    offered: float
    """Answers a second, if the server took no time."""
    label: str
    answers_per_second: float
    judgements_per_second: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    errors: int
    processor_ms: Mapping[str, float] = field(default_factory=dict)
    """Processor time an answer, of the server and of the raters, who share the machine."""
    note: str = ""
    is_good: bool = True

    def described(self, bar: Bar | None = None) -> dict[str, Any]:
        """For JSON."""
        numbers = {name: round(v, 2) if isinstance(v, float) else v for name, v in asdict(self).items()}
        numbers["processor_ms"] = {name: round(value, 3) for name, value in self.processor_ms.items()}
        return {**numbers, **({"at_least": bar.at_least, "aim": bar.aim} if bar else {})}


def figures_of(
    offered: float,
    times: Sequence[tuple[float, float]],
    window: tuple[float, float],
    *,
    judgements: int,
    errors: int,
    label: str = "",
    processor_ms: Mapping[str, float] | None = None,
    note: str = "",
    is_good: bool = True,
) -> Figures:
    """The figures of the answers that were acknowledged within the window; processor seconds are of all answers."""
    taken = [1000 * seconds for started, seconds in times if window[0] <= started + seconds <= window[1]]
    rate = len(taken) / (window[1] - window[0])
    at = {percent: percentile(taken, percent) or 0.0 for percent in (50, 95, 99)}
    costs = {name: 1000 * seconds / max(len(times), 1) for name, seconds in (processor_ms or {}).items()}
    return Figures(
        offered, label, rate, judgements * rate, at[50], at[95], at[99], errors, costs, note, is_good=is_good
    )  # fmt: skip


def processor_seconds(process: int) -> float:
    """What a process has used so far, by the kernel's account; 0 where there is none."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
