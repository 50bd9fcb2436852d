"""Dependency trees as the API's JSON has them: the nested and the flat form of ``treebank.jsontree``, which reads them.

Requests are described by these records and read by that module, whose messages name the node.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fergus.web.schema import Said


@dataclass(frozen=True)
class Alternative:
    """One of the words that a node can become."""

    word: Annotated[str, Said("The word.", example="purchase", least=1)]
    weight: Annotated[float, Said("How much it counts; above 0.", example=2)] = 1.0


@dataclass(frozen=True)
class Word:
    """A word and its labels; it needs a form, a lemma or alternatives, and null is the same as nothing."""

    id: Annotated[str | int | None, Said("What heads and constraints call it.", example="2")] = None
    form: Annotated[str | None, Said("The word as it is written.", example="was")] = None
    lemma: Annotated[str | None, Said("Its base form, from which a form that is not given is made.", example="be")] = (
        None
    )
    upos: Annotated[str | None, Said("Its category in Universal Dependencies.", example="VERB")] = None
    xpos: Annotated[str | None, Said("Its category in the treebank's own tags.", example="VBD")] = None
    deprel: Annotated[str | None, Said("Its relation to its head.", example="root")] = None
    feats: Annotated[
        dict[str, str] | None, Said("Its morphological features, by their names.", example={"Tense": "Past"})
    ] = None
    misc: Annotated[str | None, Said("What else is noted, as in CoNLL-U.", example="SpaceAfter=No")] = None
    alternatives: Annotated[
        tuple[str | Alternative, ...] | None, Said("Words to choose from, in the place of form and lemma.", least=1)
    ] = None


@dataclass(frozen=True)
class NestedNode(Word):
    """A word and everything below it."""

    daughters: Annotated[
        tuple[NestedNode, ...] | None, Said("What depends on it; the order has no meaning.", example=[{"form": "no"}])
    ] = None


@dataclass(frozen=True)
class FlatNode(Word):
    """A word that names its head."""

    head: Annotated[str | int | None, Said("The id of its head; null for the root.", example="1")] = None


@dataclass(frozen=True)
class BeforeConstraint:
    """Two nodes whose order is asked for."""

    before: Annotated[tuple[str | int, str | int], Said("Their ids, first the one that comes first.", example=["1", 2])]


@dataclass(frozen=True)
class PlaceConstraint:
    """A node whose place beside its head is asked for."""

    node: Annotated[str | int, Said("Its id.", example="1")]
    side: Annotated[str | None, Said("The side of its head.", example="left", choices=("left", "right"))] = None
    rank: Annotated[int | str | None, Said("Its place on that side; 1 is nearest to the head.", example=1)] = None


Constraints = Annotated[tuple[BeforeConstraint | PlaceConstraint, ...] | None, Said("What is asked of the order.")]
Metadata = Annotated[dict[str, str] | None, Said("What is noted of the sentence, by names.", example={"sent_id": "s1"})]
Version = Annotated[int | None, Said("The version of the format; null is 1.", example=1, least=1, most=1)]


@dataclass(frozen=True)
class NestedTree(NestedNode):
    """A tree as its root."""

    constraints: Constraints = None
    metadata: Metadata = None
    format: Version = None


@dataclass(frozen=True)
class FlatTree:
    """A tree as a list of nodes; deep trees are written so."""

    nodes: Annotated[
        tuple[FlatNode, ...],
        Said("All of them.", example=[{"id": 1, "form": "saw", "head": None}, {"form": "I", "head": 1}], least=1),
    ]
    constraints: Constraints = None
    metadata: Metadata = None
    format: Version = None
