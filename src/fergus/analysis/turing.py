"""The Turing-style test: how often a person's text is told from a machine's (Hardcastle and Scott 2008, 2.5 and 4.4).

The share identified stands between two bounds: 50%, where nobody can tell, and 100%, where everybody can. Control pairs
(both texts are people's, or both machines') have no right answer; they show whether a side is preferred, and how far
people agree on a text where there is nothing to find.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.choice_share import CHANCE, Share, about_numbers, share_of
from fergus.analysis.crossed import SAMPLES, SEED, Estimate, crossed_difference
from fergus.analysis.detection import Counts, Detection, detection, mean_detection, pooled_detection
from fergus.analysis.judgements import Notice
from fergus.analysis.many_tests import corrected_for_number
from fergus.analysis.pair_rows import PairRows, pair_questions, read_pairs
from fergus.analysis.pair_sides import SideShare, sides_of
from fergus.analysis.proportions import Proportion, proportion

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fergus.studies.model import Json

    Bools = NDArray[np.bool_]

CONDITION = "condition"
"""The name of the groups that the study itself makes."""
HUMAN = {"author": "human"}
"""The columns that make a text a person's, as ``fergus study new`` writes them."""


@dataclass(frozen=True)
class PairShare:
    """One pair: how many found the person's text."""

    pair: str
    share: Proportion


@dataclass(frozen=True)
class PersonShare:
    """One participant."""

    person: str
    group: str
    share: Proportion
    detection: Detection


@dataclass(frozen=True)
class GroupShare:
    """A group of participants, such as experts."""

    group: str
    people: int
    share: Share


@dataclass(frozen=True)
class GroupDifference:
    """Two groups on the same pairs."""

    first: str
    second: str
    difference: Estimate
    p: float
    """NaN if a group has one person; where nobody differs from the others of a group, by exchanging people."""
    corrected_p: float
    """By Holm's method, over all pairs of groups."""


@dataclass(frozen=True)
class Turing:
    """Everything about one question of a Turing-style test."""

    question: str
    share: Share
    pooled: Detection
    """Of all choices together."""
    mean_d_prime: float
    """Over people, each with at least one pair of either side."""
    people: tuple[PersonShare, ...]
    pairs: tuple[PairShare, ...]
    """Those that fooled most people first."""
    group_name: str
    groups: tuple[GroupShare, ...]
    differences: tuple[GroupDifference, ...]
    sides: tuple[SideShare, ...]
    """By kind of pair: those with a right answer, then control pairs."""
    ties: int
    notices: tuple[Notice, ...]
    group_text: str = ""
    """The question by which people are divided, as they read it; empty if that is not known."""

    @property
    def fooled(self) -> tuple[PairShare, ...]:
        """The pairs of which less than half of the choices were right."""
        return tuple(one for one in self.pairs if one.share.value < CHANCE)


def analyse_turing(
    records: Iterable[Mapping[str, Json]],
    *,
    question: str = "",
    group: str = CONDITION,
    human: Mapping[str, str] | None = None,
    group_text: str = "",
    samples: int = SAMPLES,
    seed: int = SEED,
) -> Turing:
    """The test in the rows of an export; ``group`` is ``condition`` or the name of a question of type choice."""
    from fergus.errors import InputError

    rows = list(records)
    asked = [question] if question else pair_questions(rows)
    if len(asked) != 1:
        problem = f"{len(asked)} questions have pairs with a right answer"
        remedy = f"name one of {', '.join(asked)}" if asked else "give a question of type pair what is right"
        raise InputError(problem, remedy=remedy)
    choices = read_pairs(rows, question=asked[0], human=HUMAN if human is None else human)
    if not choices.is_mixed.any():
        raise InputError(f"no pair of “{asked[0]}” has a right answer", remedy="there are only control pairs or ties")
    groups = groups_of(rows, group)
    people = _people(choices, groups)
    by_group, differences = _by_group(choices, groups, samples, seed)
    mixed = choices.is_mixed
    return Turing(
        asked[0],
        _identified(choices, mixed, samples, seed),
        pooled_detection([_counts(choices, own & mixed) for own in _by_person(choices)], seed=seed),
        mean_detection([one.detection for one in people], seed=seed).d_prime,
        people,
        _pairs(choices),
        group if by_group else "",
        by_group,
        differences,
        sides_of(choices, samples=samples, seed=seed),
        choices.ties,
        (*choices.notices, *_notices(choices, groups if by_group else None), *_alone(by_group)),
        group_text if by_group else "",
    )


def _identified(choices: PairRows, kept: Bools, samples: int, seed: int) -> Share:
    return share_of(choices.score[kept] == 1, choices.person[kept], choices.pair[kept], samples=samples, seed=seed)


