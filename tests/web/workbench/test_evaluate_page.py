"""The page Evaluate: uploads, scores, downloads, limits."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest

from fergus.web.engine import BusyError
from fergus.web.engine_limits import Limits
from fergus.web.views_evaluate import EXAMPLE
from fergus.web.workbench.evaluated import Given, page_of, plain_name
from tests.web.workbench.conftest import Workbench, textarea

ADDRESS = "/workbench/evaluate"
FIELDS = {"metrics": ["paper", "peers"], "samples": "10"}
GOOD, BAD = b"she saw him\nhe left\n", b"him saw she\nleft he\n"


def files(*outputs: tuple[str, bytes], references: tuple[tuple[str, bytes], ...] = (("ref.txt", GOOD),)) -> Any:
    return [("outputs", one) for one in outputs] + [("references", one) for one in references]


def test_uploads_are_scored(workbench: Workbench) -> None:
    response = workbench.upload(ADDRESS, FIELDS, files(("good.txt", GOOD), ("bad.txt", BAD)))
    assert response.status_code == 200
    assert '<th scope="col" class="number">good</th><th scope="col" class="number">bad</th>' in response.text
    assert "Simple String Accuracy" in response.text
    assert "Fluency" in response.text
    assert "95% interval, from 10 bootstrap samples" in response.text
    assert "fergus evaluate good.txt ref.txt --system bad.txt --samples 10" in response.text
    assert textarea(response, "outputs_text") == GOOD.decode()
    assert workbench.engine.lanes == ["long"]


def test_what_was_uploaded_comes_back_and_is_sent_again(workbench: Workbench) -> None:
    fields = {
        "outputs_name": ["mine.txt", "outputs.txt"],
        "outputs_text": [GOOD.decode().replace("\n", "\r\n"), ""],
        "references_name": ["references.conllu"],
        "references_text": ["1\tshe\t_\t_\t_\t_\t2\t_\t_\t_\n2\tleft\t_\t_\t_\t_\t0\t_\t_\t_\n"],
        "metrics": ["paper"],
    }
    response = workbench.upload(ADDRESS, fields, [("outputs", ("", b""))])
    assert response.status_code == 422  # two outputs and one reference
    assert "has 1 sentence, mine.txt has more" in response.text
    assert textarea(response, "outputs_text") == GOOD.decode()
    assert "references.conllu" in response.text


def test_without_a_file_at_all(workbench: Workbench) -> None:
    form = {"outputs_text": GOOD.decode(), "references_text": GOOD.decode(), "metrics": "paper", "samples": "0"}
    response = workbench.post(ADDRESS, form)
    assert response.status_code == 200
    assert "fergus evaluate outputs.txt references.txt --metrics paper --samples 0" in response.text


def test_downloads(workbench: Workbench) -> None:
    given = files(("mine.txt", BAD))

    def download(kind: str) -> str:
        response = workbench.upload(ADDRESS, {**FIELDS, "answer": kind}, given)
        assert response.headers["content-disposition"] == f'attachment; filename="{kind}"'
        return response.text

    record = json.loads(download("report.json"))
    assert record["systems"][0]["name"] == "mine"
    assert record["systems"][0]["sentences"][1]["hypothesis"] == "left he"
    assert "Evaluation of generated sentences" in download("report.html")
    assert len(list(csv.reader(io.StringIO(download("sentences.csv"))))) == 3
    assert "simple_string_accuracy" in download("scores.csv")


def test_the_report_is_a_page_under_its_own_policy(workbench: Workbench) -> None:
    response = workbench.upload(ADDRESS, {**FIELDS, "answer": "report"}, files(("mine.txt", BAD)))
    assert "fergus evaluate mine.txt ref.txt --samples 10 --html report.html" in response.text
    policy = response.headers["content-security-policy"]
    assert "script-src 'sha256-" in policy
    assert "frame-ancestors 'none'" in policy


def test_systems_are_compared(workbench: Workbench) -> None:
    response = workbench.upload(ADDRESS, {**FIELDS, "compare": "1"}, files(("a.txt", GOOD), ("b.txt", BAD)))
    assert "fergus compare a.txt b.txt --references ref.txt" in response.text
    assert "randomisation" in response.text or "p " in response.text


def test_the_example(workbench: Workbench) -> None:
    response = workbench.get(f"{ADDRESS}?example=1")
    assert textarea(response, "outputs_text") == EXAMPLE.outputs[0].content
    from tests.web.inline_engine import loaded

    found = page_of(loaded(), EXAMPLE, Limits())
    assert (found.systems, found.sentences) == (("mine", "theirs"), 3)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"samples": "10"}, "Choose one or more"),
        ({**FIELDS, "samples": "10001"}, "Give a number from 0 to 10,000"),
        ({**FIELDS, "tokenize": "<b>"}, "Take one of spaces, 13a"),
    ],
)
def test_options_that_cannot_be(workbench: Workbench, fields: dict[str, Any], words: str) -> None:
    response = workbench.upload(ADDRESS, fields, files(("mine.txt", GOOD)))
    assert response.status_code == 422
    assert words in response.text
    assert textarea(response, "outputs_text") == GOOD.decode()


@pytest.mark.parametrize(
    ("outputs", "words"),
    [
        ((), "There is no output"),
        ((("x.txt.gz", b"\x1f\x8b"),), "X.txt.gz is compressed"),
        (tuple((f"{n}.txt", GOOD) for n in range(11)), "There are 11 files of outputs"),
        ((("x.jsonl", b"{\n"),), "This is not JSON"),
    ],
)
def test_files_that_cannot_be(workbench: Workbench, outputs: Any, words: str) -> None:
    response = workbench.upload(ADDRESS, FIELDS, files(*outputs))
    assert response.status_code == 422
    assert words.lower() in unescape(response.text).lower()


def test_more_sentences_than_are_taken(make_workbench: Callable[..., Workbench]) -> None:
    made = make_workbench(limits=Limits(sentences=1))
    response = made.upload(ADDRESS, FIELDS, files(("mine.txt", GOOD)))
    assert response.status_code == 422
    assert "more than 1 sentences" in response.text
    assert "1 sentences, 10 systems" in response.text


def test_more_bytes_than_are_taken(make_workbench: Callable[..., Workbench]) -> None:
    made = make_workbench(limits=Limits(body=1000))
    assert made.upload(ADDRESS, FIELDS, files(("mine.txt", GOOD * 100))).status_code == 413


def test_an_answer_that_there_is_not(workbench: Workbench) -> None:
    assert workbench.upload(ADDRESS, {**FIELDS, "answer": "passwd"}, files(("a.txt", GOOD))).status_code == 400


@pytest.mark.parametrize("part", ['"outputs_text"', '"x+2AA-"', '"outputs"; filename="+2AA-"'])
def test_half_a_character_by_way_of_a_charset_is_refused(workbench: Workbench, part: str) -> None:
    body = f"--x\r\nContent-Disposition: form-data; name={part}\r\n\r\na +2AA-\r\n--x--\r\n"
    headers = {"content-type": "multipart/form-data; boundary=x; charset=utf-7"}
    assert workbench.visitor.request("POST", ADDRESS, content=body, headers=headers).status_code == 400


def test_names_are_harmless_and_different(workbench: Workbench) -> None:
    given = files(("--html=x.txt", GOOD), ("<b>.txt", GOOD), ("<b>.txt", BAD))
    response = workbench.upload(ADDRESS, FIELDS, given)
    assert response.status_code == 200
    assert "<b>" not in response.text
    assert "fergus evaluate htmlx.txt ref.txt --system '<b>.txt' --system '<b>-2.txt'" in unescape(response.text)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a/b.txt", "b.txt"), ("..", "o.txt"), ("\n", "o.txt"), ("x" * 99, "x" * 60), (".hidden", "hidden")],
)
def test_plain_names(name: str, expected: str) -> None:
    assert plain_name(name, "o.txt") == expected


def test_lines_are_counted() -> None:
    assert [Given("a", text).lines for text in ("", "a", "a\n", "a\nb")] == [0, 1, 1, 2]


def test_a_server_that_is_busy(workbench: Workbench) -> None:
    workbench.engine.failing = {page_of: BusyError("no worker was free")}
    response = workbench.upload(ADDRESS, FIELDS, files(("mine.txt", GOOD)))
    assert response.status_code == 503
    assert textarea(response, "outputs_text") == GOOD.decode()
