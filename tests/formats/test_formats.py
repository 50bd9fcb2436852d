"""Files of every version that there ever was are read; those of a newer Fergus are refused, and it is said why."""

from __future__ import annotations

import ast
import re
import shutil
from pathlib import Path

import pytest

from fergus.errors import FergusError
from tests.formats.table import FORMATS, KEPT, WRITE_ONLY, Format

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src"
WITH_VERSION = [name for name, one in FORMATS.items() if one.newest]
KEPT_FILES = [(name, version) for name, one in FORMATS.items() for version in range(1, one.version + 1)]


def copied(name: str, version: int, folder: Path) -> Path:
    """A kept file where its reader may change it."""
    ending = FORMATS[name].ending
    return Path(shutil.copy(KEPT / f"{name}.{version}.{ending}", folder / f"{name}.{version}.{ending}"))


@pytest.mark.parametrize(("name", "version"), KEPT_FILES)
def test_a_file_of_every_version_is_kept_and_read(name: str, version: int, tmp_path: Path) -> None:
    assert FORMATS[name].read(copied(name, version, tmp_path)) == FORMATS[name].found


@pytest.mark.parametrize("name", WITH_VERSION)
def test_a_file_of_a_newer_fergus_is_refused(name: str, tmp_path: Path) -> None:
    one = FORMATS[name]
    path = copied(name, one.version, tmp_path)
    assert one.newer is not None
    one.newer(path)
    with pytest.raises(FergusError, match=one.refusal) as refused:
        one.read(path)
    assert name == "language-model" or f"{name}.{one.version}" in str(refused.value)  # it is told which file


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("metric", "version = 1\n"),
        ("plan", "version = 1\n"),
        ("evaluation", '"version": 1, '),
        ("analysis", '"version": 1, '),
        ("frozen-plan", '  "version": 1,\n'),
    ],
)
def test_a_file_that_does_not_say_its_version_is_of_the_first(name: str, said: str, tmp_path: Path) -> None:
    path = copied(name, 1, tmp_path)
    text = path.read_text(encoding="utf-8")
    assert said in text
    path.write_text(text.replace(said, "", 1), encoding="utf-8")
    assert FORMATS[name].read(path) == FORMATS[name].found


@pytest.mark.parametrize(
    ("name", "said"), [("metric", "version = 1"), ("plan", "version = 1"), ("study", "study: tiny")]
)
@pytest.mark.parametrize("told", ["0", "'one'", "1.5", "true"])
def test_what_is_no_version_is_refused(name: str, said: str, told: str, tmp_path: Path) -> None:
    path = copied(name, 1, tmp_path)
    key = f"study: tiny\nformat: {told}" if name == "study" else f"version = {told}"
    path.write_text(path.read_text(encoding="utf-8").replace(said, key, 1), encoding="utf-8")
    with pytest.raises(FergusError, match=r"is no version of|format is .*; write a whole number"):
        FORMATS[name].read(path)


def test_a_study_file_may_say_its_format_or_leave_it_empty(tmp_path: Path) -> None:
    for told in ("1", "", "null"):
        path = copied("study", 1, tmp_path)
        path.write_text(path.read_text(encoding="utf-8") + f"format: {told}\n", encoding="utf-8")
        assert FORMATS["study"].read(path) == FORMATS["study"].found


def test_a_report_that_another_fergus_made_is_made_anew(tmp_path: Path) -> None:
    path = copied("report", 1, tmp_path)
    path.write_text(path.read_text(encoding="utf-8").replace('"study"', '"beauty": 1, "study"', 1), encoding="utf-8")
    assert FORMATS["report"].read(path) is None


def test_nothing_else_is_kept_and_everything_is_small() -> None:
    known = {f"{name}.{version}.{FORMATS[name].ending}" for name, version in KEPT_FILES} | {"items.1.csv"}
    assert {path.name for path in KEPT.iterdir()} == known
    assert max(path.stat().st_size for path in KEPT.iterdir()) < 50_000


def test_what_writes_and_what_reads_an_evaluation_know_the_same_version() -> None:
    from fergus.evaluation.json_report import FORMAT, VERSION
    from fergus.studies.items_file import EVALUATION, NEWEST_EVALUATION

    assert (FORMAT, VERSION) == (EVALUATION, NEWEST_EVALUATION)


def test_every_version_that_the_sources_know_is_in_the_table() -> None:
    """A new format has a module-level ``...VERSION``, or the name ``fergus-...``: then a kept file is needed."""
    versions, names = set(), set()
    for path in sorted(SOURCES.rglob("*.py")):
        module = ".".join(path.relative_to(SOURCES).with_suffix("").parts)
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if not isinstance(node, ast.Assign):
                continue
            targets = [t for target in node.targets for t in getattr(target, "elts", [target])]
            values = [v.value for v in getattr(node.value, "elts", [node.value]) if isinstance(v, ast.Constant)]
            versions |= {f"{module}:{t.id}" for t in targets if isinstance(t, ast.Name) and t.id.endswith("VERSION")}
            names |= {
                name.removeprefix("fergus-") for name in map(str, values) if re.fullmatch(r"fergus(-[a-z]+)+", name)
            }
    known = {one.newest for one in FORMATS.values()} | set(WRITE_ONLY.values())
    assert versions == known - {"", "fergus.studies.storage.migrate:HEAD"}
    assert names <= {*FORMATS, *WRITE_ONLY}


WRITERS = {
    "analysis.learned_file": "metric",
    "analysis.plots": "pictures",
    "analysis.preregister": "frozen-plan",
    "analysis.report_files": "report",
    "analysis.report_latex": "LaTeX",
    "cli.analyse": "analysis",
    "cli.convert": "tree",
    "cli.draw": "drawings",
    "cli.evaluation_options": "evaluation",
    "cli.explain": "JSON and text for people",
    "cli.grammar": "grammar",
    "cli.lattice": "lattice",
    "cli.parse": "CoNLL-U, tree",
    "cli.plan": "datasheet",
    "cli.realize": "sentences",
    "cli.study_export": "export",
    "cli.study_new": "study",
    "cli.study_simulate": "export",
    "cli.train_parser": "UDPipe's",
    "grammar.storage": "grammar",
    "lm.arpa": "ARPA",
    "realize.model": "model",
    "studies.storage.backup": "database",
}
"""Who writes files, and what: a new one must be thought about here."""


def test_everybody_who_writes_files_is_known() -> None:
    found = set()
    for path in sorted((SOURCES / "fergus").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        module = ".".join(path.relative_to(SOURCES / "fergus").with_suffix("").parts)
        if re.search(r"\bWholeFile\(|\boutput_to\(|(?<!def )\bwrite_text\(.+, \w|\bmkstemp\(", text):
            found.add(module)
    assert found - {"whole_file", "cli.output"} == set(WRITERS)


def test_the_page_has_every_format_with_its_version() -> None:
    page = (ROOT / "docs" / "reference" / "formats.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([a-z-]+)` \|.*\| ([^|]*) \|$", page, re.MULTILINE))
    every = FORMATS | {name: Format("", lambda path: path, None, newest) for name, newest in WRITE_ONLY.items()}
    assert rows == {name: str(one.version) if one.newest else "none" for name, one in every.items()}
