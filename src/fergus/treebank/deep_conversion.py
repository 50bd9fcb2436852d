"""From a sentence of any UD treebank to its deep tree (T2 of the shared tasks, Mille et al. 2018, 2019).

Left out are words without daughters that carry grammar: auxiliaries, copulas, case markers, articles, expletives,
complementizers of argument clauses, relative pronouns, and punctuation. What they say becomes features.

    this should have been decided by the members   decide[Tense=Past,Aspect=Perf,Mood=Nec]
                                                    ├── this A2
                                                    └── member[Number=Plur,Definite=Def] AM
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fergus.core.deep import CLAUSE_ENDS, CLAUSE_TYPE, DROPPED, DeepSentence, end_of
from fergus.core.tree import ROOT, DependencyTree, Node, OrderedTree
from fergus.treebank.deep_relations import (
    AGREEING,
    AGREEMENT,
    FUTURE,
    KEPT_OF_OTHERS,
    KEPT_OF_VERBS,
    MODALS,
    NO_ARTICLES,
    deep_relations,
)
from fergus.treebank.shallow_track import hint_constraints, hints_of

_ALWAYS = frozenset({"aux", "cop", "case", "expl"})
_ARGUMENT_CLAUSES = frozenset({"ccomp", "xcomp", "csubj"})
_RELATIVE_ROLES = frozenset({"nsubj", "obj", "obl", "nmod", "advmod"})
_SUBJECTS = frozenset({"nsubj", "csubj", "expl"})

Feats = dict[str, str]


def deepened(sentence: OrderedTree) -> DeepSentence:
    """The deep tree of a sentence, with the alignment; nodes in the order of the source."""
    tree = sentence.tree
    feats = [dict(node.feats or ()) for node in tree.nodes]
    gone = _left_out(tree, feats)
    kept = [node for node in range(len(tree)) if not gone[node]]
    number = {node: place for place, node in enumerate(kept)}
    place = {node: position for position, node in enumerate(sentence.order)}
    absorbed: list[list[int]] = [[] for _ in kept]
    for node in sentence.order:
        if gone[node] and tree.nodes[node].relation != "punct":
            absorbed[number[_above(tree, node, gone)]].append(node)
    heads = [number.get(_above(tree, node, gone), ROOT) for node in kept]
    inner = DependencyTree(tuple(tree.nodes[node] for node in kept), tuple(heads), source=tree.source)
    words = [[tree.nodes[word] for word in own] for own in absorbed]
    relations = deep_relations(inner, words)
    hints = hints_of(OrderedTree(inner, tuple(sorted(range(len(kept)), key=lambda i: place[kept[i]]))))
    nodes: list[Node] = []
    for new, old in enumerate(kept):
        own = _deep_feats(tree.nodes[old], feats[old], words[new])
        if heads[new] == ROOT and (kind := clause_type_of(sentence)):
            own[CLAUSE_TYPE] = kind
        nodes.append(
            replace(
                tree.nodes[old],
                form="",
                lemma=tree.nodes[old].lemma or tree.nodes[old].form,
                xpos=None,
                feats=tuple(sorted(own.items())) or None,
                deprel=relations[new],
                misc=f"original_id={place[old] + 1}",
                identifier="",
            )
        )
    sources: list[int | None] = list(kept)
    for new in range(len(kept)):
        subject = _dropped_subject(inner, new, relations, words[new])
        if subject is not None:
            nodes.append(subject)
            heads.append(new)
            sources.append(None)
            absorbed.append([])
    constraints = hint_constraints(heads, hints.items())
    deep = DependencyTree(tuple(nodes), tuple(heads), constraints, tree.source, tree.metadata)
    return DeepSentence(deep, sentence, tuple(sources), tuple(map(tuple, absorbed)))


def _left_out(tree: DependencyTree, feats: Sequence[Feats]) -> list[bool]:
    """Which words do not appear in the deep tree; one with daughters that are no punctuation always does."""
    leaf = [all(tree.nodes[d].relation == "punct" for d in below) for below in tree.daughters]
    return [
        tree.heads[node] != ROOT and leaf[node] and _is_grammar(tree, node, feats[node]) for node in range(len(tree))
    ]


def _is_grammar(tree: DependencyTree, node: int, feats: Feats) -> bool:
    word, mother = tree.nodes[node], tree.nodes[tree.heads[node]]
    relation = word.relation
    if relation in _ALWAYS or relation == "punct":
        return True
    if relation == "det":
        if word.lemma in NO_ARTICLES:
            return False
        return feats.get("PronType") == "Art" or (feats.get("Definite") in ("Def", "Ind") and "PronType" not in feats)
    if relation == "mark":
        # English only, but harmless elsewhere: "that" says nothing even where the clause is no argument.
        return mother.relation in _ARGUMENT_CLAUSES or (word.lemma == "that" and word.upos in ("SCONJ", "ADP"))
    if relation == "fixed":
        return word.upos in ("ADP", "SCONJ", "PART")
    return relation in _RELATIVE_ROLES and feats.get("PronType") == "Rel" and mother.relation == "acl"


def _above(tree: DependencyTree, node: int, gone: Sequence[bool]) -> int:
    """The nearest ancestor that is kept; ROOT above the root, which always is."""
    node = tree.heads[node]
    while node != ROOT and gone[node]:
        node = tree.heads[node]
    return node


def _deep_feats(node: Node, feats: Feats, absorbed: Sequence[Node]) -> Feats:
    """The node's own features as far as they mean something, and those of the words that it absorbed."""
    verbal = node.upos in ("VERB", "AUX")
    names = KEPT_OF_VERBS if verbal else KEPT_OF_OTHERS
    own = {name: value for name, value in feats.items() if name in names}
    if node.upos in AGREEING:
        own = {name: value for name, value in own.items() if name not in AGREEMENT}
    elif node.upos == "PRON":
        own.pop("Gender", None)
    if verbal and feats.get("Mood", "Ind") not in ("Ind", "Sub"):
        own["Mood"] = feats["Mood"]
    for word in absorbed:
        if word.relation == "det":
            own.update((n, v) for n, v in word.feats or () if n == "Definite")
    chain = [word for word in absorbed if word.relation in ("aux", "cop")]
    if chain:
        own.update(_of_auxiliaries(chain, feats))
    return own


