"""Reads the XTAG English grammar's own files into the same ``Grammar`` that extraction gives (section 2).

What is read, below the folder where the user keeps XTAG:

    bracketed/   treenames.dat, xtag.trees.dat (one line a tree), treefams.dat (family, number, its trees)
    grammar/     *.trees: the same trees as Lisp data with their unification equations
    syntax/      the lexicon (see ``xtag_lexicon``)       morphology/   word form to lemma

In the files the bytes 2, 3 and 6 stand for alpha, beta and the empty string.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from fergus.core.bracketing import EPSILON, ROLES, BracketingError, Phrase, PhraseNode, Role, parse_bracketing
from fergus.core.supertag import ElementaryTree
from fergus.errors import InputError
from fergus.grammar.adjunction import AdjunctionTable
from fergus.grammar.inventory import Grammar
from fergus.grammar.phrase_structure import elementary_tree
from fergus.grammar.source import xtag_lines
from fergus.grammar.xtag_lexicon import read_lexicon, read_morphology, tree_name

LISP_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+|"', re.DOTALL)


@dataclass(frozen=True, slots=True)
class XtagTree:
    """A tree of the Lisp files with what the bracketed file leaves out."""

    name: str
    phrase: Phrase
    equations: str
    comments: str


def read_xtag(
    directory: str | Path, *, source: Literal["bracketed", "grammar"] = "bracketed", lexicon: bool = True
) -> Grammar:
    """The whole grammar; ``source`` says which of the two equal forms of the trees to read."""
    folder = Path(directory)
    family_of = {name: family for family, names in read_families(folder).items() for name in names}
    trees: dict[str, ElementaryTree] = {}
    lisp = source == "grammar"
    found = {tree.name: tree.phrase for tree in read_lisp(folder)} if lisp else read_bracketed(folder)
    for name in sorted(found):
        trees[name] = elementary_tree(name, found[name], family=family_of.get(name, ""))
    table = AdjunctionTable(categories={name: tree.category for name, tree in trees.items()})
    grammar = Grammar(trees, adjunction=table)
    if not lexicon:
        return grammar
    entries = read_lexicon(folder, trees=trees.keys(), families=grammar.families.keys())
    return replace(grammar, lexicon=entries, morphology=read_morphology(folder))


def lines_of_table(path: Path) -> list[str]:
    """All lines of a file; one without any has one empty line, which its reader then finds fault with."""
    return list(xtag_lines(path)) or [""]


def read_families(folder: Path) -> dict[str, tuple[str, ...]]:
    """For every family the names of its trees."""
    path = folder / "bracketed" / "treefams.dat"
    families: dict[str, tuple[str, ...]] = {}
    for number, line in enumerate(lines_of_table(path), start=1):
        family, *rest = line.split() or [""]
        if len(rest) < 2 or rest[0] != str(len(rest) - 1):
            raise InputError(
                f"a family that is cut off: {line[:60]!r}",
                path=str(path), line=number, remedy="expected: family, how many trees, their names",
            )  # fmt: skip
        families[family] = tuple(rest[1:])
    return families


def read_bracketed(folder: Path) -> dict[str, Phrase]:
    """The trees of ``xtag.trees.dat`` under the names that stand on the same lines of ``treenames.dat``."""
    names_path, trees_path = folder / "bracketed" / "treenames.dat", folder / "bracketed" / "xtag.trees.dat"
    names, lines = lines_of_table(names_path), lines_of_table(trees_path)
    if len(names) != len(lines):
        raise InputError(
            f"{len(lines)} trees, but {names_path.name} has {len(names)} names",
            path=str(trees_path), line=min(len(names), len(lines)), remedy="one line a tree in both files",
        )  # fmt: skip
    result: dict[str, Phrase] = {}
    for number, (name, line) in enumerate(zip(names, lines, strict=True), start=1):
        try:
            result[name.strip()] = parse_bracketing(line.replace("\x06", EPSILON))
        except BracketingError as error:
            raise InputError(f"tree {name}: {error}", path=str(trees_path), line=number) from None
    return result


def read_lisp(folder: Path) -> Iterator[XtagTree]:
    """The trees of ``grammar/*.trees``, file by file in alphabetical order."""
    paths = sorted((folder / "grammar").glob("*.trees"))
    if not paths:
        raise InputError(
            "no *.trees file", path=str(folder / "grammar"), remedy="give the folder that holds XTAG's files"
        )
    for path in paths:
        yield from lisp_trees(path)


class Token(NamedTuple):
    """An atom or bracket of a Lisp file, with where it begins."""

    text: str
    line: int


def lisp_tokens(text: str, path: Path) -> Iterator[Token]:
    """Strings keep their opening quotation mark, to tell ``"T"`` from ``T``."""
    line, position = 1, 0
    for match in LISP_TOKEN.finditer(text):
        line += text.count("\n", position, match.start())
        position = match.start()
        token = match.group()
        if token == '"':
            raise InputError("a string that is not closed", path=str(path), line=line)
        if token[0] == '"':
            token = '"' + re.sub(r"\\(.)", r"\1", token[1:-1], flags=re.DOTALL)
        yield Token(token, line)


List = list[Any]
"""A Lisp list of tokens and lists."""


def lisp_lists(path: Path) -> Iterator[tuple[List, int]]:
    """The lists at the top of a file with the line each begins on."""
    stack: list[List] = []
    opened: list[int] = []
    for token in lisp_tokens("\n".join(xtag_lines(path)), path):
        if token.text == "(":
            stack.append([])
            opened.append(token.line)
        elif token.text == ")":
            if not stack:
                raise InputError("a bracket closes that was not opened", path=str(path), line=token.line)
            done, line = stack.pop(), opened.pop()
            if stack:
                stack[-1].append(done)
            else:
                yield done, line
        elif stack:
            stack[-1].append(token)
        else:
            raise InputError(f"{token.text!r} outside of any list", path=str(path), line=token.line)
    if stack:
        raise InputError("the tree that begins here is not closed", path=str(path), line=opened[0])


def lisp_trees(path: Path) -> Iterator[XtagTree]:
    """The trees of one file: a list with name and properties, then the list that is the tree."""
    header: tuple[List, int] | None = None
    for item, line in lisp_lists(path):
        if header is None:
            if not item or not isinstance(item[0], Token) or not item[0].text.startswith('"'):
                raise InputError(
                    "a tree without a name",
                    path=str(path),
                    line=line,
                    remedy='expected ("name" :PROPERTY ...)',
                )
            header = item, line
            continue
        properties = plist(header[0][1:])
        name = tree_name(header[0][0].text[1:]) if isinstance(header[0][0], Token) else ""
        yield XtagTree(
            name,
            lisp_phrase(item, path, line),
            properties.get(":UNIFICATION-EQUATIONS", "").strip(),
            properties.get(":COMMENTS", "").strip(),
        )
        header = None
    if header is not None:
        raise InputError("a name without a tree after it", path=str(path), line=header[1])


def plist(items: List) -> dict[str, str]:
    """Keyword-value pairs; values that are lists are left out, strings lose their mark, NIL is nothing."""
    result: dict[str, str] = {}
    for key, value in zip(items[::2], items[1::2], strict=False):
        if isinstance(key, Token) and isinstance(value, Token) and value.text != "NIL":
            result[key.text] = value.text.removeprefix('"')
    return result


def lisp_phrase(item: List, path: Path, line: int) -> Phrase:
    """``(((("S" . "r")) :substp T) daughter ...)`` as a tree."""
    nodes: list[PhraseNode] = []
    todo: list[tuple[Any, int]] = [(item, -1)]
    while todo:
        current, parent = todo.pop()
        try:
            spec, *daughters = current
            [[category, _, index]], *rest = spec
            label, suffix = category.text[1:], index.text[1:]
        except (ValueError, AttributeError, TypeError):
            raise InputError(
                "a node that cannot be read", path=str(path), line=line, remedy='expected ((("S" . "r")) ...)'
            ) from None
        properties = plist(rest)
        role: Role = next((role for role in ROLES if properties.get(f":{role}") == "T"), "")
        label = label.replace("\x06", EPSILON) + (f"_{suffix}" if suffix else "")
        nodes.append(PhraseNode(label, parent, role, properties.get(":constraint-type", "").lstrip(":")))
        todo.extend((daughter, len(nodes) - 1) for daughter in reversed(daughters))
    return tuple(nodes)
