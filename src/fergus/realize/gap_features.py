"""What is seen at the gap between two words: attributes of the words beside it, hashed by templates.

c    b    l | r    a    d        the | is the gap; templates name the words by these letters
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources

import numpy as np

from fergus.compiled import compiled
from fergus.core.tree import Node
from fergus.realize.features import PUNCTUATION_SHAPE, Ints, hashed, word_shape
from fergus.realize.templates import read_sections

# Columns of a word: how it is written, what is filled in from the whole sentence, its labels, and its arcs, which are
# filled in from the tree; 0 is "absent".
FORM, EXACT, SHAPE, SUFFIX, FIRST, LAST, KIND, SIZE, RANK, NEAR = range(10)
UPOS, XPOS, DEPREL, FEATS, LEMMA, REACH, BRIDGE, LINK = range(10, 18)
ATTRIBUTES = (
    *("form", "exact", "shape", "suffix", "first", "last", "kind", "size", "rank", "near"),
    *("upos", "xpos", "deprel", "feats", "lemma", "reach", "bridge", "link"),
)
WIDTH = len(ATTRIBUTES)
LABELS = UPOS
"""The labels, and what is known from the tree, are the columns from here on."""
WORDS = "cblrad"
CODES = {f"{word}.{name}": w * WIDTH + i for w, word in enumerate(WORDS) for i, name in enumerate(ATTRIBUTES)}
STYLE, LENGTH, LAST_WORD, CONTRACTION, DECISION = range(len(WORDS) * WIDTH, len(WORDS) * WIDTH + 5)
CODES |= {"s.style": STYLE, "s.length": LENGTH, "s.last": LAST_WORD, "contraction": CONTRACTION, "p": DECISION}
VALUES = DECISION + 1
BEGINNING, END = 1, 2
"""The value of every attribute of the words that are not there, at either end."""
LETTERS = 6
"""Kinds below this are words of letters only."""
MOST_REMEMBERED = 200_000
MOST_LETTERS = 6
"""Words of more letters are long: units of measure are short (*5kg*, *5 persons*)."""
_NO_ARCS = bytes(4 * (WIDTH - REACH))
_NO_LABELS = bytes(4 * (WIDTH - LABELS))

Feats = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class GapTemplates:
    """Templates in their readable form and as codes, -1 where a line is shorter."""

    text: str
    gap: Ints
    decision: Ints


def parse_gap_templates(text: str) -> GapTemplates:
    """Read the sections ``[gap]`` and ``[decision]``; a name that is no attribute is an error of the model file."""
    return GapTemplates(text, *read_sections(text, ("gap", "decision"), CODES, what="joining templates"))


def shipped_gap_templates() -> GapTemplates:
    """The templates beside this module."""
    return parse_gap_templates(resources.files("fergus.realize").joinpath("templates/joining.txt").read_text("utf-8"))


class WordEncoder:
    """Turns words into rows of codes; remembers the bytes of those it has seen."""

    def __init__(self) -> None:
        self._forms: dict[str, bytes] = {}
        self._labels: dict[str | None, bytes] = {None: bytes(4)}
        # By identity, which is quick; the features are kept, so that their place in memory is not given away.
        self._feats: dict[int, tuple[Feats | None, bytes]] = {}

    def encode(self, words: Sequence[Node]) -> Ints:
        """A row a word, without what depends on the sentence."""
        pieces: list[bytes] = []
        labels, feats = self._labels, self._feats
        for word in words:
            try:
                pieces += (
                    self._forms[word.form], labels[word.upos], labels[word.xpos], labels[word.deprel],
                    feats[id(word.feats)][1], labels[word.lemma], _NO_ARCS,
                )  # fmt: skip
            except KeyError:
                pieces += self._new(word)
                labels, feats = self._labels, self._feats
        return np.frombuffer(bytearray().join(pieces), np.int32).reshape(len(words), WIDTH)

    def encode_forms(self, forms: Sequence[str]) -> Ints:
        """The same where nothing but forms is known."""
        pieces: list[bytes] = []
        for form in forms:
            pieces += (self._forms.get(form) or self._new_form(form), _NO_LABELS)
        return np.frombuffer(bytearray().join(pieces), np.int32).reshape(len(forms), WIDTH)

    def _new_form(self, form: str) -> bytes:
        if len(self._forms) > MOST_REMEMBERED:
            self._forms = {}
        codes = self._forms[form] = np.array(form_codes(form), np.int32).tobytes()
        return codes

    def _new(self, word: Node) -> tuple[bytes, ...]:
        if len(self._labels) > MOST_REMEMBERED:
            self._labels = {None: bytes(4)}
        if len(self._feats) > MOST_REMEMBERED:
            self._feats = {}
        if id(word.feats) not in self._feats:
            code = hashed("|".join(map("=".join, word.feats))) if word.feats is not None else 0
            self._feats[id(word.feats)] = (word.feats, np.int32(code).tobytes())
        for label in (word.upos, word.xpos, word.deprel, word.lemma):
            if label not in self._labels:
                self._labels[label] = np.int32(hashed(label or "")).tobytes()
        upos, xpos, deprel, lemma = (self._labels[x] for x in (word.upos, word.xpos, word.deprel, word.lemma))
        form = self._forms.get(word.form) or self._new_form(word.form)
        return form, upos, xpos, deprel, self._feats[id(word.feats)][1], lemma, _NO_ARCS


def form_codes(form: str) -> tuple[int, ...]:
    """The columns that follow from the form alone, and zeros for those of the sentence."""
    lower = form.lower()
    return (
        hashed(lower),
        hashed(form),
        hashed(outline(form)),
        hashed("-" + lower[-3:]),
        hashed(lower[:1]),
        hashed(lower[-1:]),
        word_shape(form),
        1 + min(len(form), MOST_LETTERS),
        0,
        0,
    )


def outline(form: str) -> str:
    """How a word is written: *McDonald's* is ``XxXx'x``, *3.50* ``d.d``; runs count once."""
    out: list[str] = []
    for character in form[:24]:
        sign = character
        if character.isalpha():
            sign = "X" if character.isupper() else "x"
        elif character.isdigit():
            sign = "d"
        if not out or out[-1] != sign:
            out.append(sign)
    return "".join(out)


@compiled
def fill_sentence_columns(rows, sentence):
    """Fill in RANK and NEAR of the marks: the how-manieth of its kind, of how many, how far its fellows are.

    ``sentence`` gets the style (which kinds of letters there are), the length and the last word.
    """
    n = rows.shape[0]
    lower, capital, upper = 0, 0, 0
    for i in range(n):
        kind = rows[i, KIND]
        lower += kind == 1
        capital += kind == 2
        upper += kind == 3
        if kind != PUNCTUATION_SHAPE:
            rows[i, RANK], rows[i, NEAR] = 1, 1
            continue
        before, after, back, ahead = 0, 0, 0, 0
        for j in range(n):
            if rows[j, FORM] == rows[i, FORM]:
                if j < i:
                    before += 1
                    back = i - j
                elif j > i:
                    after += 1
                    if ahead == 0:
                        ahead = j - i
        total = before + after + 1
        rows[i, RANK] = 2 + (before & 1) + 2 * (total & 1) + 4 * (total == 1) + 8 * (after == 0) + 16 * (before == 0)
        rows[i, NEAR] = 2 + min(back, 5) + 6 * min(ahead, 5)
    sentence[0] = 1 + (lower > 0) + 2 * (capital > 0) + 4 * (upper > 0)
    sentence[1] = 1 + min(n, 4) + (n > 8) + (n > 16) + (n > 30)
    sentence[2] = rows[n - 1, FORM] if n else 1


@compiled
def gather_gap(rows, sentence, i, values):
    """Line up the attributes of the words around the gap after word ``i``."""
    n = rows.shape[0]
    for w in range(6):
        j = i - 2 + w
        for c in range(WIDTH):
            values[w * WIDTH + c] = rows[j, c] if 0 <= j < n else BEGINNING if j < 0 else END
    values[STYLE], values[LENGTH], values[LAST_WORD] = sentence[0], sentence[1], sentence[2]


@compiled
def find_slot(keys, key):
    """Where a key stands in an open-addressing table, or the free slot where it would (there key 0)."""
    mask = np.int64(keys.shape[0] - 1)
    slot = np.int64(key >> np.uint32(1)) & mask
    while keys[slot] != key and keys[slot] != 0:
        slot = (slot + 1) & mask
    return slot


@compiled
def is_plain(rows, i, plain):
    """Whether both words at the gap after word ``i`` are of letters and known to stand apart from other words."""
    if rows[i, KIND] >= LETTERS or rows[i + 1, KIND] >= LETTERS:
        return False
    left, right = np.uint32(2 * np.int64(rows[i, FORM])), np.uint32(2 * np.int64(rows[i + 1, FORM]) + 1)
    return plain[find_slot(plain, left)] != 0 and plain[find_slot(plain, right)] != 0


@compiled
def hash_gap(values, templates, salt, out):
    """A key (not 0) for each template with these values; 0 where a label it asks for is absent."""
    multiplier = np.uint64(0x9E3779B97F4A7C15)
    for t in range(templates.shape[0]):
        h = np.uint64(salt + t * 7919 + 1) * multiplier
        absent = False
        for j in range(templates.shape[1]):
            code = templates[t, j]
            if code < 0:
                break
            absent |= values[code] == 0
            h = (h ^ np.uint64(values[code])) * multiplier
            h ^= h >> np.uint64(29)
        out[t] = np.uint32(0) if absent else np.uint32((h >> np.uint64(32)) | np.uint64(1))
