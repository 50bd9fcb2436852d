"""The files of a new study: a preset as it is, with variants chosen from outputs, or with pairs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import click

from fergus.cli.counting import counted
from fergus.cli.evaluation_options import KERNEL
from fergus.cli.options import named_file
from fergus.cli.progress import patience
from fergus.cli.study_outputs import METRICS, read_outputs, readable, rows_of, written
from fergus.core.distinct import distinct_names
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


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What the study is to be made from: outputs with references, texts by people and machines, or neither."""

    preset: str
    seed: int | None = None
    """None: the preset's."""
    outputs: tuple[str, ...] = ()
    """Files, before each its name and ``=`` if it has one."""
    references: tuple[str, ...] = ()
    contexts: str | None = None
    bases: int | None = None
    """How many sentences or pairs; None: as many as the papers had."""
    variants: tuple[int, int] = (3, 5)
    words: tuple[int, int] = (6, 40)
    human: tuple[str, ...] = ()
    generated: tuple[str, ...] = ()
    controls: int = 4
    tokenize: str = "spaces"
    parser: str = "none"
    quiet: bool = False


def make_study(name: str, wanted: Wanted) -> Made:
    """The files, by what was given."""
    preset = wanted.preset
    has_outputs = bool(wanted.outputs or wanted.references or wanted.contexts)
    has_pairs = bool(wanted.human or wanted.generated)
    for is_given, presets, needed in (
        (has_outputs, TAKES_OUTPUTS, {"outputs": wanted.outputs, "references": wanted.references}),
        (has_pairs, TAKES_PAIRS, {"human": wanted.human, "generated": wanted.generated}),
    ):
        if is_given and preset not in presets:
            first = next(iter(needed))
            raise click.UsageError(f"--{first} is not for {preset}; the presets for it are {', '.join(presets)}")
        for option, files in needed.items():
            if is_given and not files:
                raise click.UsageError(f"--{option} is missing")
    if has_outputs:
        return _from_outputs(name, wanted)
    if has_pairs:
        return _from_pairs(name, wanted)
    return _as_it_is(name, wanted)


def _as_it_is(name: str, wanted: Wanted) -> Made:
    preset, seed = wanted.preset, wanted.seed
    files = preset_files(preset)
    line = f"Study {name}, from the preset {preset} with its example texts: {PRESETS[preset]}."
    return Made(
        StudyFiles(renamed(files.text, name=name, seed=seed), files.items_text),
        (line,),
        {"preset": preset, "items": []},
    )


def _from_outputs(name: str, wanted: Wanted) -> Made:
    preset, seed = wanted.preset, wanted.seed
    given = [named_file(output) for output in wanted.outputs]
    labels = distinct_names(label or SentenceFile(path).name for label, path in given)
    named = [(label, path) for label, (_, path) in zip(labels, given, strict=True)]
    with patience(wanted.quiet, KERNEL):
        outputs = read_outputs(
            named,
            wanted.references,
            contexts=wanted.contexts,
            words=wanted.words,
            tokenize=wanted.tokenize,
            parser=None if wanted.parser == "none" else wanted.parser,
        )
    least, most = wanted.variants
    bases = wanted.bases or SENTENCES
    choices = choose_variants(outputs.candidates, metrics=METRICS, least=least, most=most, bases=bases)
    files = preset_files(preset)
    rows = rows_of(choices, outputs)
    if wanted.contexts is None:
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
    if preset == "bangalore-2000" and wanted.contexts is None:
        lines.append(
            "\nThe texts of the study speak of paragraphs, but there are none (--contexts): please change them."
        )
    return Made(
        StudyFiles(text, with_rows(files.items_text or "", rows)), tuple(lines), {"preset": preset, "items": rows}
    )


def _from_pairs(name: str, wanted: Wanted) -> Made:
    preset, seed = wanted.preset, wanted.seed
    machines = [(label or SentenceFile(path).name, path) for label, path in map(named_file, wanted.generated)]
    sources = [*(("human", path) for path in wanted.human), *machines]
    table = list(parallel([SentenceFile(path) for _, path in sources]))
    texts = [
        [Text(readable(written(records[column])), label) for records in table]
        for column, (label, _) in enumerate(sources)
    ]
    people = len(wanted.human)
    pairs = choose_pairs(
        texts[:people],
        texts[people:],
        count=wanted.bases or PAIRS,
        controls=wanted.controls,
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
        if is_possible and kinds.count(kind) < wanted.controls:
            lines.append(
                f"Only {kinds.count(kind)} of {wanted.controls} control pairs {kind}: no other line with two "
                "different texts is left. Give more lines, or ask for fewer pairs (--bases)."
            )
    for pair in pairs:
        lines.append(f"\nline {pair.line}{f' ({pair.kind})' if pair.kind else ''}")
        lines += [f"  {text.system}: {text.text}" for text in pair.texts]
    return Made(
        StudyFiles(text, with_rows(files.items_text or "", rows)), tuple(lines), {"preset": preset, "items": rows}
    )
