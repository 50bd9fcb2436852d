"""``fergus plan``: power, plans that are frozen and checked, the datasheet."""

from __future__ import annotations

import json
import re
import shutil
from itertools import product
from pathlib import Path

import pytest

from fergus.studies.presets import FOLDER
from fergus.studies.service import Service
from fergus.studies.storage.migrate import open_database
from tests.studies.small_study import ITEMS, answer_all, put, study_text

from .conftest import Run

WORDS = ["nobody", "saw", "the", "two", "old", "men", "leave"]
PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "plan.md"


class TestPower:
    def test_a_table_of_designs(self, run: Run) -> None:
        result = run(
            "plan", "power", "--difference", "1", "-j", "2", "-j", "4", "-n", "10", "-n", "20", "--runs", "100"
        )  # fmt: skip
        assert result.exit_code == 0
        rows = [line.split() for line in result.stdout.splitlines()]
        assert [row[:3] for row in rows[1:]] == [
            ["2", "10", "40"], ["2", "20", "80"], ["4", "10", "80"], ["4", "20", "160"],
        ]  # fmt: skip
        assert float(rows[2][3]) > float(rows[1][3])

    def test_json_has_the_whole_design(self, run: Run) -> None:
        result = run(
            "plan", "power", "--difference", "1", "-j", "4", "-n", "10", "--judgements", "2", "--points", "5", "--json",
            "--different-judges", "--shared", "0.2", "--bias", "0.1", "--noise", "0.2", "--inattention", "0",
            "--runs", "50",
        )  # fmt: skip
        (record,) = json.loads(result.stdout)
        assert record["design"] == {
            "difference": 1, "items": 10, "judges": 4, "judgements": 2, "same_judges": False, "points": 5,
            "shared": 0.2, "raters": {"bias": 0.1, "noise": 0.2, "inattention": 0, "skill": 0.7}, "level": 0.05,
        }  # fmt: skip
        assert (record["total"], record["runs"]) == (40, 50)
        assert record["low"] <= record["power"] <= record["high"]

    def test_the_fewest_items(self, run: Run) -> None:
        result = run("plan", "power", "--share", "0.8", "--judges", "10", "--runs", "200")
        assert result.exit_code == 0
        assert result.stdout.splitlines()[-1] == "the fewest items with a power of 0.8"
        assert float(result.stdout.splitlines()[1].split()[3]) >= 0.8

    def test_the_fewest_judges_or_none(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("fergus.analysis.power.MOST_JUDGES", 8)
        result = run("plan", "power", "--share", "0.55", "--items", "5", "--runs", "100", "--binomial")
        assert result.exit_code == 0
        assert "with 5 items no number of judges that was tried has a power of 0.8\n" in result.stdout
        none = run("plan", "power", "--share", "0.55", "--items", "5", "--runs", "100", "--json")
        assert json.loads(none.stdout) == [None]

    def test_items_that_are_never_enough(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("fergus.analysis.power.MOST_ITEMS", 8)
        result = run("plan", "power", "--difference", "0.01", "--judges", "2", "--runs", "100")
        assert "with 2 judges no number of items that was tried has a power of 0.8\n" in result.stdout

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ([], "a study has ratings or pairs; give --difference or --share, one of them"),
            (["--difference", "1", "--share", "0.6"], "give --difference or --share, one of them"),
            (["--difference", "1"], "judges or items must be known"),
            (["--difference", "1", "-j", "2", "-n", "1"], "items are 1; give 2 or more"),
            (["--difference", "1", "-j", "2", "--skill", "1"], "--skill has no meaning with --difference"),
            (["--share", "0.6", "-j", "2", "--different-judges"], "--different-judges has no meaning with --share"),
            (["--share", "0.5", "-j", "2"], "there is no difference that could be found"),
        ],
    )
    def test_mistakes(self, run: Run, given: list[str], message: str) -> None:
        result = run("plan", "power", *given)
        assert result.exit_code == 2
        assert message in result.stderr


