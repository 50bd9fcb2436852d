"""Models of the WSJ sample for the papers' protocol: trained here, kept in the user's cache, never shipped.

A file's name carries a hash of what went into it: settings, data, and the sources of Fergus.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

import fergus
from fergus.cli.sentences import TextFiles
from fergus.core.tree import OrderedTree
from fergus.grammar.extract import extract
from fergus.grammar.frames import XtagFrames
from fergus.grammar.xtag import read_xtag
from fergus.realize.model import ModelFile, Section, write_model
from fergus.realize.sections import tree_model_section
from fergus.realize.train import describe, train
from fergus.realize.training_settings import DEFAULT_SETTINGS
from fergus.realize.tree_model import TreeModel
from fergus.treebank import read_trees
from held_out import wsj_files
from systems import Progress

SOURCES = ("core", "treebank", "grammar", "lm", "realize")


def wsj_model(data: Path, *, progress: Progress) -> Path:
    """The model of the training files, from the cache or trained now.

    The language model is of the training files and the English text, as for the shipped model.
    """
    files, _ = wsj_files(data)
    text = data / "text-en.txt.xz"
    path = cached("wsj", [*files, text])
    if not path.exists():
        trees = list(read_trees(files))
        keep_model(path, trees, train(trees, text=TextFiles([str(text)], progress), progress=progress))
    return path


def wsj_model_with_xtag(data: Path, base: Path) -> Path:
    """The model ``base`` with the XTAG grammar's supertags: what training with that grammar gives."""
    files, _ = wsj_files(data)
    path = cached("wsj-xtag", [*files, base, *files_below(data / "xtag")])
    if not path.exists():
        trees = list(read_trees(files))
        extracted = extract(trees, frames=XtagFrames(read_xtag(data / "xtag")), relations=False)
        supertags = TreeModel.train(extracted, least=DEFAULT_SETTINGS.least)
        # The grammar changes this section only: the others need not be trained again.
        model = ModelFile(base)
        sections = {name: model.section(name) for name in model.sections}
        keep_model(path, trees, {**sections, "supertag": tree_model_section(supertags)})
    return path


def cached(name: str, inputs: Iterable[Path]) -> Path:
    """Where the model of these inputs is, or will be."""
    package = Path(fergus.__file__).parent
    sources = [f for part in SOURCES for f in files_below(package / part) if f.suffix in {".py", ".txt"}]
    return cache_folder() / f"{name}-{digest([*sources, *inputs], repr(DEFAULT_SETTINGS))}.fergus"


def cache_folder() -> Path:
    """``$XDG_CACHE_HOME/fergus/benchmarks``, by default under ``~/.cache``."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fergus" / "benchmarks"


def files_below(folder: Path) -> list[Path]:
    """The files of a folder at any depth."""
    return [file for file in folder.rglob("*") if file.is_file()]


def digest(files: Iterable[Path], settings: str) -> str:
    """16 hexadecimal digits that change with the settings, and with any file's name or content."""
    total = hashlib.sha256(settings.encode())
    for file in sorted(files):
        total.update(f"\n{file.name} ".encode() + hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()[:16]


def keep_model(path: Path, trees: list[OrderedTree], sections: dict[str, Section]) -> None:
    """Write a model where ``cached`` says, and remove the outdated ones of its name."""
    name = path.stem.rpartition("-")[0]
    for outdated in path.parent.glob(f"{name}-{'[0-9a-f]' * 16}.fergus"):
        outdated.unlink()
    header = {"name": name, "language": "en", "fergus": fergus.__version__, "treebanks": [describe(trees)]}
    write_model(path, header, sections)
