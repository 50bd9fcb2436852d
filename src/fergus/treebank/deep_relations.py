"""Relations and features of the deep track (T2) of the shared tasks (Mille et al. 2018, 2019) from those of UD.

A1 subject, A2 object or passive subject, A3 the next object; AM adjunct; A1INV, A2INV, AMINV: the daughter is the
predicate, her mother its first or second argument or its adjunct; LIST conjunct; NAME part of a name or a fixed
expression; PARATAXIS, ADDRESSEE, DEP, GOESWITH, AUX, ROOT.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from fergus.core.deep import is_given_word
from fergus.core.tree import ROOT, DependencyTree, Node

Feats = tuple[tuple[str, str], ...]

DEEP_RELATIONS = frozenset(
    [
        "A1",
        "A2",
        "A3",
        "AM",
        "A1INV",
        "A2INV",
        "A3INV",
        "AMINV",
        "LIST",
        "NAME",
        "PARATAXIS",
        "ADDRESSEE",
        "DEP",
        "GOESWITH",
        "AUX",
        "ROOT",
    ]
)
_FIXED = {
    "amod": "A1INV", "advmod": "A1INV", "det": "A1INV", "nummod": "A1INV", "case": "A2INV", "mark": "A2INV",
    "cc": "A2INV", "cop": "A2INV", "advcl": "AM", "appos": "AM", "nmod": "AM", "obl": "AM", "discourse": "AM",
    "dislocated": "AM", "expl": "AM", "clf": "A1INV", "iobj": "A3", "nsubj": "A1", "csubj": "A1", "conj": "LIST",
    "flat": "NAME", "compound": "NAME", "fixed": "NAME", "list": "LIST", "parataxis": "PARATAXIS",
    "vocative": "ADDRESSEE", "root": "ROOT", "goeswith": "GOESWITH", "reparandum": "DEP", "orphan": "DEP",
    "dep": "DEP", "punct": "DEP", "aux": "AUX",
}  # fmt: skip
_OBJECTS = ("nsubj:pass", "csubj:pass", "obj", "xcomp", "ccomp")
"""Relations that take A2, or A3 where A2 is taken; the first ones choose first."""
_CLAUSE_ON_NOUN = "acl"

KEPT_OF_VERBS = frozenset(
    {"Tense", "Aspect", "Voice", "Polarity", "Definite", "Foreign", "Abbr", "Typo", "Polite", "Evident"}
)
KEPT_OF_OTHERS = frozenset(
    [
        "Number",
        "Person",
        "Gender",
        "PronType",
        "Degree",
        "NumType",
        "Definite",
        "Poss",
        "Foreign",
        "Abbr",
        "Typo",
        "Animacy",
        "NumForm",
        "Number[psor]",
        "Person[psor]",
        "Gender[psor]",
        "Polite",
    ]
)
AGREEING = frozenset({"ADJ", "DET", "NUM", "ADV"})
"""Categories whose number and gender come from their mothers."""
AGREEMENT = frozenset({"Number", "Gender", "Person", "Animacy"})

MODALS = {"can": "Pot", "could": "Pot", "may": "Pot", "might": "Pot", "must": "Nec", "shall": "Nec", "should": "Nec"}
"""English only: the mood that a modal becomes."""
NO_ARTICLES = frozenset({"another"})
"""English only: determiners that a treebank may call articles though they say more."""
FUTURE = frozenset({"will", "would"})
"""English only: auxiliaries that become Tense=Fut, and *would* (in some treebanks a past of *will*) Mood=Cnd too."""


def deep_relations(tree: DependencyTree, absorbed: Sequence[Sequence[Node]]) -> list[str]:
    """The relation of every node of a tree with UD relations; ``absorbed`` are the function words left out of it."""
    relations = [_FIXED.get(node.relation, "DEP") for node in tree.nodes]
    for node in tree.bottom_up[::-1]:  # mothers first: whether A2 is free depends on the mother's own relation
        below = tree.daughters[node]
        if tree.nodes[node].relation == _CLAUSE_ON_NOUN:
            daughters = [*(tree.nodes[d] for d in below), *absorbed[node]]
            relations[node] = _clause_on_noun(tree.nodes[node], daughters, absorbed[node])
        passive = any(_object_kind(tree.nodes[d]).endswith(":pass") for d in below)
        free = ["A2", "A3"] if passive or relations[node] != "A2INV" else ["A3"]
        if any(relations[d] == "A3" for d in below if tree.nodes[d].relation == "iobj"):
            free = [name for name in free if name != "A3"]
        for wanted in _OBJECTS:
            for daughter in below:
                if _object_kind(tree.nodes[daughter]) == wanted:
                    relations[daughter] = free.pop(0) if free else "AM"
    for node, head in enumerate(tree.heads):
        if head == ROOT:
            relations[node] = "ROOT"
        elif tree.nodes[node].deprel in DEEP_RELATIONS:
            relations[node] = tree.nodes[node].deprel or "DEP"
    return relations


def _object_kind(node: Node) -> str:
    relation = node.deprel or ""
    return relation if relation in _OBJECTS else node.relation if node.relation in ("obj", "xcomp", "ccomp") else ""


def _clause_on_noun(node: Node, daughters: Iterable[Node], absorbed: Iterable[Node]) -> str:
    """What a noun is to the clause that modifies it: what the relative pronoun is, or the argument that lacks."""
    form = dict(node.feats or ()).get("VerbForm")
    for word in absorbed:
        if word.relation == "nsubj":
            return "A1INV" if form and word.deprel != "nsubj:pass" else "A2INV"
        if word.relation == "obj":
            return "A2INV"
        if word.relation in ("obl", "nmod", "advmod"):
            return "AMINV"
    relations = {daughter.relation for daughter in daughters}
    if not relations & {"nsubj", "csubj"}:
        return {"Part": "A2INV", "Inf": "AM"}.get(form or "", "A1INV")
    if "obj" in relations:
        return "AMINV"
    return "A1INV" if form == "Part" else "A2INV"


def _told(node: Node, relation: str) -> str:
    given, _, subtype = (node.deprel or "").partition(":")
    if relation == "AM" and subtype:
        return f"AM:{subtype}"
    return "LIST:conj" if relation == "LIST" and given == "conj" else relation


def _with_voice(tree: DependencyTree, index: int) -> Feats | None:
    """The features of a node; a verb whose subject or auxiliary is called a passive's is passive."""
    feats = tree.nodes[index].feats
    is_passive = any((tree.nodes[d].deprel or "").endswith(":pass") for d in tree.daughters[index])
    if tree.nodes[index].upos != "VERB" or not is_passive or "Voice" in dict(feats or ()):
        return feats
    return tuple(sorted((*(feats or ()), ("Voice", "Pass"))))


def as_deep(tree: DependencyTree) -> DependencyTree:
    """A tree without function words, such as a person writes it, with the relations and lemmas of the deep track.

    Adjuncts keep what the subtype of their relation says (``obl:agent`` becomes ``AM:agent``), and conjuncts are told
    from what stands in a list (``LIST:conj``). Function words that are there keep their relations: the insertion stage
    puts in what else is needed.
    """
    relations = [
        (node.deprel or "") if is_given_word(tree, index) else _told(node, relation)
        for index, (node, relation) in enumerate(zip(tree.nodes, deep_relations(tree, [()] * len(tree)), strict=True))
    ]
    nodes = tuple(
        replace(node, form="", lemma=node.lemma or node.form, deprel=relation, feats=_with_voice(tree, index))
        for index, (node, relation) in enumerate(zip(tree.nodes, relations, strict=True))
    )
    return tree.with_nodes(nodes)
