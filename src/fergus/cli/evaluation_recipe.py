"""What an evaluation is made with, in words that another machine can follow: names, and files that go along."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from fergus.cluster.carried import Carried, carried_file

if TYPE_CHECKING:
    from fergus.evaluation.score_rows import Instruments
    from fergus.treebank.parse import Parser


@dataclass(frozen=True)
class Recipe:
    """Metrics, tokenization, parser and language model by their names; None for none."""

    metrics: tuple[str | Carried, ...]
    tokenize: str
    lowercase: bool
    parser: str | Carried | None
    language_model: str | Carried | None
    seed: int

    def __call__(self) -> Instruments:
        """Everything, made; models are loaded where a metric or the tokenization asks for them."""
        from fergus.evaluation.score_rows import Instruments
        from fergus.evaluation.selection import make_metrics
        from fergus.evaluation.tokenizers import tokenization
        from fergus.realize.named_language_model import language_model_of

        parser = None if self.parser is None else _loader(os.fspath(self.parser))
        model = None if self.language_model is None else os.fspath(self.language_model)
        how = tokenization(self.tokenize, lowercase=self.lowercase, parser=parser)
        metrics = make_metrics(
            [os.fspath(name) for name in self.metrics],
            tokenization=how,
            language_model=None if model is None else lambda: language_model_of(model),
            parser=parser,
            seed=self.seed,
        )
        return Instruments(metrics, how, parser)

    def with_files(self) -> Recipe:
        """The same for other machines: files go along, of what is shipped only the name."""
        return replace(
            self,
            metrics=tuple(carried_file(os.fspath(name)) for name in self.metrics),
            parser=None if self.parser is None else carried_file(os.fspath(self.parser)),
            language_model=None if self.language_model is None else carried_file(os.fspath(self.language_model)),
        )


def _loader(name: str) -> Callable[[], Parser]:
    def load() -> Parser:
        from fergus.treebank.parse import load_parser

        return load_parser(name)

    return cache(load)
