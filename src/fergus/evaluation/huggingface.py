"""The metrics as modules of Hugging Face's ``evaluate``; the one module that needs it, and that nothing else imports.

>>> metric = load_metric("generation_string_accuracy")                                        # doctest: +SKIP
>>> metric.compute(predictions=["no cost estimate"], references=["no cost estimate"])         # doctest: +SKIP
{'generation_string_accuracy': 1.0, ...}

``evaluate.load`` reads this file too: ``evaluate.load(fergus.evaluation.huggingface.__file__, "paper")``.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any

from fergus.errors import InputError
from fergus.evaluation.in_memory import evaluate as score
from fergus.evaluation.selection import chosen_names

try:
    import datasets
    import evaluate
except ImportError as error:
    raise ImportError("evaluate is not installed; run: pip install 'fergus[huggingface]'") from error

DEFAULT = "string"
"""The metrics that a module has if no name is given: those that need no trees."""

DESCRIPTION = """\
String and tree accuracies of generated sentences, which count a moved word as one error, the understandability and
quality metrics learned from people's judgements, and the usual peers (BLEU, NIST, chrF, TER, ROUGE-L ...). The name of
the configuration is a metric's or a group's, as `fergus evaluate --metrics` has them: string, tree, paper, bleu ...
"""

INPUTS = """\
Args:
    predictions: sentences, tokens with spaces between them unless `tokenize` says otherwise.
    references: a sentence for every prediction, or a list of sentences, as many for each.
    tokenize: how text becomes tokens (spaces, 13a, intl, char, parser ...).
    lowercase: whether case is ignored.
    parser: what parses references where a metric needs trees: "en", a UDPipe model, "spacy:NAME".
    per_sentence: whether the score of every sentence is given too.
Returns:
    for every metric NAME its score; NAME_mean, over sentences, and NAME_pooled, over all counts; NAME_signature, all
    settings; and NAME_per_sentence if asked for. None is a score that is not defined.
"""

CITATION = """\
@inproceedings{bangalore-etal-2000-evaluation,
    title = "Evaluation Metrics for Generation",
    author = "Bangalore, Srinivas and Rambow, Owen and Whittaker, Steve",
    booktitle = "INLG'2000 Proceedings of the First International Conference on Natural Language Generation",
    year = "2000",
    pages = "1--8",
}
"""


class FergusMetric(evaluate.Metric):  # type: ignore[misc]
    """One metric of ours, or a group of them, by the name of the configuration."""

    def _info(self) -> Any:
        chosen_names([self.asked])  # an unknown name is an error now, not after hours of generation
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description=DESCRIPTION,
            citation=CITATION,
            inputs_description=INPUTS,
            # The first that fits the first pair is taken.
            features=[
                datasets.Features({"predictions": text, "references": datasets.Sequence(text)}),
                datasets.Features({"predictions": text, "references": text}),
            ],
        )

    @property
    def asked(self) -> str:
        """The metric or group."""
        name = self.config_name
        return DEFAULT if name in (None, "default") else str(name)

    def _compute(
        self,
        *,
        predictions: Sequence[str],
        references: Sequence[str | Sequence[str]],
        tokenize: str = "spaces",
        lowercase: bool = False,
        parser: str | None = "en",
        per_sentence: bool = False,
    ) -> dict[str, Any]:
        found = score(
            {"predictions": predictions},
            _in_sets(references),
            metrics=[self.asked],
            tokenize=tokenize,
            lowercase=lowercase,
            parser=parser,
            samples=0,
        )
        (system,) = found.systems
        scores: dict[str, Any] = {}
        for name, corpus in system.corpus.items():
            scores[name] = corpus.score
            scores[f"{name}_mean"], scores[f"{name}_pooled"] = corpus.mean, corpus.pooled
            scores[f"{name}_signature"] = str(corpus.signature)
            if per_sentence:
                every = system.scores[name].tolist()
                scores[f"{name}_per_sentence"] = [None if isnan(value) else value for value in every]
        return scores


def load_metric(name: str = DEFAULT, **options: Any) -> FergusMetric:
    """A metric or a group by its name, without the copying that ``evaluate.load`` does; options are evaluate's."""
    return FergusMetric(config_name=name, **options)


def _in_sets(references: Sequence[str | Sequence[str]]) -> list[list[str]]:
    """A list for every set of references, each with one for every sentence."""
    rows = [[row] if isinstance(row, str) else list(row) for row in references]
    counts = {len(row) for row in rows}
    if len(counts) > 1:
        raise InputError(
            f"sentences have between {min(counts)} and {max(counts)} references",
            remedy="give each as many as the others",
        )
    return [list(column) for column in zip(*rows, strict=True)]
