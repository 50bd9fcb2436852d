"""Parameter recovery: in how many of 200 simulated studies does a 95% interval hold the truth, and a test its level?

A simulated study has inputs, systems and judges who are drawn anew every time. Judges have a mean and a range of their
own, weigh what makes a text good differently, and are noisy. What is true of a correlation is its value in studies of
the same design with twenty times the inputs (and judges, where each judges a part), averaged over many such studies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click
import numpy as np

from fergus.analysis.beside_parts import beside_parts
from fergus.analysis.compare_metrics import compare_metrics
from fergus.analysis.correlate import LEVELS, MetricTable, correlations
from fergus.analysis.crossed import crossed_mean
from fergus.analysis.judgements import Items, Ratings
from fergus.analysis.mixed_models import rating_model
from fergus.analysis.normalise import normalise
from fergus.analysis.regress import regress
from fergus.analysis.resample import Draw
from fergus.analysis.systems import system_scores

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SAMPLES = 400
"""Of each study's resamples."""
QUALITY = np.array([0.5, -0.6, 0.4, 0.1, -0.3, 0.2])
"""What systems are good at beyond what the metric sees."""


@dataclass(frozen=True)
class Design:
    """How large a study is, and how its judges share the work."""

    name: str
    inputs: int
    systems: int
    judges: int
    each: int
    """Judgements of a text; as many as judges: everybody judges all."""
    noise: float = 1.0

    @property
    def is_complete(self) -> bool:
        """Whether everybody judges every text."""
        return self.each == self.judges

    def enlarged(self) -> Design:
        """The same with many more inputs, and with judges in proportion where each judges a part."""
        return replace(self, inputs=self.inputs * 20, judges=self.judges if self.is_complete else self.judges * 20)


DESIGNS = (
    Design("6 judges of all of 40 x 3 texts", 40, 3, 6, 6),
    Design("12 judges of all of 25 x 4 texts", 25, 4, 12, 12),
    Design("40 judges, 3 a text, 30 x 6", 30, 6, 40, 3),
    Design("20 judges, 2 a text, 50 x 3", 50, 3, 20, 2),
    Design("40 judges, 1 a text, 80 x 4", 80, 4, 40, 1),
    Design("100 noisy judges, 3 a text, 80 x 5", 80, 5, 100, 3, noise=3.0),
)


@dataclass(frozen=True)
class Simulated:
    """A study: judgements as given, and two metrics of the texts."""

    items: Items
    ratings: Ratings
    near: Floats
    """Sees one of the two things that make a text good, with little noise."""
    far: Floats


