"""The features of gaps, sentence ends and stretches as keys of a hash table, and what the table says of them."""

from __future__ import annotations

import numpy as np

from fergus.compiled import compiled
from fergus.realize.features import mix
from fergus.realize.gap_features import find_slot, hash_gap
from fergus.realize.punctuation_features import (
    BEGIN,
    BEGIN_UPOS,
    BLOCKS,
    CLOSING,
    DEPREL,
    FORM,
    FROM_HEAD,
    FULL,
    HEAD_ALONE,
    INSIDE,
    LEMMA,
    LENGTH,
    MOST_BAG,
    OPENING,
    PLACE,
    REST,
    SPAN,
    STRETCH_KIND,
    TO_HEAD,
    UPOS,
    VALUES,
    WIDTH,
    binned,
    copy_block,
    fill_tree_columns,
    gap_values,
    neighbour,
    sentence_values,
    tree_tables,
)
from fergus.realize.punctuation_questions import set_asking

GAP_SALT, FINAL_SALT, PAIR_SALT = np.int64(1000), np.int64(20_000_000), np.int64(40_000_000)
MOST_KEYS = 768
_MOST_DAUGHTERS = 10
_MOST_ORDERED, _MOST_CLAUSES = 7, 3
P_BLOCK, Q_BLOCK = BLOCKS.index("p"), BLOCKS.index("q")


@compiled
def key_of(tag, one, other):
    """The key (not 0) of a feature of two parts; 0 if one of them is absent."""
    if one == 0 or other == 0:
        return np.uint32(0)
    return np.uint32((mix(mix(np.uint64(tag), np.uint64(one)), np.uint64(other)) >> np.uint64(32)) | np.uint64(1))


@compiled
def final_keys(rows, head, start, daughters, values, templates, out):
    """The features of the end of a sentence: templates, every word, and every daughter of the root."""
    n = rows.shape[0]
    hash_gap(values, templates, FINAL_SALT, out[: templates.shape[0]])
    count = templates.shape[0]
    root = 0
    for i in range(n):
        if head[i] < 0:
            root = i
    for i in range(max(0, n - MOST_BAG), n):
        out[count] = key_of(901, rows[i, FORM], 1)
        out[count + 1] = key_of(902, rows[i, LEMMA], rows[i, DEPREL])
        out[count + 2] = key_of(907, rows[i, UPOS], values[LENGTH])
        count += 3
    for k in range(start[root], min(start[root + 1], start[root] + _MOST_DAUGHTERS)):
        d = daughters[k]
        side = 1 + (d < root)
        out[count] = key_of(903, rows[d, DEPREL], side)
        out[count + 1] = key_of(904, rows[d, LEMMA], mix(np.uint64(rows[d, DEPREL]), np.uint64(side)))
        out[count + 2] = key_of(905, rows[d, DEPREL], mix(np.uint64(rows[d, UPOS]), np.uint64(rows[root, UPOS])))
        count += 3
    count = order_keys(rows, root, 1, start, daughters, out, count)
    # What follows the root's own clause may ask the question: its clauses, the last one above all.
    for k in range(max(start[root], start[root + 1] - _MOST_CLAUSES), start[root + 1]):
        d = daughters[k]
        if start[d + 1] > start[d]:
            out[count] = key_of(908, rows[d, DEPREL], rows[d, BEGIN])
            out[count + 1] = key_of(909 + (k == start[root + 1] - 1), rows[d, DEPREL], rows[d, BEGIN_UPOS])
            count = order_keys(rows, d, 3 + (k == start[root + 1] - 1), start, daughters, out, count + 2)
    return count


