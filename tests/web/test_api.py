"""The HTTP API: answers as typed as they say, batches, streams, and every kind of problem."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner
from starlette.requests import Request

from fergus.cli.parse import parse
from fergus.evaluation.selection import GROUPS
from fergus.evaluation.tables import COUNTS
from fergus.evaluation.tokenizers import TOKENIZERS
from fergus.metrics import significance
from fergus.realize.pipeline import PRESETS
from fergus.realize.stages import STAGES
from fergus.treebank.read import FORMATS
from fergus.web import api, api_work
from fergus.web.api_records import names
from fergus.web.api_records.evaluate import Comparison, EditCounts, EvaluateResponse
from fergus.web.api_records.explain import ExplainResponse
from fergus.web.api_records.models import ModelsResponse
from fergus.web.api_records.parse import ParseResponse
from fergus.web.api_records.realize import RealizedSentence, RealizeResponse
from fergus.web.api_records.tree import NestedTree
from fergus.web.app import create_app
from fergus.web.engine_limits import BrokenError, BusyError, Limits, TookTooLongError, TooManyAtOnceError
from fergus.web.engine_worker import Loaded
from fergus.web.openapi import OPERATIONS
from fergus.web.problems import Problem
from fergus.web.schema_reading import read
from fergus.web.settings import Settings
from tests.web.conftest import Visitor
from tests.web.inline_engine import InlineEngine

TREE, SENTENCE = names.TREE, "There was no cost estimate for the second phase"
CONLLU = (
    "# sent_id = first\n1\tI\tI\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\tsaw\tsee\tVERB\t_\t_\t0\troot\t_\t_\n"
    "3\ther\tshe\tPRON\t_\t_\t2\tobj\t_\t_\n\n"
)
LIMITS = Limits(trees=5, nodes=12, characters=200, sentences=3, body=20_000)


@pytest.fixture
def engine() -> InlineEngine:
    return InlineEngine(limits=LIMITS)


@pytest.fixture
def visitor(database: Any, service: Any, pages: Any, engine: InlineEngine) -> Iterator[Visitor]:
    app = create_app(database, settings=Settings(workbench="open", limits=LIMITS), service=service, pages=pages)
    app.state.engine = engine
    found = Visitor(app)
    yield found
    found.close()


def send(visitor: Visitor, operation: str, body: Any, **headers: str) -> httpx.Response:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    sent = {"Content-Type": "application/json", **headers}
    return visitor.request("POST", f"/api/v1/{operation}", content=content, headers=sent)


def problem(response: httpx.Response, status: int, kind: str) -> Problem:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    found = read(Problem, response.json())
    assert (found.status, found.type) == (status, f"/api#{kind}")
    return found


def test_the_names_are_those_of_the_modules_that_define_them() -> None:
    assert tuple(FORMATS) == names.FORMATS
    assert PRESETS == names.PRESETS
    assert STAGES == names.STAGES
    assert TOKENIZERS == names.TOKENIZERS
    assert tuple(GROUPS) == names.GROUPS
    assert tuple(one.name for one in fields(EditCounts)) == (*COUNTS, *(f"tree_{name}" for name in COUNTS))
    assert {one.name for one in fields(Comparison)} == {one.name for one in fields(significance.Comparison)}


def test_trees_become_sentences_in_their_order(visitor: Visitor) -> None:
    body = {
        "trees": ["saw(I her)", TREE, CONLLU, {"form": "saw", "daughters": [{"form": "them"}, {"form": "we"}]}],
        "nbest": 2,
    }
    answer = read(RealizeResponse, send(visitor, "realize", body).json())
    assert (answer.model, answer.preset) == ("en", "default")
    assert [one.text for one in answer.sentences] == ["I saw her", SENTENCE, "I saw her", "We saw them"]
    assert [one.source for one in answer.sentences] == [f"trees[{number}]" for number in range(4)]
    assert answer.sentences[2].sent_id == "first"
    assert answer.sentences[2].order == ("1", "2", "3")
    assert answer.sentences[1].nbest is not None
    best, second = answer.sentences[1].nbest
    assert best.scores.total > second.scores.total
    assert answer.sentences[0].stages == ("order",)


@pytest.mark.parametrize("tree", ["saw(I her)", CONLLU, {"form": "saw", "daughters": [{"form": "I"}, {"form": "her"}]}])
def test_a_sentence_is_explained(visitor: Visitor, tree: object) -> None:
    answer = read(ExplainResponse, send(visitor, "explain", {"tree": tree}).json())
    assert (answer.text, answer.tokens) == ("I saw her", ("I", "saw", "her"))
    assert {one.node for one in answer.positions} == set(range(3)) - {one.mother for one in answer.positions}
    assert answer.positions[0].positions[0].cost == 0
    assert answer.best[0].tokens == answer.tokens
    assert len(answer.supertags) == 3
    assert answer.reason.startswith("“I saw her” beats ")


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({}, "tree: is missing"),
        ({"tree": "saw(I her"}, 'without ")"'),
        ({"tree": None}, "tree: "),
        ({"tree": "a\nb"}, "tree: there are 2 trees"),
        ({"tree": f"a({'b ' * 12})"}, "the tree has 13 nodes"),
        ({"tree": "a(b)", "model": "no"}, "there is no model “no”"),
        ({"tree": "gave(she#s him[before=s])#t", "nbest": 2}, "nbest: there is no such field"),
        ({"tree": "a(b#x[before=y] c#y[before=x])"}, "tree: "),
    ],
)
def test_what_cannot_be_explained(visitor: Visitor, body: Any, told: str) -> None:
    assert told in problem(send(visitor, "explain", body), 422, "invalid").detail


def test_a_text_with_several_trees_and_every_option(visitor: Visitor) -> None:
    body = {
        "trees": "see/VERB:root[Tense=Past](I/PRON:nsubj)\nsaw(I her)\n", "format": "notation", "model": "en",
        "preset": "supertag", "stages": ["order", "punctuate"], "bare": False, "conllu": True,
    }  # fmt: skip
    answer = read(RealizeResponse, send(visitor, "realize", body).json())
    assert answer.preset == "supertag"
    assert [one.source for one in answer.sentences] == ["trees:1", "trees:2"]
    assert answer.sentences[0].stages == ("order", "punctuate")
    assert answer.sentences[0].conllu is not None
    assert answer.sentences[0].conllu.startswith("# text = ")
    inserted = send(visitor, "realize", {"trees": ["see/VERB(dog/NOUN cat/NOUN)"], "stages": ["insert", "inflect"]})
    assert inserted.status_code == 200, inserted.text
    assert "insert" in inserted.json()["sentences"][0]["stages"]


def test_a_large_batch_is_done_in_pieces(
    visitor: Visitor, engine: InlineEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api_work, "PIECE_S", 0.0)
    body = {"trees": ["saw(I her)", "x(", TREE, "saw(we them)"], "keep_going": True}
    answer = read(RealizeResponse, send(visitor, "realize", body).json())
    assert len(engine.lanes) == 4
    assert [one.text for one in answer.sentences] == ["I saw her", None, SENTENCE, "We saw them"]
    assert answer.sentences[1].error is not None
    assert answer.sentences[1].error.field == "trees[1]"
    assert answer.sentences[1].error.line == 1


def test_lines_are_sent_as_they_are_made(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_work, "PIECE_S", 0.0)
    body = {"trees": "saw(I her)\nx(\n" + TREE}
    response = send(visitor, "realize", body, Accept="application/x-ndjson")
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/x-ndjson"
    assert response.headers["x-accel-buffering"] == "no"
    lines = [read(RealizedSentence, json.loads(line)) for line in response.text.splitlines()]
    assert [one.text for one in lines] == ["I saw her", None, SENTENCE]
    assert lines[1].source == "trees:2"
    problem(send(visitor, "realize", {"trees": []}, Accept="application/x-ndjson"), 422, "invalid")


@pytest.mark.parametrize(
    ("error", "words"), [(BrokenError("x"), "Something went wrong here"), (None, "longer than 0 s")]
)
def test_a_stream_that_breaks_off_says_so(
    visitor: Visitor,
    engine: InlineEngine,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception | None,
    words: str,
) -> None:
    monkeypatch.setattr(api_work, "PIECE_S", 0.0)

    if error is None:
        engine.limits = Limits(request_seconds=0)
    else:
        engine.failing[api_work.go_on_realizing] = error
    response = send(visitor, "realize", {"trees": ["saw(I her)", "barks(dog)"]}, Accept="application/x-ndjson")
    first, last = (read(RealizedSentence, json.loads(line)) for line in response.text.splitlines())
    assert first.text == "I saw her"
    assert last.error is not None
    assert words in last.error.problem


def test_text_becomes_trees_that_can_be_realized(visitor: Visitor, engine: InlineEngine) -> None:
    text = "There was no cost estimate. I saw her."
    answer = read(ParseResponse, send(visitor, "parse", {"text": text}).json())
    assert [one.tokens[0] for one in answer.sentences] == ["There", "I"]
    assert answer.parser.startswith("udpipe:en|")
    first = answer.sentences[0].tree
    assert isinstance(first, NestedTree)
    assert (first.form, (first.feats or {})["Tense"], len(first.daughters or ())) == ("was", "Past", 3)
    trees = [one["tree"] for one in send(visitor, "parse", {"text": text}).json()["sentences"]]
    again = send(visitor, "realize", {"trees": trees}).json()["sentences"]
    assert [one["text"] for one in again] == ["There was no cost estimate.", "I saw her."]
    assert set(engine.lanes) == {"quick"}
    for output, field in (("conllu", "conllu"), ("notation", "notation"), ("tokens", "tokens")):
        one = send(visitor, "parse", {"text": "I saw her", "input": "lines", "output": output}).json()["sentences"][0]
        assert one[field] is not None
        assert set(one) == {"tokens", field}
    tokens = send(visitor, "parse", {"text": "I saw her\ndog barks", "input": "tokens"}).json()["sentences"]
    assert [one["tokens"] for one in tokens] == [["I", "saw", "her"], ["dog", "barks"]]
    found = problem(send(visitor, "parse", {"text": "a\n\nb", "input": "lines"}), 422, "invalid")
    assert found.errors is not None
    assert (found.errors[0].field, found.errors[0].line) == ("text", 2)
    assert problem(send(visitor, "parse", {"text": "a", "parser": "xx"}), 422, "invalid").errors is not None
    problem(send(visitor, "parse", {"text": "word " * 100}), 422, "too-much")


@pytest.mark.parametrize("given", names.INPUTS)
def test_trees_are_those_of_the_command(visitor: Visitor, given: str, tmp_path: Path) -> None:
    text = "About 10\u00a0000 people\u2028 came .\r\nDogs\tbarked .\x0b Cats too .\n"
    (tmp_path / "a.txt").write_text(text, encoding="utf-8", newline="")
    command = CliRunner().invoke(parse, [str(tmp_path / "a.txt"), "--input", given, "--output", "conllu", "--quiet"])
    found = send(visitor, "parse", {"text": text, "input": given, "output": "conllu"}).json()["sentences"]
    assert "".join(one["conllu"] for one in found) == command.output
    if given == "tokens":
        tokens = [
            ["About", "10\u00a0000", "people\u2028", "came", "."],
            ["Dogs", "barked", ".\x0b", "Cats", "too", "."],
        ]
        assert [one["tokens"] for one in found] == tokens
    assert len(found) == 2 or given == "text"


def test_a_batch_ends_when_its_visitor_has_hung_up(
    visitor: Visitor, engine: InlineEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def is_gone(request: Request) -> bool:
        return len(engine.visitors) == 2

    monkeypatch.setattr(api_work, "PIECE_S", 0.0)
    monkeypatch.setattr(Request, "is_disconnected", is_gone)
    assert send(visitor, "realize", {"trees": ["saw(I her)"] * 5}).status_code == api.GONE
    assert len(engine.visitors) == 2  # of five pieces


def test_long_texts_wait_behind_evaluations(visitor: Visitor, engine: InlineEngine) -> None:
    send(visitor, "parse", {"text": "word " * 1000})
    assert engine.lanes == ["long"]


def test_scores_are_those_of_the_command(visitor: Visitor, engine: InlineEngine) -> None:
    body = {
        "systems": {
            "mine": ["no cost estimate there was"], "other": ["there was no cost estimate"], "third": ["no cost"],
        },
        "references": [["there was no cost estimate"]], "metrics": ["string", "tree", "bleu", "fluency"],
        "samples": 20, "compare": True,
    }  # fmt: skip
    answer = read(EvaluateResponse, send(visitor, "evaluate", body).json())
    mine, other, _ = answer.systems
    assert mine.scores["simple_string_accuracy"].score == pytest.approx(0.2)  # two deletions, two insertions of five
    assert other.scores["bleu"].score == pytest.approx(100)
    assert mine.counts.moves == mine.sentences[0].moves == 2
    assert mine.sentences[0].scores["generation_string_accuracy"] == pytest.approx(0.6)
    assert set(mine.sentences[0].scores) == set(mine.scores) == set(answer.metrics)
    pairs = {("mine", "other"), ("mine", "third"), ("other", "third")}
    assert {(one.first, one.second) for one in answer.comparisons} == pairs
    assert engine.lanes == ["long"]
    short = read(EvaluateResponse, send(visitor, "evaluate", {**body, "per_sentence": False}).json())
    assert short.systems[0].sentences == ()
    assert short.systems[0].scores == mine.scores


def test_references_may_be_trees(visitor: Visitor) -> None:
    body: dict[str, Any] = {"systems": {"mine": ["I saw her"]}, "conllu": CONLLU, "metrics": ["tree"], "samples": 0}
    answer = read(EvaluateResponse, send(visitor, "evaluate", {**body, "parser": None}).json())
    assert answer.systems[0].scores["simple_tree_accuracy"].score == 1.0
    wrong = problem(send(visitor, "evaluate", {**body, "conllu": CONLLU.replace("\t2\t", "\t9\t")}), 422, "invalid")
    assert wrong.errors is not None
    assert wrong.errors[0].field == "conllu"
    assert wrong.errors[0].line is not None
    missing = problem(send(visitor, "evaluate", {"systems": {"mine": ["a"]}}), 422, "invalid")
    assert missing.errors is not None
    assert missing.errors[0].field == "references"


@pytest.mark.parametrize(
    ("change", "kind", "words"),
    [
        ({"references": [["a", "b"]]}, "invalid", "reference list 1 has 2 sentences"),
        ({"metrics": ["blue"]}, "invalid", "blue"),
        ({"metrics": ["/etc/passwd.toml"]}, "invalid", "is no metric here"),
        ({"parser": "/etc/passwd"}, "invalid", "there is no parser"),
        ({"systems": {"mine": ["a"] * 4}, "references": [["a"] * 4]}, "too-much", "more than 3 sentences"),
        ({"samples": 10**9}, "invalid", "samples"),
    ],
)
def test_what_cannot_be_evaluated(visitor: Visitor, change: dict[str, Any], kind: str, words: str) -> None:
    body = {"systems": {"mine": ["a"]}, "references": [["a"]], "metrics": ["tree"], **change}
    assert words in problem(send(visitor, "evaluate", body), 422, kind).detail


def test_the_models(visitor: Visitor) -> None:
    answer = read(ModelsResponse, visitor.get("/api/v1/models").json())
    assert [one.name for one in answer.models] == ["en"]
    assert answer.models[0].presets == PRESETS
    assert answer.parsers == ("en",)


def test_a_model_is_listed_without_being_loaded_and_a_broken_one_with_its_error(tmp_path: Path) -> None:
    (tmp_path / "broken.fergus").write_bytes(b"no archive")
    files = {"en": "en", "broken": str(tmp_path / "broken.fergus"), "none": str(tmp_path / "none.fergus")}
    found = Loaded(files)
    answer = read(ModelsResponse, json.loads(api_work.models(found)))
    assert not found._realizers
    assert [one.name for one in answer.models] == ["en", "broken", "none"]
    assert (answer.models[0].error, answer.models[1].presets) == (None, None)
    assert "not a Fergus model" in (answer.models[1].error or "")
    assert answer.models[2].error == "none.fergus: there is no such model file"  # and not where it is


@pytest.mark.parametrize(
    ("body", "status", "kind", "words"),
    [
        (b"{", 400, "not-json", "line 1, column 2"),
        (b"\xff", 400, "not-json", "byte 0"),
        (b'{"trees": NaN}', 400, "not-json", "NaN is not JSON"),
        (b"[" * 9000, 400, "not-json", "nested too deeply"),
        (b'{"trees": ["a"], "nbest": 1' + b"0" * 5000 + b"}", 400, "not-json", "digit"),
        ({"trees": 3}, 422, "invalid", "trees: is not a string or a list"),
        ({"trees": ""}, 422, "invalid", "trees: has 0 characters"),
        ({"trees": ["saw(I her)"], "preset": "best"}, 422, "invalid", "“best” will not do"),
        ({"trees": ["saw(I her)"], "model": "../en"}, 422, "invalid", "there is no model “../en”"),
        ({"trees": ["saw(I her", "ok", 3]}, 422, "invalid", "trees[0]: "),
        ({"trees": ["a\nb"]}, 422, "invalid", "trees[0]: there are 2 trees"),
        ({"trees": "saw(I her)\nx(\n"}, 422, "invalid", 'without ")"'),
        ({"trees": "\n".join("abcdef")}, 422, "too-much", "more than 5 trees"),
        ({"trees": ["a"] * 6}, 422, "too-much", "more than 5 trees"),
        ({"trees": [f"a({'b ' * 12})"]}, 422, "invalid", "the tree has 13 nodes"),
        ({"trees": [{"form": "a", "daughters": [{"form": "b"}] * 12}]}, 422, "invalid", "the tree has 13 nodes"),
        ({"trees": [{"form": "a", "id": "x", "daughters": [{"form": "b", "id": "x"}]}]}, 422, "invalid", "the id"),
        ({"trees": ["a"], "stages": ["fly"]}, 422, "invalid", "“fly” will not do"),
    ],
)
def test_what_cannot_be_realized(visitor: Visitor, body: Any, status: int, kind: str, words: str) -> None:
    assert words in problem(send(visitor, "realize", body), status, kind).detail


def test_constraints_that_contradict_one_another(visitor: Visitor) -> None:
    tree = {
        "form": "saw", "daughters": [{"form": "I", "id": "i"}, {"form": "her", "id": "h"}],
        "constraints": [{"before": ["i", "h"]}, {"before": ["h", "i"]}],
    }  # fmt: skip
    found = problem(send(visitor, "realize", {"trees": ["saw(I her)", tree]}), 422, "invalid")
    assert found.errors is not None
    assert found.errors[0].field.startswith("trees[1]")
    kept = send(visitor, "realize", {"trees": ["saw(I her)", tree], "keep_going": True}).json()["sentences"]
    assert kept[0]["text"] == "I saw her"
    assert kept[1]["error"]["field"].startswith("trees[1]")


@pytest.mark.parametrize(
    ("error", "status", "kind", "retry"),
    [
        (BusyError("busy"), 503, "busy", "5"),
        (TooManyAtOnceError("yours"), 429, "too-many", "1"),
        (TookTooLongError("slow"), 422, "too-long", None),
        (BrokenError("the inside"), 500, "broken", None),
    ],
)
def test_what_the_engine_refuses(
    visitor: Visitor, engine: InlineEngine, monkeypatch: pytest.MonkeyPatch,
    error: Exception, status: int, kind: str, retry: str | None,
) -> None:  # fmt: skip
    def refuse(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(engine, "submit", refuse)
    response = send(visitor, "realize", {"trees": ["a"]})
    assert "inside" not in problem(response, status, kind).detail
    assert response.headers.get("retry-after") == retry


def test_requests_that_are_none(visitor: Visitor) -> None:
    form = visitor.request("POST", "/api/v1/realize", content=b"trees=a", headers={"Content-Type": "text/plain"})
    assert "text/plain" in problem(form, 415, "wrong-type").detail
    problem(send(visitor, "realize", b"x" * 20_001), 413, "too-large")
    lied = {"Content-Type": "application/json", "Content-Length": "2"}
    longer = visitor.request("POST", "/api/v1/realize", content=b"x" * 20_001, headers=lied)
    problem(longer, 413, "too-large")
    problem(visitor.get("/api/v1/realize"), 405, "wrong-method")
    problem(visitor.get("/api/v1/nowhere"), 404, "not-found")
    elsewhere = send(visitor, "realize", {"trees": ["a"]}, Origin="https://evil.example")
    problem(elsewhere, 403, "from-elsewhere")
    problem(send(visitor, "realize", {"trees": ["a"]}, **{"Sec-Fetch-Site": "cross-site"}), 403, "from-elsewhere")


def test_a_mistake_of_ours_is_a_problem_without_anything_of_the_inside(
    visitor: Visitor, engine: InlineEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("the inside")

    monkeypatch.setattr(engine, "submit", fail)
    response = send(visitor, "realize", {"trees": ["a"]})
    assert "inside" not in problem(response, 500, "broken").detail
    assert response.headers["cache-control"] == "no-store"


def test_every_operation_has_an_answer() -> None:
    assert {one.name for one in OPERATIONS} == set(api.ANSWERS)
