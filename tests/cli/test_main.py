from __future__ import annotations

import subprocess
import sys
import time
from errno import ENOSPC
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

import fergus
from fergus.cli.main import COMMANDS, cli
from fergus.cli.options import INPUT_FORMATS, PRESETS

from .conftest import FIGURE_2, Run


def all_commands() -> list[tuple[str, click.Command]]:
    found: list[tuple[str, click.Command]] = []
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        subcommands = command.commands.items() if isinstance(command, click.Group) else ()
        found += [(name, command), *((f"{name} {sub}", each) for sub, each in subcommands)]
    return found


def test_version_and_help(run: Run) -> None:
    assert run("--version").stdout == f"fergus {fergus.__version__}\n"
    shown = run("--help").stdout
    for name, (_, line) in COMMANDS.items():
        assert name in shown
        assert line in shown


@pytest.mark.parametrize(("name", "command"), all_commands(), ids=lambda value: value if isinstance(value, str) else "")
def test_every_command_has_help_with_an_example(name: str, command: click.Command, run: Run) -> None:
    result = run(*name.split(), "--help")
    assert result.exit_code == 0
    if not isinstance(command, click.Group):
        assert f"fergus {name}" in (command.epilog or "")
        assert all(isinstance(p, click.Argument) or p.help for p in command.params if isinstance(p, click.Option))
    if " " not in name:
        # The table repeats the first line of the help, so that nothing has to be imported for it.
        assert (command.help or "").split("\n")[0] == COMMANDS[name][1]


def test_options_name_what_there_is() -> None:
    from fergus.realize import pipeline
    from fergus.treebank import FORMATS

    assert PRESETS == pipeline.PRESETS
    assert ("auto", *FORMATS) == INPUT_FORMATS


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (["realise"], "there is no command 'realise'; did you mean realize?"),
        (["evalute"], "there is no command 'evalute'; did you mean evaluate?"),
        (["study", "exprot"], "there is no command 'exprot'; did you mean export?"),
        (["study", "xyz"], "there is no command 'xyz'; fergus study --help lists all"),
        (["--verison"], "--verison"),
    ],
)
def test_unknown_command(given: list[str], problem: str, run: Run) -> None:
    result = run(*given)
    assert result.exit_code == 2
    assert problem in result.stderr


def test_completion_after_an_unknown_command_is_no_error() -> None:
    found = ShellComplete(cli, {}, "fergus", "_FERGUS_COMPLETE").get_completions(["foo"], "")
    assert [one.value for one in found] == list(COMMANDS)


def test_interrupt(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("fergus.cli.trees.given_trees", interrupted)
    assert run("draw", "--tree", "a").exit_code == 130


def test_disk_full(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(ENOSPC, "No space left on device", "out.txt")

    monkeypatch.setattr("fergus.cli.output.output_to", full)
    result = run("draw", "--tree", "a")
    assert result.exit_code == 2
    assert result.stderr == "Error: out.txt: No space left on device\n"


def test_module_runs() -> None:
    result = subprocess.run([sys.executable, "-m", "fergus", "--version"], capture_output=True, text=True, check=True)
    assert result.stdout == f"fergus {fergus.__version__}\n"


def test_help_is_quick_and_imports_no_command() -> None:
    program = (
        "import sys\n"
        "sys.argv = ['fergus', '--help']\n"
        "try:\n"
        "    from fergus.cli.main import main; main()\n"
        "except SystemExit: pass\n"
        "print('LOADED', *sorted(m for m in sys.modules if m.startswith(('fergus.', 'rich', 'numpy', 'numba'))))\n"
    )
    started = time.perf_counter()
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert time.perf_counter() - started < 20  # measured 0.07 s; what matters is the list
    modules = ["fergus.cli", "fergus.cli.command_table", "fergus.cli.main", "fergus.errors", "fergus.version"]
    assert result.stdout.splitlines()[-1].split()[1:] == modules


def test_broken_pipe_is_silent(fergus_command: str, model: str, tmp_path: Path) -> None:
    trees = tmp_path / "trees.txt"
    trees.write_text(f"{FIGURE_2}\n" * 3000)
    for jobs in ("1", "2"):
        process = subprocess.Popen(
            [fergus_command, "realize", "--model", model, str(trees), "--jobs", jobs],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"There was no cost estimate for the second phase\n"
        process.stdout.close()
        assert process.stderr.read() == b""
        process.stderr.close()
        assert process.wait(timeout=60) == 1
