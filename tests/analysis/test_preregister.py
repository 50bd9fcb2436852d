"""Plans: read, frozen, amended, checked, and compared with what an analysis did."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.analysis.plan_file import Plan, digest_of, read_plan
from fergus.analysis.preregister import (
    AnalysisSettings,
    check_freeze,
    check_plan,
    freeze_plan,
    frozen_path,
    read_frozen,
    settings_from_json,
)
from fergus.errors import InputError

PLAN = """\
format = "fergus-plan"
version = 1
study = "word-order"
dimensions = ["quality"]
metrics = ["string", "tree"]
tests = ["permutation"]
exclusions = ["failed an attention check"]
level = 0.05
correction = "holm"

[[hypotheses]]
text = "Trees agree better with people than strings."
dimension = "quality"
test = "permutation"

[numbers]
participants = 20
items = 50
"""
FIRST, SECOND = datetime(2026, 3, 1, 9, 30, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC)
KEPT = AnalysisSettings(
    study="word-order", dimensions=("quality",), metrics=("tree", "string"), tests=("permutation",),
    exclusions=("failed an attention check",), level=0.05, correction="holm",
    numbers={"participants": 20, "items": 50, "judgements": 1000},
)  # fmt: skip


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN, encoding="utf-8")
    return path


class TestReading:
    def test_what_it_says(self, path: Path) -> None:
        plan = read_plan(path)
        assert (plan.study, plan.metrics, plan.level, plan.numbers) == (
            "word-order", ("string", "tree"), 0.05, {"participants": 20, "items": 50},
        )  # fmt: skip
        assert [(one.name, one.test) for one in plan.hypotheses] == [("H1", "permutation")]

    def test_layout_and_comments_do_not_change_the_hash_and_words_do(self, path: Path) -> None:
        plan = read_plan(path)
        lines = PLAN.splitlines()
        path.write_text("\n".join(["# first", lines[1], lines[0], "", *lines[2:]]).replace("0.05", "5e-2"))
        assert read_plan(path).digest == plan.digest
        path.write_text(PLAN.replace("better", "worse"))
        assert read_plan(path).digest != plan.digest

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            ("fergus-plan", "fergus-metric", r"the file says format = 'fergus-metric'; it must say"),
            ('study = "word-order"', "", "the plan is for no study"),
            ('study = "word-order"', "study = 3", r"plan.toml:3: study is 3, which is no text; put it in quotes"),
            ("metrics =", "metric =", r"plan.toml:5: metric means nothing here; did you mean metrics\?"),
            ('["permutation"]', '"permutation"', r"plan.toml:6: tests is 'permutation'; write a list"),
            ('["permutation"]', '[" "]', r"plan.toml:6: tests is \[' '\]"),
            ("0.05", "5", r"plan.toml:8: level is 5; write a number between 0 and 1"),
            ("0.05", "nan", r"plan.toml:8: level is nan"),
            ("0.05", "true", r"plan.toml:8: level is True"),
            ("participants = 20", "participants = 0", r"plan.toml:17: participants is 0; write a whole number"),
            ("participants = 20", "people = 20", r"plan.toml:17: people means nothing here"),
            ("[numbers]", "[hypotheses.numbers]", r"plan.toml: numbers means nothing here"),
            ('text = "Trees agree better with people than strings."', "", "hypotheses 1 has no text"),
            ("[[hypotheses]]", "[hypotheses]", r"plan.toml:11: hypotheses is no list of tables"),
            ("format", "= format", "this is no plan"),
        ],
    )
    def test_mistakes(self, path: Path, old: str, new: str, message: str) -> None:
        assert old in PLAN
        path.write_text(PLAN.replace(old, new, 1))
        with pytest.raises(InputError, match=message):
            read_plan(path)

    def test_a_date_is_text(self, path: Path) -> None:
        path.write_text(PLAN.replace('correction = "holm"', "notes = 2026-01-01"))
        assert read_plan(path).notes == "2026-01-01"

    def test_numbers_that_are_no_table(self, path: Path) -> None:
        path.write_text(PLAN.partition("[[hypotheses]]")[0] + "numbers = 3\n")
        with pytest.raises(InputError, match=r"plan.toml:11: numbers is no table"):
            read_plan(path)

    def test_bytes_that_are_no_text(self, path: Path) -> None:
        path.write_bytes(b"study = '\xff'")
        with pytest.raises(InputError, match="save it as UTF-8"):
            read_plan(path)

    @given(st.dictionaries(st.text(), st.integers() | st.lists(st.text())))
    def test_the_hash_does_not_depend_on_the_order_of_keys(self, content: dict[str, object]) -> None:
        assert digest_of(dict(reversed(content.items()))) == digest_of(content)
        assert digest_of({**content, "new key": 1}) != digest_of(content) or "new key" in content


class TestFreezing:
    def test_once(self, path: Path) -> None:
        frozen, is_new = freeze_plan(path, now=FIRST)
        assert is_new
        assert (frozen.sha256, frozen.date) == (read_plan(path).digest, "2026-03-01T09:30:00Z")
        assert frozen_path(path).name == "plan.frozen.json"
        assert check_freeze(path).is_kept
        assert freeze_plan(path, now=SECOND) == (frozen, False)
        assert read_frozen(path) == (frozen,)

    def test_a_plan_that_was_never_frozen(self, path: Path) -> None:
        found = check_freeze(path)
        assert (found.is_kept, found.frozen, found.changes) == (False, (), ())
        with pytest.raises(InputError, match="the plan was never frozen; freeze it without an amendment"):
            freeze_plan(path, now=FIRST, reason="why not")

    def test_a_change_is_found_and_amended(self, path: Path) -> None:
        freeze_plan(path, now=FIRST)
        path.write_text(PLAN.replace("0.05", "0.1").replace('correction = "holm"', 'notes = "none"'))
        found = check_freeze(path)
        assert not found.is_kept
        assert found.changes == ("level", "correction", "notes")
        with pytest.raises(InputError, match="frozen on 2026-03-01 and has changed since"):
            freeze_plan(path, now=SECOND)
        freeze_plan(path, now=SECOND, reason=" the pilot ")
        found = check_freeze(path)
        assert found.is_kept
        assert [(one.date[:10], one.reason) for one in found.frozen] == [
            ("2026-03-01", ""),
            ("2026-04-01", "the pilot"),
        ]

    def test_a_forged_record(self, path: Path) -> None:
        freeze_plan(path, now=FIRST)
        place = frozen_path(path)
        good = place.read_text()
        place.write_text(good.replace('"level": 0.05', '"level": 0.1'))
        with pytest.raises(InputError, match="does not have the hash that stands beside it"):
            check_freeze(path)
        for bad in ("{", "[]", '{"format": "x", "version": 1}', good.replace('"reason"', '"season"')):
            place.write_text(bad)
            with pytest.raises(InputError, match="this is no frozen plan"):
                check_freeze(path)


class TestDeviations:
    def plan(self, path: Path, **changed: object) -> Plan:
        return replace(read_plan(path), **changed)  # type: ignore[arg-type]

    def test_none(self, path: Path) -> None:
        assert check_plan(read_plan(path), KEPT) == []

    def test_every_kind(self, path: Path) -> None:
        done = AnalysisSettings(
            study="another", dimensions=("quality", "ease"), metrics=("string",), tests=("t",),
            exclusions=("too long",), level=0.1, correction="", numbers={"participants": 18, "items": 60},
        )  # fmt: skip
        found = check_plan(read_plan(path), done)
        assert [(one.what, one.kind, one.planned, one.done) for one in found] == [
            ("study", "changed", "word-order", "another"),
            ("dimensions", "not planned", "", "ease"),
            ("metrics", "left out", "simple_tree_accuracy", ""),
            ("metrics", "left out", "generation_tree_accuracy", ""),
            ("tests", "left out", "permutation", ""),
            ("tests", "not planned", "", "t"),
            ("exclusions", "not planned", "", "too long"),
            ("level", "changed", "0.05", "0.1"),
            ("correction", "changed", "holm", "none"),
            ("participants", "fewer", "20", "18"),
            ("items", "more", "50", "60"),
        ]
        assert found[-1].message == "items: 60 instead of 50"

    def test_a_group_of_metrics_is_what_it_stands_for(self, path: Path) -> None:
        accuracies = tuple(f"{kind}_{of}_accuracy" for of in ("string", "tree") for kind in ("simple", "generation"))
        assert check_plan(read_plan(path), replace(KEPT, metrics=accuracies)) == []
        found = check_plan(read_plan(path), replace(KEPT, metrics=(*accuracies[1:], "bleu")))
        assert [one.message for one in found] == [
            "metrics: simple_string_accuracy was planned and is not there", "metrics: bleu was not planned",
        ]  # fmt: skip
        (none,) = check_plan(read_plan(path), replace(KEPT, metrics=None))
        assert none.kind == "not told"

    def test_a_rule_under_which_nothing_was_left_out_is_kept(self, path: Path) -> None:
        assert check_plan(read_plan(path), replace(KEPT, exclusions=())) == []
        (none,) = check_plan(read_plan(path), replace(KEPT, exclusions=None))
        assert (none.what, none.kind) == ("exclusions", "not told")

    def test_a_test_that_only_a_hypothesis_names(self, path: Path) -> None:
        plan = self.plan(path, tests=())
        assert check_plan(plan, KEPT)[0].kind == "not planned"
        found = check_plan(plan, AnalysisSettings(**{**KEPT.__dict__, "tests": ()}))
        assert [one.message for one in found] == ["H1 was not tested by permutation"]

    def test_what_is_not_told_is_no_agreement(self, path: Path) -> None:
        found = check_plan(self.plan(path, metrics=(), correction=""), AnalysisSettings())
        assert {one.kind for one in found} == {"not told"}
        assert [one.what for one in found] == [
            "study", "dimensions", "tests", "exclusions", "level", "correction", "participants", "items",
        ]  # fmt: skip


class TestSettingsOfReports:
    def test_round_trip(self) -> None:
        record = json.loads(json.dumps(KEPT.__dict__))
        assert settings_from_json(record) == KEPT
        assert settings_from_json({"analysis_settings": record, "more": 1}) == KEPT

    @pytest.mark.parametrize("bad", [{}, {"analysis_settings": {}}, {"more": 1}])
    def test_what_tells_nothing_is_no_analysis(self, bad: dict[str, object]) -> None:
        with pytest.raises(InputError, match=r"r\.json: this is no analysis \(it tells none of dimensions, metrics"):
            settings_from_json(bad, path="r.json")

    @pytest.mark.parametrize("bad", [{"level": "low"}, {"metrics": 3}, {"numbers": [1]}, {"analysis_settings": 3}])
    def test_no_analysis(self, bad: dict[str, object]) -> None:
        with pytest.raises(InputError, match=r"r\.json: this is no analysis"):
            settings_from_json(bad, path="r.json")
