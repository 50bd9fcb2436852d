"""Metrics and counts of errors of judged texts, computed from their references."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from fergus.analysis.score_sources import COUNTS, DEFAULT, LENGTH, Scores, Sources

if TYPE_CHECKING:
    from fergus.analysis.judgements import Judgements, Notice
    from fergus.analysis.references import References
    from fergus.analysis.score_sources import Floats
    from fergus.evaluation.run import Report, Row
    from fergus.metrics.tokenization import Tokenization


def computed_scores(
    judgements: Judgements,
    sources: Sources,
    *,
    item_column: str | None,
    seed: int,
    fewest_errors: bool,
    report: Report,
) -> Scores:
    """What ``sources`` names, for every text that has a reference; see ``metric_scores``."""
    import numpy as np

    from fergus.analysis.judgements import Notice
    from fergus.analysis.references import references_of
    from fergus.evaluation.run import NeedsAllReferences, Options, evaluate
    from fergus.evaluation.selection import chosen_names, make_metrics, unavailable
    from fergus.evaluation.tokenizers import tokenization
    from fergus.metrics.derived import ErrorCount
    from fergus.realize.named_language_model import language_model_of
    from fergus.treebank.parse import load_parser

    parser = None if sources.parser == "none" else cache(lambda: load_parser(sources.parser))
    model = None if sources.language_model == "none" else lambda: language_model_of(sources.language_model)
    how = tokenization(sources.tokenize, lowercase=sources.lowercase, parser=parser)
    given = [name.strip() for part in sources.metrics for name in part.split(",") if name.strip()]
    absent = unavailable(parser=parser, language_model=model)
    names = chosen_names(given if sources.metrics else DEFAULT, unavailable=absent)
    metrics = make_metrics(names, tokenization=how, language_model=model, parser=parser, seed=seed)
    references = references_of(judgements, sources.references, tokenization=how, item_column=item_column)
    for metric in metrics:
        if isinstance(metric, NeedsAllReferences):
            metric.prepare(how.cased(sentence) for sentence in references.sentences if sentence.tokens)
    if parser is not None and any(metric.needs_trees for metric in metrics):
        references = _parsed(references, parser, report)
    kept = [item for item, own in enumerate(references.of_item) if own]
    rows = _rows(judgements, references, kept, how, report)
    options = Options(0, seed=seed)
    kinds = [ErrorCount(name, tokenization=how) for name in COUNTS] if fewest_errors else []
    evaluation = evaluate(["judged"], rows, [*metrics, *kinds], tokenization=how, options=options)
    (result,) = evaluation.systems

    def whole(values: Floats) -> Floats:
        column = np.full(len(judgements.items), np.nan)
        column[kept] = values
        return column

    counts = result.counts.astype(np.float64)
    s, i, d, m = (counts[:, number] for number in range(4))
    counted = dict(zip(COUNTS, (s, i, d, m, i - m, d - m), strict=True))
    counted |= {kind.name: result.scores[kind.name] for kind in kinds}
    predictors = {name: whole(values) for name, values in counted.items()}
    predictors[LENGTH] = whole(result.lengths.astype(np.float64))
    notices = _notices(judgements, references)
    notices += [Notice("metrics", warning) for warning in evaluation.warnings]
    return Scores(
        {metric.name: whole(result.scores[metric.name]) for metric in metrics},
        predictors,
        tuple(metric.name for metric in metrics if not metric.higher_is_better),
        {metric.name: result.corpus[metric.name].signature for metric in metrics},
        tuple(notices),
    )


def _rows(
    judgements: Judgements, references: References, kept: Sequence[int], how: Tokenization, report: Report
) -> Iterator[Row]:
    from fergus.evaluation.run import Row
    from fergus.metrics.base import as_sentence

    for done, item in enumerate(kept, 1):
        if done % 500 == 0 or done == len(kept):
            report("metrics", done, len(kept))
        own = tuple(references.sentences[number] for number in references.of_item[item])
        yield Row((as_sentence(judgements.items.texts[item], how),), own, judgements.items.ids[item])


def _parsed(references: References, load: Callable[[], Any], report: Report) -> References:
    """With trees for references that have none: each is parsed once, however many texts it is compared with."""
    sentences = list(references.sentences)
    used = {number for own in references.of_item for number in own}
    bare = [number for number in sorted(used) if sentences[number].tree is None]
    if not bare:
        return references
    parser, size = load(), 200
    for begin in range(0, len(bare), size):
        report("parsing references", begin, len(bare))
        part = bare[begin : begin + size]
        trees = parser.parse_tokens([sentences[number].tokens for number in part])
        for number, tree in zip(part, trees, strict=True):
            sentences[number] = replace(sentences[number], tree=tree, is_parsed=True)
    report("parsing references", len(bare), len(bare))
    return replace(references, sentences=tuple(sentences))


def _notices(judgements: Judgements, references: References) -> list[Notice]:
    from fergus.analysis.judgements import Notice

    if not references.without:
        return []
    names = [judgements.items.ids[item] for item in references.without[:10]]
    more = ", ..." if len(references.without) > 10 else ""
    message = f"texts have no reference, and therefore no scores: {', '.join(names)}{more}"
    return [Notice("no reference", message, len(references.without))]
