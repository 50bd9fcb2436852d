from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from fergus.core.tree import ROOT, DependencyTree, Node, OrderedTree
from fergus.errors import InputError
from fergus.metrics.segment import Batch, Segment, Sentence
from fergus.metrics.tag_agreement import ReferenceTagAgreement, ScrambledTagAgreement, TagAgreement


class _AfterDeterminer:
    """A tagger for which a word after "the" is a noun, the others verbs."""

    def __init__(self) -> None:
        self.seen: list[list[str]] = []

    def tags(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        self.seen += [list(tokens) for tokens in sentences]
        return [
            ["DET" if t == "the" else "NOUN" if i and s[i - 1] == "the" else "VERB" for i, t in enumerate(s)]
            for s in sentences
        ]


def _tagged(text: str) -> Sentence:
    """From "the/DET walk/NOUN"."""
    pairs = [item.split("/") for item in text.split()]
    return Sentence(tuple(token for token, _ in pairs), tags=tuple(tag for _, tag in pairs))


def _tree(words: list[str], tags: list[str | None]) -> OrderedTree:
    nodes = tuple(
        Node(word, upos=tag, identifier=str(i)) for i, (word, tag) in enumerate(zip(words, tags, strict=True), 1)
    )
    heads = (ROOT, *(0 for _ in words[1:]))
    return OrderedTree(DependencyTree(nodes, heads), tuple(range(len(words))))


GOOD, BAD = _tagged("the/DET walk/NOUN ends/VERB"), _tagged("the/DET walk/VERB ends/VERB")
WALK = _tree(["walks", "the", "dog"], ["VERB", "DET", "NOUN"])


def test_share_of_outputs() -> None:
    metric = TagAgreement(_AfterDeterminer(), tagger_name="rules")
    segments = [Segment(GOOD, (Sentence(("x",)),)), Segment(BAD, (Sentence(("x",)),)), Segment(GOOD, (GOOD, BAD))]
    rows = metric.statistics(Batch(segments))
    assert rows.tolist() == [[1, 1], [0, 1], [1, 1]]
    assert metric.aggregate(rows).mean == metric.aggregate(rows).pooled == pytest.approx(2 / 3)
    assert "|tagger:rules|" in metric.signature()


def test_tags_of_the_nodes() -> None:
    metric = TagAgreement(_AfterDeterminer(), tagger_name="rules")
    assert metric.sentence_score("the dog walks", [WALK]).score == 1
    # "the walks dog": the tagger takes "walks" for a noun, while the tree has a verb.
    assert metric.sentence_score("the walks dog", [WALK]).score == 0


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [
        ("", WALK),
        ("the dog walks away", WALK),
        ("the dog", _tree(["the", "dog"], ["DET", None])),
        ("the dog", "the dog"),
    ],
)
def test_undefined_without_tags(hypothesis: str, reference: OrderedTree | str) -> None:
    tagger = _AfterDeterminer()
    assert TagAgreement(tagger, tagger_name="rules").sentence_score(hypothesis, [reference]).score is None
    assert tagger.seen == []


def test_scrambled_control() -> None:
    tagger = _AfterDeterminer()
    metric = ScrambledTagAgreement(tagger, tagger_name="rules", seed=1)
    long = _tagged("the/DET walk/NOUN ends/VERB in/VERB the/DET park/NOUN")
    batch = Batch([Segment(long, (long,)), Segment(GOOD, (GOOD,)), Segment(long, (long,))])
    rows = metric.statistics(batch)
    # The same tokens come in the same order, wherever they stand, and with their tags.
    assert tagger.seen[0] == tagger.seen[2] != list(long.tokens)
    assert sorted(tagger.seen[0]) == sorted(long.tokens)
    assert rows.tolist() == metric.statistics(batch).tolist()
    assert tagger.seen[:3] == tagger.seen[3:]
    assert "|seed:1|" in metric.signature()


def test_control_loses_what_depends_on_order() -> None:
    sentences = [_tagged(f"the/DET walk/NOUN ends{i}/VERB in/VERB the/DET park/NOUN") for i in range(40)]
    batch = Batch([Segment(sentence, (sentence,)) for sentence in sentences])
    rows = ScrambledTagAgreement(_AfterDeterminer(), tagger_name="rules").statistics(batch)
    assert 0 <= rows[:, 0].mean() < 0.5
    assert TagAgreement(_AfterDeterminer(), tagger_name="rules").statistics(batch)[:, 0].all()


def test_one_token_cannot_be_scrambled() -> None:
    one = _tagged("go/VERB")
    assert ScrambledTagAgreement(_AfterDeterminer(), tagger_name="rules").sentence_score(one, [one]).score == 1


def test_upper_bound_is_the_best_reference() -> None:
    metric = ReferenceTagAgreement(_AfterDeterminer(), tagger_name="rules")
    segments = [Segment(BAD, refs) for refs in [(GOOD,), (BAD,), (BAD, GOOD), (Sentence(("x",)), BAD)]]
    assert metric.statistics(Batch([*segments, Segment(BAD, (Sentence(("x",)),))]))[:4].tolist() == [
        [1, 1],
        [0, 1],
        [1, 1],
        [0, 1],
    ]
    assert metric.sentence_score(GOOD, ["the walk"]).score is None
    assert metric.sentence_score("", [WALK]).score == 1


def test_interchangeable_tags() -> None:
    # Footnote 1: some common ambiguities are no mismatch.
    lenient = TagAgreement(_AfterDeterminer(), tagger_name="rules", interchangeable=[{"NOUN", "VERB"}])
    assert lenient.sentence_score(BAD, ["x"]).score == 1
    assert "|interchangeable:NOUN=VERB|" in lenient.signature()


def test_empty_batches_and_sums() -> None:
    metric = TagAgreement(_AfterDeterminer(), tagger_name="rules")
    assert metric.statistics(Batch([])).shape == (0, 2)
    assert np.isnan(metric.scores(np.zeros((2, 2)), pooled=True)).all()


def test_wrong_numbers() -> None:
    class Silent:
        def tags(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
            return []

    class Splitter:
        def tags(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
            return [["X"] * (len(tokens) + 1) for tokens in sentences]

    with pytest.raises(InputError, match="tagger silent tagged 0 sentences of 1"):
        TagAgreement(Silent(), tagger_name="silent").sentence_score(GOOD, ["x"])
    with pytest.raises(InputError, match=r"tagger splitter gave 4 tags to 3 tokens: 'the walk ends'; it must not"):
        TagAgreement(Splitter(), tagger_name="splitter").sentence_score(GOOD, ["x"])


def test_tags_of_a_parser_s_tree_are_nobody_s() -> None:
    parsed = Sentence(WALK.forms, WALK, is_parsed=True)
    for metric in (TagAgreement, ReferenceTagAgreement):
        tagger = _AfterDeterminer()
        assert metric(tagger, tagger_name="rules").sentence_score("the dog walks", [parsed]).score is None
        assert tagger.seen == []
