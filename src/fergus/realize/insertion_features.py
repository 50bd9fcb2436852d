"""What speaks for a reading of a slot: attributes of a deep node and its neighbours, and templates to join them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fergus.compiled import compiled
from fergus.core.tree import ROOT, DependencyTree, Node
from fergus.realize.features import hashed, mix, word_shape
from fergus.realize.insertion_readings import CASE, EXPLETIVE, MARK, PREDICATE, RELATIVE, SLOTS, Reading

OWN = ("lemma", "upos", "relation", "suffix", "shape", "number", "person", "definite", "tense", "aspect", "mood",
       "voice", "prontype", "clause", "finer")  # fmt: skip
NODE = (*OWN, "frame", "degree", "subject", "subject_number", "subject_person", "subject_lemma", "object", "marker",
        "conjunction", "negated", "conjuncts", "wh")  # fmt: skip
AROUND = ("sisters", "same", "has_object", "grand_lemma", "grand_upos", "grand_relation", "sister_marker")
DECIDED = ("relative", "marked", "predicate", "expletive", "case", "mother_relative", "mother_mark",
           "mother_predicate", "mother_expletive", "mother_case")  # fmt: skip
COLUMNS = (*NODE, *(f"mother_{name}" for name in NODE), *AROUND, *DECIDED)
WIDTH = 5
"""Attributes that a template combines at most."""

EVERYWHERE = """
lemma | upos relation | lemma relation | finer upos relation | mother_lemma relation | mother_lemma lemma
mother_upos relation upos | frame upos relation | relation
"""
TEMPLATES = {
    "relative": "lemma frame relation | mother_lemma mother_upos | mother_upos upos relation tense | mother_definite "
    "mother_number relation | subject object relation | subject_lemma relation | frame | has_object relation upos "
    "| mother_relation relation | mother_lemma subject relation | degree relation subject | mother_shape relation "
    "| mother_prontype mother_upos relation | mother_suffix relation | conjuncts relation | marker relation "
    "| mood tense aspect relation subject",
    "mark": "mother_lemma relation tense | mother_lemma relation subject | tense subject relation | tense subject "
    "relation mother_upos | mother_upos mother_relation relation tense | mother_lemma mother_predicate relation "
    "| marker relation | marker upos relation tense | mother_mark relation tense | mother_mark relation subject "
    "| conjunction mother_mark relation tense | lemma tense relation | mother_suffix relation tense "
    "| mother_expletive relation | frame relation tense | mother_lemma tense subject | tense mood aspect relation "
    "| mother_finer relation | relative relation | mother_subject relation tense "
    "| mother_object relation tense subject | mother_predicate relation tense | has_object mother_lemma relation tense",
    "predicate": "upos finer | upos tense aspect mood | upos tense mood subject_number subject_person | lemma finer "
    "| subject_number subject_person upos | subject_number tense upos | subject_lemma | subject_lemma tense aspect "
    "| relation subject finer upos | subject finer | object subject finer | frame finer | relation marked upos finer "
    "| relation marker upos finer | marked upos | marker upos tense | marker lemma | negated tense upos subject "
    "| negated finer upos | clause finer negated | clause wh finer | relative upos finer | relative mother_number upos "
    "| relative mother_number tense mother_conjuncts | relation mother_predicate finer | mother_predicate subject "
    "relation finer | mother_predicate conjunction relation finer | mother_lemma relation finer | lemma subject finer "
    "| lemma relation finer | lemma object finer | mother_upos relation finer subject | expletive tense upos "
    "| mother_number upos lemma | mother_number upos prontype | suffix upos finer | number upos lemma "
    "| mother_tense mother_mood finer relation | subject_number subject_person tense aspect | mother_mark marker finer "
    "| conjuncts subject_number tense | mother_subject_number relation tense mother_subject_person "
    "| mother_definite upos lemma | mother_marker relation finer | wh subject relation finer",
    "expletive": "frame tense upos | lemma frame | subject upos finer | subject object upos | predicate upos "
    "| predicate lemma | predicate frame | clause subject upos tense | relation subject tense | lemma subject "
    "| mother_upos relation subject predicate",
    "case": "lemma upos | lemma definite number | lemma definite number relation | lemma mother_upos "
    "relation | mother_lemma upos | mother_lemma upos relation definite | mother_lemma mother_upos definite number "
    "| mother_upos upos definite number | mother_upos upos definite relation | mother_upos relation prontype "
    "| mother_upos suffix relation | suffix relation | suffix mother_suffix relation | mother_suffix upos relation "
    "| shape upos relation mother_upos | mother_shape upos relation | lemma mother_suffix | mother_predicate relation "
    "| mother_predicate upos relation has_object | mother_lemma has_object upos | mother_lemma has_object relation "
    "| has_object mother_upos relation upos | mother_case conjunction relation | mother_case relation lemma "
    "| mother_case relation upos | sisters relation upos | sisters mother_lemma | same relation mother_upos upos "
    "| grand_lemma mother_lemma relation | grand_lemma grand_relation mother_upos relation | mother_relation "
    "mother_upos upos relation | mother_case mother_lemma relation upos | degree upos relation mother_upos "
    "| mother_definite mother_number upos relation | mother_degree upos relation mother_upos "
    "| mother_frame upos relation | mother_voice mother_predicate relation | lemma mother_case "
    "| number definite relation upos "
    "| sister_marker relation upos | mother_definite upos relation definite | conjuncts upos relation number "
    "| mother_subject mother_upos relation upos | mother_lemma suffix relation | frame mother_lemma relation",
    "determiner": "upos definite number | lemma definite | upos definite lemma | frame definite | shape definite upos",
    "fixed": "lemma upos | lemma mother_lemma | lemma mother_upos relation | lemma frame | lemma mother_relation",
}  # fmt: skip
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


def template_array(slot: int) -> NDArray[np.int16]:
    """The columns of every template of a slot, -1 where it combines fewer."""
    lines = f"{EVERYWHERE.strip()} | {TEMPLATES[SLOTS[slot]]}".replace("\n", " | ").split("|")
    rows = sorted({tuple(sorted(line.split())) for line in lines if line.strip()})
    out = np.full((len(rows), WIDTH), -1, np.int16)
    for row, names in zip(out, rows, strict=True):
        row[: len(names)] = [COLUMNS.index(name) for name in names]
    return out


def bag_array() -> NDArray[np.int16]:
    """The column of each attribute in BAG_WITH, -1 for none."""
    return np.array([COLUMNS.index(name) if name else -1 for name in BAG_WITH], np.int16)


class DeepTreeView:
    """The attributes of every node of a deep tree as numbers, with room for what is decided."""

    def __init__(self, tree: DependencyTree, numbers: dict[str, int]) -> None:
        self.tree, self._numbers = tree, numbers
        feats = [dict(node.feats or ()) for node in tree.nodes]
        rows = [self._node(node, feats) for node in range(len(tree))]
        blank = dict.fromkeys(NODE, "")
        self.rows = np.zeros((len(tree), len(COLUMNS)), np.int64)
        self.bags: list[NDArray[np.int64]] = []
        for node, head in enumerate(tree.heads):
            mother = rows[head] if head != ROOT else blank
            values = [*rows[node].values(), *mother.values(), *self._around(node, rows)]
            self.rows[node, : len(values)] = [self._number(value) for value in values]
            self.bags.append(np.array([self._number(text) for text in self._bag(node)], np.int64))

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
            lemma, node.upos or "", node.deprel or "", lemma[-3:], str(word_shape(node.lemma or node.form)),
            own.get("Number", ""), own.get("Person", ""), own.get("Definite", ""), own.get("Tense", ""),
            own.get("Aspect", ""), own.get("Mood", ""), own.get("Voice", ""), own.get("PronType", ""),
            own.get("ClauseType", ""), " ".join(f"{n}={v}" for n, v in node.feats or () if n != "ClauseType"),
        ]  # fmt: skip
        below = [(d, tree.nodes[d]) for d in tree.daughters[index]]
        subject, number, person = self._subject(index, feats)
        marks = sorted(
            (n.lemma or "").lower() for _, n in below if n.deprel == "A2INV" and n.upos in ("ADP", "SCONJ", "PART")
        )
        conjunction = next((n.lemma or "" for _, n in below if n.upos == "CCONJ"), "")
        negated = any(n.upos == "PART" and n.deprel == "A1INV" for _, n in below)
        conjuncts = sum(n.deprel == "LIST" for _, n in below)
        asks = any(feats[d].get("PronType") == "Int" for d, _ in below)
        asks = asks or any(feats[g].get("PronType") == "Int" for d, _ in below for g in tree.daughters[d])
        frame = sorted({n.deprel or "" for _, n in below})
        return dict(zip(NODE, [
            *values, " ".join(frame), str(min(len(below), 4)), subject.upos or "" if subject else "none",
            number, person, (subject.lemma or "").lower() if subject else "",
            "".join(sorted({n.deprel or "" for _, n in below if n.deprel in _OBJECTS})),
            " ".join(marks), conjunction, "not" if negated else "", str(min(conjuncts, 2)), "wh" if asks else "",
        ], strict=True))  # fmt: skip

    def _subject(self, index: int, feats: Sequence[dict[str, str]]) -> tuple[Node | None, str, str]:
        """The word that a verb agrees with, its number (plural if coordinated) and person."""
        tree = self.tree
        relation, head = tree.nodes[index].deprel, tree.heads[index]
        below = tree.daughters[index]
        found = next((d for d in below if tree.nodes[d].deprel in _SUBJECTS), None)
        if found is None and relation in ("A1INV", "A2INV") and head != ROOT:
            found = head if relation == "A1INV" or not any(tree.nodes[d].deprel == "A2" for d in below) else None
        if found is None:
            found = next((d for d in below if tree.nodes[d].deprel == "A2"), None)
            if found is not None and tree.nodes[found].upos in ("VERB", "AUX"):
                found = None
        if found is None:
            return None, "", ""
        joined = found != head and any(tree.nodes[d].deprel == "LIST" for d in tree.daughters[found])
        kind = "A2 " if tree.nodes[found].deprel == "A2" else ""
        number = "joined" if joined else feats[found].get("Number", "")
        return tree.nodes[found], kind + number, feats[found].get("Person", "")

    def _around(self, index: int, rows: Sequence[dict[str, str]]) -> list[str]:
        tree = self.tree
        head = tree.heads[index]
        if head == ROOT:
            return [""] * len(AROUND)
        sisters = [d for d in tree.daughters[head] if d != index]
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
        own = [("d", d) for d in tree.daughters[index]]
        head = tree.heads[index]
        around = [("s", s) for s in tree.daughters[head] if s != index] if head != ROOT else []
        bag = []
        for kind, other in (own + around)[:16]:
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
