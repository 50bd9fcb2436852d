"""Private links: each lets one person in, perhaps into one condition."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from fergus.errors import InputError
from fergus.studies.assign import conditions_of
from fergus.studies.problems import legal
from fergus.studies.storage import studies
from fergus.studies.storage.database import Database, Transaction
from fergus.studies.storage.studies import LinkRow, StudyRow
from fergus.studies.study import Study

MOST_LINKS = 1000
"""At once."""
LONGEST_LABEL = 200


def make_links(
    database: Database, row: StudyRow, study: Study, labels: Sequence[str], *, condition: str | None, now_ms: int
) -> list[LinkRow]:
    """A link for each label, all or none of them; an empty label becomes "link" and its number in the study."""
    if not 1 <= len(labels) <= MOST_LINKS:
        raise InputError(f"{len(labels)} links cannot be made at once", remedy=f"make 1 to {MOST_LINKS}")
    for label in labels:
        if len(label) > LONGEST_LABEL or not label.isprintable():
            remedy = f"use at most {LONGEST_LABEL} characters that can be printed"
            raise InputError(f"{label[:LONGEST_LABEL]!r} cannot be a label", remedy=remedy)
    known = conditions_of(study)
    if condition and not any(name == condition or name.startswith(f"{condition}/") for name in known):
        raise InputError(f"“{study.name}” has no condition “{condition}”", remedy=legal(condition, known))
    tokens = [secrets.token_urlsafe(24) for _ in labels]

    def work(transaction: Transaction) -> list[LinkRow]:
        before = len(studies.all_links(transaction, row.id))
        for number, (token, label) in enumerate(zip(tokens, labels, strict=True), before + 1):
            name = label.strip() or f"link {number}"
            studies.add_link(transaction, row.id, token=token, label=name, condition=condition or None, now_ms=now_ms)
        return [link for link in studies.all_links(transaction, row.id) if link.token in set(tokens)]

    return database.write(work)
