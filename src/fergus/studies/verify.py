"""Is every answer that the server said it has in the database, once, and as it was sent?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from fergus.studies.asked import asked_on
from fergus.studies.service import parse_page
from fergus.studies.simulation import Sent
from fergus.studies.storage import answers, participants
from fergus.studies.storage.database import Database
from fergus.studies.study import Study

Page = tuple[str, int]
"""A participant's key and the number of the page."""


@dataclass(frozen=True)
class Verified:
    """How many acknowledged pages were looked for, and which of them are not as they should be."""

    pages: int
    missing: tuple[Page, ...]
    repeated: tuple[Page, ...]
    """An answer of it is there more than once."""
    different: tuple[Page, ...]
    """What is there is not what was sent."""

    @property
    def is_good(self) -> bool:
        """Is every page there once and as it was sent?"""
        return not (self.missing or self.repeated or self.different)

    def __str__(self) -> str:
        found = f"{self.pages:,} acknowledged pages: {len(self.missing):,} missing, {len(self.repeated):,} repeated"
        return f"{found}, {len(self.different):,} different"


def verify(database: Database, study: Study, sent: Iterable[Sent]) -> Verified:
    """Compare what raters were told with what is stored."""
    by_key: dict[str, dict[int, Sent]] = {}
    for one in sent:
        by_key.setdefault(one.key, {})[one.page] = one
    missing: list[Page] = []
    repeated: list[Page] = []
    different: list[Page] = []
    for key, pages in by_key.items():
        with database.read() as transaction:
            row = participants.by_key(transaction, key)
            rows = answers.of_participant(transaction, row.id) if row is not None else []
        reached = row.page if row is not None else 0
        stored: dict[int, Counter[tuple[str, tuple[str, ...], str]]] = {}
        shown: dict[int, tuple[str, tuple[str, ...]]] = {}
        for answer in rows:
            given = answer.given
            stored.setdefault(answer.submission.page, Counter())[given.question, given.items, _text(given.value)] += 1
            shown[answer.submission.page] = (answer.submission.block, answer.submission.items)
        for number, one in pages.items():
            place = (key, number)
            if number >= reached or (one.judgements and number not in shown):
                missing.append(place)
            elif number in shown:
                block, items = shown[number]
                asked = asked_on(study.by_name[block], tuple(study.by_id[item] for item in items))
                wanted, _ = parse_page(asked, one.form)
                found = stored[number]
                if max(found.values()) > 1:
                    repeated.append(place)
                elif set(found) != {(given.question, given.items, _text(given.value)) for given in wanted}:
                    different.append(place)
    return Verified(sum(map(len, by_key.values())), tuple(missing), tuple(repeated), tuple(different))


def _text(value: object) -> str:
    return repr(sorted(value.items())) if isinstance(value, dict) else repr(value)
