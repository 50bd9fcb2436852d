"""What participants can do: join once, answer every page once, stop; on both databases."""

from __future__ import annotations

import secrets
import shutil
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select

from fergus.errors import FergusError
from fergus.studies.assign import plan
from fergus.studies.interface import WORDS
from fergus.studies.join import NEW_STALE_MS, STALE_MS, RefusedError
from fergus.studies.progress import share_done
from fergus.studies.service import Outcome, Service
from fergus.studies.storage import answers, participants, studies
from fergus.studies.storage.database import Database
from fergus.studies.storage.migrate import open_database
from fergus.studies.storage.studies import StudyRow
from fergus.studies.storage.tables import submissions
from tests.studies.small_study import answer_all, form_of, link, put, set_state

BY_NAME = "recruitment: {parameters: [PROLIFIC_PID, SESSION_ID]}\n"


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now_ms = 1_000_000_000

    def __call__(self) -> int:
        return self.now_ms


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def service(database: Database, clock: Clock) -> Service:
    return Service(database, now_ms=clock)


@pytest.fixture(params=["sqlite"])
def sqlite_service(sqlite_template: Path, tmp_path: Path) -> Iterator[Service]:
    """For property tests, whose many examples each have a study of their own."""
    shutil.copy(sqlite_template, tmp_path / "study.db")
    with open_database(tmp_path / "study.db") as database:
        yield Service(database)


def join(service: Service, row: StudyRow, nonce: str | None = None, **options: object) -> str:
    return service.join(row, nonce=nonce or secrets.token_hex(8), **{"parameters": {}, **options})  # type: ignore[arg-type]


def refusal(service: Service, row: StudyRow, **options: object) -> str:
    with pytest.raises(RefusedError) as caught:
        join(service, row, **options)  # type: ignore[arg-type]
    assert caught.value.reason in WORDS
    return caught.value.reason


def count_people(service: Service, row: StudyRow) -> int:
    with service.database.read() as transaction:
        return len(participants.of_study(transaction, row.id, kinds=participants.KINDS))


def current(service: Service, key: str) -> int:
    view = service.view(key)
    assert view is not None
    return view.participant.page


