"""The README's examples do what it says, with the shipped model."""

from __future__ import annotations

import io
import re
import shlex
import tomllib
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from click.testing import CliRunner

from fergus.cli.main import cli

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SHIPPED = ROOT / "src" / "fergus" / "models" / "en.fergus"

# Coverage need not follow what is shown: everything has tests of its own, and it takes twice as long.
pytestmark = [
    pytest.mark.skipif(not SHIPPED.exists(), reason="the shipped model is not there"),
    pytest.mark.no_cover,
]


def sessions() -> list[tuple[str, str]]:
    """Commands of the console blocks with what they print; ``...`` in it stands for anything."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```", README, re.MULTILINE | re.DOTALL):
        for command, output in re.findall(r"^\$ (.*)\n((?:[^$].*\n)*)", block, re.MULTILINE):
            found.append((command, output))
    return found


@pytest.mark.parametrize(("command", "output"), sessions())
def test_console_blocks(command: str, output: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = CliRunner().invoke(cli, shlex.split(command)[1:], catch_exceptions=False)
    assert result.exit_code == 0
    pattern = re.escape(output).replace(r"\.\.\.", ".*?")
    assert re.fullmatch(pattern, result.stdout, re.DOTALL), result.stdout


def test_there_are_console_blocks() -> None:
    assert len(sessions()) >= 3


def test_python_blocks() -> None:
    printed = []
    for block in re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL):
        with redirect_stdout(io.StringIO()) as output:
            exec(compile(block, "README.md", "exec"), {})
        printed.append(output.getvalue())
    realized, evaluated = printed
    assert realized.startswith("I saw her yesterday\n")
    # One move in three words.
    assert evaluated.startswith("generation_string_accuracy = 0.6667 mean, 0.6667 pooled")
    assert "metric:bleu|refs:1|" in evaluated


def test_the_server_prints_what_is_shown() -> None:
    (shown,) = re.findall(r"^\$ fergus serve --example .*\n((?:[^`].*\n)+)```", README, re.MULTILINE)
    printed = re.findall(r'click\.echo\(f"([\w{}.]+): ', (ROOT / "src/fergus/cli/serve.py").read_text(encoding="utf-8"))
    names = [line.partition(":")[0] for line in shown.splitlines()]
    assert names == ["bangalore-2000" if name == "{row.name}" else name for name in printed]


def test_every_extra_is_named() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert [name for name in extras if f"fergus[{name}]" not in README] == []


def test_commands_that_are_only_shown_exist() -> None:
    for command in re.findall(r"^\$ fergus (\w+)", README, re.MULTILINE):
        assert command in cli.commands or command in cli.list_commands(None)  # type: ignore[arg-type]
