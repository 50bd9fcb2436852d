"""What a treebank's words look like, with counts, and the lexicons that users add.

A user's lexicon is a text file of four columns with tabs between them, one form a line:

    octopus    NOUN    Number=Plur    octopodes
    sheep      NOUN    _              sheep

An entry holds for every word of that lemma and category that has (at least) its features; where several hold,
those with the most features do. Equal ones are alternatives, equally likely. Lines that begin with ``#`` are comments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from fergus.core.tree import Node, OrderedTree
from fergus.errors import InputError
from fergus.realize.known_features import misspelt
from fergus.realize.word_case import lowered

Feats = tuple[tuple[str, str], ...]
Key = tuple[str, str, Feats]
"""Lemma in lower case ("" where there is none), category, features."""
_COLUMNS = ("lemma", "UPOS", "features", "form")


@dataclass(frozen=True)
class InflectionLexicon:
    """Forms in lower case and how often each was seen, by lemma, category and features."""

    entries: Mapping[Key, Mapping[str, int]] = field(default_factory=dict)

    @cached_property
    def paradigms(self) -> Mapping[tuple[str, str], Mapping[Feats, Mapping[str, int]]]:
        """The same by lemma and category, then by features."""
        found: dict[tuple[str, str], dict[Feats, Mapping[str, int]]] = {}
        for (lemma, upos, feats), forms in self.entries.items():
            found.setdefault((lemma, upos), {})[feats] = forms
        return found

    @cached_property
    def bundles(self) -> Mapping[str, Mapping[Feats, int]]:
        """For every category the sets of features that its words have, with counts."""
        found: dict[str, dict[Feats, int]] = {}
        for (_, upos, feats), forms in self.entries.items():
            own = found.setdefault(upos, {})
            own[feats] = own.get(feats, 0) + sum(forms.values())
        return found

    def most_specific(self, lemma: str, upos: str, feats: Feats) -> Mapping[str, int]:
        """The forms of the entries with the most features among those whose features the word has."""
        paradigm = self.paradigms.get((lemma, upos), {})
        fitting = [own for own in paradigm if set(own) <= set(feats)]
        most = max(map(len, fitting), default=0)
        forms: dict[str, int] = {}
        for own in fitting:
            if len(own) == most:
                for form, count in paradigm[own].items():
                    forms[form] = forms.get(form, 0) + count
        return forms


def count_forms(trees: Iterable[OrderedTree]) -> InflectionLexicon:
    """The lexicon of a treebank; words without category are passed over."""
    return count_words(node for ordered in trees for node in ordered.tree.nodes)


def count_words(nodes: Iterable[Node]) -> InflectionLexicon:
    """The lexicon of some words; those without category are passed over."""
    entries: dict[Key, dict[str, int]] = {}
    for node in nodes:
        if node.upos is not None:
            forms, form = entries.setdefault(lexicon_key(node.lemma, node.upos, node.feats), {}), lexicon_form(node)
            forms[form] = forms.get(form, 0) + 1
    return InflectionLexicon(entries)


def lexicon_key(lemma: str | None, upos: str, feats: Feats | None) -> Key:
    """The key of a word; no features and no statement about them are the same in a treebank."""
    return lowered(lemma or ""), upos, feats or ()


def lexicon_form(node: Node) -> str:
    """The form of a word, in small letters where its lemma has them."""
    return lowered(node.form, lowered(node.lemma or ""))


def read_lexicon(path: Path) -> InflectionLexicon:
    """Read a user's lexicon; the first bad line is an error that names it."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"the lexicon cannot be read ({error.strerror})", path=str(path)) from None
    except UnicodeDecodeError:
        raise InputError("the lexicon is not UTF-8", path=str(path), remedy="save it as UTF-8") from None
    return parse_lexicon(text.splitlines(), path=str(path))


def parse_lexicon(lines: Iterable[str], *, path: str = "") -> InflectionLexicon:
    """The lexicon of lines with four columns."""
    entries: dict[Key, dict[str, int]] = {}
    for number, line in _contentful(lines):
        columns = [column.strip() for column in line.split("\t")]
        if len(columns) != len(_COLUMNS):
            raise InputError(
                f"{len(columns)} columns, not {len(_COLUMNS)}: {line.strip()[:60]!r}", path=path, line=number,
                remedy="write lemma, UPOS, features and form with tabs between them",
            )  # fmt: skip
        for name, column in zip(_COLUMNS, columns, strict=True):
            if not column or (column == "_" and name in ("lemma", "UPOS", "form")):
                remedy = "write _ for no features" if name == "features" else f"every line needs a {name}"
                raise InputError(f"the {name} is empty", path=path, line=number, remedy=remedy)
        lemma, upos, feats, form = columns
        forms = entries.setdefault((lowered(lemma), upos, _feats(feats, path, number)), {})
        forms[lowered(form, lowered(lemma))] = 1
    return InflectionLexicon(entries)


def _contentful(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            yield number, line.rstrip("\n")


def _feats(text: str, path: str, number: int) -> Feats:
    if text == "_":
        return ()
    pairs: list[tuple[str, str]] = []
    for item in text.split("|"):
        name, equals, value = item.partition("=")
        if not (name and equals and value):
            raise InputError(
                f"{item!r} is not a feature", path=path, line=number, remedy="write them as Number=Plur|Case=Nom, or _"
            )
        if meant := misspelt(name, value):
            problem = f"{item} looks misspelt"
            raise InputError(problem, path=path, line=number, remedy=f"did you mean {meant}?")
        if any(name == other for other, _ in pairs):
            raise InputError(f"the feature {name} is given twice", path=path, line=number, remedy="give it once")
        pairs.append((name, value))
    return tuple(sorted(pairs))
