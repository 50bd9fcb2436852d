"""What speaks for a reading of a slot: attributes of a deep node and its neighbours, and templates to join them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from fergus.compiled import compiled
from fergus.core.tree import ROOT, DependencyTree, Node
from fergus.realize.features import Ints, hashed, mix, word_shape
from fergus.realize.insertion_readings import CASE, EXPLETIVE, MARK, PREDICATE, RELATIVE, SLOTS, Reading
from fergus.realize.templates import read_sections

OWN = ("lemma", "upos", "relation", "suffix", "shape", "number", "person", "definite", "tense", "aspect", "mood",
       "voice", "prontype", "clause", "finer")  # fmt: skip
NODE = (*OWN, "frame", "degree", "subject", "subject_number", "subject_person", "subject_lemma", "object", "marker",
        "conjunction", "negated", "conjuncts", "wh", "first", "second", "auxiliary",
        "determiner", "modifiers", "kind")  # fmt: skip
AROUND = ("sisters", "same", "has_object", "grand_lemma", "grand_upos", "grand_relation", "sister_marker")
DECIDED = ("relative", "marked", "predicate", "expletive", "case", "mother_relative", "mother_mark",
           "mother_predicate", "mother_expletive", "mother_case")  # fmt: skip
COLUMNS = (*NODE, *(f"mother_{name}" for name in NODE), *AROUND, *DECIDED)
MOST_NEIGHBOURS = 32
"""What is said of daughters and sisters, two things of each."""
EVERY = "every"
"""Where the templates stand that all slots have."""

BAG_WITH = ("", "lemma", "relation", "mother_lemma", "upos")
"""Each word among daughters and sisters is combined with each of these."""
_DECIDED_AT = {
    RELATIVE: COLUMNS.index("relative"), MARK: COLUMNS.index("marked"), PREDICATE: COLUMNS.index("predicate"),
    EXPLETIVE: COLUMNS.index("expletive"), CASE: COLUMNS.index("case"),
}  # fmt: skip
_MOTHER = ("mother_relative", "mother_mark", "mother_predicate", "mother_expletive", "mother_case")
_MOTHER_DECIDED = [COLUMNS.index(name) for name in _MOTHER]
_DECIDED = list(_DECIDED_AT.values())
_SUBJECTS, _OBJECTS = ("A1",), ("A2", "A3")


def shipped_insertion_templates() -> str:
    """The text of the templates beside this module."""
    return resources.files("fergus.realize").joinpath("templates/insertion.txt").read_text("utf-8")


def template_arrays(text: str) -> tuple[Ints, ...]:
    """For every slot the columns of each of its templates, -1 where it combines fewer."""
    codes = {name: column for column, name in enumerate(COLUMNS)}
    everywhere, *own = read_sections(text, (EVERY, *SLOTS), codes, what="insertion templates")
    width = max(block.shape[1] for block in (everywhere, *own))
    blocks = [np.pad(block, ((0, 0), (0, width - block.shape[1])), constant_values=-1) for block in (everywhere, *own)]
    return tuple(np.concatenate([blocks[0], block]) for block in blocks[1:])


def bag_array() -> NDArray[np.int16]:
    """The column of each attribute in BAG_WITH, -1 for none."""
    return np.array([COLUMNS.index(name) if name else -1 for name in BAG_WITH], np.int16)


def ending(lemma: str) -> str:
    """The last three letters; of a number how long it is."""
    return f"#{len(lemma)}" if lemma.isdecimal() else lemma[-3:]


def content(node: Node) -> tuple[str, str, str, tuple[tuple[str, str], ...]]:
    """What a node says, to sort by."""
    return node.deprel or "", (node.lemma or node.form).lower(), node.upos or "", node.feats or ()


class DeepTreeView:
    """The attributes of every node of a deep tree as numbers, with room for what is decided."""

    def __init__(self, tree: DependencyTree, numbers: dict[str, int], *, without: Collection[int] = ()) -> None:
        """The nodes ``without`` which it is a deep tree are not seen by the others."""
        self.tree, self._numbers = tree, numbers
        # The first of several daughters is asked for below: which one that is must not hang on the input's order.
        self.daughters = [
            sorted((d for d in below if d not in without), key=lambda d: content(tree.nodes[d]))
            for below in tree.daughters
        ]
        feats = [dict(node.feats or ()) for node in tree.nodes]
        rows = [self._node(node, feats) for node in range(len(tree))]
        blank = dict.fromkeys(NODE, "")
        self.rows = np.zeros((len(tree), len(COLUMNS)), np.int32)
        self.bags: list[Ints] = []
        for node, head in enumerate(tree.heads):
            mother = rows[head] if head != ROOT else blank
            values = [*rows[node].values(), *mother.values(), *self._around(node, rows)]
            self.rows[node, : len(values)] = [self._number(value) for value in values]
            self.bags.append(np.array([self._number(text) for text in self._bag(node)], np.int32))

    def _number(self, text: str) -> int:
        if not text:
            return 0
        number = self._numbers.get(text)
        if number is None:
            number = self._numbers[text] = hashed(text)
        return number

    def note(self, node: int, slot: int, reading: Reading) -> None:
        """Note what was decided, for later decisions here and at the daughters."""
        column = _DECIDED_AT.get(slot)
        if column is not None:
            self.rows[node, column] = self._number(reading.name)

    def has(self, node: int, relation: str, upos: str = "") -> bool:
        """Whether a node has such a daughter."""
        below = (self.tree.nodes[daughter] for daughter in self.daughters[node])
        return any(other.deprel == relation and upos in ("", other.upos) for other in below)

    def look_up(self, node: int) -> None:
        """Copy what was decided for the mother."""
        head = self.tree.heads[node]
        if head != ROOT:
            self.rows[node, _MOTHER_DECIDED] = self.rows[head, _DECIDED]

    def _node(self, index: int, feats: Sequence[dict[str, str]]) -> dict[str, str]:
        tree = self.tree
        node, own = tree.nodes[index], feats[index]
        lemma = (node.lemma or node.form).lower()
        values = [
            lemma, node.upos or "", node.deprel or "", ending(lemma), str(word_shape(node.lemma or node.form)),
            own.get("Number", ""), own.get("Person", ""), own.get("Definite", ""), own.get("Tense", ""),
            own.get("Aspect", ""), own.get("Mood", ""), own.get("Voice", ""), own.get("PronType", ""),
            own.get("ClauseType", ""), " ".join(f"{n}={v}" for n, v in node.feats or () if n != "ClauseType"),
        ]  # fmt: skip
        below = [(d, tree.nodes[d]) for d in self.daughters[index]]
        subject, number, person = self._subject(index, feats)
        marks = sorted(
            (n.lemma or "").lower() for _, n in below if n.deprel == "A2INV" and n.upos in ("ADP", "SCONJ", "PART")
        )
        conjunction = next((n.lemma or "" for _, n in below if n.upos == "CCONJ"), "")
        negated = any(n.upos == "PART" and n.deprel == "A1INV" for _, n in below)
        conjuncts = sum(n.deprel == "LIST" for _, n in below)
        asks = any(feats[d].get("PronType") == "Int" for d, _ in below)
        asks = asks or any(feats[g].get("PronType") == "Int" for d, _ in below for g in self.daughters[d])
        determiner = next((f"{n.lemma}" for _, n in below if n.upos == "DET"), "")
        kind = f"{values[1]} {values[4]} {values[5]} {values[7]} {values[12]} {'det' if determiner else ''}"
        frame = sorted({n.deprel or "" for _, n in below})
        return dict(zip(NODE, [
            *values, " ".join(frame), str(min(len(below), 4)), subject.upos or "" if subject else "none",
            number, person, (subject.lemma or "").lower() if subject else "",
            "".join(sorted({n.deprel or "" for _, n in below if n.deprel in _OBJECTS})),
            " ".join(marks), conjunction, "not" if negated else "", str(min(conjuncts, 2)), "wh" if asks else "",
            *(next((n.upos or "X" for _, n in below if n.deprel == relation), "none") for relation in ("A1", "A2")),
            next((n.lemma or "" for _, n in below if n.deprel == "AUX"), ""),
            determiner, " ".join(sorted({n.upos or "X" for _, n in below if n.deprel in ("A1INV", "AM")})), kind,
        ], strict=True))  # fmt: skip

    def _subject(self, index: int, feats: Sequence[dict[str, str]]) -> tuple[Node | None, str, str]:
        """The word that a verb agrees with, its number (plural if coordinated) and person."""
        tree = self.tree
        relation, head = tree.nodes[index].deprel, tree.heads[index]
        below = self.daughters[index]
        found = next((d for d in below if tree.nodes[d].deprel in _SUBJECTS), None)
        if found is None and relation in ("A1INV", "A2INV") and head != ROOT:
            found = head if relation == "A1INV" or not any(tree.nodes[d].deprel == "A2" for d in below) else None
        if found is None:
            found = next((d for d in below if tree.nodes[d].deprel == "A2"), None)
            if found is not None and tree.nodes[found].upos in ("VERB", "AUX"):
                found = None
        if found is None:
            return None, "", ""
        joined = found != head and any(tree.nodes[d].deprel == "LIST" for d in self.daughters[found])
        kind = "A2 " if tree.nodes[found].deprel == "A2" else ""
        number = "joined" if joined else feats[found].get("Number", "")
        return tree.nodes[found], kind + number, feats[found].get("Person", "")

    def _around(self, index: int, rows: Sequence[dict[str, str]]) -> list[str]:
        tree = self.tree
        head = tree.heads[index]
        if head == ROOT:
            return [""] * len(AROUND)
        sisters = [d for d in self.daughters[head] if d != index]
        grand = rows[tree.heads[head]] if tree.heads[head] != ROOT else dict.fromkeys(NODE, "")
        relation = rows[index]["relation"]
        return [
            " ".join(sorted({rows[s]["relation"] for s in sisters})),
            str(min(sum(rows[s]["relation"] == relation for s in sisters), 3)),
            "A2" if any(rows[s]["relation"] == "A2" for s in sisters) else "none",
            grand["lemma"], grand["upos"], grand["relation"],
            " ".join(sorted({rows[s]["marker"] for s in sisters if rows[s]["marker"]})),
        ]  # fmt: skip

    def _bag(self, index: int) -> list[str]:
        tree = self.tree
        own = [("d", d) for d in self.daughters[index]]
        head = tree.heads[index]
        around = [("s", s) for s in self.daughters[head] if s != index] if head != ROOT else []
        bag = []
        for kind, other in (own + around)[: MOST_NEIGHBOURS // 2]:
            node = tree.nodes[other]
            bag.append(f"{kind} {node.deprel} {(node.lemma or node.form).lower()}")
            bag.append(f"{kind} {node.deprel} {node.upos}")
        return bag


@compiled
def fill_features(row, bag, templates, bag_columns, slot, out):
    """Write the hashes of all features of one decision to ``out``; returns how many."""
    n = 0
    for t in range(templates.shape[0]):
        h = mix(np.uint64(slot * 1000 + t + 1), np.uint64(0))
        for c in range(templates.shape[1]):
            if templates[t, c] >= 0:
                h = mix(h, np.uint64(row[templates[t, c]]))
        out[n] = h
        n += 1
    for b in range(bag.shape[0]):
        for c in range(bag_columns.shape[0]):
            h = mix(np.uint64(slot * 1000 + 900 + c), np.uint64(bag[b]))
            if bag_columns[c] >= 0:
                h = mix(h, np.uint64(row[bag_columns[c]]))
            out[n] = h
            n += 1
    return n


@compiled
def fill_scores(features, count, candidates, codes, weights, out):
    """The score of every candidate reading: the weights of each feature with each of its codes."""
    mask = np.uint64(weights.shape[0] - 1)
    for c in range(candidates.shape[0]):
        total = 0.0
        for k in range(codes.shape[1]):
            code = codes[candidates[c], k]
            if code != 0:
                for f in range(count):
                    total += weights[mix(features[f], np.uint64(code)) & mask]
        out[c] = total