def _of_auxiliaries(chain: Sequence[Node], feats: Feats) -> Feats:
    """What auxiliaries and copulas say: the tense of the finite one, aspect, mood."""
    found: Feats = {}
    each = [dict(word.feats or ()) for word in chain]
    finite = next((own for own in each if own.get("VerbForm") == "Fin" or "Mood" in own), each[0])
    if "Tense" in finite:
        found["Tense"] = finite["Tense"]
    if finite.get("Mood", "Ind") not in ("Ind", "Sub"):
        found["Mood"] = finite["Mood"]
    perfect = progressive = False
    # Each auxiliary asks for a form of what comes after it: a past participle is a perfect unless it is passive.
    forms = [*each[1:], feats]
    for word, form in zip(chain, forms, strict=True):
        if word.deprel in ("cop", "aux:pass"):
            continue
        participle = form.get("VerbForm") == "Part" and form.get("Tense") != "Pres"
        perfect |= participle and word.lemma != "be"
        progressive |= form.get("VerbForm") in ("Part", "Ger", "Conv") and (word.lemma == "be" or not participle)
        if word.lemma in FUTURE:
            found["Tense"] = "Fut"
            if word.lemma == "would" or ("Tense", "Past") in (word.feats or ()):
                found["Mood"] = "Cnd"
        elif word.lemma in MODALS:
            found["Mood"], found["Tense"] = MODALS[word.lemma], "Pres"
    if perfect or progressive:
        found["Aspect"] = "Perf" * perfect + "Prog" * progressive
    if "Tense" not in found and "Aspect" not in found and any(word.deprel == "aux:pass" for word in chain):
        found["Voice"] = "Pass"
    return found


def clause_type_of(sentence: OrderedTree) -> str:
    """What the mark that ends a sentence says of it; nothing without one: a semicolon, quotes, brackets are none."""
    marks: list[str] = []
    for form in reversed(sentence.forms):
        if not form or any(map(str.isalnum, form)):
            break
        marks.insert(0, form)
    end = end_of(marks)
    return next(kind for kind, mark in CLAUSE_ENDS.items() if mark == end) if end else ""


def _dropped_subject(
    tree: DependencyTree, node: int, relations: Sequence[str], absorbed: Sequence[Node]
) -> Node | None:
    """The subject that a finite verb has though the sentence does not name it; an imperative has none."""
    verb = tree.nodes[node]
    if relations[node] in ("A1INV", "A2INV") or verb.upos not in ("VERB", "AUX"):
        return None
    daughters = {tree.nodes[d].relation for d in tree.daughters[node]} | {word.relation for word in absorbed}
    if daughters & _SUBJECTS:
        return None
    finite = [f for f in (dict(w.feats or ()) for w in (*absorbed, verb)) if f.get("VerbForm") == "Fin"]
    if not finite or finite[0].get("Mood") == "Imp":
        return None
    agreement = {name: finite[0].get(name, "-") for name in ("Number", "Person")}
    feats = {"Gender": "-", "PronType": "Prs", **agreement}
    return Node("", lemma=DROPPED, upos="PRON", feats=tuple(sorted(feats.items())), deprel="A1")
