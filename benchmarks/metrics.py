"""Exactness, speed and memory of the metrics, beside jiwer and sacreBLEU, in one run.

    python benchmarks/metrics.py [--only PART]... [--pairs N] [--json FILE] [--save]

Parts: exact (Table 1, footnote 5, brute force), speed (10,000 pairs), peers (every metric), stream (1,000,000
pairs), bootstrap (5 systems, 2,000 sentences, all metrics), draft (the paper's tree accuracies and the draft's).
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import click
import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # for the brute-force oracle, which lives with the tests

from tests.metrics import brute_force, example  # noqa: E402

import results  # noqa: E402
from bars import ACCURACIES, BOOTSTRAP, STREAM, TIMES_JIWER, TIMES_TER  # noqa: E402
from fergus.core.tree import OrderedTree  # noqa: E402
from fergus.evaluation.run import (  # noqa: E402
    Options,
    evaluate,
    rows_of_lists,
)
from fergus.evaluation.selection import make_metrics  # noqa: E402
from fergus.metrics import count_edits, count_edits_batch, tree_counts_of_words  # noqa: E402
from fergus.metrics.catalogue import metric_class, metric_names  # noqa: E402
from fergus.metrics.segment import Batch, Segment, Sentence  # noqa: E402
from fergus.metrics.tokenization import SPACES  # noqa: E402
from fergus.treebank import read_trees, write_conllu  # noqa: E402
from held_out import data_folder  # noqa: E402

PARTS = ("exact", "speed", "peers", "stream", "bootstrap", "draft")
SHARES = {"15% of treelets shuffled": 0.15, "50% of treelets shuffled": 0.5, "all treelets shuffled": 1.0}
"""What the outputs are: a good realizer gets about 15% of the treelets wrong."""
TER_PAIRS = 300
"""sacreBLEU's TER is timed on so many pairs, and its time multiplied."""
REPEATS = 5
SEED = 3

Pairs = list[tuple[OrderedTree, tuple[str, ...]]]
Figures = dict[str, Any]


