"""The quick notation for dependency trees, for people to type: one tree a line.

    estimate(there was no cost for(phase(the second)))
    saw/VERB:root[Tense=Past,lemma=see](I/PRON:nsubj her/PRON:obj "New York":obl)
    _/VERB:root[Tense=Past,lemma=see](I her)          a form that is not known, to be made from the lemma
    gave(she#s[before=b] him[side=right,rank=1] books#b)
    {buy=3|purchase|"take over"}/VERB:root[Tense=Past](they:nsubj {firm|company}:obj)

    line        = tree | "" | "#" anything          empty lines and lines that start with "#" are skipped
    tree        = node
    node        = (form | choice) ["/" upos] [":" relation] ["#" name] [attributes] ["(" {node} ")"]
    choice      = "{" word ["=" weight] {"|" word ["=" weight]} "}"     words to choose from, each of weight 1
    attributes  = "[" attribute {"," attribute} "]"
    attribute   = "lemma=" v | "xpos=" v | "misc=" v          labels
                | "before=" name | "after=" name              order: somewhere before or after a named node
                | "side=left" | "side=right" | "rank=" n      order: beside the head, rank 1 nearest to it
                | feature "=" v                               anything else, or a quoted key, is a feature
    form, word, upos, relation, name, feature, v = bare | quoted
    quoted      = a string in double quotes, with the escapes \\\\ \\" \\n \\t \\r
    bare        = characters other than space ( ) [ ] / : # " \\; a relation may hold ":" (nsubj:pass),
                  a form, upos, relation or name may hold "=" and ","; a feature or v may hold "/" and ":";
                  a word may hold neither "=" nor "|" nor braces, and no form, upos or name begins with "{"

A node with words to choose from has no form and no lemma until one is chosen: [lemma=...] is an error there.
Spaces separate nodes and may stand before "(" and inside "[...]" and "{...}". Bare forms include . , ? 's n't $ %.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from fergus.core.tree import ROOT, Choice, DependencyTree, Node, OrderedTree
from fergus.errors import InputError
from fergus.treebank.choices import WEIGHT_HINT, Choices, weight_text
from fergus.treebank.constraints import KEYS, NamedConstraints, constraint_items
from fergus.treebank.lines import OnError, Results, Source, line_blocks, trees_only

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_BARE = r'[^\s()\[\]/:#"\\]+'
_FORM = re.compile(rf"{_QUOTED}|(?!\{{){_BARE}")
_WORD = re.compile(rf'{_QUOTED}|[^\s()\[\]/:#"\\{{}}|=]+')
_WEIGHT = re.compile(r"[^\s(){}\[\]|]+")
_RELATION = re.compile(rf'{_QUOTED}|[^\s()\[\]/#"\\]+')
_ATTRIBUTE = re.compile(rf'{_QUOTED}|[^\s()\[\]#"\\,=]+')
_SPACE = re.compile(r"\s*")
_TO_ESCAPE = re.compile(r'[\\"\n\t\r]')
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_LABELS = ("lemma", "xpos", "misc")
_CONTROL = {"\n": "n", "\t": "t", "\r": "r"}
_CONTROL_BY_LETTER = {letter: control for control, letter in _CONTROL.items()}


def read_notation(source: Source, *, path: str = "", on_error: OnError | None = None) -> Iterator[OrderedTree]:
    """The trees of a stream in the quick notation, in the order of mention, which has no meaning."""
    return trees_only(parse_notation(source, path=path), on_error=on_error)


def parse_notation(source: Source, *, path: str = "") -> Results:
    """The trees of a stream, with an InputError in the place of every bad line."""
    empty = True
    for block in line_blocks(source, path=path, remedy="write long trees as CoNLL-U or JSON"):
        if isinstance(block, InputError):
            yield block
            return
        for number, line in enumerate(block.lines, block.first):
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            empty = False
            if number in block.faults:
                yield block.faults[number]
                continue
            try:
                tree = _LineParser(line, path, number).tree()
            except InputError as error:
                yield error
            else:
                yield OrderedTree(tree, tuple(range(len(tree))))
    if empty:
        yield InputError("there is no tree in the input", path=path, line=1, remedy="write saw(I her)")


def parse_tree(text: str) -> DependencyTree:
    """One tree in the quick notation.

    >>> [node.form for node in parse_tree("saw(I her)").nodes]
    ['saw', 'I', 'her']
    """
    if text.count("\n") > 0:
        raise InputError("a tree in the quick notation is one line", remedy="take out the line breaks")
    return _LineParser(text, "<tree>", 1).tree()


@dataclass(slots=True)
class _LineParser:
    """A cursor over one line; nodes are collected with their heads, without recursion."""

    text: str
    path: str
    number: int
    at: int = 0
    nodes: list[Node] = field(default_factory=list)
    heads: list[int] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict)
    constraints: NamedConstraints = field(default_factory=NamedConstraints)

    def tree(self) -> DependencyTree:
        opened: list[tuple[int, int]] = []  # the mothers whose bracket is open, and where it was opened
        self._spaces()
        while True:
            if self._skip(")"):
                if not opened:
                    raise self._error('")" without "("', self.at - 1, 'take it out, or open it with "("')
                opened.pop()
            elif self.at == len(self.text):
                break
            else:
                if self.nodes and not opened:
                    raise self._error("a second root", self.at, "put it between the brackets of the first")
                self._node(opened[-1][0] if opened else ROOT)
                before = self.at
                self._spaces()
                if self._skip("("):
                    opened.append((len(self.nodes) - 1, self.at - 1))
                elif before == self.at and self.at < len(self.text) and self._next() != ")":
                    raise self._error(f"unexpected {self._next()}", self.at, _QUOTE_HINT)
            self._spaces()
        if opened:
            raise self._error('"(" without ")"', opened[-1][1], 'close it with ")"')
        constraints = self.constraints.resolve(self.names, self.heads, path=self.path)
        source = f"{self.path}:{self.number}"
        return DependencyTree(tuple(self.nodes), tuple(self.heads), constraints, source)

    def _node(self, head: int) -> None:
        index, start = len(self.nodes), self.at
        form, alternatives = "", self._choices() if self._skip("{") else ()
        if not alternatives:
            form = self._word(_FORM, "a form")
            if form.splitlines() != [form]:
                raise self._error("a form is empty or has a line break in it", start, "write a word")
        upos = self._word(_FORM, 'a part of speech after "/"') if self._skip("/") else None
        deprel = self._word(_RELATION, 'a relation after ":"') if self._skip(":") else None
        name, name_at = "", self.at
        if self._skip("#"):
            name = self._word(_FORM, 'a name after "#"')
        if name in self.names:
            raise self._error(f'two nodes are called "{name}"', name_at, "give every node its own name")
        if name:
            self.names[name] = index
        labels: dict[str, str] = {}
        feats: list[tuple[str, str]] = []
        if self._skip("["):
            self._attributes(index, labels, feats)
        if form == "_" and "lemma" in labels:
            form = ""
        if alternatives and "lemma" in labels:
            raise self._error("words to choose from have no one lemma", start, "take out lemma=, or write one word")
        self.heads.append(head)
        self.nodes.append(
            Node(
                form,
                labels.get("lemma"),
                upos,
                labels.get("xpos"),
                tuple(sorted(feats)) or None,
                deprel,
                labels.get("misc"),
                name,
                alternatives,
            )
        )

    def _choices(self) -> tuple[Choice, ...]:
        """The words to choose from, after the brace that opens them."""
        choices = Choices()
        while True:
            self._spaces()
            start = self.at
            word = self._word(_WORD, "a word to choose", _CHOICE_HINT)
            self._spaces()
            weight = ""
            if self._skip("="):
                self._spaces()
                weight = self._word(_WEIGHT, 'a weight after "="', WEIGHT_HINT)
            try:
                choices.add(word, weight or 1.0)
            except InputError as error:
                raise self._error(error.problem, start, error.remedy) from None
            self._spaces()
            if self._skip("}"):
                return choices.all
            if not self._skip("|"):
                raise self._error('"|" or "}" is missing', self.at, _CHOICE_HINT)

    def _attributes(self, index: int, labels: dict[str, str], feats: list[tuple[str, str]]) -> None:
        while True:
            self._spaces()
            start = self.at
            quoted = self.text.startswith('"', start)
            key = self._word(_ATTRIBUTE, "an attribute")
            self._spaces()
            if not self._skip("="):
                raise self._error(f'"=" is missing after {key}', self.at, "write [name=value,name=value]")
            self._spaces()
            value = self._word(_ATTRIBUTE, "a value")
            if not quoted and key in _LABELS:
                if key in labels:
                    raise self._error(f"{key} is given twice", start, "give it once")
                labels[key] = value
            elif not quoted and key in KEYS:
                self.constraints.add(index, key, value, number=self.number)
            else:
                if any(key == name for name, _ in feats):
                    raise self._error(f"the feature {key} is given twice", start, "give it once")
                feats.append((key, value))
            self._spaces()
            if self._skip("]"):
                return
            if not self._skip(","):
                raise self._error('"," or "]" is missing', self.at, "write [name=value,name=value]")

    def _word(self, pattern: re.Pattern[str], what: str, hint: str = "") -> str:
        match = pattern.match(self.text, self.at)
        if match is None:
            raise self._error(f"{what} is missing before {self._next()}", self.at, hint or _QUOTE_HINT)
        self.at = match.end()
        word = match.group()
        return _ESCAPE.sub(_unescaped, word[1:-1]) if word[0] == '"' else word

    def _spaces(self) -> None:
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def _skip(self, character: str) -> bool:
        found = self.text.startswith(character, self.at)
        self.at += found
        return found

    def _next(self) -> str:
        return f"{self.text[self.at]}" if self.at < len(self.text) else "the end of the line"

    def _error(self, problem: str, at: int, remedy: str) -> InputError:
        begin = max(0, at - 40)
        excerpt = self.text[begin : at + 30].replace("\t", " ")
        hint = f"{remedy}\n    {excerpt}\n    {' ' * (at - begin)}^"
        return InputError(f"column {at + 1}: {problem}", path=self.path, line=self.number, remedy=hint)


_QUOTE_HINT = 'a form with spaces or any of ( ) [ ] / : # " \\ in it is written in double quotes'
_CHOICE_HINT = "write {one|another}, or {one=2|another=1} with weights; anything unusual goes in double quotes"


def to_notation(tree: DependencyTree) -> str:
    """The tree in the quick notation, on one line; reading it gives the same tree.

    Nodes are named only where an order constraint has to name them; comments and sources are left out.
    """
    constraints = constraint_items(tree)
    named = {value for items in constraints.values() for _, value in items if isinstance(value, int)}
    names = _names(tree, sorted(named))
    pieces: list[str] = []
    stack: list[int | str] = [tree.root]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            pieces.append(item)
            continue
        node = tree.nodes[item]
        attributes = [(key, getattr(node, key)) for key in _LABELS if getattr(node, key) is not None]
        for key, value in constraints.get(item, ()):
            attributes.append((key, names[value] if isinstance(value, int) else value))
        text = [f"{key}={_quoted(value, _ATTRIBUTE)}" for key, value in attributes]
        for key, value in node.feats or ():
            reserved = key in _LABELS or key in KEYS
            text.append(f"{_quoted(key, _ATTRIBUTE, always=reserved)}={_quoted(value, _ATTRIBUTE)}")
        pieces.append(_choice(node.alternatives) if node.alternatives else _quoted(node.form or "_", _FORM))
        pieces.append(f"/{_quoted(node.upos, _FORM)}" if node.upos is not None else "")
        pieces.append(f":{_quoted(node.deprel, _RELATION)}" if node.deprel is not None else "")
        pieces.append(f"#{_quoted(names[item], _FORM)}" if item in names else "")
        pieces.append(f"[{','.join(text)}]" if text else "")
        if daughters := tree.daughters[item]:
            pieces.append("(")
            stack.append(")")
            for place, daughter in enumerate(reversed(daughters)):
                stack += [daughter] if place == len(daughters) - 1 else [daughter, " "]
    return "".join(pieces)


def _choice(alternatives: tuple[Choice, ...]) -> str:
    words = (
        _quoted(item.word, _WORD) + (f"={weight}" if (weight := weight_text(item)) else "") for item in alternatives
    )
    return "{" + "|".join(words) + "}"


def _names(tree: DependencyTree, named: list[int]) -> dict[int, str]:
    """The nodes' own names where they are good ones, else n1, n2, ..."""
    names: dict[int, str] = {}
    own = Counter(node.identifier for node in tree.nodes)
    fresh = (name for n in count(1) if (name := f"n{n}") not in own)
    for node in named:
        name = tree.nodes[node].identifier
        names[node] = name if name and own[name] == 1 else next(fresh)
    return names


def _quoted(text: str, bare: re.Pattern[str], *, always: bool = False) -> str:
    if not always and bare.fullmatch(text) and not text.startswith('"'):
        return text
    return '"' + _TO_ESCAPE.sub(lambda m: "\\" + _CONTROL.get(m.group(), m.group()), text) + '"'


def _unescaped(match: re.Match[str]) -> str:
    letter = match.group(1)
    return _CONTROL_BY_LETTER.get(letter, letter)