class TestJoining:
    def test_a_new_participant_begins_at_the_first_page(self, service: Service) -> None:
        row = put(service.database)
        view = service.view(join(service, row))
        assert view is not None
        assert (view.participant.page, view.participant.state, view.participant.study) == (0, "active", "small")
        assert {item.group for item in view.items} == {view.page.key} if view.page else False
        assert [asked.prefix for asked in view.asked] == ["0.good.", "1.good.", "page.why."]

    def test_a_form_that_is_sent_twice_joins_once(self, service: Service) -> None:
        row = put(service.database)
        assert join(service, row, "same") == join(service, row, "same")
        assert join(service, row, "other") != join(service, row, "same")
        assert count_people(service, row) == 2

    def test_a_form_that_is_sent_by_eight_threads_at_once_joins_once(self, service: Service) -> None:
        row = put(service.database)
        with ThreadPoolExecutor(8) as pool:
            keys = list(pool.map(lambda _: join(service, row, "same"), range(8)))
        assert len(set(keys)) == 1
        assert count_people(service, row) == 1

    def test_a_private_link_leads_back_to_the_same_participant(self, service: Service) -> None:
        row = put(service.database)
        private = link(service.database, row, "token")
        assert join(service, row, link=private) == join(service, row, link=private)
        assert count_people(service, row) == 1

    def test_the_recruiters_name_leads_back_to_the_same_participant(self, service: Service) -> None:
        row = put(service.database, BY_NAME)
        parameters = {"PROLIFIC_PID": " ada ", "SESSION_ID": "1", "utm_source": "mail"}
        key = join(service, row, parameters=parameters)
        assert join(service, row, parameters={"PROLIFIC_PID": "ada", "SESSION_ID": "2"}) == key
        assert join(service, row, parameters={"PROLIFIC_PID": "eve"}) != key
        view = service.view(key)
        assert view is not None
        assert view.participant.external == "ada"
        assert view.participant.parameters == {"PROLIFIC_PID": " ada ", "SESSION_ID": "1"}  # and nothing else

    def test_who_has_completed_a_study_does_not_begin_again(self, service: Service) -> None:
        row = put(service.database, BY_NAME)
        key = join(service, row, parameters={"PROLIFIC_PID": "ada"})
        answer_all(service, key)
        assert join(service, row, parameters={"PROLIFIC_PID": "ada"}) == key
        view = service.view(key)
        assert view is not None
        assert (view.page, view.participant.state, view.asked, view.items) == (None, "completed", (), ())

    def test_a_preview_and_a_person_may_have_the_same_name(self, service: Service) -> None:
        row = put(service.database, BY_NAME)
        named = {"PROLIFIC_PID": "ada"}
        assert join(service, row, parameters=named) != join(service, row, parameters=named, kind="preview")

    def test_a_required_name(self, service: Service) -> None:
        row = put(service.database, "recruitment: {parameters: [PROLIFIC_PID], required: yes}\n")
        assert refusal(service, row) == "wrong_link"
        assert refusal(service, row, parameters={"PROLIFIC_PID": "  "}) == "wrong_link"
        assert join(service, row, parameters={"PROLIFIC_PID": "ada"})
        assert join(service, row, link=link(service.database, row, "token"))
        assert join(service, row, kind="preview")

    @pytest.mark.parametrize("name", ["a" * 201, "a\0b", "a\nb"])
    def test_a_name_that_cannot_be_stored(self, service: Service, name: str) -> None:
        assert refusal(service, put(service.database, BY_NAME), parameters={"PROLIFIC_PID": name}) == "wrong_link"

    @pytest.mark.parametrize("nonce", ["n" * 65, "n\0"])
    def test_a_nonce_that_cannot_be_stored(self, service: Service, nonce: str) -> None:
        assert refusal(service, put(service.database), nonce=nonce) == "wrong_link"

    def test_a_link_of_another_study(self, service: Service) -> None:
        row, other = put(service.database), put(service.database, name="other")
        assert refusal(service, row, link=link(service.database, other, "token")) == "wrong_link"

    def test_the_form_of_another_study(self, service: Service) -> None:
        row, other = put(service.database), put(service.database, name="other")
        join(service, other, "same")
        assert refusal(service, row, nonce="same") == "wrong_link"

    def test_an_unknown_key(self, service: Service) -> None:
        for key in ("nobody", "", "a\0b"):
            assert service.view(key) is None
            assert service.submit(key, 0, {}) is None
            assert not service.withdraw(key)

    def test_the_same_form_gets_the_same_seed_in_another_database(self, service: Service, tmp_path: Path) -> None:
        first = service.view(join(service, put(service.database), "same"))
        with open_database(tmp_path / "other.db") as database:
            second = Service(database)
            view = second.view(join(second, put(database), "same"))
        assert first is not None
        assert view is not None
        assert (first.participant.seed, first.participant.plan) == (view.participant.seed, view.participant.plan)

    def test_the_studys_seed_counts(self, service: Service) -> None:
        keys = [
            join(service, put(service.database, f"assignment: {{seed: {seed}}}\n", name=f"s{seed}"), f"n{seed}")
            for seed in (1, 2)
        ]
        views = [service.view(key) for key in keys]
        assert len({view.participant.seed for view in views if view is not None}) == 2


