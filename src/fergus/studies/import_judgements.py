"""Judgements from elsewhere as a study: the texts, a question that asks for scores, a participant for each judge."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence

from fergus.errors import InputError
from fergus.studies.judgements_file import GivenScores, Judged
from fergus.studies.model import PlannedPage
from fergus.studies.storage import answers, participants, studies
from fergus.studies.storage.answers import Given, Submission
from fergus.studies.storage.database import Database, Transaction
from fergus.studies.storage.participants import NewParticipant
from fergus.studies.storage.studies import StudyRow, VersionRow
from fergus.studies.study_file import parse_study, version_of
from fergus.studies.study_settings import LONGEST_NAME, NAME

BLOCK, QUESTION, KIND = "main", "scores", "imported"
STUDY_FILE, ITEMS_FILE = "study.yaml", "items.jsonl"


def import_judgements(
    database: Database, judged: Judged, *, name: str, source: str, now_ms: int, replace: bool = False
) -> StudyRow:
    """Put judgements into a database as a study, which is closed; one that is there is replaced only if it is told."""
    if len(name) > LONGEST_NAME or not NAME.fullmatch(name):
        remedy = f"use small letters, digits and hyphens between them, at most {LONGEST_NAME}"
        raise InputError(f"“{name}” is no name for a study", remedy=remedy)
    files = make_files(judged, name=name, source=source, now_ms=now_ms)
    parse_study(files.text, files.items_text, name=files.file_name, items_name=files.items_name)

    def work(transaction: Transaction) -> StudyRow:
        _make_room(transaction, name, replace=replace)
        row = studies.add_version(transaction, name, files)
        studies.set_state(transaction, row.id, "closed")
        by_judge: dict[str, list[GivenScores]] = {}
        for one in judged.given:
            by_judge.setdefault(one.judge, []).append(one)
        for judge, given in by_judge.items():
            _add_judge(transaction, row, judge, given, now_ms)
        return row

    return database.write(work)


def make_files(judged: Judged, *, name: str, source: str, now_ms: int) -> VersionRow:
    """A study file and an items file that describe what was judged; they would ask it again as it was asked."""
    scales = "".join(f"      {_quoted(scale)}: {_quoted(scale)}\n" for scale in judged.dimensions)
    text = (
        f"study: {name}\n"
        f"title: {_quoted(f'Judgements from {source}')}\n"
        f"items: {ITEMS_FILE}\n"
        "questions:\n"
        f"  {QUESTION}:\n"
        "    type: score\n"
        "    required: no\n"
        "    imported: yes\n"
        "    dimensions:\n"
        f"{scales}"
        "blocks:\n"
        f"  - name: {BLOCK}\n"
        "    items: all\n"
        f"    questions: [{QUESTION}]\n"
    )
    rows = ({"item": item.id, "text": item.text, **item.values} for item in judged.items)
    items_text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return VersionRow(version_of(text, items_text), STUDY_FILE, text, ITEMS_FILE, items_text, now_ms)


def _quoted(text: str) -> str:
    printable = "".join(c if c.isprintable() else " " for c in text)
    return json.dumps(printable, ensure_ascii=False)  # YAML reads what JSON quotes


def _make_room(transaction: Transaction, name: str, *, replace: bool) -> None:
    known = studies.find_study(transaction, name)
    if known is None:
        return
    if not replace:
        remedy = "give another name, or replace it (--replace)"
        raise InputError(f"there is a study “{name}” already; nothing was imported", remedy=remedy)
    everyone = participants.who_is_who(transaction, known.id).values()
    if any(who.kind != KIND for who in everyone):
        problem = f"people have taken part in “{name}”; it is not replaced"
        raise InputError(problem, remedy="give another name")
    studies.delete_study(transaction, known.id)


def _add_judge(transaction: Transaction, row: StudyRow, judge: str, given: Sequence[GivenScores], now_ms: int) -> None:
    """A judge as a participant who has seen a page for each row; nothing is known of times and of what stood beside."""
    new = NewParticipant(
        row.id, version=row.version, key=secrets.token_urlsafe(24), nonce=secrets.token_urlsafe(24), external=judge,
        kind=KIND, condition="", seed=0, plan=[PlannedPage(BLOCK, (one.item,), one.item) for one in given],
    )  # fmt: skip
    number = participants.add_participant(transaction, new, now_ms=now_ms)
    pages = [
        (
            Submission(page, BLOCK, (one.item,), None, None, None, None),
            [Given(QUESTION, (one.item,), dict(one.scores))] if one.scores else [],
        )
        for page, one in enumerate(given)
    ]
    answers.add_submissions(transaction, number, pages)
    participants.set_page(transaction, number, page=len(given), state="completed", now_ms=now_ms)
