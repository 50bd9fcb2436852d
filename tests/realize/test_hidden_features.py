from __future__ import annotations

from itertools import product

from fergus.core.tree import DependencyTree, Node, OrderedTree
from fergus.realize.hidden_features import both_ways, with_hidden_features
from fergus.realize.inflect import Inflector
from fergus.realize.inflection_lexicon import Feats, count_forms, count_words
from fergus.realize.learn_inflection import InflectionSettings, learn_inflection
from fergus.realize.sandhi import FormChooser

NOUNS = {"chat": "Masc", "livre": "Masc", "ami": "Masc", "arbre": "Masc"} | {
    "maison": "Fem", "table": "Fem", "usine": "Fem", "école": "Fem",
}  # fmt: skip
ARTICLE: Feats = (("Definite", "Def"), ("Number", "Sing"))
FULL = {gender: (("Definite", "Def"), ("Gender", gender), ("Number", "Sing")) for gender in ("Masc", "Fem")}


def phrase(noun: str, gender: str, form: str, feats: Feats) -> OrderedTree:
    article = Node(form, "le", "DET", feats=feats, deprel="det")
    word = Node(noun, noun, "NOUN", feats=(("Gender", gender), ("Number", "Sing")), deprel="root")
    return OrderedTree(DependencyTree((article, word), (1, -1)), (0, 1))


def treebank(*, elided: str = "l'", vowels: str = "aeéu") -> list[OrderedTree]:
    """Fifteen times every noun with its article, which has no gender where it is elided."""
    found = []
    for _, (noun, gender) in product(range(15), NOUNS.items()):
        if noun[0] in vowels:
            found.append(phrase(noun, gender, elided, ARTICLE))
        else:
            found.append(phrase(noun, gender, "le" if gender == "Masc" else "la", FULL[gender]))
    return found


def test_elided_words_have_the_gender_of_their_nouns() -> None:
    trees = treebank()
    found, hidden = with_hidden_features(trees, count_forms(trees))
    assert hidden == {("le", "DET", feats): [ARTICLE] for feats in FULL.values()}
    articles = {(o.tree.nodes[0].form, o.tree.nodes[1].form): o.tree.nodes[0].feats for o in found}
    assert articles["l'", "ami"] == articles["le", "chat"] == FULL["Masc"]
    assert articles["l'", "usine"] == articles["la", "table"] == FULL["Fem"]
    assert trees[2].tree.nodes[0].feats == ARTICLE  # the treebank itself stays what it was


def test_an_input_may_know_the_feature_or_not() -> None:
    trees = treebank()
    found, hidden = with_hidden_features(trees, count_forms(trees))
    entries = count_words(both_ways(found, hidden)).entries
    assert entries["le", "DET", FULL["Fem"]] == {"la": 30, "l'": 30}
    assert entries["le", "DET", ARTICLE] == {"le": 30, "la": 30, "l'": 60}


def test_other_words_without_a_feature_stay_as_they_are() -> None:
    # Half of the nouns with any first letter: no reader could tell which article it is.
    trees = [phrase(n, g, form, feats) for _ in range(30) for n, g in NOUNS.items()
             for form, feats in (("leur", ARTICLE), ("le", FULL[g]))]  # fmt: skip
    lexicon = count_forms(trees)
    assert with_hidden_features(trees, lexicon)[1] == {}
    assert with_hidden_features(trees, lexicon) == (trees, {})
    assert list(both_ways(trees, {})) == []


def test_the_article_of_an_unseen_noun_goes_by_its_first_letter() -> None:
    settings = InflectionSettings(bits=14, epochs=2, sandhi_bits=14, sandhi_runs=2)
    model = learn_inflection(treebank(), settings)
    inflector, chooser = Inflector(model), FormChooser(model.sandhi)

    def article(noun: str, feats: Feats) -> str:
        node, word = Node("", "le", "DET", feats=feats, deprel="det"), Node(noun, noun, "NOUN", deprel="root")
        candidates = [inflector.candidates("le", "DET", feats, complete=True), inflector.inflect(word)]
        return candidates[0][chooser.choose([node, word], candidates)[0]].form

    assert [article(noun, FULL["Fem"]) for noun in ("tour", "arme")] == ["la", "l'"]
    assert [article(noun, FULL["Masc"]) for noun in ("lit", "amour")] == ["le", "l'"]
    assert [article(noun, ARTICLE) for noun in ("école", "arbre")] == ["l'", "l'"]


def test_the_order_of_sentences_says_nothing() -> None:
    trees = treebank()
    shorter = [phrase("ami", "Masc", "l'", ARTICLE[:1])] * 20
    one, other = ([*trees, *shorter], [*shorter, *trees])
    assert with_hidden_features(one, count_forms(one))[1] == with_hidden_features(other, count_forms(other))[1]
    assert with_hidden_features(one, count_forms(one))[1]["le", "DET", FULL["Masc"]] == [ARTICLE[:1], ARTICLE]
