"""What is scored: a hypothesis beside its references, and batches of them whose counts are shared by metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from fergus.core.tree import OrderedTree
from fergus.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fergus.metrics.align import Encoded


@dataclass(frozen=True, slots=True)
class Sentence:
    """The tokens of a hypothesis or of a reference, with whatever is known about them."""

    tokens: tuple[str, ...]
    tree: OrderedTree | None = None
    """The dependency tree of a reference over these very tokens, in their order."""
    nodes: tuple[str, ...] | None = None
    """Of a hypothesis: for every token the identifier of the first reference's node that it realizes, or ''."""
    tags: tuple[str, ...] | None = None
    """Of a hypothesis: the tags that its generator gave the tokens; of a reference: those of its annotator."""
    source: str = ""
    """Where it was read, as ``file:line``, for messages."""
    is_parsed: bool = False
    """Whether the tree is a parser's, so that identifiers in a hypothesis do not mean its nodes."""

    def __post_init__(self) -> None:
        if self.tree is None and self.nodes is None and self.tags is None:
            return  # the usual hypothesis, of which there may be millions
        size = len(self.tokens)
        order = None if self.tree is None else self.tree.order
        for values, what in ((order, "nodes"), (self.nodes, "node names"), (self.tags, "tags")):
            if values is not None and len(values) != size:
                raise InputError(
                    f"{len(values)} {what} for {size} tokens: {self.text[:60]!r}",
                    path=self.source,
                    remedy="give one for every token",
                )

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
    def encoded(self) -> Encoded:
        """The tokens of all pairs as numbers."""
        from fergus.metrics.align import encode

        return encode([r.tokens for _, r in self.pairs], [h.tokens for h, _ in self.pairs])

    @cached_property
    def string_counts(self) -> NDArray[np.int64]:
        """A row a pair: the counts of the string accuracies (fields of ``Counts``)."""
        from fergus.metrics.align import count_encoded

        return count_encoded(self.encoded)

    @cached_property
    def tree_counts(self) -> NDArray[np.int64]:
        """A row a pair: the counts of the tree accuracies; -1 throughout where the reference has no tree."""
        return self._tree_counts(bottom_up=False)

    @cached_property
    def bottom_up_tree_counts(self) -> NDArray[np.int64]:
        """The same by the draft's procedure."""
        return self._tree_counts(bottom_up=True)

    def _tree_counts(self, *, bottom_up: bool) -> NDArray[np.int64]:
        from fergus.metrics.tree_accuracy import count_places

        counts = count_places(self.encoded, self.heads, self.places, bottom_up=bottom_up)
        counts[[reference.tree is None for _, reference in self.pairs]] = -1
        return counts

    @cached_property
    def heads(self) -> NDArray[np.int64]:
        """The place of the head of every word of every pair's reference; -1 for roots, and where is no tree."""
        import numpy as np

        references = [reference for _, reference in self.pairs]
        lists = [r.tree.head_places if r.tree is not None else (-1,) * len(r.tokens) for r in references]
        return np.fromiter(chain.from_iterable(lists), np.int64, len(self.encoded[0]))

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """For every token of every pair's hypothesis the place in the reference that it stands for, or -1."""
        from fergus.metrics.assign_nodes import assign_places, places_of_identifiers

        # Identifiers are those of the first reference's nodes; the other references' words have others.
        firsts = set(self.first_pairs.tolist())
        has_identifiers = [
            h.nodes is not None and not r.is_parsed and row in firsts for row, (h, r) in enumerate(self.pairs)
        ]
        is_wanted = [r.tree is not None and not has for (_, r), has in zip(self.pairs, has_identifiers, strict=True)]
        places = assign_places(self.encoded, self.heads, is_wanted=is_wanted)
        starts = self.encoded[3]
        for row, (hypothesis, reference) in enumerate(self.pairs):
            if reference.tree is not None and hypothesis.nodes is not None and has_identifiers[row]:
                found = places_of_identifiers(reference.tree, hypothesis.nodes, source=hypothesis.source)
                places[starts[row] : starts[row + 1]] = found
        return places

    def places_of(self, pair: int) -> list[int]:
        """The places of one pair's tokens."""
        starts = self.encoded[3]
        found: list[int] = self.places[starts[pair] : starts[pair + 1]].tolist()
        return found