class TestOpenAndClosed:
    def test_nobody_joins_a_study_that_is_paused_or_closed(self, service: Service) -> None:
        row = put(service.database, BY_NAME)
        ada = {"PROLIFIC_PID": "ada"}
        key = join(service, row, parameters=ada)
        for state in ("paused", "closed"):
            set_state(service.database, row, state)
            assert refusal(service, row) == state
            assert join(service, row, parameters=ada) == key  # who is in already finds the way back
            assert join(service, row, kind="preview")

    def test_a_study_that_is_not_there_any_more(self, service: Service) -> None:
        row = put(service.database)
        service.study(row)
        service.database.write(lambda transaction: studies.delete_study(transaction, row.id))
        assert refusal(service, row) == "closed"

    def test_nothing_is_written_while_a_study_is_paused(self, service: Service) -> None:
        row = put(service.database)
        key = join(service, row)
        preview = join(service, row, kind="preview")
        set_state(service.database, row, "paused")
        with pytest.raises(RefusedError, match="paused"):
            answer_all(service, key, pages=1)
        assert current(service, key) == 0
        answer_all(service, preview, pages=1)
        set_state(service.database, row, "closed")
        answer_all(service, key)  # who has begun may finish
        assert current(service, key) == 3

    def test_a_study_with_enough_participants_is_full(self, service: Service) -> None:
        row = put(service.database, "assignment: {participants: 2}\n")
        late = join(service, row)
        for _ in range(2):
            answer_all(service, join(service, row))
        assert refusal(service, row) == "full"
        assert join(service, row, kind="preview")
        answer_all(service, late)

    def test_a_closed_condition_takes_nobody(self, service: Service) -> None:
        row = put(service.database, "conditions: [a, b]\n")
        service.database.write(lambda t: studies.close_condition(t, row.id, "a", is_closed=True))
        for _ in range(3):
            view = service.view(join(service, row))
            assert view is not None
            assert view.participant.condition == "b"
        service.database.write(lambda t: studies.close_condition(t, row.id, "b", is_closed=True))
        assert refusal(service, row) == "full"
        assert join(service, row, kind="preview", condition="a")
        service.database.write(lambda t: studies.close_condition(t, row.id, "a", is_closed=False))
        assert join(service, row)

    def test_a_link_or_a_choice_gives_the_condition(self, service: Service) -> None:
        row = put(service.database, "conditions: [a, b]\nassignment: {design: latin-square}\n")
        found = []
        for n in range(4):
            private = link(service.database, row, f"t{n}", "b")
            view = service.view(join(service, row, link=private))
            assert view is not None
            found.append(view.participant.condition)
        assert sorted(found) == ["b/1", "b/1", "b/2", "b/2"]
        view = service.view(join(service, row, condition="a/2"))
        assert view is not None
        assert view.participant.condition == "a/2"
        assert refusal(service, row, condition="c") == "full"


