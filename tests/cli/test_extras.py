"""What is said when a package of an extra is not installed."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from fergus.cli import command_table
from fergus.cli.extras import EXTRAS, what_to_install

from .conftest import Run

PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"
DISTRIBUTIONS = {"argon2": "argon2-cffi", "markdown_it": "markdown-it-py", "yaml": "pyyaml"}
"""Where a package is not called what it is imported by; ``multipart`` is what Starlette imported before."""
NEEDED_BY_OTHERS = {
    "anyio": "starlette",
    "cloudpickle": "distributed",
    "dask": "distributed",
    "markupsafe": "jinja2",
    "multipart": "python-multipart",
}


def without(package: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a process in which a package cannot be imported."""
    program = f"import sys; sys.modules[{package!r}] = None; from fergus.cli.main import main; main()"
    return subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False, cwd=folder
    )


@pytest.mark.parametrize(
    ("package", "command"),
    [
        ("yaml", "study new my-study"),
        ("yaml", "study check ."),
        ("yaml", "study simulate ."),
        ("sqlalchemy", "account list"),
        ("sqlalchemy", "study export x"),
        ("starlette", "serve"),
        ("jinja2", "serve"),
    ],
)
def test_the_extra_is_named(package: str, command: str, tmp_path: Path) -> None:
    (tmp_path / "study.yaml").write_text("study: tiny\n")
    result = without(package, *command.split(), folder=tmp_path)
    remedy = f"this needs the package {package}, which is not installed; run: pip install 'fergus[web]'"
    assert result.stderr == f"Error: {remedy}\n"
    assert result.returncode == 2
    assert [path.name for path in tmp_path.iterdir()] == ["study.yaml"]


def test_a_package_that_a_command_s_own_module_imports(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: str) -> None:
        raise ModuleNotFoundError("No module named 'scipy.stats'", name="scipy.stats")

    monkeypatch.setattr(command_table, "import_module", broken)
    result = run("draw")
    assert result.exit_code == 2
    assert "pip install 'fergus[analysis]'" in result.stderr


@pytest.mark.parametrize("name", ["fergus.nowhere", "yamlette", None])
def test_anything_else_that_is_missing_is_a_mistake_of_ours(
    run: Run, name: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: str) -> None:
        raise ModuleNotFoundError("missing", name=name)

    monkeypatch.setattr(command_table, "import_module", broken)
    assert what_to_install(name) is None
    with pytest.raises(ModuleNotFoundError):
        run("draw")


def test_the_table_says_what_the_project_says() -> None:
    extras = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for package, extra in EXTRAS.items():
        name = NEEDED_BY_OTHERS.get(package) or DISTRIBUTIONS.get(package, package.replace("_", "-"))
        assert name in [re.split(r"[\[<>=~!; ]", given)[0] for given in extras[extra]], package
