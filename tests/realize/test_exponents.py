from __future__ import annotations

from fergus.realize.exponents import learn_exponents, shared_beginning

VOWELS = frozenset("aeiou")
NUMBER, CASE = ("Number", "Plur"), ("Case", "Loc")


def test_each_value_has_its_stretch_of_the_ending() -> None:
    # As in Turkish: -lar/-ler is the plural, -da/-de the locative, in this order.
    rows = []
    for stem, vowel in (("kap", "a"), ("ev", "e"), ("at", "a"), ("el", "e"), ("baş", "a")):
        many, place = f"l{vowel}r", f"d{vowel}"
        rows.append((stem, "NOUN", (), stem))
        rows.append((stem, "NOUN", (NUMBER,), stem + many))
        rows.append((stem, "NOUN", (CASE,), stem + place))
        rows.append((stem, "NOUN", (CASE, NUMBER), stem + many + place))
    found = learn_exponents(rows, VOWELS)
    assert found["NOUN", *NUMBER] == ("lVr",)
    assert found["NOUN", *CASE] == ("dV",)


def test_what_is_not_expressed_has_no_exponent() -> None:
    rows = [(stem, "NOUN", (("Number", "Sing"),), stem) for stem in ("cat", "dog", "cow")]
    assert learn_exponents(rows, VOWELS) == {}


def test_shared_beginning() -> None:
    assert [shared_beginning("try", word) for word in ("tries", "try", "tr", "x")] == [2, 3, 2, 0]
