"""A participant's way through the pages, without scripts unless a test says so."""

from __future__ import annotations

from typing import Any

import pytest

from fergus.studies.read_page import read_page
from fergus.studies.storage import answers, participants
from tests.web.conftest import HX, Clock, Visitor

EVERYTHING: list[dict[str, Any]] = [
    {"page.consent.choice": "agree"},
    {},  # instructions
    {"page.which.choice": "0"},
    {"page.which.choice": "tie"},
    {f"{place}.scale.clear": "4" for place in range(3)} | {f"{place}.slider.good": "80" for place in range(3)},
    {f"page.order.rank.{place}": str(place + 1) for place in range(3)},
    {"page.extremes.best": "0", "page.extremes.worst": "2"},
    {f"page.order.rank.{place}": str(place + 1) for place in range(3)}
    | {"page.extremes.best": "0", "page.extremes.worst": "2"},
    {"page.which.choice": "0"},
    {"page.which.choice": "1"},
    {"0.find.solution": "3", "0.essay.solution": "In a boat, three men."},
    {"0.remarks.part.0": "bad end", "0.remarks.comment.0": "Too sad.", "0.remarks.category.0": "w"},
    {"page.home.choice": "n", "page.many.choice": ["Books", "Papers"], "page.note.comment": "Fine."},
]
"""What is answered on each page of the study with every type of question."""


@pytest.fixture
def address(put_in: Any, every_type: tuple[str, str], visitor: Visitor) -> str:
    put_in(*every_type)
    return visitor.join("every-type")


def go_to(visitor: Visitor, address: str, page: int) -> None:
    """Answer the pages before this one, from 0."""
    for number in range(page):
        response = visitor.send(address, EVERYTHING[number])
        assert response.status_code == 303, (number, response.text)


def stored(database: Any, address: str) -> list[tuple[int, str, dict[str, Any]]]:
    with database.read() as transaction:
        row = participants.by_key(transaction, address.removeprefix("/p/"))
        assert row is not None
        rows = answers.of_participant(transaction, row.id)
    return [(one.submission.page, one.given.question, one.given.value) for one in rows]


def test_every_type_of_question_is_shown_answered_and_kept(visitor: Visitor, address: str, database: Any) -> None:
    go_to(visitor, address, len(EVERYTHING))
    assert visitor.page(address).finished == "completed"
    kept = stored(database, address)
    assert (4, "scale", {"clear": 4}) in kept
    assert (5, "order", {"ranks": {"r1": 1, "r2": 2, "r3": 3}}) in kept
    assert (6, "extremes", {"best": "r1", "worst": "r3"}) in kept
    assert (8, "which", {"chosen": "p1"}) in kept
    assert (10, "find", {"solution": "3"}) in kept
    assert (12, "many", {"chosen": ["Books", "Papers"]}) in kept
    assert (12, "note", {"comment": "Fine."}) in kept
    remark = {"start": 19, "end": 26, "part": "bad end", "comment": "Too sad.", "category": "w"}
    assert (11, "remarks", {"remarks": [remark]}) in kept


def test_the_same_by_fragments_as_the_script_asks_for_them(visitor: Visitor, address: str, database: Any) -> None:
    page = visitor.page(address)
    for filled in EVERYTHING:
        response = visitor.post(address, {**page.hidden, **filled}, headers=HX)
        assert response.status_code == 200
        assert response.text.startswith("<main") or response.text.lstrip().startswith("<main")
        assert "<html" not in response.text
        page = read_page(response.text)
    assert page.finished == "completed"
    assert len(stored(database, address)) == 21


def test_the_form_keeps_its_promises(visitor: Visitor, address: str) -> None:
    go_to(visitor, address, 4)
    text = visitor.get(address).text
    page = read_page(text)
    assert page.block == "ratings"
    assert dict(page.texts) == {
        "0": "The cat sat on the mat.",
        "1": "On the mat sat the cat.",
        "2": "The mat on sat cat the.",
    }
    assert set(page.hidden) == {"page", "shown_ms", "active_ms"}
    assert page.hidden["page"] == "4"
    assert "0.scale.clear" in page.names
    assert page.action == address
    assert text.count("It was late.") == 1  # the paragraph stands above all of its versions
    assert text.count('method="post"') == 1


def test_nothing_on_a_page_tells_where_a_text_comes_from(visitor: Visitor, address: str) -> None:
    go_to(visitor, address, 8)
    text = visitor.get(address).text
    assert read_page(text).texts["0"] == "Rain fell."
    for secret in ("p1", "p2", "human", "machine", "author", "gold"):
        assert secret not in text.replace(address, "")


