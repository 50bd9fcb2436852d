"""Reads the text of hand-written rules; every error names file, line, column and what is legal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, NoReturn, TypeVar

from fergus.core.supertag import Side
from fergus.errors import InputError
from fergus.grammar.names import parse_supertag
from fergus.grammar.rules import (
    FIELDS,
    AddedTree,
    Field,
    OrderRule,
    PlaceRule,
    RuleSet,
    Selector,
    SisterRule,
)

VERBS = ("fix", "forbid", "prefer", "add")
ANY = Selector()
TOKEN = re.compile(r'\s+|#.*|(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<open>")|(?P<plain>[^\s"#][^\s"]*)')
S = TypeVar("S", bound=str)


class Token(NamedTuple):
    """A word of a rule and the column it begins in, from 1."""

    text: str
    column: int
    quoted: bool = False


def parse_rules(text: str, *, path: str = "") -> RuleSet:
    """All rules of a text; contradictions between rules with the same selectors are errors."""
    rules: list[OrderRule] = []
    trees: list[AddedTree] = []
    known: Known = {}
    for number, line in enumerate(text.split("\n"), start=1):
        parser = RuleParser(line.rstrip("\r"), path, number)
        if not parser.tokens:
            continue
        rule = parser.rule()
        if isinstance(rule, AddedTree):
            trees.append(rule)
        else:
            check(rule, known, path)
            rules.append(rule)
    return RuleSet(tuple(rules), tuple(trees))


Known = dict[tuple[Selector, ...], dict[tuple[Side, int | None], OrderRule]]
"""Hard rules by their selectors, the first of each kind: side and rank of a daughter; of sisters one order alone."""


def check(rule: OrderRule, known: Known, path: str) -> None:
    """Refuse a hard rule that says the contrary of an earlier hard rule with the same selectors."""
    if rule.weight is not None:
        return
    if isinstance(rule, PlaceRule):
        kind, own = (rule.side, rule.rank), known.setdefault((rule.daughter, rule.head), {})
        contrary = [
            other for (side, rank), other in own.items()
            if side != rule.side or (rank != rule.rank and None not in (rank, rule.rank))
        ]  # fmt: skip
    else:
        kind, own = ("left", None), known.setdefault((rule.first, rule.second, rule.head), {})
        contrary = list(known.get((rule.second, rule.first, rule.head), {}).values())
    if contrary:
        raise InputError(
            f"this rule contradicts the one on line {min(other.line for other in contrary)}",
            path=path, line=rule.line, column=1, remedy="take one of them out, or change its selector",
        )  # fmt: skip
    own.setdefault(kind, rule)


class RuleParser:
    """One line of a rule file."""

    def __init__(self, line: str, path: str, number: int) -> None:
        self.path, self.number = path, number
        self.end = len(line) + 1
        self.tokens: list[Token] = []
        self.place = 0
        for match in TOKEN.finditer(line):
            column = match.start() + 1
            if match["open"]:
                self.fail("a quotation mark that is not closed", column, "close it on the same line")
            if match["quoted"]:
                self.tokens.append(Token(re.sub(r"\\(.)", r"\1", match["quoted"][1:-1]), column, True))
            elif match["plain"]:
                self.tokens.append(Token(match["plain"], column))

    def fail(self, problem: str, column: int, remedy: str) -> NoReturn:
        """Raise the error for this line."""
        raise InputError(problem, path=self.path, line=self.number, column=column, remedy=remedy)

    def next(self, expected: str) -> Token:
        """The next token, whatever it is."""
        if self.place == len(self.tokens):
            self.fail("the rule ends too soon", self.end, f"expected {expected}")
        self.place += 1
        return self.tokens[self.place - 1]

    def keyword(self, *legal: S) -> S:
        """The next token, which must be one of these words."""
        expected = legal[0] if len(legal) == 1 else "one of " + ", ".join(legal)
        token = self.next(expected)
        for word in legal:
            if token.text == word and not token.quoted:
                return word
        return self.fail(f"{token.text!r} is no keyword here", token.column, f"expected {expected}")

    def peek(self, *words: str) -> bool:
        """Whether the next token is one of these words."""
        if self.place == len(self.tokens):
            return False
        token = self.tokens[self.place]
        return token.text in words and not token.quoted

    def done(self, *legal: str) -> None:
        """Nothing may follow; ``legal`` are the keywords that might have."""
        if self.place < len(self.tokens):
            token = self.tokens[self.place]
            expected = "the end of the line" if not legal else f"{', '.join(legal)} or the end of the line"
            self.fail(f"{token.text!r} is too much", token.column, f"expected {expected}")

    def rule(self) -> OrderRule | AddedTree:
        """The whole line."""
        verb = self.keyword(*VERBS)
        if verb == "add":
            return self.added()
        column = self.tokens[self.place].column if self.place < len(self.tokens) else self.end
        rule = self.order(ranked=verb == "fix")
        if verb == "prefer":
            self.keyword("by")
            return self.finished(replace(rule, weight=self.number_after("by")))
        if isinstance(rule, SisterRule) and rule.first == rule.second:
            self.fail("a rule that orders nodes before themselves", column, "give two different selectors")
        return self.finished(opposite(rule) if verb == "forbid" else rule)

    def finished(self, rule: OrderRule) -> OrderRule:
        """The rule, if the line ends here."""
        self.done()
        return rule

    def order(self, *, ranked: bool) -> OrderRule:
        """``A left of B``, ``A before B under C``."""
        first = self.selector()
        relation = self.keyword("left", "right", "before", "after")
        if relation in ("left", "right"):
            self.keyword("of")
            head = self.head()
            rank = self.rank() if ranked and self.peek("rank") else None
            side: Side = "left" if relation == "left" else "right"
            return PlaceRule(first, side, head, rank, line=self.number)
        second = self.selector()
        head = ANY
        if self.peek("under"):
            self.place += 1
            head = self.head()
        if relation == "after":
            first, second = second, first
        return SisterRule(first, second, head, line=self.number)

    def head(self) -> Selector:
        """``head``, which is any, or a selector."""
        if self.peek("head"):
            self.place += 1
            return ANY
        return self.selector("head")

    def selector(self, *also: str) -> Selector:
        """One or more tests joined by ``and``, in a fixed order, so that equal selectors are equal."""
        tests: list[tuple[Field, str]] = []
        while True:
            if also and not any(self.peek(field) for field in FIELDS):
                self.keyword(*FIELDS, *also)
            field = self.keyword(*FIELDS)
            value = self.next(f"a {field}")
            text = value.text.casefold() if field in ("word", "lemma") else value.text
            if not text:
                self.fail(f"an empty {field}", value.column, f"expected a {field}")
            tests.append((field, text))
            if not self.peek("and"):
                return Selector(tuple(sorted(set(tests))))
            self.place += 1

    def rank(self) -> int:
        """``rank N``, N from 1."""
        self.place += 1
        token = self.next("a rank, 1 for the nearest")
        if not re.fullmatch(r"0*[1-9][0-9]{0,8}", token.text):
            self.fail(f"{token.text!r} is no rank", token.column, "expected 1 (the nearest), 2, 3, ...")
        return int(token.text)

    def number_after(self, keyword: str) -> float:
        """A finite number."""
        token = self.next(f"a number after {keyword}")
        if not re.fullmatch(r"[-+]?([0-9]{1,15}(\.[0-9]*)?|\.[0-9]+)", token.text):
            self.fail(f"{token.text!r} is no number", token.column, "expected a number such as 2.0")
        return float(token.text)

    def added(self) -> AddedTree:
        """``add tree NAME [for word W ...]``."""
        self.keyword("tree")
        token = self.next('a tree such as "g.ADV(* obl)"')
        tree = parse_supertag(token.text)
        if tree is None:
            self.fail(
                f"{token.text!r} is no tree",
                token.column,
                'expected a name such as g.ADV or "a.VERB(nsubj * obj)"',
            )
        words: list[str] = []
        if self.peek("for"):
            self.place += 1
            words = self.words()
        self.done(*([] if words else ["for"]))
        return AddedTree(tree, tuple(words), self.number)

    def words(self) -> list[str]:
        """``word "a" and word "b"``."""
        self.keyword("word")
        result = [self.next("a word").text]
        while self.peek("and"):
            self.place += 1
            self.keyword("word")
            result.append(self.next("a word").text)
        return result


def opposite(rule: OrderRule) -> OrderRule:
    """What a forbidden order leaves."""
    if isinstance(rule, SisterRule):
        return replace(rule, first=rule.second, second=rule.first)
    return replace(rule, side="right" if rule.side == "left" else "left")


def show(rules: Sequence[OrderRule]) -> str:
    """The rules in their own language, hard ones as ``fix``; reads back as the same rules."""
    lines = []
    for rule in rules:
        verb, tail = ("fix", "") if rule.weight is None else ("prefer", f" by {rule.weight!r}")
        if isinstance(rule, PlaceRule):
            rank = f" rank {rule.rank}" if rule.rank is not None else ""
            lines.append(f"{verb} {written(rule.daughter)} {rule.side} of {written(rule.head)}{rank}{tail}")
        else:
            under = f" under {written(rule.head)}" if rule.head.tests else ""
            lines.append(f"{verb} {written(rule.first)} before {written(rule.second)}{under}{tail}")
    return "".join(line + "\n" for line in lines)


def written(selector: Selector) -> str:
    """A selector with every value quoted where it has to be."""
    parts = []
    for field, value in selector.tests:
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        plain = field not in ("word", "lemma") and re.fullmatch(r'[^\s"#\\][^\s"\\]*', value)
        parts.append(f"{field} {value}" if plain else f'{field} "{escaped}"')
    return " and ".join(parts) or "head"
