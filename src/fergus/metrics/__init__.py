"""String and tree accuracies of generated sentences (section 3 of the paper), learned metrics, and their peers."""

from fergus.metrics.align import (
    Alignment,
    Counts,
    Operation,
    align,
    count_edits,
    count_edits_batch,
    generation_accuracies,
    simple_accuracies,
)
from fergus.metrics.assign_nodes import NO_NODE, assign_nodes
from fergus.metrics.base import CorpusScore, Metric, SentenceScore
from fergus.metrics.bleu import Bleu
from fergus.metrics.catalogue import metric_class, metric_names
from fergus.metrics.chrf import ChrF
from fergus.metrics.derived import QualityAccuracy, UnderstandabilityAccuracy
from fergus.metrics.fluency import Fluency
from fergus.metrics.nist import Nist
from fergus.metrics.pair_peers import Dist, ExactMatch, RougeL
from fergus.metrics.segment import Segment, Sentence
from fergus.metrics.string_accuracy import (
    GenerationStringAccuracy,
    SimpleStringAccuracy,
    generation_string_accuracies,
    generation_string_accuracy,
    sequence_accuracy,
    simple_string_accuracies,
    simple_string_accuracy,
    string_counts,
    string_counts_batch,
)
from fergus.metrics.tag_agreement import ReferenceTagAgreement, ScrambledTagAgreement, TagAgreement
from fergus.metrics.ter import Ter
from fergus.metrics.tokenization import Tokenization
from fergus.metrics.tree_accuracy import (
    DraftGenerationTreeAccuracy,
    DraftSimpleTreeAccuracy,
    GenerationTreeAccuracy,
    SimpleTreeAccuracy,
    generation_tree_accuracies,
    generation_tree_accuracy,
    simple_tree_accuracies,
    simple_tree_accuracy,
    tree_counts,
    tree_counts_batch,
    tree_counts_of_words,
)

__all__ = [
    "NO_NODE",
    "Alignment",
    "Bleu",
    "ChrF",
    "CorpusScore",
    "Counts",
    "Dist",
    "DraftGenerationTreeAccuracy",
    "DraftSimpleTreeAccuracy",
    "ExactMatch",
    "Fluency",
    "GenerationStringAccuracy",
    "GenerationTreeAccuracy",
    "Metric",
    "Nist",
    "Operation",
    "QualityAccuracy",
    "ReferenceTagAgreement",
    "RougeL",
    "ScrambledTagAgreement",
    "Segment",
    "Sentence",
    "SentenceScore",
    "SimpleStringAccuracy",
    "SimpleTreeAccuracy",
    "TagAgreement",
    "Ter",
    "Tokenization",
    "UnderstandabilityAccuracy",
    "align",
    "assign_nodes",
    "count_edits",
    "count_edits_batch",
    "generation_accuracies",
    "generation_string_accuracies",
    "generation_string_accuracy",
    "generation_tree_accuracies",
    "generation_tree_accuracy",
    "metric_class",
    "metric_names",
    "sequence_accuracy",
    "simple_accuracies",
    "simple_string_accuracies",
    "simple_string_accuracy",
    "simple_tree_accuracies",
    "simple_tree_accuracy",
    "string_counts",
    "string_counts_batch",
    "tree_counts",
    "tree_counts_batch",
    "tree_counts_of_words",
]
