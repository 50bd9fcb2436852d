"""Other ways to write a training tree down: as a person types it, or with another school's heads.

Treebanks begin sentences with a capital, end them with a full stop and (UD) hang prepositions below their
nouns. People who type ``estimate(there was no cost for(phase(the second)))`` do none of this; the models for
input without labels learn from both.

    phase/obl(for/case the)     becomes     for/obl(phase/case:object(the))
    was(there/expl cost/nsubj)  becomes     cost(there/expl was/cop)
"""

from __future__ import annotations

from dataclasses import replace

from fergus.core.tree import ROOT, DependencyTree, Node, OrderedTree
from fergus.realize.word_case import in_case_of, lowered

OBJECT_OF_CASE = "case:object"


def as_typed(ordered: OrderedTree, *, prepositions_head: bool) -> OrderedTree:
    """The sentence without initial capital and final mark, if asked for with prepositions as heads."""
    tree = ordered.tree
    nodes, heads = list(tree.nodes), list(tree.heads)
    if prepositions_head:
        lift_prepositions(nodes, heads)
        lower_existentials(nodes, heads)
    kept = list(ordered.order)
    last = kept[-1]
    if len(kept) > 1 and nodes[last].upos == "PUNCT" and last not in heads and heads[last] != ROOT:
        kept.pop()
    first = nodes[kept[0]]
    if first.upos != "PROPN" and first.form != "I" and (len(first.form) == 1 or first.form[1:].islower()):
        nodes[kept[0]] = replace(first, form=first.form[:1].lower() + first.form[1:])
    place = {old: new for new, old in enumerate(kept)}
    return OrderedTree(
        DependencyTree(
            tuple(nodes[i] for i in kept),
            tuple(ROOT if heads[i] == ROOT else place[heads[i]] for i in kept),
        ),
        tuple(range(len(kept))),
    )


def as_inflected(ordered: OrderedTree) -> OrderedTree:
    """The sentence with forms as inflection makes them from lemmas: in small letters unless the lemma has capitals."""
    nodes = tuple(
        node if node.lemma is None else replace(node, form=in_case_of(node.lemma, lowered(node.form, node.lemma)))
        for node in ordered.tree.nodes
    )
    return OrderedTree(ordered.tree.with_nodes(nodes), ordered.order)


def lift_prepositions(nodes: list[Node], heads: list[int]) -> None:
    """Make every single preposition without daughters the head of the noun it marks."""
    marks: dict[int, list[int]] = {}
    for i, node in enumerate(nodes):
        if node.deprel == "case" and node.upos == "ADP" and heads[i] != ROOT:
            marks.setdefault(heads[i], []).append(i)
    with_daughters = set(heads)
    for noun, cases in marks.items():
        if len(cases) > 1 or cases[0] in with_daughters or heads[noun] == ROOT or nodes[noun].deprel == "conj":
            continue
        case = cases[0]
        heads[case], heads[noun] = heads[noun], case
        nodes[case] = replace(nodes[case], deprel=nodes[noun].deprel)
        nodes[noun] = replace(nodes[noun], deprel=OBJECT_OF_CASE)


def lower_existentials(nodes: list[Node], heads: list[int]) -> None:
    """Make the subject of an expletive clause its head, the verb her copula, as predicative nouns have it."""
    for i, node in enumerate(nodes):
        if node.deprel != "expl" or heads[i] == ROOT:
            continue
        verb = heads[i]
        sisters = [d for d, h in enumerate(heads) if h == verb]
        subjects = [d for d in sisters if nodes[d].deprel == "nsubj"]
        if len(subjects) != 1 or nodes[verb].deprel == "cop" or any(nodes[d].deprel == "obj" for d in sisters):
            continue
        subject = subjects[0]
        relation = nodes[verb].deprel
        heads[subject] = heads[verb]
        for d in sisters:
            if d != subject:
                heads[d] = subject
        heads[verb] = subject
        nodes[verb] = replace(nodes[verb], deprel="cop")
        nodes[subject] = replace(nodes[subject], deprel=relation)
