from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest

from fergus.core.tree import OrderedTree
from fergus.errors import InputError
from fergus.evaluation import run as module
from fergus.evaluation.json_report import json_pieces
from fergus.evaluation.run import Options, evaluate, rows_of_lists
from fergus.evaluation.score_rows import is_glued
from fergus.evaluation.selection import chosen_names, make_metrics
from fergus.evaluation.tables import as_latex, as_text, csv_of_scores, csv_rows
from fergus.evaluation.tokenizers import tokenization
from fergus.metrics.segment import Sentence
from fergus.metrics.tokenization import SPACES, Tokenization
from tests.metrics.example import GENERATED, TARGET, TREE, tree_of


class ChainParser:
    """A parser for which every word depends on the one before it."""

    name = signature = "chain"

    def __init__(self) -> None:
        self.parsed = 0

    def parse_tokens(self, sentences: Sequence[Sequence[str]]) -> list[OrderedTree]:
        self.parsed += len(sentences)
        return [tree_of(list(tokens), list(range(-1, len(tokens) - 1))) for tokens in sentences]

    def tag_tokens(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        return [["X"] * len(tokens) for tokens in sentences]

    def parse_line(self, line: str) -> OrderedTree:
        return self.parse_tokens([line.split()])[0]

    def parse_text(self, text: str) -> list[OrderedTree]:
        return [self.parse_line(line) for line in text.splitlines()]

    def tokenize(self, line: str) -> list[str]:
        return list(line)


def sentences(*lines: str) -> list[Sentence]:
    return [Sentence(tuple(line.split())) for line in lines]


NAMES = ("simple_string_accuracy", "generation_string_accuracy", "simple_tree_accuracy", "bleu")
OUTPUT = [Sentence(tuple(GENERATED)), *sentences("a b c d", "d a b c")]
REFERENCES = [[Sentence(tuple(TARGET), TREE)], sentences("a b c d", "b a c d"), sentences("a b c d")]


def test_counts_scores_and_aggregates() -> None:
    found = evaluate(["mine"], rows_of_lists([OUTPUT], REFERENCES), make_metrics(NAMES), tokenization=SPACES)
    (system,) = found.systems
    # Table 1 for the first; in the third one word has moved.
    assert system.counts.tolist() == [[1, 2, 2, 1, 9], [0, 0, 0, 0, 4], [0, 1, 1, 1, 4]]
    assert system.tree_counts.tolist() == [[0, 3, 3, 3, 9], [-1] * 5, [-1] * 5]
    assert system.scores["generation_string_accuracy"].tolist() == pytest.approx([5 / 9, 1, 3 / 4])
    assert np.isnan(system.scores["simple_tree_accuracy"]).tolist() == [False, True, True]
    assert system.corpus["simple_tree_accuracy"].missing == 2
    assert system.corpus["simple_string_accuracy"].pooled == pytest.approx(1 - (5 + 0 + 2) / 17)
    assert found.settings["references"] == "1-2"
    assert found.settings["trees"] == "given"


def test_chunks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = evaluate(["a"], rows_of_lists([OUTPUT], REFERENCES), make_metrics(NAMES), tokenization=SPACES)
    monkeypatch.setattr(module, "CHUNK", 1)
    parts = evaluate(["a"], rows_of_lists([OUTPUT], REFERENCES), make_metrics(NAMES), tokenization=SPACES)
    assert parts.systems[0].corpus == whole.systems[0].corpus
    assert parts.systems[0].counts.tolist() == whole.systems[0].counts.tolist()


def test_references_without_trees_are_parsed_once_for_all_systems() -> None:
    parser = ChainParser()
    metrics = make_metrics(NAMES)
    found = evaluate(
        ["a", "b"], rows_of_lists([OUTPUT, OUTPUT], REFERENCES), metrics, parser=lambda: parser, tokenization=SPACES
    )
    assert parser.parsed == 3  # two references of the second sentence, one of the third
    assert found.systems[0].corpus["simple_tree_accuracy"].missing == 0
    assert "trees:given+chain" in found.systems[0].corpus["simple_tree_accuracy"].signature


def test_a_parser_is_not_loaded_for_nothing() -> None:
    def never() -> ChainParser:
        raise AssertionError("nobody needs a parser here")

    with_trees = [[Sentence(tuple(TARGET), TREE)]]
    evaluate(["a"], rows_of_lists([OUTPUT[:1]], with_trees), make_metrics(NAMES), parser=never, tokenization=SPACES)
    strings = make_metrics(["bleu"])
    evaluate(["a"], rows_of_lists([OUTPUT], REFERENCES), strings, parser=never, tokenization=SPACES)


def test_case_is_folded_after_parsing() -> None:
    lower = Tokenization(lowercase=True)
    rows = rows_of_lists([sentences("no Cost")], [sentences("No cost")])
    found = evaluate(["a"], rows, make_metrics(NAMES[:1], tokenization=lower), tokenization=lower)
    assert found.systems[0].corpus["simple_string_accuracy"].score == 1
    assert found.settings["case"] == "lower"


def test_empty_hypotheses_have_a_score_and_empty_references_do_not() -> None:
    rows = rows_of_lists([sentences("", "a")], [sentences("a b"), sentences("", "a")])
    found = evaluate(["a"], rows, make_metrics(NAMES), tokenization=SPACES)
    assert found.systems[0].scores["simple_string_accuracy"].tolist() == [0, 1]
    assert found.systems[0].lengths.tolist() == [0, 1]
    empty = rows_of_lists([sentences("a")], [sentences("", "")])
    with pytest.raises(InputError, match=r"the reference is empty \(sentence 1\)"):
        evaluate(["a"], empty, make_metrics(NAMES), tokenization=SPACES)
    with pytest.raises(InputError, match="there are no sentences"):
        evaluate(["a"], iter([]), make_metrics(NAMES), tokenization=SPACES)


def compared(**options: object) -> module.Evaluation:
    rows = rows_of_lists([OUTPUT * 5, sentences("a", "b", "c") * 5], REFERENCES * 5)
    given = Options(samples=50, trials=50, **options)  # type: ignore[arg-type]
    return evaluate(["mine", "x_y"], rows, make_metrics(NAMES), tokenization=SPACES, options=given)


def test_json_has_every_count_and_every_score() -> None:
    document = json.loads("".join(json_pieces(compared(has_comparisons=True, keeps_texts=True))))
    assert document["format"] == "fergus-evaluation"
    first = document["systems"][0]["sentences"][0]
    assert [first[name] for name in ("substitutions", "insertions", "deletions", "moves", "length")] == [1, 2, 2, 1, 9]
    assert first["tree_moves"] == 3
    assert first["simple_string_accuracy"] == pytest.approx(4 / 9)
    assert (first["hypothesis"], first["reference"]) == (" ".join(GENERATED), " ".join(TARGET))
    assert document["systems"][0]["sentences"][1]["simple_tree_accuracy"] is None
    assert document["systems"][0]["sentences"][1]["tree_moves"] is None
    assert set(NAMES) == set(document["systems"][1]["scores"]) == set(document["metrics"])
    low, high = document["systems"][0]["scores"]["bleu"]["pooled_interval"]
    assert low <= document["systems"][0]["scores"]["bleu"]["pooled"] <= high
    assert document["systems"][0]["counts"]["substitutions"] == 5
    assert {c["metric"] for c in document["comparisons"]} <= set(NAMES)


def test_tables() -> None:
    found = compared(has_comparisons=True)
    text = as_text(found)
    assert "Mean over sentences" in text
    assert "Pooled" in text
    assert "mine - x_y" in text
    assert "mine is better" in text
    latex = as_latex(found)
    assert r"x\_y & " in latex
    assert r"\textbf{" in latex
    assert latex.count(r"\\") == 3
    rows = list(csv_rows(found))
    assert len(rows) == 1 + 2 * 15
    assert rows[0].startswith(
        "system,id,reference_number,substitutions,insertions,deletions,moves,length,tree_substitutions"
    )
    assert rows[2].startswith("mine,2,1,0,0,0,0,4,,,,,,1.0,")
    scores = list(csv_of_scores(found))
    assert len(scores) == 1 + 2 * len(NAMES)


def test_one_system_s_table_says_what_is_undefined() -> None:
    metrics = make_metrics([*NAMES, "draft_simple_tree_accuracy"])
    rows = rows_of_lists([OUTPUT[1:]], REFERENCES[1:])
    text = as_text(evaluate(["a"], rows, metrics, tokenization=SPACES, options=Options(samples=0)))
    assert "undefined" in text
    assert "intervals" not in text


def test_names_groups_and_files() -> None:
    assert chosen_names(["paper"])[:2] == ("simple_string_accuracy", "generation_string_accuracy")
    assert chosen_names(["bleu", "mine.toml", "string", "bleu"]) == ("bleu", "mine.toml", *NAMES[:2])
    with pytest.raises(InputError, match="no metric 'blue'; did you mean bleu"):
        chosen_names(["blue"])
    with pytest.raises(InputError, match="no metric is chosen"):
        chosen_names([])
    for name, remedy in (("fluency", "needs a language model"), ("tag_agreement", "needs a tagger")):
        with pytest.raises(InputError, match=remedy):
            make_metrics([name])
    with pytest.raises(InputError, match="no such file"):
        make_metrics(["absent.toml"])


def test_a_file_may_not_take_a_name_that_is_taken(tmp_path: object) -> None:
    from fergus.metrics.derived import LEARNED

    path = str(LEARNED / "quality_accuracy.toml")
    assert [metric.name for metric in make_metrics([path])] == ["quality_accuracy"]
    with pytest.raises(InputError, match="two metrics have the name quality_accuracy"):
        make_metrics([path, "quality_accuracy"])


def test_tokenizers() -> None:
    assert tokenization("13a").tokens("No cost, Sir.") == ("No", "cost", ",", "Sir", ".")
    assert tokenization("char").tokens("ab c") == ("a", "b", "c")
    assert tokenization("parser", parser=ChainParser).tokens("abc") == ("a", "b", "c")
    with pytest.raises(InputError, match="tokens by the parser, but no parser"):
        tokenization("parser")
    with pytest.raises(InputError, match="no tokenizer '13b'"):
        tokenization("13b")


@pytest.mark.parametrize(
    ("token", "expected"), [("phase.", True), ("phase", False), (".", False), ("U.S.", False), ("?!", False)]
)
def test_glued_marks(token: str, expected: bool) -> None:
    assert is_glued(token) == expected
