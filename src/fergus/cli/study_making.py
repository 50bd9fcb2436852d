"""The files of a new study: a preset as it is, with variants chosen from outputs, or with pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import click

from fergus.cli.counting import counted
from fergus.cli.evaluation_options import KERNEL
from fergus.cli.progress import patience
from fergus.cli.study_outputs import METRICS, read_outputs, readable, rows_of, written
from fergus.evaluation.read import SentenceFile, parallel
from fergus.studies.pairs import Text, choose_pairs
from fergus.studies.presets import PRESETS, preset_files, renamed, with_rows
from fergus.studies.study_file import StudyFiles
from fergus.studies.variants import choose_variants

TAKES_OUTPUTS = ("bangalore-2000", "best-worst", "expert-review")
TAKES_PAIRS = ("hardcastle-2008",)
SENTENCES, PAIRS = 6, 30
"""As many as the papers had."""


@dataclass(frozen=True)
class Made:
    """A study's files, and what is to be said about them."""

    files: StudyFiles
    lines: tuple[str, ...]
    record: dict[str, Any]


def make_study(name: str, *, preset: str, seed: int | None, quiet: bool, **options: Any) -> Made:
    """The files, by what was given."""
    has_outputs = bool(options["outputs"] or options["references"] or options["contexts"])
    has_pairs = bool(options["human"] or options["generated"])
    for is_given, presets, needed in (
        (has_outputs, TAKES_OUTPUTS, ("outputs", "references")),
        (has_pairs, TAKES_PAIRS, ("human", "generated")),
    ):
        if is_given and preset not in presets:
            raise click.UsageError(f"--{needed[0]} is not for {preset}; the presets for it are {', '.join(presets)}")
        for option in needed:
            if is_given and not options[option]:
                raise click.UsageError(f"--{option} is missing")
    if has_outputs:
        return _from_outputs(name, preset, seed, quiet=quiet, **options)
    if has_pairs:
        return _from_pairs(name, preset, seed, **options)
    return _as_it_is(name, preset, seed)


def _as_it_is(name: str, preset: str, seed: int | None) -> Made:
    files = preset_files(preset)
    line = f"Study {name}, from the preset {preset} with its example texts: {PRESETS[preset]}."
    return Made(
        StudyFiles(renamed(files.text, name=name, seed=seed), files.items_text),
        (line,),
        {"preset": preset, "items": []},
    )


def _from_outputs(name: str, preset: str, seed: int | None, *, quiet: bool, **options: Any) -> Made:
    named = _distinct([(label or SentenceFile(path).name, path) for label, path in map(_named, options["outputs"])])
    with patience(quiet, KERNEL):
        outputs = read_outputs(
            named,
            options["references"],
            contexts=options["contexts"],
            words=options["words"],
            tokenize=options["tokenize"],
            parser=None if options["parser"] == "none" else options["parser"],
        )
    least, most = options["variants"]
    bases = options["bases"] or SENTENCES
    choices = choose_variants(outputs.candidates, metrics=METRICS, least=least, most=most, bases=bases)
    files = preset_files(preset)
    rows = rows_of(choices, outputs)
    if options["contexts"] is None:
        rows = [{key: value for key, value in row.items() if key != "context"} for row in rows]
    about = f"Items: outputs of {', '.join(label for label, _ in named)}. Why each was chosen is in the column why."
    text = renamed(files.text, name=name, seed=seed, about=about)
    groups = list(dict.fromkeys(choice.candidate.base for choice in choices))
    lines = [f"{counted(len(choices), 'variant')} of {counted(len(groups), 'sentence')}, out of {outputs.sentences:,}:"]
    for group in groups:
        of_group = [(row, choice) for row, choice in zip(rows, choices, strict=True) if choice.candidate.base == group]
        lines.append(f"\n{group}: {of_group[0][0]['reference']}")
        lines += [f"  {row['system']}: {row['text']}\n      {choice.reason}" for row, choice in of_group]
    if len(groups) < bases:
        lines.append(f"\nOnly {len(groups)} of {bases} sentences have {least} different outputs.")
    if preset == "bangalore-2000" and options["contexts"] is None:
        lines.append(
            "\nThe texts of the study speak of paragraphs, but there are none (--contexts): please change them."
        )
    return Made(
        StudyFiles(text, with_rows(files.items_text or "", rows)), tuple(lines), {"preset": preset, "items": rows}
    )


def _from_pairs(name: str, preset: str, seed: int | None, **options: Any) -> Made:
    machines = [(label or SentenceFile(path).name, path) for label, path in map(_named, options["generated"])]
    sources = [*(("human", path) for path in options["human"]), *machines]
    table = list(parallel([SentenceFile(path) for _, path in sources]))
    texts = [
        [Text(readable(written(records[column])), label) for records in table]
        for column, (label, _) in enumerate(sources)
    ]
    people = len(options["human"])
    pairs = choose_pairs(
        texts[:people],
        texts[people:],
        count=options["bases"] or PAIRS,
        controls=options["controls"],
        random=Random(seed or 0),
    )
    files = preset_files(preset)
    rows = [row for pair in pairs for row in pair.rows()]
    about = f"Items: lines of {', '.join(Path(path).name for _, path in sources)}."
    text = renamed(files.text, name=name, seed=seed, about=about)
    kinds: list[str] = [pair.kind or "human and machine" for pair in pairs]
    out_of = f"out of {counted(len(table), 'line')}"
    lines = [f"{counted(kinds.count(kind), 'pair')} {kind}, {out_of}" for kind in dict.fromkeys(kinds)]
    for kind, is_possible in (("human-human", people > 1), ("machine-machine", len(machines) > 1)):
        if is_possible and kinds.count(kind) < options["controls"]:
            lines.append(
                f"Only {kinds.count(kind)} of {options['controls']} control pairs {kind}: no other line with two "
                "different texts is left. Give more lines, or ask for fewer pairs (--bases)."
            )
    for pair in pairs:
        lines.append(f"\nline {pair.line}{f' ({pair.kind})' if pair.kind else ''}")
        lines += [f"  {text.system}: {text.text}" for text in pair.texts]
    return Made(
        StudyFiles(text, with_rows(files.items_text or "", rows)), tuple(lines), {"preset": preset, "items": rows}
    )


def _named(given: str) -> tuple[str, str]:
    """A name and a file from NAME=FILE, unless there is a file of just that name."""
    name, equals, path = given.partition("=")
    if not equals or Path(given).exists():
        return "", given
    if not name or not path:
        raise click.UsageError(f"{given!r} is not NAME=FILE")
    return name, path


def _distinct(named: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The same, with a number after names that were there before."""
    result: list[tuple[str, str]] = []
    for name, path in named:
        number, candidate = 2, name
        while any(candidate == taken for taken, _ in result):
            number, candidate = number + 1, f"{name}-{number}"
        result.append((candidate, path))
    return result