def test_mistakes_come_back_beside_their_fields_with_what_was_filled_in(visitor: Visitor, address: str) -> None:
    go_to(visitor, address, 4)
    response = visitor.send(address, {"0.scale.clear": "6", "1.scale.clear": "9", "0.slider.good": "<b>40"})
    assert response.status_code == 422
    assert 'name="0.scale.clear" value="6" checked' in response.text
    assert 'id="problem-1.scale.clear"' in response.text
    assert 'aria-describedby="problem-1.scale.clear"' in response.text
    assert 'value="&lt;b&gt;40"' in response.text
    assert visitor.page(address).hidden["page"] == "4"


def test_every_type_brings_back_what_was_filled_in(visitor: Visitor, address: str) -> None:
    """Each page is sent with one mistake and one right field, which must be there again."""
    wrong: dict[int, tuple[dict[str, Any], str]] = {
        0: ({"page.consent.choice": ""}, "Please answer either way."),
        2: ({"page.which.choice": "7"}, "is none of the choices"),
        5: ({"page.order.rank.0": "2"}, "<option selected>2</option>"),
        6: ({"page.extremes.best": "1"}, 'name="page.extremes.best" value="1" checked'),
        10: ({"0.find.solution": "<i>", "0.essay.solution": ""}, 'value="&lt;i&gt;"'),
        11: ({"0.remarks.part.1": "nowhere", "0.remarks.comment.1": "No & no"}, "No &amp; no</textarea>"),
        12: ({"page.home.other": "", "page.home.choice": "other", "page.note.comment": "\nTwo"}, "\n\nTwo</textarea>"),
    }
    for number, filled in enumerate(EVERYTHING):
        if number in wrong:
            response = visitor.send(address, wrong[number][0])
            assert response.status_code == 422, number
            assert wrong[number][1] in response.text, number
            assert "has-problem" in response.text or number == 11
        assert visitor.send(address, filled).status_code == 303
    assert visitor.page(address).finished == "completed"


def test_more_remarks_stay_open_when_one_was_filled_in(visitor: Visitor, address: str) -> None:
    go_to(visitor, address, 11)
    assert '<details class="more-remarks">' in visitor.get(address).text
    text = visitor.send(address, {"0.remarks.part.2": "nowhere", "0.remarks.comment.2": "x"}).text
    assert '<details class="more-remarks" open>' in text


def test_a_page_that_is_sent_again_counts_once(visitor: Visitor, address: str, database: Any) -> None:
    go_to(visitor, address, 4)
    hidden = visitor.page(address).hidden
    first = visitor.post(address, {**hidden, **EVERYTHING[4]})
    again = visitor.post(address, {**hidden, **EVERYTHING[4], "0.scale.clear": "1"})
    assert (first.status_code, again.status_code) == (303, 303)
    assert first.headers["location"] == address
    assert "your first answer stands" in visitor.get(again.headers["location"]).text
    kept = [value for page, question, value in stored(database, address) if page == 4 and question == "scale"]
    assert kept == [{"clear": 4}] * 3


def test_a_second_tab_is_told_and_shown_the_current_page(visitor: Visitor, address: str) -> None:
    go_to(visitor, address, 5)
    hidden = visitor.page(address).hidden
    visitor.send(address, EVERYTHING[5])
    response = visitor.post(address, {**hidden, **EVERYTHING[5]}, headers=HX)
    assert response.status_code == 200
    assert "your first answer stands" in response.text
    assert read_page(response.text).hidden["page"] == "6"


def test_a_page_that_was_sent_again_because_its_answer_got_lost_needs_no_explanation(
    visitor: Visitor, address: str
) -> None:
    hidden = visitor.page(address).hidden
    visitor.post(address, {**hidden, **EVERYTHING[0]}, headers=HX)
    response = visitor.post(address, {**hidden, **EVERYTHING[0], "retried": "1"}, headers=HX)
    assert "your first answer stands" not in response.text
    assert read_page(response.text).hidden["page"] == "1"


def test_a_page_of_the_future_is_not_taken(visitor: Visitor, address: str, database: Any) -> None:
    response = visitor.post(address, {"page": "4", **EVERYTHING[4]})
    assert response.status_code == 303
    assert stored(database, address) == []


