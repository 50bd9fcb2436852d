"""Outputs that are to be scored, and their scores: the document of ``fergus evaluate --json``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fergus.web.api_records.names import GROUPS, TOKENIZERS
from fergus.web.engine_limits import Limits
from fergus.web.schema import Said


@dataclass(frozen=True)
class EvaluateRequest:
    """Outputs of one system or several, and what they should have been."""

    systems: Annotated[
        dict[str, tuple[str, ...]],
        Said("The sentences of every system, by its name.", example={"mine": ["no cost estimate there was"]},
             least=1, most=Limits.systems, each_most=Limits.sentences),
    ]  # fmt: skip
    references: Annotated[
        tuple[tuple[str, ...], ...] | None,
        Said("Sets of references: each has one sentence for every output; of several sets each metric takes the best.",
             example=[["there was no cost estimate"]], least=1, most=20, each_most=Limits.sentences),
    ] = None  # fmt: skip
    conllu: Annotated[
        str | None, Said("One more set of references, as CoNLL-U: its trees are used and need not be parsed.")
    ] = None
    metrics: Annotated[
        tuple[str, ...],
        Said(f"Names of metrics, and groups of them: {', '.join(GROUPS)}.", example=["paper", "bleu"], least=1,
             most=50, each_most=100),
    ] = ("paper", "bleu", "chrf", "ter")  # fmt: skip
    tokenize: Annotated[str, Said("How texts become tokens.", example="spaces", choices=TOKENIZERS)] = "spaces"
    lowercase: Annotated[bool, Said("Compare without capitals.", example=False)] = False
    parser: Annotated[
        str | None, Said("What parses references without trees; null: nothing does.", example="en", most=200)
    ] = "en"
    samples: Annotated[
        int, Said("Bootstrap samples; 0 for no intervals.", example=100, least=0, most=Limits.samples)
    ] = 1000
    seed: Annotated[int, Said("Where all randomness comes from.", example=12345, least=0, most=2**31 - 1)] = 12345
    compare: Annotated[bool, Said("Test every pair of systems.", example=False)] = False
    per_sentence: Annotated[bool, Said("Give the scores of every sentence too.", example=True)] = True


@dataclass(frozen=True)
class MetricDescription:
    """A metric, and how to read it."""

    title: Annotated[str, Said("Its name.", example="Simple String Accuracy")]
    abbreviation: Annotated[str, Said("Its short name.", example="SSA")]
    higher_is_better: Annotated[bool, Said("Is more better?", example=True)]
    headline: Annotated[str, Said("Which aggregate is usually reported.", example="mean")]
    scale: Annotated[str, Said("Its range.", example="at most 1")]
    signature: Annotated[str, Said("Everything that the score depends on.", example="metric:bleu|refs:1")]


@dataclass(frozen=True)
class CorpusScore:
    """The score of a system by a metric; null where it is undefined."""

    score: Annotated[float | None, Said("The headline: mean or pooled.", example=0.75)]
    mean: Annotated[float | None, Said("The mean over sentences.", example=0.75)]
    mean_interval: Annotated[tuple[float, float] | None, Said("Its 95% interval.", example=[0.5, 1.0])]
    pooled: Annotated[float | None, Said("From the counts of all sentences together.", example=0.8)]
    pooled_interval: Annotated[tuple[float, float] | None, Said("Its 95% interval.", example=[0.5, 1.0])]
    sentences: Annotated[int, Said("Sentences that were scored.", example=1)]
    missing: Annotated[int, Said("Sentences for which it is undefined.", example=0)]
    signature: Annotated[str, Said("Everything that the score depends on.", example="metric:bleu|refs:1")]


@dataclass(frozen=True)
class EditCounts:
    """What the alignment of outputs with references counts; of strings, then of treelets."""

    substitutions: Annotated[int, Said("Tokens that are other ones.", example=1)]
    insertions: Annotated[int, Said("Tokens too many, moved ones among them.", example=1)]
    deletions: Annotated[int, Said("Tokens that are missing, moved ones among them.", example=1)]
    moves: Annotated[int, Said("Tokens that stand elsewhere.", example=1)]
    length: Annotated[int, Said("Tokens of the reference.", example=9)]
    tree_substitutions: Annotated[int | None, Said("The same of treelets; null without trees.", example=1)]
    tree_insertions: Annotated[int | None, Said("The same of treelets; null without trees.", example=1)]
    tree_deletions: Annotated[int | None, Said("The same of treelets; null without trees.", example=1)]
    tree_moves: Annotated[int | None, Said("The same of treelets; null without trees.", example=1)]
    tree_length: Annotated[int | None, Said("The same of treelets; null without trees.", example=9)]


@dataclass(frozen=True)
class SentenceResult(EditCounts):
    """Everything about one sentence of a system; further fields are its scores."""

    id: Annotated[str, Said("Its number, or its sent_id.", example="1")]
    reference_number: Annotated[int, Said("The set of references it was scored against, from 1.", example=1)]
    scores: Annotated[
        dict[str, float | None],
        Said("The score by the metric of that name; null where it is undefined.", is_rest=True),
    ]
    hypothesis: Annotated[str | None, Said("What the system wrote.", example="no cost estimate there was")] = None
    reference: Annotated[str | None, Said("What it should have been.", example="there was no cost estimate")] = None


@dataclass(frozen=True)
class SystemScores:
    """Everything about one system."""

    name: Annotated[str, Said("Its name.", example="mine")]
    scores: Annotated[dict[str, CorpusScore], Said("By the name of the metric.")]
    counts: Annotated[EditCounts, Said("Edit operations of all sentences.")]
    sentences: Annotated[tuple[SentenceResult, ...], Said("Every sentence; empty without per_sentence.")]


@dataclass(frozen=True)
class Comparison:
    """How two systems differ by one metric, and whether that could be chance."""

    metric: Annotated[str, Said("The name of the metric.", example="bleu")]
    aggregate: Annotated[str, Said("Of which of its two scores.", example="mean", choices=("mean", "pooled"))]
    first: Annotated[str, Said("The one system.", example="mine")]
    second: Annotated[str, Said("The other.", example="theirs")]
    difference: Annotated[float, Said("The score of the first less that of the second.", example=0.25)]
    interval: Annotated[tuple[float, float], Said("Its 95% interval, by paired bootstrap.", example=[0.125, 0.375])]
    bootstrap_p: Annotated[float, Said("By paired bootstrap.", example=0.01)]
    randomisation_p: Annotated[float, Said("By approximate randomisation.", example=0.01)]
    corrected_bootstrap_p: Annotated[float, Said("The same, corrected for all pairs by Holm's method.", example=0.02)]
    corrected_randomisation_p: Annotated[
        float, Said("The same, corrected for all pairs by Holm's method.", example=0.02)
    ]


@dataclass(frozen=True)
class EvaluateResponse:
    """The document that `fergus evaluate --json` writes."""

    format: Annotated[str, Said("What the document is.", example="fergus-evaluation")]
    version: Annotated[int, Said("The version of its format.", example=1)]
    settings: Annotated[dict[str, str], Said("What was set.", example={"tokenization": "spaces"})]
    metrics: Annotated[dict[str, MetricDescription], Said("The metrics by their names.")]
    systems: Annotated[tuple[SystemScores, ...], Said("The systems, as they were given.")]
    comparisons: Annotated[
        tuple[Comparison, ...], Said("With compare: the differences of all pairs of systems, and their p-values.")
    ]
