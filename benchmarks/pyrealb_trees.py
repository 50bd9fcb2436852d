"""UD trees in the dependency notation of pyrealb, word by word: the rule-based realizer gets the tree that Fergus gets.

saw/VERB                     root(V("see").t("ps"),
├── dog/NOUN:nsubj             subj(N("dog").n("s"),
│   └── the/DET:det              det(D("the"))),
├── cat/NOUN:obj               comp(N("cat").n("p")))
└── ./PUNCT:punct

pyrealb puts subjects and determiners before their head, everything else after it or where ``pos`` says, in the order in
which it is given, adverbs of verbs by rules of its own. A tree has no order: ``RULES`` has what a user of pyrealb would
write, one side and one rank for each relation. With the places of the words, their own order is given instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fergus.core.tree import DependencyTree, Node
from pyrealb_words import LeftOutError, Lexicon, Terminal, terminal

Expression = dict[str, Any]
MARKS = (".", "?", "!")
CONTRACTED = frozenset({"n't", "nt", "'m", "'re", "'ve", "'ll", "'d", "ca", "wo", "dont", "im", "ive"})
LEFT_OUT = {
    "parataxis": "loosely joined clauses (parataxis, list)",
    "list": "loosely joined clauses (parataxis, list)",
    "vocative": "a vocative",
    "reparandum": "slips of the writer (goeswith, reparandum, orphan, dislocated, dep)",
    "goeswith": "slips of the writer (goeswith, reparandum, orphan, dislocated, dep)",
    "orphan": "slips of the writer (goeswith, reparandum, orphan, dislocated, dep)",
    "dislocated": "slips of the writer (goeswith, reparandum, orphan, dislocated, dep)",
    "dep": "slips of the writer (goeswith, reparandum, orphan, dislocated, dep)",
}
FRONT, FINITE, NOT = 3, 20, 25
"""Ranks before the head: of a questioning or relative word, of the finite auxiliary, of its negation."""
BEFORE_PREDICATE = 29
"""Between a copula and what is said by its help."""
PHRASES = frozenset({"obj", "iobj", "obl", "nmod", "advmod", "xcomp"})
"""Relations of what moves to the front of a clause if it asks or relates."""
BESIDE = frozenset({"det", "advmod", "amod", "nmod"})
INVERTED = 8
"""The rank of a finite auxiliary in a question: before the subject."""


@dataclass(frozen=True)
class Rule:
    """Which relation of pyrealb a relation of UD is, the side where pyrealb has to be told it, and the rank there."""

    relation: str
    side: str | None
    rank: int


RULES = {
    "discourse": Rule("mod", "pre", 0),
    "mark": Rule("mod", "pre", 0),
    "cc": Rule("mod", "pre", 0),
    "case": Rule("mod", "pre", 1),
    "cc:preconj": Rule("mod", "pre", 2),
    "expl": Rule("mod", "pre", 9),
    "nsubj": Rule("subj", None, 10),
    "csubj": Rule("subj", None, 10),
    "aux": Rule("mod", "pre", 27),
    "cop": Rule("mod", "pre", 28),
    "det:predet": Rule("det", None, 29),
    "det": Rule("det", None, 30),
    "nmod:poss": Rule("det", None, 31),
    "nummod": Rule("mod", "pre", 35),
    "amod": Rule("mod", "pre", 40),
    "nmod:desc": Rule("mod", "pre", 44),
    "compound": Rule("mod", "pre", 45),
    "flat": Rule("mod", "post", 1),
    "fixed": Rule("mod", "post", 1),
    "compound:prt": Rule("mod", "post", 10),
    "iobj": Rule("comp", "post", 20),
    "obj": Rule("comp", "post", 30),
    "xcomp": Rule("comp", "post", 40),
    "nmod": Rule("mod", "post", 45),
    "acl": Rule("mod", "post", 48),
    "obl": Rule("mod", "post", 50),
    "advmod": Rule("mod", None, 52),
    "obl:unmarked": Rule("mod", "post", 55),
    "ccomp": Rule("comp", "post", 60),
    "advcl": Rule("mod", "post", 70),
    "appos": Rule("mod", "post", 80),
}


def converted(tree: DependencyTree, lexicon: Lexicon, *, places: Sequence[int] | None = None) -> Expression:
    """The tree in pyrealb's JSON; with the places of its nodes in the sentence, in the sentence's order."""
    mark = _final_mark(tree)
    if any(node.form.lower() in CONTRACTED or _is_short_is(node) for node in tree.nodes):
        raise LeftOutError("a contraction (n't, 'll)")
    if any(map(_is_odd, tree.nodes)):
        raise LeftOutError("a misspelt or shortened word, which the tree's features tell to Fergus only")
    found = _Conversion(tree, lexicon, places, is_question=mark == "?").whole()
    found["props"] |= {"a": [mark]} if mark not in (None, ".") else {} if mark else {"cap": False}
    return {**found, "lang": "en"}


def _is_short_is(node: Node) -> bool:
    return node.form.lower() in ("'s", "s", "’s") and node.upos in ("AUX", "VERB", "PRON")


def _is_odd(node: Node) -> bool:
    has_reason = any(name in ("Typo", "Abbr", "Style") for name, _ in node.feats or ())
    return has_reason and node.form.lower() != (node.lemma or "").lower()


def _final_mark(tree: DependencyTree) -> str | None:
    marks = [index for index, node in enumerate(tree.nodes) if node.upos == "PUNCT"]
    if not marks:
        return None
    lemma = tree.nodes[marks[0]].lemma
    if len(marks) > 1 or tree.heads[marks[0]] != tree.root or lemma not in MARKS:
        raise LeftOutError("punctuation other than one final mark")
    return lemma


@dataclass(frozen=True)
class _Conversion:
    tree: DependencyTree
    lexicon: Lexicon
    places: Sequence[int] | None
    is_question: bool

    def whole(self) -> Expression:
        return self._phrase(self.tree.root, Rule("root", None, 0), without=())

    def _phrase(self, node: int, rule: Rule, *, without: Sequence[int]) -> Expression:
        """A node with all below it; with conjuncts it is a ``coord``."""
        mine = [one for one in self.tree.daughters[node] if one not in without and self._upos(one) != "PUNCT"]
        conjuncts = [one for one in mine if self._relation(one) == "conj"]
        alone = self._single(node, rule, [one for one in mine if one not in conjuncts])
        if not conjuncts:
            return alone
        if len(conjuncts) > 1:
            raise LeftOutError("a coordination of more than two, which pyrealb writes with commas")
        words = [one for one in self.tree.daughters[conjuncts[0]] if self._relation(one) == "cc"]
        if len(words) != 1:
            raise LeftOutError("a coordination without exactly one conjunction")
        members = [alone, self._phrase(conjuncts[0], rule, without=words)]
        for member in members:
            member["props"].pop("pos", None)
        side = self._side(node, rule) if rule.relation != "root" else None
        return {
            "dependent": "coord",
            "terminal": terminal(self.tree.nodes[words[0]], self.lexicon),
            "dependents": members,
            "props": {"pos": side} if side else {},
        }

    def _single(self, node: int, rule: Rule, daughters: Sequence[int]) -> Expression:
        genitives = [one for one in daughters if self._relation(one) == "case" and self._upos(one) == "PART"]
        daughters = [one for one in daughters if one not in genitives]
        rules = {one: self._rule(one, daughters) for one in daughters}
        key = self.places.__getitem__ if self.places else lambda one: (rules[one].rank, one)
        below = [self._phrase(one, rules[one], without=()) for one in sorted(daughters, key=key)]
        side = self._side(node, rule) if rule.relation != "root" else None
        word: Terminal = terminal(self.tree.nodes[node], self.lexicon)
        if word["terminal"] == "Adv" and self.places:  # else pyrealb puts it where its rules say
            word["props"]["pos"] = side or "post"
        options: dict[str, Any] = {"pos": side} if side else {}
        if genitives:  # of the whole phrase, but where the sentence has it at the word itself
            at_word = self.places is not None and self.places[genitives[0]] == self.places[node] + 1
            (word["props"] if at_word and word["terminal"] in ("N", "Q") else options)["poss"] = True
        return {"dependent": rule.relation, "terminal": word, "dependents": below, "props": options}

    def _side(self, node: int, rule: Rule) -> str | None:
        if self.places is None:
            return rule.side
        return "pre" if self.places[node] < self.places[self.tree.heads[node]] else "post"

    def _rule(self, node: int, sisters: Sequence[int]) -> Rule:
        relation, full = self._relation(node), self.tree.nodes[node].deprel or ""
        if relation in LEFT_OUT:
            raise LeftOutError(LEFT_OUT[relation])
        rule = RULES.get(full) or RULES.get(relation)
        if rule is None:
            raise LeftOutError(f"the relation {full}")
        word, feats, head = self.tree.nodes[node], self._feats(node), self.tree.heads[node]
        if head == self.tree.root and self.is_question and relation in ("cop", "nsubj") and self._is_wh(head):
            return Rule(rule.relation, "post", 1 if relation == "cop" else 2)  # how are you
        if relation in ("aux", "cop") and feats.get("VerbForm") == "Fin":
            return Rule(rule.relation, rule.side, INVERTED if self._is_inverted(head, sisters) else FINITE)
        if relation == "aux" and word.lemma == "have":
            return Rule(rule.relation, rule.side, rule.rank - 1)
        if relation in ("nsubj", "csubj") and any(self._relation(one) == "expl" for one in sisters):
            return Rule("subj", "post", 5 if relation == "nsubj" else 65)
        if relation == "mark" and word.upos == "PART":
            return Rule(rule.relation, rule.side, NOT - 1)
        if relation == "case" and any(self._relation(one) == "cop" for one in sisters):  # is on show
            return Rule(rule.relation, "pre", BEFORE_PREDICATE)
        if full == "nmod:poss" and word.upos != "PRON":
            return Rule("mod", "pre", rule.rank)
        if full in PHRASES and self._asks(node):
            return Rule(rule.relation, "pre", FRONT)
        return self._by_head(node, rule)

    def _by_head(self, node: int, rule: Rule) -> Rule:
        """The rule of a relation that is on another side of some heads."""
        word, head = self.tree.nodes[node], self._upos(self.tree.heads[node])
        relation, full = self._relation(node), word.deprel or ""
        if (relation in ("amod", "advmod") and head == "PRON") or (relation == "nummod" and head == "SYM"):
            # something new, who else, $ 5
            return Rule(rule.relation, "post", 1)
        if full.endswith(":unmarked") and head in ("ADV", "ADJ"):  # a year ago
            return Rule(rule.relation, "pre", BEFORE_PREDICATE)
        if relation == "advmod" and word.lemma == "not":
            return Rule(rule.relation, "pre", NOT)
        if relation == "advmod" and head not in ("VERB", "AUX"):
            return Rule(rule.relation, "pre", BEFORE_PREDICATE)
        return rule

    def _is_inverted(self, head: int, sisters: Sequence[int]) -> bool:
        subjects = [one for one in sisters if self._relation(one) in ("nsubj", "csubj")]
        is_asked = self.is_question and head == self.tree.root
        has_mark = any(self._relation(one) == "mark" for one in sisters)
        return is_asked and bool(subjects) and not has_mark and not any(map(self._asks, subjects))

    def _asks(self, node: int) -> bool:
        """Whether it is, or has beside it, a word of the kind of who, which, what."""
        near = (node, *(one for one in self.tree.daughters[node] if self._relation(one) in BESIDE))
        return any(map(self._is_wh, near))

    def _is_wh(self, node: int) -> bool:
        return self._feats(node).get("PronType") in ("Int", "Rel")

    def _relation(self, node: int) -> str:
        return (self.tree.nodes[node].deprel or "").partition(":")[0]

    def _upos(self, node: int) -> str | None:
        return self.tree.nodes[node].upos

    def _feats(self, node: int) -> Mapping[str, str]:
        return dict(self.tree.nodes[node].feats or ())
