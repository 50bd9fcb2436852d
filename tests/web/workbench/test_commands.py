"""The command lines that pages show, run in a shell: they print what the page shows."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from click.testing import CliRunner

from fergus.cli.main import cli
from fergus.drawing import standalone
from fergus.web.workbench.asked import Asked, commands
from fergus.web.workbench.evaluated import Given, Wanted, command_of
from fergus.web.workbench.examples import EXAMPLES, Example
from fergus.web.workbench.retold import Typed
from tests.web.workbench.conftest import Workbench, command_lines, sentence

QUOTED = 'said("it\'s; echo $HOME `x`" he)'


def run(line: str, folder: Path) -> str:
    """What a command prints in a real shell, which takes as long as it takes."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path}
    shell = ["bash", "-c", line]
    done = subprocess.run(shell, check=False, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_here(line: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The same in this process, for commands with pipes from printf and with && between."""
    monkeypatch.chdir(folder)
    printed = ""
    for part in line.split(" &&\n"):
        words, given = shlex.split(part), ""
        if words[0] == "printf":
            bar = words.index("|")
            words, given = words[bar + 1 :], f"{words[2]}\n"
        assert words[0] == "fergus"
        done = CliRunner().invoke(cli, words[1:], input=given or None)
        assert done.exit_code == 0, done.output
        printed = done.stdout
    return printed


@pytest.mark.parametrize(
    "asked",
    [
        Asked(QUOTED, nbest=2),
        next(one.asked for one in EXAMPLES if one.name == "CoNLL-U with labels"),
    ],
    ids=["quoted", "conllu"],
)
def test_the_sentences(workbench: Workbench, tmp_path: Path, asked: Asked) -> None:
    response = workbench.get(asked.address)
    assert sentence(response)
    shown = [unescape(one) for one in re.findall(r'<th scope="row">(.*?)(?:<details|</th>)', response.text)]
    assert run(command_lines(response)[0], tmp_path).splitlines() == [*shown, ""]


@pytest.mark.parametrize(
    "example", [one for one in EXAMPLES if one.asked.tree.count("\n") == 0], ids=lambda one: one.name
)
def test_the_sentences_of_examples(
    workbench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, example: Example
) -> None:
    response = workbench.get(replace(example.asked, nbest=1).address)
    assert run_here(command_lines(response)[0], tmp_path, monkeypatch) == sentence(response) + "\n"


def test_the_reasons(workbench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    response = workbench.get(Asked("said(he left(they))", preset="supertag").address)
    assert run_here(command_lines(response)[1], tmp_path, monkeypatch).startswith("he said they left\n")


@pytest.mark.parametrize(
    "asked",
    [*(one.asked for one in EXAMPLES), Asked("slept(she)", nbest=20)],
    ids=[*(one.name for one in EXAMPLES), "fewer orders than asked for"],
)
def test_the_lattice(workbench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: Asked) -> None:
    response = workbench.get(asked.address)
    drawn = re.search(r'<svg[^>]* class="fergus-drawing lattice".*?</svg>\n?', response.text, re.DOTALL)
    assert drawn is not None
    run_here(command_lines(response)[2], tmp_path, monkeypatch)
    assert (tmp_path / "lattice.svg").read_text().strip() == standalone(drawn[0]).strip()


def test_text_to_tree_to_text(workbench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    response = workbench.get(Typed("It's  not what you'd 'expect' of them.", bare=True).address)
    printed = run_here(command_lines(response)[0], tmp_path, monkeypatch)
    found = re.findall(r'<th scope="row">([^<]+)</th><td class="number">([^<]+)</td>', response.text)
    scores = {unescape(title): score for title, score in found}
    for title in ("Simple String Accuracy", "Generation Tree Accuracy"):
        figure = re.search(rf"{title}\s*↑?\s+(\S+?)\*?\s", printed)
        assert figure is not None, printed
        assert float(figure[1]) == float(scores[title])


def test_evaluate(workbench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    contents = {"mine.txt": "she saw him\n", "it's.txt": "him saw she\n", "ref.txt": "she saw him\n"}
    for name, content in contents.items():
        (tmp_path / name).write_text(content)
    fields = {"metrics": ["paper"], "samples": "10", "answer": "report.json"}
    files = [("outputs", (name, contents[name])) for name in ("mine.txt", "it's.txt")]
    response = workbench.upload("/workbench/evaluate", fields, [*files, ("references", ("ref.txt", "she saw him\n"))])
    given = [Given(name, content) for name, content in contents.items()]
    wanted = Wanted((given[0], given[1]), (given[2],), metrics=("paper",), samples=10)
    run_here(command_of(wanted, "report.json"), tmp_path, monkeypatch)
    assert json.loads((tmp_path / "report.json").read_text()) == response.json()


def test_every_option_is_in_the_command() -> None:
    asked = Asked("{}", "json", "m", "supertag", ("order", "punctuate"), 3, "tokens", bare=True)
    line = commands(asked, is_notation=False, is_wide=False, model="m.fergus")[0].line
    assert line == (
        "printf '%s\\n' '{}' | fergus realize --input-format json --model m.fergus --preset supertag --bare "
        "--stages order,punctuate --nbest 3 --output tokens --quiet"
    )
    plain = commands(Asked("a", nbest=1), is_notation=True, is_wide=True, model="en")
    assert plain[0].line == "fergus realize --tree a"
    assert plain[2].line == "fergus lattice --tree a --wide --format svg --cut 60 --out lattice.svg"


def test_every_option_of_an_evaluation_is_in_the_command() -> None:
    two = (Given("a.txt", ""), Given("b.txt", ""))
    wanted = Wanted(two, (Given("r.txt", ""),), ("tags",), "13a", lowercase=True, samples=0, compare=True)
    assert command_of(wanted) == (
        "fergus compare a.txt b.txt --references r.txt --metrics tags --tokenize 13a --lowercase --samples 0"
    )
