from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import rules
from fergus.errors import FergusError
from fergus.treebank import write_conllu
from held_out import shuffled
from pyrealb_worker import answer
from tests.benchmarks.test_pyrealb_trees import LEXICON, SENTENCE, tree

GREETING = tree("good good ADJ Degree=Pos 0 root", ". . PUNCT _ 1 punct")


def test_both_get_the_tree_and_neither_the_forms_nor_the_order() -> None:
    (one,), left_out = rules.cases_of([SENTENCE], LEXICON)
    assert not left_out
    assert one.reference == ("the", "dog", "saw", "big", "cats", "often", ".")
    assert {node.form for node in one.tree.nodes} == {""}
    assert {node.lemma for node in one.tree.nodes} == {"the", "dog", "see", "big", "cat", "often", "."}
    assert one.tree.constraints == ()
    # With the order given, every daughter has her place: dog < saw < cats < often < the mark, the < dog, big < cats.
    assert len(one.in_order.constraints) == 6


def test_what_is_left_out_is_counted() -> None:
    cases, left_out = rules.cases_of([SENTENCE, SENTENCE], {})
    assert cases == []
    assert left_out == Counter({"a word that its lexicon does not have": 2})


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The dog's cat sees. ", ("the", "dog", "'s", "cat", "sees", ".")),
        ("Dogs' homes? ", ("dogs", "'", "homes", "?")),
        ("At 5 o'clock", ("at", "5", "o'clock")),
        (".", (".",)),
        ("", ()),
    ],
)
def test_tokens(text: str, tokens: tuple[str, ...]) -> None:
    assert rules.tokens(text) == tokens


def test_scores() -> None:
    references = [("a", "b", "c", "d"), ("e", "f")]
    perfect = rules.scores(references, references)
    assert perfect == pytest.approx({"bleu": 100, "exact_match": 1, "words_right": 1})
    # Two of six words are not there, and one is there in another place; a repeated word counts once.
    found = rules.scores([("b", "a", "a", "d"), ("e", "x")], references)
    assert found["exact_match"] == 0
    assert found["words_right"] == pytest.approx(4 / 6)


def test_the_whole_benchmark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ud").mkdir()
    blocks = [write_conllu(one.tree, one.order) for one in (SENTENCE, GREETING, GREETING)]
    (tmp_path / "ud" / "en_ewt-dev.conllu").write_text("".join(blocks), "utf-8")

    def worker(python: str, task: str, given: Any = None) -> Any:
        """Pyrealb that refuses the first tree and says the roots of the others."""
        assert python == "python"
        if task == "lexicon":
            return LEXICON
        texts = [tree["terminal"]["lemma"] for tree in given]
        found = [{"refused": "no"} if text == "see" else {"text": f"{text}. "} for text in texts]
        return {"answers": found, "seconds": 0.5}

    monkeypatch.setenv("FERGUS_DATA", str(tmp_path))
    monkeypatch.setattr(rules, "installed", lambda folder: "python")
    monkeypatch.setattr(rules, "worker", worker)
    done = CliRunner().invoke(rules.main, ["--json", str(tmp_path / "out.json"), "--examples", "1"])
    assert done.exit_code == 0, done.output
    record = json.loads((tmp_path / "out.json").read_text())
    assert (record["sentences"], record["taken"], record["refused"]) == (3, 2, ["no"])
    assert record["left_out"] == {"pyrealb itself warns or fails": 1}
    rows = {row["system"]: row for row in record["results"]}
    assert list(rows) == list(rules.GIVEN)
    assert rows["pyrealb, order given"]["sentences_per_second"] == 4
    # "good ." has both words of "good ."; Fergus says the same.
    assert {row["exact_match"] for row in rows.values()} == {1}
    assert "  Fergus, order given      good ." in done.output


def test_without_data_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FERGUS_DATA", str(tmp_path / "nowhere"))
    done = CliRunner().invoke(rules.main, [])
    assert done.exit_code == 1
    assert "set FERGUS_DATA" in done.output


def test_a_worker_that_fails() -> None:
    with pytest.raises(FergusError, match="pyrealb failed"):
        rules.worker(sys.executable, "realize", "not a list of trees")


def test_what_pyrealb_says_against_a_tree() -> None:
    def refuse(tree: object) -> object:
        raise ValueError(f"no {tree}")

    assert answer("x", refuse) == {"refused": "ValueError: no x"}


def test_cases_are_the_shuffled_ones() -> None:
    (one,) = shuffled([SENTENCE])
    assert rules.case_of(one, LEXICON).by_rules == rules.cases_of([SENTENCE], LEXICON)[0][0].by_rules