class TestBalance:
    def test_conditions_are_balanced_by_those_who_complete_them(self, service: Service, clock: Clock) -> None:
        """Half of those who join leave at once; an hour later others come in their place."""
        row = put(service.database, "conditions: [a, b, c]\nassignment: {seed: 7}\n")
        for number in range(18):
            key = join(service, row, f"n{number}")
            view = service.view(key)
            assert view is not None
            if number % 2 or view.participant.condition == "a":
                answer_all(service, key)
            clock.now_ms += STALE_MS // 20
        clock.now_ms += STALE_MS + 1
        for number in range(15):  # now everybody stays
            answer_all(service, join(service, row, f"m{number}"))
        with service.database.read() as transaction:
            loads = participants.loads(transaction, row.id, since_ms=clock.now_ms - STALE_MS)
        completed = [loads[name].completed for name in "abc"]
        assert max(completed) - min(completed) <= 1, completed

    def test_a_target_is_met_whoever_leaves(self, service: Service, clock: Clock) -> None:
        """Sixty people come, a third of them leave in the middle; every page gets five judgements, none more."""
        row = put(service.database, "assignment: {design: subsets, pages: 2, judgements: 5, seed: 1}\n")
        refused = 0
        for number in range(60):
            try:
                key = join(service, row, f"n{number}")
            except RefusedError as error:
                assert error.reason in ("busy", "full")  # noqa: PT017 - most of them are not refused
                refused += 1
            else:
                answer_all(service, key, pages=1 if number % 3 == 0 else None)
            clock.now_ms += STALE_MS // 4
        done: Counter[str] = Counter()
        with service.database.read() as transaction:
            for person in participants.of_study(transaction, row.id):
                if person.state == "completed":
                    done.update(page.key for page in person.plan)
        assert done == {"1": 5, "2": 5, "3": 5}
        assert refused > 0

    @pytest.mark.parametrize("page", ["item", "group"])
    def test_a_square_gets_its_judgements_of_every_variant(self, service: Service, page: str) -> None:
        """Two systems, three judgements: six people, whatever the page's items share."""
        blocks = f"blocks:\n  - {{name: main, items: all, page: {page}, questions: [good]}}\n"
        row = put(service.database, "assignment: {design: latin-square, judgements: 3}\n", blocks=blocks)
        for _ in range(6):
            answer_all(service, join(service, row))
        assert refusal(service, row) == "full"
        with service.database.read() as transaction:
            judged = participants.judged(transaction, row.id, since_ms=0)
        assert set(judged.values()) == {3}
        assert share_done(service.study(row), 6, judged) == 1

    def test_an_order_is_of_the_seed_and_the_participants_own_number(self, service: Service) -> None:
        row = put(service.database, "assignment: {seed: 7}\n")
        views = [service.view(join(service, row, f"n{number}")) for number in range(20)]
        people = [view.participant for view in views if view is not None]
        assert len({person.plan for person in people}) > 1  # the study's seed alone does not say it
        for person in people:
            assert person.plan == plan(service.study(row), person.condition, seed=person.seed, judged={})

    def test_many_who_join_at_once_are_spread_evenly(self, service: Service) -> None:
        row = put(service.database, "assignment: {design: latin-square}\n")
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda n: join(service, row, f"n{n}"), range(24)))
        with service.database.read() as transaction:
            loads = participants.loads(transaction, row.id, since_ms=0)
        assert {name: load.active for name, load in loads.items()} == {"1": 12, "2": 12}

    def test_previews_do_not_count(self, service: Service) -> None:
        row = put(service.database, "assignment: {participants: 1, judgements: 1}\n")
        answer_all(service, join(service, row, kind="preview"))
        key = join(service, row)
        view = service.view(key)
        assert view is not None
        assert len(view.participant.plan) == 3
        answer_all(service, key)
        assert refusal(service, row) == "full"
        preview = service.view(join(service, row, kind="preview"))
        assert preview is not None
        assert len(preview.participant.plan) == 3

    def test_a_condition_whose_pages_are_all_judged_takes_nobody(self, service: Service) -> None:
        blocks = """\
blocks:
  - {name: one, items: {group: [1]}, questions: [good], only: [a]}
  - {name: two, items: {group: [2, 3]}, questions: [good], only: [b]}
"""
        row = put(service.database, "conditions: [a, b]\nassignment: {judgements: 1}\n", blocks=blocks)
        answer_all(service, join(service, row, condition="a"))
        view = service.view(join(service, row))
        assert view is not None
        assert view.participant.condition == "b"
        assert refusal(service, row) == "busy"
        answer_all(service, view.participant.key)
        assert refusal(service, row) == "full"

    def test_who_joins_and_answers_nothing_is_not_waited_for_long(self, service: Service, clock: Clock) -> None:
        row = put(service.database, "assignment: {judgements: 2}\n")
        slow, idle = join(service, row), join(service, row)
        answer_all(service, slow, pages=1)
        assert refusal(service, row) == "busy"
        clock.now_ms += NEW_STALE_MS + 1
        answer_all(service, join(service, row))
        assert refusal(service, row) == "busy"  # one has begun, and may come back within the hour
        clock.now_ms += STALE_MS
        answer_all(service, join(service, row))
        assert refusal(service, row) == "full"
        answer_all(service, idle)  # whoever has joined may finish all the same

    def test_who_answers_nothing_does_not_unbalance_conditions(self, service: Service, clock: Clock) -> None:
        row = put(service.database, "conditions: [a, b]\n")
        for _ in range(4):
            join(service, row, condition="a")
        clock.now_ms += NEW_STALE_MS + 1
        answer_all(service, join(service, row, condition="b"))
        view = service.view(join(service, row))
        assert view is not None
        assert view.participant.condition == "a"


