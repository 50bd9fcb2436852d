"""Everything that a study found, in one report: pairs, comments, tasks, ratings, together and alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fergus.analysis.analyse import Settings
from fergus.analysis.make_report import report_of_study
from fergus.analysis.methods import topics_of
from fergus.analysis.notebook import report_fragment
from fergus.analysis.of_study import Findings, StudyRows, dividing, findings_of, study_rows
from fergus.analysis.plots import write_figures
from fergus.analysis.report import Report, analysis_settings
from fergus.analysis.report_html import report_html
from fergus.analysis.report_json import record_of
from fergus.analysis.report_latex import latex_tables
from fergus.analysis.report_text import report_text
from fergus.analysis.score_sources import Sources
from fergus.analysis.summary import summary
from fergus.errors import InputError
from fergus.studies.service import Service
from fergus.studies.storage.migrate import open_database

from .report_made import HOSTILE
from .taken_study import ITEMS, QUESTIONS, code, put_in, take
from .test_tasks import solution

QUICK = Settings(samples=30, trials=30)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with open_database(tmp_path_factory.mktemp("studies") / "fergus.db") as database:
        yield Service(database)


@pytest.fixture(scope="module")
def report(service: Service) -> Report:
    """All kinds of questions, five people, coded comments."""
    row = put_in(service, name="everything")
    take(service, row, people=5, skill=0.6)
    code(service, row)
    return report_of_study(service, row, settings=QUICK, command="fergus analyse everything")


def test_a_study_with_everything_has_everything(report: Report) -> None:
    (turing,), (comments,), (tasks,) = report.found.turing, report.found.comments, report.found.tasks
    assert (turing.question, turing.share.choices.n, len(turing.people)) == ("which", 15, 5)
    assert {one.kind for one in turing.sides} == {"", "machine-machine"}
    assert turing.group_name == "reader"  # found in the study: it divides people in two
    assert (comments.question, comments.coded, comments.coders) == ("why", 5, ("ann", "bob"))
    assert (tasks.question, tasks.factor, [one.level for one in tasks.levels]) == (
        "fact",
        "system",
        ["person", "rules"],
    )
    assert [one.dimension for one in report.analysis.dimensions] == ["quality"]
    assert report.analysis.dimensions[0].mixed is not None
    assert topics_of(report) == ("ratings", "models", "turing", "comments", "tasks")
    assert analysis_settings(report.analysis, report.found).tests == ("permutation", "turing", "tasks")


def test_warnings_say_what_they_are_about(report: Report) -> None:
    found = {(about, notice.kind) for about, notice in report.all_notices}
    assert ("", "simulated participants") in found
    assert ("", "low agreement of coders") in found
    assert ("which", "few pairs") in found


def test_that_answers_are_nobodys_stands_above_the_summary(report: Report) -> None:
    said = "5 simulated participants: answers are those of artificial raters, and say nothing of people."
    assert report.cautions == (said,)
    page, text, fragment = report_html(report), report_text(report), report_fragment(report)
    first = summary(report)[0]
    assert page.index(said) < page.index('<div class="summary">')
    assert text.index(said) < text.index(first[:40])
    assert fragment.index(said) < fragment.index(first)


def test_the_summary_is_plain_and_says_what_guessing_is(report: Report) -> None:
    text = " ".join(summary(report))
    share = report.found.turing[0].share.choices
    assert f"5 people told machine from human in {100 * share.value:.1f}% of 15 choices (95% interval" in text
    assert "50% would be guessing" in text
    assert "By answers to “You edit texts” (reader): No" in text
    assert "Of 5 comments on “why” 5 were coded, of 5 people. Most spoke of" in text
    assert "By system: person, 100.0% of 15 tasks completed" in text
    assert "A mixed-effects model, in which other judges, texts and inputs could have been asked, says" in text


def test_the_page_has_a_section_each_with_its_figure(report: Report) -> None:
    page = report_html(report)
    order = [page.index(f'id="{name}"') for name in ("data", "quality-systems-part", "which-turing-part",
             "why-comments-part", "fact-by-system-tasks-part", "methods")]  # fmt: skip
    assert order == sorted(order)
    assert "15 choices between two texts, 5 coded comments, 30 solutions of tasks" in page
    titles = (
        "Person’s text identified", "if nobody could tell", "Control pairs", "Signal detection", "Each of 3 pairs",
        "What the comments are about", "Tasks completed", "Quality, time, and quality by time",
        "Systems by a mixed-effects model", "How much scores vary with what", "Turing-style test",
    )  # fmt: skip
    for title in titles:
        assert title in page
    assert page.count("<figure>") >= 4


def test_the_terminal_has_the_tables_but_not_the_long_ones(report: Report) -> None:
    text = report_text(report)
    assert "Human or machine?\n-----------------\n" in text
    assert "Systems by a mixed-effects model" in text
    assert "Every person" not in text


def test_json_has_all_of_it(report: Report) -> None:
    record = json.loads(json.dumps(record_of(report), allow_nan=False))
    assert record["turing"][0]["share"]["choices"]["n"] == 15
    assert [one["code"] for one in record["comments"][0]["categories"]] == ["flow", "sense"]
    assert {one["measure"] for one in record["tasks"][0]["comparisons"]} == {"quality", "seconds", "per_minute"}
    assert {one["name"] for one in record["dimensions"][0]["mixed"]["components"]} >= {"judge", "item", "residual"}
    assert "simulated participants" in [one["kind"] for one in record["notices"]]


def test_figures_and_tables_for_a_paper(report: Report, tmp_path: Path) -> None:
    written = write_figures(report, tmp_path)
    assert {"which-turing.svg", "which-turing.png", "fact-by-system-tasks.svg"} <= set(written)
    assert "Dashed: guessing." in (tmp_path / "captions.txt").read_text()
    names = {name for name, _ in latex_tables(report)}
    assert {"which-identified.tex", "which-people.tex", "why-codes.tex", "fact-by-system-comparisons.tex",
            "quality-mixed.tex", "quality-variances.tex"} <= names  # fmt: skip


def test_names_from_outside_are_text_everywhere(report: Report) -> None:
    (turing,), (comments,), (tasks,) = report.found.turing, report.found.comments, report.found.tasks
    found = Findings(
        turing=(
            replace(
                turing,
                question=HOSTILE,
                group_name=HOSTILE,
                groups=tuple(replace(one, group=HOSTILE + one.group) for one in turing.groups),
                pairs=tuple(replace(one, pair=HOSTILE) for one in turing.pairs),
                people=tuple(replace(one, person=HOSTILE, group=HOSTILE) for one in turing.people),
            ),
        ),
        comments=(replace(comments, question=HOSTILE, categories=(replace(comments.categories[0], code=HOSTILE),)),),
        tasks=(replace(tasks, question=HOSTILE, levels=tuple(replace(one, level=HOSTILE) for one in tasks.levels)),),
    )
    hostile = replace(report, found=found)
    assert "<script" not in report_html(hostile)
    for name, content in latex_tables(hostile):
        assert re.fullmatch(r"[\w.-]+", name)
        body = re.sub(r"(?m)^% .*$|\\(textbackslash|textasciitilde|textasciicircum)\{\}", "", content)
        assert re.search(r"(?<!\\)_x(?<!\\)\^|<script", body) is None
        assert "alert(1)" not in body or r"\_x" in body


@pytest.mark.parametrize(
    ("ask", "topics", "heading"),
    [
        (("which",), ("turing",), "Human or machine?"),
        (("fact",), ("tasks",), "Tasks"),
        (("which", "good"), ("ratings", "models", "turing"), "Human or machine?"),
    ],
)
def test_one_kind_alone_is_a_report(
    service: Service, ask: tuple[str, ...], topics: tuple[str, ...], heading: str
) -> None:
    row = put_in(service, ask=ask, name="-".join(ask))
    take(service, row, people=3)
    found = report_of_study(service, row, settings=QUICK)
    assert topics_of(found) == topics
    page = report_html(found)
    assert heading in page
    assert ("data-heading" in page) == ("ratings" in topics)
    assert f"<dt>{'permutations'}</dt>" in page or "ratings" not in topics
    assert list(latex_tables(found))[-1][0] == "all.tex"
    assert report_text(found).startswith(row.name)


def test_one_judge_is_enough_for_a_report_and_it_says_so(service: Service) -> None:
    row = put_in(service, name="one-judge")
    take(service, row, people=1, skill=1)
    code(service, row, by=("ann",))
    found = report_of_study(service, row, settings=QUICK)
    text = " ".join(report_text(found).split())
    assert "1 person told machine from human in 100.0% of 3 choices (95% interval, choices taken" in text
    assert "Nobody was fooled once." in text
    kinds = {notice.kind for _, notice in found.all_notices}
    assert {"few participants", "one coder", "few judges"} <= kinds
    assert "One coder alone coded" in text
    assert "<figure>" in report_html(found)


def test_nobody_has_answered_yet(service: Service) -> None:
    row = put_in(service, name="nobody")
    with pytest.raises(InputError, match="nobody has answered “nobody” yet"):
        report_of_study(service, row, settings=QUICK)


def test_answers_of_which_nothing_can_be_analysed(service: Service) -> None:
    row = put_in(service, ask=("why", "reader"), name="comments")
    take(service, row, people=2)
    with pytest.raises(InputError, match=r"nothing that can be analysed; nobody has coded"):
        report_of_study(service, row, settings=QUICK)
    code(service, row)
    found = report_of_study(service, row, settings=QUICK)  # now the comments can
    assert topics_of(found) == ("comments",)


def test_pairs_without_a_right_answer_are_preferences(service: Service) -> None:
    row = put_in(service, ask=("liked",), name="preferences")
    take(service, row, people=12)
    made = report_of_study(service, row, settings=QUICK)
    (found,) = made.found.preferences
    assert topics_of(made) == ("preferences",)
    assert (found.people, found.pairs, found.choices) == (12, 4, 48)
    assert {(own.first, own.second) for own in found.between} <= {("person", "rules"), ("rules", "person")}
    assert found.between[0].share.choices.n == 36  # the pair of two texts of one system tells nothing
    assert {"one system", "few pairs"} <= {notice.kind for _, notice in made.all_notices}
    assert analysis_settings(made.analysis, made.found).tests == ("preferences",)
    assert record_of(made)["preferences"][0]["between"][0]["share"]["crossed"]["n"] == 36
    text, page = report_text(made), report_html(made)
    assert "12 people made 48 choices on “liked”, which has no right answer, over 4 pairs." in text
    for title in ("Systems side by side", "Win rates", "Which is preferred?"):
        assert title in text
        assert title in page
    assert "48 choices between two texts" in page
    assert {"liked-preferred.tex", "liked-wins.tex"} <= {name for name, _ in latex_tables(made)}


def test_control_pairs_alone_are_named(service: Service) -> None:
    head, *rows = ITEMS.splitlines()
    controls = "\n".join([head, *rows[-2:]]) + "\n"
    row = put_in(service, ask=("which", "good"), name="controls", items=controls)
    take(service, row, people=2)
    found = report_of_study(service, row, settings=QUICK)
    assert found.found.turing == ()
    assert "no Turing-style test" in {notice.kind for _, notice in found.all_notices}


def test_metrics_need_ratings(service: Service) -> None:
    row = put_in(service, ask=("which",), name="pairs-only")
    take(service, row, people=2)
    with pytest.raises(InputError, match="pairs-only has no ratings that metrics could be compared with"):
        report_of_study(service, row, settings=QUICK, sources=Sources(metrics=("bleu",)))
    with pytest.raises(InputError, match="nothing called readr divides people into groups"):
        report_of_study(service, row, settings=QUICK, group="readr")


def test_groups_are_the_conditions_if_the_study_has_them(service: Service) -> None:
    row = put_in(service, ask=("which", "fact", "reader"), name="conditions", more="conditions: [readers, experts]\n")
    take(service, row, people=4)
    rows = study_rows(service, row)
    assert rows.groups == ("condition", "reader")
    found = findings_of(rows, settings=QUICK)
    assert found.turing[0].group_name == "condition"
    assert [own.group for own in found.turing[0].groups] == ["experts", "readers"]
    assert [one.factor for one in found.tasks] == ["system", "condition"]
    assert findings_of(rows, settings=QUICK, group="reader").turing[0].group_name in ("reader", "")
    page = report_html(report_of_study(service, row, settings=QUICK))
    assert "Task “fact” by condition" in page
    assert "Groups: the study’s conditions." in page


def test_what_divides_people_is_one_rule_for_all(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    from fergus.web.views_analysis import groups_of

    options = 'options: ["Yes", "No"]'
    monkeypatch.setitem(QUESTIONS, "tools", f"{{type: choice, text: Which do you use, multiple: true, {options}}}")
    monkeypatch.setitem(QUESTIONS, "check", f'{{type: choice, text: Choose No, right: "No", {options}}}')
    row = put_in(service, ask=("which", "reader", "tools", "check"), name="rule")
    take(service, row, people=2)
    study, rows = service.study(row), study_rows(service, row)
    assert dividing(study) == groups_of(study) == rows.groups == ("reader",)
    for group in ("tools", "check", "condition"):
        with pytest.raises(InputError, match=f"nothing called {group} divides people into groups.*reader"):
            findings_of(rows, settings=QUICK, group=group)
    assert findings_of(rows, settings=QUICK, group="reader").turing[0].group_name == "reader"


def test_systems_with_a_slash_are_compared_beside_conditions() -> None:
    rows = tuple(
        solution(
            f"{n}", text, f"gpt/{size}", n % 2, 20.0 + n, condition=f"{('readers', 'experts')[n % 2]}/{n}", kind=""
        )
        for n in range(4)
        for text, size in (("a", "small"), ("b", "large"))
    )
    found = findings_of(StudyRows(source="slash", rows=rows, factors=("system", "condition")), settings=QUICK)
    assert [(one.factor, [own.level for own in one.levels]) for one in found.tasks] == [
        ("system", ["gpt/large", "gpt/small"]),
        ("condition", ["experts", "readers"]),
    ]


def test_tasks_that_nothing_tells_apart(service: Service) -> None:
    items = "item,gold,text\n" + "".join(f"i{n},{n},Text {n} of a few.\n" for n in range(3))
    row = put_in(
        service, ask=("fact",), name="one-kind", items=items.replace("\n", ",pair\n").replace(",pair", ",kind", 1)
    )
    take(service, row, people=2)
    found = report_of_study(service, row, settings=QUICK)
    assert [(one.factor, [own.level for own in one.levels]) for one in found.found.tasks] == [("question", ["fact"])]
    assert "Every two" not in report_html(found)
