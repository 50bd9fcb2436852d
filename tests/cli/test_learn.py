"""``fergus learn``: a table and references in, a metric that ``fergus evaluate`` can use out."""

from __future__ import annotations

import csv
import json
import tomllib
from pathlib import Path

import numpy as np
import pytest

from .conftest import Run

WORDS = "the old man asked her politely for another game of chess in a blue van by the sea"
QUICK = ("--samples", "20", "--trials", "20", "--metrics", "string,bleu,nist", "--parser", "none")


@pytest.fixture
def tables(tmp_path: Path) -> tuple[str, str]:
    """Three judges of two systems' scrambled sentences: the more words were exchanged, the worse."""
    random = np.random.default_rng(4)
    references, judgements = [["input", "reference"]], [["judge", "input", "system", "text", "quality", "m.mine"]]
    for number in range(30):
        reference = list(random.permutation(WORDS.split())[: int(random.integers(8, 15))])
        references.append([f"i{number}", " ".join(reference)])
        for system, most in (("good", 4), ("bad", 8)):
            text = list(reference)
            exchanged = int(random.integers(0, most))
            for place in random.permutation(len(text))[:exchanged]:
                text[place] = "banana" if random.random() < 0.5 else text[0]
            for judge in range(3):
                score = 7 - 0.7 * exchanged + random.normal(0, 0.5)
                judgements.append([f"J{judge}", f"i{number}", system, " ".join(text), f"{score:.2f}", str(exchanged)])
    for name, rows in (("references.csv", references), ("judgements.csv", judgements)):
        with (tmp_path / name).open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerows(rows)
    return "judgements.csv", "references.csv"


def test_a_metric_is_learned_and_used(run: Run, tables: tuple[str, str]) -> None:
    judgements, references = tables
    given = ("learn", judgements, "-r", references, "--item", "input", *QUICK, "--drop", "length", "--largest", "2")
    result = run(*given, "--out", "my_metric.toml", "--title", "Mine")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("my_metric = (")
    assert "from 60 texts of 2 systems for 30 inputs, 3 judges" in result.stdout
    assert "my_metric (inputs left out)" in result.stdout
    assert "my_metric (systems left out)" in result.stdout
    assert "its best part" in result.stdout
    assert result.stdout.endswith("use it with fergus evaluate --metrics my_metric.toml --tokenize 13a\n")
    assert "metrics that are not computed by fergus evaluate cannot be parts: mine" in result.stderr
    assert "metrics that have no best value cannot be parts: nist" in result.stderr
    content = tomllib.loads(Path("my_metric.toml").read_text(encoding="utf-8"))
    assert content["title"] == "Mine"
    assert content["training"]["tokenization"] == "13a"
    Path("out.txt").write_text("the old man\n")
    used = run("evaluate", "out.txt", "out.txt", "--metrics", "my_metric.toml", "--output", "csv-scores")
    assert used.exit_code == 0, used.output
    (row,) = csv.DictReader(used.stdout.splitlines())
    assert (row["metric"], float(row["mean"])) == ("my_metric", 1)


def test_json_and_chosen_parts(run: Run, tables: tuple[str, str]) -> None:
    judgements, references = tables
    given = ("learn", judgements, "-r", references, "--item", "input", *QUICK, "--score", "quality", "-q", "--json")
    exclude = ("--exclude", "i3-bad=well-formed by accident")
    chosen = ("--parts", "bleu, substitutions", "--drop", "length", "--ridge", "0.01", "--folds", "0")
    result = run(*given, *chosen, *exclude, "--name", "two", "--out", "my.toml")
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    found = json.loads(result.stdout)
    assert (found["name"], found["texts"], found["penalty"]) == ("two", 59, 0.01)
    assert set(found["metric"]["coefficients"]) == {"bleu", "substitutions"}
    assert [one["name"] for one in found["regression_with_dropped"]["terms"]][-1] == "length"
    assert "points" not in found["regression"]
    assert found["by_inputs"]["folds"] == 30
    assert found["regression"]["terms"][0]["inflation"] is None
    assert "i3-bad: well-formed by accident" in [one["message"] for one in found["notices"]]
    assert tomllib.loads(Path("my.toml").read_text())["name"] == "two"
    assert run(*given, "--parts", "bleu", "--ridge", "choose", "--out", "one.toml").exit_code == 0


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--out", "my.txt"), "my.txt does not end in .toml"),
        (("--out", "bleu.toml"), "'bleu' is the name of another metric"),
        (("--out", "nowhere/my.toml"), "nowhere: there is no such folder"),
        (("--out", "my.toml", "--exclude", "i3-bad"), "--exclude i3-bad: write TEXT=REASON"),
        (("--out", "my.toml", "--ridge", "much"), "--ridge much: give a number from 0 on"),
        (("--out", "my.toml", "--folds", "2"), "2 parts of the inputs are too few"),
        (("--out", "my.toml", "--ridge", "nan"), "--ridge nan: give a number from 0 on"),
        (("--out", "my.toml", "--parts", "beu"), "there is no beu; there are "),
        (("--out", "my.toml", "--parts", "length"), "length is no part of an accuracy; write --drop length"),
        (("--out", "my.toml", "--parts", "nist"), "nist: such metrics have no best value"),
        (("--out", "my.toml", "--parts", "mine"), "mine: such metrics are not computed by fergus evaluate"),
    ],
)
def test_mistakes(run: Run, tables: tuple[str, str], options: tuple[str, ...], problem: str) -> None:
    judgements, references = tables
    result = run("learn", judgements, "-r", references, "--item", "input", *QUICK, *options)
    assert result.exit_code == 2
    assert problem in result.stderr
    assert not Path("my.toml").exists()


def test_one_of_several_scores_must_be_named(run: Run) -> None:
    Path("two.csv").write_text("judge,item,system,text,quality,rating\nJ1,1,a,x y,3,4\nJ1,2,a,x z,1,2\n")
    result = run("learn", "two.csv", "--out", "my.toml")
    assert result.exit_code == 2
    assert "there are several scores: quality, rating; name one of them (--score)" in result.stderr
    result = run("learn", "two.csv", "--score", "rating", "--out", "my.toml")
    assert "there is no metric to learn from" in result.stderr


def test_the_metric_is_used_as_it_was_learned_or_the_difference_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(
        'format = "fergus-metric"\nversion = 1\nname = "own"\nintercept = 0.0\n\n'
        '[coefficients]\nsimple_string_accuracy = 1.0\n\n[training]\ntokenization = "13a"\nlowercase = "true"\n'
    )
    (tmp_path / "a.txt").write_text("No cost.\n")
    (tmp_path / "b.txt").write_text("no cost .\n")
    asked = ("evaluate", "a.txt", "b.txt", "--metric", "own.toml", "--samples", "0")
    told = run(*asked)
    assert "own was learned and validated with --tokenize 13a --lowercase" in told.stderr
    right = run(*asked, "--tokenize", "13a", "--lowercase")
    assert "learned and validated" not in right.stderr
