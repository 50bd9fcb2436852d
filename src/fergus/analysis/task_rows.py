"""The tasks in rows of a study's export, as columns: how good every solution is and how long it took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from fergus.analysis.judgements import Notice, numbered
from fergus.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fergus.studies.model import Json

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]

Clock = Literal["active", "server"]
"""``active``: while the page was in view, by the browser's word (or the server's); ``server``: until it was sent."""


@dataclass(frozen=True)
class TaskRows:
    """All solutions; columns of one length, NaN where something is not known."""

    people: tuple[str, ...]
    levels: tuple[str, ...]
    """What is compared: systems, or conditions."""
    person: Ints
    text: Ints
    """The input that the solution is about, whichever system's text it was read in."""
    level: Ints
    quality: Floats
    """From 0 to 1."""
    seconds: Floats
    is_completed: Bools
    """Something was written, and in time."""
    is_late: Bools
    notices: tuple[Notice, ...]

    @property
    def per_minute(self) -> Floats:
        """Quality by time to solution (SCANMail, section 2.6)."""
        with np.errstate(divide="ignore", invalid="ignore"):
            result: Floats = np.where(self.seconds > 0, self.quality / self.seconds * 60, np.nan)
        return result


def read_tasks(records: Iterable[Mapping[str, Json]], *, factor: str, question: str, clock: Clock) -> TaskRows:
    """The solutions of one question, or of all; ``factor`` is the column whose values are compared."""
    rows = [r for r in records if r["type"] == "task" and question in ("", r["question"]) and not r.get("practice")]
    if not rows:
        raise InputError("no answers to questions of type task", remedy="analyse a study that has one, or name it")
    if not any(factor in row for row in rows):
        raise InputError(f"the rows have no column “{factor}”", remedy="name system, condition or item_ and a column")
    levels = [_level(row, factor) for row in rows]
    kept = [row for row, level in zip(rows, levels, strict=True) if level]
    if not kept:
        raise InputError(f"the column “{factor}” is empty", remedy="name the column that tells what is compared")
    names = tuple(sorted({level for level in levels if level}))
    people = tuple(dict.fromkeys(str(row["participant"]) for row in kept))
    shared = Counter((str(row["participant"]), row["page"]) for row in kept)
    seconds = [_seconds(row, clock) / shared[str(row["participant"]), row["page"]] for row in kept]
    quality = [_quality(row) for row in kept]
    return TaskRows(
        people,
        names,
        numbered([str(row["participant"]) for row in kept]),
        numbered([str(row["group"] or row["item"] or row["question"]) for row in kept]),
        np.array([names.index(_level(row, factor)) for row in kept], np.int64),
        np.array(quality, np.float64),
        np.array(seconds, np.float64),
        np.array([_is_written(row) and not row["late"] for row in kept], np.bool_),
        np.array([bool(row["late"]) for row in kept], np.bool_),
        tuple(_notices(kept, len(rows) - len(kept), shared, quality, seconds, clock)),
    )


def _level(row: Mapping[str, Json], factor: str) -> str:
    level = str(row.get(factor) or "")
    # What follows the slash of a condition is a row of a Latin square.
    return level.split("/", maxsplit=1)[0] if factor == "condition" else level


def _is_written(row: Mapping[str, Json]) -> bool:
    return bool(str(row["value"] if row["value"] is not None else "").strip())


def _quality(row: Mapping[str, Json]) -> float:
    """The score, or else the mean of the coders' grades."""
    if isinstance(row["score"], int | float):
        return float(row["score"])
    grades = row["grades"]
    given = [float(g) for g in grades.values() if isinstance(g, int | float)] if isinstance(grades, dict) else []
    return sum(given) / len(given) if given else float("nan")


def _seconds(row: Mapping[str, Json], clock: Clock) -> float:
    active, server = row["active_ms"], row["duration_ms"]
    told = active if clock == "active" and isinstance(active, int | float) else server
    return float(told) / 1000 if isinstance(told, int | float) else float("nan")


def _notices(
    rows: Sequence[Mapping[str, Json]],
    unknown: int,
    shared: Mapping[tuple[str, Json], int],
    quality: Sequence[float],
    seconds: Sequence[float],
    clock: Clock,
) -> list[Notice]:
    ungraded, untimed = int(np.isnan(quality).sum()), int(np.isnan(seconds).sum())
    late = sum(bool(row["late"]) for row in rows)
    by_server = sum(row["active_ms"] is None and row["duration_ms"] is not None for row in rows)
    several = sum(count > 1 for count in shared.values())
    instant = sum(second <= 0 for second in seconds)
    found = [
        ("no level", "solutions are of no system or condition and are left out", unknown),
        ("ungraded", "solutions have no score and no grade; they count for time and completion only", ungraded),
        ("no time", "solutions have no time; they count for quality and completion only", untimed),
        ("no time at all", "solutions took no time and have no quality by time", instant),
        ("late", "solutions came after the time limit; they are not completed, and count for the rest", late),
        ("several tasks a page", "pages ask for several solutions; their time is shared out evenly", several),
    ]
    if clock == "active":
        found.append(("server's clock", "solutions are timed by the server alone", by_server))
    return [Notice(*one) for one in found if one[2]]
