"""What is installed: a wheel of Python and data alone, under 60 MB, whose modules import without the extras."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
LARGEST = 60_000_000
NEED_AN_EXTRA = ("fergus.web", "fergus.studies", "fergus.cluster", "fergus.evaluation.huggingface")
"""Whose modules may need what is not there; all others, those of commands among them, must import."""
OF_STUDIES = {"fergus.analysis.codes", "fergus.cli.study_making"}
"""What reads a study from its database or its file."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of a copy of the sources, so that nothing that was built before gets into it, and nothing is left."""
    folder = tmp_path_factory.mktemp("project")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "src/fergus", folder / "src/fergus", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "tests/core", folder / "tests/core")
    options = ("--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(folder))
    found = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", *options, "."], cwd=folder, capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stdout + found.stderr
    (made,) = folder.glob("*.whl")
    return made


def distributions(names: set[str]) -> set[str]:
    """Those distributions with everything that they need, without extras."""
    found: set[str] = set()
    while names:
        name = names.pop()
        found.add(name)
        try:
            needed = [Requirement(line) for line in requires(name) or ()]
        except PackageNotFoundError:  # not for this system
            continue
        wanted = {canonical(one.name) for one in needed if one.marker is None or one.marker.evaluate({"extra": ""})}
        names |= wanted - found
    return found


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def run_without_extras(program: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program where only Python and what ``pip install fergus`` brings can be imported, from a folder."""
    core = distributions({"fergus"})
    owners = packages_distributions().items()
    blocked = sorted(name for name, of in owners if not {canonical(one) for one in of} & core and name != "fergus")
    assert {"starlette", "sqlalchemy", "scipy", "yaml"} <= set(blocked)
    hook = f"import sys; sys.modules.update(dict.fromkeys({blocked!r})); sys.path.insert(0, {str(folder)!r})\n"
    return subprocess.run([sys.executable, "-c", hook + program], capture_output=True, text=True, check=False)


def test_the_wheel_is_python_and_data_under_60_mb(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")
    assert wheel.stat().st_size < LARGEST
    names = set(zipfile.ZipFile(wheel).namelist())
    sources = {
        path.relative_to(ROOT / "src").as_posix()
        for path in (ROOT / "src/fergus").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    ours = {name for name in names if ".dist-info/" not in name}
    assert ours == sources  # models, templates, static files, examples of studies; no tests
    assert {"fergus/models/en.fergus", "fergus/models/en.udpipe", "fergus/py.typed"} <= ours
    assert not [name for name in ours if name.endswith((".so", ".pyd", ".dylib", ".c", ".pyc"))]


def test_what_is_installed_answers(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    program = (
        "import fergus; print(fergus.__file__); from fergus.cli.main import main; sys.argv[1:] = ['--help']; main()"
    )
    found = run_without_extras(program, tmp_path)
    assert found.returncode == 0, found.stderr
    assert found.stdout.startswith(str(tmp_path / "fergus"))
    assert "realize" in found.stdout


def test_modules_import_and_trees_are_realized_without_extras() -> None:
    program = """
import importlib, json, pkgutil
import fergus
missing = {}
for module in pkgutil.walk_packages(fergus.__path__, "fergus.", onerror=lambda name: None):
    try:
        importlib.import_module(module.name)
    except ImportError as error:
        missing[module.name] = error.name or str(error)
tokens = fergus.load("en").realize(fergus.parse_tree("saw(I her)")).tokens
print(json.dumps([missing, tokens]))
"""
    found = run_without_extras(program, ROOT / "src")
    assert found.returncode == 0, found.stderr
    missing, tokens = json.loads(found.stdout)
    assert tokens == ["I", "saw", "her"]
    from fergus.cli.extras import what_to_install

    assert missing["fergus.web.app"].startswith("starlette")  # the extras are not there
    assert {module for module in missing if not module.startswith(NEED_AN_EXTRA)} == OF_STUDIES
    for module, package in missing.items():
        assert what_to_install(package) or "pip install 'fergus[" in package, (module, package)
