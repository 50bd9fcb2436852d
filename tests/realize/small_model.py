"""A model trained in a moment on the fixture treebank of forty sentences."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from fergus.core.tree import OrderedTree
from fergus.realize.model import Section
from fergus.realize.train import train
from fergus.realize.training_settings import Settings
from fergus.treebank import read_trees
from fergus.treebank.deep_conversion import deepened

TREEBANK = Path(__file__).parents[1] / "fixtures" / "small.conllu"
SMALL = Settings(bits=14, order_epochs=4, label_epochs=4)


@cache
def treebank() -> tuple[OrderedTree, ...]:
    return tuple(read_trees(TREEBANK))


@cache
def sections() -> dict[str, Section]:
    return trained()


def trained() -> dict[str, Section]:
    return train(treebank(), deep=[deepened(sentence) for sentence in treebank()], settings=SMALL)
