from __future__ import annotations

import pytest

from fergus.realize.analogy import ENOUGH, Analogy, change_of
from fergus.realize.inflection_lexicon import InflectionLexicon

PLURAL = (("Number", "Plur"),)
TYPO = (("Number", "Plur"), ("Typo", "Yes"))
FORMS = {"box": "boxes", "tax": "taxes", "dog": "dogs", "cat": "cats", "story": "stories"}
LEXICON = InflectionLexicon(
    {("", "NOUN", PLURAL): {"x": 1}, **{(lemma, "NOUN", PLURAL): {form: 2} for lemma, form in FORMS.items()}}
)


@pytest.mark.parametrize(
    ("plain", "others", "expected"),
    [(ENOUGH, 0, True), (ENOUGH - 1, 0, False), (99, 1, True), (98, 2, False), (0, 40, False)],
)
def test_features_that_leave_the_lemma_as_it_is(plain: int, others: int, expected: bool) -> None:
    singular = (("Number", "Sing"),)
    forms = {(f"a{i}", "NOUN", singular): {f"a{i}" if i < plain else "b": 1} for i in range(plain + others)}
    analogy = Analogy(InflectionLexicon(forms))
    assert analogy.is_plain("NOUN", singular) is expected
    assert not analogy.is_plain("NOUN", PLURAL)


@pytest.mark.parametrize(
    ("lemma", "form", "change"),
    [
        ("box", "boxes", ("", "es")),
        ("story", "stories", ("y", "ies")),
        ("stop", "stopped", ("", "2ed")),
        ("see", "seee", ("", "e")),  # a single letter is an ending, not a doubling
        ("", "a", ("", "a")),
    ],
)
def test_changes(lemma: str, form: str, change: tuple[str, str]) -> None:
    assert change_of(lemma, form) == change


def test_the_longest_ending_weighs_most() -> None:
    analogy = Analogy(LEXICON)
    # Of 5 lemmas 2 add es: (2 + 3 * .001) / 8 = .250375; of those in -x both: (2 + 3 * .250375) / 5 = .550225; of those
    # in -ox one: (1 + 3 * .550225) / 4 = .66266875; nothing ends in -fox.
    assert analogy.probability("fox", "NOUN", PLURAL, "foxes") == pytest.approx(0.66266875)
    # +s: (2 + .003) / 8 = .250375; -x: 3 * .250375 / 5 = .150225; -ox: 3 * .150225 / 4.
    assert analogy.probability("fox", "NOUN", PLURAL, "foxs") == pytest.approx(0.11266875)


def test_the_order_of_forms_is_turned() -> None:
    revised = Analogy(LEXICON).revised("fox", "NOUN", PLURAL, {"foxs": 0.55, "foxes": 0.45})
    assert max(revised, key=revised.__getitem__) == "foxes"
    assert sum(revised.values()) == pytest.approx(1.0)


def test_where_nothing_is_known_nothing_changes() -> None:
    analogy = Analogy(LEXICON)
    assert analogy.probability("fox", "VERB", (), "foxes") is None
    assert analogy.revised("fox", "VERB", (), {"fox": 0.25, "foxes": 0.75}) == {"fox": 0.25, "foxes": 0.75}
    assert analogy.revised("fox", "NOUN", PLURAL, {}) == {}


def test_unpredictable_forms_teach_nothing() -> None:
    lexicon = InflectionLexicon({("dog", "NOUN", TYPO): {"dgos": 1}})
    assert Analogy(lexicon, unpredictable={"Typo"}).probability("cat", "NOUN", TYPO, "ctas") is None
    assert Analogy(lexicon).probability("cat", "NOUN", TYPO, "ctas") is not None
