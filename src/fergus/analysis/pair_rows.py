"""The forced choices in rows of a study's export, as columns: who chose which text of which pair, and was it right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.judgements import Notice
from fergus.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fergus.studies.model import Json

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]

MIXED, CONTROL = "", "control"
"""Kinds of pairs: a person's text and a machine's, and a control pair of which no more is known."""


@dataclass(frozen=True)
class PairRows:
    """All choices of one question; columns of one length, ties left out."""

    question: str
    people: tuple[str, ...]
    pairs: tuple[str, ...]
    kinds: tuple[str, ...]
    """By pair: empty for a person's text and a machine's, else the kind of control pair."""
    person: Ints
    pair: Ints
    score: Floats
    """1 if the right text was chosen, 0 if not, NaN in control pairs."""
    is_first: Bools
    """Was the text that is shown first chosen?"""
    chosen: tuple[str, ...]
    """The ids of the chosen texts."""
    ties: int
    """Third answers (“I cannot tell”), which are no choices."""
    notices: tuple[Notice, ...] = ()
    texts: tuple[tuple[str, ...], ...] = ()
    """By pair: the ids of its two texts, sorted."""

    @property
    def is_mixed(self) -> Bools:
        """Which choices have a right answer."""
        result: Bools = np.isfinite(self.score)
        return result

    def kind_of_choices(self) -> Sequence[str]:
        """The kind of pair of every choice."""
        return [self.kinds[number] for number in self.pair]


def pair_questions(records: Iterable[Mapping[str, Json]]) -> list[str]:
    """The questions that have choices with a right answer."""
    return list(dict.fromkeys(str(r["question"]) for r in records if r["type"] == "pair" and r["score"] is not None))


def read_pairs(records: Sequence[Mapping[str, Json]], *, question: str, human: Mapping[str, str]) -> PairRows:
    """The choices of a question; what makes a text a person's (``{"author": "human"}``) tells controls apart."""
    rows = [r for r in records if r["type"] == "pair" and r["question"] == question and not r.get("practice")]
    if not rows:
        raise InputError(f"no answers to a question “{question}” of type pair", remedy="name a question of the study")
    keys = {id(r): texts_of(r) for r in rows}
    kinds = _kinds(rows, keys, human)
    names = _names(rows, keys)
    chosen = [r for r in rows if isinstance(r["value"], str)]
    people = {name: number for number, name in enumerate(dict.fromkeys(str(r["participant"]) for r in chosen))}
    pairs = {key: number for number, key in enumerate(dict.fromkeys(keys[id(r)] for r in chosen))}
    ties = [r for r in rows if not isinstance(r["value"], str)]
    mixed_ties = sum(r["score"] is not None for r in ties)
    return PairRows(
        question,
        tuple(people),
        tuple(names[key] for key in pairs),
        tuple(kinds[key] for key in pairs),
        np.array([people[str(r["participant"])] for r in chosen], np.int64),
        np.array([pairs[keys[id(r)]] for r in chosen], np.int64),
        np.array([_number(r["score"]) for r in chosen], np.float64),
        np.array([_is_first(r) for r in chosen], np.bool_),
        tuple(str(r["value"]) for r in chosen),
        len(ties),
        tuple(_notices(rows, keys, chosen, mixed_ties)),
        tuple(tuple(sorted(key)) for key in pairs),
    )


def _number(value: Json) -> float:
    return float(value) if isinstance(value, int | float) else float("nan")


def texts_of(record: Mapping[str, Json]) -> frozenset[str]:
    """Both texts, whichever stood first."""
    shown = record["shown_order"]
    return frozenset(map(str, shown)) if isinstance(shown, list) else frozenset()


def _is_first(record: Mapping[str, Json]) -> bool:
    shown = record["shown_order"]
    return isinstance(shown, list) and bool(shown) and shown[0] == record["value"]


def _kinds(
    rows: Sequence[Mapping[str, Json]], keys: Mapping[int, frozenset[str]], human: Mapping[str, str]
) -> dict[frozenset[str], str]:
    """The kind of every pair: by the column ``control`` of the items, or else by who wrote the text that was chosen."""
    found: dict[frozenset[str], str] = {}
    for r in rows:
        key = keys[id(r)]
        if r["score"] is not None:
            found[key] = MIXED
        elif r.get("item_control"):
            found[key] = str(r["item_control"])
        elif r["item"] and human and all(f"item_{column}" in r for column in human):
            is_human = all(r[f"item_{column}"] == value for column, value in human.items())
            found[key] = "human-human" if is_human else "machine-machine"
        else:
            found.setdefault(key, CONTROL)
    return found


def _names(rows: Sequence[Mapping[str, Json]], keys: Mapping[int, frozenset[str]]) -> dict[frozenset[str], str]:
    """A pair is called by its group; by its texts where a group has several pairs, or there is none."""
    groups: dict[frozenset[str], str] = {}
    for r in rows:
        groups.setdefault(keys[id(r)], str(r["group"] or ""))
    times = Counter(groups.values())
    return {
        key: group if group and times[group] == 1 else " / ".join(sorted(key)) or group for key, group in groups.items()
    }


def _notices(
    rows: Sequence[Mapping[str, Json]],
    keys: Mapping[int, frozenset[str]],
    chosen: Sequence[Mapping[str, Json]],
    mixed_ties: int,
) -> list[Notice]:
    found = []
    if mixed_ties:
        scored = [r for r in rows if r["score"] is not None]
        share = sum(r["score"] == 1 for r in scored) / len(scored)
        message = (
            f"answers that neither text was chosen are left out; with them as not identified the share is {share:.3f}"
        )
        found.append(Notice("tie", message, mixed_ties))
    seen = {(str(r["participant"]), keys[id(r)]) for r in chosen}
    if len(seen) < len(chosen):
        found.append(
            Notice("repeated judgement", "somebody judged a pair again; all are kept", len(chosen) - len(seen))
        )
    return found
