from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fergus.core.tree import ROOT, Choice, DependencyTree, Node
from fergus.drawing import draw_tree
from fergus.treebank.notation import parse_tree
from tests.drawing.shapes import SVG, check, root_of, texts_of

SENTENCE = "there was no cost estimate for the second phase"
ESTIMATE = parse_tree("estimate(there was no cost for(phase(the second)))")


@st.composite
def trees(draw: st.DrawFn) -> DependencyTree:
    size = draw(st.integers(1, 14))
    heads = [ROOT] + [draw(st.integers(0, i - 1)) for i in range(1, size)]
    words = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=9)
    nodes = [
        Node(
            draw(words), upos=draw(st.sampled_from([None, "NOUN"])), deprel=draw(st.sampled_from([None, "nsubj:pass"]))
        )
        for _ in range(size)
    ]
    return DependencyTree(tuple(nodes), tuple(heads))


@given(trees(), st.randoms())
def test_texts_never_overlap(tree: DependencyTree, random: object) -> None:
    order = list(range(len(tree)))
    random.shuffle(order)  # type: ignore[attr-defined]
    for svg in (
        draw_tree(tree),
        draw_tree(tree, order=order),
        draw_tree(tree, supertags=["g.NOUN/compound"] * len(tree)),
    ):
        check(svg)
        assert len(list(root_of(svg).iter(f"{SVG}g"))) == len(tree)
        assert len(list(root_of(svg).iter(f"{SVG}path"))) == len(tree) - 1
    assert draw_tree(tree, order=order) == draw_tree(tree, order=order)


def test_words_stand_in_their_order() -> None:
    place = {node.form: number for number, node in enumerate(ESTIMATE.nodes)}
    order = [place[word] for word in SENTENCE.split()]
    texts = texts_of(draw_tree(ESTIMATE, order=order))
    assert " ".join(text.words for text in sorted(texts, key=lambda text: text.left)) == SENTENCE


def test_a_node_has_relation_word_and_supertag_from_top_to_bottom() -> None:
    tree = DependencyTree(
        (Node("bark", upos="VERB", deprel="root"), Node("Dogs", upos="NOUN", deprel="nsubj")), (ROOT, 0)
    )
    assert [text.words for text in texts_of(draw_tree(tree))] == ["root", "bark", "VERB", "nsubj", "Dogs", "NOUN"]
    tagged = texts_of(draw_tree(tree, supertags=["a.VERB(nsubj *)", "a.NOUN"]))
    assert [text.words for text in tagged[3:]] == ["nsubj", "Dogs", "a.NOUN"]
    assert tagged[3].bottom < tagged[4].top < tagged[5].top
    assert "bark governs Dogs (nsubj)." in draw_tree(tree)
    assert "A single word, hello." in draw_tree(DependencyTree((Node("hello"),), (ROOT,)))


def test_what_stands_for_a_word_that_is_not_there() -> None:
    nodes = (Node("", lemma="be"), Node(""), Node("", alternatives=(Choice("buy"), Choice("purchase"))))
    words = [text.words for text in texts_of(draw_tree(DependencyTree(nodes, (ROOT, 0, 0))))]
    assert words == ["be", "_", "{buy|purchase}"]


def test_marked_nodes_and_their_numbers() -> None:
    groups = [g for g in root_of(draw_tree(ESTIMATE, marked={2})).iter(f"{SVG}g") if g.get("class") == "node marked"]
    assert [group.get("data-node") for group in groups] == ["2"]


def test_a_long_word_is_cut_and_whole_in_its_tooltip() -> None:
    word = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
    (group,) = root_of(draw_tree(DependencyTree((Node(word),), (ROOT,)))).iter(f"{SVG}g")
    tooltip, text = group
    assert tooltip.text == word
    assert (text.text or "").endswith("…")


def test_of_a_big_tree_what_is_nearest_to_the_root() -> None:
    size = 2000
    tree = DependencyTree(tuple(Node(f"w{i}") for i in range(size)), (ROOT, *range(size - 1)))
    svg = draw_tree(tree, limit=20)
    check(svg)
    assert len(list(root_of(svg).iter(f"{SVG}g"))) == 20
    assert "20 of 2,000 words are drawn, those nearest to the root." in svg
    assert "of the root" not in draw_tree(ESTIMATE)
    ordered = draw_tree(tree, order=range(size), limit=20)
    assert "w19" in ordered
    assert "w20" not in ordered
