"""Every metric by its name, in the order of presentation; a class is imported when it is asked for."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module

from fergus.errors import InputError
from fergus.metrics.base import Metric

CATALOGUE: dict[str, str] = {
    "simple_string_accuracy": "string_accuracy:SimpleStringAccuracy",
    "generation_string_accuracy": "string_accuracy:GenerationStringAccuracy",
    "simple_tree_accuracy": "tree_accuracy:SimpleTreeAccuracy",
    "generation_tree_accuracy": "tree_accuracy:GenerationTreeAccuracy",
    "understandability_accuracy": "derived:UnderstandabilityAccuracy",
    "quality_accuracy": "derived:QualityAccuracy",
    "draft_simple_tree_accuracy": "tree_accuracy:DraftSimpleTreeAccuracy",
    "draft_generation_tree_accuracy": "tree_accuracy:DraftGenerationTreeAccuracy",
    "bleu": "bleu:Bleu",
    "nist": "nist:Nist",
    "chrf": "chrf:ChrF",
    "ter": "ter:Ter",
    "rouge_l": "pair_peers:RougeL",
    "dist": "pair_peers:Dist",
    "exact_match": "pair_peers:ExactMatch",
    "fluency": "fluency:Fluency",
    "tag_agreement": "tag_agreement:TagAgreement",
    "tag_agreement_scrambled": "tag_agreement:ScrambledTagAgreement",
    "tag_agreement_reference": "tag_agreement:ReferenceTagAgreement",
}
"""From the name of a metric to its module in this package and its class there."""


def metric_names() -> tuple[str, ...]:
    """The names of all metrics, in the order of presentation."""
    return tuple(CATALOGUE)


def metric_class(name: str) -> type[Metric]:
    """The class of the metric of this name.

    >>> metric_class("bleu").title
    'BLEU'
    """
    if name not in CATALOGUE:
        spelling = name.strip().lower().replace("-", "_").replace(" ", "_")
        close = get_close_matches(spelling, CATALOGUE, n=1)
        hint = f"did you mean {close[0]}? " if close else ""
        raise InputError(f"there is no metric {name!r}", remedy=f"{hint}the metrics are {', '.join(CATALOGUE)}")
    module, _, class_name = CATALOGUE[name].partition(":")
    found: type[Metric] = getattr(import_module(f"fergus.metrics.{module}"), class_name)
    return found
