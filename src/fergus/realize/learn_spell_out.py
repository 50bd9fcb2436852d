"""Which words labels stand for: counted in a treebank whose sentences have deep trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

from fergus.core.deep import DeepSentence
from fergus.core.tree import Node, OrderedTree
from fergus.realize.agreement_model import agreement_of
from fergus.realize.inflection_lexicon import Feats
from fergus.realize.insertion_readings import CASE, Word, slot_of_relation
from fergus.realize.spell_out import INTERROGATIVE, NEGATED, POSSESSOR, SpelledOut, asks_of_subject

ENOUGH = 20
"""A subtype, and negation, must have been seen this often."""
SURE = 0.75
"""The share that makes a habit: of a subtype's nodes with the same marker, of questions with an auxiliary. English has
shares above .8 of all that it has at all, French 75% of *par* for agents that are nouns; below that nothing is sure."""

_Counted = TypeVar("_Counted", Word, Feats, tuple[Word, ...])


def learn_spelled_out(pairs: Sequence[DeepSentence]) -> SpelledOut:
    """What the labels of a treebank with deep trees stand for."""
    nodes = [node for pair in pairs for node in pair.source.tree.nodes]
    coordinator, count = most_frequent(word_of(n) for n in nodes if n.deprel == "cc" and n.upos == "CCONJ")
    return SpelledOut(
        negators(pairs),
        markers(pairs),
        alone_in_questions(pairs),
        often(node for node in nodes if INTERROGATIVE in (node.feats or ())),
        coordinator if count >= ENOUGH else None,
        possessives(nodes),
    )


def negators(pairs: Sequence[DeepSentence]) -> tuple[Word, ...]:
    """The words that negate verbs; none where verbs rather inflect for it."""
    counts = Counter(words for pair in pairs for words in negations(pair.source))
    inflected = sum(
        node.upos == "VERB" and NEGATED in (node.feats or ()) for pair in pairs for node in pair.source.tree.nodes
    )
    words, count = most_frequent(counts.elements())
    return words if words and count >= ENOUGH and counts.total() > inflected else ()


def negations(sentence: OrderedTree) -> Iterable[tuple[Word, ...]]:
    """The words that negate each negated predicate, in the order of the sentence."""
    tree = sentence.tree
    by_head: dict[int, list[Word]] = {}
    for index in sentence.order:
        node = tree.nodes[index]
        if NEGATED in (node.feats or ()) and (node.deprel or "").startswith("advmod") and not tree.daughters[index]:
            by_head.setdefault(tree.heads[index], []).append(word_of(node))
    return [tuple(words) for head, words in by_head.items() if tree.nodes[head].upos == "VERB"]


def markers(pairs: Sequence[DeepSentence]) -> dict[str, Word | None]:
    """The case markers of relations' subtypes that have any, by subtype and category and by subtype alone."""
    counts: dict[str, Counter[tuple[Word, ...]]] = {}
    for pair in pairs:
        tree = pair.source.tree
        for origin, absorbed in zip(pair.sources, pair.absorbed, strict=True):
            subtype = "" if origin is None else (tree.nodes[origin].deprel or "").partition(":")[2]
            if subtype and origin is not None:
                cases = [tree.nodes[a] for a in absorbed if slot_of_relation(tree.nodes[a].deprel or "") == CASE]
                for key in (f"{subtype} {tree.nodes[origin].upos}", subtype):
                    counts.setdefault(key, Counter())[tuple(map(word_of, cases))] += 1
    found: dict[str, Word | None] = {}
    for key, seen in sorted(counts.items()):
        words, count = most_frequent(seen.elements())
        if seen.total() >= ENOUGH:
            found[key] = words[0] if words and len(words) == 1 and count >= SURE * seen.total() else None
    some = {key.partition(" ")[0] for key, word in found.items() if word}
    return {key: word for key, word in found.items() if key.partition(" ")[0] in some}


def alone_in_questions(pairs: Sequence[DeepSentence]) -> tuple[str, ...]:
    """If most questions take an auxiliary, the verbs that do without one."""
    copulas = often(node for pair in pairs for node in pair.source.tree.nodes if node.deprel == "cop")
    asked = []
    for pair in pairs:
        root = pair.deep.root
        if asks_of_subject(pair.deep, root) and (pair.deep.nodes[root].lemma or "") not in copulas:
            asked.append(any(pair.source.tree.nodes[a].relation == "aux" for a in pair.absorbed[root]))
    return copulas if len(asked) >= ENOUGH and sum(asked) >= SURE * len(asked) else ()


def possessives(nodes: Iterable[Node]) -> dict[str, Word]:
    """For every personal pronoun the possessive one that most often has the same number, person and gender."""
    personal: dict[str, list[Feats]] = {}
    possessing: dict[Feats, list[Word]] = {}
    for node in nodes:
        feats = dict(node.feats or ())
        if node.upos == "PRON" and feats.get("PronType") == "Prs" and "Typo" not in feats:
            if node.deprel == f"nmod:{POSSESSOR}":
                possessing.setdefault(agreement_of(node.feats), []).append(word_of(node))
            elif "Poss" not in feats and "Reflex" not in feats:
                personal.setdefault(node.lemma or "", []).append(agreement_of(node.feats))
    found: dict[str, Word] = {}
    for lemma, seen in sorted(personal.items()):
        agreement, count = most_frequent(seen)
        same = possessing.get(agreement, []) if agreement else []
        word, often_so = most_frequent(same)
        if word and min(count, often_so) >= ENOUGH and often_so >= SURE * len(same):
            found[lemma] = word
    return found


def most_frequent(items: Iterable[_Counted]) -> tuple[_Counted | None, int]:
    """The one that is seen most often, of several the first in their order, and how often; None and 0 of nothing."""
    counts = Counter(items)
    return min(counts.items(), key=lambda item: (-item[1], item[0]), default=(None, 0))


def often(nodes: Iterable[Node]) -> tuple[str, ...]:
    """The lemmas that are seen often enough, in the order of letters."""
    counts = Counter(node.lemma for node in nodes if node.lemma)
    return tuple(sorted(lemma for lemma, count in counts.items() if count >= ENOUGH))


def word_of(node: Node) -> Word:
    """A word of the treebank as one that can be put in, rightly spelt."""
    feats = tuple(item for item in node.feats or () if item[0] != "Typo")
    return Word(node.lemma or node.form.lower(), node.upos or "X", node.deprel or "dep", feats)
