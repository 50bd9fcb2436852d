"""A language model and a parser as the metrics want them, which know of neither."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fergus.lm.model import NgramModel
from fergus.lm.tokenize import normalise
from fergus.treebank.parse import Parser


@dataclass(frozen=True)
class NormalisedModel:
    """A language model that is shown quotation marks and dashes as it was shown them in training."""

    model: NgramModel

    def score(self, tokens: Sequence[str]) -> Sequence[float]:
        """log10 P of every token, and of the end."""
        return self.model.score([normalise(token) for token in tokens])


@dataclass(frozen=True)
class ParserTagger:
    """The universal tags that a parser gives."""

    parser: Parser

    def tags(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """One tag a token."""
        return self.parser.tag_tokens(sentences)
