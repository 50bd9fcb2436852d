"""Coding by two coders who do not see one another's codes."""

from __future__ import annotations

import re

import pytest

from fergus.studies.storage import codings
from tests.web.administration.admin_site import STUDY, Browser, Site, add_study, post, take_part

HERE = "/admin/studies/small/comments"
HTML = "<script>alert(1)</script>"


def stored(site: Site) -> list[codings.CodingRow]:
    with site.database.read() as transaction:
        return list(codings.of_study(transaction, site.study().id))


def current(page: str) -> dict[str, str]:
    """Which answer a page asks to code."""
    return {name: re.search(rf'name="{name}" value="(\d+)"', page)[1] for name in ("answer", "part")}


def code_all(client: Browser, question: str, codes: list[str] | None = None, **fields: str) -> int:
    """Code what is left, all alike; how many there were."""
    count = 0
    while 'name="answer"' in (page := client.get(f"{HERE}/{question}/code").text):
        data = {**current(page), "code": codes or [], **fields}
        assert post(client, f"{HERE}/{question}/code", data).status_code == 303
        count += 1
    return count


def test_what_there_is_to_code(busy: Site) -> None:
    page = busy.logged_in().get(HERE).text
    assert re.findall(r'<h2 id="q-\d">(\w+)<', page) == ["look", "sum", "why", "free"]
    assert "Code 7 left" in page
    assert "Grade 35 left" in page
    assert "There is no code book" in page
    assert "Nobody has coded yet" in page


def test_nothing_to_code(site: Site) -> None:
    client = site.logged_in()
    assert "No answer yet" in client.get(HERE).text
    assert "There is no answer yet" in client.get(f"{HERE}/why/code").text
    add_study(site, "study: bare\ntitle: B\nquestions:\n  q: {type: choice, options: [a, b]}\nblocks:\n"
                    "  - {name: one, questions: [q]}\n", "")  # fmt: skip
    assert "Nothing is coded in this study" in client.get("/admin/studies/bare/comments").text


def test_coding_goes_from_answer_to_answer(busy: Site) -> None:
    client = busy.logged_in()
    first = client.get(f"{HERE}/why/code").text
    assert "1 of 7, 7 left" in first
    answer = post(client, f"{HERE}/why/code", {**current(first), "code": ["words", "order"]})
    assert answer.headers["location"] == f"{HERE}/why/code"
    (row,) = stored(busy)
    assert (row.coder, row.codes, row.part, row.grade) == ("ann", ("order", "words"), 0, None)
    second = client.get(f"{HERE}/why/code").text
    assert "2 of 7, 6 left" in second
    assert current(second) != current(first)
    assert code_all(client, "why", ["other"]) == 6
    assert "All answers are coded" in client.get(f"{HERE}/why/code").text
    assert {row.coder for row in stored(busy)} == {"ann"}


def test_the_last_one_leads_to_the_list(busy: Site) -> None:
    client = busy.logged_in()
    for _ in range(7):
        page = client.get(f"{HERE}/why/code").text
        answer = post(client, f"{HERE}/why/code", {**current(page), "none": "yes"})
    assert answer.headers["location"] == f"{HERE}/why?done=coded"
    assert all(row.codes == () for row in stored(busy))


def test_recoding_takes_the_place_of_the_old_codes(busy: Site) -> None:
    client = busy.logged_in()
    which = current(client.get(f"{HERE}/why/code").text)
    post(client, f"{HERE}/why/code", {**which, "code": "order"})
    page = client.get(f"{HERE}/why/code?answer={which['answer']}&part=0").text
    assert re.search(r'value="order"[^>]* checked', page)
    post(client, f"{HERE}/why/code", {**which, "code": "words"})
    assert [row.codes for row in stored(busy)] == [("words",)]


def test_coders_do_not_see_others_codes_before_their_own(busy: Site) -> None:
    ann, bob = busy.logged_in("ann"), busy.logged_in("bob")
    code_all(bob, "why", ["words"])
    which = current(ann.get(f"{HERE}/why/code").text)
    assert "Others said" not in ann.get(f"{HERE}/why/code?answer={which['answer']}&part=0").text
    page = ann.get(f"{HERE}/why").text
    assert '<span class="tag">words</span>' not in page
    assert page.count('<span class="tag">words</span>') == 0
    post(ann, f"{HERE}/why/code", {**which, "code": "order"})
    page = ann.get(f"{HERE}/why/code?answer={which['answer']}&part=0").text
    assert "Others said" in page
    assert '<span class="tag">words</span>' in page
    page = ann.get(f"{HERE}/why").text
    assert page.count('<span class="tag">words</span>') == 1
    assert ann.get(f"{HERE}/why?reveal=yes").text.count('<span class="tag">words</span>') == 7


def test_viewers_see_all_codes_and_cannot_code(busy: Site) -> None:
    code_all(busy.logged_in("bob"), "why", ["words"])
    vera = busy.logged_in("vera")
    page = vera.get(f"{HERE}/why").text
    assert page.count('<span class="tag">words</span>') == 7
    assert "/why/code" not in page
    assert vera.get(f"{HERE}/why/code").headers["location"] == f"{HERE}/why"


def test_the_experts_own_category_is_not_shown_before_coding(busy: Site) -> None:
    client = busy.logged_in()
    which = current(client.get(f"{HERE}/look/code").text)
    assert "by the expert’s word" not in client.get(f"{HERE}/look/code").text
    post(client, f"{HERE}/look/code", {**which, "code": "good"})
    page = client.get(f"{HERE}/look/code?answer={which['answer']}&part={which['part']}").text
    assert "by the expert’s word" in page


