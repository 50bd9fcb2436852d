"""The score of a Turing-style test: what one participant found, and what fooled most people (Hardcastle and Scott 2.5).

A pair of one human and one generated text has a right answer. Control pairs (both human, both generated) have none and
are told apart, so that nobody's score depends on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from fergus.studies.model import Item
from fergus.studies.questions.pair import Pair
from fergus.studies.storage.answers import AnswerRow
from fergus.studies.storage.tally import Counted
from fergus.studies.study import Study

FEWEST = 5
"""A pair that fewer people have judged has fooled nobody yet."""
MOST_TOLD = 5
"""So many pairs that fooled most people are told."""
Key = tuple[str, frozenset[str]]
"""A pair: the question and the ids of both texts, whichever stood first."""


@dataclass(frozen=True)
class Tally:
    """How many judged a pair, and how many of them were right."""

    right: int = 0
    total: int = 0


@dataclass(frozen=True)
class ToldText:
    """One text of a pair, after the test."""

    text: str
    author: str
    """The values that made it the right one or not (``human``)."""
    is_right: bool
    is_chosen: bool


@dataclass(frozen=True)
class ToldPair:
    """A pair after the test: in the order shown, with what was chosen."""

    texts: tuple[ToldText, ...]
    is_right: bool | None
    """None for a control pair."""
    fooled_percent: int | None = None
    """The share of people who did not find it; None if too few have judged it."""
    count: int = 0


@dataclass(frozen=True)
class Score:
    """One participant's test."""

    pairs: tuple[ToldPair, ...]
    average: int | None
    """What people found, this one among them, in percent; None if too few have judged any pair."""
    hardest: tuple[ToldPair, ...]
    """Those of the pairs that fooled most people, the hardest first."""

    @property
    def scored(self) -> tuple[ToldPair, ...]:
        """The pairs that count."""
        return tuple(pair for pair in self.pairs if pair.is_right is not None)

    @property
    def right(self) -> int:
        """How many were found."""
        return sum(pair.is_right is True for pair in self.scored)

    @property
    def total(self) -> int:
        """Out of how many."""
        return len(self.scored)


def scored_questions(study: Study) -> dict[tuple[str, str], Pair]:
    """The questions that a test consists of, by block and name."""
    return {
        (block.name, question.name): question
        for block in study.blocks
        if not block.practice
        for question in block.questions
        if isinstance(question, Pair) and question.right
    }


def tally(study: Study, counted: Iterable[Counted]) -> dict[Key, Tally]:
    """How each pair was judged; what other versions of the study showed and this one does not is passed over."""
    questions, found = scored_questions(study), dict[Key, Tally]()
    for one in counted:
        question, items = questions.get((one.block, one.question)), _items(study, one.items)
        if question is None or items is None:
            continue
        score = question.judgements(one.value, items)[0].score
        if score is not None:
            key = (one.question, frozenset(one.items))
            before = found.get(key, Tally())
            found[key] = Tally(before.right + one.count * (score == 1), before.total + one.count)
    return found


def score_of(study: Study, rows: Sequence[AnswerRow], tallies: Mapping[Key, Tally]) -> Score | None:
    """The score of a participant's answers; None if there was nothing to find."""
    questions, pairs = scored_questions(study), list[ToldPair]()
    right, total = sum(one.right for one in tallies.values()), sum(one.total for one in tallies.values())
    for row in rows:
        question, items = questions.get((row.submission.block, row.given.question)), _items(study, row.given.items)
        if question is None or items is None:
            continue
        judgement = question.judgements(row.given.value, items)[0]
        counts = tallies.get((question.name, frozenset(row.given.items)), Tally())
        pairs.append(
            ToldPair(
                tuple(_told(question, item, judgement.value == item.id) for item in items),
                None if judgement.score is None else judgement.score == 1,
                round(100 * (counts.total - counts.right) / counts.total) if counts.total >= FEWEST else None,
                counts.total,
            )
        )
    if not any(pair.is_right is not None for pair in pairs):
        return None
    hard = [pair for pair in pairs if pair.is_right is not None and (pair.fooled_percent or 0) > 50]
    hard.sort(key=lambda pair: -(pair.fooled_percent or 0))  # equal ones in the order seen
    is_known = any(one.total >= FEWEST for one in tallies.values())
    return Score(tuple(pairs), round(100 * right / total) if is_known else None, tuple(hard[:MOST_TOLD]))


def _items(study: Study, ids: Iterable[str]) -> tuple[Item, ...] | None:
    items = tuple(study.by_id[name] for name in ids if name in study.by_id)
    return items if len(items) == 2 else None


def _told(question: Pair, item: Item, is_chosen: bool) -> ToldText:
    author = ", ".join(item.values.get(column, "") for column in question.right)
    return ToldText(item.text, author, question.is_right(item), is_chosen)
