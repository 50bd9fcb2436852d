"""What tells the features that a word has besides those it is given: the words that it agrees with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fergus.core.tree import ROOT, DependencyTree, Node
from fergus.realize.conditional_counts import Context
from fergus.realize.word_case import lowered

_LONGEST = 6
"""Parts of a context."""
AGREEING = ("Gender", "Number", "Person")
"""Features in which words agree."""
_CONJUNCT = ("conj", "LIST")


def contexts_of(tree: DependencyTree, nodes: Sequence[Node], index: int) -> Iterator[Context]:
    """What a word's features are told by, from general to special; ``nodes`` are those of the tree as far as known."""
    node, head = nodes[index], tree.heads[index]
    upos, lemma, relation = node.upos or "", lowered(node.lemma or ""), node.deprel or ""
    below = [nodes[d] for d in tree.daughters[index]]
    yield (upos,)
    if upos in ("VERB", "AUX"):
        # An auxiliary stands beside the subject and the other auxiliaries, a verb above them.
        is_helper = node.relation in ("aux", "cop") and head != ROOT
        clause = head if is_helper else index
        around = [nodes[d] for d in tree.daughters[clause] if d != index]
        helpers = sorted(f"{lowered(n.lemma or '')}/{n.deprel}" for n in around if n.relation in ("aux", "cop"))
        markers = sorted(lowered(n.lemma or "") for n in around if n.relation == "mark")
        told = (lemma if is_helper else "", " ".join(helpers), " ".join(markers))
        subject = subject_of(tree, nodes, clause)
        yield upos, *told[:2]
        yield upos, *told
        yield upos, *told, subject
        yield upos, *told, subject, relation
    elif upos in ("NOUN", "PROPN", "NUM"):
        number = min((lowered(n.lemma or n.form) for n in below if n.relation == "nummod"), default="")
        determiner = min((f"{lowered(n.lemma or '')} {agreement(n)}" for n in below if n.relation == "det"), default="")
        yield upos, lemma
        yield upos, determiner, "counted" if number else ""
        yield upos, determiner, "", number
        yield upos, determiner, number, lemma, relation
    elif upos == "PRON":
        yield upos, lemma
        yield upos, lemma, relation
    else:
        has_subject = any(n.relation == "nsubj" for n in below)
        other = subject_of(tree, nodes, index) if has_subject else agreement(nodes[head]) if head != ROOT else ""
        yield upos, "", other
        yield upos, lemma
        yield upos, lemma, other


def subject_contexts(tree: DependencyTree, nodes: Sequence[Node], index: int, node: Node) -> Iterator[Context]:
    """What tells number and person of ``node``, a finite word in the place of an index: its subject, if there is one.

    The second context, for learning, is that of a pronoun which comes without its features.
    """
    is_helper = node.relation in ("aux", "cop") and tree.heads[index] != ROOT
    subject = subject_of(tree, nodes, tree.heads[index] if is_helper else index)
    if is_finite(node) and subject != "none":
        word = node.upos or "", lowered(node.lemma or "") if is_helper else "", dict(node.feats or ()).get("Tense", "")
        yield "agrees", *word, subject
        pronoun, *own = subject.rsplit(" ", len(AGREEING))
        if any(own) and len(own) == len(AGREEING):
            yield "agrees", *word, f"{pronoun} {_features({})}"


def is_finite(node: Node) -> bool:
    """Whether a word has number and person of a subject, where its language has them."""
    return node.upos in ("VERB", "AUX") and ("VerbForm", "Fin") in (node.feats or ())


def subject_of(tree: DependencyTree, nodes: Sequence[Node], clause: int) -> str:
    """What the verb of a clause agrees with; a conjunct without a subject has that of its head."""
    for _ in range(4):  # a chain of conjuncts may be long
        head = tree.heads[clause]
        subjects = subjects_of(tree, nodes, clause)
        # The nearest of several; which one that is must not hang on the input's order.
        found = min(subjects, key=lambda d: (nodes[d].deprel or "", agreement(nodes[d])), default=None)
        if found is not None:
            if ("PronType", "Rel") in (nodes[found].feats or ()) and head != ROOT:
                return agreement(nodes[head])
            joined = any(nodes[d].relation in _CONJUNCT for d in tree.daughters[found])
            return "joined" if joined else agreement(nodes[found])
        if nodes[clause].relation == ("A2INV" if _is_passive(tree, nodes, clause) else "A1INV") and head != ROOT:
            return agreement(nodes[head])
        if nodes[clause].relation not in _CONJUNCT or head == ROOT:
            break
        clause = head
    return "none"


def subjects_of(tree: DependencyTree, nodes: Sequence[Node], clause: int) -> list[int]:
    """The subjects of a clause that are no clauses; in deep trees A1 or, of a passive, A2."""
    below = [d for d in tree.daughters[clause] if nodes[d].upos not in ("VERB", "AUX") or nodes[d].relation == "nsubj"]
    found = [d for d in below if nodes[d].relation in ("nsubj", "A1")]
    if not found and _is_passive(tree, nodes, clause):
        found = [d for d in below if nodes[d].relation == "A2"]
    return found


def _is_passive(tree: DependencyTree, nodes: Sequence[Node], clause: int) -> bool:
    return any(nodes[d].deprel == "aux:pass" for d in tree.daughters[clause])


def agreement(node: Node) -> str:
    """What others agree with in a word."""
    own = _features(dict(node.feats or ()))
    return f"{lowered(node.lemma or '')} {own}" if node.upos == "PRON" else own


def _features(feats: Mapping[str, str]) -> str:
    return " ".join(feats.get(name, "") for name in AGREEING)


def padded(context: Context) -> Context:
    """All contexts have the same length, as their table does."""
    return (*context, *[""] * (_LONGEST - len(context)), str(len(context)))
