"""What the realizer returns: the sentence, its scores, and every intermediate result."""

from __future__ import annotations

from dataclasses import dataclass, field

from fergus.core.lattice import Lattice
from fergus.core.tree import DependencyTree


@dataclass(frozen=True)
class Scores:
    """The parts of a sentence's score; ``total`` = ``lattice`` + language model weight * its natural log."""

    total: float
    lattice: float = 0.0
    """What the Tree Chooser and the Unraveler give the order, in natural-log units, higher is better."""
    language_model_logprob10: float = 0.0


@dataclass(frozen=True)
class Candidate:
    """One of the n best sentences."""

    order: tuple[int, ...]
    """Node indices of the tree that was given, from the first word to the last."""
    scores: Scores


@dataclass(frozen=True)
class SupertagChoice:
    """The supertag of one node and what it beat."""

    supertag: str
    probability: float
    runners_up: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class Realization:
    """The best sentence for a tree, with the ways that led there."""

    tree: DependencyTree
    best: tuple[Candidate, ...]
    """The n best, best first, no two with the same words."""
    labels: tuple[SupertagChoice, ...] = field(default=(), repr=False)
    """For every node the label (``UPOS:relation``) that was filled in, if it was asked for."""
    supertags: tuple[SupertagChoice, ...] = field(default=(), repr=False)
    """For every node its supertag, where the preset chooses supertags."""
    lattice: Lattice | None = field(default=None, repr=False)
    canonical: tuple[int, ...] = field(default=(), repr=False)
    """The node of ``tree`` that each number in the lattice stands for."""
    lm_weight: float = 0.0

    @property
    def order(self) -> tuple[int, ...]:
        """Node indices of the best sentence, first word first."""
        return self.best[0].order

    @property
    def tokens(self) -> tuple[str, ...]:
        """The word forms of the best sentence."""
        return tuple(self.tree.nodes[i].form for i in self.order)

    def tokens_of(self, candidate: Candidate) -> tuple[str, ...]:
        """The word forms of any of the n best."""
        return tuple(self.tree.nodes[i].form for i in candidate.order)
