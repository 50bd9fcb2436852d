"""The words of a language model and their numbers: 0 is <unk>, 1 is <s>, 2 is </s>, then the words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

UNKNOWN, BEGIN, END = 0, 1, 2
SPECIAL = ("<unk>", "<s>", "</s>")


@dataclass(frozen=True)
class Vocabulary:
    """Words by number; with ``lowercase`` every word is lower-cased before it is looked up."""

    words: tuple[str, ...]
    lowercase: bool = False

    def __post_init__(self) -> None:
        if self.words[:3] != SPECIAL:
            raise ValueError(f"a vocabulary begins with {' '.join(SPECIAL)}, not with {self.words[:3]}")
        if any("\n" in word for word in self.words):
            raise ValueError("a word of a vocabulary has no line break in it")
        if len(self._ids) != len(self.words):
            twice = next(word for number, word in enumerate(self.words) if self._ids[word] != number)
            raise ValueError(f"{twice!r} is in the vocabulary twice")

    @classmethod
    def of(cls, words: Iterable[str], *, lowercase: bool = False) -> Vocabulary:
        """Number ``words`` in their order, after the three special ones; repetitions are dropped."""
        cased = (word.lower() for word in words) if lowercase else words
        return cls(tuple(dict.fromkeys([*SPECIAL, *cased])), lowercase)

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def _text_ids(self) -> dict[str, int]:
        # A "<s>" that stands in a text is an odd word, never the beginning of a sentence.
        return {word: number for word, number in self._ids.items() if word not in SPECIAL}

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return (word.lower() if self.lowercase else word) in self._ids

    def id(self, word: str) -> int:
        """Return the number of ``word``, special words included; 0 for a word that is not here."""
        return self._ids.get(word.lower() if self.lowercase else word, UNKNOWN)

    def encode(self, tokens: Sequence[str]) -> npt.NDArray[np.int32]:
        """Return the numbers of a sentence's tokens, without <s> and </s>."""
        get = self._text_ids.get
        cased = (token.lower() for token in tokens) if self.lowercase else tokens
        return np.array([get(token, UNKNOWN) for token in cased], dtype=np.int32)
