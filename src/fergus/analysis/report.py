"""What a report is made of: an analysis, how it was asked for, and whether it kept to its plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from fergus.analysis.many_tests import LEVEL
from fergus.analysis.of_study import SIMULATED, Findings
from fergus.analysis.preregister import AnalysisSettings, check_freeze, check_plan
from fergus.analysis.score_sources import PREDICTORS

if TYPE_CHECKING:
    from fergus.analysis.analyse import Analysis
    from fergus.analysis.judgements import Notice
    from fergus.analysis.plot_style import Drawn
    from fergus.analysis.preregister import Deviation, FreezeCheck

CORRECTION = "holm"
TESTS = ("permutation", "williams", "regression")
"""What decides, by the names that a plan has for it."""


@dataclass(frozen=True)
class PlanCheck:
    """A plan beside the analysis."""

    path: str
    freeze: FreezeCheck
    deviations: tuple[Deviation, ...]

    @property
    def is_kept(self) -> bool:
        """Was it frozen, unchanged since, and followed?"""
        return self.freeze.is_kept and not self.deviations


@dataclass(frozen=True, kw_only=True)
class Report:
    """Everything that the writers of reports know."""

    analysis: Analysis
    """Of ratings; without dimensions if there are none."""
    found: Findings = field(default_factory=Findings)
    """What else a study of ours found."""
    command: str = ""
    date: str = ""
    """Empty: the same analysis gives the same bytes."""
    signatures: Mapping[str, str] = field(default_factory=dict)
    """How the metrics were computed."""
    notices: tuple[Notice, ...] = ()
    """About the metric scores."""
    plan: PlanCheck | None = None

    @cached_property
    def figures(self) -> tuple[Drawn, ...]:
        """Every figure for which there are data, drawn once for the page and the files."""
        from fergus.analysis.plot_style import numbered
        from fergus.analysis.plots import figures_of
        from fergus.analysis.study_plots import study_figures

        return tuple(numbered((*figures_of(self), *study_figures(self.found))))

    def _repr_html_(self) -> str:
        from fergus.analysis.notebook import report_fragment

        return report_fragment(self)

    @property
    def cautions(self) -> tuple[str, ...]:
        """What must be read before any result: that the answers are nobody's."""
        return tuple(f"{n.count:,} {n.kind}: {n.message}." for _, n in self.all_notices if n.kind == SIMULATED)

    @property
    def all_notices(self) -> tuple[tuple[str, Notice], ...]:
        """Every one, with the dimension or question that it is about if it is about one of several."""
        several = len(self.analysis.dimensions) > 1
        own = [(one.dimension if several else "", n) for one in self.analysis.dimensions for n in one.notices]
        shared = [("", notice) for notice in (*self.analysis.notices, *self.notices)]
        return tuple(dict.fromkeys((*shared, *own, *self.found.all_notices)))


def analysis_settings(analysis: Analysis, found: Findings | None = None) -> AnalysisSettings:
    """What was done, for the comparison with a plan."""
    found = found or Findings()
    tests: tuple[str, ...] = TESTS if analysis.metrics else ("permutation",)
    if not any(one.best_regression for one in analysis.dimensions):
        tests = tuple(name for name in tests if name != "regression")
    tests = (
        *(tests if analysis.dimensions else ()),
        *(["turing"] * bool(found.turing)),
        *(["preferences"] * bool(found.preferences)),
        *(["tasks"] * bool(found.tasks)),
    )
    choices = [one.share.crossed for one in found.turing]
    # A task that is compared by several columns has the same solutions each time.
    solved = {one.question: one for one in found.tasks}.values()
    liked = found.preferences
    people = [one.judges for one in analysis.dimensions] + [one.people for one in choices]
    people += [one.people for one in liked]
    items = [one.items for one in analysis.dimensions] + [one.texts for one in choices] + [one.pairs for one in liked]
    judged = [one.judgements for one in analysis.dimensions] + [one.n for one in choices]
    judged += [one.choices for one in liked]
    return AnalysisSettings(
        study=analysis.source,
        dimensions=tuple(one.dimension for one in analysis.dimensions),
        metrics=analysis.metrics,
        tests=tests,
        exclusions=(*(one.reason for one in analysis.settings.exclude), *found.left_out),
        level=LEVEL,
        correction=CORRECTION,
        numbers={
            "participants": max([*people, *(own.people for one in solved for own in one.levels)], default=0),
            "items": max([*items, *(own.seconds.texts for one in solved for own in one.levels)], default=0),
            "judgements": sum(judged) + sum(own.solutions for one in solved for own in one.levels),
        },
    )


def checked_plan(path: Path, analysis: Analysis, found: Findings | None = None) -> PlanCheck:
    """The plan in a file beside what was done."""
    freeze = check_freeze(path)
    return PlanCheck(path.name, freeze, tuple(check_plan(freeze.plan, analysis_settings(analysis, found))))


def title_of(name: str) -> str:
    """A metric's name for people; its own if it is none of ours.

    >>> title_of("rouge_l"), title_of("substitutions"), title_of("mine")
    ('ROUGE-L', 'substitutions (S)', 'mine')
    """
    from fergus.metrics.catalogue import CATALOGUE, metric_class

    if name in PREDICTORS:
        letter = PREDICTORS[name]
        return name if letter == name else f"{name.replace('_', ' ')} ({letter})"
    if name not in CATALOGUE:
        return name
    title = metric_class(name).title
    return title if title.endswith(" (draft)") else title.partition(" (")[0]


def short_of(name: str) -> str:
    """The same where there is little room.

    >>> short_of("simple_tree_accuracy"), short_of("remaining_insertions")
    ('STA', "I'")
    """
    from fergus.metrics.catalogue import CATALOGUE, metric_class

    if name in PREDICTORS or name not in CATALOGUE:
        return PREDICTORS.get(name, name)
    found = metric_class(name)
    # The paper's learned metrics have theirs in a file, with their coefficients.
    return getattr(found, "abbreviation", "") or "".join(word[0] for word in found.title.split())
