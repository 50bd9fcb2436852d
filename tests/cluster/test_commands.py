"""Commands with ``--dask``: the same bytes as without, whatever happens to workers."""

from __future__ import annotations

import gc
import os
import re
import shlex
import signal
import subprocess
import time
from pathlib import Path
from shutil import copy

import psutil
import pytest

from fergus.cli.streaming import Job, stream
from fergus.cluster.connect import connected
from fergus.cluster.dask_workers import DaskWorkers
from fergus.treebank import read_trees
from tests.cli.conftest import EXAMPLES, Run
from tests.cli.test_analyse import table
from tests.interrupted import begun

NOBODY = ("tcp://127.0.0.1:1", "127.0.0.1:1")
HOW_TO = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "run-on-a-cluster.md"


def test_realize(run: Run, model: str, small_treebank: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fergus.cli.streaming.CLUSTER_CHUNK", 7)  # 40 sentences in six chunks
    Path("bad.txt").write_text("saw(I her\n")
    command = ["realize", small_treebank, "bad.txt", "--model", model, "--output", "json", "-n", "2", "--keep-going"]
    more = ["--synonyms", EXAMPLES / "synonyms.tsv", "--lexicon", EXAMPLES / "forms.tsv"]
    here, there = (run(*command, *more, "-q", *dask) for dask in ([], ["--dask", address]))
    assert here.exit_code == there.exit_code == 2
    assert there.stdout == here.stdout
    assert there.stdout.count("\n") >= 41
    assert there.stderr == here.stderr


def test_realize_stops_at_the_first_bad_tree(run: Run, model: str, address: str) -> None:
    Path("bad.txt").write_text("saw(I her)\nsaw(I her\n")
    there = run("realize", "bad.txt", "--model", model, "--dask", address, "--out", "out.txt")
    assert there.exit_code == 2
    assert "bad.txt:2" in there.stderr
    assert sorted(path.name for path in Path().iterdir()) == ["bad.txt"]


def test_a_worker_killed_while_realizing(workers: DaskWorkers, model: str, small_treebank: Path) -> None:
    items = list(read_trees(small_treebank)) * 50
    job = Job(model)
    results = stream(items, job, cluster=workers)
    found = [next(results)]
    processes = workers.client.run(os.getpid)
    assert len(processes) == 2
    os.kill(next(iter(processes.values())), signal.SIGKILL)
    found += results
    assert found == list(stream(items[:40], job)) * 50
    workers.client.wait_for_workers(2, timeout=30)


@pytest.mark.usefixtures("folder")
def test_evaluate(run: Run, model: str, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from fergus.treebank.parse import find_parser

    monkeypatch.setattr("fergus.evaluation.run.CHUNK", 2)
    monkeypatch.setattr("sys.argv", ["fergus", "evaluate", "..."])
    metric = "[coefficients]\nsimple_string_accuracy = 1.0\nmoves = -0.1\n"
    Path("mine.toml").write_text(f'format = "fergus-metric"\nversion = 1\nname = "mine"\n{metric}')
    Path("own.udpipe").write_bytes(find_parser("en").read_bytes())  # a parser that only we have
    Path("plain.txt").write_text("There was no cost estimate .\n" * len(Path("mine.txt").read_text().splitlines()))
    command = ["evaluate", "mine.txt", "references.conllu", "plain.txt", "-s", "theirs.txt", "--samples", "20", "-q"]
    command += ["-m", "string,tree,nist,fluency,tag_agreement,mine.toml", "--json", "--html", "a.html"]
    more = ["--parser", "own.udpipe", "--language-model", model]
    here, page = run(*command, *more), Path("a.html").read_bytes()
    there = run(*command, *more, "--dask", address)
    assert here.exit_code == there.exit_code == 0
    assert there.stdout == here.stdout
    assert "given+udpipe:own|" in there.stdout
    assert Path("a.html").read_bytes() == page


def test_train(run: Run, small_treebank: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from fergus.realize.training_settings import Settings

    monkeypatch.setattr("fergus.realize.training_settings.Settings", lambda seed: Settings(seed=seed, bits=12))
    monkeypatch.setattr("fergus.cli.sentences.CHARACTERS_A_CHUNK", 200)
    Path("a.txt").write_text("".join(f"The dog saw {n} cats. It's Ärger <s> no {n % 7} fun.\n" for n in range(40)))
    Path("b.txt").write_text("")
    command = ["train", small_treebank, "--text", "a.txt", "--text", "b.txt", "--text", "a.txt", "-q"]
    assert run(*command, "--out", "here.fergus").exit_code == 0
    assert run(*command, "--out", "there.fergus", "--dask", address).exit_code == 0
    assert Path("there.fergus").read_bytes() == Path("here.fergus").read_bytes()


def test_analyse(run: Run, tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fergus.analysis.resample.AT_ONCE", 16)
    path = table(tmp_path / "ratings.csv")
    command = ["analyse", path, "--samples", "100", "--trials", "20", "--json", "-q"]
    here, there = run(*command), run(*command, "--dask", address)
    assert here.exit_code == there.exit_code == 0, there.stderr
    assert there.stdout == here.stdout
    assert '"correlations"' in there.stdout


def test_another_version(run: Run, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fergus.cluster.installed.installed_here", lambda: ("0.0.1", {}))
    result = run("realize", "--tree", "saw(I her)", "--dask", address)
    assert result.exit_code == 2
    assert "and this is 0.0.1; install the same version everywhere" in result.stderr


def test_nobody_answers(fergus_command: str, tmp_path: Path) -> None:
    # In processes of their own: a connection that failed leaves threads behind, which the next one may run into.
    # All at once: each waits for seconds, as a scheduler may be starting.
    command = [fergus_command, "realize", "--tree", "saw(I her)", "--out", "out.txt", "--dask"]
    for address, process in [(address, started([*command, address], tmp_path)) for address in NOBODY]:
        _, told = process.communicate(timeout=60)
        assert process.returncode == 2
        assert f"Error: no Dask scheduler answers at {address}" in told
        assert "or local" in told
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("address", "reason"),
    [("nonsense://127.0.0.1:1", "unknown address scheme"), ("tcp://127.0.0.1", "missing port")],
)
def test_no_address(run: Run, address: str, reason: str) -> None:
    result = run("realize", "--tree", "saw(I her)", "--dask", address, "--out", "out.txt")
    assert result.exit_code == 2
    assert f"Error: no Dask scheduler answers at {address} ({reason}" in result.stderr
    assert "or local" in result.stderr
    assert not list(Path().iterdir())


def started(command: list[str], folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["realize", "--dask", "local:2", "--jobs", "2"], "write --dask local:N"),
        (["realize", "--tree", "a", "--dask", "local:none"], "'none' is no number of workers; write local:2"),
        (["train", "a.conllu", "--out", "a.fergus", "--dask", "local"], "a cluster counts the words of --text"),
    ],
)
def test_options_that_make_no_sense(run: Run, command: list[str], message: str) -> None:
    result = run(*command)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())


def test_an_interrupt_ends_everything(fergus_command: str, small_treebank: Path, model: str, tmp_path: Path) -> None:
    trees = tmp_path / "trees.conllu"
    trees.write_text(small_treebank.read_text() * 2000)
    command = [fergus_command, "realize", "trees.conllu", "-m", model, "--dask", "local:2", "--out", "out.txt"]
    process = begun(command, folder=tmp_path)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers as well
    try:
        _, told = process.communicate(timeout=20)
    except subprocess.TimeoutExpired:  # seen before Dask's watch of the garbage collector was off: press again
        os.killpg(process.pid, signal.SIGINT)
        _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert told == b""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["trees.conllu"]
    deadline = time.monotonic() + 60  # the server of workers sees that we are gone, and goes
    while left := [own for own in psutil.process_iter() if is_of_group(own, process.pid)]:
        assert time.monotonic() < deadline, left
        time.sleep(0.1)


def is_of_group(process: psutil.Process, group: int) -> bool:
    try:
        return os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE
    except (ProcessLookupError, psutil.NoSuchProcess):
        return False


def test_what_the_how_to_shows(run: Run, small_treebank: Path) -> None:
    copy(small_treebank, "trees.conllu")
    (block,) = re.findall(r"^```console\n(.*?)^```", HOW_TO.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    for command, expected in re.findall(r"^\$ fergus (.*)\n((?:[^$].*\n)*)", block, re.MULTILINE):
        result = run(*shlex.split(command))
        pattern = re.escape(expected).replace(r"\.\.\.", ".*?")
        assert re.fullmatch(pattern, result.stdout + result.stderr), result.stderr
    assert Path("sentences.txt").read_bytes() == Path("same.txt").read_bytes()


def test_a_cluster_of_this_machine_is_closed_to_others() -> None:
    from distributed import Client

    before = list(gc.callbacks)
    with connected("local:1") as workers:
        assert workers.is_local
        assert gc.callbacks == before  # Ctrl-C would be lost in one of Dask's
        assert list(workers.map(lambda chunk: chunk + 1, [1])) == [2]
        open_address = workers.client.scheduler.address.replace("tls://", "tcp://")
        with pytest.raises(OSError, match=r"reset|Timed out"):
            Client(open_address, timeout=1, set_as_default=False)
