"""The model of inserted words: the readings each slot may have, by what is known of a node, and the weights to choose.

P(reading | node, what was decided before) is log-linear; sums run over the readings that were seen with the most
specific key of the node that was seen often enough.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fergus.core.deep import CLAUSE_TYPE, DEEP_VALUES
from fergus.core.tree import Node
from fergus.errors import ModelError
from fergus.realize.features import Ints, hashed
from fergus.realize.insertion_features import (
    MOST_NEIGHBOURS,
    bag_array,
    fill_features,
    fill_scores,
    shipped_insertion_templates,
    template_arrays,
)
from fergus.realize.insertion_readings import CASE, DETERMINER, EXPLETIVE, FIXED, MARK, PREDICATE, Reading
from fergus.realize.model import Section, reads_section, words_from_array, words_to_array
from fergus.realize.spell_out import SpelledOut
from fergus.realize.weight_steps import packed, unpacked

ENOUGH = 4
"""A key must have been seen this often; otherwise a more general one is asked."""
MOST_FEATURES = 512
"""Features of one decision: its templates, and the words around it with what they are combined with."""

_GRAMMAR = ("Tense", "Aspect", "Mood", "Voice", "VerbForm")


def slot_keys(slot: int, node: Node) -> Iterator[str]:
    """Keys under which the readings of a slot are listed, from the most specific to the most general."""
    feats = dict(node.feats or ())
    upos, relation, lemma = node.upos or "X", node.deprel or "", (node.lemma or node.form).lower()
    grammar = "\t".join(feats.get(name, "") for name in _GRAMMAR)
    keys: tuple[str, ...]
    if slot == PREDICATE:
        keys = (f"{upos}\t{grammar}", upos)
        if upos not in ("VERB", "AUX"):
            keys = (f"{upos}\t{grammar}\t{lemma}", *keys)
    elif slot == DETERMINER:
        keys = (f"{upos}\t{feats.get('Definite', '')}", upos)
    elif slot == FIXED:
        keys = (f"{lemma}\t{relation}", relation)
    elif slot == EXPLETIVE:
        keys = (f"{upos}\t{relation}", upos)
    elif slot in (MARK, CASE):
        keys = (f"{upos}\t{relation}", relation)
    else:
        keys = (relation,)
    for key in (*keys, ""):
        yield f"{slot}\t{key}"


@dataclass(frozen=True)
class InsertionModel:
    """Readings, where they may be chosen, and the hashed weights of features with them."""

    readings: tuple[Reading, ...]
    """Number 0 is the empty one."""
    keys: Mapping[str, tuple[int, ...]]
    """For every key (see ``slot_keys``) the numbers of readings, the most frequent first."""
    open_names: Mapping[str, frozenset[str]]
    """For every category the features that a reading of its predicate states; the others are copied."""
    deep_names: Mapping[str, frozenset[str]]
    """For every category the features that deep trees have."""
    weights: NDArray[np.float32]
    template_text: str = field(default_factory=shipped_insertion_templates, repr=False)
    spelled_out: SpelledOut = field(default_factory=SpelledOut)

    @cached_property
    def codes(self) -> NDArray[np.int64]:
        """Numbers of what readings have in common, 0 for nothing."""
        return np.array([[hashed(code) if code else 0 for code in r.codes()] for r in self.readings], np.int64)

    @cached_property
    def templates(self) -> tuple[Ints, ...]:
        """The templates of every slot."""
        return template_arrays(self.template_text)

    @cached_property
    def bag(self) -> NDArray[np.int16]:
        """What words of the neighbourhood are combined with."""
        return bag_array()

    @cached_property
    def values(self) -> Mapping[str, frozenset[str]]:
        """All features that deep trees have, each with the values that it may have there besides those of words."""
        names = frozenset().union(*self.deep_names.values(), _GRAMMAR, [CLAUSE_TYPE])
        found = {name: set(DEEP_VALUES.get(name, ())) for name in names}
        for (_, *grammar), _ in self._predicates:
            for name, value in zip(_GRAMMAR, grammar, strict=True):
                found[name].update({value} - {""})
        return {name: frozenset(values) for name, values in found.items()}

    def names_of(self, upos: str | None) -> frozenset[str]:
        """The features that a reading states for a category; for an unknown one all that any reading states."""
        found = self.open_names.get(upos or "X")
        return frozenset().union(*self.open_names.values()) if found is None else found

    def candidates(self, slot: int, node: Node) -> tuple[int, ...]:
        """The readings that a slot of a node may have; features that only the user can have given must hold."""
        found = next((self.keys[key] for key in slot_keys(slot, node) if key in self.keys), (0,))
        if slot != PREDICATE:
            return found
        upos = node.upos or "X"
        stated = self.names_of(upos) - self.deep_names.get(upos, frozenset())
        demands = [(n, v) for n, v in node.feats or () if n in stated]
        if not demands:
            return found
        for key in slot_keys(slot, node):
            fitting = [r for r in self.keys.get(key, ()) if all(self._has(r, n, v) for n, v in demands)]
            if fitting:
                return tuple(fitting)
        return found

    @cached_property
    def articles(self) -> frozenset[str]:
        """Lemmas of determiners that are put in."""
        words = (word for number in self.readings_of(DETERMINER) for word in self.readings[number].words)
        return frozenset(word.lemma for word in words if word.upos == "DET")

    def readings_of(self, slot: int) -> tuple[int, ...]:
        """All readings that a slot may have."""
        return self.keys.get(f"{slot}\t", ())

    def with_grammar(self, node: Node) -> frozenset[int]:
        """The readings of predicates that were seen with what is given of tense, aspect, mood and voice."""
        feats = dict(node.feats or ())
        return frozenset(
            number
            for (upos, *grammar), numbers in self._predicates
            if upos == (node.upos or "X")
            and all(feats.get(name, value) == value for name, value in zip(_GRAMMAR, grammar, strict=True))
            for number in numbers
        )

    @cached_property
    def _predicates(self) -> list[tuple[list[str], tuple[int, ...]]]:
        """The keys of predicates' readings taken apart: category and grammar."""
        taken_apart = ((key.split("\t"), numbers) for key, numbers in self.keys.items())
        return [(k[1:], n) for k, n in taken_apart if k[0] == str(PREDICATE) and len(k) == len(_GRAMMAR) + 2]

    def _has(self, number: int, name: str, value: str) -> bool:
        """Whether the node, or the finite word of its chain, would have a feature."""
        reading = self.readings[number]
        finite = dict(reading.words[0].feats) if reading.words else {}
        return value in (dict(reading.feats).get(name), finite.get(name))

    def logprobs(self, slot: int, row: Ints, bag: Ints, candidates: Sequence[int]) -> NDArray[np.float64]:
        """Natural logarithms of the probabilities of candidate readings."""
        features = np.empty(MOST_FEATURES, np.uint64)
        count = fill_features(row, bag, self.templates[slot], self.bag, slot, features)
        numbers = np.array(candidates, np.int32)
        scores = np.empty(len(numbers))
        fill_scores(features, count, numbers, self.codes, self.weights, scores)
        scores -= scores.max()
        normalised: NDArray[np.float64] = scores - np.log(np.exp(scores).sum())
        return normalised


