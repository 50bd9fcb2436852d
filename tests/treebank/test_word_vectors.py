from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fergus.treebank.word_vectors import VectorSettings, word_vectors

# Animals and verbs stand in the same places as one another; nothing else tells them apart.
SENTENCES = [
    [article, animal, verb]
    for article in ("the", "a", "this", "every")
    for animal in ("dog", "cat", "horse")
    for verb in ("barks", "sleeps", "runs")
] * 3


def test_words_in_the_same_places_lie_close() -> None:
    vectors = word_vectors(SENTENCES, settings=VectorSettings(dimension=4))
    row = dict(zip(vectors.words, vectors.matrix, strict=True))

    def cosine(one: str, other: str) -> float:
        return float(row[one] @ row[other] / np.linalg.norm(row[one]) / np.linalg.norm(row[other]))

    assert cosine("dog", "cat") > 0.9
    assert cosine("barks", "runs") > 0.9
    assert cosine("dog", "sleeps") < 0.5


def test_the_same_every_time_and_of_the_asked_spread() -> None:
    settings = VectorSettings(dimension=5, spread=0.5)
    one, other = (word_vectors(SENTENCES, settings=settings) for _ in range(2))
    assert one.words == other.words
    assert (one.matrix == other.matrix).all()
    # The mean square of the components is the square of the spread: rows have length spread * sqrt(dimension).
    assert np.sqrt((one.matrix**2).mean()) == pytest.approx(0.5, rel=1e-4)


def test_text_counts_less_than_the_treebank_and_rare_words_get_no_vector() -> None:
    text = [["zebra", "gallops"]] * 6 + [["rare", "a b"]] * 4
    vectors = word_vectors([["dog", "barks"]] * 2 + [["once"]], text)
    # dog: 2 + 20 * 2 = 42; zebra: 6; "once" is seen once, "rare" four times in text only.
    assert vectors.words == ("barks", "dog", "gallops", "zebra")
    assert word_vectors(SENTENCES, text, settings=VectorSettings(vocabulary=2)).matrix.shape[0] == 2


def test_the_file_is_that_of_word2vec(tmp_path: Path) -> None:
    vectors = word_vectors(SENTENCES, settings=VectorSettings(dimension=3))
    vectors.write(tmp_path / "v.txt")
    first, *rows = (tmp_path / "v.txt").read_text().splitlines()
    assert first == f"{len(vectors.words)} 3"
    assert [row.split(" ")[0] for row in rows] == list(vectors.words)
    assert all(len(row.split(" ")) == 4 for row in rows)
