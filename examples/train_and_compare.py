"""Trains on one treebank and counts how many sentences of another come out exactly, with labels and bare.

python train_and_compare.py TRAIN.conllu DEV.conllu
"""

import sys
import tempfile
from pathlib import Path

import fergus
from fergus.realize.model import write_model
from fergus.realize.train import train


def main() -> None:
    training, held_out = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trained.fergus"
        write_model(path, {"language": "und"}, train(list(fergus.read_trees(training))))
        realizer = fergus.load(path)
        trees = list(fergus.read_trees(held_out))
        for bare in (False, True):
            same = sum(realizer.realize(gold.tree, bare=bare).tokens == gold.forms for gold in trees)
            print(f"{'bare lexemes' if bare else 'with labels'}: {same} of {len(trees)} sentences exactly")


if __name__ == "__main__":
    main()