def insertion_section(model: InsertionModel) -> Section:
    """The model as it is stored: readings and keys as text, the weights that are not 0 with their gaps."""
    gaps, values = packed(model.weights)
    keys = sorted(model.keys.items())
    return Section(
        {
            "open_names": {upos: sorted(names) for upos, names in sorted(model.open_names.items())},
            "deep_names": {upos: sorted(names) for upos, names in sorted(model.deep_names.items())},
            "size": len(model.weights),
            "templates": model.template_text,
            "spelled_out": model.spelled_out.to_json(),
        },
        {
            "readings": words_to_array([json.dumps(r.to_json(), ensure_ascii=False) for r in model.readings]),
            "keys": words_to_array([key for key, _ in keys]),
            "counts": np.array([len(numbers) for _, numbers in keys], np.int32),
            "numbers": np.array([number for _, numbers in keys for number in numbers], np.int32),
            "gaps": gaps,
            "values": values,
        },
    )


@reads_section
def insertion_from(section: Section) -> InsertionModel:
    """The insertion model of a section."""
    settings, arrays = section.settings, section.arrays
    try:
        readings = tuple(Reading.from_json(json.loads(line)) for line in words_from_array(arrays["readings"]))
        names = [
            {str(upos): frozenset(map(str, own)) for upos, own in settings[which].items()}
            for which in ("open_names", "deep_names")
        ]
        size, text = int(settings["size"]), str(settings["templates"])
        spelled_out = SpelledOut.from_json(settings.get("spelled_out", {}))
        if not all(isinstance(word, str) for word in (*spelled_out.asking, *spelled_out.question_words)):
            raise _broken("words that labels name")
    except (TypeError, ValueError, IndexError, AttributeError):
        raise _broken("readings") from None
    keys, counts, numbers = words_from_array(arrays["keys"]), arrays["counts"].tolist(), arrays["numbers"].tolist()
    # Compiled code does not look whether an index lies within its array, so what a file brings is looked at here.
    if len(keys) != len(counts) or sum(counts) != len(numbers) or not all(0 <= n < len(readings) for n in numbers):
        raise _broken("keys")
    table, begin = {}, 0
    for key, count in zip(keys, counts, strict=True):
        if count < 1:
            raise _broken("keys")
        table[key] = tuple(numbers[begin : begin + count])
        begin += count
    weights = unpacked(arrays["gaps"], arrays["values"], size=size)
    if weights is None:
        raise _broken("weights")
    if max(map(len, template_arrays(text))) + MOST_NEIGHBOURS * len(bag_array()) > MOST_FEATURES:
        raise _broken("templates")
    return InsertionModel(readings, table, names[0], names[1], weights, text, spelled_out)


def _broken(what: str) -> ModelError:
    return ModelError(f"the {what} of the insertion model are broken; train or copy the model again")
