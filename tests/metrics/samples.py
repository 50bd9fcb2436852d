"""Random corpora on which a metric is compared with its reference implementation."""

from __future__ import annotations

import random

from fergus.metrics.segment import Batch, Segment, Sentence

WORDS = [
    "a",
    "the",
    "The",
    "cost",
    "coast",
    "no",
    "n't",
    "was",
    ".",
    ",",
    "(",
    "é",
    "e\u0301",
    "日本",
    "語",
    "🙂",
    "x-y",
    "&amp;",
]


def random_segments(
    count: int, *, seed: int, longest: int = 12, references: int = 1, words: list[str] | None = None
) -> list[Segment]:
    """Segments with 1 to ``references`` references; hypotheses are edited references, or may be empty."""
    rng = random.Random(seed)
    vocabulary = words or WORDS
    segments = []
    for number in range(count):
        target = [rng.choice(vocabulary) for _ in range(rng.randint(1, longest))]
        others = [edited(target, rng, vocabulary) or ["a"] for _ in range(rng.randint(1, references) - 1)]
        hypothesis = [] if rng.random() < 0.03 else edited(target, rng, vocabulary)
        segments.append(segment(hypothesis, [target, *others], str(number)))
    return segments


def edited(tokens: list[str], rng: random.Random, vocabulary: list[str]) -> list[str]:
    """The tokens after a few moves, substitutions, insertions and deletions."""
    result = list(tokens)
    for _ in range(rng.randint(0, 4)):
        kind = rng.randrange(4)
        place = rng.randint(0, len(result))
        if kind == 0:
            length = rng.randint(1, 4)
            piece, result = result[place : place + length], result[:place] + result[place + length :]
            target = rng.randint(0, len(result))
            result[target:target] = piece
        elif kind == 1:
            result[place : place + 1] = [rng.choice(vocabulary)]
        elif kind == 2:
            result[place:place] = [rng.choice(vocabulary)]
        else:
            del result[place : place + 1]
    return result


def segment(hypothesis: list[str], references: list[list[str]], identifier: str = "") -> Segment:
    """A segment of nothing but tokens."""
    return Segment(Sentence(tuple(hypothesis)), tuple(Sentence(tuple(r)) for r in references), identifier)


def batch_of(hypothesis: str, *references: str) -> Batch:
    """One segment, from texts with spaces between the tokens."""
    return Batch([segment(hypothesis.split(), [reference.split() for reference in references])])


def streams(segments: list[Segment]) -> list[list[str | None]]:
    """The references as sacreBLEU takes them: a list a number, None where a segment has no such reference."""
    width = max(len(segment.references) for segment in segments)
    return [[s.references[n].text if n < len(s.references) else None for s in segments] for n in range(width)]
