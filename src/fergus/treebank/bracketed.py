"""Penn Treebank bracketings, read and turned into dependency trees by head percolation (section 3.3).

    (S (NP-SBJ (EX There)) (VP (VBD was) (NP-PRD (NP (DT no) (NN cost) (NN estimate)) (PP ...))))

    estimate(There/SBJ was/COP no/DT cost/NN for/PP(...))

Empty elements go, with the phrases that held nothing else; function tags and trace indices give the
relations (see ``relations``). A tree begins with a bracket at the beginning of a line: after an error the
reader goes on at the next such line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from fergus.core.tree import ROOT, DependencyTree, Node, OrderedTree
from fergus.errors import InputError
from fergus.treebank.heads import group_coordination, head_child
from fergus.treebank.lines import OnError, Results, Source, line_blocks, trees_only
from fergus.treebank.phrase import Phrase, parse_label, trace_index
from fergus.treebank.relations import relation, relation_by_label, universal_tag

_TOKEN = re.compile(r"[()]|[^\s()]+")


def read_bracketed(source: Source, *, path: str = "", on_error: OnError | None = None) -> Iterator[OrderedTree]:
    """The sentences of a stream of Penn bracketings, as dependency trees with their order."""
    return trees_only(parse_bracketed(source, path=path), on_error=on_error)


def parse_bracketed(source: Source, *, path: str = "") -> Results:
    """The sentences of a stream, with an InputError in the place of every bad tree."""
    reader = _TreeReader(path)
    empty = True
    for block in line_blocks(source, path=path, remedy="put every phrase on its own line"):
        if isinstance(block, InputError):
            yield block
            return
        for number, line in enumerate(block.lines, block.first):
            for result in reader.line(line, number, block.faults.get(number)):
                empty = False
                yield result
    if (unfinished := reader.end()) is not None:
        yield unfinished
    elif empty:
        yield InputError("there is no tree in the input", path=path, line=1, remedy="write (S (VP (VB Go)))")


@dataclass(slots=True)
class _Open:
    """A phrase whose bracket is open."""

    line: int
    label: str = ""
    word: str = ""
    children: list[Phrase] = field(default_factory=list)


@dataclass(slots=True)
class _TreeReader:
    path: str
    stack: list[_Open] = field(default_factory=list)
    roles: dict[str, str] = field(default_factory=dict)
    words: int = 0
    skipping: bool = False

    def line(self, line: str, number: int, fault: InputError | None) -> Results:
        """What this line completes."""
        if line.startswith("("):
            self.skipping = False
            if self.stack:
                start = self.stack[0].line
                self._reset()
                problem = f"the tree is still open on line {number}, where another one begins"
                yield self._error(problem, start, "close every bracket; indent all lines but a tree's first")
        if fault is not None and not self.skipping:
            self._reset(skipping=True)
            yield fault
        if self.skipping:
            return
        try:
            for match in _TOKEN.finditer(line):
                tree = self._token(match.group(), number)
                if tree is not None:
                    yield tree
        except InputError as error:
            self._reset(skipping=True)
            yield error

    def end(self) -> InputError | None:
        """The error of a tree that the end of the input leaves open."""
        if not self.stack:
            return None
        return self._error("the tree has more ( than )", self.stack[0].line, "close every bracket")

    def _token(self, token: str, number: int) -> OrderedTree | None:
        if token == "(":
            if self.stack and self.stack[-1].word:
                raise self._untagged(self.stack[-1].word, number)
            self.stack.append(_Open(number))
            return None
        if not self.stack:
            problem = ") without (" if token == ")" else f'"{token[:40]}" stands outside of the brackets'
            raise self._error(problem, number, "write one tree as (S (NP (PRP I)) (VP (VBD left)))")
        top = self.stack[-1]
        if token == ")":
            self.stack.pop()
            return self._close(top, number)
        if not top.label and not top.children:
            top.label = token
        elif top.word or top.children:
            raise self._untagged(token, number)
        else:
            top.word = token
        return None

    def _close(self, opened: _Open, number: int) -> OrderedTree | None:
        category, functions, index = parse_label(opened.label)
        if opened.word:
            phrase = Phrase(category, functions, index, word=opened.word, position=self.words)
        else:
            phrase = Phrase(category, functions, index, tuple(opened.children))
        if phrase.is_word and category != "-NONE-":
            self.words += 1
        if self.stack:
            mother = self.stack[-1]
            if category == "-NONE-":
                self._note_trace(opened.word)
            elif phrase.is_word or phrase.children:
                mother.children.append(phrase)
            return None
        roles = dict(self.roles)
        self._reset()
        if not phrase.children and not (phrase.is_word and category != "-NONE-"):
            raise self._error("the tree has no words", opened.line, "write each word as (NN word)")
        return to_dependencies(phrase, roles=roles, source=f"{self.path}:{opened.line}")

    def _note_trace(self, word: str) -> None:
        """Remember what relation a moved phrase has where it came from."""
        index = trace_index(word)
        if not index:
            return
        labels = [parse_label(opened.label) for opened in self.stack]
        (category, functions, _), above = labels[-1], [label[0] for label in labels[:-1]]
        while above and above[-1] == "SBAR":  # (VP said (SBAR 0 (S *T*-1)))
            above.pop()
        role = relation_by_label(Phrase(category, functions), above[-1] if above else "")
        self.roles.setdefault(index, role)

    def _reset(self, *, skipping: bool = False) -> None:
        self.stack.clear()
        self.roles.clear()
        self.words, self.skipping = 0, skipping

    def _untagged(self, word: str, number: int) -> InputError:
        return self._error(f'"{word[:40]}" has no tag of its own', number, "write each word as (NN word)")

    def _error(self, problem: str, number: int, remedy: str) -> InputError:
        return InputError(problem, path=self.path, line=number, remedy=remedy)


def to_dependencies(phrase: Phrase, *, roles: dict[str, str], source: str = "") -> OrderedTree:
    """The dependency tree of a phrase-structure tree without empty elements.

    From each phrase a spine of heads leads down to its head word; what hangs from the spine on the way
    depends on that word.
    """
    count = sum(1 for _ in phrase.words())
    nodes: list[Node] = [Node("")] * count
    heads = [ROOT] * count
    pending = [(phrase, ROOT, "root")]
    while pending:
        top, governor, deprel = pending.pop()
        daughters: list[tuple[Phrase, str]] = []
        while not top.is_word:
            children = group_coordination(top)
            head = head_child(top, children)
            for place, child in enumerate(children):
                if place != head:
                    daughters.append((child, relation(child, top, children, head, roles)))
            top = children[head]
        node = top.position
        heads[node] = governor
        nodes[node] = Node(
            top.form,
            upos=universal_tag(top, deprel),
            xpos=top.category,
            deprel=deprel,
            identifier=str(node + 1),
        )
        pending += [(daughter, node, label) for daughter, label in daughters]
    return OrderedTree(DependencyTree(tuple(nodes), tuple(heads), source=source), tuple(range(count)))
