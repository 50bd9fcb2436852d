"""Participants who are left out of an analysis because their answers are flagged: by rules, never one by one.

A flag is a reason to look at somebody's answers, never a verdict on them: a report says which rules were used, and how
many people fell under each.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fergus.analysis.judgements import Notice
from fergus.analysis.written import people
from fergus.studies.flags import FLAGS

if TYPE_CHECKING:
    from fergus.studies.model import Json
    from fergus.studies.service import Service
    from fergus.studies.storage.studies import StudyRow


@dataclass(frozen=True)
class LeftOut:
    """Who fell under a rule."""

    rule: str
    people: frozenset[int]

    @property
    def reason(self) -> str:
        """In words, as a plan names it."""
        return FLAGS[self.rule]

    @property
    def notice(self) -> Notice:
        """What a report says of it."""
        number = len(self.people)
        message = f"{people(number)} {self.reason}, and all of their answers are left out"
        return Notice("participants left out", message if number else f"nobody {self.reason}", number)


def left_out(service: Service, row: StudyRow, rules: Sequence[str], *, among: Collection[Json]) -> tuple[LeftOut, ...]:
    """Those who fall under these rules, among some participants; somebody may fall under several."""
    from fergus.studies.progress import measure
    from fergus.studies.storage import answers, participants

    if not rules:
        return ()
    with service.database.read() as transaction:
        everybody = participants.of_study(transaction, row.id)
        given = answers.of_study(transaction, row.id)
        found = measure(service.study(row), everybody, given, study_of=service.study).people
    return tuple(
        LeftOut(
            rule, frozenset(one.participant.id for one in found if rule in one.flags and one.participant.id in among)
        )
        for rule in FLAGS
        if rule in rules
    )
