"""Preregistration: a plan is frozen before the data are in, and a report says whether it kept to it.

::

    plan.toml ── freeze ──> plan.frozen.json: SHA-256 and date; an amendment adds another, with its reason
        └─────── check ───> unchanged since? and does an analysis do what the plan says, no less and no more?

The file beside the plan proves nothing to others by itself: publish the hash, or register the plan where it is dated.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from fergus.analysis.plan_file import Plan, digest_of, read_plan
from fergus.errors import InputError
from fergus.file_version import check_version
from fergus.version import __version__
from fergus.whole_file import WholeFile

FORMAT, VERSION = "fergus-frozen-plan", 1
ANALYSIS, ANALYSIS_VERSION = "fergus-analysis", 1
"""The JSON of a report, which is compared with the plan."""
ENDING = ".frozen.json"
Kind = Literal["left out", "not planned", "changed", "fewer", "more", "not told"]


@dataclass(frozen=True)
class Frozen:
    """A plan as it was at some time."""

    sha256: str
    date: str
    """ISO 8601, UTC."""
    fergus: str
    """The version of Fergus."""
    reason: str
    """Of an amendment; empty for the first."""
    content: Mapping[str, Any]


@dataclass(frozen=True)
class FreezeCheck:
    """A plan beside what was frozen."""

    plan: Plan
    frozen: tuple[Frozen, ...]
    """The first, and then amendments; empty if it was never frozen."""
    changes: tuple[str, ...]
    """Keys whose values are other than in the newest frozen state."""

    @property
    def is_kept(self) -> bool:
        """Is it frozen, and unchanged since?"""
        return bool(self.frozen) and not self.changes


@dataclass(frozen=True, kw_only=True)
class AnalysisSettings:
    """What an analysis did; None where it cannot tell."""

    study: str | None = None
    dimensions: tuple[str, ...] | None = None
    metrics: tuple[str, ...] | None = None
    tests: tuple[str, ...] | None = None
    exclusions: tuple[str, ...] | None = None
    level: float | None = None
    correction: str | None = None
    numbers: Mapping[str, int] | None = None
    """Of participants, items and judgements, as they were."""


@dataclass(frozen=True)
class Deviation:
    """Something in which an analysis is not what was planned."""

    what: str
    """The key of the plan."""
    kind: Kind
    planned: str
    done: str
    message: str


def frozen_path(path: str | Path) -> Path:
    """Where the frozen state of a plan is kept."""
    return Path(path).with_suffix(ENDING)


def freeze_plan(path: str | Path, *, now: datetime, reason: str = "") -> tuple[Frozen, bool]:
    """Freeze a plan as it is; False if that had been done before. A changed plan needs the reason of the amendment."""
    plan, before = read_plan(path), read_frozen(path)
    if before and before[-1].sha256 == plan.digest:
        return before[-1], False
    if before and not reason.strip():
        problem = f"the plan was frozen on {before[-1].date[:10]} and has changed since"
        raise InputError(problem, path=str(path), remedy="take the change back, or amend it and say why")
    if not before and reason.strip():
        raise InputError("the plan was never frozen", path=str(path), remedy="freeze it without an amendment")
    moment = now.isoformat(timespec="seconds").replace("+00:00", "Z")
    frozen = Frozen(plan.digest, moment, __version__, reason.strip(), plan.content)
    record = {"format": FORMAT, "version": VERSION, "frozen": [asdict(one) for one in (*before, frozen)]}
    with WholeFile(frozen_path(path)) as stream:
        stream.write((json.dumps(record, ensure_ascii=False, indent=2) + "\n").encode())
    return frozen, True


def read_frozen(path: str | Path) -> tuple[Frozen, ...]:
    """What was frozen of the plan in a file, the newest last; none if nothing was. A forged hash is an InputError."""
    place = frozen_path(path)
    if not place.exists():
        return ()
    try:
        record = json.loads(place.read_bytes())
        if record["format"] != FORMAT:
            raise ValueError(f"format {record['format']!r}")  # noqa: TRY301
        check_version(record.get("version"), what="a frozen plan", newest=VERSION, path=str(place))
        found = tuple(_frozen(one) for one in record["frozen"])
        wrong = next((one for one in found if digest_of(one.content) != one.sha256), None)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        problem = f"this is no frozen plan ({error})"
        raise InputError(problem, path=str(place), remedy="restore the file as `fergus plan freeze` wrote it") from None
    if wrong is not None:
        problem = f"what is frozen does not have the hash that stands beside it, {wrong.sha256[:12]}"
        raise InputError(problem, path=str(place), remedy="restore the file as `fergus plan freeze` wrote it")
    return found


def _frozen(one: Mapping[str, Any]) -> Frozen:
    found = Frozen(**one)
    texts = (found.sha256, found.date, found.fergus, found.reason)
    if not isinstance(found.content, dict) or not all(isinstance(text, str) for text in texts):
        raise TypeError("what was frozen is no plan with its hash, date and reason")
    return found


def check_freeze(path: str | Path) -> FreezeCheck:
    """Is the plan what was frozen?"""
    plan, frozen = read_plan(path), read_frozen(path)
    if not frozen:
        return FreezeCheck(plan, (), ())
    then, now = frozen[-1].content, plan.content
    changes = tuple(key for key in dict.fromkeys((*then, *now)) if then.get(key) != now.get(key))
    return FreezeCheck(plan, frozen, changes)


def check_plan(plan: Plan, settings: AnalysisSettings) -> list[Deviation]:
    """Everything in which an analysis deviates from the plan; what it cannot tell counts, and is named as such."""
    found: list[Deviation] = []
    if settings.study != plan.study:
        found.append(_other("study", plan.study, settings.study))
    found += _names("dimensions", plan.dimensions, settings.dimensions)
    found += _names("metrics", _members(plan.metrics), settings.metrics and _members(settings.metrics))
    found += _names("tests", plan.tests, settings.tests)
    # A rule under which no text fell was kept: nothing had to be left out by it.
    found += [one for one in _names("exclusions", plan.exclusions, settings.exclusions) if one.kind != "left out"]
    done = settings.tests
    for one in plan.hypotheses:
        if one.test and done is not None and one.test not in done and one.test not in plan.tests:
            found.append(Deviation("hypotheses", "left out", one.test, "", f"{one.name} was not tested by {one.test}"))
    if settings.level != plan.level:
        found.append(_other("level", plan.level, settings.level))
    if settings.correction != plan.correction:
        found.append(_other("correction", plan.correction or "none", settings.correction))
    for what, planned in plan.numbers.items():
        found += _number(what, planned, (settings.numbers or {}).get(what))
    return found


def read_settings(path: str | Path) -> AnalysisSettings:
    """What the JSON of a report says of its analysis."""
    try:
        record = json.loads(Path(path).read_bytes())
    except (ValueError, RecursionError) as error:
        raise InputError(f"this is no JSON ({error})", path=str(path), remedy="give a report's JSON") from None
    if not isinstance(record, dict):
        raise InputError("this is no analysis", path=str(path), remedy="give a report's JSON")
    return settings_from_json(record, path=str(path))


def settings_from_json(record: Mapping[str, Any], *, path: str = "") -> AnalysisSettings:
    """What a report says of its analysis, from its JSON; keys that are not there are not told."""
    if record.get("format") == ANALYSIS:
        check_version(record.get("version"), what="an analysis", newest=ANALYSIS_VERSION, path=path)
    told = record.get("analysis_settings", record)
    lists = ("dimensions", "metrics", "tests", "exclusions")
    try:
        values: dict[str, Any] = {key: tuple(map(str, told[key])) for key in lists if told.get(key) is not None}
        values |= {key: str(told[key]) for key in ("study", "correction") if told.get(key) is not None}
        values |= {"level": float(told["level"])} if told.get("level") is not None else {}
        values |= {"numbers": {str(k): int(n) for k, n in told["numbers"].items()}} if told.get("numbers") else {}
        if not values:
            raise ValueError(f"it tells none of {', '.join((*lists, 'study', 'correction', 'level'))}")  # noqa: TRY301
        return AnalysisSettings(**values)
    except (AttributeError, TypeError, ValueError, OverflowError) as error:
        raise InputError(f"this is no analysis ({error})", path=path, remedy="give a report's JSON") from None


def _other(what: str, planned: object, done: object) -> Deviation:
    if done is None:
        return Deviation(
            what, "not told", str(planned), "", f"{what}: planned was {planned}; what was done is not told"
        )
    done = done if done != "" else "none"
    return Deviation(what, "changed", str(planned), str(done), f"{what}: planned was {planned}, done was {done}")


def _members(metrics: Iterable[str]) -> list[str]:
    """Metrics, with what groups such as ``string`` stand for in their place."""
    from fergus.evaluation.selection import GROUPS

    return [member for name in metrics for member in GROUPS.get(name, (name,))]


def _names(what: str, planned: Iterable[str], done: Iterable[str] | None) -> list[Deviation]:
    planned = list(dict.fromkeys(planned))
    if done is None:
        return [_other(what, ", ".join(planned), None)] if planned else []
    done = list(dict.fromkeys(done))
    missing = [
        Deviation(what, "left out", n, "", f"{what}: {n} was planned and is not there")
        for n in planned
        if n not in done
    ]
    added = [Deviation(what, "not planned", "", n, f"{what}: {n} was not planned") for n in done if n not in planned]
    return missing + added


def _number(what: str, planned: int, done: int | None) -> list[Deviation]:
    if done is None:
        return [_other(what, planned, None)]
    if done == planned:
        return []
    kind: Kind = "fewer" if done < planned else "more"
    return [Deviation(what, kind, str(planned), str(done), f"{what}: {done:,} instead of {planned:,}")]
