"""Trees as arrays: the attributes of nodes and treelets from which the models' features are made.

A tree is stored in *canonical* order: root first, then breadth first, sisters sorted by a hash of their
whole subtree's content. Equal trees give equal arrays whatever order their nodes came in; daughters of a
node are neighbours, mothers come before daughters, so a bottom-up pass is a loop from the end.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fergus.compiled import compiled
from fergus.core.tree import DependencyTree, Node, Place
from fergus.realize.ranking import sort_by_key

Ints = NDArray[np.int32]

# Columns of the base array: what a single node says, each a hash of a string or a small code; 0 is "absent".
FORM, SHAPE, SUFFIX, LEMMA, UPOS, FEATS, DEPREL, FLAGS = range(8)
COMPARED = 8
"""Sisters are sorted by the columns up to here; the others follow from these and the written form."""
RELATION, CASE, VERB_FORM, PRON_TYPE, OWN_INITIAL = range(COMPARED, COMPARED + 5)
SINGLE_FEATURES = ("Case", "VerbForm", "PronType")
BASE = COMPARED + 5
# Further columns of the attribute array, derived from the tree.
SIZE, DEGREE, FRAME, MARKER, LEAVES, CAPITAL, FIRST_FORM, FIRST_UPOS, FIRST_SHAPE, LAST_FORM, LAST_UPOS = range(
    BASE, BASE + 11
)
INITIAL, FIRST_INITIAL = range(BASE + 11, BASE + 13)
NODE_ATTRIBUTES = (
    *("form", "shape", "suffix", "lemma", "upos", "feats", "deprel", "flags"),
    *("relation", "case", "verb_form", "pron_type", "own_initial"),
    *("size", "degree", "frame", "marker", "leaves", "capital"),
    *("first_form", "first_upos", "first_shape", "last_form", "last_upos"),
    *("initial", "first_initial"),
)
RELATIONS, QUESTION, COUNT, CORE, IS_ROOT, SENTENCE_QUESTION, FUNCTIONS, PUNCTUATION, LEAF_FORMS, CASES = range(10)
TREELET_ATTRIBUTES = (
    "relations",
    "question",
    "count",
    "core",
    "is_root",
    "sentence_question",
    "functions",
    "punctuation",
    "leaf_forms",
    "cases",
)

# Bits of FLAGS.
SENTENCE_CAPITAL, INTERROGATIVE, QUESTION_MARK, CASE_OR_MARK, FUNCTION, UNLABELLED = 1, 2, 4, 8, 16, 32
PUNCTUATION_SHAPE = 7
# Relations whose presence tells the kind of clause; UD and Penn names side by side.
CORE_RELATIONS = (
    *("nsubj", "obj", "aux", "cop", "expl", "mark", "advmod", "cc", "conj", "nsubj:pass", "ccomp", "xcomp"),
    *("SBJ", "OBJ", "PRD", "VP", "ADVP"),
)
MARKING_RELATIONS = frozenset({"case", "mark"})
FUNCTION_RELATIONS = frozenset({"aux", "aux:pass", "cop", "mark", "expl", "cc", "AUX", "COP", "COMP", "CC"})


def hashed(text: str) -> int:
    """A positive 31-bit hash of ``text`` that is the same in every process."""
    return zlib.crc32(text.encode()) & 0x7FFFFFFF or 1


_CORE_HASHES = np.array([hashed(r) for r in CORE_RELATIONS], dtype=np.int32)


def lowered(form: str) -> str:
    """``form`` in lower case, the dotted capital I of Turkish as a plain i and not as two characters."""
    return form.lower().replace("i\u0307", "i")


def word_shape(form: str) -> int:
    """A small code for how a word is written: 1 lower, 2 Capitalised, 3 UPPER, 6 number, 7 punctuation ..."""
    if form.isalpha():
        if form.islower():
            return 1
        if form[0].isupper() and form[1:].islower():
            return 2
        if form.isupper():
            return 3 if len(form) > 1 else 4
        return 5
    if form[:1].isdigit():
        return 6
    if not any(character.isalnum() for character in form):
        return PUNCTUATION_SHAPE
    return 8 if form[:1].isupper() else 9


class TreeArrays(NamedTuple):
    """One tree in canonical order, ready for the compiled stages."""

    base: Ints
    """A row a node: the columns FORM ... FLAGS."""
    head: Ints
    first_daughter: Ints
    """Daughters of node i are first_daughter[i] : first_daughter[i + 1]."""
    original: Ints
    """The index in the given tree of every canonical node."""


class Encoder:
    """Turns trees into arrays; remembers the codes of the strings it has seen."""

    def __init__(self, usually_lower: Collection[str] = frozenset()) -> None:
        self.usually_lower = frozenset(usually_lower)
        """Words that are capitalised only where a sentence begins."""
        self._forms: dict[str, tuple[int, int, int, int, bool]] = {}
        self._labels: dict[str | None, int] = {None: 0}
        self._relations: dict[str | None, int] = {None: 0}
        silent = (0, 0, (0,) * len(SINGLE_FEATURES))
        self._feats: dict[tuple[tuple[str, str], ...] | None, tuple[int, int, tuple[int, ...]]] = {None: silent}

    def encode(self, tree: DependencyTree, *, asks: bool = False) -> TreeArrays:
        """The arrays of ``tree``; ``asks``: it is said to be a question, as a question mark says it."""
        base = np.array([self._row(node) for node in tree.nodes], dtype=np.int32)
        if asks:
            base[tree.root, FLAGS] |= QUESTION_MARK
        heads = np.array(tree.heads, dtype=np.int32)
        compared = np.ascontiguousarray(base[:, :COMPARED])
        original, head, first_daughter, tied = canonical_order(compared, heads, np.empty(0, np.int32))
        if tied:  # sisters alike in all columns: what the columns leave out decides, not their place in the input
            original, head, first_daughter, _ = canonical_order(compared, heads, _marks(tree))
        return TreeArrays(base[original], head, first_daughter, original)

    def _row(self, node: Node) -> tuple[int, ...]:
        form = self._forms.get(node.form)
        if form is None:
            form = self._forms[node.form] = self._form_codes(node.form)
        labels = self._labels
        deprel = node.deprel
        try:
            lemma, upos, relation = labels[node.lemma], labels[node.upos], labels[deprel]
        except KeyError:
            lemma, upos, relation = map(self._label_code, (node.lemma, node.upos, deprel))
        feats = self._feats.get(node.feats)
        if feats is None:
            feats = self._feats[node.feats] = self._feats_codes(node.feats)
        flags = form[3] | feats[1]
        if deprel is None or node.upos is None:
            flags |= UNLABELLED
        if deprel in MARKING_RELATIONS:
            flags |= CASE_OR_MARK | FUNCTION
        elif deprel in FUNCTION_RELATIONS:
            flags |= FUNCTION
        broad = self._relations.get(deprel)
        if broad is None:
            broad = self._relations[deprel] = hashed((deprel or "").split(":")[0])
        # A capital that the lemma does not have: the word that begins the sentence, or one of a title.
        initial = 2 if form[4] and node.lemma and node.lemma[0].islower() and node.upos != "PROPN" else 1
        return (form[0], form[1], form[2], lemma, upos, feats[0], relation, flags, broad, *feats[2], initial)

    def _label_code(self, label: str | None) -> int:
        code = self._labels.get(label)
        if code is None:
            code = self._labels[label] = hashed(label or "")
        return code

    def _form_codes(self, form: str) -> tuple[int, int, int, int, bool]:
        lower = lowered(form)
        flags = SENTENCE_CAPITAL if form[:1].isupper() and lower in self.usually_lower else 0
        if form == "?":
            flags |= QUESTION_MARK
        return hashed(lower), word_shape(form), hashed("-" + lower[-3:]), flags, form[:1].isupper()

    def _feats_codes(self, feats: tuple[tuple[str, str], ...] | None) -> tuple[int, int, tuple[int, ...]]:
        if not feats:
            return hashed("_"), 0, (1,) * len(SINGLE_FEATURES)
        values = dict(feats)
        single = tuple(hashed(values[name]) if name in values else 1 for name in SINGLE_FEATURES)
        interrogative = ("PronType", "Int") in feats or ("PronType", "Rel") in feats
        return hashed("|".join(map("=".join, feats))), INTERROGATIVE if interrogative else 0, single


def _marks(tree: DependencyTree) -> Ints:
    """Of every node a hash of what no model looks at, yet a reader or a constraint can tell."""
    marks = [[node.form, node.xpos or "", node.misc or ""] for node in tree.nodes]
    for mark, node in zip(marks, tree.nodes, strict=True):
        mark.extend(f"choice {choice.word} {choice.weight}" for choice in node.alternatives)
    for constraint in tree.constraints:
        if isinstance(constraint, Place):
            marks[constraint.node].append(f"{constraint.side} {constraint.rank}")
        else:
            first, second = constraint.first, constraint.second
            marks[first].append(f"before {tree.nodes[second].form}")
            marks[second].append(f"after {tree.nodes[first].form}")
    return np.array([hashed("\n".join([*mark[:3], *sorted(mark[3:])])) for mark in marks], np.int32)


def learn_usually_lower(sentences: Iterable[Iterable[str]]) -> frozenset[str]:
    """Words seen in lower case more often than capitalised inside a sentence (its first word not counted).

    Sentences without any capital (transcribed speech) say nothing of it.
    """
    balance: dict[str, int] = {}
    for sentence in sentences:
        forms = list(sentence)
        if all(form == form.lower() for form in forms):
            continue
        for position, form in enumerate(forms):
            if form.islower():
                balance[form] = balance.get(form, 0) + 1
            elif position and form[:1].isupper():
                lower = lowered(form)
                balance[lower] = balance.get(lower, 0) - 1
    return frozenset(word for word, count in balance.items() if count > 0 and word != "i")


@compiled
def mix(a: Any, b: Any) -> Any:
    """A 64-bit hash of two numbers (multiply and shift), the same on every machine."""
    h = (np.uint64(a) ^ (np.uint64(b) + np.uint64(0x9E3779B97F4A7C15))) * np.uint64(0xBF58476D1CE4E5B9)
    h ^= h >> np.uint64(29)
    return h * np.uint64(0x94D049BB133111EB)


@compiled
def canonical_order(base: Ints, heads: Ints, marks: Ints) -> tuple[Ints, Ints, Ints, bool]:
    """Original indices in canonical order, canonical heads, where each node's daughters begin; is there a tie?

    Sisters whose subtrees are the same in ``base`` are a tie; ``marks``, if given, a number a node, decides it.
    """
    n = heads.shape[0]
    count = np.zeros(n + 1, np.int32)
    root = 0
    for i in range(n):
        if heads[i] >= 0:
            count[heads[i] + 1] += 1
        else:
            root = i
    for i in range(n):
        count[i + 1] += count[i]
    start = np.empty(n + 1, np.int32)
    for i in range(n + 1):
        start[i] = count[i]
    daughters = np.empty(max(n - 1, 1), np.int32)
    for i in range(n):
        if heads[i] >= 0:
            daughters[start[heads[i]]] = i
            start[heads[i]] += 1
    top_down = np.empty(n, np.int32)
    top_down[0] = root
    filled = 1
    for place in range(n):
        for d in range(count[top_down[place]], count[top_down[place] + 1]):
            top_down[filled] = daughters[d]
            filled += 1
    content = subtree_hashes(base, heads, top_down)
    marked = subtree_hashes(marks.reshape(-1, 1), heads, top_down) if marks.shape[0] else content
    original, head = np.empty(n, np.int32), np.empty(n, np.int32)
    first = np.empty(n + 1, np.int32)
    original[0], head[0], filled, tied = root, -1, 1, False
    for place in range(n):
        begin, end = count[original[place]], count[original[place] + 1]
        first[place] = filled
        if marks.shape[0]:
            sort_by_key(daughters, begin, end, marked)
        sort_by_key(daughters, begin, end, content)
        for d in range(begin, end):
            original[filled], head[filled] = daughters[d], place
            tied |= d > begin and content[daughters[d]] == content[daughters[d - 1]]
            filled += 1
    first[n] = n
    return original, head, first, tied


@compiled
def subtree_hashes(rows: Ints, heads: Ints, top_down: Ints) -> NDArray[np.uint64]:
    """A hash of the rows of each node and all nodes below it, whatever the order of daughters."""
    out = np.zeros(heads.shape[0], np.uint64)
    for place in range(heads.shape[0] - 1, -1, -1):
        i = top_down[place]
        h = np.uint64(out[i])  # the sum over daughters does not depend on their order
        for c in range(rows.shape[1]):
            h = mix(h, np.uint64(rows[i, c]))
        out[i] = h
        if heads[i] >= 0:
            out[heads[i]] += mix(h, np.uint64(17))
    return out


@compiled
def bucket(size: int) -> int:
    """Sizes up to 5 as they are, then 6-8, 9-13, 14-24, 25 and more."""
    if size < 6:
        return size
    return 6 if size < 9 else 7 if size < 14 else 8 if size < 25 else 9


@compiled
def node_attributes(base: Ints, head: Ints, first: Ints) -> Ints:
    """The attribute array: the base columns and what follows from the tree; edges are those of the word itself."""
    n = base.shape[0]
    x = np.zeros((n, len(NODE_ATTRIBUTES)), np.int32)
    for i in range(n):
        for c in range(BASE):
            x[i, c] = base[i, c]
    for i in range(n - 1, -1, -1):
        degree = first[i + 1] - first[i]
        size, frame, marker, leaves = 1, np.uint64(0), np.uint64(0), np.uint64(0)
        capital, initial = 1 + (base[i, FLAGS] & SENTENCE_CAPITAL), base[i, OWN_INITIAL]
        for d in range(first[i], first[i + 1]):
            size += x[d, SIZE]
            repeated = False
            for e in range(first[i], min(d, first[i] + 64)):
                repeated |= base[e, DEPREL] == base[d, DEPREL]
            if not repeated:
                frame += mix(np.uint64(1), np.uint64(base[d, DEPREL]))
            if base[d, FLAGS] & CASE_OR_MARK:
                marker += mix(np.uint64(2), np.uint64(base[d, FORM]))
            if first[d] == first[d + 1]:
                leaves += mix(np.uint64(base[d, DEPREL]), np.uint64(base[d, FORM]))
            if x[d, CAPITAL] == 2:
                capital = 2
            initial = max(initial, x[d, INITIAL])
        x[i, SIZE], x[i, DEGREE] = size, min(degree, 6)  # the true size for now: mothers add it up
        x[i, FRAME], x[i, MARKER] = frame & np.uint64(0x7FFFFFFF), marker & np.uint64(0x7FFFFFFF)
        x[i, LEAVES], x[i, CAPITAL] = leaves & np.uint64(0x7FFFFFFF), capital
        x[i, FIRST_FORM], x[i, LAST_FORM] = base[i, FORM], base[i, FORM]
        x[i, FIRST_UPOS], x[i, LAST_UPOS] = base[i, UPOS], base[i, UPOS]
        x[i, FIRST_SHAPE] = base[i, SHAPE]
        x[i, INITIAL], x[i, FIRST_INITIAL] = initial, base[i, OWN_INITIAL]
    for i in range(n):
        x[i, SIZE] = bucket(x[i, SIZE])
    return x


@compiled
def copy_edges(x: Ints, node: int, first_item: int, last_item: int) -> None:
    """The phrase of ``node`` begins with that of ``first_item`` and ends with that of ``last_item``."""
    x[node, FIRST_FORM], x[node, FIRST_UPOS] = x[first_item, FIRST_FORM], x[first_item, FIRST_UPOS]
    x[node, FIRST_SHAPE], x[node, FIRST_INITIAL] = x[first_item, FIRST_SHAPE], x[first_item, FIRST_INITIAL]
    x[node, LAST_FORM], x[node, LAST_UPOS] = x[last_item, LAST_FORM], x[last_item, LAST_UPOS]


@compiled
def treelet_attributes(x: Ints, head: Ints, first: Ints) -> Ints:
    """A row a node with what all of its daughters say together; order-free sums of hashes."""
    n = x.shape[0]
    out = np.zeros((n, len(TREELET_ATTRIBUTES)), np.int32)
    asked = 0
    for i in range(n):
        if x[i, FLAGS] & QUESTION_MARK:
            asked = 1
    low = np.uint64(0x7FFFFFFF)
    for i in range(n):
        if first[i] == first[i + 1]:
            continue
        relations, functions, marks, leaves = np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0)
        cases = np.uint64(0)
        question, wh, core = 1 if x[i, FLAGS] & QUESTION_MARK else 0, 0, 0
        for d in range(first[i], first[i + 1]):
            relations += mix(np.uint64(3), np.uint64(x[d, DEPREL]))
            cases += mix(np.uint64(x[d, RELATION]), np.uint64(x[d, CASE]))
            if x[d, FLAGS] & FUNCTION:
                functions += mix(np.uint64(4), np.uint64(x[d, FORM]))
            if x[d, SHAPE] == PUNCTUATION_SHAPE:
                marks += mix(np.uint64(5), np.uint64(x[d, FORM]))
            if first[d] == first[d + 1]:
                leaves += mix(np.uint64(6), np.uint64(x[d, FORM]))
            if x[d, FLAGS] & QUESTION_MARK:
                question = 1
            if x[d, FLAGS] & INTERROGATIVE:
                wh = 2
            for g in range(first[d], first[d + 1]):
                if x[g, FLAGS] & INTERROGATIVE:
                    wh = 2
            for r in range(_CORE_HASHES.shape[0]):
                if x[d, DEPREL] == _CORE_HASHES[r]:
                    core |= 1 << r
        out[i, RELATIONS], out[i, FUNCTIONS] = relations & low, functions & low
        out[i, PUNCTUATION], out[i, LEAF_FORMS], out[i, CASES] = marks & low, leaves & low, cases & low
        out[i, QUESTION], out[i, CORE] = 1 + question + wh, 1 + core
        out[i, COUNT] = min(first[i + 1] - first[i], 9)
        out[i, IS_ROOT], out[i, SENTENCE_QUESTION] = 1 + (head[i] < 0), 1 + asked
    return out
