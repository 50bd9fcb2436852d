"""The outputs of systems as items of a study: read, scored by the paper's four accuracies, and chosen from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fergus.errors import InputError

if TYPE_CHECKING:
    from fergus.evaluation.read import Record
    from fergus.metrics.segment import Sentence
    from fergus.studies.variants import Candidate, Choice

METRICS = (
    "simple_string_accuracy",
    "generation_string_accuracy",
    "simple_tree_accuracy",
    "generation_tree_accuracy",
)
"""By these variants are chosen; the last one is named first in reasons."""
COUNTS = ("substitutions", "insertions", "deletions", "moves")
"""The counts of the string accuracies, in the order of ``Counts``, which ends with the length."""
_GLUED_LEFT = re.compile(r" ([.,;:!?%)\]}»”]|n't\b|['’](?:s|re|ve|ll|d|m)\b)")
_GLUED_RIGHT = re.compile(r"([(\[{«“]) ")


@dataclass(frozen=True)
class Outputs:
    """What several systems wrote for the same sentences."""

    candidates: tuple[Candidate, ...]
    rows: dict[tuple[str, str], dict[str, str]]
    """The row of the items file by base and system."""
    sentences: int


def read_outputs(
    outputs: Sequence[tuple[str, str]],
    references: Sequence[str],
    *,
    contexts: str | None,
    words: tuple[int, int],
    tokenize: str,
    parser: str | None,
) -> Outputs:
    """Every output of (name, file) with its scores, for sentences whose first reference has as many words."""
    from fergus.evaluation import evaluate
    from fergus.evaluation.read import SentenceFile, parallel
    from fergus.evaluation.tokenizers import tokenization
    from fergus.metrics.base import as_sentence
    from fergus.studies.variants import Candidate
    from fergus.treebank.parse import load_parser

    how = tokenization(tokenize, lowercase=False, parser=None if parser is None else lambda: load_parser(parser))
    paths = [path for _, path in outputs] + list(references)
    files = [SentenceFile(path) for path in paths]
    if contexts is not None:
        files.append(SentenceFile(contexts, "text"))
    kept: dict[str, tuple[Record, ...]] = {}
    sentences = 0
    for sentences, records in enumerate(parallel(files), 1):
        length = len(records[len(outputs)].sentence.tokens)
        if words[0] <= length <= words[1]:
            name = next((r.identifier for r in records if r.identifier), str(sentences))
            kept[name if name not in kept else f"{name}-{sentences}"] = records
    if not kept:
        problem = f"no reference has from {words[0]} to {words[1]} words"
        raise InputError(problem, path=references[0], remedy="give other limits (--words)")

    def scored(column: int) -> list[Sentence]:
        # Text is tokenised anew where that is asked for; tokens of trees and of lists are what they are.
        found: list[Sentence] = []
        for records in kept.values():
            sentence = records[column].sentence
            is_text = tokenize != "spaces" and sentence.tree is None and sentence.nodes is None
            found.append(as_sentence(sentence.text, how) if is_text else sentence)
        return found

    evaluation = evaluate(
        {name: scored(column) for column, (name, _) in enumerate(outputs)},
        [scored(len(outputs) + column) for column in range(len(references))],
        metrics=METRICS,
        tokenize=tokenize,
        lowercase=True,  # where a word stands decides whether it has a capital
        parser=parser,
        samples=0,
    )
    candidates, rows = [], {}
    for column, system in enumerate(evaluation.systems):
        for number, (base, records) in enumerate(kept.items()):
            scores = {name: float(system.scores[name][number]) for name in METRICS}
            text = readable(written(records[column]))
            rows[base, system.name] = {
                "group": base,
                "system": system.name,
                "block": "main",
                "context": readable(written(records[-1])) if contexts is not None else "",
                "text": text,
                "reference": readable(written(records[len(outputs)])),
                **{f"m.{name}": f"{score:.4f}" for name, score in scores.items()},
                **{f"m.{name}": str(int(n)) for name, n in zip(COUNTS, system.counts[number], strict=False)},
                "m.length": str(int(system.lengths[number])),
            }
            candidates.append(Candidate(base, system.name, text, scores))
    return Outputs(tuple(candidates), rows, sentences)


def rows_of(choices: Sequence[Choice], outputs: Outputs) -> list[dict[str, str]]:
    """The rows of the items file for what was chosen."""
    rows = []
    for choice in choices:
        row = outputs.rows[choice.candidate.base, choice.candidate.system]
        rows.append({"item": f"{row['group']}-{row['system']}", **row, "why": choice.reason})
    return rows


def written(record: Record) -> str:
    """A sentence as its file has it: the text of a tree if that is told, else the tokens with spaces between."""
    tree = record.sentence.tree
    told = dict(tree.tree.metadata).get("text", "") if tree is not None else ""
    return told or record.sentence.text


def readable(text: str) -> str:
    """A text as people write it: if its marks are tokens of their own they are put where they belong.

    >>> readable("there was no cost estimate , they said .")
    'There was no cost estimate, they said.'
    """
    glued = _GLUED_RIGHT.sub(r"\1", _GLUED_LEFT.sub(r"\1", text.strip()))
    return glued[:1].upper() + glued[1:]
