"""Runs what a page of the documentation shows, in the order of the page."""

from __future__ import annotations

import io
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from click.testing import CliRunner

BLOCK = re.compile(r"^```(console|python)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> Iterator[tuple[str, str]]:
    """The blocks that can be run, with their language."""
    for match in BLOCK.finditer(page.read_text(encoding="utf-8")):
        yield match[1], match[2]


def commands(block: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with what is shown below it; a backslash continues a line."""
    for entry in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, shown = entry.replace("\\\n", " ").partition("\n")
        yield command, shown


def check_page(page: Path) -> int:
    """Run all blocks of a page in this folder, and compare what they print; the number of commands that were run.

    ``...`` in what is shown stands for anything. Where nothing is shown, the command must only succeed.
    """
    names: dict[str, Any] = {}
    count = 0
    for language, block in blocks(page):
        if language == "python":
            with redirect_stdout(io.StringIO()):
                exec(compile(block, page.name, "exec"), names)
            continue
        for command, shown in commands(block):
            printed = served(command, shown) if command.startswith("fergus serve") else run(command)
            pattern = re.escape(shown).replace(r"\.\.\.", ".*?").replace(":8000", r":\d+")
            assert not shown or re.fullmatch(pattern, printed, re.DOTALL), f"$ {command}\n{printed}"
            count += 1
    return count


def run(command: str) -> str:
    """What a command of Fergus prints, to both streams; ``cat`` shows a file."""
    from fergus.cli.main import cli

    words = shlex.split(command)
    if words[0] == "cat":
        return Path(words[1]).read_text(encoding="utf-8")
    stdin = ""
    if words[0] == "echo":
        stdin, words = words[1] + "\n", words[3:]
    assert words[0] == "fergus", command
    result = CliRunner().invoke(cli, words[1:], input=stdin, catch_exceptions=False, prog_name="fergus")
    assert result.exit_code == 0, f"$ {command}\n{result.output}"
    return result.output


def served(command: str, shown: str) -> str:
    """The first lines that a server prints; it is stopped when it has printed as many as are shown."""
    words = [sys.executable, "-m", "fergus", *shlex.split(command)[1:], "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        assert server.stdout is not None
        try:
            return "".join(server.stdout.readline() for _ in shown.splitlines() or [""])
        finally:
            server.terminate()
