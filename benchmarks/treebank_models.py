"""Models of single treebanks for experiments: trained here, kept in the user's cache, never shipped."""

from __future__ import annotations

from pathlib import Path

from fergus.cli.progress import progress_bars
from fergus.cli.train import deep_sentences
from fergus.realize.train import train
from fergus.treebank import read_trees
from inflection import exceptions_of, forms_of
from wsj_models import cached, keep_model


def treebank_model(name: str, treebank: Path, *, deep: Path | None = None) -> Path:
    """What ``fergus train TREEBANK [--deep FILE]`` makes, irregular forms told where a table is shipped."""
    path = cached(name, [treebank, *([deep] if deep else []), *forms_of(name)])
    if not path.exists():
        trees = list(read_trees(treebank))
        with progress_bars(shown=True) as progress:
            pairs = deep_sentences(trees, [str(deep)] if deep else [])
            sections = train(trees, deep=pairs, exceptions=exceptions_of(name), progress=progress)
        keep_model(path, trees, sections)
    return path
