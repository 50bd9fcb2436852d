"""The test sets: EWT dev, and every tenth file of the WSJ sample, every tree shuffled before it is realized."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fergus.core.tree import DependencyTree, OrderedTree
from fergus.treebank import read_trees, treebank_files

SHUFFLE_SEED = 20
SAMPLE_SEED = 2000
SAMPLE_SIZE = 100
LONGEST = 24
"""Words (punctuation counted) of the paper's longest test sentence."""
EVERY, HELD_OUT = 10, 9
"""Of the WSJ files in the order of their names, number 9, 19, 29 ... counted from 0 are held out."""


@dataclass(frozen=True)
class Shuffled:
    """A sentence, and its tree with the nodes stored in a random order."""

    ordered: OrderedTree
    permutation: tuple[int, ...]
    tree: DependencyTree

    def in_original_numbers(self, order: Iterable[int]) -> tuple[int, ...]:
        """An order of the shuffled tree's nodes as one of the sentence's own."""
        return tuple(self.permutation[node] for node in order)


def shuffled(trees: Iterable[OrderedTree], *, seed: int = SHUFFLE_SEED) -> list[Shuffled]:
    """The trees with their nodes, and with them the daughters of each node, in a random order."""
    generator = random.Random(seed)
    cases = []
    for ordered in trees:
        permutation = list(range(len(ordered.tree)))
        generator.shuffle(permutation)
        cases.append(Shuffled(ordered, tuple(permutation), ordered.tree.permuted(permutation)))
    return cases


def data_folder() -> Path:
    """Where the treebanks are: ``FERGUS_DATA``, or the folder beside the project."""
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    return Path(os.environ.get("FERGUS_DATA") or default)


def ewt_dev(data: Path) -> list[OrderedTree]:
    """The development part of the English Web Treebank."""
    return list(read_trees(data / "ud" / "en_ewt-dev.conllu"))


def wsj_files(data: Path) -> tuple[list[Path], list[Path]]:
    """The files of the WSJ sample for training, and those held out."""
    files = treebank_files(data / "ptb-sample")
    held_out = files[HELD_OUT::EVERY]
    return [file for file in files if file not in set(held_out)], held_out


def wsj_held_out(data: Path) -> list[OrderedTree]:
    """The sentences of the held-out files, up to the length that any of the test sets takes."""
    return [ordered for ordered in read_trees(wsj_files(data)[1]) if len(ordered.tree) <= LONGEST + 1]


def wsj_subsets(trees: Sequence[OrderedTree]) -> dict[str, list[int]]:
    """The numbers of the sentences in each test set made of the held-out files."""
    lengths = [len(ordered.tree) for ordered in trees]
    short = [i for i, length in enumerate(lengths) if length <= LONGEST]
    sample = random.Random(SAMPLE_SEED).sample(short, min(SAMPLE_SIZE, len(short)))
    return {
        "wsj-100": sorted(sample),
        "wsj-24": short,
        "wsj-8-25": [i for i, length in enumerate(lengths) if 8 <= length <= 25],
    }


TITLES = {
    "ewt-labels": "EWT dev, with labels",
    "ewt-bare": "EWT dev, bare",
    "wsj-100": f"WSJ sample, bare, {SAMPLE_SIZE} random sentences of at most {LONGEST} words (seed {SAMPLE_SEED})",
    "wsj-24": f"WSJ sample, bare, all held-out sentences of at most {LONGEST} words",
    "wsj-8-25": "WSJ sample, bare, held-out sentences of 8 to 25 words",
}
