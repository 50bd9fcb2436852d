"""The same dependency trees for Fergus and for pyrealb, a rule-based realizer: how good, and how fast.

    python benchmarks/rules.py [--model NAME|PATH] [--quick] [--examples N] [--pyrealb-venv DIR] [--json FILE] [--save]

Trees of EWT dev: lemmas, categories, features, relations, heads; no forms and no order. Those that pyrealb's notation
and lexicon can take are given to both; the others are counted with the reason. pyrealb runs in an environment of its
own, which is made on demand: its package names three licences, one of them the GPL.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
from rich.table import Table

import results
import tables
from fergus.core.tree import DependencyTree, Node, OrderedTree
from fergus.errors import FergusError
from fergus.realize.pipeline import load
from fergus.treebank.shallow_track import hint_constraints
from held_out import Shuffled, data_folder, ewt_dev, shuffled
from pyrealb_trees import MARKS, Expression, converted
from pyrealb_words import LeftOutError, Lexicon

VERSION = "3.3.1"
QUICK = 300
WARM, REPEATS = 20, 3
"""Sentences before the clock starts; the least CPU time of so many runs counts, as in pyrealb_worker.py."""
GENITIVE = re.compile(r"(?<=\w)('s|(?<=s)')(?!\w)")
WORKER = Path(__file__).with_name("pyrealb_worker.py")
COLUMNS = {
    "bleu": ("BLEU", "{:.1f}"),
    "exact_match": ("exact", "{:.1%}"),
    "words_right": ("words right", "{:.1%}"),
    "sentences_per_second": ("sentences/CPU s", "{:,.0f}"),
}
GIVEN = {
    "pyrealb, order by rules": "the tree; daughters in one fixed order of relations",
    "Fergus": "the tree; daughters in random order",
    "pyrealb, order given": "the tree and the sentence's own order: what is left is inflection",
    "Fergus, order given": "the tree and the sentence's own order: what is left is inflection",
}
Figures = dict[str, float]
Tokens = tuple[str, ...]


@dataclass(frozen=True)
class Case:
    """A sentence whose tree both can be given."""

    reference: Tokens
    tree: DependencyTree
    in_order: DependencyTree
    by_rules: Expression
    as_written: Expression


@click.command()
@click.option("--model", default="en", show_default=True, metavar="NAME|PATH", help="Of Fergus.")
@click.option("--quick", is_flag=True, help=f"The first {QUICK} sentences of the treebank.")
@click.option("--examples", default=0, metavar="N", help="Print so many sentences by both, with the reference.")
@click.option("--pyrealb-venv", type=click.Path(path_type=Path), help="A virtual environment for it, made if absent.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), metavar="FILE", help="Write the results there.")
@click.option("--save", is_flag=True, help="Write them to benchmarks/results/rules-DATE.json.")
def main(
    *, model: str, quick: bool, examples: int, pyrealb_venv: Path | None, json_file: Path | None, save: bool
) -> None:
    """Compare with pyrealb on EWT dev (FERGUS_DATA, by default ../shared/data)."""
    data, out = data_folder(), tables.console()
    if not data.is_dir():
        raise click.ClickException(f"there is no data at {data}; set FERGUS_DATA")
    try:
        python = installed(pyrealb_venv or _cache() / f"pyrealb-{VERSION}")
        sentences = ewt_dev(data)[: QUICK if quick else None]
        cases, left_out = cases_of(sentences, worker(python, "lexicon"))
        refused = refusals(python, cases)
        left_out += Counter({"pyrealb itself warns or fails": len(refused)}) if refused else Counter()
        cases = [case for number, case in enumerate(cases) if number not in refused]
        outputs = {**pyrealb_outputs(python, cases), **fergus_outputs(model, cases)}
    except FergusError as error:
        raise click.ClickException(str(error)) from error
    outputs = {name: outputs[name] for name in GIVEN}
    references = [case.reference for case in cases]
    rows = {name: scores(said, references) for name, (said, _) in outputs.items()}
    for name, (_, speed) in outputs.items():
        rows[name]["sentences_per_second"] = speed
    for number, reference in enumerate(references[:examples]):
        click.echo(" ".join(reference))
        for name, (said, _) in outputs.items():
            click.echo(f"  {name:24} {' '.join(said[number])}")
    out.print(table(rows, len(cases), len(sentences)), "", *left_out_lines(left_out), sep="\n")
    record = {
        "peer": f"pyrealb {VERSION}",
        "model": results.without_folder(model),
        "sentences": len(sentences),
        "taken": len(cases),
        "words_per_sentence": round(sum(map(len, references)) / max(1, len(references)), 2),
        "left_out": dict(left_out.most_common()),
        "refused": [message for _, message in sorted(refused.items())],
        "results": [
            {"system": name, "given": GIVEN[name], **{key: round(value, 5) for key, value in row.items()}}
            for name, row in rows.items()
        ],
    }
    results.keep({**results.heading("rules", sys.argv[1:]), **record}, json_file=json_file, save=save)


def installed(folder: Path) -> str:
    """The interpreter of an environment that has pyrealb, made if it is not there yet."""
    python = folder / "bin" / "python"
    if not list(folder.glob("lib/python*/site-packages/pyrealb")):
        click.echo(f"installing pyrealb {VERSION} ...", err=True)
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", f"pyrealb=={VERSION}"], check=True)
    return str(python)


def worker(python: str, task: str, given: Any = None) -> Any:
    """What pyrealb answers, in a process of its own."""
    found = subprocess.run(
        [python, str(WORKER), task], input=json.dumps(given), capture_output=True, text=True, check=False
    )
    if found.returncode:
        raise FergusError(f"pyrealb failed: {found.stderr.strip().splitlines()[-1:]}")
    return json.loads(found.stdout)


def cases_of(sentences: Sequence[OrderedTree], lexicon: Lexicon) -> tuple[list[Case], Counter[str]]:
    """What both can be given, and how many sentences are left out for which reason."""
    cases, left_out = [], Counter[str]()
    for one in shuffled(sentences):
        try:
            cases.append(case_of(one, lexicon))
        except LeftOutError as error:
            left_out[str(error)] += 1
    return cases, left_out


def case_of(one: Shuffled, lexicon: Lexicon) -> Case:
    """A tree without forms and its conversions; the nodes are numbered at random."""
    place = {node: position for position, node in enumerate(one.ordered.order)}
    places = [place[node] for node in one.permutation]
    tree = replace(one.tree, nodes=tuple(map(without_form, one.tree.nodes)), constraints=())
    hints = []
    for head, daughters in enumerate(tree.daughters):
        for side in (1, -1):
            there = [node for node in daughters if (places[node] - places[head]) * side > 0]
            ranked = sorted(there, key=lambda node: abs(places[node] - places[head]))
            hints += [(node, side * rank) for rank, node in enumerate(ranked, 1)]
    return Case(
        tuple(form.lower() for form in one.ordered.forms),
        tree,
        replace(tree, constraints=hint_constraints(tree.heads, hints)),
        converted(one.tree, lexicon),
        converted(one.tree, lexicon, places=places),
    )


def without_form(node: Node) -> Node:
    """The lemma and its labels."""
    return Node("", node.lemma or node.form, node.upos, node.xpos, node.feats, node.deprel)


def refusals(python: str, cases: Sequence[Case]) -> dict[int, str]:
    """The numbers of the cases of which pyrealb makes a warning or an error, with what it says."""
    given = [*(case.by_rules for case in cases), *(case.as_written for case in cases)]
    answers = worker(python, "realize", given)["answers"]
    return {number % len(cases): one["refused"] for number, one in enumerate(answers) if "refused" in one}


def pyrealb_outputs(python: str, cases: Sequence[Case]) -> dict[str, tuple[list[Tokens], float]]:
    """Tokens, and sentences a CPU second once the expressions are built, with both orders."""
    given = {
        "pyrealb, order by rules": [case.by_rules for case in cases],
        "pyrealb, order given": [case.as_written for case in cases],
    }
    outputs = {}
    for name, expressions in given.items():
        found = worker(python, "realize", expressions)
        said = [tokens(one["text"]) for one in found["answers"]]
        outputs[name] = (said, len(cases) / found["seconds"])
    return outputs


def tokens(text: str) -> Tokens:
    """pyrealb's words, in small letters, the final mark and the genitive's for themselves as in the treebank."""
    text = GENITIVE.sub(r" \1", text.strip().lower())
    if text[-1:] in MARKS and len(text) > 1:
        text = f"{text[:-1]} {text[-1]}"
    return tuple(text.split())


def fergus_outputs(model: str, cases: Sequence[Case]) -> dict[str, tuple[list[Tokens], float]]:
    """The same of Fergus."""
    realizer = load(model)
    given: dict[str, Callable[[Case], DependencyTree]] = {
        "Fergus": lambda case: case.tree,
        "Fergus, order given": lambda case: case.in_order,
    }
    outputs = {}
    for name, tree_of in given.items():
        for case in cases[:WARM]:
            realizer.realize(tree_of(case))
        fastest = float("inf")
        for _ in range(REPEATS):
            started = time.process_time()
            said = [realizer.realize(tree_of(case)).tokens for case in cases]
            fastest = min(fastest, time.process_time() - started)
        outputs[name] = ([tuple(word.lower() for word in one) for one in said], len(cases) / fastest)
    return outputs


def scores(outputs: Sequence[Tokens], references: Sequence[Tokens]) -> Figures:
    """BLEU of tokens, exact sentences, and the references' words that the outputs have in whatever order."""
    import sacrebleu

    lines, expected = [" ".join(one) for one in outputs], [" ".join(one) for one in references]
    right = sum((Counter(one) & Counter(two)).total() for one, two in zip(outputs, references, strict=True))
    return {
        "bleu": float(sacrebleu.corpus_bleu(lines, [expected], tokenize="none", force=True).score),
        "exact_match": sum(map(str.__eq__, lines, expected)) / max(1, len(expected)),
        "words_right": right / max(1, sum(map(len, references))),
    }


def table(rows: dict[str, Figures], taken: int, sentences: int) -> Table:
    """The rows for people."""
    title = f"{taken:,} of the {sentences:,} sentences of EWT dev, small letters"
    shown = Table(title=title, title_justify="left", box=tables.console_box())
    shown.add_column("")
    for heading, _ in COLUMNS.values():
        shown.add_column(heading, justify="right")
    shown.add_column("is given")
    for name, row in rows.items():
        shown.add_row(name, *(form.format(row[key]) for key, (_, form) in COLUMNS.items()), GIVEN[name])
    return shown


def left_out_lines(left_out: Counter[str]) -> list[str]:
    """Why sentences are not among them; a sentence counts for the first reason that is found."""
    return [f"left out, {reason}: {count:,}" for reason, count in left_out.most_common()]


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fergus" / "benchmarks"


if __name__ == "__main__":
    main()