def test_practice_tells_whether_the_answer_was_right(visitor: Visitor, address: str) -> None:
    go_to(visitor, address, 2)
    right = visitor.send(address, {"page.which.choice": "0"})
    text = visitor.get(right.headers["location"]).text
    assert "That is right." in text
    assert "Rain fell." in text
    assert "That is right." not in visitor.get(address).text


def test_practice_tells_what_would_have_been_right(visitor: Visitor, address: str) -> None:
    go_to(visitor, address, 2)
    page = visitor.page(address)
    text = visitor.post(address, {**page.hidden, "page.which.choice": "1"}, headers=HX).text
    assert "Not quite." in text
    assert "The right answer: Rain fell." in text
    assert set(read_page(text).texts) == {"0", "1"}  # those of the next page alone


def test_what_was_right_is_told_after_practice_only(visitor: Visitor, address: str) -> None:
    go_to(visitor, address, 9)
    text = visitor.get(f"{address}?after=8").text
    assert "right." not in text
    assert "Rain fell." not in text


def test_times_are_the_servers_unless_the_browser_knows_better(
    visitor: Visitor, address: str, database: Any, clock: Clock
) -> None:
    clock.now += 5000
    hidden = visitor.page(address).hidden
    assert hidden["shown_ms"] == str(clock.now)
    clock.now += 4000
    visitor.post(address, {**hidden, **EVERYTHING[0], "active_ms": "3500"})
    clock.now += 1000
    visitor.post(address, {"page": "1", "shown_ms": "soon", "active_ms": "-1"})
    visitor.send(address, EVERYTHING[2])
    with database.read() as transaction:
        rows = answers.of_participant(transaction, 1)
    first = rows[0].submission
    assert (first.opened_ms, first.shown_ms) == (clock.now - 10_000, clock.now - 5000)
    assert (first.submitted_ms, first.active_ms) == (clock.now - 1000, 3500)


def test_the_clock_of_a_task_runs_on_when_the_page_is_loaded_again(
    visitor: Visitor, address: str, clock: Clock
) -> None:
    go_to(visitor, address, 10)
    assert 'data-seconds="60"' in visitor.get(address).text
    clock.now += 45_000
    assert 'data-seconds="15"' in visitor.get(address).text
    clock.now += 45_000
    assert 'data-seconds="0"' in visitor.get(address).text


def test_the_clock_of_a_task_starts_when_the_page_is_shown(
    visitor: Visitor, address: str, clock: Clock, set_study_state: Any, database: Any
) -> None:
    go_to(visitor, address, 10)
    set_study_state("every-type", "paused")
    clock.now += 300_000
    assert visitor.get(address).status_code == 503
    set_study_state("every-type", "open")
    assert 'data-seconds="60"' in visitor.get(address).text
    shown = clock.now
    clock.now += 20_000
    visitor.post(address, {"page": "10", **EVERYTHING[10]})
    with database.read() as transaction:
        rows = answers.of_participant(transaction, 1)
    task, before = (next(one.submission for one in rows if one.submission.page == page) for page in (10, 9))
    assert (task.opened_ms, task.submitted_ms) == (shown, shown + 20_000)
    assert before.submitted_ms == shown - 300_000
    clock.now += 5000
    assert 'data-seconds="' not in visitor.get(address).text
    visitor.send(address, EVERYTHING[11])
    with database.read() as transaction:  # the next page has no clock: it counts from when it was the next
        after = answers.of_participant(transaction, 1)[-1].submission
    assert (after.page, after.opened_ms) == (11, shown + 20_000)


def test_the_clock_of_a_task_starts_anew_if_the_page_did_not_arrive(
    visitor: Visitor, address: str, clock: Clock
) -> None:
    go_to(visitor, address, 9)
    hidden = visitor.page(address).hidden
    assert 'data-seconds="60"' in visitor.post(address, {**hidden, **EVERYTHING[9]}, headers=HX).text
    clock.now += 40_000
    assert 'data-seconds="20"' in visitor.post(address, {**hidden, **EVERYTHING[9]}, headers=HX).text
    again = {**hidden, **EVERYTHING[9], "retried": "1"}
    assert 'data-seconds="60"' in visitor.post(address, again, headers=HX).text


