"""Small random trees for property tests, with labels or without, and all orders of a tree's words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

from hypothesis import strategies as st

from fergus.core.tree import DependencyTree, Node

WORDS = ("the", "The", "dog", "saw", "a", "of", ",", "?", "42", "iPod", "IPod", "iPOd", "zyx")
LABELS = (("NOUN", "nsubj"), ("ADP", "case"), ("VERB", "root"), ("PUNCT", "punct"), ("ADV", "advmod"))


@st.composite
def trees(draw: st.DrawFn, *, most: int = 8, labels: str = "mixed") -> DependencyTree:
    """Up to ``most`` nodes from few words, so that twins are frequent; ``labels`` are all, none or mixed."""
    size = draw(st.integers(1, most))
    heads = [-1, *(draw(st.integers(0, i - 1)) for i in range(1, size))]
    nodes = []
    for _ in range(size):
        upos, deprel = draw(st.sampled_from(LABELS))
        full = labels == "all"
        nodes.append(
            Node(
                draw(st.sampled_from(WORDS)),
                lemma=draw(st.sampled_from(["x", "y"])) if full else None,
                upos=upos if full or (labels == "mixed" and draw(st.booleans())) else None,
                deprel=deprel if full or (labels == "mixed" and draw(st.booleans())) else None,
                feats=(("Number", "Sing"),) if full else None,
                misc=draw(st.sampled_from([None, "SpaceAfter=No"])),
            )
        )
    return DependencyTree(tuple(nodes), tuple(heads))


def whole_orders(tree: DependencyTree) -> Iterator[tuple[int, ...]]:
    """Every projective order of the words of a tiny tree."""

    def of(node: int) -> list[tuple[int, ...]]:
        inside = {d: of(d) for d in tree.daughters[node]}
        found = []
        for row in permutations([node, *tree.daughters[node]]):
            pieces = [[(node,)] if item == node else inside[item] for item in row]
            found += [tuple(word for piece in choice for word in piece) for choice in product(*pieces)]
        return found

    yield from of(tree.root)
