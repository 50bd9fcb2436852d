"""What a simulation found: who came through, what was sent and taken, and how long the server took over it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

PERCENTILES = (50, 95, 99)


@dataclass(frozen=True)
class Visit:
    """How one rater's participation went."""

    rater: int
    key: str
    """The secret of the participant's address; "" if there was none."""
    state: str
    """As the last page says (``completed``, ``declined`` ...), ``refused`` by the study, ``stopped`` as the time was
    up, or ``failed``."""
    pages: int
    problem: str = ""


@dataclass(frozen=True)
class Sent:
    """A page that a rater sent and that the server said it has."""

    rater: int
    key: str
    page: int
    started: float
    """By the clock ``time.perf_counter``, in seconds."""
    seconds: float
    """Until the whole of the next page was there, lost connections included."""
    judgements: int
    form: Mapping[str, Sequence[str]] = field(repr=False, default_factory=dict)


@dataclass(frozen=True)
class Simulation:
    """All of it."""

    visits: tuple[Visit, ...]
    sent: tuple[Sent, ...]
    seconds: float
    started: float = 0.0
    """By the clock of ``Sent.started``."""
    lost: int = 0
    """How often a connection was lost or refused, and tried again."""

    @property
    def completed(self) -> int:
        """How many raters came to the end."""
        return sum(visit.state == "completed" for visit in self.visits)

    @property
    def judgements(self) -> int:
        """Rows of an export."""
        return sum(sent.judgements for sent in self.sent)

    @property
    def states(self) -> dict[str, int]:
        """How many visits ended how, the most frequent first."""
        return dict(Counter(visit.state for visit in self.visits).most_common())

    @property
    def problems(self) -> dict[str, int]:
        """What went wrong and how often."""
        return dict(Counter(visit.problem for visit in self.visits if visit.problem).most_common())

    @property
    def answers_per_second(self) -> float:
        """Pages taken by the server in a second, from the first to come to the last to go."""
        return len(self.sent) / self.seconds if self.seconds else 0.0

    def latency_ms(self, percent: float) -> float | None:
        """The time in which this share of pages was taken; None if none was."""
        return percentile([1000 * sent.seconds for sent in self.sent], percent)

    def described(self) -> dict[str, Any]:
        """The figures, for JSON."""
        return {
            "raters": len(self.visits),
            "states": self.states,
            "answers": len(self.sent),
            "judgements": self.judgements,
            "seconds": round(self.seconds, 3),
            "answers_per_second": round(self.answers_per_second, 1),
            "latency_ms": {
                f"p{percent}": None if (value := self.latency_ms(percent)) is None else round(value, 1)
                for percent in PERCENTILES
            },
            "lost_connections": self.lost,
            "problems": self.problems,
        }


def percentile(values: Sequence[float], percent: float) -> float | None:
    """The least of the values that so many percent are not above (the nearest-rank method); None of none.

    >>> percentile([4, 1, 3, 2], 50), percentile([4, 1, 3, 2], 95)
    (2, 4)
    """
    if not values:
        return None
    return sorted(values)[max(math.ceil(percent / 100 * len(values)), 1) - 1]
