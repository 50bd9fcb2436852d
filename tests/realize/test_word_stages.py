"""All stages together, by a model of forty sentences."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fergus.core.tree import DependencyTree
from fergus.errors import InputError, ModelError
from fergus.realize.model import ModelFile, write_model
from fergus.realize.pipeline import Realizer, load
from fergus.treebank import parse_tree
from fergus.treebank.deep_conversion import deepened
from fergus.treebank.deep_relations import as_deep
from tests.realize.small_model import sections, treebank

SAW = "see/VERB:root[Tense=Past](she/PRON:nsubj[Case=Nom] dog/NOUN:obj[Number=Sing](the/DET:det[Definite=Def]))"


@pytest.fixture(scope="module")
def model_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "small.fergus"
    write_model(path, {"name": "small"}, sections())
    return path


@pytest.fixture(scope="module")
def realizer(model_path: Path) -> Realizer:
    return load(model_path)


def test_lemmas_are_inflected(realizer: Realizer) -> None:
    found = realizer.realize(parse_tree(SAW), stages=("inflect",))
    assert found.tokens == ("she", "saw", "the", "dog")
    assert found.stages == ("inflect", "order")
    assert [node.form for node in found.tree.nodes] == ["saw", "she", "dog", "the"]
    assert realizer.text(found.sentence).startswith("She saw the dog")


def test_a_form_that_is_not_known_asks_for_it(realizer: Realizer) -> None:
    found = realizer.realize(parse_tree("_/VERB:root[Tense=Past,lemma=see](she/PRON:nsubj her/PRON:obj)"))
    assert "saw" in found.tokens


def test_marks_are_put_in(realizer: Realizer) -> None:
    found = realizer.realize(parse_tree(SAW), stages=("inflect", "punctuate"))
    assert found.tokens == ("she", "saw", "the", "dog", ".")
    mark = found.sentence.tree.nodes[-1]
    assert (mark.upos, mark.deprel) == ("PUNCT", "punct")
    # A sentence that has its marks keeps them.
    again = realizer.realize(parse_tree("saw/VERB:root(she/PRON:nsubj !/PUNCT:punct)"), stages=("punctuate",))
    assert sorted(again.tokens) == ["!", "saw", "she"]


def test_function_words_are_inserted(realizer: Realizer) -> None:
    tree = as_deep(parse_tree("see/VERB:root[Tense=Past](cat/NOUN:nsubj[Definite=Def,Number=Sing])"))
    found = realizer.realize(tree)
    assert found.stages == ("insert", "inflect", "order", "punctuate")
    assert "the" in found.tokens
    assert found.inserted
    assert {found.tree.nodes[node].form for node in found.inserted} >= {"the"}


def test_every_sentence_of_the_treebank_comes_back_from_its_deep_tree(realizer: Realizer) -> None:
    for sentence in treebank():
        deep = deepened(sentence).deep
        found = realizer.realize(deep)
        assert len(found.sentence.tree) == len(found.tokens) > 0
        spoken = [node for node in deep.nodes if node.lemma != "_"]
        assert len(found.tokens) >= len(spoken)


def test_words_are_chosen(realizer: Realizer) -> None:
    tree = parse_tree("saw/VERB:root(she/PRON:nsubj {him=9|her}/PRON:obj)")
    found = realizer.realize(tree)
    assert found.tokens == ("she", "saw", "him")
    assert found.stages == ("choose", "order")
    assert {form for form, _ in found.readings[2]} == {"him", "her"}
    past = realizer.realize(parse_tree("{see|bark=50}/VERB:root[Tense=Past](she/PRON:nsubj)"))
    assert past.tokens == ("she", "barked")


@pytest.mark.parametrize("preset", ["supertag", "treebank-lr", "baseline-lr"])
def test_the_papers_models_have_the_stages_too(model_path: Path, preset: str) -> None:
    found = load(model_path, preset=preset).realize(parse_tree(SAW), stages=("inflect", "punctuate"))
    assert sorted(found.tokens) == [".", "dog", "saw", "she", "the"]


def test_a_lexicon_goes_before_the_model(model_path: Path, tmp_path: Path) -> None:
    (tmp_path / "forms.tsv").write_text("see\tVERB\tTense=Past\tbeheld\n")
    found = load(model_path, lexicon=tmp_path / "forms.tsv").realize(parse_tree(SAW), stages=("inflect",))
    assert found.tokens == ("she", "beheld", "the", "dog")


def test_synonyms_of_the_user(model_path: Path, tmp_path: Path) -> None:
    (tmp_path / "words.tsv").write_text("dog\tNOUN\tcat\n")
    found = load(model_path, synonyms=tmp_path / "words.tsv").realize(parse_tree("saw(she/PRON dog/NOUN)"))
    assert {form for own in found.readings for form, _ in own} == {"saw", "she", "dog", "cat"}


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ("go/VERB[Tens=Past]", "Tens=Past of 'go': there is no feature Tens; did you mean Tense?"),
        ('"give up"/VERB', "the lemma 'give up' has a space in it"),
    ],
)
def test_what_inflection_cannot_make_sense_of(realizer: Realizer, tree: str, message: str) -> None:
    with pytest.raises(InputError, match=message.replace("?", r"\?")):
        realizer.realize(parse_tree(tree), stages=("inflect",))


@pytest.mark.parametrize(
    ("missing", "stages", "message"),
    [
        ("inflection", ("inflect",), "words have to be inflected, and the model was trained without lemmas"),
        ("insertion", ("insert",), "function words have to be inserted, and the model has not learned it"),
        ("punctuation", ("punctuate",), "marks have to be put in, and the model was trained on a treebank without"),
    ],
)
def test_a_model_that_has_not_learned_it(tmp_path: Path, missing: str, stages: tuple[str, ...], message: str) -> None:
    path = tmp_path / "less.fergus"
    write_model(path, {"name": "less"}, {k: v for k, v in sections().items() if not k.startswith(missing)})
    with pytest.raises(ModelError, match=message):
        Realizer(ModelFile(path)).realize(parse_tree("see/VERB:root(she/PRON:nsubj)"), stages=stages)


def test_text_without_the_learned_parts_goes_by_rules(tmp_path: Path, realizer: Realizer) -> None:
    path = tmp_path / "less.fergus"
    write_model(path, {"name": "less"}, {k: v for k, v in sections().items() if k not in ("joining", "capitals")})
    tree: DependencyTree = parse_tree("saw(I her .)")
    sentence = realizer.realize(tree).sentence
    assert load(path).text(sentence) == realizer.text(sentence) == "I saw her."


def test_given_forms_stay_where_only_some_are_missing(realizer: Realizer) -> None:
    tree = parse_tree("_/VERB:root[Tense=Past,lemma=see](she/PRON:nsubj[lemma=she] doggies/NOUN:obj[lemma=dog])")
    assert sorted(realizer.realize(tree).tokens) == ["doggies", "saw", "she"]


def test_no_two_sentences_are_the_same(realizer: Realizer) -> None:
    found = realizer.realize(parse_tree(SAW), stages=("inflect",), nbest=12)
    sentences = [candidate.sentence.forms for candidate in found.best]
    assert len(set(sentences)) == len(sentences)


def test_the_order_of_deep_nodes_carries_no_meaning(realizer: Realizer) -> None:
    for sentence in treebank()[::3]:
        deep = deepened(sentence).deep
        turned = deep.permuted(list(reversed(range(len(deep)))))
        assert realizer.realize(deep).tokens == realizer.realize(turned).tokens


@pytest.mark.parametrize("weights", ["{a=1e308|b=1e308}", "{a=1e-300|b=1e300}"])
def test_weights_of_any_size(realizer: Realizer, weights: str) -> None:
    assert realizer.realize(parse_tree(weights)).tokens in {("a",), ("b",)}


def test_nothing_to_say(realizer: Realizer) -> None:
    with pytest.raises(InputError, match="the tree has nothing to say"):
        realizer.realize(parse_tree("_/PRON:ROOT[lemma=_]"))


def test_stages_of_a_program_are_checked(realizer: Realizer) -> None:
    with pytest.raises(InputError, match='"inflct" is no stage'):
        realizer.realize(parse_tree("go"), stages=("inflct",))


def test_a_model_without_marks_puts_none_into_deep_trees(tmp_path: Path) -> None:
    path = tmp_path / "less.fergus"
    write_model(path, {"name": "less"}, {k: v for k, v in sections().items() if not k.startswith("punctuation")})
    found = load(path).realize(deepened(treebank()[0]).deep)
    assert found.stages == ("insert", "inflect", "order")


def test_the_type_of_a_clause_is_said_of_the_sentence_and_of_no_word(realizer: Realizer) -> None:
    told = SAW.replace("Tense=Past", "Tense=Past,ClauseType=Dec")
    for stages in (("inflect", "punctuate"), ("order",)):
        found = realizer.realize(parse_tree(told), stages=stages)
        assert found.tokens == realizer.realize(parse_tree(SAW), stages=stages).tokens
        assert "ClauseType" not in dict(found.best[0].sentence.tree.nodes[0].feats or ())
    assert found.tokens[-1] != "."


def test_a_fragment_is_not_ended(realizer: Realizer) -> None:
    for tree in (parse_tree(SAW), as_deep(parse_tree(SAW))):
        stages = ("insert", "inflect", "punctuate") if tree.nodes[0].deprel == "ROOT" else ("inflect", "punctuate")
        root = tree.nodes[tree.root]
        fragment = replace(root, feats=(*(root.feats or ()), ("ClauseType", "Frag")))
        told = tree.with_nodes(fragment if node is root else node for node in tree.nodes)
        ended = realizer.realize(tree, stages=stages).tokens
        assert ended[-1] == "."
        assert realizer.realize(told, stages=stages).tokens == ended[:-1]


def test_types_of_clauses_that_there_are_not(realizer: Realizer) -> None:
    wrong = SAW.replace("Tense=Past", "ClauseType=Que")
    for tree in (parse_tree(wrong), as_deep(parse_tree(wrong))):
        with pytest.raises(InputError, match=r"ClauseType=Que of .*no such value.*Int\|Exc\|Par\|Dec\|Frag"):
            realizer.realize(tree, stages=("insert", "inflect"))


def test_features_that_nobody_knows_are_told_of_deep_trees_too(realizer: Realizer) -> None:
    tree = as_deep(parse_tree("see/VERB:root[Tens=Past](cat/NOUN:nsubj)"))
    with pytest.raises(InputError, match=r"Tens=Past of 'see': there is no feature Tens; did you mean Tense\?"):
        realizer.realize(tree)
    tree = as_deep(parse_tree("see/VERB:root[Tense=Pst](cat/NOUN:nsubj)"))
    with pytest.raises(InputError, match=r"Tense=Pst of 'see': no such value of Tense; use Tense=Fut\|Imp\|Past"):
        realizer.realize(tree)
    # What deep trees have beside the standard's features is theirs.
    realizer.realize(as_deep(parse_tree("see/VERB:root[Tense=Past,Aspect=PerfProg](cat/NOUN:nsubj[Gender=-])")))
