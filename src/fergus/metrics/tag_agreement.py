"""Tag agreement: outputs that a tagger reads as the generator meant them (section 2.1, Table 1, of the second paper).

Hardcastle and Scott (2008) test the grammaticality of generated text by a parser: the share of outputs all
of whose tags by the parser equal the tags by the generator. Beside it stand a control, the same for the
output in random order, and an upper bound, the same for texts written by people and tagged by hand:

    Generated clues 34%    Control set 3%    Human-authored clues 46%

The generator's tags are those that the hypothesis carries. Where it carries none, and every token stands for
a node of the first reference's tree, they are the tags of these nodes: a realizer keeps the tags of its input.
Otherwise, and for an empty hypothesis, the metric is undefined. Tags of a tree that a parser made do not count:
the tagger would be compared with itself.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Protocol

from fergus.errors import InputError
from fergus.metrics.base import PairMetric
from fergus.metrics.segment import Batch, Sentence
from fergus.metrics.tokenization import SPACES, Tokenization

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Tagged = tuple[Sequence[str], Sequence[str]]
"""The tokens of a sentence and the tags that the tagger should find."""


class Tagger(Protocol):
    """Whatever gives tags to tokens."""

    def tags(self, sentences: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
        """The tags of every sentence, one a token, from the same tag set as the generator's."""
        ...


class _TaggedText(PairMetric):
    """What the three have in common: sentences with expected tags, which the tagger finds or does not."""

    scale = "0 to 1"

    def __init__(
        self,
        tagger: Tagger,
        *,
        tagger_name: str,
        interchangeable: Collection[AbstractSet[str]] = (),
        tokenization: Tokenization = SPACES,
    ) -> None:
        """Two tags in one set of ``interchangeable`` are no mismatch (footnote 1: gerunds and adjectives)."""
        super().__init__(tokenization=tokenization)
        self.tagger = tagger
        self.tagger_name = tagger_name
        self.interchangeable = tuple(interchangeable)

    @abstractmethod
    def tagged(self, batch: Batch) -> list[Tagged | None]:
        """For every pair the sentence that is tagged and its expected tags; None where there are none."""

    def pair_statistics(self, batch: Batch) -> NDArray[np.float64]:
        """Columns: whether all tags agree; 1."""
        import numpy as np

        expected = self.tagged(batch)
        rows = np.full((len(expected), 2), np.nan)
        known = [(row, *sentence) for row, sentence in enumerate(expected) if sentence is not None]
        found = self.tagger.tags([tokens for _, tokens, _ in known]) if known else []
        if len(found) != len(known):
            raise InputError(f"tagger {self.tagger_name} tagged {len(found)} sentences of {len(known)}")
        for (row, tokens, tags), found_tags in zip(known, found, strict=True):
            if len(found_tags) != len(tokens):
                raise InputError(
                    f"tagger {self.tagger_name} gave {len(found_tags)} tags to {len(tokens)} tokens: "
                    f"{' '.join(tokens)[:60]!r}",
                    remedy="it must not tokenise the text anew",
                )
            rows[row] = all(map(self._agree, tags, found_tags)), 1
        return rows

    def scores(self, statistics: NDArray[np.float64], *, pooled: bool) -> NDArray[np.float64]:
        """The share of sentences whose tags all agree."""
        import numpy as np

        agreed, count = statistics[..., 0], statistics[..., 1]
        share: NDArray[np.float64] = np.where(count == 0, np.nan, agreed / np.where(count == 0, 1, count))
        return share

    def settings(self) -> dict[str, str]:
        """The tagger, and the tags that are held for one."""
        sets = "+".join("=".join(sorted(tags)) for tags in self.interchangeable)
        return {"tagger": self.tagger_name, **({"interchangeable": sets} if sets else {})}

    def _agree(self, left: str, right: str) -> bool:
        return left == right or any(left in tags and right in tags for tags in self.interchangeable)


class TagAgreement(_TaggedText):
    """The share of hypotheses whose tags by the tagger are those by the generator."""

    name = "tag_agreement"
    title = "Tag agreement"
    abbreviation = "tags"

    def tagged(self, batch: Batch) -> list[Tagged | None]:
        """The hypotheses, each with its first reference: the others say nothing more about it."""
        result: list[Tagged | None] = [None] * len(batch.pairs)
        for row in batch.first_pairs.tolist():
            hypothesis, reference = batch.pairs[row]
            tags = _own_tags(hypothesis)
            if tags is None and reference.tree is not None:
                known, places = _own_tags(reference), batch.places_of(row)
                if known is not None and min(places, default=-1) >= 0:
                    tags = [known[place] for place in places]
            if tags:
                result[row] = hypothesis.tokens, tags
        return result

    def pair_statistics(self, batch: Batch) -> NDArray[np.float64]:
        """The same for all references of a segment."""
        import numpy as np

        first = batch.first_pairs
        return np.repeat(super().pair_statistics(batch)[first], np.diff([*first, len(batch.pairs)]), axis=0)


class ScrambledTagAgreement(TagAgreement):
    """The control: the tokens of each hypothesis in random order, each with its tag.

    The order depends on the seed and the tokens alone. By chance it may be that of the hypothesis; in
    sentences of one token it always is, so that the control is not 0 where there are many of these.
    """

    name = "tag_agreement_scrambled"
    title = "Tag agreement, scrambled (control)"
    abbreviation = "tags (scr.)"
    is_yardstick = True

    def __init__(
        self,
        tagger: Tagger,
        *,
        tagger_name: str,
        seed: int = 12345,
        interchangeable: Collection[AbstractSet[str]] = (),
        tokenization: Tokenization = SPACES,
    ) -> None:
        super().__init__(tagger, tagger_name=tagger_name, interchangeable=interchangeable, tokenization=tokenization)
        self.seed = seed

    def tagged(self, batch: Batch) -> list[Tagged | None]:
        """The scrambled hypotheses."""
        return [None if sentence is None else self._scrambled(*sentence) for sentence in super().tagged(batch)]

    def settings(self) -> dict[str, str]:
        """The seed too."""
        return {**super().settings(), "seed": str(self.seed)}

    def _scrambled(self, tokens: Sequence[str], tags: Sequence[str]) -> Tagged:
        order = list(range(len(tokens)))
        random.Random("\n".join([str(self.seed), *tokens])).shuffle(order)
        return [tokens[place] for place in order], [tags[place] for place in order]


class ReferenceTagAgreement(_TaggedText):
    """The upper bound: the references' tokens tagged, against their annotators' tags; the best of several."""

    name = "tag_agreement_reference"
    title = "Tag agreement of the references (upper bound)"
    abbreviation = "tags (ref.)"
    is_yardstick = True

    def tagged(self, batch: Batch) -> list[Tagged | None]:
        """The references, whatever the hypotheses."""
        return [(r.tokens, tags) if (tags := _own_tags(r)) else None for _, r in batch.pairs]


def _own_tags(sentence: Sentence) -> Sequence[str] | None:
    """The tags that a sentence carries itself, or its tree does; those of a parser's tree are nobody's."""
    if sentence.tags is not None:
        return sentence.tags
    if sentence.tree is None or sentence.is_parsed:
        return None
    tags = [sentence.tree.tree.nodes[node].upos or "" for node in sentence.tree.order]
    return tags if all(tags) else None
