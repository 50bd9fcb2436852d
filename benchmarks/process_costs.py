"""What Fergus costs as a program: whole-process times, peak memory, training time, model size and load time."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bars import FIGURE_2
from fergus.errors import FergusError
from fergus.realize.pipeline import find_model, load
from fergus.treebank import parse_tree, read_trees
from systems import Row

REPEATS = 5

# The memory a child is charged with begins with that of the process it is forked from, so the command is started
# from a small interpreter and not from this one, which holds models and treebanks.
_MEASURE = """
import json, os, sys, time
quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
started = time.perf_counter()
process = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=quiet)
_, status, usage = os.wait4(process, 0)
figures = [time.perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss]
print(json.dumps([*figures, os.waitstatus_to_exitcode(status)]))
"""


def cost_of(command: Sequence[str]) -> dict[str, float]:
    """Run a command to its end, its output thrown away; processor time is that of all its threads."""
    found = subprocess.run(
        [sys.executable, "-I", "-c", _MEASURE, *command], capture_output=True, text=True, check=False
    )
    if found.returncode or json.loads(found.stdout)[-1]:
        raise FergusError(f"{' '.join(command[1:3])} failed: {found.stderr.strip().splitlines()[-1:]}")
    seconds, processor, peak, _ = json.loads(found.stdout)
    unit = 1e6 if sys.platform == "darwin" else 1e6 / 1024  # bytes there, kibibytes elsewhere
    return {"seconds": seconds, "processor_seconds": processor, "peak_megabytes": peak / unit}


def fergus_command() -> str:
    """The ``fergus`` of the running interpreter's environment, else the first on the path."""
    beside = Path(sys.executable).parent / "fergus"
    found = str(beside) if beside.exists() else shutil.which("fergus")
    if found is None:
        raise FergusError("there is no fergus command beside this interpreter; install the package")
    return found


def system_rows(model: str, data: Path, *, quick: bool) -> list[Row]:
    """All costs; with ``quick`` the training is left out."""
    fergus = fergus_command()
    dev = str(data / "ud" / "en_ewt-dev.conllu")
    one_tree = [fergus, "realize", "--model", model, "--tree", FIGURE_2]
    all_trees = [fergus, "realize", "--model", model, "--output", "tokens", "--quiet", dev]
    rows = [
        _best("fergus --help", [fergus, "--help"]),
        _best("fergus realize, one tree", one_tree),
        _once("fergus realize, EWT dev", all_trees),
        _once("fergus realize, EWT dev, bare", [*all_trees, "--bare"]),
        _model_row(model, dev),
    ]
    if not quick:
        with tempfile.TemporaryDirectory() as folder:
            treebank, text = str(data / "ud" / "en_ewt-train.conllu"), str(data / "text-en.txt.xz")
            out = str(Path(folder) / "en.fergus")
            command = [fergus, "train", treebank, "--text", text, "--quiet", "--out", out]
            rows.append(_once("fergus train, EWT train and text", command))
    return rows


def _best(name: str, command: Sequence[str]) -> Row:
    cost_of(command)  # the first run after a change compiles, or fills the file cache
    return Row("system", name, min((cost_of(command) for _ in range(REPEATS)), key=lambda cost: cost["seconds"]))


def _once(name: str, command: Sequence[str]) -> Row:
    try:
        return Row("system", name, cost_of(command))
    except FergusError as error:
        return Row("system", name, {}, str(error))


def _model_row(model: str, dev: str) -> Row:
    """Size, and the time from opening the file to the first sentence with and the first without labels."""
    labelled, bare = next(iter(read_trees(dev))).tree, parse_tree(FIGURE_2)
    times = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        realizer = load(model)
        realizer.realize(labelled)
        realizer.realize(bare)
        times.append(time.perf_counter() - started)
    size = find_model(model).stat().st_size
    return Row("system", "model, from file to first sentences", {"seconds": min(times), "megabytes": size / 1e6})
