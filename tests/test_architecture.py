"""The house rules that a program can check."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
STAGES = {
    "choose_trees", "unravel", "unravel_supertags", "choose_path", "choose_words", "baselines",
    "agree", "inflect", "insert", "reorder", "capitalise", "join_words", "detokenize", "punctuate",
}  # fmt: skip
CHAINS_STAGES = {
    *("pipeline", "search", "presets", "word_stages", "finish", "write_text"),
    *("train", "train_order", "train_words", "sections"),
}
"""Who in ``realize`` may import stages: what chains, what trains, what puts their models into files."""


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def run(*command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    return subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=100,
    )


def test_import_contracts_are_kept() -> None:
    program = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(cache_dir=None))"
    result = run(sys.executable, "-X", "utf8", "-c", program)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "0 broken" in result.stdout


def test_every_stage_that_exists_is_under_contract() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    listed = next(c["modules"] for c in contracts if c["name"] == "stages of realize do not import one another")
    existing = {f"fergus.realize.{p.stem}" for p in (ROOT / "src/fergus/realize").glob("*.py") if p.stem in STAGES}
    assert set(listed) == existing


def test_every_package_is_in_a_layer() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = next(c["layers"] for c in contracts if c["name"] == "who sits on whom")
    listed = [name for layer in layers for name in layer.split(" | ")]
    places = [
        path for path in (ROOT / "src/fergus").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    ]
    existing = {f"fergus.{path.stem}" for path in places if not path.stem.startswith("__")}
    assert sorted(listed) == sorted(existing)


def test_only_those_who_chain_the_stages_import_them() -> None:
    for path in sorted((ROOT / "src/fergus/realize").glob("*.py")):
        names = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
            elif isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
        stages = {name for name in names if name.removeprefix("fergus.realize.") in STAGES}
        assert path.stem in CHAINS_STAGES or not stages, f"{name_of(path)} imports {sorted(stages)}"


@pytest.mark.parametrize("package", ["core", "drawing"])
def test_core_and_drawing_have_no_third_party_imports(package: str) -> None:
    for path in sorted((ROOT / "src/fergus" / package).glob("*.py")):
        assert imported(path) <= {"fergus", *sys.stdlib_module_names}, name_of(path)


ONLY_IN = {
    "sqlalchemy": ("fergus/studies/storage/",),
    "alembic": ("fergus/studies/storage/",),
    "psycopg": ("fergus/studies/storage/",),
    "yaml": ("fergus/studies/located.py",),
    "datasets": ("fergus/evaluation/huggingface.py",),
    "evaluate": ("fergus/evaluation/huggingface.py",),
    "starlette": ("fergus/web/",),
    "jinja2": ("fergus/web/",),
    "argon2": ("fergus/web/",),
    "uvicorn": ("fergus/web/",),
    "cloudpickle": ("fergus/cluster/",),
    "dask": ("fergus/cluster/",),
    "distributed": ("fergus/cluster/",),
}
"""Where a library of the extras may be imported, so that it can be changed in one place."""


def test_libraries_of_the_extras_are_imported_in_one_place() -> None:
    for path in SOURCES:
        name = name_of(path).removeprefix("src/")
        for library in imported(path) & set(ONLY_IN):
            assert name.startswith(ONLY_IN[library]), f"{name} imports {library}"


def imported(path: Path) -> set[str]:
    """The libraries that a module imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            found.add((node.module or "").split(".")[0])
        elif isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
    return found


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_a_module_is_short_named_after_its_work_and_says_what_it_is(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 400
    names = set(path.relative_to(ROOT).with_suffix("").parts)
    assert not names & {"utils", "util", "helpers", "helper", "manager", "managers", "common"}
    assert ast.get_docstring(ast.parse(text)), "a module begins with a docstring"


def test_help_loads_no_heavy_library() -> None:
    program = (
        "import sys\n"
        "from fergus.cli.main import main\n"
        "sys.argv = ['fergus', '--help']\n"
        "try:\n"
        "    main()\n"
        "except SystemExit as stop:\n"
        "    assert not stop.code, stop.code\n"
        "heavy = {'numpy', 'numba', 'scipy', 'matplotlib', 'rapidfuzz', 'sqlalchemy', 'starlette', 'jinja2', 'yaml',\n"
        "         'distributed'}\n"
        "print('LOADED', *sorted(heavy & set(sys.modules)))\n"
    )
    result = run(sys.executable, "-c", program)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[-1].split() == ["LOADED"]


@pytest.mark.parametrize("package", ["fergus", "fergus.core", "fergus.drawing", "fergus.treebank", "fergus.web.app"])
def test_light_packages_load_no_heavy_library(package: str) -> None:
    program = f"import sys, {package}; sys.exit(bool({{'numpy', 'numba'}} & set(sys.modules)))"
    assert run(sys.executable, "-c", program).returncode == 0


def test_everything_that_is_no_module_goes_into_a_package() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    package = ROOT / "src" / "fergus"
    named = {path for glob in settings["tool"]["setuptools"]["package-data"]["fergus"] for path in package.glob(glob)}
    made = {".py", ".pyc", ".nbi", ".nbc"}  # modules, and what is compiled from them
    left_out = [path for path in package.rglob("*") if path.is_file() and path.suffix not in made and path not in named]
    assert not left_out
