"""A tree whose sentence is to be explained, and why it became that sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fergus.web.api_records.names import AUTO, FLUENT, FORMATS, PRESETS, STAGES, TOKENS, TREE, Bare, ModelName, Preset
from fergus.web.api_records.realize import SentenceScores
from fergus.web.api_records.tree import FlatTree, NestedTree
from fergus.web.schema import Said


@dataclass(frozen=True)
class ExplainRequest:
    """A tree whose sentence is to be explained."""

    tree: Annotated[
        object,
        Said("A string in one of the formats, or an object as the JSON format has it.", example=TREE,
             shape=str | FlatTree | NestedTree),
    ]  # fmt: skip
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
        tuple[tuple[str, float], ...], Said("The others: name and probability.", example=[["a.VERB(nsubj *)", 0.2]])
    ]


@dataclass(frozen=True)
class ExplainedCandidate(SentenceScores):
    """One of the best sentences, with the parts of its score."""

    tokens: Annotated[tuple[str, ...], Said("Its word forms.", example=list(TOKENS))]


@dataclass(frozen=True)
class Position:
    """A place that a node could take among its mother and its sisters."""

    items: Annotated[tuple[int, ...], Said("The nodes of the treelet in that order.", example=[1, 0, 2])]
    cost: Annotated[float | None, Said("What the sentence loses; null if the lattice has no such order.", example=2.25)]
    lattice_cost: Annotated[float | None, Said("What of it the lattice's weights lose.", example=2.0)]
    language_model_cost: Annotated[float, Said("What of it the language model loses, weighted.", example=0.25)]


@dataclass(frozen=True)
class Placement:
    """A node with all places that it could take."""

    node: Annotated[int, Said("The node.", example=1)]
    mother: Annotated[int, Said("Its mother.", example=0)]
    positions: Annotated[tuple[Position, ...], Said("The places: the chosen one, then the others by their cost.")]


@dataclass(frozen=True)
class ExplainResponse:
    """Why a tree became this sentence; nodes are numbers in the tree, from 0."""

    text: Annotated[str, Said("The sentence as people write it.", example=FLUENT)]
    tokens: Annotated[tuple[str, ...], Said("Its word forms.", example=list(TOKENS))]
    order: Annotated[tuple[int, ...], Said("Its nodes from the first word to the last.", example=[1, 2, 0])]
    best: Annotated[
        tuple[ExplainedCandidate, ...],
        Said("The best sentence and the second best."),
    ]
    stages: Annotated[tuple[str, ...], Said("What was done.", example=["order"])]
    readings: Annotated[
        tuple[tuple[tuple[str, float], ...], ...],
        Said(
            "Words that each node could be by itself, with log weights; empty if all were given.",
            example=[[["dog", -0.5], ["dogs", -1.0]]],
        ),
    ]
    inserted: Annotated[tuple[int, ...], Said("Nodes that were put in.", example=[9])]
    language_model_weight: Annotated[float, Said("How much the language model's score counts.", example=0.2)]
    labels: Annotated[tuple[ExplainedChoice, ...], Said("Categories and relations that were filled in, by node.")]
    supertags: Annotated[tuple[ExplainedChoice, ...], Said("The supertags, by node.")]
    positions: Annotated[tuple[Placement, ...], Said("For every node below another the positions that it could take.")]
    word_logprob10: Annotated[
        tuple[float, ...], Said("The language model's log10 probability of each word, then of the end.", example=[-2.5])
    ]
    reason: Annotated[str, Said("In words, why the best order beat the second best.", example="It is more probable.")]
