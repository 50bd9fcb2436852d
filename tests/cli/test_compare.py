from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

from .conftest import Run
from .test_evaluate import as_json, fails, written


def test_a_table(run: Run, folder: Path) -> None:
    result = run("compare", "mine.txt", "theirs.txt", "--references", "references.conllu", "--metrics", "string,bleu")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["Mean", "over", "sentences", "mine", "theirs"]
    assert [line.split()[0] for line in lines if "mine - theirs" in line] == ["Simple", "Generation", "BLEU"]
    assert "approximate randomisation of 10,000 trials, seed 12345" in result.stdout
    assert "corrected for 1 comparison a metric (Holm)" in result.stdout
    assert "fewer than 30 sentences: intervals and p are rough" in lines
    assert "mine is better" not in result.stdout  # nobody knows, from five sentences


def test_a_difference_that_is_no_chance(run: Run, folder: Path) -> None:
    written(folder, good_txt="a b c d\n" * 40, bad_txt="d b a c\n" * 40, r_txt="a b c d\n" * 40)
    result = run("compare", "bad.txt", "good.txt", "-r", "r.txt", "-m", "generation_string_accuracy,ter")
    rows = [line for line in result.stdout.splitlines() if "bad - good" in line]
    assert len(rows) == 2
    assert all(row.endswith("< .001  good is better") for row in rows)  # TER too, of which less is better


def test_json_has_every_pair(run: Run, folder: Path) -> None:
    written(folder, third_txt=(folder / "theirs.txt").read_text().lower())
    names = ("mine.txt", "theirs.txt", "third.txt")
    arguments = ("compare", *names, "-r", "references.conllu", "-m", "string,bleu", "--json")
    found = as_json(run(*arguments))["comparisons"]
    pairs = list(combinations(("mine", "theirs", "third"), 2))
    assert [(c["first"], c["second"]) for c in found] == pairs * 3
    for comparison in found:
        assert comparison["aggregate"] == ("pooled" if comparison["metric"] == "bleu" else "mean")
        low, high = comparison["interval"]
        assert low <= comparison["difference"] <= high
        assert 0 < comparison["bootstrap_p"] <= comparison["corrected_bootstrap_p"] <= 1
        assert 0 < comparison["randomisation_p"] <= comparison["corrected_randomisation_p"] <= 1
    some = as_json(run(*arguments, "--baseline", "theirs"))["comparisons"]
    assert [(c["first"], c["second"]) for c in some] == [("mine", "theirs"), ("theirs", "third")] * 3


def test_who_does_not_differ(run: Run, folder: Path) -> None:
    (first,) = as_json(run("compare", "mine.txt", "b=mine.txt", "-r", "references.conllu", "-m", "ter", "--json"))[
        "comparisons"
    ]
    assert (first["difference"], first["bootstrap_p"], first["randomisation_p"]) == (0, 1, 1)


def test_the_same_seed_gives_the_same_bytes(run: Run, folder: Path) -> None:
    arguments = ("compare", "mine.txt", "theirs.txt", "-r", "references.conllu", "-m", "string", "--trials", "100")
    once = run(*arguments, "--json").stdout_bytes
    assert run(*arguments, "--json").stdout_bytes == once
    assert run(*arguments, "--json", "--seed", "7").stdout_bytes != once
    assert json.loads(once)["settings"]["trials"] == "100"


def test_without_intervals_there_are_tests_all_the_same(run: Run, folder: Path) -> None:
    arguments = ("compare", "mine.txt", "theirs.txt", "-r", "references.conllu", "-m", "string", "--samples", "0")
    text = run(*arguments).stdout
    assert "±" not in text
    assert "paired bootstrap of 1,000 samples" in text


def test_references_with_one_of_the_outputs(run: Run, folder: Path) -> None:
    written(folder, a_jsonl='{"text": "a b", "references": ["a b"]}\n', b_txt="b a\n")
    found = as_json(run("compare", "a.jsonl", "b.txt", "-m", "generation_string_accuracy", "--json"))
    assert found["comparisons"][0]["difference"] == 0.5


def test_several_references(run: Run, folder: Path) -> None:
    written(folder, a_txt="a b\n", b_txt="b a\n")
    arguments = ("compare", "a.txt", "b.txt", "-r", "a.txt", "-r", "b.txt", "-m", "exact_match", "--json")
    assert as_json(run(*arguments))["comparisons"][0]["difference"] == 0


def test_a_report(run: Run, folder: Path) -> None:
    arguments = ("mine.txt", "theirs.txt", "-r", "references.conllu", "-m", "paper")
    assert run("compare", *arguments, "--html", "report.html", "--out", "table.txt").exit_code == 0
    assert "mine - theirs" in (folder / "table.txt").read_text(encoding="utf-8")
    assert (folder / "report.html").stat().st_size > 10_000


def test_must_fail(run: Run, folder: Path) -> None:
    references = ("-r", "references.conllu", "-m", "bleu")
    fails(run("compare", "mine.txt", *references), "give the outputs of two systems or more")
    fails(run("compare"), "Missing argument")
    fails(run("compare", "mine.txt", "theirs.txt", "-m", "bleu"), "mine.txt:1: there is no reference", "name a file")
    fails(
        run("compare", "mine.txt", "theirs.txt", *references, "--baseline", "x"),
        "there is no system 'x'",
        "the systems are mine, theirs",
    )
    fails(run("compare", "mine.txt", "-", "-r", "-", "-m", "bleu"), "only one file can be standard input")
    fails(run("compare", "mine.txt", "theirs.txt", *references, "--trials", "0"), "Invalid value for '--trials'")
    written(folder, short_txt="a\n")
    fails(run("compare", "mine.txt", "short.txt", *references), "short.txt has 1 sentence, mine.txt has more")
