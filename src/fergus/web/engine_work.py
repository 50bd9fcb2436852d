"""Pieces of work that workers do: trees read, realized, explained, parsed, sentences evaluated.

Each is a function of a module, so that it can be named to another process, and gets the worker's ``Loaded`` first.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fergus.core.realization import Realization
from fergus.core.tree import DependencyTree, OrderedTree
from fergus.errors import InputError
from fergus.web.engine_limits import LimitError, Limits
from fergus.web.engine_worker import Loaded

if TYPE_CHECKING:
    from fergus.evaluation.result import Evaluation
    from fergus.realize.explain import Explanation

TREES = "trees"
"""What messages call the input, in the place of a file's name."""


@dataclass(frozen=True)
class How:
    """How trees are realized: what the options of ``fergus realize`` say."""

    model: str = ""
    """A name; "" is the server's first model."""
    preset: str = "default"
    stages: tuple[str, ...] | None = None
    """None: whatever the tree lacks."""
    bare: bool = False
    nbest: int = 1


@dataclass(frozen=True)
class Realized:
    """A realization, and its sentences as people write them."""

    realization: Realization
    texts: tuple[str, ...]
    """One for each of the n best."""


def read_trees(text: str, input_format: str, limits: Limits) -> list[OrderedTree | InputError]:
    """The trees of a text in any of the formats, with an InputError (and its line) in the place of every bad one."""
    from fergus.treebank.read import parse_trees

    found: list[OrderedTree | InputError] = []
    for item in parse_trees(io.BytesIO(text.encode("utf-8", "replace")), input_format=input_format, path=TREES):
        if len(found) == limits.trees:
            raise LimitError(f"there are more than {limits.trees:,} trees; send them in several requests", TREES)
        found.append(item if isinstance(item, InputError) else checked(item, limits))
    return found


def checked(item: OrderedTree, limits: Limits) -> OrderedTree | InputError:
    """The tree, or what is wrong with it: more nodes than a tree may have here."""
    if len(item.tree) <= limits.nodes:
        return item
    problem = f"the tree has {len(item.tree):,} nodes"
    remedy = f"this server takes trees of up to {limits.nodes:,}; fergus realize takes any"
    return InputError(problem, path=item.tree.source or TREES, remedy=remedy)


def realize_tree(loaded: Loaded, tree: DependencyTree, how: How) -> Realized:
    """Realize one tree; raises FergusErrors."""
    realizer = loaded.realizer(how.model, how.preset)
    realization = realizer.realize(given_to(loaded, tree, how), nbest=how.nbest, bare=how.bare, stages=how.stages)
    return Realized(realization, tuple(realizer.text(candidate.sentence) for candidate in realization.best))


def explain_tree(loaded: Loaded, tree: DependencyTree, how: How) -> tuple[Explanation, str]:
    """Why a tree became its sentence, and the sentence as people write it; raises FergusErrors."""
    from fergus.realize.explain import explain

    realizer = loaded.realizer(how.model, how.preset)
    explanation = explain(realizer, given_to(loaded, tree, how), bare=how.bare, stages=how.stages)
    return explanation, realizer.text(explanation.realization.sentence)


def given_to(loaded: Loaded, tree: DependencyTree, how: How) -> DependencyTree:
    """The tree as the realizer takes it: one without function words, as the deep track has it."""
    from fergus.exchange.deep import tree_for

    return tree_for(how.stages, tree, loaded.realizer(how.model, how.preset))


def parse_sentences(loaded: Loaded, text: str, given: str, parser: str, limits: Limits) -> list[OrderedTree]:
    """The trees of running text, of lines that are sentences, or of lines of tokens (``fergus parse --input``)."""
    if len(text) > limits.characters:
        raise LimitError(
            f"the text has more than {limits.characters:,} characters; send it in several requests", "text"
        )
    from fergus.exchange.passages import passages_of, trees_of

    found = loaded.parser(parser)
    stream = io.BytesIO(text.encode("utf-8", "replace"))
    return [tree for passage in passages_of(stream, "text", given) for tree in trees_of(passage, found, given)]


def evaluate_sentences(
    loaded: Loaded,
    systems: Mapping[str, Sequence[str]],
    references: Sequence[Sequence[str | OrderedTree]],
    metrics: Sequence[str],
    tokenize: str,
    lowercase: bool,
    parser: str | None,
    samples: int,
    seed: int,
    compare: bool,
    limits: Limits,
) -> Evaluation:
    """Score outputs against references, as ``fergus.evaluate`` does; raises FergusErrors."""
    from fergus.evaluation.in_memory import evaluate
    from fergus.evaluation.selection import GROUPS

    longest = max((len(sentences) for sentences in [*systems.values(), *references]), default=0)
    if longest > limits.sentences:
        raise LimitError(f"there are more than {limits.sentences:,} sentences; use fergus evaluate for them", "systems")
    for name in metrics:
        if name.endswith(".toml"):  # a file of the server, not of the visitor
            raise InputError(
                f"“{name}” is no metric here", remedy="name metrics and groups; fergus evaluate reads files"
            )
    has_fluency = any("fluency" in GROUPS.get(name, (name,)) for name in metrics)
    return evaluate(
        systems,
        references,
        metrics=metrics,
        tokenize=tokenize,
        lowercase=lowercase,
        parser=None if parser is None else loaded.parser(parser),
        language_model=loaded.language_model if has_fluency else None,
        samples=samples,
        seed=seed,
        compare=compare,
    )
