"""Pairs of which no text is right: which system's texts are preferred, how often, and is that more than chance?

Everybody chooses the better of two texts. By pair of systems: the share of choices for either, with the interval and p
that allow for other people and other pairs, and a sign test over people. By system: the share of the choices that it
won, of those that it was part of, whoever stood beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.choice_share import Share, about_numbers, share_of
from fergus.analysis.crossed import SAMPLES, SEED
from fergus.analysis.judgements import Notice
from fergus.analysis.many_tests import corrected_for_number
from fergus.analysis.pair_rows import PairRows, read_pairs, texts_of
from fergus.analysis.pair_sides import SideShare, sides_of
from fergus.analysis.proportions import Proportion, coin_p, proportion
from fergus.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fergus.studies.model import Json

    Bools = NDArray[np.bool_]
    Strings = NDArray[np.str_]


@dataclass(frozen=True)
class WinRate:
    """One system: how often its text was chosen, of the choices that it was part of."""

    system: str
    share: Share


@dataclass(frozen=True)
class SystemPreference:
    """Two systems: how often the first one's text was chosen."""

    first: str
    second: str
    share: Share
    corrected_p: float
    """By Holm's method, over all pairs of systems."""
    for_first: int
    for_second: int
    """People who chose this one more often than the other."""
    sign_p: float
    """Exact, of these people; NaN if there are none."""
    ties: int


@dataclass(frozen=True)
class TextPreference:
    """One pair: the text that was chosen more often (the first by name, if neither was)."""

    pair: str
    text: str
    system: str
    share: Proportion


@dataclass(frozen=True)
class Preferences:
    """Everything about one question."""

    question: str
    people: int
    pairs: int
    choices: int
    ties: int
    systems: tuple[WinRate, ...]
    """The most preferred first; none where texts have no systems."""
    between: tuple[SystemPreference, ...]
    texts: tuple[TextPreference, ...]
    """Those on which people agree most first."""
    side: SideShare
    notices: tuple[Notice, ...]


def analyse_preferences(
    records: Sequence[Mapping[str, Json]],
    *,
    question: str,
    systems: Mapping[str, str],
    samples: int = SAMPLES,
    seed: int = SEED,
) -> Preferences:
    """The choices in the rows of an export; ``systems`` says by the id of a text who wrote it."""
    choices = read_pairs(records, question=question, human={})
    if not choices.chosen:
        raise InputError(f"nobody chose a text of “{question}”", remedy="there are only ties so far")
    every = [tuple(systems.get(text, "") for text in own) for own in choices.texts]
    chosen = np.array([systems.get(text, "") for text in choices.chosen])
    is_apart = np.array([len(set(own)) == 2 and all(own) for own in every])[choices.pair]
    rates = _rates(choices, every, chosen, is_apart, samples, seed)
    tied = Counter(
        frozenset(systems.get(text, "") for text in texts_of(row))
        for row in records
        if (row["type"], row["question"], row.get("practice", False)) == ("pair", question, False)
        and not isinstance(row["value"], str)
    )
    names = [one.system for one in rates]
    between = _between(choices, every, chosen, names, tied, samples, seed)
    side = sides_of(_of_one_kind(choices), samples=samples, seed=seed)[0]
    notices = (*choices.notices, *_notices(choices, every, is_apart))
    return Preferences(
        question, len(choices.people), len(choices.pairs), len(choices.chosen), choices.ties, rates, between,
        _texts(choices, systems), side, notices,
    )  # fmt: skip


def _rates(
    choices: PairRows, every: Sequence[tuple[str, ...]], chosen: Strings, is_apart: Bools, samples: int, seed: int
) -> tuple[WinRate, ...]:
    found = []
    for name in sorted({name for own in every for name in own} - {""}):
        kept = is_apart & np.array([name in own for own in every])[choices.pair]
        if kept.any():
            person, pair = choices.person[kept], choices.pair[kept]
            found.append(WinRate(name, share_of(chosen[kept] == name, person, pair, samples=samples, seed=seed)))
    return tuple(sorted(found, key=lambda one: (-one.share.choices.value, one.system)))


def _between(
    choices: PairRows, every: Sequence[tuple[str, ...]], chosen: Strings, names: Sequence[str],
    tied: Counter[frozenset[str]], samples: int, seed: int,
) -> tuple[SystemPreference, ...]:  # fmt: skip
    """Every two systems that stood side by side, the more preferred one first."""
    found = []
    for first, second in combinations(names, 2):
        kept = np.array([{first, second} == {*own} for own in every])[choices.pair]
        if kept.any():
            person, is_first = choices.person[kept], chosen[kept] == first
            lead = np.bincount(person, weights=np.where(is_first, 1.0, -1.0))
            ahead, behind = int((lead > 0).sum()), int((lead < 0).sum())
            share = share_of(is_first, person, choices.pair[kept], samples=samples, seed=seed)
            found.append((first, second, share, ahead, behind, tied[frozenset((first, second))]))
    corrected = corrected_for_number([share.told_p for _, _, share, *_ in found])
    return tuple(
        SystemPreference(first, second, share, p, ahead, behind, coin_p(ahead, ahead + behind), ties)
        for (first, second, share, ahead, behind, ties), p in zip(found, corrected, strict=True)
    )


def _texts(choices: PairRows, systems: Mapping[str, str]) -> tuple[TextPreference, ...]:
    found = []
    for number, name in enumerate(choices.pairs):
        counts = Counter(choices.chosen[i] for i in np.flatnonzero(choices.pair == number))
        text = min(counts, key=lambda one: (-counts[one], one))
        found.append(TextPreference(name, text, systems.get(text, ""), proportion(counts[text], counts.total())))
    return tuple(sorted(found, key=lambda one: (-one.share.value, -one.share.n, one.pair)))


def _of_one_kind(choices: PairRows) -> PairRows:
    """Without a right answer there are no kinds of pairs."""
    return replace(choices, kinds=("",) * len(choices.kinds))


def _notices(choices: PairRows, every: Sequence[tuple[str, ...]], is_apart: Bools) -> list[Notice]:
    found = about_numbers(len(choices.people), len(choices.pairs))
    if choices.ties:
        found.append(Notice("tie", "answers that neither text was chosen are left out", choices.ties))
    nameless = sum(not all(every[number]) for number in choices.pair.tolist())
    if nameless:
        message = "choices of texts whose items have no column system: no system can have won them"
        found.append(Notice("no system", message, nameless))
    if same := int((~is_apart).sum()) - nameless:
        found.append(
            Notice("one system", "choices between two texts of one system, which tell nothing of systems", same)
        )
    return found
