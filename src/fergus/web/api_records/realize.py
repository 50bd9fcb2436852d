"""Trees that are to become sentences, and the sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fergus.web.api_records.names import AUTO, FLUENT, FORMATS, PRESETS, STAGES, TOKENS, TREE, Bare, ModelName, Preset
from fergus.web.api_records.tree import FlatTree, NestedTree
from fergus.web.engine_limits import Limits
from fergus.web.schema import Fault, Said


@dataclass(frozen=True)
class RealizeRequest:
    """Trees that are to become sentences."""

    trees: Annotated[
        str | tuple[object, ...],
        Said(
            "One text with trees in any of the formats, or a list with a tree in each entry: a string in one of the "
            "formats, or an object as the JSON format has it.",
            example=[TREE],
            least=1,
            shape=str | tuple[str | FlatTree | NestedTree, ...],
        ),
    ]
    format: Annotated[
        str,
        Said("The format of trees in strings; auto goes by the first line.", example="auto", choices=(AUTO, *FORMATS)),
    ] = AUTO
    model: ModelName = None
    preset: Preset = PRESETS[0]
    stages: Annotated[
        tuple[str, ...] | None,
        Said("What to do; null does what each tree lacks.", example=["inflect", "punctuate"], least=1, most=len(STAGES),
             choices=STAGES),
    ] = None  # fmt: skip
    bare: Bare = False
    nbest: Annotated[int, Said("How many sentences a tree.", example=1, least=1, most=Limits.nbest)] = 1
    conllu: Annotated[bool, Said("Give every sentence as CoNLL-U too.", example=False)] = False
    keep_going: Annotated[
        bool, Said("Put an error in the place of a tree that cannot be realized, and go on.", example=False)
    ] = False


@dataclass(frozen=True)
class SentenceScores:
    """The parts of a sentence's score; natural logarithms but for the one that says log10."""

    total: Annotated[float, Said("Lattice and language model together; higher is better.", example=-12.25)]
    lattice: Annotated[float, Said("What tree model and ordering model say.", example=-1.5)]
    language_model_logprob10: Annotated[float, Said("The language model's log10 probability.", example=-20.5)]


@dataclass(frozen=True)
class Candidate:
    """One of the n best sentences of a tree."""

    text: Annotated[str, Said("As people write it.", example=FLUENT)]
    tokens: Annotated[tuple[str, ...], Said("The word forms.", example=list(TOKENS))]
    order: Annotated[
        tuple[str | None, ...],
        Said("The ids of the tree's nodes from the first word to the last; null for a word that was put in.",
             example=["2", "3", "4"]),
    ]  # fmt: skip
    scores: Annotated[SentenceScores, Said("How good it is.")]


@dataclass(frozen=True)
class RealizedSentence:
    """What one tree became: the best sentence, or an error in its place."""

    source: Annotated[str, Said("Where the tree stood: `trees:LINE`, or `trees[NUMBER]` of a list.", example="trees:1")]
    sent_id: Annotated[str | None, Said("The tree's sent_id, if it has one.", example="s1")] = None
    text: Annotated[str | None, Said("The best sentence as people write it.", example=FLUENT)] = None
    tokens: Annotated[tuple[str, ...] | None, Said("Its word forms.", example=list(TOKENS))] = None
    order: Annotated[
        tuple[str | None, ...] | None, Said("Its nodes in their order, by their ids.", example=["2", "3", "4"])
    ] = None
    scores: Annotated[SentenceScores | None, Said("How good it is.")] = None
    stages: Annotated[tuple[str, ...] | None, Said("What was done.", example=["order"])] = None
    nbest: Annotated[tuple[Candidate, ...] | None, Said("The n best, best first, if more than one was asked for.")] = (
        None
    )
    conllu: Annotated[str | None, Said("The best sentences as CoNLL-U, if that was asked for.")] = None
    error: Annotated[Fault | None, Said("Why there is no sentence, with keep_going or in a stream.")] = None


@dataclass(frozen=True)
class RealizeResponse:
    """A sentence for every tree, in the order of the request."""

    model: Annotated[str, Said("The model that was used.", example="en")]
    preset: Annotated[str, Said("The preset that was used.", example=PRESETS[0])]
    sentences: Annotated[tuple[RealizedSentence, ...], Said("One for every tree.")]
