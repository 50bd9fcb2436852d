"""What the HTTP API takes and gives, as typed records: they check requests and make the OpenAPI document.

The names of formats, presets, stages and tokenizers are repeated here because the modules that define them load
compiled code, which the server's own process does without; a test compares them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fergus.exchange.written_trees import OUTPUTS
from fergus.web.engine_limits import Limits
from fergus.web.schema import Fault, Said

AUTO = "auto"
FORMATS = ("conllu", "notation", "json", "bracketed", "t1", "t2")
PRESETS = ("default", "supertag", "treebank-lr", "baseline-lr")
STAGES = ("choose", "insert", "inflect", "order", "punctuate")
TOKENIZERS = ("spaces", "13a", "intl", "zh", "char", "parser")
GROUPS = ("paper", "string", "tree", "learned", "draft", "peers", "tags", "all")
TREE = "estimate(there was no cost for(phase(the second)))"
FLUENT = "There was no cost estimate for the second phase"
TOKENS = ("there", "was", "no", "cost", "estimate", "for", "the", "second", "phase")
INPUTS = ("text", "lines", "tokens")

ModelName = Annotated[
    str | None, Said("One of the names at /api/v1/models; null is the first of them.", example="en", most=200)
]
Preset = Annotated[str, Said("Which of the model's realizers to use.", example=PRESETS[0], choices=PRESETS)]
Bare = Annotated[bool, Said("Ignore every label, use lexemes and heads only.", example=False)]


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


@dataclass(frozen=True)
class ParseRequest:
    """Text that is to become dependency trees."""

    text: Annotated[str, Said("The text.", example="There was no cost estimate.", least=1, most=Limits.characters)]
    input: Annotated[
        str,
        Said("Running text, one sentence a line, or one sentence a line with spaces between its tokens.",
             example=INPUTS[0], choices=INPUTS),
    ] = INPUTS[0]  # fmt: skip
    output: Annotated[
        str, Said("How the trees are written; json gives objects.", example="conllu", choices=OUTPUTS)
    ] = "json"
    parser: Annotated[str, Said("A parser that is shipped.", example="en", least=1, most=200)] = "en"


@dataclass(frozen=True)
class ParsedSentence:
    """A sentence and its tree, in the format that was asked for."""

    tokens: Annotated[tuple[str, ...], Said("The words.", example=["There", "was", "no", "cost", "estimate", "."])]
    tree: Annotated[
        object, Said("With json: the tree, as the JSON format of trees has it; /api/v1/realize takes it.")
    ] = None
    conllu: Annotated[str | None, Said("With conllu: the tree as CoNLL-U.")] = None
    notation: Annotated[
        str | None, Said("With notation: the tree in the quick notation.", example="was(There estimate(no cost) .)")
    ] = None


@dataclass(frozen=True)
class ParseResponse:
    """A tree for every sentence."""

    parser: Annotated[str, Said("The parser: model and program.", example="udpipe:en")]
    sentences: Annotated[tuple[ParsedSentence, ...], Said("One for every sentence, in the order of the text.")]


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
    compare: Annotated[bool, Said("Test every system against the first one.", example=False)] = False
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
    mean_interval: Annotated[tuple[float, ...] | None, Said("Its 95% interval.", example=[0.5, 1.0])]
    pooled: Annotated[float | None, Said("From the counts of all sentences together.", example=0.8)]
    pooled_interval: Annotated[tuple[float, ...] | None, Said("Its 95% interval.", example=[0.5, 1.0])]
    sentences: Annotated[int, Said("Sentences that were scored.", example=1)]
    missing: Annotated[int, Said("Sentences for which it is undefined.", example=0)]
    signature: Annotated[str, Said("Everything that the score depends on.", example="metric:bleu|refs:1")]


@dataclass(frozen=True)
class SystemScores:
    """Everything about one system."""

    name: Annotated[str, Said("Its name.", example="mine")]
    scores: Annotated[dict[str, CorpusScore], Said("By the name of the metric.")]
    counts: Annotated[
        dict[str, int | None], Said("Edit operations of all sentences, by their names.", example={"moves": 2})
    ]
    sentences: Annotated[
        tuple[dict[str, object], ...],
        Said("Every sentence's id, edit counts and scores by metric; empty without per_sentence.",
             example=[{"id": "1", "moves": 2, "bleu": 50.0}]),
    ]  # fmt: skip


@dataclass(frozen=True)
class EvaluateResponse:
    """The document that `fergus evaluate --json` writes."""

    format: Annotated[str, Said("What the document is.", example="fergus-evaluation")]
    version: Annotated[int, Said("The version of its format.", example=1)]
    settings: Annotated[dict[str, str], Said("What was set.", example={"tokenization": "spaces"})]
    metrics: Annotated[dict[str, MetricDescription], Said("The metrics by their names.")]
    systems: Annotated[tuple[SystemScores, ...], Said("The systems, as they were given.")]
    comparisons: Annotated[
        tuple[dict[str, object], ...], Said("With compare: differences to the first system, and their p-values.")
    ]


@dataclass(frozen=True)
class ModelDescription:
    """A model that can be asked for."""

    name: Annotated[str, Said("What requests call it.", example="en")]
    language: Annotated[str | None, Said("Its language.", example="en")] = None
    treebanks: Annotated[tuple[str, ...] | None, Said("What it was trained on.", example=["en_ewt-train.conllu"])] = (
        None
    )
    attribution: Annotated[str | None, Said("Whose work it is, and under which licence.", example="CC BY-SA 4.0")] = (
        None
    )
    presets: Annotated[tuple[str, ...] | None, Said("The presets that it has.", example=list(PRESETS))] = None
    error: Annotated[str | None, Said("Why its file cannot be read; then there is nothing else.")] = None


@dataclass(frozen=True)
class ModelsResponse:
    """What the server has; the first model is used where a request names none."""

    models: Annotated[tuple[ModelDescription, ...], Said("The models.")]
    parsers: Annotated[tuple[str, ...], Said("The parsers.", example=["en"])]


@dataclass(frozen=True)
class Problem:
    """Why a request was not answered (RFC 9457)."""

    type: Annotated[str, Said("A page that explains this kind of problem.", example="/api#invalid")]
    title: Annotated[str, Said("The kind of problem.", example="The request is not as it should be")]
    status: Annotated[int, Said("The HTTP status.", example=422)]
    detail: Annotated[str, Said("What is wrong with this request.", example="nbest: 0 is out of bounds")]
    errors: Annotated[tuple[Fault, ...] | None, Said("Everything that is wrong, up to twenty things.")] = None
