from __future__ import annotations

import json

from .conftest import FIGURE_2, Run


def test_text(run: Run, model: str) -> None:
    result = run("explain", "--model", model, "--tree", FIGURE_2)
    assert result.exit_code == 0, result.stderr
    for part in ("Labels filled in", "Supertags", "Positions of each daughter", "Language model", "(end)", " beats "):
        assert part in result.stdout


def test_json_has_everything(run: Run, model: str) -> None:
    record = json.loads(run("explain", "--model", model, "--tree", FIGURE_2, "--json").stdout)
    assert sorted(record["tokens"]) == sorted(
        ["estimate", "there", "was", "no", "cost", "for", "phase", "the", "second"]
    )
    assert len(record["labels"]) == len(record["supertags"]) == 9
    assert len(record["positions"]) == 8
    assert len(record["word_logprob10"]) == 10
    assert record["best"][0]["total"] >= record["best"][1]["total"]


def test_orders_that_the_lattice_lacks_are_counted(run: Run, model: str) -> None:
    result = run("explain", "--model", model, "--preset", "supertag", "--tree", "saw(she him)")
    assert "more that the lattice does not have)" in result.stdout


def test_one_word(run: Run, model: str) -> None:
    assert "There is no other order" in run("explain", "--model", model, "--tree", "sleep").stdout


def test_a_number_that_is_not_there(run: Run, model: str) -> None:
    result = run("explain", "--model", model, "--number", "3", "-", stdin="saw(she him)\n")
    assert result.exit_code == 2
    assert "there is no tree number 3" in result.stderr