def simulated(design: Design, random: np.random.Generator) -> Simulated:
    """Two things make a text good; judges weigh the first differently."""
    inputs, systems, judges = design.inputs, design.systems, design.judges
    n = inputs * systems
    which, system = np.repeat(np.arange(inputs), systems), np.tile(np.arange(systems), inputs)
    seen = random.normal(0, 1, n) + np.linspace(-0.6, 0.6, systems)[system] + random.normal(0, 0.5, inputs)[which]
    unseen = random.normal(0, 1, n) + QUALITY[:systems][system]
    item = np.repeat(np.arange(n), design.each)
    if design.is_complete:
        judge = np.tile(np.arange(judges), n)
    else:  # in rounds: everybody judges once before anybody judges again
        judge = np.concatenate([random.permutation(judges) for _ in range(len(item) // judges + 1)])[: len(item)]
    weight, slope = random.normal(0, 0.3, judges), np.exp(random.normal(0, 0.3, judges))
    own_view = random.normal(0, 0.3, (judges, inputs))[judge, which[item]]
    good = 0.6 * seen[item] + 0.6 * unseen[item] + weight[judge] * seen[item] + own_view
    score = random.normal(0, 1, judges)[judge] + slope[judge] * (good + random.normal(0, design.noise, len(item)))
    items = Items(tuple(map(str, range(n))), tuple(map(str, which)), tuple(f"system-{s}" for s in system))
    ratings = Ratings("quality", tuple(f"judge-{j}" for j in range(judges)), judge, item, score)
    return Simulated(items, ratings, seen + random.normal(0, 0.8, n), seen + random.normal(0, 1.6, n))


@dataclass(frozen=True)
class Coverage:
    """How often the intervals of one quantity held the truth."""

    design: str
    quantity: str
    truth: float
    share: float
    n: int
    low: float = 0.92
    high: float = 0.98
    """Between which the share should lie: 95% intervals, or tests at the level of 5%."""

    @property
    def asked(self) -> str:
        """The same in words."""
        return f"{self.low:.0%} to {self.high:.0%}"


def of_judgements(design: Design, repetitions: int, *, seed: int = 1) -> Iterator[Coverage]:
    """Correlations at all levels, a metric's lead over another, and the mean of the first system."""
    truth = _truth(design, seed)
    hits: dict[str, list[bool]] = {name: [] for name in truth}
    for number in range(repetitions):
        study = simulated(design, np.random.default_rng([seed, number]))
        z = normalise(study.ratings).ratings
        found: dict[str, tuple[float, float]] = {}
        for one in correlations(study.items, z, {"near": study.near}, samples=SAMPLES, seed=number):
            found[f"{one.kind}, {one.level}"] = one.low, one.high
        scores, _ = system_scores(study.items, study.ratings, z, samples=SAMPLES, trials=10, seed=number)
        first = next(one for one in scores if one.system == "system-0")
        found["mean of a system"] = first.low, first.high
        lead = beside_parts(
            study.items, z, study.near, {"far": study.far},
            judged=z.item_means(len(study.items)), trials=10, samples=SAMPLES, seed=number,
        )[0]  # fmt: skip
        found["lead over a metric"] = lead.low, lead.high
        for name, (low, high) in found.items():
            if np.isfinite(low):  # of few systems there is none
                hits[name].append(low <= truth[name] <= high)
    for name, own in hits.items():
        if own:
            yield Coverage(design.name, name, truth[name], float(np.mean(own)), len(own))


def _truth(design: Design, seed: int, *, studies: int = 100) -> dict[str, float]:
    found: list[list[float]] = []
    names = [f"{kind}, {level}" for level in LEVELS for kind in ("pearson", "spearman", "kendall")]
    for number in range(studies):
        study = simulated(design.enlarged(), np.random.default_rng([seed, 1_000_000 + number]))
        means = normalise(study.ratings).ratings.item_means(len(study.items))
        table = MetricTable.of(study.items, {"near": study.near, "far": study.far})
        whole = Draw(np.ones(study.items.input_count), means)
        values = table.values(whole)[0]
        lead = values[0, 0, 0] - values[0, 1, 0]
        found.append([*values[:, 0].ravel(), table.system_means(means, whole.inputs)[0], lead])
    means = np.mean(found, axis=0).tolist()
    return dict(zip([*names, "mean of a system", "lead over a metric"], means, strict=True))


def of_models(repetitions: int, *, seed: int = 1) -> Iterator[Coverage]:
    """A regression's coefficient, a mixed model's effect and deviation of judges, a share of right choices."""
    hits: dict[tuple[str, float], list[bool]] = {}

    def held(name: str, truth: float, low: float, high: float) -> None:
        hits.setdefault((name, truth), []).append(low <= truth <= high)

    for number in range(repetitions):
        random = np.random.default_rng([seed, 2_000_000 + number])
        x = random.normal(0, 1, (2, 40))
        told = regress({"a": x[0], "b": x[1] + 0.5 * x[0]}, 0.5 * x[0] + random.normal(0, 1, 40))
        held("regression: coefficient", 0.5, told.terms[1].low, told.terms[1].high)
        held("regression: no effect", 0.0, told.terms[2].low, told.terms[2].high)
        judges, inputs = 12, 20
        j, i, s = (part.ravel() for part in np.meshgrid(np.arange(judges), np.arange(inputs), np.arange(2)))
        item = i * 2 + s
        score = 0.4 * s + random.normal(0, 0.7, judges)[j] + random.normal(0, 0.5, inputs * 2)[item]
        items = Items(
            tuple(map(str, range(inputs * 2))), tuple(str(k // 2) for k in range(inputs * 2)), ("a", "b") * inputs
        )
        ratings = Ratings("quality", tuple(map(str, range(judges))), j, item, score + random.normal(0, 1, len(j)))
        model = rating_model(items, ratings)
        held("mixed model: difference of systems", 0.4, model.effects[1].low, model.effects[1].high)
        deviation = next(one for one in model.components if one.name == "judge")
        held("mixed model: deviation of judges", 0.7, deviation.low, deviation.high)
        chance = 0.5 + 0.3 * (random.normal(0, 0.3, (20, 1)) + random.normal(0, 0.4, (1, 30))).clip(-1, 1)
        right = (random.random((20, 30)) < chance).astype(np.float64)
        people, pairs = (part.ravel() for part in np.meshgrid(np.arange(20), np.arange(30), indexing="ij"))
        share = crossed_mean(right.ravel(), people, pairs, samples=SAMPLES, seed=number, bounds=(0, 1))
        held("share of pairs told apart", 0.5, share.low, share.high)
    for (name, truth), own in hits.items():
        yield Coverage("", name, truth, float(np.mean(own)), repetitions)


def coverages(repetitions: int, told: Callable[[str], None] = lambda _: None) -> Iterator[Coverage]:
    """Everything, design by design."""
    for design in DESIGNS:
        told(design.name)
        yield from of_judgements(design, repetitions)
    told("models")
    yield from of_models(repetitions)
    told("tests")
    yield of_comparisons(repetitions)


def of_comparisons(repetitions: int, *, seed: int = 1) -> Coverage:
    """How often two equally bad metrics are called different where texts for one input are alike."""
    hits = []
    for number in range(repetitions):
        random = np.random.default_rng([seed, 3_000_000 + number])
        inputs = np.repeat(np.arange(30), 8)
        y, a, b = (random.normal(size=30)[inputs] + random.normal(0, 0.7, len(inputs)) for _ in range(3))
        (found,) = compare_metrics({"a": a, "b": b}, y, inputs=inputs, trials=SAMPLES, seed=number)
        hits.append(found.permutation_p < 0.05)
    return Coverage("30 x 8 texts", "false alarms, two metrics", 0.0, float(np.mean(hits)), repetitions, 0.0, 0.08)


@click.command()
@click.option("--repetitions", default=200, show_default=True, help="Simulated studies of each design.")
def main(repetitions: int) -> None:
    """In how many simulated studies do 95% intervals hold the truth?"""
    for one in coverages(repetitions, lambda name: click.echo(f"{name} ...", err=True)):
        verdict = "ok" if one.low <= one.share <= one.high else "-"
        click.echo(f"{one.share:6.1%}  {verdict:2}  {one.quantity:36} {one.truth:6.3f}  {one.design}")


if __name__ == "__main__":
    main()