class TestAnswering:
    def test_a_whole_study(self, service: Service, clock: Clock) -> None:
        row = put(service.database)
        key = join(service, row)
        view = service.view(key)
        assert view is not None
        assert view.page is not None
        clock.now_ms += 5000
        outcome = service.submit(key, 0, form_of(view, 4), shown_ms=clock.now_ms - 3000, active_ms=2500)
        assert outcome is not None
        assert (outcome.problems, outcome.is_repeated, outcome.submitted) == ({}, False, view)
        assert [(one.question, one.value) for one in outcome.given] == [
            ("good", {"good": 4}), ("good", {"good": 4}), ("why", {"comment": "so"}),
        ]  # fmt: skip
        assert outcome.view.participant.page == 1
        answer_all(service, key)
        with service.database.read() as transaction:
            rows = answers.of_participant(transaction, view.participant.id)
        assert [(row.submission.page, row.given.question) for row in rows] == [
            (page, question) for page in range(3) for question in ("good", "good", "why")
        ]
        first = rows[0].submission
        assert first.items == view.page.items
        start = clock.now_ms - 5000
        assert (first.opened_ms, first.shown_ms, first.submitted_ms, first.active_ms) == (
            start, start + 2000, start + 5000, 2500,
        )  # fmt: skip

    @pytest.mark.parametrize(("shown", "active", "kept"), [(-1, -1, (0, 0)), (10**15, 10**15, (5000, 5000))])
    def test_times_that_cannot_be_are_put_right(
        self, service: Service, clock: Clock, shown: int, active: int, kept: tuple[int, int]
    ) -> None:
        row = put(service.database)
        key = join(service, row)
        view, start = service.view(key), clock.now_ms
        assert view is not None
        clock.now_ms += 5000
        service.submit(key, 0, form_of(view), shown_ms=shown, active_ms=active)
        with service.database.read() as transaction:
            submission = answers.of_participant(transaction, view.participant.id)[0].submission
        assert submission.shown_ms is not None
        assert (submission.shown_ms - start, submission.active_ms) == kept

    def test_no_time_is_negative_if_the_clock_is_put_back(self, service: Service, clock: Clock) -> None:
        key = join(service, put(service.database))
        view = service.view(key)
        assert view is not None
        clock.now_ms -= 60_000
        service.submit(key, 0, form_of(view), shown_ms=clock.now_ms, active_ms=4000)
        with service.database.read() as transaction:
            assert answers.of_participant(transaction, view.participant.id)[0].submission.active_ms == 0

    def test_a_form_with_mistakes_changes_nothing(self, service: Service) -> None:
        row = put(service.database)
        key = join(service, row)
        view = service.view(key)
        assert view is not None
        form = {**form_of(view), "1.good.good": ["9"]}
        outcome = service.submit(key, 0, form)
        assert outcome is not None
        assert list(outcome.problems) == ["1.good.good"]
        assert (outcome.view.participant.page, outcome.submitted) == (0, None)
        assert current(service, key) == 0

    def test_a_page_that_is_sent_twice_counts_once(self, service: Service) -> None:
        row = put(service.database)
        key = join(service, row)
        view = service.view(key)
        assert view is not None
        service.submit(key, 0, form_of(view, 1))
        again = service.submit(key, 0, form_of(view, 5))
        assert again is not None
        assert again.is_repeated
        with service.database.read() as transaction:
            values = [one.given.value for one in answers.of_participant(transaction, view.participant.id)]
        assert values == [{"good": 1}, {"good": 1}, {"comment": "so"}]

    def test_a_page_that_is_sent_by_eight_threads_at_once_counts_once(self, service: Service, address: str) -> None:
        """By two servers, too."""
        row = put(service.database)
        key = join(service, row)
        view = service.view(key)
        assert view is not None
        with open_database(address) as second:
            servers = (service, Service(second))

            def send(n: int) -> Outcome | None:
                return servers[n % 2].submit(key, 0, form_of(view, 1 + n % 5))

            with ThreadPoolExecutor(8) as pool:
                outcomes = list(pool.map(send, range(8)))
        assert Counter(outcome.is_repeated for outcome in outcomes if outcome) == {False: 1, True: 7}
        with service.database.read() as transaction:
            assert len(answers.of_participant(transaction, view.participant.id)) == 3
        assert current(service, key) == 1

    def test_two_tabs(self, service: Service) -> None:
        """The second tab still shows the first page when the first tab is at the third."""
        row = put(service.database)
        key = join(service, row)
        stale = service.view(key)
        assert stale is not None
        answer_all(service, key, pages=2)
        outcome = service.submit(key, 0, form_of(stale))
        assert outcome is not None
        assert outcome.is_repeated
        assert outcome.view.participant.page == 2

    @pytest.mark.parametrize("page", [-1, 1, 2, 99])
    def test_a_page_out_of_order_is_not_taken(self, service: Service, page: int) -> None:
        row = put(service.database)
        key = join(service, row)
        view = service.view(key)
        assert view is not None
        outcome = service.submit(key, page, form_of(view))
        assert outcome is not None
        assert outcome.submitted is None
        assert current(service, key) == 0

    def test_after_the_end_nothing_is_taken(self, service: Service) -> None:
        row = put(service.database)
        key = join(service, row)
        view = service.view(key)
        assert view is not None
        answer_all(service, key)
        outcome = service.submit(key, 3, form_of(view))
        assert outcome is not None
        assert (outcome.is_repeated, outcome.view.page) == (True, None)

    def test_a_participant_keeps_the_version_that_was_begun(self, service: Service) -> None:
        row = put(service.database)
        key = join(service, row)
        newer = put(service.database, "welcome: Now with a word of welcome.\n")
        assert newer.version != row.version
        view, other = service.view(key), service.view(join(service, newer))
        assert view is not None
        assert other is not None
        assert (view.study.version, other.study.version) == (row.version, newer.version)
        assert other.study.welcome
        answer_all(service, key)

    def test_a_version_that_is_not_there(self, service: Service) -> None:
        row = put(service.database)
        with pytest.raises(FergusError, match="version nothing of small is not in the database"):
            service.study(StudyRow(row.id, row.name, row.state, "nothing", 0))


