"""What is scored: a hypothesis beside its references, and batches of them whose counts are shared by metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from fergus.core.tree import OrderedTree
from fergus.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Sentence:
    """The tokens of a hypothesis or of a reference, with whatever is known about them."""

    tokens: tuple[str, ...]
    tree: OrderedTree | None = None
    """The dependency tree of a reference over these very tokens, in their order."""
    nodes: tuple[str, ...] | None = None
    """Of a hypothesis: for every token the identifier of the reference's node that it realizes, or ''."""
    tags: tuple[str, ...] | None = None
    """Of a hypothesis: the tags that its generator gave the tokens; of a reference: those of its annotator."""
    source: str = ""
    """Where it was read, as ``file:line``, for messages."""

    @property
    def text(self) -> str:
        """The tokens with one space between them."""
        return " ".join(self.tokens)


@dataclass(frozen=True, slots=True)
class Segment:
    """One hypothesis and the references that it is compared with; a metric takes the best of them (footnote 7)."""

    hypothesis: Sentence
    references: tuple[Sentence, ...]
    identifier: str = ""

    def __post_init__(self) -> None:
        if not self.references:
            raise InputError(f"segment {self.identifier or self.hypothesis.text[:40]!r} has no reference")


class Batch:
    """Segments that are counted together; what several metrics need of them is counted once.

    A *pair* is a hypothesis with one of its references; pairs of a segment stand one after the other.
    """

    def __init__(self, segments: Sequence[Segment]) -> None:
        self.segments = segments
        for number, segment in enumerate(segments, 1):
            for reference in segment.references:
                if not reference.tokens and segment.hypothesis.tokens:
                    raise InputError(
                        f"the reference of segment {segment.identifier or number} is empty and the hypothesis is not: "
                        "no score is defined",
                        remedy="leave the segment out, or give it a reference",
                    )

    def __len__(self) -> int:
        return len(self.segments)

    @cached_property
    def pairs(self) -> list[tuple[Sentence, Sentence]]:
        """(hypothesis, reference), segment by segment."""
        return [(segment.hypothesis, reference) for segment in self.segments for reference in segment.references]

    @cached_property
    def first_pairs(self) -> NDArray[np.int64]:
        """The number of every segment's first pair."""
        import numpy as np

        sizes = [len(segment.references) for segment in self.segments]
        return np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes, dtype=np.int64)])[:-1]

    @cached_property
    def string_counts(self) -> NDArray[np.int64]:
        """A row a pair: the counts of the string accuracies (fields of ``Counts``)."""
        from fergus.metrics.align import count_edits_batch

        pairs = self.pairs
        return count_edits_batch([reference.tokens for _, reference in pairs], [h.tokens for h, _ in pairs])

    @cached_property
    def tree_counts(self) -> NDArray[np.int64]:
        """A row a pair: the counts of the tree accuracies; -1 throughout where the reference has no tree."""
        return self._tree_counts(bottom_up=False)

    @cached_property
    def bottom_up_tree_counts(self) -> NDArray[np.int64]:
        """The same by the draft's procedure."""
        return self._tree_counts(bottom_up=True)

    def _tree_counts(self, *, bottom_up: bool) -> NDArray[np.int64]:
        import numpy as np

        from fergus.metrics.tree_accuracy import tree_counts_batch

        counts = np.full((len(self.pairs), 5), -1, np.int64)
        rows = [row for row, (_, reference) in enumerate(self.pairs) if reference.tree is not None]
        if rows:
            trees = [self.pairs[row][1].tree for row in rows]
            counts[rows] = tree_counts_batch(
                [tree for tree in trees if tree is not None],
                [self.assignments[row] for row in rows],
                words=[self.pairs[row][0].tokens for row in rows],
                bottom_up=bottom_up,
            )
        return counts

    @cached_property
    def assignments(self) -> list[tuple[int, ...]]:
        """For every pair the node that each token of the hypothesis stands for; () where there is no tree."""
        from fergus.metrics.assign_nodes import assign_nodes_batch, nodes_of_identifiers

        result: list[tuple[int, ...]] = [()] * len(self.pairs)
        unknown: list[int] = []
        for row, (hypothesis, reference) in enumerate(self.pairs):
            if reference.tree is None:
                continue
            known = nodes_of_identifiers(reference.tree, hypothesis)
            if known is None:
                unknown.append(row)
            else:
                result[row] = known
        if unknown:
            trees = [tree for row in unknown if (tree := self.pairs[row][1].tree) is not None]
            words = [self.pairs[row][0].tokens for row in unknown]
            for row, nodes in zip(unknown, assign_nodes_batch(trees, words), strict=True):
                result[row] = nodes
        return result
