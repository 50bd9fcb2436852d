"""The page Realize: examples, clicks, problems, hostile input, limits."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from importlib.resources import files

import pytest

from fergus.web.engine import BrokenError, BusyError
from fergus.web.engine_limits import Limits, TookTooLongError
from fergus.web.workbench.asked import Asked, asked_of
from fergus.web.workbench.changes import changed_text
from fergus.web.workbench.examples import EXAMPLES, Example
from fergus.web.workbench.realized import MOST_EXPLAINED, shown
from tests.web.inline_engine import loaded
from tests.web.workbench.conftest import Workbench, buttons, command_lines, least_ms, sentence, textarea

PAPER = "estimate(there was no cost for(phase(the second)))"
SAID = "said(he left(they))"
ADDRESS = "/workbench/realize"
HOSTILE = '"</textarea><script>alert(1)</script>"("<img src=x onerror=alert(2)>" "\'&amp;")'


def click(workbench: Workbench, tree: str, change: str, **fields: str) -> str:
    """Realize a tree, press a button of the page; the tree that comes of it."""
    first = workbench.get(Asked(tree).address)
    seen = re.search(r'name="seen" value="(\w+)"', first.text)
    assert seen is not None
    response = workbench.post(ADDRESS, {"tree": tree, "seen": seen[1], "change": change, **fields})
    assert response.status_code == 303
    address, _, place = response.headers["location"].partition("#")
    assert place == "result"
    return textarea(workbench.get(address), "tree")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one.name)
def test_every_example_is_realized_drawn_and_explained(workbench: Workbench, example: Example) -> None:
    response = workbench.get(example.asked.address)
    assert len(sentence(response).split()) >= 4
    assert textarea(response, "tree") == example.asked.tree
    assert 'class="fergus-drawing tree"' in response.text
    assert 'class="fergus-drawing lattice"' in response.text
    assert 'class="fergus-drawing elementary"' in response.text
    assert "because" in response.text or "There is no other order" in response.text
    assert buttons(response, "change")


def test_the_examples_are_of_different_kinds() -> None:
    assert len(EXAMPLES) >= 12
    assert len({example.asked for example in EXAMPLES}) == len(EXAMPLES)
    assert {example.asked.preset for example in EXAMPLES} == {"default", "supertag", "baseline-lr"}


def test_the_papers_example(workbench: Workbench) -> None:
    response = workbench.get(Asked(PAPER).address)
    assert sentence(response) == "There was no cost estimate for the second phase"
    assert re.search(r"“cost” before “estimate” because the ordering model prefers it by \d", unescape(response.text))
    assert "g.ADP/nmod" in response.text
    assert re.search(r"\d+ ms on the server", response.text)
    assert '<a href="#word-0"><g class="node"' in response.text
    assert 'id="word-0"' in response.text


def test_an_ordinary_sentence_takes_less_than_200_ms(limits: Limits) -> None:
    asked = Asked("met(we them often in(Paris) during(summer(the)) by(chance))")
    assert least_ms(lambda: shown(loaded(), asked, limits)) < 200


def test_a_form_leads_to_an_address_that_can_be_shared(workbench: Workbench) -> None:
    form = {"tree": "saw(I\r\n her)", "preset": "supertag", "nbest": "3", "stages": "order", "bare": "1"}
    response = workbench.post(ADDRESS, form)
    assert response.status_code == 303
    assert response.headers["location"] == (
        "/workbench/realize?tree=saw%28I%0A%20her%29&preset=supertag&nbest=3&stages=order&bare=1#result"
    )


def test_an_empty_form(workbench: Workbench) -> None:
    assert workbench.post(ADDRESS, {"tree": " "}).headers["location"] == f"{ADDRESS}?tree=%20"
    assert 'id="result"' not in workbench.get(f"{ADDRESS}?tree=%20").text


def test_a_tree_too_long_for_an_address_is_answered_at_once(workbench: Workbench) -> None:
    long = f"saw(I{' very' * 100} {'x' * 6000})"
    response = workbench.post(ADDRESS, {"tree": long, "output": "tokens"})
    assert "too long for a link" in response.text
    assert "more words than are gone into" in response.text
    assert textarea(response, "tree") == long


def test_neighbours_are_turned_round(workbench: Workbench) -> None:
    changes = buttons(workbench.get(Asked(SAID).address), "change")
    assert "before:0:1" in changes
    tree = click(workbench, SAID, "before:0:1")
    assert tree == "said[before=n1](he#n1 left(they))"
    response = workbench.get(Asked(tree).address)
    assert sentence(response).startswith("Said he")
    assert "“said” before “he”" in response.text
    assert click(workbench, tree, "free:0") == SAID


@pytest.mark.parametrize(
    ("wish", "expected"), [("", "said[before=n1](he#n1 left(they))"), ("not", "said#n1(he[before=n1] left(they))")]
)
def test_an_order_of_any_two_words(workbench: Workbench, wish: str, expected: str) -> None:
    assert click(workbench, SAID, "pair", first="0", second="1", wish=wish) == expected


@pytest.mark.parametrize("preset", ["default", "supertag"])
def test_another_supertag_makes_another_sentence(workbench: Workbench, preset: str) -> None:
    response = workbench.get(Asked(SAID, preset=preset).address)
    assert sentence(response) == "He said they left"
    wanted = "supertag:0:a.VERB(ccomp nsubj *)"
    assert wanted in buttons(response, "change")
    tree = click(workbench, SAID, wanted, preset=preset)
    response = workbench.get(Asked(tree, preset=preset).address)
    assert sentence(response) == "They left he said"
    assert "by hand" in response.text
    assert "supertag:0:a.VERB(nsubj * ccomp)" in buttons(response, "change")
    assert "supertag:0:" in buttons(response, "change")


def test_another_label(workbench: Workbench) -> None:
    response = workbench.get(Asked(PAPER).address)
    change = next(one for one in buttons(response, "change") if one.startswith("label:"))
    number, _, label = change.removeprefix("label:").partition(":")
    tree = click(workbench, PAPER, change)
    assert "/" + label in tree
    assert change not in buttons(workbench.get(Asked(tree).address), "change"), number


@pytest.mark.parametrize(
    ("asked", "kind"), [(Asked(PAPER, preset="baseline-lr"), "supertag:"), (Asked(PAPER, bare=True), "label:")]
)
def test_what_would_change_nothing_is_not_offered(workbench: Workbench, asked: Asked, kind: str) -> None:
    response = workbench.get(asked.address)
    assert sentence(response)
    assert not any(one.startswith(kind) for one in buttons(response, "change"))
    assert any(one.startswith("before:") for one in buttons(response, "change"))


def test_a_click_after_the_tree_was_edited_only_realizes_it(workbench: Workbench) -> None:
    response = workbench.post(ADDRESS, {"tree": "saw(I her)", "seen": "0" * 16, "change": "before:0:1"})
    assert response.headers["location"] == f"{ADDRESS}?tree=saw%28I%20her%29#result"


def test_constraints_that_contradict_one_another_are_told_and_nothing_is_lost(workbench: Workbench) -> None:
    tree = "saw(I#i[side=left] her#h[before=i,side=right])"
    response = workbench.get(Asked(tree).address)
    assert response.status_code == 422
    assert "meets the constraints" in response.text
    assert textarea(response, "tree") == tree


def test_a_mistake_is_told_beside_the_field_with_its_line_and_remedy(workbench: Workbench) -> None:
    tree = "# a comment\nsaw(I her"
    response = workbench.get(Asked(tree).address)
    assert response.status_code == 422
    text = unescape(response.text)
    assert 'Line 2: Column 4: "(" without ")".' in text
    assert 'close it with ")"' in text
    assert 'aria-invalid="true"' in text
    assert 'id="tree-wrong" role="alert"' in text
    assert textarea(response, "tree") == tree


def test_a_change_that_cannot_be_made(workbench: Workbench) -> None:
    from fergus.web.views_realize import mark_of

    form = {"tree": SAID, "seen": mark_of(SAID), "change": "before:7:1"}
    response = workbench.post(ADDRESS, form)
    assert response.status_code == 422
    assert "cannot be done with this tree" in response.text
    assert textarea(response, "tree") == SAID


def test_options_that_cannot_be(workbench: Workbench) -> None:
    form = {"tree": SAID, "preset": "x<y", "nbest": "51", "output": "z", "input_format": "q", "stages": ["order", "w"]}
    response = workbench.post(ADDRESS, form)
    assert response.status_code == 422
    for words in ("“x&lt;y” is none of them", "from 1 to 50", "The stages are choose", "“z” is none", "“q” is none"):
        assert words in response.text
    assert textarea(response, "tree") == SAID


def test_hostile_input_is_shown_and_not_obeyed(workbench: Workbench) -> None:
    response = workbench.get(Asked(HOSTILE).address)
    assert response.status_code == 200
    assert "<script>alert" not in response.text
    assert "<img src=x" not in response.text
    assert "</textarea><script" not in response.text
    assert textarea(response, "tree") == HOSTILE
    assert "script-src 'self'" in response.headers["content-security-policy"]


def test_a_supertag_that_is_none(workbench: Workbench) -> None:
    response = workbench.get(Asked('saw[misc="Supertag=<b>"](I)').address)
    assert response.status_code == 422
    assert "asks for the supertag" in response.text
    assert "<b>" not in response.text


def test_penn_brackets_are_realized_and_a_click_writes_them_otherwise(workbench: Workbench) -> None:
    tree = "(S (NP (PRP I)) (VP (VBD saw) (NP (PRP her))))"
    response = workbench.get(Asked(tree).address)
    assert "a click that changes this tree writes it in the quick notation" in response.text
    assert command_lines(response)[0].startswith(f"printf '%s\\n' '{tree}' | fergus realize --nbest")
    clicked = click(workbench, tree, "before:2:1")
    assert clicked.startswith("saw/VERB:root")
    assert 'id="other-format"' not in workbench.get(Asked(clicked).address).text


def test_models_can_be_chosen_and_unknown_ones_are_told(make_workbench: Callable[..., Workbench]) -> None:
    made = make_workbench(models=(("en", "en"), ("other", "en")))
    response = made.get(Asked(SAID).address)
    assert "<option>other</option>" in response.text
    response = made.get(Asked(SAID, model="nobody’s").address)
    assert response.status_code == 422
    assert "There is no model “nobody’s”" in response.text


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (BusyError("128 requests are waiting already"), 503, "128 requests are waiting already"),
        (TookTooLongError("this takes longer than 10 seconds"), 422, "This takes longer than 10 seconds"),
        (BrokenError("Traceback: secret"), 500, "Something went wrong here"),
    ],
)
def test_when_the_engine_cannot(workbench: Workbench, error: Exception, status: int, words: str) -> None:
    workbench.engine.failing = {shown: error, changed_text: error}
    for response in (
        workbench.get(Asked(SAID).address),
        workbench.post(ADDRESS, {"tree": SAID, "seen": _mark(SAID), "change": "before:0:1"}),
    ):
        assert response.status_code == status
        assert words in response.text
        assert "secret" not in response.text
        assert ("retry-after" in response.headers) == (status == 503)
        assert textarea(response, "tree") == SAID


def _mark(tree: str) -> str:
    from fergus.web.views_realize import mark_of

    return mark_of(tree)


def test_a_form_that_is_too_large(workbench: Workbench) -> None:
    assert workbench.post(ADDRESS, {"tree": "x" * 300_000}).status_code == 413


def test_visitors_are_counted(workbench: Workbench) -> None:
    workbench.get(Asked(SAID).address)
    assert workbench.engine.visitors == ["127.0.0.1"]


def test_large_trees_are_realized_and_drawn_but_not_gone_into(limits: Limits) -> None:
    found = shown(loaded(), Asked("saw(I" + " very" * MOST_EXPLAINED + ")"), limits)
    assert not found.is_explained
    assert not found.words
    assert not found.treelets
    assert found.sentence
    assert found.tree
    assert found.lattice


def test_an_address_says_only_what_is_not_usual() -> None:
    asked = Asked("a", model="m", stages=("order",), nbest=2, output="tokens", input_format="json", bare=True)
    form = {"tree": ["a"], "model": ["m"], "stages": ["order"], "nbest": ["2"], "output": ["tokens"]}
    form |= {"input_format": ["json"], "bare": ["1"]}
    assert asked_of(form, most=50) == (asked, {})
    assert Asked("a").address == f"{ADDRESS}?tree=a"
    assert replace(asked, tree="b").address.startswith(f"{ADDRESS}?tree=b&input_format=json&model=m&")


def test_where_the_models_are_is_not_told(make_workbench: Callable[..., Workbench]) -> None:
    response = make_workbench(models=(("ours", "/srv/kept/our own.fergus"),)).get(Asked(SAID).address)
    assert command_lines(response)[0].count("--model 'our own.fergus'") == 1
    assert "/srv" not in response.text
    shipped = str(files("fergus.models") / "en.fergus")
    assert "--model" not in command_lines(make_workbench(models=(("x", shipped),)).get(Asked(SAID).address))[0]


def test_words_that_are_there_need_not_be_chosen(workbench: Workbench) -> None:
    assert sentence(workbench.get(f"{ADDRESS}?tree=saw(I%20her)&stages=choose&stages=order")) == "I saw her"
