from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from fergus.analysis.analyse import Settings
from fergus.analysis.make_report import report_of_study
from fergus.analysis.of_study import study_rows
from fergus.analysis.report import analysis_settings
from fergus.analysis.report_text import report_text
from fergus.cli.analyse import analyse
from fergus.errors import InputError
from fergus.studies.flags import FLAGS
from fergus.studies.raters import RaterSettings, rater
from fergus.studies.service import Service
from fergus.studies.storage.migrate import open_database
from fergus.studies.storage.studies import StudyRow

from .taken_study import QUESTIONS, put_in

QUICK = Settings(samples=20, trials=20)


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Service, StudyRow]]:
    """Four people: the second gives everything 4 points, the third fails the check, the fourth does both."""
    monkeypatch.setitem(QUESTIONS, "check", "{type: choice, text: Choose blue, options: [red, blue], right: blue}")
    with open_database(tmp_path / "fergus.db") as database:
        service = Service(database)
        row = put_in(service, ask=("good", "check"))
        for number, (point, colour) in enumerate([("", "blue"), ("4", "blue"), ("", "red"), ("4", "red")]):
            answered(service, row, number, {"quality": point, "choice": colour})
        yield service, row


def answered(service: Service, row: StudyRow, number: int, said: Mapping[str, str]) -> None:
    """One goes through all pages; where nothing is said an artificial rater answers."""
    person = rater(number, seed=1, settings=RaterSettings(inattention=0))
    key = service.join(row, nonce=f"n{number}", parameters={})
    while (view := service.view(key)) is not None and view.page is not None:
        form = {}
        for asked in view.asked:
            for name, values in asked.question.simulate(person, asked.items).items():
                form[asked.prefix + name] = [said[name]] if said.get(name) else values
        outcome = service.submit(key, view.participant.page, form)
        assert outcome is not None
        assert not outcome.problems


def people(service: Service, row: StudyRow, *rules: str) -> list[int]:
    found = {one["participant"] for one in study_rows(service, row, leave_out=rules).rows}
    return sorted(number for number in found if isinstance(number, int))


def test_whoever_has_a_flag_is_left_out_with_all_answers(study: tuple[Service, StudyRow]) -> None:
    everybody = people(*study)
    assert len(everybody) == 4
    assert people(*study, "straight") == [everybody[0], everybody[2]]
    assert people(*study, "failed") == everybody[:2]
    assert people(*study, "straight", "failed") == everybody[:1]
    assert people(*study, "fast") == everybody  # nobody's time is known


def test_a_report_says_who_was_left_out(study: tuple[Service, StudyRow]) -> None:
    made = report_of_study(*study, settings=QUICK, leave_out=("failed", "straight"))
    assert made.analysis.dimensions[0].judges == 1
    assert [(one.message, one.count) for one in made.found.notices] == [
        ("2 people gave nearly always the same answer, and all of their answers are left out", 2),
        ("2 people failed an attention check, and all of their answers are left out", 2),
    ]
    told = analysis_settings(made.analysis, made.found)
    assert told.exclusions == ("gave nearly always the same answer", "failed an attention check")
    assert "participants left out (2): 2 people failed an attention check" in report_text(made)
    nobody = report_of_study(*study, settings=QUICK, leave_out=("fast",)).found.notices
    assert [(one.message, one.count) for one in nobody] == [("nobody sent pages much faster than others", 0)]
    assert analysis_settings(report_of_study(*study, settings=QUICK).analysis).exclusions == ()


def test_somebody_must_be_left(study: tuple[Service, StudyRow]) -> None:
    service, _ = study
    other = put_in(service, ask=("good", "check"), name="careless")
    answered(service, other, 9, {"choice": "red"})
    with pytest.raises(InputError, match="everybody who answered “careless” is left out"):
        study_rows(service, other, leave_out=("failed",))


def test_the_command_has_the_flags_of_studies() -> None:
    (option,) = [one for one in analyse.params if one.name == "leave_out"]
    assert list(option.type.choices) == list(FLAGS)  # type: ignore[attr-defined]
