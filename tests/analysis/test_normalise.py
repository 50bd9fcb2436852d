from __future__ import annotations

import numpy as np
import pytest

from fergus.analysis.judgements import Ratings
from fergus.analysis.normalise import normalise
from tests.analysis.small_table import small_table


def ratings(*rows: tuple[int, float]) -> Ratings:
    judges = tuple(f"J{i}" for i in range(max(j for j, _ in rows) + 1))
    judge, score = np.array([j for j, _ in rows]), np.array([s for _, s in rows], float)
    return Ratings("quality", judges, judge, np.arange(len(rows)), score)


def test_a_judge_has_mean_0_and_standard_deviation_1() -> None:
    # 1, 4, 7 have mean 4 and, by n - 1, standard deviation 3.
    found = normalise(ratings((0, 1), (0, 4), (0, 7), (1, 10), (1, 30)))
    assert found.ratings.score[:3] == pytest.approx([-1, 0, 1])
    assert found.ratings.score[3:] == pytest.approx([-(2**-0.5), 2**-0.5])
    assert found.raw.score.tolist() == [1, 4, 7, 10, 30]
    assert not found.notices


def test_a_constant_judge_is_named_and_has_0() -> None:
    found = normalise(ratings((0, 5.1), (0, 5.1), (0, 5.1), (1, 1), (1, 2)))
    assert found.constant_judges == ("J0",)
    assert found.ratings.score[:3].tolist() == [0, 0, 0]
    assert "J0" in found.notices[0].message


def test_a_single_judgement_is_named_and_has_0() -> None:
    found = normalise(ratings((0, 5), (1, 1), (1, 2)))
    assert (found.single_judges, found.constant_judges) == (("J0",), ())
    assert found.ratings.score[0] == 0
    assert found.notices[0].kind == "single judgement"


def test_biases_and_scales_of_judges_do_not_matter() -> None:
    _, table = small_table()
    moved = table.with_scores(table.score * np.array([1, 2, 3, 4, 5.0])[table.judge] + table.judge)
    assert normalise(moved).ratings.score == pytest.approx(normalise(table).ratings.score)
