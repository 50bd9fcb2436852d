"""``fergus realize``: one tree in, one line out, in order."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path

import click

from fergus.cli.options import (
    bare_option,
    dask_option,
    examples,
    files_argument,
    input_format_option,
    jobs_option,
    keep_going_option,
    lexicon_option,
    model_option,
    out_option,
    preset_option,
    quiet_option,
    rules_option,
    stages_option,
    synonyms_option,
    tree_option,
)

OUTPUTS = ("text", "tokens", "conllu", "json", "shared-task")


@click.command(
    epilog=examples(
        "fergus realize --tree 'estimate(there was no cost for(phase(the second)))'",
        "fergus realize trees.conllu --output tokens --jobs 2 --out sentences.txt",
        "fergus realize T1-en_ewt-ud-dev.conllu",
        "fergus realize --tree 'see/VERB:root[Tense=Past](I/PRON:nsubj)' --stages inflect,punctuate",
        "echo 'saw(I her)' | fergus realize --nbest 3",
    )
)
@files_argument()
@tree_option
@model_option
@preset_option
@input_format_option
@stages_option
@bare_option
@click.option(
    "--nbest",
    "-n",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="How many sentences a tree.",
)
@click.option(
    "--output",
    type=click.Choice(OUTPUTS),
    default="text",
    show_default=True,
    help="As people write it, word forms with spaces between, CoNLL-U, JSON, or the shared tasks' text format.",
)
@jobs_option
@dask_option
@rules_option
@lexicon_option
@synonyms_option
@keep_going_option
@out_option
@quiet_option
def realize(
    *,
    files: tuple[str, ...],
    tree: str | None,
    model: str,
    preset: str,
    input_format: str,
    stages: str,
    bare: bool,
    nbest: int,
    output: str,
    jobs: int,
    dask: str | None,
    rules: Path | None,
    lexicon: Path | None,
    synonyms: Path | None,
    keep_going: bool,
    out: Path | None,
    quiet: bool,
) -> None:
    """Turn unordered trees into sentences.

    Reads trees from FILEs or standard input and prints a line for each, in the order of the input. The order
    in which a tree lists its words never matters.
    """
    from fergus.cli.choose_cluster import chosen_cluster
    from fergus.cli.output import output_to
    from fergus.cli.progress import progress_bars
    from fergus.cli.streaming import MODULES, Job, stream
    from fergus.cli.trees import unread_trees
    from fergus.errors import InputError
    from fergus.realize.stages import chosen_stages

    if dask is not None and jobs > 1:
        raise click.UsageError("--jobs is for processes of this machine without a cluster; write --dask local:N")
    names = chosen_stages(stages.split(","))
    job = Job(model, preset, rules, lexicon, synonyms, names, bare, nbest, output, is_quiet=quiet)
    started = time.perf_counter()
    tally = Tally()
    # A reader who types, or a program that waits for the answer, must not wait for a buffer to fill.
    is_live = out is None and (sys.stdout.isatty() or not files or "-" in files)
    has_bar = not quiet and tree is None and not (out is None and sys.stdout.isatty())
    items = unread_trees(files, tree=tree, input_format=input_format)
    with (
        output_to(out) as target,
        progress_bars(shown=has_bar, transient=True) as report,
        chosen_cluster(dask, report, preload=MODULES) as cluster,
    ):
        for outcome in stream(items, job, jobs=jobs, cluster=cluster):
            if outcome.error and not keep_going:
                raise InputError(outcome.error)
            if output == "shared-task":
                target.write(f"# sent_id = {tally.sentences + tally.failed + 1}\n".encode())
            target.write(outcome.printed.encode())
            if is_live:
                target.flush()
            if outcome.error:
                click.echo(f"Error: {outcome.error}", err=True)
                tally.failed += 1
            else:
                tally.add(has_word_order=outcome.has_word_order, is_projective=outcome.is_projective)
            report("sentences", tally.sentences + tally.failed, 0)
    if not quiet and tree is None:
        click.echo(tally.summary(time.perf_counter() - started), err=True)
    if tally.failed:
        raise SystemExit(2)


@dataclass
class Tally:
    """What is counted while trees go by."""

    sentences: int = 0
    failed: int = 0
    ordered: int = 0
    """Trees that came in the order of a sentence."""
    non_projective: int = 0

    def add(self, *, has_word_order: bool, is_projective: bool) -> None:
        """Count one sentence."""
        self.sentences += 1
        self.ordered += has_word_order
        self.non_projective += not is_projective

    def summary(self, seconds: float) -> str:
        """The last line on standard error.

        >>> Tally(2, 1, 2, 1).summary(0.5)
        '2 sentences in 0.5 s (4 a second); 1 tree failed; not projective: 1 of 2 input orders'
        """
        rate = self.sentences / max(seconds, 1e-9)
        speed = f" ({rate:,.0f} a second)" if rate >= 1 else ""  # the first has been compiled, too
        parts = [f"{_counted(self.sentences, 'sentence')} in {seconds:.1f} s{speed}"]
        if self.failed:
            parts.append(f"{_counted(self.failed, 'tree')} failed")
        if self.ordered:
            orders = _counted(self.ordered, "input order")
            parts.append(f"not projective: {self.non_projective:,} of {orders}")
        return "; ".join(parts)


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
