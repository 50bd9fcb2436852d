"""Judgements from a table or from a study of ours, as columns; what is odd about them is counted and named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.judgements import Items, Judgements, Notice, Ratings
from fergus.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fergus.studies.judgements_file import Columns, Judged
    from fergus.studies.model import Json
    from fergus.studies.service import Service
    from fergus.studies.storage.studies import StudyRow

NUMERIC = ("rating", "score", "ranking", "best-worst")
"""Types of questions whose values are scores of single items."""
MOST_NAMED = 100
NO_SYSTEM = "(no system)"
LEFT_OUT = {
    "skipped question": "scores were not given, as is allowed where a question need not be answered",
    "no number": "answers to questions for a score are no numbers and are left out",
    "about no text": "scores are of no text, but of the person or the whole study; they are in the export",
}
"""Rows of an export that are no judgements of texts, and what a report says of them."""


def load_table(path: Path, *, columns: Columns) -> Judgements:
    """The judgements of a CSV, TSV or JSON lines file; raises its first mistake."""
    from fergus.studies.judgements_file import read_judgements

    return from_judged(read_judgements(path, columns=columns), source=path.name)


def from_judged(judged: Judged, *, source: str) -> Judgements:
    """The judgements of a table that was read."""
    rows = [
        Row(one.judge, one.item, dimension, float(score))
        for one in judged.given
        for dimension, score in one.scores.items()
    ]
    texts = {item.id: ItemColumns(item.group, item.system, item.text, dict(item.values)) for item in judged.items}
    notices = []
    if judged.missing:
        notices.append(Notice("missing score", "cells of the table hold no score and are left out", judged.missing))
    if judged.left_out:
        names = ", ".join(judged.left_out)
        notices.append(
            Notice("varying column", f"differ between judgements of one text: {names}", len(judged.left_out))
        )
    return judgements_of(rows, texts, source=source, notices=notices, dimensions=judged.dimensions)


def load_study(service: Service, row: StudyRow) -> Judgements:
    """The judgements of a study, of those who completed it or are at it; practice and previews are left out."""
    from fergus.studies.export import rows_of

    return from_export(rows_of(service, row), source=row.name)


def from_export(records: Iterable[Mapping[str, Json]], *, source: str) -> Judgements:
    """The judgements in rows of an export whose values are scores of items; other types are not looked at."""
    rows: list[Row] = []
    texts: dict[str, ItemColumns] = {}
    left_out: Counter[str] = Counter()
    for record in records:
        if record["type"] not in NUMERIC:
            continue
        item, value = str(record["item"] or ""), record["value"]
        if not item or isinstance(value, bool) or not isinstance(value, int | float):
            left_out["skipped question" if value is None else "about no text" if not item else "no number"] += 1
            continue
        if item not in texts:
            own = {key[5:]: str(told) for key, told in record.items() if key.startswith("item_") and told is not None}
            texts[item] = ItemColumns(
                str(record["group"] or item), str(record["system"] or ""), own.get("text", ""), own
            )
        name = str(record["dimension"] or record["question"])
        rows.append(Row(str(record["participant"]), item, name, float(value)))
    if not rows:
        remedy = "analyse a study with questions of type " + ", ".join(NUMERIC)
        raise InputError(f"{source} has no judgements that are scores of items", remedy=remedy)
    notices = [Notice(kind, message, left_out[kind]) for kind, message in LEFT_OUT.items() if left_out[kind]]
    return judgements_of(rows, texts, source=source, notices=notices)


def within_scale(judgements: Judgements, lowest: float, highest: float) -> Judgements:
    """Without scores that the scale does not have; each of them is named."""
    ratings, notices = {}, list(judgements.notices)
    for name, own in judgements.ratings.items():
        outside = (own.score < lowest) | (own.score > highest)
        if outside.any():
            named = [
                f"{own.score[i]:g} by {own.judges[own.judge[i]]} of {judgements.items.ids[own.item[i]]}"
                for i in np.flatnonzero(outside)
            ]
            shown = "; ".join(named[:MOST_NAMED]) + ("; ..." if len(named) > MOST_NAMED else "")
            message = f"{name}: scores outside the scale of {lowest:g} to {highest:g} are left out: {shown}"
            notices.append(Notice("outside the scale", message, len(named)))
            notices += _lost(own, ~outside, judgements.items)
        ratings[name] = replace(own.only(~outside), scale=(lowest, highest))
    return replace(judgements, ratings=ratings, notices=tuple(notices))


def _lost(own: Ratings, kept: NDArray[np.bool_], items: Items) -> list[Notice]:
    """Judges and texts of which nothing is left."""
    found = []
    for kind, numbers, names in (("judge", own.judge, own.judges), ("text", own.item, items.ids)):
        gone = [names[number] for number in np.setdiff1d(numbers, numbers[kept])]
        if gone:
            shown = ", ".join(gone[:MOST_NAMED]) + (", ..." if len(gone) > MOST_NAMED else "")
            notices = f"{own.dimension}: nothing within the scale is left of: {shown}"
            found.append(Notice(f"{kind} left out", notices, len(gone)))
    return found


@dataclass(frozen=True)
class Row:
    """One score."""

    judge: str
    item: str
    dimension: str
    score: float


@dataclass(frozen=True)
class ItemColumns:
    """What is known of an item."""

    group: str
    system: str
    text: str
    values: Mapping[str, str] = field(default_factory=dict)


def judgements_of(
    rows: Iterable[Row],
    texts: Mapping[str, ItemColumns],
    *,
    source: str,
    notices: Iterable[Notice] = (),
    dimensions: Iterable[str] = (),
) -> Judgements:
    """Columns of rows; repeated judgements are kept and counted."""
    by_dimension: dict[str, list[Row]] = {name: [] for name in dimensions}
    judged: dict[str, int] = {}
    for row in rows:
        by_dimension.setdefault(row.dimension, []).append(row)
        judged.setdefault(row.item, len(judged))
    found = list(notices)
    ratings = {}
    for dimension, own in by_dimension.items():
        judges = {name: number for number, name in enumerate(sorted({row.judge for row in own}))}
        seen = len({(row.judge, row.item) for row in own})
        if seen < len(own):
            message = f"{dimension}: a judge judged a text again; all are kept, and averaged where one is needed"
            found.append(Notice("repeated judgement", message, len(own) - seen))
        ratings[dimension] = Ratings(
            dimension,
            tuple(judges),
            np.array([judges[row.judge] for row in own], np.int64),
            np.array([judged[row.item] for row in own], np.int64),
            np.array([row.score for row in own], np.float64),
        )
    unjudged = len(texts.keys() - judged.keys())
    if unjudged:
        found.append(Notice("unjudged item", "items were judged by nobody and are left out", unjudged))
    found += _unclear(texts, judged)
    columns = {name: [texts[item].values.get(name, "") for item in judged] for name in _shared(texts, judged)}
    has_systems = any(texts[item].system for item in judged)
    items = Items(
        tuple(judged),
        tuple(texts[item].group for item in judged),
        tuple(texts[item].system or NO_SYSTEM * has_systems for item in judged),
        tuple(texts[item].text for item in judged),
    )
    return Judgements(items, ratings, tuple(found), source, columns)


def _unclear(texts: Mapping[str, ItemColumns], judged: Iterable[str]) -> list[Notice]:
    """Texts without a system where others have one, and several texts of one system for one input."""
    found, known = [], list(judged)
    nobody = [item for item in known if not texts[item].system]
    if nobody and len(nobody) < len(known):
        message = f"texts have no system, and are taken as those of one more, {NO_SYSTEM}: {', '.join(nobody[:20])}"
        found.append(Notice("no system", message, len(nobody)))
    places = Counter((texts[item].group, texts[item].system) for item in known)
    several = [place for place, number in places.items() if number > 1 and place[1]]
    if several:
        named = "; ".join(f"{group} by {system}" for group, system in several[:20])
        message = f"inputs have several texts of one system, as where judges were shown different ones: {named}"
        found.append(Notice("several texts", message, len(several)))
    return found


def _shared(texts: Mapping[str, ItemColumns], judged: Iterable[str]) -> list[str]:
    names: dict[str, None] = {}
    for item in judged:
        names |= dict.fromkeys(texts[item].values)
    return [name for name in names if name not in ("text", "group", "system", "item")]
