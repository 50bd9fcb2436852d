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


def test_the_example_trees_can_be_read() -> None:
    trees = list(read_trees(ROOT / "examples" / "trees.txt"))
    # The first is Figure 2 of the paper.
    assert set(trees[0].forms) == {"there", "was", "no", "cost", "estimate", "for", "the", "second", "phase"}
    assert len(trees) == 3