def _counts(choices: PairRows, kept: Bools) -> Counts:
    """Hits and false alarms; the right text stands first if it was chosen first, or missed and not chosen first."""
    is_first, is_right = choices.is_first[kept], choices.score[kept] == 1
    right_first = is_first == is_right
    return Counts(
        int((is_first & right_first).sum()),
        int(right_first.sum()),
        int((is_first & ~right_first).sum()),
        int((~right_first).sum()),
    )


def _by_person(choices: PairRows) -> list[Bools]:
    """Which choices are whose."""
    return [choices.person == number for number in range(len(choices.people))]


def _people(choices: PairRows, groups: Mapping[str, str]) -> tuple[PersonShare, ...]:
    found = []
    for name, own in zip(choices.people, _by_person(choices), strict=True):
        kept = own & choices.is_mixed
        if kept.any():
            share = proportion(int((choices.score[kept] == 1).sum()), int(kept.sum()))
            found.append(PersonShare(name, groups.get(name, ""), share, detection(_counts(choices, kept))))
    return tuple(found)


def _pairs(choices: PairRows) -> tuple[PairShare, ...]:
    found = []
    for number, name in enumerate(choices.pairs):
        kept = (choices.pair == number) & choices.is_mixed
        if kept.any():
            found.append(PairShare(name, proportion(int((choices.score[kept] == 1).sum()), int(kept.sum()))))
    return tuple(sorted(found, key=lambda one: (one.share.value, -one.share.n, one.pair)))


def groups_of(rows: Sequence[Mapping[str, Json]], group: str) -> dict[str, str]:
    """Each participant's group by ``condition`` or a question, where it is known; several answers are joined."""
    if group == CONDITION:
        # What follows the slash is a row of a Latin square (readers/2), as is a number alone: no group of people.
        names = {str(r["participant"]): str(r["condition"] or "").split("/")[0] for r in rows}
        return {person: name for person, name in names.items() if name and not name.isdigit()}
    found: dict[str, str] = {}
    for r in rows:
        if r["question"] == group and r["type"] == "choice" and not r["dimension"]:
            value = r["value"]
            found[str(r["participant"])] = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return found


def _by_group(
    choices: PairRows, groups: Mapping[str, str], samples: int, seed: int
) -> tuple[tuple[GroupShare, ...], tuple[GroupDifference, ...]]:
    """The groups that have choices, if there are at least two, and every two of them side by side."""
    own = np.array([groups.get(choices.people[number], "") for number in choices.person])
    names = sorted({*own[choices.is_mixed].tolist()} - {""})
    if len(names) < 2:
        return (), ()
    shares = []
    for name in names:
        kept = choices.is_mixed & (own == name)
        share = _identified(choices, kept, samples, seed)
        shares.append(GroupShare(name, len(np.unique(choices.person[kept])), share))
    found = []
    for first, second in combinations(names, 2):
        kept = choices.is_mixed & ((own == first) | (own == second))
        person, pair = choices.person[kept], choices.pair[kept]
        score, is_first = choices.score[kept], own[kept] == first
        difference = crossed_difference(score, person, pair, is_first, samples=samples, seed=seed, bounds=(-1, 1))
        p = difference.p_against(0.0)
        if np.isnan(p) and not np.isnan(difference.df):  # each group is of several people who all did alike
            p = _exchanged_p(difference.value, len(np.unique(person[is_first])), len(np.unique(person[~is_first])))
        found.append((first, second, difference, p))
    corrected = corrected_for_number([p for *_, p in found])
    return tuple(shares), tuple(GroupDifference(*one, c) for one, c in zip(found, corrected, strict=True))


def _exchanged_p(difference: float, first: int, second: int) -> float:
    """Of all ways to put people into two groups, those that are as far apart, if people of a group are all alike.

    >>> _exchanged_p(1.0, 3, 3)  # as they are, and the other way round, of 20
    0.1
    """
    return 1.0 if difference == 0 else (2 if first == second else 1) / comb(first + second, first)


def _notices(choices: PairRows, groups: Mapping[str, str] | None) -> list[Notice]:
    mixed = choices.is_mixed
    people, pairs = len(np.unique(choices.person[mixed])), len(np.unique(choices.pair[mixed]))
    found = about_numbers(people, pairs)
    if mixed.all():
        found.append(Notice("no control pairs", "whether a side is preferred can be told from the other pairs only", 0))
    if groups is not None and (without := sum(name not in groups for name in choices.people)):
        found.append(Notice("no group", "participants are in no group; they count in the whole only", without))
    return found


def _alone(groups: Sequence[GroupShare]) -> list[Notice]:
    names = [one.group for one in groups if one.people == 1]
    message = (
        f"{', '.join(names)}: how far the people of a group differ cannot be told from one; it is compared with no "
        "other group, and its interval takes the choices to be independent"
    )
    return [Notice("group of one person", message, len(names))] if names else []
