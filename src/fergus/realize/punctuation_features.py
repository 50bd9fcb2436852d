"""What is seen where a mark may stand: words beside the gap, the subtrees that meet there, the sentence as a whole.

         h                  At every gap two *pieces* of one node meet: its daughters' subtrees or the word itself.
       / | \\                h is that node, p the piece that ends at the gap, q the one that begins there,
    y   p | q   z           y and z the pieces before and after these, g the head of h, m the root.
c  b   l  |  r   a  d       f, e and t are the first three words of the sentence.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources

import numpy as np

from fergus.compiled import compiled
from fergus.core.tree import Node, OrderedTree
from fergus.errors import ModelError
from fergus.realize.features import Ints, hashed, mix, word_shape
from fergus.realize.gap_features import MOST_REMEMBERED, outline
from fergus.realize.templates import read_sections

# Columns of a word: how it is written, its labels, then what the tree and the order say; 0 is "absent".
FORM, SHAPE, KIND, SUFFIX, LEMMA, UPOS, XPOS, DEPREL, FEATS, MOOD = range(10)
SIZE, SIDE, RELATIONS, SAME, DAUGHTERS, BEGIN, BEGIN_UPOS, DEPTH, ROLE = range(10, 19)
ATTRIBUTES = (
    *("form", "shape", "kind", "suffix", "lemma", "upos", "xpos", "deprel", "feats", "mood"),
    *("size", "side", "relations", "same", "daughters", "begin", "begin_upos", "depth", "role"),
)
WIDTH = len(ATTRIBUTES)
TOLD = SIZE
"""The columns before this one are told by the words themselves."""
BLOCKS = "cblradpqhgyzfetm"
CODES = {f"{block}.{name}": b * WIDTH + i for b, block in enumerate(BLOCKS) for i, name in enumerate(ATTRIBUTES)}
_WHOLE = (
    *(
        "s.length",
        "s.style",
        "s.question",
        "s.names",
        "path",
        "path.left",
        "path.right",
        "place",
        "rest",
        "closed",
        "opened",
    ),
    *("closing", "opening", "inside", "kind", "span", "gap"),
    *("asks.root", "asks.last", "asks.where", "asks.anywhere"),
    *("here", "here.any", "before.any", "after.any", "edge.left", "edge.right", "marks.left", "marks.right", "marks"),
)
CODES |= {name: len(BLOCKS) * WIDTH + i for i, name in enumerate(_WHOLE)}
(
    LENGTH, STYLE, QUESTION, NAMES, PATH, PATH_LEFT, PATH_RIGHT, PLACE, REST, CLOSED, OPENED,
    CLOSING, OPENING, INSIDE, STRETCH_KIND, SPAN, GAP,
    ASKS_ROOT, ASKS_LAST, ASKS_WHERE, ASKS_ANYWHERE,
    HERE, HERE_ANY, BEFORE, AFTER, LEFT_EDGE, RIGHT_EDGE, MARKS_LEFT, MARKS_RIGHT, MARKS,
) = range(len(BLOCKS) * WIDTH, len(BLOCKS) * WIDTH + len(_WHOLE))  # fmt: skip
VALUES = len(CODES)
OUTSIDE = 1
"""The value of every attribute of a word or node that is not there."""
FULL, FROM_HEAD, TO_HEAD, HEAD_ALONE = range(1, 5)
"""Kinds of stretches: a subtree; the head and what follows; what precedes the head, and the head; the head alone."""
_MOODS = frozenset({"VerbForm", "Mood", "PronType", "Tense", "NumType"})
_NSUBJ, _NSUBJ_PASS, _EXPL, _AUX, _AUX_PASS, _COP = map(
    hashed, ("nsubj", "nsubj:pass", "expl", "aux", "aux:pass", "cop")
)
_CONJ, _PARATAXIS, _CCOMP, _ADVCL, _ACL = map(hashed, ("conj", "parataxis", "ccomp", "advcl", "acl:relcl"))
_AUX_UPOS, _INTERROGATIVE = hashed("AUX"), hashed("PronType=Int")
MOST_TEMPLATES = 300
MOST_BAG = 60
"""Words of a sentence that are looked at one by one."""

Feats = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class PunctuationTemplates:
    """Templates in their readable form and as codes, -1 where a line is shorter."""

    text: str
    gap: Ints
    final: Ints
    pair: Ints
    second: Ints


def parse_punctuation_templates(text: str) -> PunctuationTemplates:
    """Read the four sections; a name that is no attribute is an error of the model file."""
    sections = read_sections(text, ("gap", "final", "pair", "second"), CODES, what="punctuation templates")
    if any(len(section) > MOST_TEMPLATES for section in sections):
        raise ModelError(f"punctuation templates: more than {MOST_TEMPLATES} in a section; leave some out")
    return PunctuationTemplates(text, *sections)


def shipped_punctuation_templates() -> PunctuationTemplates:
    """The templates beside this module."""
    folder = resources.files("fergus.realize").joinpath("templates")
    return parse_punctuation_templates(folder.joinpath("punctuation.txt").read_text("utf-8"))


class TreeWordEncoder:
    """Turns the words of ordered trees into rows of codes; remembers the bytes of those it has seen."""

    def __init__(self) -> None:
        self._forms: dict[str, bytes] = {}
        self._labels: dict[str | None, bytes] = {None: bytes(4)}
        self._feats: dict[Feats | None, bytes] = {None: bytes(8)}

    def encode(self, sentence: OrderedTree) -> tuple[Ints, Ints]:
        """A row a word in the order of the sentence, columns of the tree still empty; and the places of heads."""
        nodes, blank = sentence.tree.nodes, bytes(4 * (WIDTH - TOLD))
        forms, labels, feats = self._forms, self._labels, self._feats
        pieces: list[bytes] = []
        for index in sentence.order:
            node = nodes[index]
            try:
                pieces += (
                    forms[node.form], labels[node.lemma], labels[node.upos], labels[node.xpos], labels[node.deprel],
                    feats[node.feats], blank,
                )  # fmt: skip
            except KeyError:
                pieces += (*self._new(node), blank)
        rows = np.frombuffer(bytearray().join(pieces), np.int32).reshape(len(nodes), WIDTH)
        return rows, np.array(sentence.head_places, np.int32)

    def _new(self, node: Node) -> tuple[bytes, ...]:
        for memory in (self._forms, self._labels, self._feats):
            if len(memory) > MOST_REMEMBERED:
                memory.clear()
        self._labels[None], self._feats[None] = bytes(4), bytes(8)
        lower = node.form.lower()
        codes = (hashed(lower), hashed(outline(node.form)), word_shape(node.form), hashed("-" + lower[-3:]))
        self._forms[node.form] = np.array(codes, np.int32).tobytes()
        for label in (node.lemma, node.upos, node.xpos, node.deprel):
            self._labels[label] = bytes(4) if label is None else np.int32(hashed(label)).tobytes()
        if node.feats is not None:
            parts = [node.feats, [item for item in node.feats if item[0] in _MOODS]]
            self._feats[node.feats] = np.array([hashed("|".join(map("=".join, p))) for p in parts], np.int32).tobytes()
        labels = (self._labels[x] for x in (node.lemma, node.upos, node.xpos, node.deprel))
        return (self._forms[node.form], *labels, self._feats[node.feats])


@compiled
def tree_tables(head):
    """First and last place of every subtree, its size, its depth, and daughters in order (CSR)."""
    n = head.shape[0]
    start = np.zeros(n + 2, np.int32)
    for i in range(n):
        if head[i] >= 0:
            start[head[i] + 2] += 1
    for i in range(n + 1):
        start[i + 1] += start[i]
    daughters = np.empty(n, np.int32)
    for i in range(n):
        if head[i] >= 0:
            daughters[start[head[i] + 1]] = i
            start[head[i] + 1] += 1
    order, depth = np.empty(n, np.int32), np.zeros(n, np.int32)
    filled = 0
    for i in range(n):
        if head[i] < 0:
            order[filled] = i
            filled += 1
    for place in range(n):
        node = order[place]
        for k in range(start[node], start[node + 1]):
            order[filled] = daughters[k]
            depth[daughters[k]] = depth[node] + 1
            filled += 1
    first, last, size = np.arange(n).astype(np.int32), np.arange(n).astype(np.int32), np.ones(n, np.int32)
    for place in range(n - 1, -1, -1):
        node = order[place]
        if head[node] >= 0:
            mother = head[node]
            first[mother] = min(first[mother], first[node])
            last[mother] = max(last[mother], last[node])
            size[mother] += size[node]
    return first, last, size, depth, start, daughters


@compiled
def binned(count):
    """A length in ever wider steps."""
    if count <= 5:
        return count
    return 5 + (count > 5) + (count > 7) + (count > 10) + (count > 15) + (count > 22) + (count > 35)


@compiled
def code(value):
    """The lower half of a hash as an attribute, never 0."""
    return np.int32((value >> np.uint64(33)) | np.uint64(1))


@compiled
def fill_tree_columns(rows, head, first, last, size, depth, start, daughters):
    """The columns that the tree tells."""
    for i in range(rows.shape[0]):
        rows[i, SIZE] = 1 + binned(size[i])
        rows[i, SIDE] = 3 if head[i] < 0 else 1 + (i < head[i])
        rows[i, BEGIN] = rows[first[i], FORM]
        rows[i, BEGIN_UPOS] = rows[first[i], UPOS]
        rows[i, DEPTH] = 1 + min(depth[i], 6)
        rows[i, DAUGHTERS] = 1 + min(start[i + 1] - start[i], 5)
        h, before = np.uint64(1), True
        known = True
        for k in range(start[i], min(start[i + 1], start[i] + 10)):
            d = daughters[k]
            if before and d > i:
                h, before = mix(h, 7), False
            h = mix(h, rows[d, DEPREL])
            known &= rows[d, DEPREL] != 0
        rows[i, RELATIONS] = code(h) if known else 0
        counted, total = 0, 0
        for k in range(start[i], start[i + 1] if start[i + 1] - start[i] < 60 else start[i]):
            d = daughters[k]
            counted, total = 0, 0
            for j in range(start[i], start[i + 1]):
                if rows[daughters[j], DEPREL] == rows[d, DEPREL]:
                    counted += j < k
                    total += j > k
            rows[d, SAME] = 0 if rows[d, DEPREL] == 0 else 1 + min(counted, 3) * 4 + min(total, 3)
        rows[i, ROLE] = 1
        if head[i] < 0:
            rows[i, SAME] = 1


@compiled
def sentence_values(rows, head, values):
    """What holds for the whole sentence: length, letters, verbs, and the blocks of first words and root."""
    n = rows.shape[0]
    lower, capital, upper, names = 0, 0, 0, 0
    root = 0
    for i in range(n):
        lower += rows[i, KIND] == 1
        capital += rows[i, KIND] == 2
        upper += rows[i, KIND] == 3
        names += rows[i, KIND] == 2 or rows[i, KIND] == 3
        if head[i] < 0:
            root = i
    values[LENGTH] = 1 + binned(n)
    started = rows[0, KIND] == 2 or rows[0, KIND] == 4 or rows[0, KIND] == 3 or rows[0, KIND] == 8
    values[STYLE] = 1 + (lower > 0) + 2 * (capital > 0) + 4 * (upper > lower) + 8 * started
    values[QUESTION] = question(rows, head)
    values[NAMES] = 1 + (4 * names) // n
    for w in range(3):
        copy_block(rows, w if w < n else -1, 12 + w, values)
    copy_block(rows, root, 15, values)


@compiled
def question(rows, head):
    """Whether clauses ask: their auxiliary before their subject, an interrogative before their verb; 0 if not known.

    Of the root and of the last clause that is joined to it, as bits 0 and 1, bits 2 and 3.
    """
    n = rows.shape[0]
    asks = np.zeros(n, np.int32)
    auxiliary = np.full(n, n, np.int32)
    known = False
    for i in range(n):
        relation, h = rows[i, DEPREL], head[i]
        known |= relation != 0
        if h < 0:
            continue
        if relation in (_AUX, _AUX_PASS, _COP):
            auxiliary[h] = min(auxiliary[h], i)
        elif relation in (_NSUBJ, _NSUBJ_PASS, _EXPL) and (auxiliary[h] < i or (h < i and rows[h, UPOS] == _AUX_UPOS)):
            asks[h] |= 1
        if rows[i, MOOD] == _INTERROGATIVE:
            # *what time*, *for whom*: the word may stand deeper within what is moved to the front.
            top = i
            for _ in range(3):
                if head[top] >= 0 and top < head[top] and rows[top, DEPREL] not in (_CCOMP, _ADVCL, _ACL):
                    top = head[top]
            asks[top] |= 2
    joined, root = 0, 0
    for i in range(n):
        if head[i] < 0:
            root = asks[i]
        elif i > head[i]:
            beside_root = head[head[i]] < 0
            last = rows[i, DEPREL] == _CONJ or (beside_root and rows[i, DEPREL] == _PARATAXIS)
            if last or (beside_root and rows[i, DEPREL] == _CCOMP and asks[i]):
                joined = asks[i]
    return 1 + root + 4 * joined if known else 0


@compiled
def copy_block(rows, i, block, values):
    """The attributes of one word or node, or of nothing."""
    for c in range(WIDTH):
        values[block * WIDTH + c] = rows[i, c] if i >= 0 else OUTSIDE


@compiled
def meeting(head, depth, left, right):
    """The lowest node above two words, and its pieces that hold them (the node itself or a daughter)."""
    p, q = left, right
    below_p, below_q = left, right
    while depth[p] > depth[q]:
        below_p, p = p, head[p]
    while depth[q] > depth[p]:
        below_q, q = q, head[q]
    while p != q:
        below_p, p = p, head[p]
        below_q, q = q, head[q]
    return p, (p if left == p else below_p), (p if right == p else below_q)


@compiled
def neighbour(node, piece, step, start, daughters):
    """The piece of a node before (-1) or after (+1) one of its pieces; -1 if there is none."""
    before = -1
    passed = False
    for k in range(start[node], start[node + 1] + 1):
        # The node's own word stands among its daughters.
        d = daughters[k] if k < start[node + 1] else -1
        if not passed and (d < 0 or d > node):
            passed = True
            if piece == node:
                return before if step < 0 else d
            if before == piece and step > 0:
                return node
            before = node
        if d < 0:
            break
        if d == piece and step < 0:
            return before
        if before == piece and step > 0:
            return d
        before = d
    return -1


@compiled
def gap_values(rows, head, first, last, depth, start, daughters, g, values):
    """Line up what is seen at the gap before word ``g`` (0 to the number of words); returns the pieces p and q."""
    n = rows.shape[0]
    for w in range(6):
        j = g - 3 + w
        copy_block(rows, j if 0 <= j < n else -1, w, values)
    values[PLACE], values[REST] = 1 + binned(g), 1 + binned(n - g)
    values[GAP] = 2 if 0 < g < n else 1 if g == 0 else 3
    values[PATH], values[PATH_LEFT], values[PATH_RIGHT], values[CLOSED], values[OPENED] = 1, 1, 1, 1, 1
    if g in (0, n):
        for block in range(6, 12):
            copy_block(rows, -1, block, values)
        return -1, -1
    node, p, q = meeting(head, depth, g - 1, g)
    copy_block(rows, p, 6, values)
    copy_block(rows, q, 7, values)
    copy_block(rows, node, 8, values)
    copy_block(rows, head[node], 9, values)
    copy_block(rows, neighbour(node, p, -1, start, daughters), 10, values)
    copy_block(rows, neighbour(node, q, 1, start, daughters), 11, values)
    values[6 * WIDTH + ROLE] = 1 + (p == node)
    values[7 * WIDTH + ROLE] = 1 + (q == node)
    left, right, known, climbed = np.uint64(1), np.uint64(2), True, 0
    x = g - 1
    while x != node and climbed < 50:
        left = mix(left, rows[x, DEPREL])
        known &= rows[x, DEPREL] != 0
        climbed += 1
        x = head[x]
    values[CLOSED] = 1 + min(climbed, 5)
    values[PATH_LEFT] = code(left) if known else 0
    climbed, x = 0, g
    while x != node and climbed < 50:
        right = mix(right, rows[x, DEPREL])
        known &= rows[x, DEPREL] != 0
        climbed += 1
        x = head[x]
    values[OPENED] = 1 + min(climbed, 5)
    values[PATH_RIGHT] = code(right) if known else 0
    values[PATH] = code(mix(left, right)) if known else 0
    return p, q
