"""An evaluation from Python: outputs and references in lists, every metric, one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from fergus.errors import InputError
from fergus.evaluation.result import Evaluation
from fergus.evaluation.run import NeedsAllReferences, Options, rows_of_lists
from fergus.evaluation.run import evaluate as evaluate_rows
from fergus.evaluation.selection import chosen_names, make_metrics, unavailable
from fergus.evaluation.tokenizers import tokenization
from fergus.metrics.base import Reference, Text, as_sentence
from fergus.metrics.significance import SAMPLES, SEED
from fergus.treebank.parse import Parser, load_parser

if TYPE_CHECKING:
    from fergus.lm.model import NgramModel


def evaluate(
    systems: Mapping[str, Sequence[Text]],
    references: Sequence[Sequence[Reference]],
    *,
    metrics: str | Sequence[str] = ("paper", "bleu", "chrf", "ter"),
    tokenize: str = "spaces",
    lowercase: bool = False,
    parser: str | Parser | None = "en",
    language_model: tuple[NgramModel, str] | None = None,
    samples: int = SAMPLES,
    seed: int = SEED,
    compare: bool = False,
    baseline: str | None = None,
) -> Evaluation:
    """Score the outputs of any number of systems.

    ``systems`` has a list of outputs by the name of each system; ``references`` is a list of lists in sacreBLEU's
    manner, each with one reference for every output. An output or a reference is text, a list of tokens, or a
    ``Sentence``; a reference may be an ``OrderedTree``. References without trees are parsed where a metric needs
    trees. ``metrics`` are names and groups as ``fergus evaluate --metrics`` has them; for fluency a
    ``language_model`` is needed, with a name for signatures; ``parser`` may be one that is loaded already.
    """
    if not isinstance(systems, Mapping):
        raise InputError("the systems have no names", remedy='give a dictionary: {"mine": outputs}')
    if isinstance(metrics, str):
        metrics = metrics.split(",")
    if language_model is not None and not isinstance(language_model, tuple):
        raise InputError(f"{language_model!r} is no language model", remedy="give (model, name for signatures)")
    if not systems or not references:
        raise InputError("there is nothing to compare", remedy="give the outputs of a system, and references")
    load = None if parser is None else cache(lambda: load_parser(parser) if isinstance(parser, str) else parser)
    how = tokenization(tokenize, lowercase=lowercase, parser=load)
    names = chosen_names(metrics, unavailable=unavailable(parser=load, language_model=language_model))
    model = None if language_model is None else lambda: language_model
    made = make_metrics(names, tokenization=how, language_model=model, parser=load, seed=seed)
    lists = {
        **{f"system {name}": outputs for name, outputs in systems.items()},
        **{f"reference list {number}": stream for number, stream in enumerate(references, 1)},
    }
    first = len(next(iter(lists.values())))
    for label, sentences in lists.items():
        if isinstance(sentences, str) or len(sentences) != first:
            found = "is a text" if isinstance(sentences, str) else f"has {len(sentences)} sentences"
            remedy = f"give a list with {first} sentences, as the others have"
            raise InputError(f"{label} {found}", remedy=remedy)
    hypotheses = [[as_sentence(given, how) for given in outputs] for outputs in systems.values()]
    by_sentence = [[as_sentence(given, how) for given in row] for row in zip(*references, strict=True)]
    for metric in made:
        if isinstance(metric, NeedsAllReferences):
            metric.prepare(how.cased(reference) for row in by_sentence for reference in row)
    return evaluate_rows(
        list(systems),
        rows_of_lists(hypotheses, by_sentence),
        made,
        parser=load,
        tokenization=how,
        options=Options(samples, seed=seed, has_comparisons=compare, baseline=baseline, keeps_segments=True),
    )
