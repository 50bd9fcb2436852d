"""``fergus train``: treebanks in, a model file out, the same bytes every time."""

from __future__ import annotations

import gc
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fergus import __version__
from fergus.cli.options import (
    dask_option,
    examples,
    input_format_option,
    made_file_option,
    quiet_option,
    rules_option,
    texts_option,
)
from fergus.core.tree import OrderedTree

if TYPE_CHECKING:
    from fergus.core.deep import DeepSentence
    from fergus.grammar.frames import XtagFrames
    from fergus.grammar.rules import RuleSet


@click.command(
    epilog=examples(
        "fergus train en_ewt-ud-train.conllu --out my.fergus",
        "fergus train wsj/ --text news.txt.xz --language en --name wsj --out wsj.fergus",
    )
)
@click.argument("treebanks", nargs=-1, required=True, type=click.Path(), metavar="TREEBANK...")
@made_file_option("The model to write")
@texts_option("the language model")
@click.option(
    "--deep",
    "deep_files",
    multiple=True,
    type=click.Path(),
    metavar="FILE",
    help="The treebanks' deep trees (T2 with original_id), one file for each; by default they are made by rules.",
)
@click.option(
    "--lexicon",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Word forms that the treebanks may lack: lemma, category, features and form, with tabs between.",
)
@click.option("--language", metavar="CODE", help="By default from the treebank's name (en_ewt...), else und.")
@click.option("--name", metavar="NAME", help="What the model is called; by default its language.")
@click.option("--seed", type=int, default=1, show_default=True, help="For shuffling the trees.")
@click.option(
    "--grammar",
    type=click.Path(),
    metavar="DIR",
    help="The folder of the XTAG grammar, for preset supertag.",
)
@rules_option
@click.option("--attribution", default="", metavar="TEXT", help="Sources and licences, kept in the model.")
@input_format_option
@dask_option
@quiet_option
def train(
    *,
    treebanks: tuple[str, ...],
    out: Path,
    texts: tuple[str, ...],
    deep_files: tuple[str, ...],
    lexicon: Path | None,
    language: str | None,
    name: str | None,
    seed: int,
    grammar: str | None,
    rules: Path | None,
    attribution: str,
    input_format: str,
    dask: str | None,
    quiet: bool,
) -> None:
    """Train a model on treebanks.

    TREEBANKs are files or folders in any format that Fergus reads. All presets are trained at once. The same
    files and options give the same bytes; the model tells how it was made (fergus model info).
    """
    from fergus.cli.choose_cluster import chosen_cluster
    from fergus.cli.progress import progress_bars
    from fergus.cli.sentences import TextFiles
    from fergus.cli.trees import given_trees, good_trees
    from fergus.realize.inflection_lexicon import InflectionLexicon, read_lexicon
    from fergus.realize.model import write_model
    from fergus.realize.train import describe
    from fergus.realize.train import train as train_model
    from fergus.realize.training_settings import Settings

    if dask is not None and not texts:
        raise click.UsageError("a cluster counts the words of --text, and there is none")
    language = language or language_of(treebanks[0])
    name = name or language
    frames, rule_set = _xtag_frames(grammar), _rules(rules)
    exceptions = read_lexicon(lexicon) if lexicon else InflectionLexicon()
    check_writable(out)
    sources: list[dict[str, Any]] = []
    trees = []
    for treebank in treebanks:
        found = list(good_trees(given_trees([treebank], input_format=input_format)))
        sources.append({"treebank": base_name(treebank), **describe(found)})
        trees += found
        if not quiet:
            click.echo(described(sources[-1]), err=True)
    deep = deep_sentences(trees, deep_files)
    if len(deep) < len(trees) and not quiet:
        click.echo(f"function words are learned from {len(deep):,} of {len(trees):,} sentences", err=True)
    if frames and not quiet:
        click.echo(xtag_coverage(trees, frames), err=True)
    gc.freeze()  # a treebank is millions of objects that stay: looking through them again and again takes long
    with progress_bars(shown=not quiet) as report:
        text = TextFiles(texts, report)
        settings = Settings(seed=seed)
        with chosen_cluster(dask, report) as cluster:
            counts = None if cluster is None else text.counted(cluster, order=settings.lm_order)
        sections = train_model(
            trees,
            text=text if counts is None else counts,
            deep=deep,
            exceptions=exceptions,
            frames=frames,
            rules=rule_set,
            settings=settings,
            progress=report,
        )
    header: dict[str, Any] = {"name": name, "language": language, "fergus": __version__, "seed": seed}
    header["treebanks"] = sources
    if texts:
        header["text"] = [{"file": base_name(f), "sentences": text.counts[f]} for f in texts]
    if attribution:
        header["attribution"] = attribution
    header["rebuild"] = rebuild_command(
        treebanks, texts=texts, deep_files=deep_files, lexicon=lexicon, language=language, name=name, seed=seed,
        grammar=grammar, rules=rules, attribution=attribution, input_format=input_format,
    )  # fmt: skip
    write_model(out, header, sections)
    if not quiet:
        click.echo(f"{out}: {out.stat().st_size / 1e6:.1f} MB, sections {', '.join(sections)}", err=True)


