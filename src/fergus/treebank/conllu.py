"""CoNLL-U sentences, read quickly and with the line of every error, and written.

The lines of a sentence may come in any order: IDs decide the order of the words. A column of ``_``
means that the label is absent; ``_`` as FORM with a LEMMA is a form that is not known (the empty
string), ``_`` as both is an underscore. Empty nodes (``8.1``) and enhanced dependencies are passed over.
A multiword token becomes metadata, ``("multiword 1-2", "don't")``, and its MISC, if any,
``("multiword 1-2 misc", ...)``.

MISC may hold order constraints: ``Before=ID``, ``After=ID`` (repeated if need be), ``Side=left|right``
and with it ``Rank=n``, the place on that side of the head, 1 nearest. They move to ``tree.constraints``.
Where FORM and LEMMA are ``_``, MISC may hold words to choose from, with weights or without:
``Alternatives=buy,purchase:2``. A comma, a colon, a bar, a percent sign or a space in a word is escaped
as in URLs (``%2C %3A %7C %25 %20``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from fergus.core.tree import Constraint, DependencyTree, Node, OrderedTree, nodes_of_columns, structural_fault
from fergus.errors import InputError
from fergus.treebank.choices import choices_from_misc
from fergus.treebank.conllu_sentences import Item, UnreadSentence, split_conllu
from fergus.treebank.constraints import NamedConstraints
from fergus.treebank.lines import OnError, Results, Source, trees_only

_ID, _FORM, _LEMMA, _UPOS, _XPOS, _FEATS, _HEAD, _DEPREL, _DEPS, _MISC = range(10)
_MULTIWORD = re.compile(r"[0-9]{1,9}-[0-9]{1,9}")
_EMPTY_NODE = re.compile(r"[0-9]{1,9}\.[0-9]{1,9}")
_WORD_ID = re.compile(r"[1-9][0-9]{0,8}")
_CONSTRAINT_KEYS = ("Before", "After", "Side", "Rank")
_CONSTRAINT_MARKS = tuple(f"|{key}=" for key in _CONSTRAINT_KEYS)
_ALTERNATIVES = "Alternatives="
_FEATS_CACHE_SIZE = 20_000

Feats = tuple[tuple[str, str], ...]


def read_conllu(source: Source, *, path: str = "", on_error: OnError | None = None) -> Iterator[OrderedTree]:
    """The sentences of a CoNLL-U stream; the first bad one is raised, or all go to ``on_error``."""
    return trees_only(parse_conllu(source, path=path), on_error=on_error)


def parse_conllu(source: Source, *, path: str = "") -> Results:
    """The sentences of a CoNLL-U stream, with an InputError in the place of every bad one."""
    return read_sentences(split_conllu(source, path=path))


def read_sentences(items: Iterable[Item]) -> Results:
    """The trees of sentences that have not been read yet, and whatever else there is as it is."""
    reader = _SentenceReader()
    for item in items:
        yield reader.read(item) if isinstance(item, UnreadSentence) else item


class _SentenceReader:
    """Parses the lines of one sentence after the other, remembering FEATS strings it has seen."""

    def __init__(self) -> None:
        self.path = ""
        self.feats: dict[str, Feats | None] = {"_": None, "": None}

    def read(self, sentence: UnreadSentence) -> OrderedTree | InputError:
        """The tree of a sentence, or what is wrong with it."""
        self.path = sentence.path
        try:
            return self._tree(sentence.lines, sentence.first)
        except InputError as error:
            return error

    def _tree(self, lines: list[str], start: int) -> OrderedTree:
        comments = 0
        while comments < len(lines) and lines[comments].startswith("#"):
            comments += 1
        metadata = [_comment(line) for line in lines[:comments]]
        columns, numbers = self._columns(lines[comments:], start + comments, metadata)
        order = self._order(columns[_ID], numbers)
        heads = self._heads(columns[_ID], columns[_HEAD], numbers)
        forms, lemmas = self._forms_and_lemmas(columns[_FORM], columns[_LEMMA], numbers)
        miscs, constraints = self._constraints(columns, heads, numbers)
        nodes = nodes_of_columns(
            forms,
            lemmas,
            _labels(columns[_UPOS]),
            _labels(columns[_XPOS]),
            self._feats(columns[_FEATS]),
            _labels(columns[_DEPREL]),
            miscs,
            columns[_ID],
        )
        if _ALTERNATIVES in "|".join(columns[_MISC]):
            nodes = self._with_alternatives(nodes, numbers)
        source = f"{self.path}:{start}"
        try:
            return OrderedTree(DependencyTree(nodes, heads, constraints, source, tuple(metadata)), order)
        except ValueError:
            raise self._structural_error(columns, heads, numbers) from None

    def _columns(
        self, lines: list[str], first: int, metadata: list[tuple[str, str]]
    ) -> tuple[list[tuple[str, ...]], Sequence[int]]:
        """The ten columns of the words, and their line numbers; multiword tokens go to ``metadata``."""
        rows = [line.split("\t") for line in lines]
        numbers: Sequence[int] = range(first, first + len(rows))
        if set(map(len, rows)) == {10}:
            columns = list(zip(*rows, strict=True))
            joined = "".join(columns[_ID])
            if joined.isdecimal() and joined.isascii():
                return columns, numbers
        words, word_numbers = [], []
        for row, number in zip(rows, numbers, strict=True):
            if row[0].startswith("#"):
                metadata.append(_comment("\t".join(row)))
            elif len(row) != 10:
                problem = f"{len(row)} columns where 10 are needed"
                raise self._error(problem, number, "separate the columns by single tabs, and write _ for none")
            elif _MULTIWORD.fullmatch(row[_ID]):
                metadata.append((f"multiword {row[_ID]}", row[_FORM]))
                if row[_MISC] != "_":
                    metadata.append((f"multiword {row[_ID]} misc", row[_MISC]))
            elif not _EMPTY_NODE.fullmatch(row[_ID]):
                words.append(row)
                word_numbers.append(number)
        if not words:
            raise self._error("the sentence has no words", first, "give a line with a plain ID")
        return list(zip(*words, strict=True)), word_numbers

    def _order(self, ids: Sequence[str], numbers: Sequence[int]) -> tuple[int, ...]:
        if ids == _numerals(len(ids)):
            return tuple(range(len(ids)))
        seen: dict[str, int] = {}
        for identifier, number in zip(ids, numbers, strict=True):
            if not _WORD_ID.fullmatch(identifier):
                problem = f"the ID {_shown(identifier)} is not a number"
                raise self._error(problem, number, "use 1, 2, 3, ..., 1-2 or 1.1")
            if identifier in seen:
                problem = f"the ID {identifier} was given before, on line {seen[identifier]}"
                raise self._error(problem, number, "give every word its own ID")
            seen[identifier] = number
        return tuple(sorted(range(len(ids)), key=lambda i: int(ids[i])))

    def _heads(self, ids: Sequence[str], heads: Sequence[str], numbers: Sequence[int]) -> tuple[int, ...]:
        if ids == _numerals(len(ids)):
            index = _INDEX_OF_NUMERAL
        else:
            index = {"0": -1}
            index.update(zip(ids, range(len(ids)), strict=True))
        try:
            return tuple([index[head] for head in heads])
        except KeyError as error:
            head: str = error.args[0]
        raise self._head_error(ids, head, numbers[heads.index(head)])

    def _head_error(self, ids: Sequence[str], head: str, number: int) -> InputError:
        problem = f"the head {_shown(head)} is not " + (
            "a word of this sentence" if _WORD_ID.fullmatch(head) else "a number"
        )
        ordered = sorted(ids, key=int)
        remedy = f"use the ID of a word, {ordered[0]} to {ordered[-1]}, or 0 for the root"
        return self._error(problem, number, remedy)

    def _forms_and_lemmas(
        self, forms: Sequence[str], lemmas: Sequence[str], numbers: Sequence[int]
    ) -> tuple[Sequence[str], Sequence[str | None]]:
        if "" in forms or len("".join(forms).splitlines()) != 1:
            bad = next(i for i, form in enumerate(forms) if form.splitlines() != [form])
            problem = f"the FORM {_shown(forms[bad])} is empty or has a line break in it"
            raise self._error(problem, numbers[bad], "write _ if there is no form")
        absent = ("_", "")
        if "_" in forms:
            pairs = list(zip(forms, lemmas, strict=True))
            forms = ["" if form == "_" and lemma not in absent else form for form, lemma in pairs]
            lemma_or_none = [None if y in absent and x != "_" else y or None for x, y in pairs]
            return forms, lemma_or_none
        return forms, [None if lemma in absent else lemma for lemma in lemmas]

    def _feats(self, strings: Sequence[str]) -> list[Feats | None]:
        cache = self.feats
        try:
            return [cache[s] for s in strings]
        except KeyError:
            if len(cache) > _FEATS_CACHE_SIZE:
                cache.clear()
                cache.update({"_": None, "": None})
            for s in strings:
                if s not in cache:
                    cache[s] = parse_feats(s)
        return [cache[s] for s in strings]

    def _constraints(
        self, columns: list[tuple[str, ...]], heads: tuple[int, ...], numbers: Sequence[int]
    ) -> tuple[list[str | None], tuple[Constraint, ...]]:
        """MISC without the order constraints in it, and these."""
        miscs: list[str | None] = [None if x == "_" else x for x in columns[_MISC]]
        joined = "|" + "|".join(columns[_MISC])
        if not any(key in joined for key in _CONSTRAINT_MARKS):
            return miscs, ()
        named = NamedConstraints()
        for node, misc in enumerate(miscs):
            rest = []
            for item in (misc or "").split("|"):
                key, equals, value = item.partition("=")
                if equals and key in _CONSTRAINT_KEYS:
                    named.add(node, key.lower(), value, number=numbers[node])
                else:
                    rest.append(item)
            miscs[node] = "|".join(rest) or None
        index = dict(zip(columns[_ID], range(len(heads)), strict=True))
        return miscs, named.resolve(index, heads, path=self.path)

    def _with_alternatives(self, nodes: tuple[Node, ...], numbers: Sequence[int]) -> tuple[Node, ...]:
        """The nodes with the words to choose from that MISC names; of words that have a form it says something else."""
        result = list(nodes)
        for index, node in enumerate(nodes):
            items = (node.misc or "").split("|")
            named = [item for item in items if item.startswith(_ALTERNATIVES)]
            if not named or node.form != "_" or node.lemma != "_":
                continue
            try:
                choices = choices_from_misc(",".join(item.removeprefix(_ALTERNATIVES) for item in named))
            except InputError as error:
                raise self._error(error.problem, numbers[index], error.remedy) from None
            misc = "|".join(item for item in items if item not in named) or None
            result[index] = replace(node, form="", lemma=None, misc=misc, alternatives=choices)
        return tuple(result)

    def _structural_error(
        self, columns: list[tuple[str, ...]], heads: tuple[int, ...], numbers: Sequence[int]
    ) -> InputError:
        fault = structural_fault(heads)
        node = (fault and fault.node) or 0
        problem = fault.problem if fault else "the sentence is no tree"
        if heads[node] >= len(heads):
            return self._head_error(columns[_ID], columns[_HEAD][node], numbers[node])
        if heads[node] == node:
            problem = "the word is its own head"
        elif -1 not in heads:
            problem = f"the sentence has no root, and {problem}"
        identifier, form = columns[_ID][node], columns[_FORM][node]
        remedy = "give exactly one word the head 0, and let all heads lead to it"
        return self._error(f"word {identifier} ({_shown(form)}): {problem}", numbers[node], remedy)

    def _error(self, problem: str, number: int, remedy: str) -> InputError:
        return InputError(problem, path=self.path, line=number, remedy=remedy)


def parse_feats(text: str) -> Feats | None:
    """``Number=Sing|Case=Nom`` as sorted pairs; a feature without a value gets the empty one."""
    pairs = (item.partition("=") for item in text.split("|") if item)
    return tuple(sorted((name, value) for name, _, value in pairs)) or None


_NUMERALS: list[str] = []
_INDEX_OF_NUMERAL: dict[str, int] = {"0": -1}


def _numerals(count: int) -> tuple[str, ...]:
    """The IDs 1 to ``count`` of an ordinary sentence, whose places are in _INDEX_OF_NUMERAL."""
    for n in range(len(_NUMERALS), count):
        _NUMERALS.append(str(n + 1))
        _INDEX_OF_NUMERAL[str(n + 1)] = n
    return tuple(_NUMERALS[:count])


def _labels(column: Sequence[str]) -> Sequence[str | None]:
    return [None if x == "_" or not x else x for x in column] if "_" in column or "" in column else column


def _comment(line: str) -> tuple[str, str]:
    key, _, value = line[1:].partition("=")
    return key.strip(), value.strip()


def _shown(value: str) -> str:
    return f'"{value[:40]}{"..." if len(value) > 40 else ""}"'
