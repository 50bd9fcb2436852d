"""Changes that are made by clicking: each is written into the tree itself, so that its text says all there is.

before:2:4            node 2 is to come before node 4
beside:2:1:3:4        the order of these neighbours, each before the next
supertag:2:a.NOUN     this supertag for node 2; none: whichever the Tree Chooser takes
label:2:NOUN:nsubj    this category and this relation for node 2
free:3                the fourth of the order constraints no longer holds
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from fergus.core.tree import Before, DependencyTree, OrderedTree
from fergus.errors import InputError
from fergus.web.engine_limits import Limits
from fergus.web.engine_work import TREES, read_trees
from fergus.web.engine_worker import Loaded

LONGEST = 500
"""Characters of a change."""


@dataclass(frozen=True)
class Constrained:
    """An order or a supertag that was asked for, and how to let go of it."""

    words: str
    change: str


def changed_text(loaded: Loaded, text: str, input_format: str, change: str, limits: Limits) -> str:
    """The text of the tree with a change in it, in the format that it was in; raises InputError.

    Formats that cannot say what is asked for by hand, as Penn brackets, become the quick notation, which says it all.
    """
    from fergus.treebank.read import format_of

    item = one_tree(text, input_format, limits)
    tree = changed(item.tree, change)
    return written(replace(item, tree=tree), format_of(text, input_format))


def one_tree(text: str, input_format: str, limits: Limits) -> OrderedTree:
    """The only tree of a text; raises InputError."""
    found = read_trees(text, input_format, limits)
    for item in found:
        if isinstance(item, InputError):
            raise item
    if len(found) != 1:
        problem = f"there are {len(found):,} trees" if found else "there is no tree"
        raise InputError(problem, path=TREES, remedy="give one here; fergus realize takes files of them")
    only = found[0]
    assert isinstance(only, OrderedTree)
    return only


def written(item: OrderedTree, input_format: str | None) -> str:
    """A tree in one of the formats of the page; in the quick notation if it was in another."""
    from fergus.treebank.conllu_writer import write_conllu
    from fergus.treebank.jsontree_writer import to_json
    from fergus.treebank.notation import to_notation

    if input_format == "conllu":
        return write_conllu(item.tree, item.order).rstrip("\n") + "\n"
    return to_json(item.tree) if input_format == "json" else to_notation(item.tree)


def changed(tree: DependencyTree, change: str) -> DependencyTree:
    """The tree with one change; InputError for what no page of ours asks."""
    kind, _, rest = change[:LONGEST].partition(":")
    if kind == "before":
        return with_order(tree, numbers(rest, len(tree), least=2, most=2))
    if kind == "beside":
        return with_order(tree, numbers(rest, len(tree), least=2, most=20))
    if kind == "free":
        (gone,) = numbers(rest, len(tree.constraints), least=1, most=1)
        kept = [constraint for place, constraint in enumerate(tree.constraints) if place != gone]
        return replace(tree, constraints=tuple(kept))
    if kind not in ("supertag", "label"):
        raise refused(change)
    number, _, name = rest.partition(":")
    (node,) = numbers(number, len(tree), least=1, most=1)
    nodes = list(tree.nodes)
    if kind == "supertag":
        from fergus.realize.asked_supertags import with_supertag

        nodes[node] = with_supertag(nodes[node], name.replace("|", "").replace("\t", "") or None)
    else:
        upos, _, relation = name.partition(":")
        nodes[node] = replace(nodes[node], upos=upos or None, deprel=relation or None)
    return tree.with_nodes(nodes)


def with_order(tree: DependencyTree, order: list[int]) -> DependencyTree:
    """The tree that asks for each of some nodes to come before the next; what asks for the opposite is dropped."""
    asked = [Before(first, second) for first, second in pairwise(order)]
    opposite = {Before(one.second, one.first) for one in asked}
    kept = [one for one in tree.constraints if one not in opposite and one not in asked]
    return replace(tree, constraints=(*kept, *asked))


def numbers(text: str, end: int, *, least: int, most: int) -> list[int]:
    """Different numbers of nodes with colons between."""
    parts = text.split(":")
    found = [int(part) for part in parts if part.isascii() and part.isdecimal() and len(part) < 6]
    legal = len(found) == len(parts) == len(set(found)) and least <= len(found) <= most
    if not legal or any(number >= end for number in found):
        raise refused(text)
    return found


def refused(change: str) -> InputError:
    """What is said to a change that cannot be made."""
    return InputError(
        f"“{change[:40]}” cannot be done with this tree", path=TREES, remedy="realize the tree as it is, then change it"
    )


def by_hand(tree: DependencyTree) -> tuple[Constrained, ...]:
    """The constraints and supertags that the tree's text asks for."""
    from fergus.realize.asked_supertags import asked_supertag

    def name(node: int) -> str:
        one = tree.nodes[node]
        return "“" + (one.form or one.lemma or "|".join(choice.word for choice in one.alternatives)) + "”"

    found = []
    for place, constraint in enumerate(tree.constraints):
        if isinstance(constraint, Before):
            words = f"{name(constraint.first)} before {name(constraint.second)}"
        else:
            rank = f", as number {constraint.rank} from it" if constraint.rank else ""
            words = f"{name(constraint.node)} on the {constraint.side} of its head{rank}"
        found.append(Constrained(words, f"free:{place}"))
    for node, one in enumerate(tree.nodes):
        if (asked := asked_supertag(one)) is not None:
            found.append(Constrained(f"{name(node)} as {asked}", f"supertag:{node}:"))
    return tuple(found)
