from __future__ import annotations

from collections.abc import Sequence

from fergus.core.tree import ROOT, DependencyTree, Node, OrderedTree
from fergus.realize.finish import as_surface, spoken, suited, with_initial
from fergus.realize.inflection_lexicon import InflectionLexicon
from fergus.realize.inflection_model import InflectedForm
from fergus.realize.readings import Reading, completed
from fergus.realize.sandhi import FormChooser
from fergus.realize.words_apart import WordSplitter

TREE = DependencyTree((Node("", "a", deprel="det"), Node("", "apple", deprel="A2")), (1, ROOT))


class LastForm(FormChooser):
    """Takes the last candidate of every word, and remembers the words it was asked about."""

    def __init__(self) -> None:
        self.asked: list[Node] = []

    def choose(self, nodes: Sequence[Node], candidates: Sequence[Sequence[InflectedForm]]) -> tuple[int, ...]:
        self.asked = list(nodes)
        return tuple(len(own) - 1 for own in candidates)


def suited_forms(readings: list[list[Reading]], chosen: list[Reading], chooser: FormChooser) -> list[str | None]:
    found = completed(TREE, [[node] for node in TREE.nodes], readings)
    splitter = WordSplitter(InflectionLexicon())
    words = suited(found, [0, 1], chosen, splitter=splitter, chooser=chooser)
    return [word and word.form for word in words]


def test_neighbours_decide_among_the_forms_of_a_word() -> None:
    readings = [[Reading("a", -0.1, 0, True), Reading("an", -2.0, 0, True)], [Reading("apple", 0.0, 0, True)]]
    chooser = LastForm()
    assert suited_forms(readings, [readings[0][0], readings[1][0]], chooser) == ["an", "apple"]
    # Forms are learned from relations of Universal Dependencies.
    assert [node.deprel for node in chooser.asked] == ["det", "obj"]


def test_the_lattice_has_decided_where_features_are_open() -> None:
    readings = [[Reading("a", -0.1), Reading("the", -2.0)], [Reading("apple", 0.0)]]
    assert suited_forms(readings, [readings[0][0], readings[1][0]], LastForm()) == ["a", "apple"]


def test_words_left_out_leave_their_daughters() -> None:
    tree = DependencyTree((Node("go"), Node("to"), Node("me")), (ROOT, 0, 1))
    sentence = spoken(tree, [0, 1, 2], [tree.nodes[0], None, tree.nodes[2]])
    assert sentence.forms == ("go", "me")
    assert sentence.tree.heads == (ROOT, 0)
    whole = spoken(tree, [2, 1, 0], tree.nodes)
    assert whole.forms == ("me", "to", "go")


def test_relations_of_the_deep_track_have_a_likely_one() -> None:
    assert as_surface(Node("her", deprel="A2")).deprel == "obj"
    assert as_surface(Node("her", deprel="nsubj")).deprel == "nsubj"
    assert as_surface(Node("her")).deprel is None


def test_a_capital_at_the_start() -> None:
    tree = DependencyTree((Node("go"), Node("we")), (ROOT, 0))
    assert with_initial(OrderedTree(tree, (1, 0))).forms == ("We", "go")
