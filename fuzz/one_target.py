"""One reader, fuzzed in a process of its own, since a reader may take the process down with it.

    python -m fuzz.one_target NAME FOLDER --seconds 600 [--seed N] [--plain]

Inputs that are findings, the shortest of each name, and ``record.json`` are written into the folder.
"""

from __future__ import annotations

import json
import re
import sys
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from fuzz.outcome import Finding
    from fuzz.targets import Target

TOLD_EVERY = 0.5
LONG_PART = 0.2
INSTRUMENTED = ("fergus", "tomllib")
SOURCES = Path(__file__).resolve().parents[1] / "src"


class Recorder:
    """Gives inputs to the reader, counts, and writes down what it finds as soon as it is found."""

    def __init__(self, target: Target, folder: Path, engine: str) -> None:
        self.target, self.folder, self.engine = target, folder, engine
        self.executions = 0
        self.findings: dict[str, Finding] = {}
        self.started = self.told = time.monotonic()

    def __call__(self, data: bytes) -> None:
        """One input."""
        from fuzz.outcome import check

        self.executions += 1
        found = check(self.target, data)
        if found is not None:
            known = self.findings.get(found.name)
            if known is None or len(found.data) < len(known.data):
                self.findings[found.name] = found
                (self.folder / found.name).write_bytes(found.data)
                self.tell()
        if time.monotonic() - self.told > TOLD_EVERY:
            self.tell()

    def lengthen(self, seconds: float, seed: int) -> None:
        """Begin with long inputs, for a fifth of the time."""
        from fuzz.mutate import prolonged

        seeds, random = self.target.seeds, Random(seed)
        while time.monotonic() - self.started < seconds * LONG_PART:
            self(prolonged(seeds, random))

    def tell(self) -> None:
        """Write how far it is."""
        self.told = time.monotonic()
        record = {
            "target": self.target.name,
            "engine": self.engine,
            "executions": self.executions,
            "seconds": round(self.told - self.started, 1),
            "findings": {name: found.message for name, found in sorted(self.findings.items())},
        }
        (self.folder / "record.json").write_text(json.dumps(record, indent=1), encoding="utf-8")


@click.command()
@click.argument("name")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--seconds", default=600.0)
@click.option("--seed", default=1)
@click.option("--plain", is_flag=True)
def main(*, name: str, folder: Path, seconds: float, seed: int, plain: bool) -> None:
    """Fuzz one reader."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        atheris = None if plain else __import__("atheris")
    except ImportError:
        atheris = None
    if atheris is None:
        _plain(name, folder, seconds, seed)
    else:
        _guided(atheris, name, folder, seconds, seed)


def _plain(name: str, folder: Path, seconds: float, seed: int) -> None:
    from fuzz.mutate import mutated
    from fuzz.outcome import limit_memory
    from fuzz.targets import TARGETS

    target, random = TARGETS[name], Random(seed)
    recorder, seeds = Recorder(target, folder, "plain"), target.seeds
    for data in seeds:
        recorder(data)  # also imports what is imported only when something is read
    limit_memory()
    recorder.started = time.monotonic()
    recorder.lengthen(seconds, seed)
    while time.monotonic() - recorder.started < seconds:
        recorder(mutated(seeds, random))
    recorder.tell()


def _guided(atheris: Any, name: str, folder: Path, seconds: float, seed: int) -> None:
    """By libFuzzer, which prefers inputs that reach lines of ours that no input has reached before."""
    with atheris.instrument_imports(include=list(INSTRUMENTED), exclude=_compiled_modules()):
        from fuzz.mutate import LONGEST, TOKENS
        from fuzz.outcome import limit_memory
        from fuzz.targets import TARGETS

        target = TARGETS[name]
        recorder, seeds = Recorder(target, folder, "atheris"), target.seeds
        for data in seeds:
            recorder(data)
    corpus = folder / "corpus"
    corpus.mkdir(exist_ok=True)
    for number, data in enumerate(seeds):
        (corpus / f"seed-{number}").write_bytes(data)
    words = "\n".join(
        '"' + "".join(f"\\x{byte:02x}" for byte in token) + '"' for token in TOKENS if 0 < len(token) <= 32
    )
    (folder / "words.dict").write_text(words + "\n", encoding="ascii")
    limit_memory()
    recorder.started = time.monotonic()
    recorder.lengthen(seconds, seed)
    longest = min(LONGEST, max(4096, 2 * max(map(len, seeds))))
    left = max(1, int(seconds * (1 - LONG_PART)))
    options = [f"-max_total_time={left}", f"-seed={seed}", f"-max_len={longest}", "-timeout=60", "-verbosity=0"]
    options += [f"-dict={folder / 'words.dict'}", f"-artifact_prefix={folder}/", "-rss_limit_mb=4096"]
    atheris.Setup([sys.argv[0], *options, str(corpus)], recorder)
    atheris.Fuzz()


def _compiled_modules() -> list[str]:
    """Modules that numba compiles: it cannot do with what atheris puts between the lines."""
    found = []
    for path in SOURCES.rglob("*.py"):
        if re.search(r"(?m)^@compiled|compiled\(", path.read_text(encoding="utf-8")):
            found.append(".".join(path.relative_to(SOURCES).with_suffix("").parts))
    return found


if __name__ == "__main__":
    main()
