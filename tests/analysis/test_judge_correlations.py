from __future__ import annotations

import numpy as np
import pytest

from fergus.analysis.judge_correlations import correlation_with_others, pairwise_correlation
from fergus.analysis.judgements import Items, Ratings
from fergus.analysis.reliability import judge_reports
from tests.analysis.small_table import small_table


def table_of(rows: list[list[float | None]]) -> tuple[Items, Ratings]:
    """A row an item, which is an input too; a column a judge."""
    given = [(j, i, value) for i, row in enumerate(rows) for j, value in enumerate(row) if value is not None]
    judge, item, score = (np.array(column) for column in zip(*given, strict=True))
    names = tuple(map(str, range(len(rows))))
    judges = tuple(f"J{j}" for j in range(max(map(len, rows))))
    return Items(names, names, ("a",) * len(rows)), Ratings("q", judges, judge, item, score.astype(float))


def simulated(seed: int, *, texts: int, judges: int, share: float = 1.0) -> tuple[Items, Ratings]:
    """Judges see a text's quality more or less clearly: r of two is the product of their own, .6 on average."""
    random = np.random.default_rng(seed)
    clear = random.uniform(0.65, 0.9, judges)  # mean .775, so that two independent ones have .775² = .601
    seen = clear * random.normal(size=(texts, 1)) + np.sqrt(1 - clear**2) * random.normal(size=(texts, judges))
    kept = random.random(seen.shape) < share
    return table_of(
        [[float(v) if k else None for v, k in zip(*row, strict=True)] for row in zip(seen, kept, strict=True)]
    )


def test_it_is_the_mean_over_pairs() -> None:
    rows: list[list[float | None]] = [[1.0, 2.0, 9.0], [2.0, 2.0, 4.0], [3.0, 5.0, 4.0], [4.0, 4.0, None]]
    columns = [np.array([row[j] for row in rows[:3]], float) for j in range(3)]
    all4 = np.corrcoef([row[0] for row in rows], [row[1] for row in rows])[0, 1]
    others = [np.corrcoef(columns[a], columns[b])[0, 1] for a, b in ((0, 2), (1, 2))]
    found = pairwise_correlation(*table_of(rows))
    assert found.n == 3
    assert found.value == pytest.approx(np.mean([all4, *others]))
    none = pairwise_correlation(*table_of([[1, 2], [2, 3]]))
    assert (none.n, np.isnan(none.value)) == (0, True)


def test_it_is_the_mean_over_judges() -> None:
    items, ratings = small_table(inputs=10)
    found = correlation_with_others(items, ratings)
    each = [one.with_others for one in judge_reports(ratings, len(items))]
    assert found.n == 5
    assert found.value == pytest.approx(np.mean(each))
    assert found.low < found.value < found.high


def test_what_every_point_contributes_is_what_r_changes_by_without_it() -> None:
    from fergus.analysis.judge_correlations import _coefficients

    random = np.random.default_rng(3)
    x = random.normal(size=400)
    y = x + random.normal(size=400)
    r, parts, _ = _coefficients(x, y, np.zeros(400, np.int64), 1, fewest=3)
    without = np.array([np.corrcoef(np.delete(x, i), np.delete(y, i))[0, 1] for i in range(400)])
    assert parts == pytest.approx(r[0] - without, abs=5e-4)
    assert parts.sum() == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(("texts", "judges", "share"), [(40, 8, 1.0), (120, 12, 0.3)])
def test_intervals_hold_what_is_true(texts: int, judges: int, share: float) -> None:
    held, widths = [], []
    for seed in range(120):
        found = pairwise_correlation(*simulated(seed, texts=texts, judges=judges, share=share))
        held.append(found.low <= 0.601 <= found.high)
        widths.append(found.high - found.low)
    assert 0.88 <= np.mean(held) <= 0.99
    assert np.mean(widths) < 0.4


def test_too_few_judges_or_inputs_and_perfect_agreement_have_no_interval() -> None:
    two = pairwise_correlation(*table_of([[1, 2], [2, 3], [3, 1], [4, 4]]))
    assert np.isfinite(two.value)
    assert np.isnan(two.low)
    same = pairwise_correlation(*table_of([[1, 1, 1], [2, 2, 2], [3, 3, 3]]))
    assert same.value == pytest.approx(1)
    assert np.isnan(same.low)
    items, ratings = table_of([[1, 2, 3], [2, 3, 3], [3, 1, 2], [4, 4, 4]])
    one = Items(items.ids, ("same",) * 4, items.systems)
    assert np.isnan(pairwise_correlation(one, ratings).low)
    flat = pairwise_correlation(*table_of([[1, 2, 3], [1, 3, 3], [1, 1, 2]]))
    assert flat.n == 1
