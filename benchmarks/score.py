"""The scores of realized sentences against a treebank: the four accuracies, BLEU and exact match."""

from __future__ import annotations

from collections.abc import Sequence

from fergus.core.tree import OrderedTree
from fergus.metrics import (
    generation_accuracies,
    simple_accuracies,
    string_counts_batch,
    tree_counts_batch,
)


def score(references: Sequence[OrderedTree], orders: Sequence[Sequence[int]]) -> dict[str, float]:
    """Score orders of the references' nodes; accuracies are means over sentences, BLEU is of the corpus.

    BLEU (0 to 100) is sacreBLEU's on the tokens as they are; ``exact_match`` (0 to 1) compares tokens,
    so that two equal words may have changed places.
    """
    import sacrebleu

    expected = [reference.forms for reference in references]
    realized = [
        tuple(reference.tree.nodes[node].form for node in order)
        for reference, order in zip(references, orders, strict=True)
    ]
    strings = string_counts_batch(expected, realized)
    trees = tree_counts_batch(references, orders)
    bleu = sacrebleu.corpus_bleu(
        [" ".join(words) for words in realized],
        [[" ".join(words) for words in expected]],
        tokenize="none",
        force=True,
    )
    return {
        "sentences": len(references),
        "simple_string_accuracy": float(simple_accuracies(strings).mean()),
        "generation_string_accuracy": float(generation_accuracies(strings).mean()),
        "simple_tree_accuracy": float(simple_accuracies(trees).mean()),
        "generation_tree_accuracy": float(generation_accuracies(trees).mean()),
        "bleu": float(bleu.score),
        "exact_match": sum(map(tuple.__eq__, expected, realized)) / len(references),
    }
