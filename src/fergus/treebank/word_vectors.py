"""Word vectors for the parser: positive pointwise mutual information with neighbours, reduced by singular values.

A word's contexts are the frequent words one and two places before and after it, each place by itself, and the
ends of sentences: words that stand in the same places of a sentence get vectors that lie close together, which
is what a parser wants of them (Levy and Goldberg 2014, "Neural word embedding as implicit matrix
factorization"; structured contexts as in Ling and others 2015).
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BOUNDARY, _RARE = -2, -1
_OFFSETS = (-2, -1, 1, 2)
_OVERSAMPLED = 20
_POWER_ITERATIONS = 4


@dataclass(frozen=True)
class VectorSettings:
    """How many words get vectors, and of what kind."""

    dimension: int = 50
    vocabulary: int = 16_000
    contexts: int = 2_500
    """The most frequent words that count as neighbours, in each of the four places."""
    treebank_weight: int = 20
    """How often a word of the treebank counts when the vocabulary is chosen."""
    smoothing: float = 0.75
    """The power of a context's frequency; below 1 it keeps rare contexts from weighing too much."""
    spread: float = 0.577
    """The standard deviation of a component: that of the random vectors that UDPipe gives to other words."""


@dataclass(frozen=True)
class WordVectors:
    """Words, the more important ones first, and a row for each."""

    words: tuple[str, ...]
    matrix: NDArray[np.float32]

    def write(self, path: Path) -> None:
        """The text format of word2vec."""
        with path.open("w", encoding="utf-8", newline="\n") as stream:
            stream.write(f"{len(self.words)} {self.matrix.shape[1]}\n")
            for word, row in zip(self.words, self.matrix.tolist(), strict=True):
                stream.write(f"{word} {' '.join(f'{value:.4f}' for value in row)}\n")


def word_vectors(
    treebank: Sequence[Sequence[str]],
    text: Iterable[Sequence[str]] = (),
    *,
    settings: VectorSettings | None = None,
) -> WordVectors:
    """Vectors of the words of a treebank's sentences and of more sentences beside it."""
    import numpy as np

    settings = settings or VectorSettings()
    numbers, tokens, in_treebank, counts = _numbered(treebank, text)
    words = _vocabulary(numbers, counts, in_treebank, settings)
    place = np.full(len(numbers), _RARE, dtype=np.int64)
    for new, word in enumerate(words):
        place[numbers[word]] = new
    codes = np.frombuffer(tokens, dtype=np.int32).astype(np.int64)
    codes = np.where(codes == _BOUNDARY, _BOUNDARY, place[codes])
    blocks = [_association(codes, offset, len(words), settings) for offset in _OFFSETS]
    matrix = _reduced(blocks, min(settings.dimension, len(words)))
    matrix /= np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-9)
    return WordVectors(words, (matrix * settings.spread * np.sqrt(settings.dimension)).astype(np.float32))


def _numbered(
    treebank: Sequence[Sequence[str]], text: Iterable[Sequence[str]]
) -> tuple[dict[str, int], array[int], Counter[int], Counter[int]]:
    """All tokens as numbers, a boundary before each sentence; the counts of words in the treebank and in all."""
    numbers: dict[str, int] = {}
    tokens = array("i")

    def add(sentences: Iterable[Sequence[str]]) -> Iterator[int]:
        for sentence in sentences:
            tokens.append(_BOUNDARY)
            coded = [numbers.setdefault(word, len(numbers)) for word in sentence]
            tokens.extend(coded)
            yield from coded

    in_treebank = Counter(add(treebank))
    counts = Counter(chain(in_treebank.elements(), add(text)))
    tokens.append(_BOUNDARY)
    return numbers, tokens, in_treebank, counts


def _vocabulary(
    numbers: dict[str, int], counts: Counter[int], in_treebank: Counter[int], settings: VectorSettings
) -> tuple[str, ...]:
    """Words seen twice in the treebank or five times at all; rarer ones teach the parser what an unknown word is."""

    def weight(word: str) -> int:
        return counts[numbers[word]] + settings.treebank_weight * in_treebank[numbers[word]]

    known = [w for w, n in numbers.items() if (in_treebank[n] >= 2 or counts[n] >= 5) and not set(w) & set(" \t\n")]
    return tuple(sorted(known, key=lambda word: (-weight(word), word))[: settings.vocabulary])


def _association(codes: NDArray[np.int64], offset: int, words: int, settings: VectorSettings) -> NDArray[np.float32]:
    """Positive pointwise mutual information of words (rows) and what stands ``offset`` places on (columns)."""
    import numpy as np

    contexts = min(settings.contexts, words)
    neighbours = np.where(codes == _BOUNDARY, contexts, np.where(codes < contexts, codes, _RARE))
    size = len(codes) - abs(offset)
    word, context = codes[:size], neighbours[offset:]
    if offset < 0:
        word, context = codes[-offset:], neighbours[:size]
    is_counted = (word >= 0) & (context >= 0)
    if abs(offset) == 2:  # nothing is counted across the end of a sentence
        is_counted &= codes[1:-1] != _BOUNDARY
    pairs = word[is_counted] * (contexts + 1) + context[is_counted]
    table: Any = np.bincount(pairs, minlength=words * (contexts + 1)).reshape(words, -1).astype(np.float32)
    share = table.sum(axis=0, keepdims=True) ** settings.smoothing
    expected = table.sum(axis=1, keepdims=True) * (share / max(share.sum(), 1e-9))
    np.divide(table, expected, out=table, where=table > 0)
    np.log(table, out=table, where=table > 0)
    np.maximum(table, 0, out=table)
    result: NDArray[np.float32] = table
    return result


def _reduced(blocks: Sequence[NDArray[np.float32]], dimension: int) -> NDArray[np.float32]:
    """The left singular vectors of the blocks side by side, each times the root of its singular value.

    Randomised (Halko and others 2011), with a fixed seed; in single precision, whose last bits depend on how
    many threads the matrix library uses (OPENBLAS_NUM_THREADS).
    """
    import numpy as np

    edges = np.cumsum([0, *(block.shape[1] for block in blocks)])
    spans = [slice(a, b) for a, b in pairwise(edges)]
    width = min(dimension + _OVERSAMPLED, blocks[0].shape[0], int(edges[-1]))

    def times(right: Any) -> Any:
        return sum(block @ right[span] for block, span in zip(blocks, spans, strict=True))

    def transposed_times(left: Any) -> Any:
        return np.concatenate([block.T @ left for block in blocks])

    right: Any = np.random.default_rng(1).standard_normal((int(edges[-1]), width)).astype(np.float32)
    for _ in range(_POWER_ITERATIONS):
        left, _triangle = np.linalg.qr(times(right))
        right, _triangle = np.linalg.qr(transposed_times(left))
    left, _triangle = np.linalg.qr(times(right))
    small = transposed_times(left)
    inner, values, _ = np.linalg.svd(small.T @ small)
    result: NDArray[np.float32] = (left @ inner[:, :dimension]) * values[:dimension] ** 0.25
    return result
