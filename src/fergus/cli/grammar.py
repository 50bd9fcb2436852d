"""``fergus grammar``: elementary trees, extracted from a treebank, from a grammar file, or XTAG's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fergus.cli.options import examples, input_format_option, out_option, quiet_option

if TYPE_CHECKING:
    from fergus.core.supertag import ElementaryTree
    from fergus.grammar.inventory import Grammar

kind_option = click.option("--kind", type=click.Choice(["alpha", "gamma"]), help="Only trees of this kind.")
category_option = click.option("--category", metavar="CATEGORY", help="Only trees with such an anchor.")
limit_option = click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the N most frequent.")


@click.group()
def grammar() -> None:
    """Extract, search and draw elementary trees.

    Every command but extract takes the grammar from one of --grammar (a file that extract wrote), --xtag (the
    XTAG grammar's folder), --treebank (extracted on the spot) or --model (the one inside a model).
    """


def with_grammar(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say which grammar, and hand it over as the first argument."""

    @click.option("--grammar", "-g", "file", type=click.Path(), metavar="FILE", help="A grammar file.")
    @click.option("--xtag", type=click.Path(), metavar="DIR", help="The folder of the XTAG grammar.")
    @click.option("--treebank", type=click.Path(), metavar="PATH", help="A treebank to extract it from.")
    @click.option("--model", "-m", metavar="NAME|PATH", help="The grammar inside a model.")
    @wraps(function)
    def command(*, file: str | None, xtag: str | None, treebank: str | None, model: str | None, **options: Any) -> None:
        function(chosen_grammar(file=file, xtag=xtag, treebank=treebank, model=model), **options)

    return command


def chosen_grammar(*, file: str | None, xtag: str | None, treebank: str | None, model: str | None) -> Grammar:
    """The grammar that the options name."""
    if sum(option is not None for option in (file, xtag, treebank, model)) != 1:
        raise click.UsageError("say which grammar: one of --grammar FILE, --xtag DIR, --treebank PATH, --model NAME")
    if model is not None:
        from fergus.realize.model import ModelFile
        from fergus.realize.pipeline import find_model
        from fergus.realize.sections import tree_model_from

        return tree_model_from(ModelFile(find_model(model)).section("supertag")).grammar
    if file is not None:
        from fergus.grammar.storage import load

        return load(file)
    if xtag is not None:
        from fergus.grammar.xtag import read_xtag

        return read_xtag(xtag)
    return extracted([str(treebank)], input_format="auto", relations=False)


def extracted(treebanks: list[str], *, input_format: str, relations: bool) -> Grammar:
    """The grammar of treebanks."""
    from fergus.cli.trees import given_trees, good_trees
    from fergus.grammar.extract import extract as extract_grammar

    trees = good_trees(given_trees(treebanks, input_format=input_format))
    return extract_grammar(trees, relations=relations, keep=False).grammar


@grammar.command(
    epilog=examples(
        "fergus grammar show 'a.VERB(nsubj * obj)' --grammar ewt.grammar",
        "fergus grammar show alphanx0Vnx1 --xtag xtag/",
    )
)
@click.argument("name")
@with_grammar
def show(found: Grammar, *, name: str) -> None:
    """Draw the tree called NAME and tell which words anchor it and where it adjoins."""
    from fergus.grammar.draw import describe

    click.echo(describe(found, name), nl=False)


@grammar.command("list", epilog=examples("fergus grammar list --grammar ewt.grammar --kind gamma --limit 20"))
@kind_option
@category_option
@limit_option
@with_grammar
def list_trees(found: Grammar, *, kind: str | None, category: str | None, limit: int | None) -> None:
    """All trees, the most frequent first: count, kind, name, most frequent words."""
    print_trees(found, found.search(category=category), kind=kind, limit=limit)


@grammar.command(
    epilog=examples(
        "fergus grammar search iobj --grammar ewt.grammar",
        "fergus grammar search --word gave --xtag xtag/",
        "fergus grammar search --regex '^g.ADV.*obj' --treebank en_ewt-ud-train.conllu",
    )
)
@click.argument("pattern", default="")
@click.option("--word", metavar="FORM", help="Only trees that this word can anchor.")
@click.option("--regex", is_flag=True, help="PATTERN is a regular expression.")
@kind_option
@category_option
@limit_option
@with_grammar
def search(
    found: Grammar,
    *,
    pattern: str,
    word: str | None,
    regex: bool,
    kind: str | None,
    category: str | None,
    limit: int | None,
) -> None:
    """Trees whose name contains PATTERN, in any case, the most frequent first."""
    trees = found.search(pattern, word=word, category=category, regex=regex)
    print_trees(found, trees, kind=kind, limit=limit)


@grammar.command(epilog=examples("fergus grammar stats --grammar ewt.grammar"))
@with_grammar
def stats(found: Grammar) -> None:
    """How large a grammar is."""
    for key, value in asdict(found.statistics()).items():
        click.echo(f"{key.replace('_', ' '):<12} {value:>10,}")


@grammar.command(epilog=examples("fergus grammar extract en_ewt-ud-train.conllu --out ewt.grammar"))
@click.argument("treebanks", nargs=-1, required=True, type=click.Path(), metavar="TREEBANK...")
@click.option(
    "--relations",
    is_flag=True,
    help="Name gamma trees after their relation too: g.NOUN/compound, not g.NOUN.",
)
@input_format_option
@out_option
@quiet_option
def extract(*, treebanks: tuple[str, ...], relations: bool, input_format: str, out: Path | None, quiet: bool) -> None:
    """Extract a grammar from TREEBANKs, files or folders, and write it as a readable text file."""
    from fergus.cli.output import output_to
    from fergus.grammar.storage import lines_of

    found = extracted(list(treebanks), input_format=input_format, relations=relations)
    with output_to(out) as target:
        for line in lines_of(found):
            target.write(f"{line}\n".encode())
    if not quiet:
        figures = found.statistics()
        click.echo(
            f"{figures.alpha:,} alpha and {figures.gamma:,} gamma trees from {figures.tokens:,} words",
            err=True,
        )


def print_trees(found: Grammar, trees: list[ElementaryTree], *, kind: str | None, limit: int | None) -> None:
    """One line a tree, columns separated by tabs."""
    chosen = [tree for tree in trees if kind is None or tree.kind == kind]
    for tree in chosen[:limit]:
        anchors = found.anchors.get(tree.name, []) or found.anchors.get(tree.family, [])
        words = " ".join(word for word, _ in anchors[:5])
        click.echo(f"{found.counts.get(tree.name, 0)}\t{tree.kind}\t{tree.name}\t{words}")
