"""Small good files of every format, from which broken ones are made: those of the folder ``seeds``, and archives."""

from __future__ import annotations

import io
import sqlite3
import zipfile
from datetime import UTC, datetime
from functools import cache
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

SEEDS = Path(__file__).parent / "seeds"
ROOT = Path(__file__).resolve().parents[1]
STUDIES = ROOT / "src" / "fergus" / "studies" / "examples"
TREEBANK = ROOT / "tests" / "fixtures" / "small.conllu"


@cache
def good(name: str) -> bytes:
    """The file of that name."""
    return (SEEDS / name).read_bytes()


@cache
def files_below(name: str) -> dict[str, bytes]:
    """All files of a folder, by their names within it."""
    paths = sorted(path for path in (SEEDS / name).rglob("*") if path.is_file())
    return {path.relative_to(SEEDS / name).as_posix(): path.read_bytes() for path in paths}


def studies() -> list[bytes]:
    """Study files: a short one, and the examples that come with Fergus."""
    return [good("study/study.yaml"), *(path.read_bytes() for path in sorted(STUDIES.glob("*/study.yaml")))]


@cache
def model() -> bytes:
    """A model file with two sections, as ``write_model`` writes it."""
    import numpy as np

    from fergus.realize.model import Section, write_model

    with TemporaryDirectory() as folder:
        path = Path(folder) / "m.fergus"
        sections = {"default": Section({"margin": 6.0}, {"weights": np.arange(12, dtype=np.int8)}), "empty": Section()}
        write_model(path, {"name": "tiny"}, sections)
        return path.read_bytes()


@cache
def trained_model() -> bytes:
    """A model file with everything that can be learned, from a dozen sentences."""
    from fergus.realize.model import write_model
    from fergus.realize.train import train
    from fergus.realize.training_settings import Settings
    from fergus.treebank import read_trees
    from fergus.treebank.deep_conversion import deepened

    trees = list(islice(read_trees(TREEBANK), 12))
    settings = Settings(bits=8, order_epochs=1, label_epochs=1)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "m.fergus"
        write_model(path, {}, train(trees, deep=[deepened(sentence) for sentence in trees], settings=settings))
        return path.read_bytes()


@cache
def unpacked_model() -> bytes:
    """The same, not compressed, so that a change of one byte is a change of what is stored there."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(model())) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(zipfile.ZipInfo(name), old.read(name))
    return out.getvalue()


@cache
def frozen_plan() -> bytes:
    """What ``fergus plan freeze`` writes beside a plan."""
    from fergus.analysis.preregister import freeze_plan, frozen_path

    with TemporaryDirectory() as folder:
        path = Path(folder) / "plan.toml"
        path.write_bytes(good("plan.toml"))
        freeze_plan(path, now=datetime(2026, 11, 16, tzinfo=UTC))
        return frozen_path(path).read_bytes()


@cache
def database() -> bytes:
    """A database without studies."""
    from fergus.studies.storage.migrate import open_database

    with TemporaryDirectory() as folder:
        path = Path(folder) / "fergus.db"
        open_database(path).close()
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        return path.read_bytes()
