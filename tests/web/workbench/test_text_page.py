"""The page Text to tree to text."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.resources import files

import pytest

from fergus.web.engine import BusyError
from fergus.web.engine_limits import Limits
from fergus.web.views_text import SENTENCES
from fergus.web.workbench.retold import LONGEST, Typed, retold
from tests.web.inline_engine import loaded
from tests.web.workbench.conftest import Workbench, command_lines, least_ms, sentence, textarea

ADDRESS = "/workbench/text"
PHASE = "There was no cost estimate for the second phase."


@pytest.mark.parametrize("text", SENTENCES)
def test_every_sentence_is_parsed_realized_aligned_and_scored(workbench: Workbench, text: str) -> None:
    response = workbench.get(Typed(text).address)
    assert sentence(response)
    assert 'class="fergus-drawing tree"' in response.text
    assert 'class="fergus-drawing alignment"' in response.text
    for metric in ("Simple String Accuracy", "Generation Tree Accuracy", "Quality Accuracy", "BLEU"):
        assert metric in response.text
    assert re.search(r"\d+ ms on the server", response.text)


def test_a_sentence_that_comes_back_as_it_was(workbench: Workbench) -> None:
    response = workbench.get(Typed(PHASE).address)
    assert sentence(response) == PHASE
    assert "Word for word what was typed" in response.text
    assert re.search(r'Exact match</th><td class="number">1.0000', response.text)


def test_a_sentence_that_does_not(limits: Limits) -> None:
    found = retold(loaded(), Typed("Never before had they so quickly the answer seen.", bare=True), limits)
    assert not found.is_same
    scores = {row.name: row.cells[0][0] for row in found.scores}
    assert float(scores["simple_string_accuracy"]) < 1


def test_shuffling_is_by_the_seed_and_changes_nothing(limits: Limits) -> None:
    one, same, other = (retold(loaded(), Typed(PHASE, seed=seed), limits) for seed in (1, 1, 2))
    assert one.shuffled == same.shuffled != other.shuffled
    assert sorted(one.shuffled) == sorted(one.words)
    assert one.realized == other.realized


def test_it_takes_less_than_200_ms(limits: Limits) -> None:
    assert least_ms(lambda: retold(loaded(), Typed(SENTENCES[2]), limits)) < 200


def test_its_tree_goes_on_to_realize(workbench: Workbench) -> None:
    response = workbench.get(Typed("She saw him.", preset="supertag", bare=True, model="en").address)
    form = {"tree": textarea(response, "tree"), "input_format": "conllu", "preset": "supertag", "bare": "1"}
    form["model"] = "en"
    for name, value in form.items():
        assert name == "tree" or f'name="{name}" value="{value}"' in response.text
    moved = workbench.post("/workbench/realize", form)
    assert "&model=en&" in moved.headers["location"]
    assert sentence(workbench.get(moved.headers["location"]))


def test_a_form_leads_to_an_address(workbench: Workbench) -> None:
    form = {"text": "Hello you", "preset": "supertag", "seed": "3", "bare": "1", "model": "en"}
    assert workbench.post(ADDRESS, form).headers["location"] == (
        f"{ADDRESS}?text=Hello%20you&preset=supertag&model=en&seed=3&bare=1#result"
    )
    assert workbench.post(ADDRESS, {"text": ""}).headers["location"] == f"{ADDRESS}?text="


def test_options_and_texts_that_cannot_be(workbench: Workbench) -> None:
    long = "ä" * (LONGEST + 1)
    response = workbench.post(ADDRESS, {"text": long, "preset": "x", "seed": "-1"})
    assert response.status_code == 422
    for words in ("2,001 characters", "Take one of default", "from 0 to 999,999"):
        assert words in response.text
    assert textarea(response, "text") == long


def test_a_long_sentence_without_an_address_of_its_own(workbench: Workbench) -> None:
    response = workbench.post(ADDRESS, {"text": "日" * 1500})
    assert sentence(response)


def test_more_words_than_a_tree_may_have(make_workbench: Callable[..., Workbench]) -> None:
    response = make_workbench(limits=Limits(nodes=3)).get(Typed("She saw him today.").address)
    assert response.status_code == 422
    assert "The tree has 5 nodes" in response.text
    assert textarea(response, "text") == "She saw him today."


def test_hostile_text_is_shown_and_not_obeyed(workbench: Workbench) -> None:
    hostile = "</textarea><script>alert(1)</script> & 'quoted' \"twice\" </svg>"
    response = workbench.get(Typed(hostile).address)
    assert response.status_code == 200
    assert "<script>alert" not in response.text
    assert textarea(response, "text") == hostile


def test_a_server_that_is_busy(workbench: Workbench) -> None:
    workbench.engine.failing = {retold: BusyError("no worker was free")}
    response = workbench.get(Typed(PHASE).address)
    assert (response.status_code, response.headers["retry-after"]) == (503, "5")
    assert "No worker was free" in response.text


def test_nothing_but_spaces_is_no_sentence(workbench: Workbench) -> None:
    response = workbench.get(Typed(" \t ").address)
    assert response.status_code == 200
    assert 'id="result"' not in response.text


def test_where_the_models_are_is_not_told(make_workbench: Callable[..., Workbench]) -> None:
    response = make_workbench(models=(("ours", "/srv/kept/our own.fergus"),)).get(Typed(PHASE).address)
    assert command_lines(response)[0].count("--model 'our own.fergus'") == 1
    assert "/srv" not in response.text
    shipped = str(files("fergus.models") / "en.fergus")
    assert "--model" not in command_lines(make_workbench(models=(("x", shipped),)).get(Typed(PHASE).address))[0]
