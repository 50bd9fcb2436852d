"""Every command is documented, every link leads somewhere, and the examples can be read."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from fergus.treebank import read_trees

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *(page for folder in ("docs", "examples", "benchmarks") for page in (ROOT / folder).rglob("*.md")),
    ]
)
LINK = re.compile(r"\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)")


def without_code(text: str) -> str:
    text = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors(page: Path) -> set[str]:
    """The names GitHub gives to the headings of a page."""
    text = re.sub(r"^(```|~~~).*?^\1", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+\s+(.*?)\s*#*$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_relative_links_resolve(page: Path) -> None:
    for link in LINK.findall(without_code(page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z][a-z+.-]*:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), f"{link} leads nowhere"
        assert target.is_relative_to(ROOT), f"{link} leads out of the project"
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), f"{link}: there is no such heading"


def test_every_command_and_option_is_documented() -> None:
    import click

    module = importlib.import_module("fergus.cli.main")
    (group,) = [value for value in vars(module).values() if isinstance(value, click.Group)]

    def commands(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
        yield name, command
        if isinstance(command, click.Group):
            context = click.Context(command)
            for sub in command.list_commands(context):
                found = command.get_command(context, sub)
                assert found is not None
                yield from commands(found, f"{name} {sub}")

    pages = [page.read_text(encoding="utf-8") for page in sorted((ROOT / "docs" / "reference").rglob("*.md"))]
    missing = []
    for name, command in commands(group, "fergus"):
        about = "\n".join(page for page in pages if re.search(rf"\b{re.escape(name)}\b", page))
        if not about:
            missing.append(name)
        for parameter in command.params:
            for option in parameter.opts:
                if option.startswith("--") and not re.search(rf"{re.escape(option)}\b", about):
                    missing.append(f"{name} {option}")
    assert not missing, f"not in docs/reference/: {', '.join(missing)}"


def test_every_metric_is_documented() -> None:
    from fergus.metrics.catalogue import metric_names

    page = (ROOT / "docs" / "reference" / "metrics.md").read_text(encoding="utf-8")
    rows = {match[1] for match in re.finditer(r"^\| \[`(\w+)`\]\(#", page, flags=re.MULTILINE)}
    assert rows == set(metric_names())


def test_the_metric_that_is_shown_is_one(tmp_path: Path) -> None:
    from fergus.evaluation.selection import make_metrics

    page = (ROOT / "docs" / "reference" / "metrics.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    (tmp_path / "my.toml").write_text(block)
    (metric,) = make_metrics([str(tmp_path / "my.toml")])
    assert metric.name == "my_accuracy"


def reference(name: str) -> str:
    return (ROOT / "docs" / "reference" / name).read_text(encoding="utf-8")


def sections(page: str) -> dict[str, str]:
    """The text under each heading of the second level, without the sections of others."""
    parts = re.split(r"^## (.*)\n", page, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def first_column(text: str) -> list[str]:
    """What the rows of tables begin with, where it is a name; several names may share a row."""
    rows = re.findall(r"^\| (\[?`.*?) \|", text, flags=re.MULTILINE)
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row)]


def test_every_type_of_question_and_every_parameter_is_documented() -> None:
    from fergus.studies.questions import TYPES
    from fergus.studies.questions.base import Question

    found = sections(reference("questions.md"))
    shared = [field.name for field in Question.parameters()]
    assert first_column(found["What all have in common"]) == ["type", *shared]
    assert [name for name in found if name in TYPES] == list(TYPES)
    for name, kind in TYPES.items():
        own = [field.name for field in kind.parameters() if field.name not in shared]
        # The gradings of tasks have a table of their own after that of the parameters.
        assert first_column(found[name])[: len(own)] == own, name
        assert "**Answer**" in found[name], name
        assert "**Rows**" in found[name], name


def test_every_way_to_grade_a_task_is_documented() -> None:
    from typing import get_args, get_type_hints

    from fergus.studies.questions import TYPES

    table = sections(reference("questions.md"))["task"].partition("| grading | score |")[2]
    assert first_column(table) == list(get_args(get_type_hints(TYPES["task"])["grading"]))


def test_the_questions_that_are_shown_are_questions() -> None:
    from fergus.studies.located import Table, read_yaml
    from fergus.studies.problems import Problems
    from fergus.studies.questions import TYPES
    from fergus.studies.read_question import read_questions

    for name, text in sections(reference("questions.md")).items():
        if name not in TYPES:
            continue
        (block,) = re.findall(r"^```yaml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        problems = Problems(name)
        root = read_yaml(block, problems)
        assert isinstance(root, Table)
        shown = read_questions(root, problems).named
        assert not problems.sorted(), [str(problem) for problem in problems.sorted()]
        assert {question.type for question in shown.values()} == {name}


def test_every_key_of_a_study_file_is_documented() -> None:
    from dataclasses import fields

    from fergus.studies.interface import WORDS
    from fergus.studies.study import Assignment, Block, Recruitment, Study

    found = sections(reference("study-file.md"))
    # What the study file says in other words, and what no file says.
    keys = {field.name for field in fields(Study)} - {"name", "version"} | {"study", "format", "consent", "questions"}
    assert set(first_column(found["The study"])) == keys
    for heading, kind in (("Blocks", Block), ("Assignment", Assignment), ("Recruitment", Recruitment)):
        assert set(first_column(found[heading])) == {field.name for field in fields(kind)}, heading
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", found["Interface"], flags=re.MULTILINE)
    assert dict(rows) == WORDS


def test_the_study_that_is_shown_is_the_example() -> None:
    from fergus.studies.study_file import read_study

    page, folder = reference("study-file.md"), ROOT / "examples" / "weather-study"
    for language, file in (("yaml", "study.yaml"), ("csv", "items.csv")):
        (block,) = re.findall(rf"^```{language}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
        assert block == (folder / file).read_text(encoding="utf-8")
    assert len(read_study(folder / "study.yaml").items) == 4


def test_settings_that_how_tos_show_can_be_put_into_a_study() -> None:
    from fergus.studies.presets import preset_files
    from fergus.studies.study_file import check_texts

    page = (ROOT / "docs" / "how-to" / "run-a-rating-study.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```yaml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    files = preset_files("bangalore-2000")
    text = re.sub(r"^assignment:\n(  .*\n)+", "", files.text, flags=re.MULTILINE) + "\n".join(blocks)
    checked = check_texts(text, files.items_text)
    assert not checked.problems
    assert checked.study is not None
    assert checked.study.assignment.pages == 10
    assert checked.study.recruitment.required


def test_every_column_of_the_export_is_documented() -> None:
    from fergus.studies.export import COLUMNS

    assert first_column(reference("export.md")) == [*COLUMNS, "item_text", "item_..."]


def test_every_preset_is_documented() -> None:
    from fergus.studies.presets import PRESETS

    new = sections(reference("study.md"))["fergus study new"]
    table = new.partition("| preset | |")[2].partition("\n\n")[0]
    assert first_column(table) == list(PRESETS)


def test_the_example_trees_can_be_read() -> None:
    trees = list(read_trees(ROOT / "examples" / "trees.txt"))
    # The first is Figure 2 of the paper.
    assert set(trees[0].forms) == {"there", "was", "no", "cost", "estimate", "for", "the", "second", "phase"}
    assert len(trees) == 3