def deep_sentences(trees: Sequence[OrderedTree], deep_files: Sequence[str]) -> list[DeepSentence]:
    """The sentences with their deep trees, read, or made of those that rules can make one of."""
    from fergus.cli.trees import given_trees, good_trees
    from fergus.treebank.deep_conversion import deepened
    from fergus.treebank.deep_track import aligned_pairs

    if deep_files:
        return aligned_pairs(good_trees(given_trees(deep_files, input_format="t2")), trees)
    return [deepened(item) for item in trees if has_deep_tree(item)]


def has_deep_tree(sentence: OrderedTree) -> bool:
    """Whether rules can make a deep tree: relations of Universal Dependencies, categories, nearly all lemmas."""
    nodes = sentence.tree.nodes
    if nodes[sentence.tree.root].deprel != "root" or any(n.upos is None or n.deprel is None for n in nodes):
        return False
    return sum(node.lemma is None for node in nodes) * 10 <= len(nodes)


def language_of(treebank: str) -> str:
    """The language in the name of a Universal Dependencies file, else ``und``, undetermined.

    >>> language_of("ud/en_ewt-ud-train.conllu"), language_of("wsj/"), language_of("my_trees.conllu")
    ('en', 'und', 'my')
    """
    code, underscore, _ = base_name(treebank).partition("_")
    return code if underscore and 2 <= len(code) <= 3 and code.isalpha() and code.islower() else "und"


def base_name(path: str) -> str:
    """The last part of a path: a model does not tell where its maker keeps files."""
    return Path(path).name or Path(path).resolve().name


def described(source: dict[str, Any]) -> str:
    """One line about a treebank that was read."""
    return (
        f"{source['treebank']}: {source['sentences']:,} sentences, {source['words']:,} words, "
        f"not projective: {source['non_projective_sentences']:,}"
    )


def xtag_coverage(trees: Sequence[OrderedTree], frames: XtagFrames) -> str:
    """How many words of the treebank get a tree of XTAG's, by category."""
    from fergus.grammar.extract import extract
    from fergus.grammar.frames import coverage

    return str(coverage(extract(trees, frames=frames)))


def check_writable(out: Path) -> None:
    """Find out before the training, not after it, that the model has no place to go."""
    from fergus.errors import InputError

    if not out.parent.is_dir() or out.is_dir():
        raise InputError("cannot be written", path=str(out), remedy="give a file in a folder that is there")


def rebuild_command(
    treebanks: Sequence[str],
    *,
    texts: Sequence[str],
    deep_files: Sequence[str] = (),
    lexicon: Path | None = None,
    language: str,
    name: str,
    seed: int,
    grammar: str | None,
    rules: Path | None,
    attribution: str,
    input_format: str,
) -> str:
    """The command that gives the same bytes, run where the files are."""
    words = ["fergus", "train", *map(base_name, treebanks)]
    for file in texts:
        words += ["--text", base_name(file)]
    for file in deep_files:
        words += ["--deep", base_name(file)]
    if lexicon is not None:
        words += ["--lexicon", lexicon.name]
    words += ["--language", language, "--name", name, "--seed", str(seed)]
    if grammar is not None:
        words += ["--grammar", base_name(grammar)]
    if rules is not None:
        words += ["--rules", rules.name]
    if input_format != "auto":
        words += ["--input-format", input_format]
    if attribution:
        words += ["--attribution", attribution]
    return shlex.join([*words, "--out", f"{name}.fergus"])


def _xtag_frames(folder: str | None) -> XtagFrames | None:
    if folder is None:
        return None
    from fergus.grammar.frames import XtagFrames
    from fergus.grammar.xtag import read_xtag

    return XtagFrames(read_xtag(folder))


def _rules(path: Path | None) -> RuleSet | None:
    if path is None:
        return None
    from fergus.grammar.rules import load_rules

    return load_rules(path)