@compiled
def order_keys(rows, node, tag, start, daughters, out, count):
    """Which relations come before which among the pieces of a node: a verb before its subject asks a question."""
    end = min(start[node + 1], start[node] + _MOST_ORDERED)
    clause = np.uint64(rows[node, DEPREL] if tag > 1 else 1)
    for k in range(start[node], end):
        one = daughters[k]
        side = (
            mix(mix(np.uint64(rows[one, DEPREL]), clause), np.uint64(one < node)) if rows[one, DEPREL] else np.uint64(0)
        )
        out[count] = key_of(930 + tag, side, 1)
        count += 1
        for j in range(k + 1, end):
            other = rows[daughters[j], DEPREL]
            out[count] = key_of(940 + 2 * tag + (daughters[j] < node), side, other)
            count += 1
    return count


@compiled
def gap_keys(rows, start, daughters, p, q, values, templates, out):
    """The features of a gap: templates, and the daughters of the pieces that meet there."""
    hash_gap(values, templates, GAP_SALT, out[: templates.shape[0]])
    count = templates.shape[0]
    if p < 0:
        return count
    for side in range(2):
        x = q if side else p
        relation = values[(Q_BLOCK if side else P_BLOCK) * WIDTH + DEPREL]
        for k in range(start[x], min(start[x + 1], start[x] + _MOST_DAUGHTERS)):
            d = daughters[k]
            out[count] = key_of(911 + side, relation, rows[d, DEPREL])
            out[count + 1] = key_of(913 + side, relation, mix(np.uint64(rows[d, DEPREL]), np.uint64(rows[d, LEMMA])))
            count += 2
    return count


@compiled
def stretches(head, first, last, size, start, daughters):
    """What a pair may enclose: rows of begin, end, top node and kind."""
    n = head.shape[0]
    out = np.empty((4 * n, 4), np.int32)
    count = 0
    for i in range(n):
        if last[i] - first[i] + 1 != size[i]:
            continue
        left, right = first[i] < i, last[i] > i
        for kind in (FULL, FROM_HEAD, TO_HEAD, HEAD_ALONE):
            if (kind == FROM_HEAD and not left) or (kind == TO_HEAD and not right):
                continue
            if kind == HEAD_ALONE and not (left and right):
                continue
            out[count, 0] = first[i] if kind in (FULL, TO_HEAD) else i
            out[count, 1] = 1 + (last[i] if kind in (FULL, FROM_HEAD) else i)
            out[count, 2], out[count, 3] = i, kind
            count += 1
    return out[:count]


@compiled
def pair_keys(rows, head, start, daughters, stretch, values, templates, out):
    """The features of a stretch; f and t are its first and last words here, l and r the words around it."""
    n = rows.shape[0]
    begin, end, node, kind = stretch
    mother = head[node]
    values[STRETCH_KIND], values[SPAN] = kind, 1 + binned(end - begin)
    values[PLACE], values[REST] = 1 + min(begin, 3), 1 + min(n - end, 3)
    copy_block(rows, begin - 2 if begin > 1 else -1, 1, values)
    copy_block(rows, begin - 1 if begin > 0 else -1, 2, values)
    copy_block(rows, end if end < n else -1, 3, values)
    copy_block(rows, node, P_BLOCK, values)
    copy_block(rows, mother - 1 if mother > 0 else -1, Q_BLOCK, values)
    copy_block(rows, mother, 8, values)
    copy_block(rows, neighbour(mother, node, -1, start, daughters) if mother >= 0 else -1, 10, values)
    copy_block(rows, neighbour(mother, node, 1, start, daughters) if mother >= 0 else -1, 11, values)
    copy_block(rows, begin, 12, values)
    copy_block(rows, begin + 1 if begin + 1 < end else -1, 13, values)
    copy_block(rows, end - 1, 14, values)
    hash_gap(values, templates, PAIR_SALT, out[: templates.shape[0]])
    count = templates.shape[0]
    for k in range(start[node], min(start[node + 1], start[node] + _MOST_DAUGHTERS)):
        d = daughters[k]
        out[count] = key_of(921, mix(np.uint64(kind), np.uint64(rows[node, DEPREL])), rows[d, DEPREL])
        count += 1
    for i in range(begin, min(end, begin + MOST_BAG)):
        out[count] = key_of(922, kind, rows[i, LEMMA])
        count += 1
    return count


