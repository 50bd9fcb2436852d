"""``fergus analyse``, from tables and studies to reports; bad input is named and never a traceback."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from .conftest import Run

QUICK = ("--samples", "20", "--trials", "20")
TEXTS = {"a": "the cat sat on a mat", "b": "a cat sat on the mat today", "c": "mat the on sat cat the"}
QUALITY = {"a": 60.0, "b": 80.0, "c": 20.0}


def table(path: Path, *, inputs: int = 8, judges: int = 4, seed: int = 1, extra: str = "") -> Path:
    """Three systems, of which b is the best; a metric that knows it, and one that does not."""
    random = np.random.default_rng(seed)
    lines = ["judge,item,system,text,quality,ease,m.knowing,m.noise,m.substitutions"]
    for number in range(inputs):
        for system, text in TEXTS.items():
            knowing, noise = QUALITY[system] + random.normal(0, 9), random.normal()
            for judge in range(judges):
                score = min(100, max(0, QUALITY[system] + random.normal(0, 10) + 5 * judge))
                ease = min(100, max(0, score + random.normal(0, 5)))
                cells = f"{score:.0f},{ease:.0f},{knowing:.2f},{noise:.2f},{number % 3}"
                lines.append(f"J{judge},i{number},{system},{text} {number},{cells}")
    path.write_text("\n".join(lines) + "\n" + extra)
    return path


@pytest.fixture
def ratings(run: Run, tmp_path: Path) -> str:
    return table(tmp_path / "ratings.csv").name


def test_a_summary_comes_first_and_warnings_are_shown(run: Run, ratings: str) -> None:
    result = run("analyse", ratings, "--score", "quality", *QUICK)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "ratings.csv"
    assert lines[3].startswith("4 judges gave 96 scores for quality to 24 texts by 3 systems for 8 inputs: 4.0 a text")
    assert "b has the highest mean" in result.stdout
    assert "Text by text, knowing agrees best with people" in result.stdout
    assert "few systems" in result.stdout
    assert "Warnings and notes" in result.stdout
    assert "The model with the lowest BIC" in result.stdout


def test_json_has_everything_and_is_the_same_each_time(run: Run, ratings: str) -> None:
    arguments = ("analyse", ratings, "--score", "quality", "--score", "ease", *QUICK, "--json", "--quiet")
    once, again = run(*arguments).stdout, run(*arguments).stdout
    assert once == again
    record = json.loads(once)
    assert (record["format"], record["version"]) == ("fergus-analysis", 1)
    assert [one["dimension"] for one in record["dimensions"]] == ["quality", "ease"]
    assert record["metrics"] == ["knowing", "noise"]
    assert record["analysis_settings"]["numbers"] == {"participants": 4, "items": 24, "judgements": 192}
    between = record["between_dimensions"][0]
    assert between["pearson"] > 0.8
    assert between["low"] < between["pearson"] < between["high"]
    predictors = {name for own in record["dimensions"][0]["regressions"] for name in own["predictors"]}
    assert predictors == {"knowing", "noise", "substitutions"}


def test_every_kind_of_report_at_once(run: Run, ratings: str, tmp_path: Path) -> None:
    result = run(
        "analyse", ratings, "--score", "quality", *QUICK, "--html", "r.html", "--latex", "tex", "--figures", "fig",
        "--out", "r.txt", "--exclude", "i0-a=mangled, yet good",
    )  # fmt: skip
    assert result.exit_code == 0
    assert result.stdout == ""
    assert "few systems" in result.stderr  # warnings are shown wherever the report goes
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert page.index('<h2 id="summary-heading">') < page.index("Warnings and notes") < page.index("data-heading")
    assert "mangled, yet good" in page
    assert (tmp_path / "tex" / "all.tex").exists()
    assert (tmp_path / "fig" / "quality-model.png").read_bytes().startswith(b"\x89PNG")
    assert "Not fitted to: i0-a (mangled, yet good)" in (tmp_path / "r.txt").read_text()


def test_nothing_is_left_behind_where_there_is_no_report(run: Run, ratings: str, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    result = run("analyse", ratings, "--score", "none", "--html", "r.html", "--latex", "a/tex", "--figures", "fig")
    assert result.exit_code == 2
    assert sorted(tmp_path.iterdir()) == before


def test_quiet_is_quiet(run: Run, ratings: str) -> None:
    assert run("analyse", ratings, "--score", "quality", *QUICK, "--json", "--quiet").stderr == ""


def test_metrics_from_references_in_a_table(run: Run, ratings: str, tmp_path: Path) -> None:
    rows = [f"i{n},{TEXTS['b']} {n}" for n in range(8)]
    (tmp_path / "refs.csv").write_text("item,reference\n" + "\n".join(rows) + "\n")
    result = run(
        "analyse", ratings, "--score", "quality", "-r", "refs.csv", "-m", "bleu,ter", "--metric-columns", "m.noise",
        *QUICK, "--json", "--quiet",
    )  # fmt: skip
    record = json.loads(result.stdout)
    assert record["metrics"] == ["noise", "bleu", "ter"]
    assert record["settings"]["lower_is_better"] == ["ter"]
    by = {(c["metric"], c["level"], c["kind"]): c["value"] for c in record["dimensions"][0]["correlations"]}
    assert by["ter", "item", "pearson"] > 0.5  # the sign is turned
    assert record["signatures"]["bleu"].startswith("metric:bleu")


def test_references_parallel_to_the_inputs(run: Run, ratings: str, tmp_path: Path) -> None:
    (tmp_path / "refs.txt").write_text("".join(f"{TEXTS['b']} {n}\n" for n in range(8)))
    result = run(
        "analyse", ratings, "--score", "quality", "-r", "refs.txt", "-m", "string", *QUICK, "--json", "--quiet"
    )
    record = json.loads(result.stdout)
    assert record["metrics"][-2:] == ["simple_string_accuracy", "generation_string_accuracy"]
    (tmp_path / "refs.txt").write_text("one\n")
    assert "1 references for 8 inputs" in run("analyse", ratings, "--score", "quality", "-r", "refs.txt").stderr


def test_some_texts_have_no_reference(run: Run, ratings: str, tmp_path: Path) -> None:
    (tmp_path / "refs.csv").write_text("item,reference\n" + "".join(f"i{n},x {n}\n" for n in range(7)))
    result = run("analyse", ratings, "--score", "quality", "-r", "refs.csv", "-m", "chrf", *QUICK)
    assert "no reference (3): texts have no reference, and therefore no scores: i7-a, i7-b, i7-c" in result.stdout
    assert "missing metric score (3): texts have no chrf" in result.stdout


def test_scores_of_an_evaluation(run: Run, ratings: str, tmp_path: Path) -> None:
    for system, text in TEXTS.items():
        (tmp_path / f"{system}.jsonl").write_text(
            "".join(json.dumps({"sent_id": f"i{n}", "text": f"{text} {n}"}) + "\n" for n in range(8))
        )
    (tmp_path / "refs.jsonl").write_text(
        "".join(json.dumps({"sent_id": f"i{n}", "text": f"{TEXTS['b']} {n}"}) + "\n" for n in range(8))
    )
    done = run("evaluate", "a.jsonl", "refs.jsonl", "-s", "b.jsonl", "-s", "c.jsonl", "-m", "string,bleu", "--samples",
               "0", "--json", "-o", "scores.json")  # fmt: skip
    assert done.exit_code == 0
    result = run("analyse", ratings, "--score", "quality", "--evaluation", "scores.json", *QUICK, "--json", "--quiet")
    record = json.loads(result.stdout)
    assert record["metrics"] == ["knowing", "noise", "simple_string_accuracy", "generation_string_accuracy", "bleu"]
    (tmp_path / "other.json").write_text((tmp_path / "scores.json").read_text().replace('"name": "', '"name": "x'))
    assert "no judged text is in the evaluation" in run("analyse", ratings, "--evaluation", "other.json").stderr
    (tmp_path / "other.json").write_text("{}")
    assert "this is no evaluation" in run("analyse", ratings, "--evaluation", "other.json").stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--exclude", "i0-a"), "write TEXT=REASON"),
        (("--exclude", "i0-a= "), "i0-a is excluded without a reason"),
        (("--exclude", "nobody=why"), "'nobody' is excluded and is no text of these"),
        (("--predictors", "knowin"), "there is no predictor knowin; did you mean knowing?"),
        (("--metric-columns", "x.*"), "no column is called x.*; the further columns are"),
        (("--metric-columns", "text"), "no column is called text"),
        (("--lower-is-better", "bleu"), "less of 'bleu' is said to be better, and there is no such metric"),
        (("--metrics", "bleu"), "metrics need references, and there are none"),
        (("--scale", "100", "0"), "the scale goes from 100 to 0"),
        (("--scale", "200", "300"), "no score is left in quality"),
        (("--score", "system"), "which is not a number"),
        (("--html", "r", "--out", "r"), "name the same file"),
        (("--html", "nowhere/r.html"), "cannot be written"),
        (("--plan", "none.toml"), "none.toml"),
        (("-r", "none.csv"), "none.csv"),
    ],
)
def test_mistakes_are_named(run: Run, ratings: str, arguments: tuple[str, ...], message: str) -> None:
    result = run(
        "analyse", ratings, *(("--score", "quality") if "--score" not in arguments else ()), *QUICK, *arguments
    )
    assert result.exit_code == 2
    assert message in result.stderr


def test_references_that_do_not_fit(run: Run, ratings: str, tmp_path: Path) -> None:
    for content, message in (
        ("topic,reference\n1,x\n", "no column of topic, reference is one of the judgements'"),
        ("item,text\n1,x\n", "there is no column reference"),
        ("item,reference\n", "there is no reference"),
        ("item,reference\nother,x\n", "no judged text has a reference"),
    ):
        (tmp_path / "refs.csv").write_text(content)
        result = run("analyse", ratings, "--score", "quality", "-r", "refs.csv", *QUICK)
        assert (result.exit_code, message in result.stderr) == (2, True), result.stderr


def small(path: Path, rows: list[str], head: str = "judge,item,system,text,score,m.x") -> str:
    path.write_text("\n".join([head, *rows]) + "\n")
    return path.name


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["J,1,a,t,3,1"], ("1 judge:", "1 text:", "agreement unknown")),
        ([f"J{j},1,a,t,{j},1" for j in range(5)], ("1 text:", "no regression")),
        ([f"J,{i},a,t{i},{i},{i}" for i in range(6)], ("1 judge:", "agreement unknown")),
        ([f"J{j},{i},s{i % 2},t{i},5,{i}" for i in range(6) for j in range(3)], ("every score is 5", "constant judge")),
        ([f"J{j},{i},a,t{i},{'' if j == i else i},{i}" for i in range(5) for j in range(3)], ("missing score (3)",)),
        ([f"J{j},{i},a,t{i},{i + j},{i}" for i in range(5) for j in (0, 0, 1)], ("repeated judgement (5)",)),
        ([f"J{j},{i},a,t{i},{i + j},{'' if i else 2}" for i in range(5) for j in range(3)], ("texts have no x",)),
        ([f"J{j},{i},a,t{i},{i + j},7" for i in range(5) for j in range(3)], ("dependent predictors",)),
    ],
)
def test_odd_data_are_analysed_and_named(run: Run, tmp_path: Path, rows: list[str], said: tuple[str, ...]) -> None:
    name = small(tmp_path / "odd.csv", rows)
    result = run("analyse", name, *QUICK, "--html", "r.html", "--json", "-o", "r.json", "--latex", "tex")
    assert (result.exit_code, result.stdout) == (0, ""), result.stderr
    record = json.loads((tmp_path / "r.json").read_text())
    page, told = (tmp_path / "r.html").read_text(), " ".join(result.stderr.split())
    for text in said:
        assert text in told
        assert text.partition(" (")[0] in page
    assert record["summary"]


def test_scores_outside_the_scale_are_left_out_and_named(run: Run, tmp_path: Path) -> None:
    rows = [f"J{j},{i},a,t{i},{111111 if i == j == 2 else i},{i}" for i in range(6) for j in range(3)]
    result = run("analyse", small(tmp_path / "typed.csv", rows), *QUICK, "--scale", "0", "100")
    assert "outside the scale: score: scores outside the scale of 0 to 100 are left out: 111111 by J2 of 2-a" in (
        result.stdout.replace("\n    ", " ")
    )


def test_a_plan_is_compared(run: Run, ratings: str, tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(
        'format = "fergus-plan"\nversion = 1\nstudy = "ratings.csv"\ndimensions = ["quality"]\n'
        'metrics = ["knowing", "bleu"]\n'
        'tests = ["permutation", "williams", "regression"]\ncorrection = "holm"\n'
    )
    result = run("analyse", ratings, "--score", "quality", *QUICK, "--plan", "plan.toml", "--html", "r.html")
    assert "was never frozen; the analysis deviates from it in 2 points" in " ".join(result.stdout.split())
    assert "metrics: bleu was planned and is not there" in result.stdout
    assert "metrics: noise was not planned" in (tmp_path / "r.html").read_text()
    assert run("plan", "freeze", "plan.toml").exit_code == 0
    record = json.loads(run("analyse", ratings, "--score", "quality", *QUICK, "--plan", "plan.toml", "--json").stdout)
    assert record["plan"]["frozen"][0]["sha256"] == record["plan"]["sha256"]
    assert {own["kind"] for own in record["plan"]["deviations"]} == {"left out", "not planned"}


def test_a_study_in_the_database(run: Run, ratings: str) -> None:
    assert run("study", "import", ratings, "--study", "mine", "--score", "quality").exit_code == 0
    result = run("analyse", "mine", *QUICK, "--json", "--quiet")
    record = json.loads(result.stdout)
    assert record["source"] == "mine"
    assert record["metrics"] == ["knowing", "noise"]
    assert "there is no study “other”" in run("analyse", "other").stderr
    assert "has no dimension ease; possible are quality" in run("analyse", "mine", "--score", "ease").stderr
