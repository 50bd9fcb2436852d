"""The last page: thanks, the code and the way back, the score of a test, a link to pass on."""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import quote

from fergus.studies.service import Service, View
from fergus.studies.storage import answers
from fergus.studies.storage.tally import count_answers
from fergus.studies.turing import Key, Score, Tally, score_of, scored_questions, tally
from fergus.web.question_html import words_of

KEPT_SECONDS = 10.0
"""How long counts over all participants are used before they are counted again."""


class Scores:
    """Scores of tests; what all participants together found is counted now and then, not for each of them."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self._tallies: dict[tuple[int, str], tuple[float, dict[Key, Tally]]] = {}

    def of(self, view: View) -> Score | None:
        """The score of a participant who is done; None if the study keeps none."""
        study, row = view.study, view.participant
        if not study.score or row.state != "completed":
            return None
        key = (row.study_id, row.version)
        made, tallies = self._tallies.get(key, (0.0, {}))
        names = [name for _, name in scored_questions(study)]
        with self.service.database.read() as transaction:
            own = answers.of_participant(transaction, row.id)
            if not tallies or time.monotonic() - made > KEPT_SECONDS:
                tallies = tally(study, count_answers(transaction, row.study_id, names))
                self._tallies[key] = (time.monotonic(), tallies)
        return score_of(study, own, tallies)


def last_context(view: View, *, score: Score | None, base_url: str, notice: str = "") -> dict[str, Any]:
    """What the template of the last page needs."""
    study, row, words = view.study, view.participant, words_of(view.study)
    is_completed = row.state == "completed"
    code = study.recruitment.completion_code if is_completed else ""
    before, _, after = words["completion_code"].partition("{code}")
    return {
        "study": study,
        "words": words,
        "state": row.state,
        "notice": notice,
        "score": score,
        "code": code,
        "code_before": before,
        "code_after": after,
        "back": way_back(view) if is_completed else "",
        "share": f"{base_url}/s/{study.name}" if study.share and is_completed else "",
    }


def way_back(view: View) -> str:
    """Where a participant who is done is sent, the code and the parameters filled in; "" if nowhere."""
    recruitment = view.study.recruitment
    values = {name: view.participant.parameters.get(name, "") for name in recruitment.parameters}
    values["code"] = recruitment.completion_code
    return recruitment.completion_url.format(**{name: quote(value, safe="") for name, value in values.items()})
