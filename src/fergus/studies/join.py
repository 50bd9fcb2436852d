"""Joining a study: who is known already, who is let in, into which condition, and what they will see."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import NotRequired, TypedDict, Unpack

from fergus.errors import FergusError
from fergus.studies.assign import choose_condition, conditions_of, counts_pages, has_work, plan
from fergus.studies.storage import participants, studies
from fergus.studies.storage.database import Transaction, lock
from fergus.studies.storage.participants import NewParticipant, ParticipantRow
from fergus.studies.storage.studies import LinkRow, StudyRow
from fergus.studies.study import Study

STALE_MS = 60 * 60 * 1000
"""A participant who was not seen for an hour is counted as gone when conditions are balanced, but may come back."""

NEW_STALE_MS = 10 * 60 * 1000
"""The same for one who has answered no page: anybody can open a link many times and leave it at that."""


class RefusedError(FergusError):
    """Somebody who cannot take part, or not now; ``reason`` is a key of the pages' words."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class Arrival(TypedDict):
    """How somebody comes: the number of the form, the link's parameters, a private link, as what, and where to."""

    nonce: str
    parameters: Mapping[str, str]
    link: NotRequired[LinkRow | None]
    kind: NotRequired[str]
    condition: NotRequired[str | None]


@dataclass(frozen=True)
class Joining:
    """Somebody who wants to take part, as far as it can be told without the database."""

    row: StudyRow
    study: Study
    nonce: str
    parameters: Mapping[str, str]
    """Those that the study records."""
    external: str | None
    """The recruiter's name for the person."""
    link: LinkRow | None
    kind: str
    condition: str | None
    """Where this person is to go; None: where there are fewest."""

    @classmethod
    def of(cls, row: StudyRow, study: Study, **arrival: Unpack[Arrival]) -> Joining:
        """Refuses links that are not of this study or lack what tells people apart."""
        nonce, parameters = arrival["nonce"], arrival["parameters"]
        link, kind = arrival.get("link"), arrival.get("kind", "person")
        first = study.recruitment.parameters[:1]
        external = parameters.get(first[0], "").strip() or None if first else None
        is_anonymous = study.recruitment.required and external is None and link is None and kind == "person"
        is_of_another = link is not None and link.study_id != row.id
        if is_anonymous or is_of_another or not participants.fits(nonce=nonce, external=external):
            raise RefusedError("wrong_link")
        kept = {name: parameters[name] for name in study.recruitment.parameters if name in parameters}
        wanted = arrival.get("condition") or (link.condition if link is not None else None)
        return cls(row, study, nonce, kept, external, link, kind, wanted)

    def key(self, transaction: Transaction, *, now_ms: int) -> str:
        """The key of the participant, who is known already or is put in now."""
        lock(transaction, self.row.id)
        known = self._known(transaction)
        if known is not None and known.study_id != self.row.id:  # the form of another study, sent here
            raise RefusedError("wrong_link")
        return known.key if known is not None else self._new(transaction, now_ms)

    def _known(self, transaction: Transaction) -> ParticipantRow | None:
        known = participants.by_nonce(transaction, self.nonce)
        if known is None and self.link is not None:
            known = participants.by_link(transaction, self.link.id)
        if known is None and self.external is not None:
            known = participants.by_external(transaction, self.row.id, self.kind, self.external)
        return known

    def _new(self, transaction: Transaction, now_ms: int) -> str:
        study, number, is_preview = self.study, self.row.id, self.kind == "preview"
        since = {"since_ms": now_ms - STALE_MS, "new_since_ms": now_ms - NEW_STALE_MS}
        loads = participants.loads(transaction, number, **since)
        if not is_preview:
            state = studies.find_study(transaction, self.row.name)
            if state is None or state.state != "open":
                raise RefusedError("paused" if state is not None and state.state == "paused" else "closed")
            target = study.assignment.participants
            if target is not None and sum(load.completed for load in loads.values()) >= target:
                raise RefusedError("full")
        # Who looks at the study beforehand sees it as its first participant did.
        counts = counts_pages(study) and not is_preview
        judged = participants.judged(transaction, number, **since) if counts else {}
        wanted = self.condition
        candidates = [c for c in conditions_of(study) if not wanted or c == wanted or c.startswith(f"{wanted}/")]
        closed = studies.closed(transaction, number) if not is_preview else set()
        shut = closed if is_preview else closed | {c for c in candidates if not has_work(study, c, judged)}
        seed = Random(f"{study.assignment.seed}/{self.nonce}").getrandbits(62)
        chosen = choose_condition(candidates, loads, closed=shut, random=Random(seed))
        if chosen is None:
            done = participants.judged(transaction, number, since_ms=None)
            has_gaps = any(has_work(study, c, done) for c in candidates if c not in closed)
            raise RefusedError("busy" if has_gaps else "full")
        key = secrets.token_urlsafe(24)
        new = NewParticipant(
            number, version=self.row.version, key=key, nonce=self.nonce, link_id=self.link.id if self.link else None,
            external=self.external, parameters=self.parameters, kind=self.kind, condition=chosen, seed=seed,
            plan=plan(study, chosen, seed=seed, judged=judged),
        )  # fmt: skip
        participants.add_participant(transaction, new, now_ms=now_ms)
        return key