@pytest.fixture
def plan(run: Run, tmp_path: Path) -> Path:
    """The plan that the reference shows, in the folder in which commands run."""
    (block,) = re.findall(r"^```toml\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    path = tmp_path / "plan.toml"
    path.write_text(block, encoding="utf-8")
    return path


class TestFreezeAndCheck:
    def test_a_plan_is_frozen_once(self, run: Run, plan: Path) -> None:
        assert run("plan", "check", "plan.toml").exit_code == 1
        result = run("plan", "freeze", "plan.toml")
        assert result.exit_code == 0
        assert re.fullmatch(r"plan.toml: frozen; see plan.frozen.json\nSHA-256 [0-9a-f]{64}\n", result.stdout)
        again = run("plan", "freeze", "plan.toml")
        assert "plan.toml: frozen before, on 20" in again.stdout
        assert again.stdout.splitlines()[1] == result.stdout.splitlines()[1]
        checked = run("plan", "check", "plan.toml")
        assert checked.exit_code == 0
        assert checked.stdout.startswith("plan.toml: unchanged since 20")

    def test_a_changed_plan(self, run: Run, plan: Path) -> None:
        assert run("plan", "check", "plan.toml").stdout.startswith("plan.toml: not frozen; see `fergus plan freeze`\n")
        run("plan", "freeze", "plan.toml")
        plan.write_text(plan.read_text().replace("0.05", "0.01"))
        checked = run("plan", "check", "plan.toml")
        assert checked.exit_code == 1
        assert re.match(r"plan.toml: changed since 20\S*Z: level\n", checked.stdout)
        refused = run("plan", "freeze", "plan.toml")
        assert refused.exit_code == 2
        assert "take the change back, or amend it and say why" in refused.stderr
        assert run("plan", "freeze", "plan.toml", "--amend", "a stricter reviewer").exit_code == 0
        checked = run("plan", "check", "plan.toml")
        assert checked.exit_code == 0
        assert ": a stricter reviewer\n" in checked.stdout

    def test_an_analysis_is_compared(self, run: Run, plan: Path, tmp_path: Path) -> None:
        run("plan", "freeze", "plan.toml")
        report = {
            "study": "word-order", "dimensions": ["understandability", "quality"], "metrics": ["string", "tree"],
            "tests": ["permutation", "williams", "regression"], "exclusions": ["the text was cut off"],
            "level": 0.05, "correction": "holm", "numbers": {"participants": 10, "items": 80, "judgements": 1600},
        }  # fmt: skip
        (tmp_path / "good.json").write_text(json.dumps({"analysis_settings": report}))
        (tmp_path / "other.json").write_text(json.dumps({**report, "metrics": ["string", "tree", "bleu"]}))
        good = run("plan", "check", "plan.toml", "--analysis", "good.json")
        assert (good.exit_code, good.stdout.splitlines()[-1]) == (0, "the analysis follows the plan")
        other = run("plan", "check", "plan.toml", "--analysis", "other.json")
        assert (other.exit_code, other.stdout.splitlines()[-1]) == (1, "deviation: metrics: bleu was not planned")
        record = json.loads(run("plan", "check", "plan.toml", "--analysis", "other.json", "--json").stdout)
        assert record["is_kept"]
        assert [one["kind"] for one in record["deviations"]] == ["not planned"]
        assert json.loads(run("plan", "check", "plan.toml", "--json").stdout)["deviations"] is None

    def test_the_plan_that_is_shown_can_be_followed(self, run: Run, plan: Path, tmp_path: Path) -> None:
        run("plan", "freeze", "plan.toml")
        rows = ["judge,item,system,text,reference,understandability,quality"]
        for judge, number, (system, most) in product(range(10), range(40), (("old", 7), ("new", 4))):
            turned = number % most
            text = f"{' '.join(WORDS[turned:] + WORDS[:turned])} {number}"
            scores = f"{7 - turned + judge % 3},{9 - turned * (judge + number) % 5}"
            rows.append(f"J{judge},{number},{system},{text},{' '.join(WORDS)} {number},{scores}")
        (tmp_path / "table.csv").write_text("\n".join(rows) + "\n")
        scales = ("--score", "understandability", "--score", "quality")
        assert run("study", "import", "table.csv", "--study", "word-order", *scales).exit_code == 0
        given = ("--metrics", "string,tree", "--exclude", "3-new=the text was cut off", "--plan", "plan.toml")
        result = run("analyse", "word-order", *given, "--samples", "10", "--trials", "10", "--json", "--quiet")
        assert result.exit_code == 0, result.output
        found = json.loads(result.stdout)["plan"]
        assert (found["deviations"], found["is_kept"]) == ([], True)

    def test_files_that_are_none(self, run: Run, plan: Path, tmp_path: Path) -> None:
        missing = run("plan", "freeze", "nothing.toml")
        assert missing.exit_code == 2
        assert "nothing.toml: No such file" in missing.stderr
        for text, message in (("{", "bad.json: this is no JSON"), ("[]", "bad.json: this is no analysis")):
            (tmp_path / "bad.json").write_text(text)
            result = run("plan", "check", "plan.toml", "--analysis", "bad.json")
            assert result.exit_code == 2
            assert message in result.stderr


class TestHeds:
    def test_from_a_folder(self, run: Run, tmp_path: Path) -> None:
        shutil.copytree(FOLDER / "bangalore-2000", tmp_path / "study")
        result = run("plan", "heds", "study")
        assert result.exit_code == 0
        assert result.stdout.startswith("# Human evaluation datasheet: bangalore-2000\n")
        assert run("plan", "heds", "study/study.yaml", "-o", "heds.md").stdout == ""
        assert (tmp_path / "heds.md").read_text(encoding="utf-8") == result.stdout

    def test_with_answers_and_a_plan(self, run: Run, plan: Path, tmp_path: Path) -> None:
        (tmp_path / "study.yaml").write_text(study_text())
        (tmp_path / "items.csv").write_text(ITEMS)
        with open_database(tmp_path / "fergus.db") as database:
            service, row = Service(database), put(database)
            answer_all(service, service.join(row, nonce="n", parameters={}))
        result = run("plan", "heds", "study.yaml", "--database", "fergus.db", "--plan", "plan.toml", "--json")
        assert result.exit_code == 0, result.stderr
        record = json.loads(result.stdout)
        told = {one["number"]: one["text"] for section in record["sections"] for one in section["answers"]}
        assert told["3.2.1"] == "1 completed it, of 1 who began"
        assert told["3.3.1"] == "There is an analysis plan that was not frozen."

    def test_a_study_that_is_not_in_the_database(self, run: Run, tmp_path: Path) -> None:
        shutil.copytree(FOLDER / "task", tmp_path / "study")
        open_database(tmp_path / "fergus.db").close()
        result = run("plan", "heds", "study", "--database", "fergus.db")
        assert result.exit_code == 2
        assert "there is no study “task” in the database" in result.stderr
