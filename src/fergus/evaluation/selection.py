"""Which metrics an evaluation has: names, groups of names, and files of learned metrics."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fergus.errors import InputError
from fergus.evaluation.adapters import NormalisedModel, ParserTagger
from fergus.metrics.base import Metric
from fergus.metrics.catalogue import CATALOGUE, metric_class
from fergus.metrics.derived import learned_metric, read_model
from fergus.metrics.significance import SEED
from fergus.metrics.tokenization import SPACES, Tokenization

if TYPE_CHECKING:
    from fergus.lm.model import NgramModel
    from fergus.treebank.parse import Parser

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
DEFAULT = ("paper", "peers")


def chosen_names(given: Sequence[str], *, unavailable: Collection[str] = ()) -> tuple[str, ...]:
    """Names and files, groups replaced by what they stand for, each once, in the order given.

    Groups leave out what is ``unavailable``, except a group that would then be empty.

    >>> chosen_names(["bleu", "string", "bleu"])
    ('bleu', 'simple_string_accuracy', 'generation_string_accuracy')
    """
    names: dict[str, None] = {}
    for name in given:
        if name in GROUPS:
            group = GROUPS[name]
            names.update(dict.fromkeys([member for member in group if member not in unavailable] or group))
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


def unavailable(*, parser: object, language_model: object) -> tuple[str, ...]:
    """The metrics that cannot be had without what is None."""
    return (TAGS if parser is None else ()) + (("fluency",) if language_model is None else ())


def make_metrics(
    names: Sequence[str],
    *,
    tokenization: Tokenization = SPACES,
    language_model: Callable[[], tuple[NgramModel, str]] | None = None,
    parser: Callable[[], Parser] | None = None,
    seed: int = SEED,
) -> list[Metric]:
    """A metric for every name; a language model (with its name) and a tagger are loaded if one asks for them."""

    def make(name: str) -> Metric:
        found = metric_class(name)
        if name == "fluency":
            if language_model is None:
                raise InputError(
                    "fluency needs a language model", remedy="name one (--language-model), or leave fluency out"
                )
            model, label = language_model()
            return _call(found, NormalisedModel(model), model_name=label, tokenization=tokenization)
        if name in TAGS:
            if parser is None:
                raise InputError(f"{name} needs a tagger", remedy="name a parser (--parser), or leave it out")
            tagger = parser()
            random = {"seed": seed} if name == "tag_agreement_scrambled" else {}
            return _call(found, ParserTagger(tagger), tagger_name=tagger.signature, tokenization=tokenization, **random)
        return found(tokenization=tokenization)

    metrics: list[Metric] = []
    for name in names:
        if name.endswith(".toml"):
            if not Path(name).is_file():
                raise InputError("there is no such file", path=name, remedy="name a file of a learned metric")
            metrics.append(learned_metric(read_model(name), make, tokenization))
        else:
            metrics.append(make(name))
    every = [metric.name for metric in metrics]
    for name in every:
        if every.count(name) > 1:
            raise InputError(f"two metrics have the name {name}", remedy="rename the one in your file")
    return metrics


def _call(metric: Callable[..., Metric], *arguments: object, **options: object) -> Metric:
    """Metrics that need something have a constructor of their own."""
    return metric(*arguments, **options)
