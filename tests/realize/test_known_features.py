from __future__ import annotations

import re

import pytest

from fergus.errors import InputError
from fergus.realize.known_features import KnownFeatures, misspelt, universal_features

KNOWN = KnownFeatures([(("Style", "Slng"), ("Case", "Acc,Dat"))])


@pytest.mark.parametrize(
    "feats",
    [
        (("Tense", "Past"),),  # the standard's
        (("Style", "Slng"),),  # the treebank's
        (("Number[psor]", "Sing"),),  # a layer
        (("Case", "Nom,Acc"),),  # several values
        (),
    ],
)
def test_known_ones_pass(feats: tuple[tuple[str, str], ...]) -> None:
    KNOWN.check(feats, word="go", source="x:1")


@pytest.mark.parametrize(
    ("feats", "message"),
    [
        ((("Tens", "Past"),), "x:1: Tens=Past of 'go': there is no feature Tens; did you mean Tense?"),
        ((("Qqq", "1"),), "x:1: Qqq=1 of 'go': there is no feature Qqq; use one of Abbr, "),
        ((("Tense", "Gone"),), "x:1: Tense=Gone of 'go': no such value of Tense; use Tense=Fut|Imp|Past|Pqp|Pres"),
    ],
)
def test_unknown_ones_do_not(feats: tuple[tuple[str, str], ...], message: str) -> None:
    with pytest.raises(InputError) as caught:
        KNOWN.check(feats, word="go", source="x:1")
    assert str(caught.value).startswith(message)


DEEP = {"Aspect": {"PerfProg"}, "Tense": set[str](), "id1": set[str]()}


@pytest.mark.parametrize("feat", [("Aspect", "PerfProg"), ("Aspect", "Perf"), ("Tense", "Past"), ("id1", "7")])
def test_deep_trees_have_values_and_names_of_their_own(feat: tuple[str, str]) -> None:
    KNOWN.check((feat,), word="go", source="x:1", deep=DEEP)


@pytest.mark.parametrize(
    ("feat", "message"),
    [
        (("Aspect", "PerfPog"), "no such value of Aspect; use Aspect=Hab|Imp|Iter|Perf|PerfProg|Prog|Prosp"),
        (("Tense", "Pst"), "no such value of Tense; use Tense=Fut|Imp|Past|Pqp|Pres"),
        (("id", "7"), "there is no feature id; did you mean id1?"),
    ],
)
def test_wrong_ones_of_deep_trees_are_told(feat: tuple[str, str], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        KNOWN.check((feat,), word="go", source="x:1", deep=DEEP)


def test_the_standard_has_values_for_every_feature() -> None:
    assert all(universal_features().values())
    assert "Pqp" in universal_features()["Tense"]


@pytest.mark.parametrize(
    ("feat", "meant"),
    [
        (("Tens", "Past"), "Tense=Past"),
        (("Number[psor]", "Plurr"), "Number[psor]=Plur"),
        (("Numbr[psor]", "Plur"), "Number[psor]=Plur"),
        (("Number", "Sing,Plurr"), "Number=Sing,Plur"),
        (("NounType", "Strong"), ""),
        (("NameType", "Giv"), ""),
        (("Tense", "Past"), ""),
        (("Case", "Acc,Nom"), ""),
        (("Polite", "Formal"), ""),  # a treebank's own value
        (("NumForm", "Digit"), ""),  # a treebank's own name
    ],
)
def test_what_is_misspelt_and_what_is_somebodys_own(feat: tuple[str, str], meant: str) -> None:
    assert misspelt(*feat) == meant
