"""What the HTTP API takes and gives when it explains a sentence, as typed records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fergus.web.api_types import AUTO, FLUENT, FORMATS, PRESETS, STAGES, TOKENS, TREE, Bare, ModelName, Preset
from fergus.web.schema import Said


@dataclass(frozen=True)
class ExplainRequest:
    """A tree whose sentence is to be explained."""

    tree: Annotated[
        object, Said("A string in one of the formats, or an object as the JSON format has it.", example=TREE)
    ]
    format: Annotated[
        str, Said("The format of a string; auto goes by its first line.", example=AUTO, choices=(AUTO, *FORMATS))
    ] = AUTO
    model: ModelName = None
    preset: Preset = PRESETS[0]
    stages: Annotated[
        tuple[str, ...] | None,
        Said("What to do; null does what the tree lacks.", example=["inflect"], least=1, most=len(STAGES),
             choices=STAGES),
    ] = None  # fmt: skip
    bare: Bare = False


@dataclass(frozen=True)
class ExplainedChoice:
    """What was chosen for a node, and what else there was."""

    name: Annotated[str, Said("The supertag, or category and relation.", example="a.NOUN")]
    probability: Annotated[float, Said("What the model gives it.", example=0.75)]
    runners_up: Annotated[
        tuple[tuple[object, ...], ...], Said("The others: name and probability.", example=[["a.VERB(nsubj *)", 0.2]])
    ]


@dataclass(frozen=True)
class ExplainResponse:
    """Why a tree became this sentence; nodes are numbers in the tree, from 0."""

    text: Annotated[str, Said("The sentence as people write it.", example=FLUENT)]
    tokens: Annotated[tuple[str, ...], Said("Its word forms.", example=list(TOKENS))]
    order: Annotated[tuple[int, ...], Said("Its nodes from the first word to the last.", example=[1, 2, 0])]
    best: Annotated[
        tuple[dict[str, object], ...],
        Said("The best sentence and the second best: tokens, and the score's parts as /api/v1/realize has them."),
    ]
    stages: Annotated[tuple[str, ...], Said("What was done.", example=["order"])]
    readings: Annotated[
        tuple[object, ...], Said("Words that each node could be by itself, with log weights; empty if all were given.")
    ]
    inserted: Annotated[tuple[int, ...], Said("Nodes that were put in.", example=[9])]
    language_model_weight: Annotated[float, Said("How much the language model's score counts.", example=0.2)]
    labels: Annotated[tuple[ExplainedChoice, ...], Said("Categories and relations that were filled in, by node.")]
    supertags: Annotated[tuple[ExplainedChoice, ...], Said("The supertags, by node.")]
    positions: Annotated[
        tuple[dict[str, object], ...],
        Said("For every node and its mother the positions: items in their order, and what the sentence loses."),
    ]
    word_logprob10: Annotated[
        tuple[float, ...], Said("The language model's log10 probability of each word, then of the end.", example=[-2.5])
    ]
    reason: Annotated[str, Said("In words, why the best order beat the second best.", example="It is more probable.")]
