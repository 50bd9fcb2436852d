"""Which metrics an evaluation has: names, groups of names, and files of learned metrics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fergus.errors import InputError
from fergus.metrics.base import SPACES, Metric, Tokenization
from fergus.metrics.catalogue import CATALOGUE, metric_class
from fergus.metrics.derived import learned_metric, read_model

STRING = ("simple_string_accuracy", "generation_string_accuracy")
TREE = ("simple_tree_accuracy", "generation_tree_accuracy")
LEARNED = ("understandability_accuracy", "quality_accuracy")
TAGS = ("tag_agreement", "tag_agreement_scrambled", "tag_agreement_reference")
DRAFT = ("draft_simple_tree_accuracy", "draft_generation_tree_accuracy")

GROUPS: dict[str, tuple[str, ...]] = {
    "paper": STRING + TREE + LEARNED,
    "string": STRING,
    "tree": TREE,
    "learned": LEARNED,
    "draft": DRAFT,
    "peers": ("bleu", "nist", "chrf", "ter", "rouge_l", "dist", "exact_match", "fluency"),
    "tags": TAGS,
    "all": tuple(CATALOGUE),
}
"""What the groups stand for."""
DEFAULT = GROUPS["paper"] + GROUPS["peers"]

NEEDS_TREES = frozenset(TREE + LEARNED + DRAFT)
NEEDS_TAGGER = frozenset(TAGS)


def chosen_names(given: Sequence[str]) -> tuple[str, ...]:
    """Names and files, groups replaced by what they stand for, each once, in the order given.

    >>> chosen_names(["bleu", "string", "bleu"])
    ('bleu', 'simple_string_accuracy', 'generation_string_accuracy')
    """
    names: dict[str, None] = {}
    for name in given:
        if name in GROUPS:
            names.update(dict.fromkeys(GROUPS[name]))
        elif name.endswith(".toml"):
            names[name] = None
        else:
            try:
                metric_class(name)
            except InputError as error:
                groups = f"groups are {', '.join(GROUPS)}; or a file of a learned metric (.toml)"
                raise InputError(error.problem, remedy=f"{error.remedy}; {groups}") from None
            names[name] = None
    if not names:
        raise InputError("no metric is chosen", remedy=f"the metrics are {', '.join(CATALOGUE)}")
    return tuple(names)


@dataclass(frozen=True)
class Resources:
    """What some metrics cannot do without; each is loaded when the first metric asks for it."""

    language_model: Callable[[], tuple[Any, str]] | None = None
    """Loads a model with ``score`` for fluency, and its name."""
    tagger: Callable[[], Any] | None = None
    """Loads a tagger for tag agreement."""


def make_metrics(
    names: Sequence[str], *, tokenization: Tokenization = SPACES, resources: Resources | None = None
) -> list[Metric]:
    """A metric for every name."""
    resources = resources or Resources()

    def make(name: str) -> Metric:
        if name == "fluency":
            if resources.language_model is None:
                raise InputError("fluency needs a language model", remedy="name one")
            model, label = resources.language_model()
            return _call(metric_class(name), model, label, tokenization=tokenization)
        if name in NEEDS_TAGGER:
            if resources.tagger is None:
                raise InputError(f"{name} needs a tagger", remedy="name a parser")
            return _call(metric_class(name), resources.tagger(), tokenization=tokenization)
        return metric_class(name)(tokenization=tokenization)

    metrics: list[Metric] = []
    for name in names:
        if name.endswith(".toml"):
            if not Path(name).is_file():
                raise InputError("there is no such file", path=name, remedy="name a file of a learned metric")
            metrics.append(learned_metric(read_model(name), make, tokenization))
        else:
            metrics.append(make(name))
    doubled = [metric.name for metric in metrics]
    for name in doubled:
        if doubled.count(name) > 1:
            raise InputError(f"two metrics have the name {name}", remedy="rename the one in your file")
    return metrics


def _call(metric: Callable[..., Metric], *arguments: Any, tokenization: Tokenization) -> Metric:
    return metric(*arguments, tokenization=tokenization)
