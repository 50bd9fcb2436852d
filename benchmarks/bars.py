"""What the figures are measured against: the papers' own (section 3.3), the bars to clear and the aims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Figures = Mapping[str, float]

ACCURACIES = (
    "simple_string_accuracy",
    "generation_string_accuracy",
    "simple_tree_accuracy",
    "generation_tree_accuracy",
)
SMALLER_IS_BETTER = frozenset({"seconds", "peak_megabytes", "megabytes", "p95_ms", "growth_after_the_first_tenth"})


@dataclass(frozen=True)
class Bar:
    """The least that is asked of a row, and the aim, for some or all of its figures."""

    at_least: Figures = field(default_factory=dict)
    aim: Figures = field(default_factory=dict)

    def verdict(self, name: str, value: float) -> str:
        """``aim``, ``bar`` or ``missed``; nothing if nothing is asked of this figure."""
        sign = -1 if name in SMALLER_IS_BETTER else 1
        if name in self.aim and sign * value >= sign * self.aim[name]:
            return "aim"
        if name not in self.at_least:
            return ""
        return "bar" if sign * value >= sign * self.at_least[name] else "missed"


NO_BAR = Bar()


def accuracies(*values: float) -> dict[str, float]:
    """The four accuracies in the order of the tables, or the first of them."""
    return dict(zip(ACCURACIES, values, strict=False))


_WSJ_DEFAULT = Bar(accuracies(0.73, 0.815, 0.815, 0.885), accuracies(0.78, 0.86, 0.86, 0.92))
BARS: dict[tuple[str, str], Bar] = {
    ("ewt-labels", "default"): Bar(
        {**accuracies(0.895, 0.935, 0.94, 0.967), "bleu": 87, "exact_match": 0.67, "sentences_per_second": 500},
        {**accuracies(0.92, 0.955, 0.955, 0.977), "bleu": 90.5, "exact_match": 0.74, "sentences_per_second": 2000},
    ),
    ("ewt-bare", "default"): Bar(accuracies(0.785, 0.86, 0.85, 0.912), accuracies(0.83, 0.89, 0.88, 0.935)),
    ("wsj-100", "default"): _WSJ_DEFAULT,
    ("wsj-24", "default"): _WSJ_DEFAULT,
    ("system", "fergus --help"): Bar({"seconds": 0.15}, {"seconds": 0.1}),
    ("system", "fergus realize, one tree"): Bar({"seconds": 1.5}, {"seconds": 0.7}),
    ("system", "fergus realize, EWT dev"): Bar({"peak_megabytes": 500}, {"peak_megabytes": 200}),
    ("system", "fergus realize, EWT dev, bare"): Bar({"peak_megabytes": 500}, {"peak_megabytes": 200}),
}
"""By test set and system."""

TIMES_JIWER = Bar({"times": 1}, {"times": 5})
"""Our four accuracies beside jiwer's word error rate."""
TIMES_TER = Bar({"times": 50}, {"times": 300})
"""The same beside sacreBLEU's TER."""
STREAM = Bar({"peak_megabytes": 1000})
"""Of an evaluation of a million pairs."""
BOOTSTRAP = Bar({"seconds": 10}, {"seconds": 2})
"""Of a paired bootstrap of 5 systems, 2,000 sentences and all metrics."""
REPORT = Bar({"seconds": 60}, {"seconds": 15})
"""Of the whole analysis of the E2E judgements."""

# Table 2 of the paper, on 100 sentences of WSJ section 20; accuracies of treebank-lr and the times a sentence (186,
# 129 and 517 ms, on the machines of 2000) from Bangalore and Rambow's paper of the same year.
PAPER: dict[str, Figures] = {
    "baseline-lr": {**accuracies(0.41, 0.56, 0.41, 0.63), "sentences_per_second": 1 / 0.186},
    "treebank-lr": {**accuracies(0.529, 0.668), "sentences_per_second": 1 / 0.129},
    "supertag": {**accuracies(0.58, 0.72, 0.65, 0.76), "sentences_per_second": 1 / 0.517},
}
PAPERS_TEST_SETS = frozenset({"wsj-100", "wsj-24"})

FIGURE_2 = "estimate(there was no cost for(phase(the second)))"
FIGURE_2_SENTENCE = "there was no cost estimate for the second phase"
PAPERS_FIGURE_2 = {
    "baseline-lr": "there was estimate for phase the second no cost",
    "supertag": FIGURE_2_SENTENCE,
}
"""What the paper's own models made of it (section 3.3)."""


def paper_of(test_set: str, system: str) -> Figures:
    """The papers' figures for a row, if they have any."""
    return PAPER.get(system.removesuffix(" (XTAG)"), {}) if test_set in PAPERS_TEST_SETS else {}


def margin_bar(better: str, worse: str) -> Bar:
    """Better on all four accuracies, at best by the papers' margins."""
    ours, theirs = paper_of("wsj-100", better), paper_of("wsj-100", worse)
    margins = {name: ours[name] - theirs[name] for name in ACCURACIES if name in ours and name in theirs}
    # The least that is shown as better: with four decimals, a ten-thousandth.
    return Bar(dict.fromkeys(ACCURACIES, 0.0001), margins)
