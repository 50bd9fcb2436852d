"""From a study's pages to its analysis: presets that artificial raters went through, exported and analysed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fergus.analysis.tasks import analyse_tasks
from fergus.analysis.turing import analyse_turing
from fergus.studies.export import rows_of
from fergus.studies.presets import preset_files
from fergus.studies.raters import RaterSettings, rater
from fergus.studies.service import Service
from fergus.studies.storage import studies
from fergus.studies.storage.migrate import open_database
from fergus.studies.storage.studies import VersionRow
from fergus.studies.study_file import version_of


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with open_database(tmp_path / "fergus.db") as database:
        yield Service(database)


def taken(service: Service, preset: str, *, people: int, skill: float) -> list[dict[str, Any]]:
    """The rows of a preset after so many artificial raters."""
    files = preset_files(preset)
    version = VersionRow(
        version_of(files.text, files.items_text), files.name, files.text, files.items_name, files.items_text, 1
    )
    row = service.database.write(lambda transaction: studies.add_version(transaction, preset, version))
    for number in range(people):
        person = rater(number, seed=1, settings=RaterSettings(skill=skill, inattention=0))
        key = service.join(row, nonce=f"n{number}", parameters={}, kind="simulated")
        while (view := service.view(key)) is not None and view.page is not None:
            form = {
                f"{asked.prefix}{name}": values
                for asked in view.asked
                for name, values in asked.question.simulate(person, asked.items).items()
            }
            outcome = service.submit(key, view.participant.page, form)
            assert outcome is not None
            assert not outcome.problems
    return list(rows_of(service, row))


def test_the_turing_test_of_hardcastle_and_scott(service: Service) -> None:
    found = analyse_turing(taken(service, "hardcastle-2008", people=4, skill=1), group="language")
    # Raters who find everything: thirty pairs each, all right, whichever side; eight control pairs besides.
    assert (found.share.choices.hits, found.share.choices.n) == (120, 120)
    assert len(found.pairs) == 30
    assert {one.kind: one.pairs for one in found.sides} == {"": 30, "human-human": 4, "machine-machine": 4}
    assert {one.share.n for one in found.people} == {30}
    assert found.pooled.d_prime > 2.5


def test_the_task(service: Service) -> None:
    found = analyse_tasks(taken(service, "task", people=4, skill=1))
    assert [one.level for one in found.levels] == ["summary", "transcript"]
    assert [(one.solutions, one.people, one.quality.value) for one in found.levels] == [(12, 4, 1), (12, 4, 1)]
    assert {one.design for one in found.comparisons} == {"within"}
