"""What the realizer returns: the sentence, its scores, and every intermediate result."""

from __future__ import annotations

from dataclasses import dataclass, field

from fergus.core.lattice import Lattice
from fergus.core.notebook import shown
from fergus.core.tree import DependencyTree, OrderedTree


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
    """Node indices of the realization's tree, from the first word to the last; words left out have a place too."""
    scores: Scores
    sentence: OrderedTree
    """The words as they are printed, with their final forms, without those left out, with marks put in."""


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
    """The tree that was given and, after its nodes, the function words that were added."""
    best: tuple[Candidate, ...]
    """The n best, best first, no two with the same words."""
    stages: tuple[str, ...] = ("order",)
    """What was done, in this order."""
    readings: tuple[tuple[tuple[str, float], ...], ...] = field(default=(), repr=False)
    """For every node the words it could have become with their natural-log weights, where there was a choice."""
    inserted: frozenset[int] = field(default=frozenset(), repr=False)
    """Which nodes are function words that were added."""
    labels: tuple[SupertagChoice, ...] = field(default=(), repr=False)
    """For every node the label (``UPOS:relation``) that was filled in, if it was asked for."""
    supertags: tuple[SupertagChoice, ...] = field(default=(), repr=False)
    """For every node its supertag, where the preset chooses supertags."""
    lattice: Lattice | None = field(default=None, repr=False)
    is_wide: bool = field(default=False, repr=False)
    """Whether the lattice also has orders that are pruned for being far from the best."""
    lattice_heads: tuple[int, ...] = field(default=(), repr=False)
    """The head of every node as the lattice has it: an ancestor's, where a node leaves the words of its own."""
    canonical: tuple[int, ...] = field(default=(), repr=False)
    """The node of ``tree`` that each number in the lattice stands for."""
    lm_weight: float = 0.0

    @property
    def order(self) -> tuple[int, ...]:
        """Node indices of the best sentence, first word first."""
        return self.best[0].order

    @property
    def sentence(self) -> OrderedTree:
        """The best sentence."""
        return self.best[0].sentence

    @property
    def tokens(self) -> tuple[str, ...]:
        """The word forms of the best sentence."""
        return self.best[0].sentence.forms

    def tokens_of(self, candidate: Candidate) -> tuple[str, ...]:
        """The word forms of any of the n best."""
        return candidate.sentence.forms

    def _repr_html_(self) -> str:
        return shown("realization_html", self)