@click.command()
@click.option("--only", multiple=True, type=click.Choice(PARTS), help="One part; may be repeated.")
@click.option("--pairs", default=1_000_000, show_default=True, help="Pairs of the part `stream`.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), metavar="FILE", help="Write the results there.")
@click.option("--save", is_flag=True, help="Write them to benchmarks/results/metrics-DATE.json.")
def main(*, only: tuple[str, ...], pairs: int, json_file: Path | None, save: bool) -> None:
    """Measure the metrics (FERGUS_DATA, by default ../shared/data)."""
    data = data_folder()
    if not data.is_dir():
        raise click.ClickException(f"there is no data at {data}; set FERGUS_DATA")
    trees = [tree for tree in read_trees(data / "ud" / "en_ewt-train.conllu") if 15 <= len(tree.tree) <= 25]
    measured: dict[str, Any] = {}
    parts: dict[str, Callable[[], Figures]] = {
        "exact": exact,
        "speed": lambda: speed(trees),
        "peers": lambda: peers(trees),
        "stream": lambda: stream(data, pairs),
        "bootstrap": lambda: bootstrap(trees),
        "draft": lambda: draft(trees),
    }
    for part in only or PARTS:
        measured[part] = parts[part]()
    content = {**results.heading("metrics", sys.argv[1:]), "results": measured}
    results.keep(content, json_file=json_file, save=save)


def exact() -> Figures:
    """Table 1 and footnote 5 of the paper, and agreement with all alignments, one by one."""
    reference, output = example.TARGET, example.GENERATED
    string, tree = count_edits(reference, output), tree_counts_of_words(example.TREE, output)
    scores = [string.simple_accuracy, string.generation_accuracy, tree.simple_accuracy, tree.generation_accuracy]
    forbidden = count_edits(reference, output, substitutions=False)
    click.echo(f"Table 1: {' '.join(f'{score:.2f}' for score in scores)} (paper: 0.44 0.56 0.33 0.67)")
    click.echo(f"         {string}\n         {tree} (treelets)")
    errors = [forbidden.simple_errors, forbidden.generation_errors]
    click.echo(f"Footnote 5: {errors[0]} simple and {errors[1]} generation errors (paper: 6 and 3)")
    cases, agreed = 20_000, 0
    generator = random.Random(SEED)
    pairs = [tuple("".join(generator.choices("abcd", k=generator.randint(0, 7))) for _ in "rh") for _ in range(cases)]
    found = count_edits_batch([r for r, _ in pairs], [h for _, h in pairs])
    for (one, other), row in zip(pairs, found.tolist(), strict=True):
        agreed += tuple(row) == brute_force.most_moves(one, other)
    click.echo(f"Brute force: {agreed:,} of {cases:,} random pairs with repeats, lengths 0-7, have the same counts")
    return {"table_1": scores, "footnote_5": errors, "brute_force_cases": cases, "brute_force_agreed": agreed}


def speed(trees: Sequence[OrderedTree]) -> Figures:
    """Our four metrics together against jiwer's word error rate and sacreBLEU's TER, on the same 10,000 pairs."""
    import jiwer
    from sacrebleu.metrics.ter import TER

    figures: Figures = {}
    for name, share in SHARES.items():
        pairs = shuffled_pairs(trees, share, 10_000)
        references = [" ".join(tree.forms) for tree, _ in pairs]
        outputs = [" ".join(words) for _, words in pairs]
        metrics = [metric_class(metric)() for metric in ACCURACIES]

        def ours(pairs: Pairs = pairs, metrics: Sequence[Any] = metrics) -> None:
            batch = batch_of(pairs)
            for metric in metrics:
                metric.scores(metric.statistics(batch), pooled=False)

        seconds = fastest(ours)
        wer = fastest(lambda r=references, o=outputs: jiwer.wer(r, o))  # type: ignore[misc]
        ter = fastest(
            lambda r=references, o=outputs: TER().corpus_score(o[:TER_PAIRS], [r[:TER_PAIRS]]),  # type: ignore[misc]
            repeats=1,
        )
        ter *= len(pairs) / TER_PAIRS
        tokens = sum(len(words) for _, words in pairs) / len(pairs)
        click.echo(
            f"{len(pairs):,} pairs of {tokens:.1f} tokens, {name}: four metrics {seconds:.3f} s "
            f"({len(pairs) / seconds:,.0f}/s); jiwer's WER {wer:.3f} s, {wer / seconds:.1f}x; "
            f"sacreBLEU's TER {ter:.0f} s, {ter / seconds:.0f}x (at least {TIMES_JIWER.at_least['times']}x and "
            f"{TIMES_TER.at_least['times']}x; aim {TIMES_JIWER.aim['times']}x and {TIMES_TER.aim['times']}x)"
        )
        figures[name] = {"seconds": seconds, "jiwer_seconds": wer, "sacrebleu_ter_seconds": ter}
    return figures


def peers(trees: Sequence[OrderedTree]) -> Figures:
    """Every metric that needs nothing else, alone on 10,000 pairs, and sacreBLEU's own where it has one."""
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF

    pairs = shuffled_pairs(trees, 0.15, 10_000)
    outputs, references = [" ".join(words) for _, words in pairs], [" ".join(tree.forms) for tree, _ in pairs]
    theirs = {"bleu": BLEU(tokenize="none", force=True), "chrf": CHRF()}
    figures: Figures = {}
    for name in names_without_models():
        metric = metric_class(name)()
        seconds = fastest(lambda metric=metric: metric.statistics(batch_of(pairs)))  # type: ignore[misc]
        figures[name] = {"pairs_per_second": len(pairs) / seconds}
        line = f"{name:32} {len(pairs) / seconds:10,.0f} pairs/s"
        if name in theirs:
            other = fastest(lambda name=name: theirs[name].corpus_score(outputs, [references]), repeats=1)  # type: ignore[misc]
            figures[name]["sacrebleu_pairs_per_second"] = len(pairs) / other
            line += f"   sacreBLEU {len(pairs) / other:,.0f}"
        click.echo(line)
    return figures


def stream(data: Path, pairs: int) -> Figures:
    """`fergus evaluate` on a million pairs, in a process of its own: time and the most memory it had."""
    figures: Figures = {}
    with tempfile.TemporaryDirectory() as folder:
        outputs, text, treebank = (
            Path(folder) / name for name in ("outputs.txt", "references.txt", "references.conllu")
        )
        trees = list(read_trees(data / "ud" / "en_ewt-train.conllu"))
        with outputs.open("w") as first, text.open("w") as second, treebank.open("w") as third:
            for tree, words in islice(endless_pairs(trees, 0.15), pairs):
                first.write(" ".join(words) + "\n")
                second.write(" ".join(tree.forms) + "\n")
                third.write(write_conllu(tree.tree, tree.order))
        for name, references, metrics in (
            ("string", text, "string,bleu,chrf,ter,rouge_l,dist,exact_match"),
            ("paper", treebank, "paper"),
        ):
            command = ["evaluate", str(outputs), str(references), "--metrics", metrics, "--json", "--quiet"]
            started = time.perf_counter()
            memory = peak_megabytes([*command, "--out", str(Path(folder) / "result.json")])
            seconds = time.perf_counter() - started
            size = (Path(folder) / "result.json").stat().st_size / 1e6
            most = STREAM.at_least["peak_megabytes"]
            click.echo(
                f"{pairs:,} pairs streamed, --metrics {metrics} --json: {memory:,.0f} MB at most (bar {most:,}), "
                f"{seconds:,.0f} s ({pairs / seconds:,.0f} pairs/s), {size:,.0f} MB of JSON"
            )
            figures[name] = {"pairs": pairs, "peak_megabytes": memory, "seconds": seconds}
    return figures


def bootstrap(trees: Sequence[OrderedTree]) -> Figures:
    """Paired bootstrap (and approximate randomisation) of five systems, all metrics that need no model."""
    systems = {f"system {k}": share for k, share in enumerate((0.1, 0.15, 0.2, 0.3, 0.5), 1)}
    pairs = {name: shuffled_pairs(trees, share, 2000, seed=k) for k, (name, share) in enumerate(systems.items())}
    names = names_without_models()
    references = [[Sentence(tree.forms, tree)] for tree, _ in pairs["system 1"]]
    outputs = [[Sentence(words) for _, words in some] for some in pairs.values()]
    figures: Figures = {"metrics": len(names)}
    for label, options in (
        ("scores alone", Options(samples=0)),
        ("with intervals", Options(samples=1000)),
        ("with intervals and paired bootstrap", Options(samples=1000, trials=1, has_comparisons=True)),
        ("and approximate randomisation, 10,000 trials", Options(samples=1000, has_comparisons=True)),
    ):
        started = time.perf_counter()
        metrics = make_metrics(names)
        evaluate(list(pairs), rows_of_lists(outputs, references), metrics, tokenization=SPACES, options=options)
        figures[label] = time.perf_counter() - started
        click.echo(
            f"5 systems, 2,000 sentences, {len(names)} metrics, 1,000 samples, {label}: {figures[label]:.2f} s "
            f"(bar for paired bootstrap {BOOTSTRAP.at_least['seconds']} s, aim {BOOTSTRAP.aim['seconds']} s)"
        )
    return figures


def draft(trees: Sequence[OrderedTree]) -> Figures:
    """How far the paper's tree accuracies and the draft's are apart: projective output, and words torn about."""
    figures: Figures = {}
    generator = random.Random(SEED)
    for name in ("treelets shuffled (15%)", "each word moved with probability .1"):
        pairs = shuffled_pairs(trees, 0.15, 5000)
        if not name.startswith("treelets"):
            pairs = [(tree, torn(tree.forms, generator)) for tree, _ in pairs]
        batch = batch_of(pairs)
        means = {}
        for metric_name in ("simple_tree_accuracy", "draft_simple_tree_accuracy"):
            metric = metric_class(metric_name)()
            means[metric_name] = metric.scores(metric.statistics(batch), pooled=False)
        differ = int((np.diff(np.array(list(means.values())), axis=0) != 0).sum())
        paper, other = (float(scores.mean()) for scores in means.values())
        click.echo(
            f"{name}: simple tree accuracy {paper:.4f}, draft's {other:.4f}; {differ:,} of {len(pairs):,} differ"
        )
        figures[name] = {"paper": paper, "draft": other, "differ": differ, "sentences": len(pairs)}
    return figures


def names_without_models() -> list[str]:
    """All metrics but those that need a language model or a tagger."""
    return [name for name in metric_names() if name != "fluency" and not name.startswith("tag_")]


def shuffled_pairs(trees: Sequence[OrderedTree], share: float, count: int, *, seed: int = SEED) -> Pairs:
    """References, and outputs in which a share of the treelets is in random order."""
    return list(islice(endless_pairs(trees, share, seed=seed), count))


def endless_pairs(
    trees: Sequence[OrderedTree], share: float, *, seed: int = SEED
) -> Iterator[tuple[OrderedTree, tuple[str, ...]]]:
    generator = random.Random(seed)
    while True:
        for ordered in trees:
            yield ordered, tuple(ordered.tree.nodes[node].form for node in shuffled_order(ordered, share, generator))


def shuffled_order(ordered: OrderedTree, share: float, generator: random.Random) -> list[int]:
    tree = ordered.tree
    orders: dict[int, list[int]] = {}
    place = {node: position for position, node in enumerate(ordered.order)}
    for node in tree.bottom_up:
        members = sorted([node, *tree.daughters[node]], key=place.__getitem__)
        if generator.random() < share:
            generator.shuffle(members)
        orders[node] = [word for member in members for word in ([node] if member == node else orders[member])]
    return orders[tree.root]


def torn(words: Sequence[str], generator: random.Random) -> tuple[str, ...]:
    """Every word taken out with probability .1 and put back anywhere."""
    result = list(words)
    for word in words:
        if generator.random() < 0.1:
            result.remove(word)
            result.insert(generator.randint(0, len(result)), word)
    return tuple(result)


def batch_of(pairs: Pairs) -> Batch:
    return Batch([Segment(Sentence(words), (Sentence(tree.forms, tree),)) for tree, words in pairs])


def fastest(job: Callable[[], object], *, repeats: int = REPEATS) -> float:
    """The least CPU seconds of some runs, after one that compiles and warms up."""
    if repeats > 1:
        job()
    found = []
    for _ in range(repeats):
        started = time.process_time()
        job()
        found.append(time.process_time() - started)
    return min(found)


def peak_megabytes(arguments: Sequence[str]) -> float:
    """Run the command and return the most memory that it held."""
    process = subprocess.Popen([sys.executable, "-m", "fergus", *arguments])
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise click.ClickException(f"fergus {arguments[0]} ended with exit code {process.returncode}")
    return usage.ru_maxrss / 1024


if __name__ == "__main__":
    main()
