"""Metric scores of judged texts: columns, evaluations, references of every kind."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from fergus.analysis.judgements import Items, Judgements
from fergus.analysis.metric_scores import metric_scores
from fergus.analysis.score_sources import Sources
from fergus.errors import InputError

TEXTS = ("the cat sat", "a cat sat", "dogs bark", "dogs bark loudly")
TREE = "# sent_id = {name}\n1\t{a}\t{a}\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\t{b}\t{b}\tVERB\t_\t_\t0\troot\t_\t_\n\n"


def judged(**columns: list[str]) -> Judgements:
    items = Items(("c-x", "c-y", "d-x", "d-y"), ("c", "c", "d", "d"), ("x", "y", "x", "y"), TEXTS)
    return Judgements(items, {}, source="t.csv", columns=columns)


def test_columns_are_metrics_or_predictors() -> None:
    found = metric_scores(
        judged(
            **{"m.good": ["1", "2", "", "inf"], "m.length": ["1", "2", "3", "4"], "m.ter": ["1"] * 4, "other": [""] * 4}
        ),
        Sources(lower_is_better=("good",)),
    )
    assert found.metrics["good"].tolist()[:2] == [1, 2]
    assert np.isnan(found.metrics["good"][2:]).all()
    assert list(found.predictors) == ["length"]
    assert found.lower_is_better == ("ter", "good")
    assert [(notice.kind, notice.count) for notice in found.notices] == [("missing metric score", 2)]


def test_a_cell_that_is_no_number() -> None:
    with pytest.raises(InputError, match=r"t\.csv: m\.good of d-x is 'high', which is not a number"):
        metric_scores(judged(**{"m.good": ["1", "2", "high", "3"]}), Sources())


def test_the_references_of_the_items_themselves() -> None:
    found = metric_scores(
        judged(reference=["the cat sat", "the cat sat", " ", "dogs bark"]), Sources(metrics=("string",))
    )
    assert found.metrics["simple_string_accuracy"].tolist()[:2] == [1.0, pytest.approx(2 / 3)]
    assert found.predictors["substitutions"].tolist()[:2] == [0, 1]
    assert np.isnan(found.predictors["length"][2])
    assert found.notices[0].message.endswith("no scores: d-x")


def test_a_name_from_two_sources() -> None:
    own = judged(**{"m.bleu": ["1"] * 4, "reference": ["x"] * 4})
    with pytest.raises(InputError, match="bleu comes from the references and from another source"):
        metric_scores(own, Sources(metrics=("bleu",)))


def test_references_by_their_names_with_trees(tmp_path: Path) -> None:
    path = tmp_path / "r.conllu"
    path.write_text(TREE.format(name="d", a="dogs", b="bark") + TREE.format(name="c", a="cats", b="sit"))
    sources = Sources(references=(str(path),), metrics=("simple_tree_accuracy",), parser="none", tokenize="spaces")
    found = metric_scores(judged(), sources)
    assert found.metrics["simple_tree_accuracy"].tolist()[2] == 1.0


def test_references_are_parsed_once(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("group,reference\nc,the cat sat\nc,the cat sat\nd,dogs bark\n")
    told: list[tuple[str, int, int]] = []
    sources = Sources(references=(str(path),), metrics=("tree",))
    found = metric_scores(judged(), sources, report=lambda *one: told.append(one))
    assert ("parsing references", 2, 2) in told
    assert ("metrics", 4, 4) in told
    assert found.metrics["generation_tree_accuracy"].tolist()[0] == 1.0


def test_several_files_are_several_references(tmp_path: Path) -> None:
    first, second = tmp_path / "a.txt", tmp_path / "b.jsonl"
    first.write_text("the cat sat\nbark\n")
    second.write_text('{"text": "a cat sat", "references": ["cats"]}\n{"text": "dogs bark loudly"}\n')
    sources = Sources(references=(str(first), str(second)), metrics=("exact_match",))
    assert metric_scores(judged(), sources).metrics["exact_match"].tolist() == [1, 1, 0, 1]


@pytest.mark.parametrize(("column", "keys"), [("item", ("c-x", "d-x")), ("item", ("c", "d")), ("topic", ("c", "d"))])
def test_tables_are_joined_by_what_they_share(tmp_path: Path, column: str, keys: tuple[str, str]) -> None:
    path = tmp_path / "r.tsv"
    path.write_text(f"{column}\treference\n{keys[0]}\tthe cat sat\n{keys[1]}\tdogs bark\n{keys[1]}\t\n")
    sources = Sources(references=(str(path),), metrics=("exact_match",))
    found = metric_scores(judged(), sources, item_column="topic").metrics["exact_match"]
    assert (found[0], found[2]) == (1, 1)


def evaluation(path: Path, *, names: tuple[str, str] = ("c", "d")) -> Path:
    sentences = [{"id": name, "hypothesis": text, "reference": "r", "bleu": n, "substitutions": 1, "tree_moves": None}
                 for n, (name, text) in enumerate(zip(names, (TEXTS[0], TEXTS[2]), strict=True))]  # fmt: skip
    record = {"format": "fergus-evaluation", "version": 1, "systems": [{"name": "x", "sentences": sentences}]}
    path.write_text(json.dumps(record))
    return path


@pytest.mark.parametrize("names", [("c", "d"), ("1", "2")])
def test_an_evaluation_is_matched_by_id_or_by_text(tmp_path: Path, names: tuple[str, str]) -> None:
    path = evaluation(tmp_path / "scores.json", names=names)
    found = metric_scores(judged(), Sources(evaluation=path))
    assert list(found.metrics) == ["bleu"]
    assert found.metrics["bleu"].tolist()[0:3:2] == [0, 1]
    assert found.notices[0].message == "texts are not in the evaluation: c-y, d-y"


def test_an_evaluation_that_is_cut_off(tmp_path: Path) -> None:
    path = evaluation(tmp_path / "scores.json")
    path.write_text(path.read_text()[:-5])
    with pytest.raises(InputError, match="the evaluation is not whole"):
        metric_scores(judged(), Sources(evaluation=path))


def test_files_that_are_of_no_use(tmp_path: Path) -> None:
    far = evaluation(tmp_path / "far.json", names=("1", "2"))
    far.write_text(far.read_text().replace('"name": "x"', '"name": "z"'))
    (tmp_path / "no.json").write_text("{}")
    (tmp_path / "short.txt").write_text("one\n")
    (tmp_path / "empty.csv").write_text("group,reference\n")
    (tmp_path / "foreign.csv").write_text("colour,reference\nblue,x\n")
    (tmp_path / "elsewhere.csv").write_text("group,reference\nq,x\n")
    (tmp_path / "headless.csv").write_text("group,text\nq,x\n")

    def file(name: str) -> Sources:
        return Sources(references=(str(tmp_path / name),), metrics=("exact_match",))

    for sources, problem in (
        (Sources(evaluation=tmp_path / "no.json"), "this is no evaluation"),
        (Sources(evaluation=far), "no judged text is in the evaluation of z"),
        (Sources(metric_columns=("good",)), "no column is called good"),
        (Sources(lower_is_better=("good",)), "less of 'good' is said to be better, and there is no such metric"),
        (Sources(metrics=("bleu",)), "metrics need references, and there are none"),
        (file("short.txt"), "1 references for 2 inputs"),
        (file("empty.csv"), "there is no reference"),
        (file("foreign.csv"), "no column of colour, reference is one of the judgements'"),
        (file("elsewhere.csv"), "no judged text has a reference"),
        (file("headless.csv"), "reference"),
    ):
        with pytest.raises(InputError, match=problem):
            metric_scores(judged(), sources)


def test_references_in_the_order_of_the_inputs(tmp_path: Path) -> None:
    path = tmp_path / "r.txt"
    path.write_text("the cat sat\ndogs bark\n")
    sources = Sources(references=(str(path),), metrics=("exact_match",))
    found = metric_scores(judged(), sources, fewest_errors=True)
    assert found.metrics["exact_match"].tolist() == [1, 0, 1, 0]
    assert found.predictors["substitutions"].tolist() == [0, 1, 0, 0]


def test_sources_from_options() -> None:
    options = {"references": ("r.csv",), "metrics": (), "metric_columns": (), "evaluation": None, "seed": 3}
    options |= {"lower_is_better": (), "tokenize": "13a", "lowercase": True, "parser": "en", "language_model": "none"}
    assert Sources.of(options) == Sources(references=("r.csv",), lowercase=True, language_model="none")
