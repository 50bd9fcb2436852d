from __future__ import annotations

from fergus.studies.service import Service
from fergus.studies.storage.database import Database
from fergus.studies.storage.studies import VersionRow, add_version
from fergus.studies.storage.tally import Counted, count_answers
from fergus.studies.study_file import parse_study

TEXT = "study: s\ntitle: S\nquestions: {q: {type: choice, options: [a, b]}, c: {type: comment}}\n" + (
    "blocks: [{name: one, questions: [q, c]}]\n"
)


def test_equal_answers_of_people_are_counted_together(database: Database) -> None:
    version = VersionRow(parse_study(TEXT, None).version, "study.yaml", TEXT, "items.csv", "", 0)
    row = database.write(lambda transaction: add_version(transaction, "s", version))
    service = Service(database)
    for number, (choice, kind) in enumerate([("a", "person"), ("a", "person"), ("b", "person"), ("a", "simulated")]):
        key = service.join(row, nonce=str(number) * 43, parameters={}, kind=kind)
        service.submit(key, 0, {"page.q.choice": [choice], "page.c.comment": ["x"]})
    with database.read() as transaction:
        found = count_answers(transaction, row.id, ["q"])
        nobody = count_answers(transaction, row.id + 1, ["q"])
    assert sorted(found, key=lambda one: one.count) == [
        Counted("one", "q", (), {"chosen": "b"}, 1),
        Counted("one", "q", (), {"chosen": "a"}, 2),
    ]
    assert nobody == []