def test_agreement_by_category_and_overall(busy: Site) -> None:
    ann, bob = busy.logged_in("ann"), busy.logged_in("bob")
    code_all(bob, "why", ["words"])
    for number in range(7):
        data = {**current(ann.get(f"{HERE}/why/code").text), "code": ["words"] if number else ["words", "order"]}
        post(ann, f"{HERE}/why/code", data)
    page = ann.get(HERE).text
    # One of seven differs: {words} in {words, order}, at 2/3. Observed 2/3, expected 13 * 2/3: alpha = 1 - 13/13 = 0.
    assert "<dt>Krippendorff’s α</dt><dd>.000</dd>" in page
    assert "<dd>86 %</dd>" in page  # six of seven the same
    order = re.search(r'<th scope="row">order</th>.*?</tr>', page)[0]
    assert ">.000<" in order
    assert "86 %" in order
    words = re.search(r'<th scope="row">words</th>.*?</tr>', page)[0]
    assert words.endswith('<td class="number">–</td><td class="number">100 %</td></tr>')
    assert "show=disagreements" in page
    shown = ann.get(f"{HERE}/why?show=disagreements").text
    assert shown.count('<td class="answer"') == 1


def test_disagreements_stay_hidden_from_those_who_have_not_coded(busy: Site) -> None:
    ann, bob = busy.logged_in("ann"), busy.logged_in("bob")
    code_all(bob, "why", ["words"])
    code_all(ann, "why", ["order"])
    post(ann, "/admin/accounts", {"name": "cara", "password": "four words in a row", "role": "admin"})
    cara = busy.logged_in("cara")
    page = cara.get(f"{HERE}/why?show=disagreements").text
    assert "None that you can see" in page
    assert cara.get(f"{HERE}/why?show=disagreements&reveal=yes").text.count('<td class="answer"') == 7


def test_grading_by_hand(busy: Site) -> None:
    ann, bob = busy.logged_in("ann"), busy.logged_in("bob")
    page = ann.get(f"{HERE}/sum/code").text
    assert 'type="radio"' in page
    assert post(ann, f"{HERE}/sum/code", current(page)).status_code == 422
    post(ann, f"{HERE}/sum/code", {**current(page), "grade": "0.75"})
    post(bob, f"{HERE}/sum/code", {**current(page), "grade": "0.25"})
    assert sorted((row.coder, row.grade, row.codes) for row in stored(busy)) == [("ann", 0.75, ()), ("bob", 0.25, ())]
    page = ann.get(HERE).text
    assert "<dt>Mean grade</dt><dd>0.50</dd>" in page
    assert "0.25" in ann.get(f"{HERE}/sum?show=disagreements").text


@pytest.mark.parametrize(
    ("data", "status"),
    [
        ({}, 422),
        ({"code": "nothing"}, 400),
        ({"code": ["order", "x' OR '1'='1"]}, 400),
        ({"grade": "0.75x"}, 400),
        ({"answer": "999999", "code": "order"}, 404),
        ({"answer": "1 OR 1=1", "code": "order"}, 404),
        ({"part": "7", "code": "order"}, 404),
        ({"answer": "", "code": "order"}, 404),
    ],
)
def test_codes_that_are_not_kept(busy: Site, data: dict[str, str], status: int) -> None:
    client = busy.logged_in()
    which = current(client.get(f"{HERE}/why/code").text)
    answer = post(client, f"{HERE}/why/code", {**which, **data})
    assert answer.status_code == status
    assert stored(busy) == []


def test_an_answer_of_another_question_or_study_is_not_coded_here(busy: Site) -> None:
    client = busy.logged_in()
    other = current(client.get(f"{HERE}/look/code").text)
    assert post(client, f"{HERE}/why/code", {**other, "code": "order"}).status_code == 404
    assert client.get(f"{HERE}/quality").status_code == 404
    assert client.get(f"{HERE}/none/code").status_code == 404


def test_pages_of_answers(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    from fergus.web import views_coding

    monkeypatch.setattr(views_coding, "ON_A_PAGE", 2)
    for number in range(5):
        take_part(site, site.study(), number)
    client = site.logged_in()
    for page, count in (("", 2), ("?page=3", 1), ("?page=99", 1), ("?page=0", 2), ("?page=x", 2), ("?page=²", 2)):
        assert client.get(f"{HERE}/why{page}").text.count('<td class="answer"') == count, page


def test_comments_are_shown_and_not_obeyed(site: Site) -> None:
    take_part(site, site.study(), 1, form={"why.comment": HTML, "sum.solution": HTML, "look.comment.0": HTML})
    client = site.logged_in()
    for path in ("", "/why", "/why/code", "/sum", "/sum/code", "/look", "/look/code"):
        assert HTML not in client.get(HERE + path).text
    assert "&lt;script&gt;" in client.get(f"{HERE}/why/code").text


def test_a_question_of_an_earlier_version_keeps_its_code_book(busy: Site) -> None:
    text = STUDY.replace("check, why, free", "check, free").replace("  why:\n", "  gone:\n")
    add_study(busy, text.replace("check, free", "check, free, gone"))
    page = busy.logged_in().get(HERE).text
    assert re.findall(r'<h2 id="q-\d">(\w+)<', page) == ["look", "sum", "why", "free", "gone"]