class TestStopping:
    def test_who_declines_is_at_the_end_and_is_forgotten(self, service: Service) -> None:
        row = put(service.database, BY_NAME + "consent: May we keep your answers?\n")
        key = join(service, row, parameters={"PROLIFIC_PID": "ada", "SESSION_ID": "1"})
        outcome = service.submit(key, 0, {"page.consent.choice": ["decline"]})
        assert outcome is not None
        person = outcome.view.participant
        assert (outcome.view.page, person.state, person.external, person.parameters) == (None, "declined", None, {})
        again = service.submit(key, 1, {})
        assert again is not None
        assert again.is_repeated

    def test_who_agrees_goes_on(self, service: Service) -> None:
        row = put(service.database, BY_NAME + "consent: May we keep your answers?\n")
        key = join(service, row, parameters={"PROLIFIC_PID": "ada"})
        answer_all(service, key)
        view = service.view(key)
        assert view is not None
        assert (view.participant.state, view.participant.external) == ("completed", "ada")

    def test_who_withdraws_is_at_the_end_and_what_was_answered_stays(self, service: Service) -> None:
        row = put(service.database)
        key = join(service, row)
        answer_all(service, key, pages=1)
        assert service.withdraw(key)
        assert service.withdraw(key)  # once more changes nothing
        view = service.view(key)
        assert view is not None
        assert (view.page, view.participant.state, view.participant.page) == (None, "withdrawn", 1)
        with service.database.read() as transaction:
            assert len(answers.of_participant(transaction, view.participant.id)) == 3

    def test_who_has_completed_it_stays_completed(self, service: Service) -> None:
        key = join(service, put(service.database))
        answer_all(service, key)
        service.withdraw(key)
        view = service.view(key)
        assert view is not None
        assert view.participant.state == "completed"


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(steps=st.lists(st.tuples(st.integers(0, 2), st.sampled_from("jsrabw"), st.integers(0, 3)), max_size=40))
def test_whatever_people_do_every_page_is_answered_once_at_most(
    sqlite_service: Service, steps: list[tuple[int, str, int]]
) -> None:
    """Joins, sends, resends, wrong pages, bad forms and withdrawals of three people, in any order."""
    service = sqlite_service
    row = put(service.database, name=f"s{secrets.token_hex(4)}")
    nonces = [secrets.token_hex(8) for _ in range(3)]
    keys: dict[int, str] = {}
    expected: Counter[tuple[str, int]] = Counter()
    for person, step, page in steps:
        if step == "j" or person not in keys:
            keys[person] = join(service, row, nonces[person])
            continue
        key = keys[person]
        view = service.view(key)
        assert view is not None
        at = view.participant.page
        form = form_of(view)
        outcome: Outcome | None = None
        if step == "s":
            outcome = service.submit(key, at, form)
        elif step == "r":
            outcome = service.submit(key, at - 1, form)
        elif step == "a":
            outcome = service.submit(key, page, form)
        elif step == "b":
            outcome = service.submit(key, at, {})
        else:
            service.withdraw(key)
        if outcome is not None and outcome.submitted is not None:
            expected[key, at] += 1
    with service.database.read() as transaction:
        counts = transaction.execute(
            select(participants.participants.c.key, submissions.c.page, func.count())
            .join(submissions, submissions.c.participant_id == participants.participants.c.id)
            .where(participants.participants.c.study_id == row.id)
            .group_by(participants.participants.c.key, submissions.c.page)
        ).all()
        people = participants.of_study(transaction, row.id)
    assert {(key, page): count for key, page, count in counts} == expected
    assert set(expected.values()) <= {1}
    for person_row in people:
        pages = sorted(page for key, page in expected if key == person_row.key)
        assert pages == list(range(person_row.page))
        assert (person_row.state == "completed") == (person_row.page == len(person_row.plan))