def test_only_a_page_with_a_clock_is_written_down_when_it_is_shown(
    visitor: Visitor, address: str, service: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_to(visitor, address, 9)
    written: list[object] = []
    original = service.database.write_later
    monkeypatch.setattr(service.database, "write_later", lambda work: written.append(work) or original(work))
    visitor.get(address)
    assert written == []
    visitor.send(address, EVERYTHING[9])
    visitor.get(address)
    visitor.get(address)
    assert len(written) == 2  # the answer, and the page with the clock once


def test_who_was_away_is_welcomed_back(visitor: Visitor, address: str, clock: Clock) -> None:
    go_to(visitor, address, 1)
    assert "Welcome back" not in visitor.get(address).text
    clock.now += 16 * 60 * 1000
    assert "Welcome back" in visitor.get(address).text


def test_to_decline_ends_it(visitor: Visitor, address: str) -> None:
    visitor.send(address, {"page.consent.choice": "decline"})
    page = visitor.page(address)
    assert page.finished == "declined"
    assert not page.has_form
    assert "You do not take part." in visitor.get(address).text


def test_to_stop_is_asked_once_and_then_done(visitor: Visitor, address: str, database: Any) -> None:
    go_to(visitor, address, 1)
    assert f'href="{address}/withdraw"' in visitor.get(address).text
    assert "Do you want to stop" in visitor.get(f"{address}/withdraw").text
    assert visitor.page(address).finished == ""
    assert visitor.post(f"{address}/withdraw").headers["location"] == address
    assert visitor.page(address).finished == "withdrawn"
    assert len(stored(database, address)) == 1
    assert visitor.get(f"{address}/withdraw").headers["location"] == address


def test_a_study_that_is_paused_keeps_what_was_filled_in(
    visitor: Visitor, address: str, set_study_state: Any, database: Any
) -> None:
    go_to(visitor, address, 12)
    hidden = visitor.page(address).hidden
    set_study_state("every-type", "paused")
    for headers in ({}, HX):
        response = visitor.post(address, {**hidden, **EVERYTHING[12]}, headers=headers)
        assert response.status_code == 409
        assert "This study is paused." in response.text
        assert "Fine.</textarea>" in response.text
    assert visitor.get(address).status_code == 503
    set_study_state("every-type", "open")
    assert visitor.post(address, {**hidden, **EVERYTHING[12]}).status_code == 303
    assert visitor.page(address).finished == "completed"


def test_who_has_begun_may_finish_a_closed_study(visitor: Visitor, address: str, set_study_state: Any) -> None:
    go_to(visitor, address, 3)
    set_study_state("every-type", "closed")
    assert visitor.send(address, EVERYTHING[3]).status_code == 303
    assert visitor.page(address).hidden["page"] == "4"


def test_a_finished_participant_who_sends_a_page_sees_the_last_one(visitor: Visitor, address: str) -> None:
    go_to(visitor, address, len(EVERYTHING))
    response = visitor.post(address, {"page": "12", **EVERYTHING[12]}, headers=HX)
    assert read_page(response.text).finished == "completed"
    assert "your first answer stands" in response.text


def test_a_preview_says_so(visitor: Visitor, put_in: Any, every_type: tuple[str, str], service: Any) -> None:
    name = put_in(*every_type)
    from fergus.studies.storage.studies import find_study

    with service.database.read() as transaction:
        row = find_study(transaction, name)
    key = service.join(row, nonce="n" * 43, parameters={}, kind="preview")
    assert "Preview: nothing" in visitor.get(f"/p/{key}").text


def test_right_to_left_and_in_other_words(visitor: Visitor, put_in: Any) -> None:
    put_in(
        "study: ar\ntitle: دراسة\nlanguage: ar\n"
        "interface: {next: التالي, finish: أنهِ, keys_pair: '{first}1 {second}2'}\n"
        "items: items.csv\nquestions: {q: {type: pair}}\n"
        "blocks: [{name: b, items: all, page: group, questions: [q]}, {name: c, text: x}]\n",
        "item,text,group\na,واحد,g\nb,اثنان,g\n",
    )
    text = visitor.get(visitor.join("ar")).text
    assert '<html lang="ar" dir="rtl">' in text
    assert ">التالي</button>" in text
    assert "→1 ←2" in text


def test_a_page_that_comes_back_with_mistakes_was_shown_when_it_was_first(
    visitor: Visitor, address: str, clock: Clock
) -> None:
    hidden = visitor.page(address).hidden
    clock.now += 5000
    again = visitor.post(address, hidden)
    assert again.status_code == 422
    assert read_page(again.text).hidden["shown_ms"] == hidden["shown_ms"]
    odd = visitor.post(address, {**hidden, "shown_ms": "soon"})
    assert read_page(odd.text).hidden["shown_ms"] == str(clock.now)
