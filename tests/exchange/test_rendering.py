from __future__ import annotations

from fergus.core.realization import Candidate, Realization, Scores
from fergus.core.tree import DependencyTree, Node, OrderedTree
from fergus.exchange.rendering import as_conllu, as_text, as_tokens, identifiers, respaced
from fergus.realize.write_text import by_rules

NODES = (
    Node("Salut", identifier="1", misc="SpaceAfter=No|Gloss=hi"),
    Node("!", identifier="2", misc="SpaceAfter=No"),
    Node("toi", identifier="3"),
)
TREE = DependencyTree(NODES, (-1, 0, 0), metadata=(("sent_id", "s"), ("text", "Salut! toi")))


def realized(*order: int) -> Realization:
    return Realization(TREE, (Candidate(order, Scores(0.0), OrderedTree(TREE, order)),))


def test_space_after_stays_where_the_neighbour_stayed() -> None:
    same = respaced(TREE, (0, 1, 2))
    assert [node.misc for node in same.nodes] == ["SpaceAfter=No|Gloss=hi", "SpaceAfter=No", None]
    moved = respaced(TREE, (2, 0, 1))
    assert [node.misc for node in moved.nodes] == ["SpaceAfter=No|Gloss=hi", None, None]
    apart = respaced(TREE, (0, 2, 1))
    assert [node.misc for node in apart.nodes] == ["Gloss=hi", None, None]


def test_text_is_the_new_sentence() -> None:
    assert as_tokens(realized(2, 0, 1), 1, by_rules) == "toi Salut !\n"
    assert as_text(realized(2, 0, 1), 1, by_rules) == "Toi Salut!\n"
    assert as_conllu(realized(2, 0, 1), 1, by_rules).startswith("# sent_id = s\n# text = Toi Salut!\n1\ttoi\t")


def test_identifiers_are_made_where_they_are_missing_or_not_unique() -> None:
    assert identifiers(TREE) == ["1", "2", "3"]
    assert identifiers(DependencyTree((Node("a"), Node("b", identifier="x")), (-1, 0))) == ["1", "2"]
    twice = DependencyTree((Node("a", identifier="x"), Node("b", identifier="x")), (-1, 0))
    assert identifiers(twice) == ["1", "2"]
