"""Whether the clauses of a sentence ask: how subject, auxiliary and predicate are ordered, and interrogatives in them.

is she well      aux < subject < predicate     asks, wherever the clause stands in the sentence
here is tea      predicate < aux < subject     asks only with an interrogative: *who is she*
is there tea     predicate < subject           asks in some languages and with some verbs
"""

from __future__ import annotations

import numpy as np

from fergus.compiled import compiled
from fergus.realize.features import hashed
from fergus.realize.punctuation_features import (
    ASKS_ANYWHERE,
    ASKS_LAST,
    ASKS_ROOT,
    ASKS_WHERE,
    DEPREL,
    MOOD,
)

NO_SUBJECT, SUBJECT_FIRST, AUXILIARY_FIRST, PREDICATE_FIRST, VERB_FIRST = range(5)
"""What comes first of subject, auxiliary and predicate; the verb if there is no auxiliary."""
_SUBJECTS = tuple(map(hashed, ("nsubj", "nsubj:pass", "nsubj:outer", "expl", "expl:subj", "csubj")))
_AUXILIARIES = tuple(map(hashed, ("aux", "aux:pass", "aux:tense", "aux:caus", "cop")))
_BELOW = tuple(map(hashed, ("advcl", "advcl:relcl", "acl", "acl:relcl", "csubj", "csubj:pass", "csubj:outer")))
"""Clauses that ask nothing of the hearer, whatever their order."""
_CONTENT = tuple(map(hashed, ("ccomp", "xcomp")))
_INTERROGATIVE = hashed("PronType=Int")
_CERTAIN, _LIKELY, _WITHIN = 1, 2, 4
"""Bits of what is found anywhere: a clause turned round, one with an interrogative, or that is said."""
_DEEPEST = 3
"""*what time*, *for whom*: so deep an interrogative may stand within what is moved to the front."""


@compiled
def set_asking(rows, head, values):
    """The values of how the root's clause, the last clause and any clause ask; 0 if relations are not known."""
    n = rows.shape[0]
    subject, auxiliary = np.full(n, n, np.int32), np.full(n, n, np.int32)
    interrogative = np.zeros(n, np.uint8)
    known = False
    for i in range(n):
        relation, h = rows[i, DEPREL], head[i]
        known |= relation != 0
        if h >= 0 and relation in _SUBJECTS:
            subject[h] = min(subject[h], i)
        elif h >= 0 and relation in _AUXILIARIES:
            auxiliary[h] = min(auxiliary[h], i)
        if rows[i, MOOD] == _INTERROGATIVE:
            top = i
            for _ in range(_DEEPEST):
                if head[top] >= 0 and top < head[top] and rows[top, DEPREL] not in _BELOW:
                    top = head[top]
            interrogative[top] = 1
    values[ASKS_ROOT], values[ASKS_LAST], values[ASKS_WHERE], values[ASKS_ANYWHERE] = 0, 0, 0, 0
    if not known:
        return
    anywhere, last, where = 0, 0, 1
    for i in range(n):
        asks = 2 * order_of(i, subject[i], auxiliary[i], n) + interrogative[i]
        if head[i] < 0:
            values[ASKS_ROOT] = 1 + asks
        elif rows[i, DEPREL] in _BELOW:
            continue
        if asks == 0:
            continue
        order = asks // 2
        within = rows[i, DEPREL] in _CONTENT
        if order == AUXILIARY_FIRST:
            anywhere |= _WITHIN if within else _CERTAIN
        elif asks % 2 and not within:
            anywhere |= _LIKELY
        if not within or order == AUXILIARY_FIRST:
            last, where = 1 + asks, rows[i, DEPREL]
    values[ASKS_LAST], values[ASKS_WHERE], values[ASKS_ANYWHERE] = max(last, 1), where, 1 + anywhere


@compiled
def order_of(predicate, subject, auxiliary, n):
    """The order of a clause, given the places of its first subject and auxiliary, ``n`` if there is none."""
    if subject == n:
        return NO_SUBJECT
    if auxiliary == n:
        return VERB_FIRST if predicate < subject else SUBJECT_FIRST
    if subject < auxiliary:
        return SUBJECT_FIRST
    return AUXILIARY_FIRST if auxiliary < predicate else PREDICATE_FIRST
