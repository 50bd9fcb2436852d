"""References for texts that people judged: from a table with a shared column, or a file parallel to the inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fergus.errors import InputError

if TYPE_CHECKING:
    from fergus.analysis.judgements import Judgements
    from fergus.metrics.segment import Sentence
    from fergus.metrics.tokenization import Tokenization

REFERENCE = "reference"
"""The column of a table, or of the judged items, that holds references."""
LARGEST = 200_000_000
"""Bytes of a table of references."""


@dataclass(frozen=True)
class References:
    """Every reference once, and which of them each item has; an item may have none."""

    sentences: tuple[Sentence, ...]
    of_item: tuple[tuple[int, ...], ...]

    @property
    def without(self) -> tuple[int, ...]:
        """The items that have none."""
        return tuple(item for item, own in enumerate(self.of_item) if not own)


def references_of(
    judgements: Judgements, paths: Sequence[str], *, tokenization: Tokenization, item_column: str | None = None
) -> References:
    """The references of all files; without a file those in the items' own column ``reference``."""
    found = _Collected()
    if not paths:
        column = judgements.columns.get(REFERENCE)
        if column is None:
            raise InputError("metrics need references, and there are none", remedy="name a file of them (--references)")
        by_item = [[found.text(text, tokenization)] if text.strip() else [] for text in column]
        return found.references(by_item, "the items", judgements)
    by_item = [[] for _ in range(len(judgements.items))]
    for path in paths:
        is_table = Path(path).suffix.lower() in (".csv", ".tsv")
        rows = (
            _of_table(judgements, path, found, tokenization, item_column)
            if is_table
            else _of_sentences(judgements, path, found, tokenization)
        )
        for own, more in zip(by_item, rows, strict=True):
            own += [number for number in more if number not in own]
    return found.references(by_item, ", ".join(paths), judgements)


class _Collected:
    """Sentences, each kept once."""

    def __init__(self) -> None:
        self.places: dict[str | tuple[str, ...], int] = {}
        self.sentences: list[Sentence] = []

    def text(self, text: str, tokenization: Tokenization) -> int:
        from fergus.metrics.base import as_sentence

        if text not in self.places:
            self.places[text] = len(self.sentences)
            self.sentences.append(as_sentence(text, tokenization))
        return self.places[text]

    def sentence(self, sentence: Sentence) -> int:
        if sentence.tree is not None or sentence.tokens not in self.places:
            self.places[sentence.tokens] = len(self.sentences)
            self.sentences.append(sentence)
        return self.places[sentence.tokens]

    def references(self, by_item: Sequence[Sequence[int]], source: str, judgements: Judgements) -> References:
        usable = [tuple(number for number in own if self.sentences[number].tokens) for own in by_item]
        if not any(usable):
            example = judgements.items.inputs[0] if len(judgements.items) else ""
            problem = f"no judged text has a reference (the first one's input is {example[:60]!r})"
            raise InputError(problem, path=source, remedy="check that the file belongs to these judgements")
        return References(tuple(self.sentences), tuple(usable))


def _of_table(
    judgements: Judgements, path: str, found: _Collected, tokenization: Tokenization, item_column: str | None
) -> list[list[int]]:
    """Joined by every column that the judgements have too."""
    from fergus.studies.items_file import csv_rows, read_text
    from fergus.studies.problems import Problems

    problems = Problems(path)
    text = read_text(Path(path), name=path, largest=LARGEST)
    rows = [row for _, row in csv_rows(text, problems, is_tabbed=path.lower().endswith(".tsv"), needed=(REFERENCE,))]
    for problem in problems.sorted():
        raise problem.as_error()
    if not rows:
        raise InputError("there is no reference", path=path, remedy="give at least one, under the header")
    known = _known_columns(judgements, rows, item_column)
    shared = [name for name in rows[0] if name in known and name != REFERENCE]
    if not shared:
        message = f"no column of {', '.join(rows[0])} is one of the judgements'"
        raise InputError(message, path=path, remedy=f"the judgements have {', '.join(known)}")
    by_key: dict[tuple[str, ...], list[int]] = {}
    for row in rows:
        if row[REFERENCE].strip():
            own = by_key.setdefault(tuple(row[name].strip() for name in shared), [])
            own.append(found.text(row[REFERENCE].strip(), tokenization))
    keys = zip(*(known[name] for name in shared), strict=True)
    return [by_key.get(tuple(value.strip() for value in key), []) for key in keys]


def _known_columns(
    judgements: Judgements, rows: Sequence[Mapping[str, str]], item_column: str | None
) -> dict[str, Sequence[str]]:
    """What the judgements say of each text; ``item`` is a text's own name or its input's, as the file has it."""
    items = judgements.items
    known: dict[str, Sequence[str]] = {**judgements.columns, "group": items.inputs, "input": items.inputs}
    known |= {"system": items.systems, "text": items.texts}
    if "item" in rows[0]:
        given = {row["item"].strip() for row in rows}
        known["item"] = max((items.inputs, items.ids), key=lambda names: len(given.intersection(names)))
    return known | ({item_column: items.inputs} if item_column else {})


def _of_sentences(judgements: Judgements, path: str, found: _Collected, tokenization: Tokenization) -> list[list[int]]:
    """By the names of the sentences if these are the inputs' names, else one for every input, in their order."""
    from fergus.evaluation.read import SentenceFile

    items = judgements.items
    records = list(SentenceFile(path, tokenization=tokenization))
    numbers = [[found.sentence(one) for one in (record.sentence, *record.references)] for record in records]
    named = {record.identifier: own for record, own in zip(records, numbers, strict=True) if record.identifier}
    if named.keys() & set(items.inputs):
        return [named.get(name, []) for name in items.inputs]
    if len(records) != items.input_count:
        problem = f"{len(records):,} references for {items.input_count:,} inputs"
        remedy = "give one for every input, in the order in which they are first judged, or a CSV with a shared column"
        raise InputError(problem, path=path, remedy=remedy)
    return [numbers[number] for number in items.input_numbers]
