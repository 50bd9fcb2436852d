"""Variants that cover the values of the metrics and pull the metrics apart."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import pytest

from fergus.errors import InputError
from fergus.studies.variants import Candidate, Choice, choose_variants

METRICS = ("simple_string_accuracy", "generation_tree_accuracy")
FOUR = (*METRICS, "generation_string_accuracy", "simple_tree_accuracy")


def pool(*, bases: int = 12, systems: int = 9, seed: int = 1, metrics: tuple[str, ...] = METRICS) -> list[Candidate]:
    """Outputs whose metrics go together, as they do, with some noise."""
    random = Random(seed)
    found = []
    for base in range(bases):
        for system in range(systems):
            quality = random.betavariate(3, 3)
            scores = {name: min(max(quality + random.gauss(0, 0.1), 0), 1) for name in metrics}
            found.append(Candidate(f"b{base}", f"s{system}", f"text {base} {system}", scores))
    return found


def values(candidates: list[Candidate]) -> np.ndarray:
    return np.array([list(candidate.scores.values()) for candidate in candidates])


def within(candidates: list[Candidate]) -> np.ndarray:
    """The values less the mean of their base: what people see side by side."""
    rows, bases = values(candidates), np.array([candidate.base for candidate in candidates])
    return np.vstack([rows[bases == base] - rows[bases == base].mean(axis=0) for base in sorted(set(bases))])


def correlation(rows: np.ndarray) -> float:
    """The mean correlation of two metrics."""
    found = np.corrcoef(rows.T)
    return float(found[np.triu_indices(len(found), 1)].mean())


@pytest.mark.parametrize("metrics", [METRICS, FOUR])
def test_chosen_variants_spread_more_and_go_together_less_than_random_ones(metrics: tuple[str, ...]) -> None:
    """On pools that the weight of contrast was not chosen by (it was, on those of seeds 1 to 4).

    Spread and correlations are better than the mean of random choices in every pool; the range, which hangs on
    single outputs, is so on average only (in 18 of 20 pools with four metrics).
    """
    gained = []
    for seed in (101, 102, 103, 104, 105):
        candidates = pool(seed=seed, metrics=metrics)
        chosen = [choice.candidate for choice in choose_variants(candidates, metrics=metrics)]
        by_base: dict[str, list[Candidate]] = {}
        for candidate in candidates:
            by_base.setdefault(candidate.base, []).append(candidate)
        sizes = {base: sum(c.base == base for c in chosen) for base in by_base}
        random = Random(0)
        draws = [[c for base, n in sizes.items() for c in random.sample(by_base[base], n)] for _ in range(50)]
        assert values(chosen).std(axis=0).mean() > np.mean([values(draw).std(axis=0).mean() for draw in draws])
        assert correlation(values(chosen)) < np.mean([correlation(values(draw)) for draw in draws])
        assert correlation(within(chosen)) < np.mean([correlation(within(draw)) for draw in draws])
        ranges = np.mean([np.ptp(values(draw), axis=0).mean() for draw in draws])
        gained.append(np.ptp(values(chosen), axis=0).mean() - ranges)
    assert np.mean(gained) > 0


def test_there_are_as_many_as_wished() -> None:
    for least, most in ((1, 1), (3, 5), (4, 4), (2, 20)):
        choices = choose_variants(pool(), metrics=METRICS, least=least, most=most)
        counts = [sum(c.candidate.base == f"b{base}" for c in choices) for base in range(12)]
        assert all(least <= count <= most for count in counts)


def test_a_variant_unlike_the_others_is_added_and_one_like_them_is_not() -> None:
    def candidates(fourth: tuple[float, float]) -> list[Candidate]:
        points = [(0.0, 0.0), (1.0, 1.0), (0.1, 0.9), fourth]
        return [Candidate("b", str(i), f"t{i}", dict(zip(METRICS, p, strict=True))) for i, p in enumerate(points)]

    assert len(choose_variants(candidates((0.9, 0.1)), metrics=METRICS)) == 4
    assert len(choose_variants(candidates((1.0, 0.99)), metrics=METRICS)) == 3


def test_the_choice_is_the_best_of_a_small_pool() -> None:
    """By hand: of these five the corners span the largest area, and the two in the middle are left."""
    points = [(0.5, 0.5), (0.0, 0.0), (1.0, 1.0), (0.6, 0.5), (0.0, 1.0)]
    candidates = [Candidate("b", str(i), f"t{i}", dict(zip(METRICS, p, strict=True))) for i, p in enumerate(points)]
    chosen = choose_variants(candidates, metrics=METRICS, least=3, most=3)
    assert [choice.candidate.system for choice in chosen] == ["1", "2", "4"]


def test_the_same_input_gives_the_same_choice() -> None:
    assert choose_variants(pool(), metrics=METRICS) == choose_variants(pool(), metrics=METRICS)


def test_the_most_telling_bases_are_taken_in_their_order() -> None:
    dull = [Candidate("dull", f"s{i}", f"d{i}", dict.fromkeys(METRICS, 0.5 + i / 1000)) for i in range(5)]
    candidates = dull + pool(bases=3)
    bases = list(dict.fromkeys(c.candidate.base for c in choose_variants(candidates, metrics=METRICS, bases=3)))
    assert bases == ["b0", "b1", "b2"]
    assert len({c.candidate.base for c in choose_variants(candidates, metrics=METRICS, bases=9)}) == 4


def test_bases_that_were_taken_first_are_exchanged_for_better_ones() -> None:
    """The examples of the reference, whose scores are rounded here.

    One at a time, rain is taken first, two of whose metrics never change, and then plan. Of all ten choices the
    criterion is greatest for farmer and baker (-16.7; rain and plan have -18.6), found by two exchanges.
    """
    scores = {
        "cost": [(0.44, 0.56, 0.33, 0.67), (0.56, 0.78, 0.56, 0.78)],
        "farmer": [(0.82, 0.91, 0.82, 0.91), (0.45, 0.73, 0.64, 0.82)],
        "rain": [(0.5, 0.75, 0.75, 0.88), (0.5, 0.62, 0.75, 0.75)],
        "plan": [(1.0, 1.0, 1.0, 1.0), (0.62, 0.62, 0.5, 0.75)],
        "baker": [(0.56, 0.56, 1.0, 1.0), (0.44, 0.44, 0.78, 0.78)],
    }
    names = ("a", "b", "c", "d")
    candidates = [
        Candidate(base, str(i), f"{base} {i}", dict(zip(names, row, strict=True)))
        for base, rows in scores.items()
        for i, row in enumerate(rows)
    ]
    chosen = choose_variants(candidates, metrics=names, least=2, most=2, bases=2)
    assert [choice.candidate.base for choice in chosen] == ["farmer", "farmer", "baker", "baker"]


@pytest.mark.parametrize("seed", range(201, 207))
@pytest.mark.parametrize("metrics", [METRICS, FOUR])
def test_the_bases_are_nearly_the_best_of_all_choices(seed: int, metrics: tuple[str, ...]) -> None:
    """Against every choice of 3 out of 9; no exchange of one base makes it better, and few choices are."""
    candidates = pool(bases=9, systems=3, seed=seed, metrics=metrics)
    rows = values(candidates)
    tables = np.split((rows - rows.mean(axis=0)) / rows.std(axis=0), 9)

    def criterion(bases: tuple[int, ...]) -> float:
        kept = [tables[base] for base in bases]
        together = np.vstack(kept)
        total = (together - together.mean(axis=0)).T @ (together - together.mean(axis=0))
        inside = sum((table - table.mean(axis=0)).T @ (table - table.mean(axis=0)) for table in kept)
        found = 0.0
        for scatter in (total, inside):
            covariance = scatter / len(together) + 0.02 * np.eye(len(metrics))
            spread = np.log(np.diag(covariance)).sum()
            contrast = np.linalg.slogdet(covariance)[1] - spread
            found += spread + contrast * (1 + 1 / (len(metrics) - 1))
        return found

    chosen = choose_variants(candidates, metrics=metrics, least=3, most=3, bases=3)
    taken = tuple(sorted({int(choice.candidate.base[1:]) for choice in chosen}))
    own = criterion(taken)
    every = {bases: criterion(bases) for bases in combinations(range(9), 3)}
    assert all(value <= own + 1e-6 for bases, value in every.items() if len(set(bases) & set(taken)) == 2)
    assert sum(value > own + 1e-6 for value in every.values()) <= len(every) // 20


def test_equal_texts_missing_scores_and_small_bases_are_left_out() -> None:
    def candidate(base: str, system: str, text: str, score: float) -> Candidate:
        return Candidate(base, system, text, {METRICS[0]: score, METRICS[1]: score / 2})

    candidates = [
        *(candidate("small", str(i), f"s{i}", i / 3) for i in range(2)),
        *(candidate("a", str(i), f"a{i}", i / 3) for i in range(3)),
        candidate("a", "again", "a0", 0.9),
        candidate("a", "empty", " ", 0.9),
        candidate("a", "undefined", "a9", float("nan")),
        Candidate("a", "half", "a8", {METRICS[0]: 0.1}),
    ]
    chosen = choose_variants(candidates, metrics=METRICS, least=3, most=9)
    assert [choice.candidate.system for choice in chosen] == ["0", "1", "2"]


def by_text(choices: list[Choice]) -> dict[str, str]:
    return {choice.candidate.text: choice.reason for choice in choices}


def test_reasons_are_true_of_the_variants_beside_them() -> None:
    points = {"good": (0.95, 0.95), "bad": (0.1, 0.2), "odd": (0.2, 0.9), "other": (0.9, 0.3), "mid": (0.5, 0.6)}
    candidates = [Candidate("b", t, t, dict(zip(METRICS, p, strict=True))) for t, p in points.items()]
    reasons = by_text(choose_variants(candidates, metrics=METRICS, least=5))
    assert reasons == {
        "good": "highest generation tree accuracy .95",
        "bad": "lowest generation tree accuracy .20",
        "odd": "generation tree accuracy above simple string accuracy, .90 against .20",
        "other": "simple string accuracy above generation tree accuracy, .90 against .30",
        "mid": "fills a gap: generation tree accuracy .60",
    }


def test_a_contrast_that_only_the_others_show_is_told_as_closeness() -> None:
    """Where trees usually score .4 more than strings, equal scores are remarkable."""
    points = {"a": (0.1, 0.5), "b": (0.3, 0.7), "c": (0.5, 0.9), "d": (0.5, 0.5)}
    candidates = [Candidate("b", t, t, dict(zip(METRICS, p, strict=True))) for t, p in points.items()]
    reasons = by_text(choose_variants(candidates, metrics=METRICS, least=4))
    assert "simple string accuracy unusually close to generation tree accuracy, .50 against .50" in reasons["d"]


def test_outputs_of_one_quality_are_chosen_all_the_same() -> None:
    candidates = [Candidate("b", str(i), f"t{i}", dict.fromkeys(METRICS, 1.0)) for i in range(3)]
    assert len(choose_variants(candidates, metrics=METRICS)) == 3


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"least": 5, "most": 3}, "5 to 3 variants cannot be chosen"),
        ({"least": 0}, "0 to 5 variants cannot be chosen"),
        ({"metrics": ()}, "there is no metric"),
        ({"least": 10, "most": 12}, "no sentence has 10 different outputs"),
    ],
)
def test_what_cannot_be_chosen(options: dict[str, object], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        choose_variants(pool(), **{"metrics": METRICS, **options})  # type: ignore[arg-type]
