"""Trees for the round trips, and a comparison that leaves out what a format does not keep."""

from __future__ import annotations

from hypothesis import strategies as st

from fergus.core.tree import Before, Choice, Constraint, DependencyTree, Node, Place

FIGURE_2 = "estimate(there was no cost for(phase(the second)))"


def texts(alphabet: str | None = None) -> st.SearchStrategy[str]:
    characters = st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")) if alphabet is None else alphabet
    return st.text(characters, min_size=1, max_size=8)


@st.composite
def trees(draw: st.DrawFn, *, words: st.SearchStrategy[str], ids: bool = False) -> DependencyTree:
    """Any tree of up to eight nodes with any labels and order constraints, stored in any order."""
    size = draw(st.integers(1, 8))
    heads = [-1] + [draw(st.integers(0, i - 1)) for i in range(1, size)]
    optional = st.none() | words
    feats = st.dictionaries(words, words, min_size=1, max_size=2).map(lambda d: tuple(sorted(d.items())))
    weights = st.just(1.0) | st.floats(1e-9, 1e9)
    choices = st.dictionaries(words, weights, min_size=1, max_size=3).map(lambda d: tuple(map(Choice, d, d.values())))
    alternatives = [draw(choices) if draw(st.integers(0, 4)) == 0 else () for _ in range(size)]
    nodes = tuple(
        Node(
            "" if alternatives[i] else draw(words),
            None if alternatives[i] else draw(optional),
            draw(optional),
            draw(optional),
            draw(st.none() | feats),
            draw(optional),
            draw(optional),
            identifier=str(i + 1) if ids else "",
            alternatives=alternatives[i],
        )
        for i in range(size)
    )
    constraints: list[Constraint] = []
    for i in range(1, size):
        if draw(st.integers(0, 4)) == 0:
            constraints.append(Before(i, draw(st.integers(0, i - 1))))
        if draw(st.integers(0, 4)) == 0:
            side = draw(st.sampled_from(["left", "right"]))
            constraints.append(Place(i, side, draw(st.none() | st.integers(1, 9))))
    tree = DependencyTree(nodes, tuple(heads), tuple(constraints))
    return tree.permuted(draw(st.permutations(range(size))))


def canonical(tree: DependencyTree, *, top: int | None = None) -> object:
    """What of a tree has meaning: not the order of nodes, not names, not where it was read."""
    seen: dict[int, object] = {}
    for i in tree.bottom_up:
        n = tree.nodes[i]
        labels = (n.form, n.lemma, n.upos, n.xpos, n.feats, n.deprel, n.misc, n.alternatives)
        marks = sorted(
            repr(("before", tree.nodes[c.second].form) if isinstance(c, Before) else (c.side, c.rank))
            for c in tree.constraints
            if (c.first if isinstance(c, Before) else c.node) == i
        )
        seen[i] = (labels, tuple(marks), tuple(sorted((seen[d] for d in tree.daughters[i]), key=repr)))
    return seen[tree.root if top is None else top]
