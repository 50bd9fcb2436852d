"""The compiled assignment of tokens to nodes: words that are there once, then the alignment, then the search."""

from __future__ import annotations

import numpy as np

from fergus.compiled import compiled
from fergus.metrics.assignment_search import improve
from fergus.metrics.edit_kernel import (
    CELL_LIMIT,
    DELETION,
    INSERTION,
    MATCH,
    SUBSTITUTION,
    Ints,
    common_ends,
    fill,
    is_best,
    workspace,
)


@compiled
def match_words(reference: Ints, hypothesis: Ints, own: Ints, token_of_word: Ints) -> bool:
    """Assign when no word stands twice in the reference and the hypothesis is made of its words.

    ``token_of_word`` is room for a number a word of the vocabulary, and is left as it was, all -1.
    """
    if len(reference) != len(hypothesis):
        return False
    is_plain = True
    for token, word in enumerate(hypothesis):
        is_plain = is_plain and token_of_word[word] < 0
        token_of_word[word] = token
    for place, word in enumerate(reference):
        own[place] = token_of_word[word]
        is_plain = is_plain and own[place] >= 0
        token_of_word[word] = -1
    for word in hypothesis:
        token_of_word[word] = -1
    return is_plain


@compiled
def assign_by_alignment(reference: Ints, hypothesis: Ints, own: Ints) -> tuple[Ints, bool]:
    """Write the token of every node into ``own``; returns which nodes are substituted, and whether it could.

    Matches of the first alignment of least cost; equal words that are left, the first with the first;
    substitutions of that alignment between what is left then.
    """
    start, end = common_ends(reference, hypothesis)
    n, m = len(reference), len(hypothesis)
    own[:] = -1
    is_substituted = np.zeros(n, np.int64)
    taken = np.zeros(m, np.int8)
    middle, other = reference[start : n - end], hypothesis[start : m - end]
    if len(middle) * len(other) > CELL_LIMIT:
        return is_substituted, False
    table = np.empty((len(middle) + 1) * (len(other) + 1), np.int64)
    fill(middle, other, True, table)
    for place in range(start):
        own[place] = place
        taken[place] = 1
    for k in range(end):
        own[n - 1 - k] = m - 1 - k
        taken[m - 1 - k] = 1
    instead = np.full(n, -1, np.int64)
    i = j = 0
    while i < len(middle) or j < len(other):
        operation = MATCH
        while not is_best(middle, other, table, i, j, operation):
            operation += 1
        if operation == MATCH:
            own[start + i] = start + j
            taken[start + j] = 1
        elif operation == SUBSTITUTION:
            instead[start + i] = start + j
        i += operation != INSERTION
        j += operation != DELETION
    for place in range(n):
        if own[place] < 0:
            for token in range(m):
                if taken[token] == 0 and hypothesis[token] == reference[place]:
                    own[place] = token
                    taken[token] = 1
                    break
    for place in range(n):
        token = instead[place]
        if own[place] < 0 and token >= 0 and taken[token] == 0:
            own[place] = token
            is_substituted[place] = 1
    return is_substituted, True


@compiled
def assign_sentences(
    heads: Ints,
    references: Ints,
    starts: Ints,
    hypotheses: Ints,
    hypothesis_starts: Ints,
    vocabulary: int,
    is_wanted: Ints,
    places: Ints,
) -> int:
    """Write into ``places`` the node of every token of the wanted sentences, by its place in the reference, or -1.

    Returns the first sentence that is too long, or -1.
    """
    space = workspace(vocabulary)
    token_of_word = np.full(vocabulary, -1, np.int64)
    for sentence in range(len(starts) - 1):
        if not is_wanted[sentence]:
            continue
        first, last = starts[sentence], starts[sentence + 1]
        begin, end = hypothesis_starts[sentence], hypothesis_starts[sentence + 1]
        reference, hypothesis = references[first:last], hypotheses[begin:end]
        own = np.empty(last - first, np.int64)
        if not match_words(reference, hypothesis, own, token_of_word):
            is_substituted, could = assign_by_alignment(reference, hypothesis, own)
            if not could:
                return sentence
            if len(reference) != len(hypothesis) or not np.array_equal(reference, hypothesis):
                improve(heads[first:last], reference, hypothesis, is_substituted, own, space)
        places[begin:end] = -1
        for place in range(last - first):
            if own[place] >= 0:
                places[begin + own[place]] = place
    return -1