@compiled
def set_pairs(values, g, begins, ends, labels):
    """Which pairs close, open or stand around the gap before word ``g``: the innermost of each."""
    values[CLOSING], values[OPENING], values[INSIDE] = 1, 1, 1
    for k in range(begins.shape[0]):
        if ends[k] == g:
            values[CLOSING] = 1 + labels[k]
        if begins[k] == g:
            values[OPENING] = 1 + labels[k]
        if begins[k] < g < ends[k]:
            values[INSIDE] = 1 + labels[k]


@compiled
def stretch_instances(rows, head, templates):
    """All stretches of a sentence with their features: stretches, keys one after the other, where each begins."""
    first, last, size, depth, start, daughters = tree_tables(head)
    fill_tree_columns(rows, head, first, last, size, depth, start, daughters)
    values, buffer = np.zeros(VALUES, np.int32), np.empty(MOST_KEYS, np.uint32)
    sentence_values(rows, head, values)
    found = stretches(head, first, last, size, start, daughters)
    keys, begin = np.empty((found.shape[0]) * MOST_KEYS, np.uint32), np.zeros(found.shape[0] + 1, np.int64)
    filled = 0
    for k in range(found.shape[0]):
        count = pair_keys(rows, head, start, daughters, found[k], values, templates, buffer)
        filled = append_keys(buffer, count, keys, filled)
        begin[k + 1] = filled
    return found, keys[:filled].copy(), begin


@compiled
def gap_instances(rows, head, begins, ends, labels, gap, final):
    """All gaps of a sentence with their features, the one after the last word at the end."""
    n = rows.shape[0]
    first, last, size, depth, start, daughters = tree_tables(head)
    fill_tree_columns(rows, head, first, last, size, depth, start, daughters)
    values, buffer = np.zeros(VALUES, np.int32), np.empty(MOST_KEYS, np.uint32)
    sentence_values(rows, head, values)
    set_asking(rows, head, values)
    keys, begin = np.empty((n + 1) * MOST_KEYS, np.uint32), np.zeros(n + 2, np.int64)
    filled = 0
    for g in range(n + 1):
        p, q = gap_values(rows, head, first, last, depth, start, daughters, g, values)
        set_pairs(values, g, begins, ends, labels)
        if g < n:
            count = gap_keys(rows, start, daughters, p, q, values, gap, buffer)
        else:
            count = final_keys(rows, head, start, daughters, values, final, buffer)
        filled = append_keys(buffer, count, keys, filled)
        begin[g + 1] = filled
    return keys[:filled].copy(), begin


@compiled
def append_keys(buffer, count, keys, filled):
    """Add the features that are there."""
    for t in range(count):
        if buffer[t] != 0:
            keys[filled] = buffer[t]
            filled += 1
    return filled


@compiled
def add_up(keys, begin, end, table, weights, total):
    """Add the weights of some features to the scores of the labels."""
    for k in range(begin, end):
        slot = find_slot(table, keys[k])
        if table[slot] != 0:
            for y in range(total.shape[0]):
                total[y] += weights[slot, y]


@compiled
def softmax(total, allowed):
    """Scores become probabilities, those of labels that are not allowed 0."""
    top = -np.inf
    for y in range(total.shape[0]):
        if allowed[y] and total[y] > top:
            top = total[y]
    norm = 0.0
    for y in range(total.shape[0]):
        total[y] = np.exp(total[y] - top) if allowed[y] else 0.0
        norm += total[y]
    for y in range(total.shape[0]):
        total[y] /= norm


@compiled
def probabilities(keys, begin, groups, allowed, prior, table, weights):
    """A row of probabilities for each instance; ``prior`` has a row for each too, or one for all."""
    out = np.zeros((groups.shape[0], weights.shape[1]))
    for i in range(groups.shape[0]):
        out[i] = prior[min(i, prior.shape[0] - 1)]
        add_up(keys, begin[i], begin[i + 1], table, weights, out[i])
        softmax(out[i], allowed[groups[i]])
    return out
