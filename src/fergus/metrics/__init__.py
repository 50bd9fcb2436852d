"""String and tree accuracies of generated sentences (sections 3.1 and 3.2 of the paper)."""

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
from fergus.metrics.string_accuracy import (
    generation_string_accuracies,
    generation_string_accuracy,
    simple_string_accuracies,
    simple_string_accuracy,
    string_counts,
    string_counts_batch,
)
from fergus.metrics.tree_accuracy import (
    NO_NODE,
    assign_nodes,
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
    "Counts",
    "Operation",
    "align",
    "assign_nodes",
    "count_edits",
    "count_edits_batch",
    "generation_accuracies",
    "generation_string_accuracies",
    "generation_string_accuracy",
    "generation_tree_accuracies",
    "generation_tree_accuracy",
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
