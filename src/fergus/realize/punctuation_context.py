"""The second look at a gap: how likely marks were, at first sight, at the other edges of what meets there.

a clause , if it is so , goes on       a comma closes what a comma opened, at the other edge of the same subtree
"""

from __future__ import annotations

import numpy as np

from fergus.compiled import compiled
from fergus.realize.gap_features import hash_gap
from fergus.realize.punctuation_features import (
    AFTER,
    BEFORE,
    HERE,
    HERE_ANY,
    LEFT_EDGE,
    MARKS,
    MARKS_LEFT,
    MARKS_RIGHT,
    RIGHT_EDGE,
    VALUES,
    fill_tree_columns,
    gap_values,
    sentence_values,
    tree_tables,
)
from fergus.realize.punctuation_scores import append_keys, set_pairs

SECOND_SALT = np.int64(60_000_000)
COMMONEST = 4
"""The label of the commonest pattern: those of pairs alone stand before it."""
NOWHERE, AT_END = 20, 21


@compiled
def likelihood(chance):
    """A probability in steps, 1 to 8."""
    steps = 1 + (chance > 0.02) + (chance > 0.08) + (chance > 0.2)
    return steps + (chance > 0.4) + (chance > 0.6) + (chance > 0.8) + (chance > 0.95)


@compiled
def about(count):
    """An expected number of marks in steps of two thirds."""
    steps = int(count * 1.5 + 0.5)
    return 1 + (steps if steps < 6 else 6)


@compiled
def second_instances(rows, head, begins, ends, labels, chances, templates):
    """The features of all gaps but the last, given the first look's probabilities: keys, and where each gap begins."""
    n = rows.shape[0]
    first, last, size, depth, start, daughters = tree_tables(head)
    fill_tree_columns(rows, head, first, last, size, depth, start, daughters)
    values, buffer = np.empty(VALUES, np.int32), np.empty(templates.shape[0], np.uint32)
    sentence_values(rows, head, values)
    anything, total = np.zeros(n), 0.0
    for g in range(n):
        anything[g] = 1.0 - chances[g, :COMMONEST].sum()
        total += chances[g, COMMONEST] if chances.shape[1] > COMMONEST else 0.0
    keys, begin = np.empty(n * templates.shape[0], np.uint32), np.zeros(n + 1, np.int64)
    filled, passed = 0, 0.0
    for g in range(n):
        p, q = gap_values(rows, head, first, last, depth, start, daughters, g, values)
        set_pairs(values, g, begins, ends, labels)
        here = chances[g, COMMONEST] if chances.shape[1] > COMMONEST else 0.0
        values[HERE], values[HERE_ANY] = likelihood(here), likelihood(anything[g])
        values[BEFORE] = likelihood(anything[g - 1]) if g else AT_END
        values[AFTER] = likelihood(anything[g + 1]) if g + 1 < n else AT_END
        values[LEFT_EDGE], values[RIGHT_EDGE] = NOWHERE, NOWHERE
        if p >= 0:
            values[LEFT_EDGE] = likelihood(anything[first[p]]) if first[p] else AT_END
            values[RIGHT_EDGE] = likelihood(anything[last[q] + 1]) if last[q] + 1 < n else AT_END
        values[MARKS_LEFT], values[MARKS_RIGHT] = about(passed), about(total - passed - here)
        values[MARKS] = about(total - here)
        passed += here
        hash_gap(values, templates, SECOND_SALT, buffer)
        filled = append_keys(buffer, templates.shape[0], keys, filled)
        begin[g + 1] = filled
    return keys[:filled].copy(), begin
