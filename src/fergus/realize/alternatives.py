"""Nodes that can become one of several words, as parallel arcs of the lattice (paper, section 5).

Forms of a lemma, words of one meaning: each alternative of a node is an arc beside the others with its own
weight, wherever the node's arc stands. So order, language model and alternatives are weighed together.

    0 --a (-.1)--> 1                an estimate, not a estimate
    0 --an (-2.3)-> 1
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fergus.core.lattice import Lattice


@dataclass(frozen=True, slots=True)
class Alternative:
    """A word that a node can become."""

    form: str
    logprob: float
    """Natural logarithm of its probability, or any score: higher is better."""


@dataclass(frozen=True)
class Alternatives:
    """The alternatives of all nodes of a tree, one node after the other."""

    forms: tuple[str, ...]
    node: NDArray[np.int32]
    """The node of every alternative."""
    first: NDArray[np.int32]
    """The number of each node's first alternative, with the number of all as the end."""
    weight: NDArray[np.float64]

    @classmethod
    def of(cls, nodes: Sequence[Sequence[Alternative]]) -> Alternatives:
        """Alternatives by node; every node has at least one."""
        empty = next((number for number, choices in enumerate(nodes) if not choices), None)
        if empty is not None:
            raise ValueError(f"node {empty} has no alternative")
        sizes = [len(choices) for choices in nodes]
        return cls(
            tuple(choice.form for choices in nodes for choice in choices),
            np.repeat(np.arange(len(nodes), dtype=np.int32), sizes),
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32),
            np.array([choice.logprob for choices in nodes for choice in choices], np.float64),
        )

    def __len__(self) -> int:
        return len(self.forms)


def with_alternatives(lattice: Lattice, alternatives: Alternatives, *, scale: float = 1.0) -> Lattice:
    """The same orders, each word's arc replaced by one for each of its alternatives, whose numbers are the labels.

    ``scale`` is the weight of the alternatives' scores beside those of the lattice.
    """
    label = np.frombuffer(lattice.label, np.int32)
    is_word = label >= 0
    node = np.where(is_word, label, 0)
    count = np.where(is_word, np.diff(alternatives.first)[node], 1)
    arc = np.repeat(np.arange(len(label)), count)
    end = np.cumsum(count)
    within = np.arange(len(arc)) - np.repeat(end - count, count)
    choice = alternatives.first[node[arc]] + within
    new_label = np.where(is_word[arc], choice, label[arc]).astype(np.int32)
    weight = np.frombuffer(lattice.weight)[arc] + np.where(is_word[arc], scale * alternatives.weight[choice], 0.0)
    part_arcs = np.concatenate([[0], end])[np.frombuffer(lattice.part_arcs, np.int32)]
    return Lattice(
        _ints(part_arcs),
        lattice.part_states,
        _ints(np.frombuffer(lattice.source, np.int32)[arc]),
        _ints(np.frombuffer(lattice.target, np.int32)[arc]),
        _ints(new_label),
        array("d", weight.tobytes()),
    )


def _ints(values: NDArray[np.int64] | NDArray[np.int32]) -> array[int]:
    return array("i", values.astype(np.int32).tobytes())
