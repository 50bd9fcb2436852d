"""The tables of a report about people and systems: made once, for the terminal, HTML and LaTeX."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fergus.analysis.many_tests import LEVEL, enough_trials
from fergus.analysis.report import title_of
from fergus.analysis.written import NOTHING, counted, figure, general, interval, percent, probability

if TYPE_CHECKING:
    from fergus.analysis.analyse import Analysis, DimensionAnalysis, Settings
    from fergus.analysis.clusters import Compared


@dataclass(frozen=True)
class Table:
    """Cells as text; the first column holds names, the others figures, unless ``words`` lists them."""

    name: str
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    words: tuple[int, ...] = (0,)


def data_table(analysis: Analysis) -> Table:
    """What was judged, by dimension."""
    head = ("dimension", "judgements", "judges", "texts", "inputs", "systems", "lowest", "highest", "mean", "SD")
    rows = tuple(
        (
            one.dimension,
            *(f"{n:,}" for n in (one.judgements, one.judges, one.items, one.inputs, len(one.systems))),
            *(general(value) for value in (one.lowest, one.highest)),
            figure(one.mean, 2),
            figure(one.deviation, 2),
        )
        for one in analysis.dimensions
    )
    return Table("data", "Judgements", head, rows, "Mean and standard deviation of single scores as they were given.")


def agreement_table(one: DimensionAnalysis) -> Table:
    """Every measure of agreement with what it rests on."""
    found, k = one.reliability, one.reliability.intraclass
    texts = f"{one.judgements:,} scores of {one.items:,} texts"
    rows = [
        (
            "Krippendorff’s α, scores as given",
            figure(found.alpha_raw),
            interval(*found.raw.alpha, 2),
            texts,
            "1: full agreement, 0: as by chance",
        ),
        (
            "Krippendorff’s α, normalised",
            figure(found.alpha_normalised),
            interval(*found.normalised.alpha, 2),
            texts,
            "each judge’s mean 0 and SD 1",
        ),
        (
            "ICC(1,1)",
            figure(k.one_way),
            interval(*found.raw.one_way, 2),
            texts,
            "of a single judgement; judges differ from text to text",
        ),
        (
            "ICC(1,k)",
            figure(k.one_way_mean),
            interval(*found.raw.one_way_mean, 2),
            f"k = {figure(k.judges_an_item, 2)}",
            "of the mean of k judgements",
        ),
    ]
    if k.random is not None:
        same = f"{one.judges:,} judges, all texts"
        rows += [
            ("ICC(2,1)", figure(k.random), interval(*found.raw.random, 2), same,
             "of a single judgement; judges are a sample"),
            ("ICC(2,k)", figure(k.random_mean), interval(*found.raw.random_mean, 2), same, "of the mean of all judges"),
            ("ICC(3,1)", figure(k.fixed), interval(*found.raw.fixed, 2), same,
             "of a single judgement; these judges and no others"),
            ("ICC(3,k)", figure(k.fixed_mean), interval(*found.raw.fixed_mean, 2), same, "of the mean of all judges"),
        ]  # fmt: skip
    two, rest = found.pairwise, found.with_others
    rows += [
        ("r of two judges", figure(two.value), interval(two.low, two.high, 2), f"{two.n:,} pairs",
         "mean r, 3 shared texts or more"),
        ("r of a judge with the others", figure(rest.value), interval(rest.low, rest.high, 2), f"{rest.n:,} judges",
         "mean r with the mean of the others"),
        ("human ceiling", figure(found.ceiling), interval(*found.normalised.ceiling, 2), "ICC(1,1), normalised",
         "√ of the reliability of a text’s mean"),
    ]  # fmt: skip
    return Table(
        f"{one.dimension}-agreement", "Agreement of the judges",
        ("measure", "value", "95% interval", "rests on", "meaning"),
        tuple(rows),
        "Krippendorff’s α for interval data; intraclass correlations as Shrout and Fleiss (1979) name them; r is "
        "Pearson’s. The human ceiling is the highest correlation with the mean judgements that a metric could reach, "
        "since the means of few judgements have noise. A judge’s judgements of one text count once. Intervals: "
        "percentiles of resamples of inputs; of mean r, the variance of inputs plus that of judges less that of single "
        "judgements, by Fisher’s z and Student’s t.", (0, 3, 4),
    )  # fmt: skip


def judges_table(one: DimensionAnalysis) -> Table:
    """Each judge beside the others."""
    rows = tuple(
        (
            own.judge, f"{own.judgements:,}", figure(own.mean, 2), figure(own.deviation, 2), figure(own.with_others, 2),
            interval(own.low, own.high, 2), f"{own.shared:,}", percent(own.commonest),
        )
        for own in one.reliability.judges
    )  # fmt: skip
    return Table(
        f"{one.dimension}-judges", "Each judge",
        ("judge", "judgements", "mean", "SD", "r with others", "95% interval", "shared texts", "commonest value"), rows,
        "r with others: Pearson’s r with the mean of the other judges on the texts that others judged too; "
        "interval by Fisher’s z, as if texts were independent; "
        "commonest value: the share of the score that the judge gave most often.",
    )  # fmt: skip


def systems_table(one: DimensionAnalysis, settings: Settings) -> Table:
    """Systems, best first."""
    rows = tuple(
        (
            own.system, f"{own.cluster}" if own.cluster else NOTHING, f"{own.items:,}", f"{own.judgements:,}",
            figure(own.raw, 2), figure(own.normalised, signed=True), interval(own.low, own.high),
            beside_best(own.system, one.systems[0].system, one.system_comparisons),
        )
        for own in one.systems
    )  # fmt: skip
    pairs = len(one.system_comparisons)
    trials = enough_trials(settings.trials, pairs)
    return Table(
        f"{one.dimension}-systems", "Systems",
        ("system", "group", "texts", "judgements", "mean", "normalised", "95% interval", "p beside best"), rows,
        "Mean over texts, of scores as given and of scores with each judge’s mean 0 and SD 1; intervals: "
        f"{settings.samples:,} resamples of inputs and judges. p beside best: paired permutation over the inputs that "
        f"both realize, {trials:,} trials, Holm’s correction for {counted(pairs, 'comparison')}. Group: every system "
        "of a group is significantly better (.05) than all of the groups below; one group may hold some that differ.",
    )  # fmt: skip


def beside_best(name: str, best: str, comparisons: Iterable[Compared]) -> str:
    """The corrected p of one beside the best one."""
    return next((probability(own.corrected_p) for own in comparisons if {own.first, own.second} == {name, best}), "")


def system_pairs_table(one: DimensionAnalysis) -> Table:
    """Every pair of systems."""
    rows = tuple(
        (
            own.first, own.second, figure(own.difference, signed=True), f"{own.inputs:,}", probability(own.p),
            probability(own.corrected_p), better_of(own.first, own.second, own.difference, own.corrected_p),
        )
        for own in one.system_comparisons
    )  # fmt: skip
    head = ("first", "second", "difference", "inputs", "p", "corrected p", "better")
    caption = "Difference of normalised means over the inputs that both realize; p by exchanging their texts."
    return Table(f"{one.dimension}-system-pairs", "Every pair of systems", head, rows, caption, (0, 1, 6))


def between_table(analysis: Analysis) -> Table:
    """How dimensions go together."""
    rows = tuple(
        (first, second, figure(found.value), interval(found.low, found.high), probability(found.p), f"{found.n:,}")
        for (first, second), found in analysis.between_dimensions.items()
    )
    caption = (
        f"Mean normalised judgements of texts. Interval: {analysis.settings.samples:,} resamples of inputs and of the "
        "judges of the second."
    )
    head = ("first", "second", "Pearson’s r", "95% interval", "p", "n texts")
    return Table("between", "Dimensions", head, rows, caption, (0, 1))


def better_of(first: str, second: str, difference: float, p: float) -> str:
    """Which of two is significantly better, if one is."""
    return title_of(first if difference > 0 else second) if p < LEVEL and difference else ""
