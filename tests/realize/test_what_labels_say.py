"""The shipped model does what labels of hand-written trees say: tense, negation, questions, agents, agreement."""

from __future__ import annotations

import pytest

from fergus.realize.pipeline import Realizer, load
from fergus.treebank import parse_tree
from fergus.treebank.deep_relations import as_deep

MEANINGS = {
    "buy/VERB:root[Tense=Past,ClauseType=Int](company/NOUN:nsubj[Definite=Def,Number=Sing] "
    "house/NOUN:obj(John/PROPN:nmod:poss))": "Did the company buy John's house?",
    "buy/VERB:root[Tense=Past,ClauseType=Int](company/NOUN:nsubj[Definite=Def,Number=Sing] what/PRON:obj)": (
        "What did the company buy?"
    ),
    "go/VERB:root[Tense=Past,ClauseType=Int](you/PRON:nsubj why/ADV:advmod)": "Why did you go?",
    "buy/VERB:root[Tense=Past,ClauseType=Int](who/PRON:nsubj house/NOUN:obj[Definite=Def,Number=Sing])": (
        "Who bought the house?"
    ),
    "buy/VERB:root[Tense=Past,Polarity=Neg](company/NOUN:nsubj[Definite=Def,Number=Sing] "
    "house/NOUN:obj[Definite=Ind,Number=Sing])": "The company did not buy a house.",
    "happy/ADJ:root[Tense=Pres,ClauseType=Int](you/PRON:nsubj)": "Are you happy?",
    "happy/ADJ:root[Tense=Pres,Polarity=Neg](she/PRON:nsubj)": "She is not happy.",
    "buy/VERB:root[Tense=Fut](company/NOUN:nsubj[Definite=Def,Number=Sing] house/NOUN:obj[Definite=Ind,Number=Sing])": (
        "The company will buy a house."
    ),
    "buy/VERB:root[Tense=Fut,Mood=Cnd](company/NOUN:nsubj[Definite=Def,Number=Sing] "
    "house/NOUN:obj[Definite=Ind,Number=Sing])": "The company would buy a house.",
    "buy/VERB:root[Tense=Past,Voice=Pass](house/NOUN:nsubj:pass[Definite=Def,Number=Sing] "
    "company/NOUN:obl:agent[Definite=Ind,Number=Sing])": "The house was bought by a company.",
    "buy/VERB:root[Tense=Pres,Mood=Pot,ClauseType=Int](you/PRON:nsubj house/NOUN:obj[Definite=Def,Number=Sing])": (
        "Can you buy the house?"
    ),
    "doctor/NOUN:root[Tense=Pres,Definite=Ind,Number=Sing,ClauseType=Int](she/PRON:nsubj)": "Is she a doctor?",
    "leave/VERB:root[Tense=Fut,ClauseType=Int](when/ADV:advmod train/NOUN:nsubj[Definite=Def])": (
        "When will the train leave?"
    ),
    "buy/VERB:root[Tense=Past,Polarity=Neg,ClauseType=Int](why/ADV:advmod you/PRON:nsubj milk/NOUN:obj)": (
        "Why didn't you buy milk?"
    ),
    "sing/VERB:root[Tense=Past](girl/NOUN:nsubj[Definite=Def](boy/NOUN:conj[Definite=Def]) "
    "dance/VERB:conj[Tense=Past])": "The girl and the boy sang and danced.",
    "happy/ADJ:root[Tense=Past,ClauseType=Int](child/NOUN:nsubj[Definite=Def,Number=Plur])": "Were the children happy?",
    "happy/ADJ:root[Tense=Past](child/NOUN:nsubj[Definite=Def,Number=Plur])": "The children were happy.",
    "build/VERB:root[Tense=Past,Voice=Pass,ClauseType=Int](bridge/NOUN:nsubj:pass[Definite=Def,Number=Sing] "
    "when/ADV:advmod)": "When was the bridge built?",
    "like/VERB:root[Tense=Pres,ClauseType=Int](John/PROPN:nsubj(Mary/PROPN:conj) cheese/NOUN:obj)": (
        "Do John and Mary like cheese?"
    ),
    "see/VERB:root[Tense=Past](we/PRON:nsubj house/NOUN:obj(she/PRON:nmod:poss))": "We saw her house.",
    "where/ADV:root[Tense=Pres,ClauseType=Int](book/NOUN:nsubj[Number=Plur](you/PRON:nmod:poss))": (
        "Where are your books?"
    ),
    "great/ADJ:root[Tense=Pres,ClauseType=Exc](food/NOUN:nsubj[Definite=Def,Number=Sing])": "The food is great!",
}
AGREEMENT = {
    "arrive/VERB:root[Tense=Pres](train/NOUN:nsubj[Number=Sing](the/DET:det))": "The train arrives.",
    "arrive/VERB:root[Tense=Pres](train/NOUN:nsubj[Number=Plur](this/DET:det))": "These trains arrive.",
    "see/VERB:root[Tense=Past](I/PRON:nsubj elephant/NOUN:obj[Number=Sing](a/DET:det))": "I saw an elephant.",
    "happy/ADJ:root(be/AUX:cop[Tense=Past] we/PRON:nsubj)": "We were happy.",
    "go/VERB:root(have/AUX:aux[Tense=Pres] she/PRON:nsubj)": "She has gone.",
    "sleep/VERB:root(be/AUX:aux[Tense=Pres] man/NOUN:nsubj(the/DET:det))": "The man is sleeping.",
    "like/VERB:root[Tense=Pres](he/PRON:nsubj dog/NOUN:obj[Number=Plur](that/DET:det))": "He likes those dogs.",
    "arrive/VERB:root[Tense=Pres](John/PROPN:nsubj(Mary/PROPN:conj(and/CCONJ:cc)))": "John and Mary arrive.",
    "give/VERB:root[Tense=Past](she/PRON:nsubj I/PRON:iobj book/NOUN:obj[Number=Sing](a/DET:det old/ADJ:amod))": (
        "She gave me an old book."
    ),
}


@pytest.fixture(scope="module")
def realizer() -> Realizer:
    return load("en")


@pytest.mark.parametrize(("tree", "text"), MEANINGS.items(), ids=MEANINGS.values())
def test_content_words_and_features(realizer: Realizer, tree: str, text: str) -> None:
    found = realizer.realize(as_deep(parse_tree(tree)), stages=("insert", "inflect", "punctuate"))
    assert realizer.text(found.sentence) == text


@pytest.mark.parametrize(("tree", "text"), AGREEMENT.items(), ids=AGREEMENT.values())
def test_features_that_are_given_in_part(realizer: Realizer, tree: str, text: str) -> None:
    found = realizer.realize(parse_tree(tree), stages=("inflect", "punctuate"))
    assert realizer.text(found.sentence) == text
