"""Compile most inner loops before the tests, each once: the workers of pytest would all compile the same ones."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[1]
DEEP = "buy/VERB:root[Tense=Past](company/NOUN:nsubj[Definite=Def] house/NOUN:obj[Definite=Ind])"
CROWD = f"saw({' '.join('abcdefghijkl')})"
PAIR = ["examples/mine.txt", "examples/references.conllu"]
LANES = (
    (
        ["realize", "--stages", "insert,inflect,punctuate", "--tree", DEEP],
        ["explain", "--tree", "saw(I her)"],
        ["realize", "--tree", CROWD],
    ),
    (
        ["evaluate", *PAIR],
        ["train", PAIR[1], "--out", "{folder}/small.fergus"],
        ["analyse", "examples/judgements.csv", "--references", PAIR[1], "--scale", "1", "7"],
    ),
)
"""Of about the same length, a minute or two."""


def main() -> None:
    """Do it, unless it was done before."""
    if any((ROOT / "src").rglob("*.nbi")):
        return
    print("compiling what tests need ...", flush=True)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(len(LANES)) as pool:
        list(pool.map(lambda lane: run(lane, folder), LANES))


def run(lane: tuple[list[str], ...], folder: str) -> None:
    """One command after the other."""
    for command in lane:
        words = [word.replace("{folder}", folder) for word in command]
        subprocess.run([sys.executable, "-m", "fergus", *words], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)


if __name__ == "__main__":
    main()
