from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fergus.lm.arpa as arpa_module
from fergus.errors import InputError
from fergus.lm.arpa import read_arpa, write_arpa
from fergus.lm.count import count_ngrams
from fergus.lm.model import NgramModel
from fergus.lm.smooth import kneser_ney

TINY = Path(__file__).with_name("tiny.arpa")


def test_the_hand_checked_file() -> None:
    # tiny.arpa holds the example derived in test_smooth.py. After a the file has </s> .4375 and b .375; a and
    # <unk> back off with weight .5: .5 * .25 = .125 and .5 * .125 = .0625; together 1. The weight itself is
    # (1 - .4375 - .375) / (1 - P(</s>) - P(b)) = .1875 / (1 - .375 - .25) = .5.
    model = read_arpa(TINY)
    a, b, end = (model.id(word) for word in ("a", "b", "</s>"))
    probabilities = [10 ** model.logprob10([a], word) for word in (end, b, a, 0)]
    assert probabilities == pytest.approx([0.4375, 0.375, 0.125, 0.0625], abs=1e-6)
    assert 10 ** model.logprob10([b], end) == pytest.approx(0.6875, abs=1e-6)
    assert model.logprob10([], 1) == -99
    assert model.ngram_counts == (5, 4)


def test_the_estimator_writes_the_hand_checked_file(tmp_path: Path) -> None:
    estimated = kneser_ney(count_ngrams([["a", "b"], ["a"]], order=2))
    write_arpa(estimated, tmp_path / "out.arpa")
    found, expected = read_arpa(tmp_path / "out.arpa"), read_arpa(TINY)
    assert found.vocabulary == expected.vocabulary
    for one, two in zip(found.tables[1:], expected.tables[1:], strict=True):
        np.testing.assert_allclose(one, two, atol=1e-6)
    text = (tmp_path / "out.arpa").read_text(encoding="utf-8")
    assert text.startswith("\\data\\\nngram 1=5\nngram 2=4\n\n\\1-grams:\n")
    assert "\n-99\t<s>\t-0.30103" in text
    assert text.endswith("\n\n\\end\\\n")


@settings(deadline=None, max_examples=40)
@given(
    corpus=st.lists(st.lists(st.sampled_from(["a", "bé", "\u00a0", "\\end\\", "C"]), max_size=5), max_size=6),
    order=st.integers(1, 4),
)
def test_written_and_read_back(tmp_path_factory: pytest.TempPathFactory, corpus: list[list[str]], order: int) -> None:
    path = tmp_path_factory.mktemp("arpa") / "model.arpa"
    model = kneser_ney(count_ngrams(corpus, order=order))
    write_arpa(model, path)
    again = read_arpa(path)
    assert again.vocabulary == model.vocabulary
    for one, two in zip(model.tables[1:], again.tables[1:], strict=True):
        np.testing.assert_array_equal(one, two)


def test_left_out_special_words_and_other_orders_of_lines(tmp_path: Path) -> None:
    path = tmp_path / "m.arpa"
    path.write_text("\\data\\\r\nngram 1=2\r\n\r\n\\1-grams:\r\n-0.5\tb\r\n-inf a\r\n\r\n\\end\\\r\nmore\n")
    model = read_arpa(path, lowercase=True)
    assert model.vocabulary.words == ("<unk>", "<s>", "</s>", "b", "a")
    assert [model.logprob10([], word) for word in range(5)] == [-99, -99, -99, -0.5, -99]
    assert model.id("B") == 3


BAD = [
    (("\\data\\", "data"), "20: the file ends without \\data\\; is it cut off?", "missing"),
    (("ngram 2=4", "ngram 3=4"), "5: 'ngram 3=4' in \\data\\; ngram 2=NUMBER", "skipped order"),
    (("ngram 1=5\nngram 2=4\n", ""), "5: section \\1-grams:; ngram 1=NUMBER", "no counts"),
    (("ngram 1=5", "ngram 1=6"), "14: 5 1-grams where \\data\\ promised 6", "too few"),
    (("ngram 2=4", "ngram 2=3"), "20: 4 2-grams where \\data\\ promised 3", "too many"),
    (("\\2-grams:", "\\3-grams:"), "14: section \\3-grams:; \\2-grams: is expected", "missing section"),
    (("\\end\\", ""), "the file ends without \\end\\", "truncated"),
    (("-0.204120\t", "nine\t"), "15: 'nine' is no log10 of a probability", "not a number"),
    (("-0.204120\t", "nan\t"), "15: 'nan' is no log10", "nan"),
    (("-0.204120\t", "0.2\t"), "15: log10 probability 0.2 is above 0", "above one"),
    (("<s> a", "<s>"), "15: 2 columns among the 2-grams; a probability, 2 words are", "too few columns"),
    (("<s> a", "<s> a\t-0.1"), "15: 4 columns among the 2-grams", "weight of the longest"),
    (("a\t-0.301030", "a\t-0.301030 1"), "11: 4 columns among the 1-grams", "too many columns"),
    (("<s> a", "<s> z"), "15: 'z' is not among the 1-grams", "unknown word"),
    (("a b\n", "a </s>\n"), "17: 'a </s>' for the second time", "twice"),
]


@pytest.mark.parametrize(("change", "message"), [case[:2] for case in BAD], ids=[case[2] for case in BAD])
def test_bad_files(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    text = TINY.read_text(encoding="utf-8")
    assert change[0] in text
    path = tmp_path / "bad.arpa"
    path.write_text(text.replace(*change), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_arpa(path)
    assert str(caught.value).startswith(f"{path}:")
    assert message in str(caught.value)


def test_a_trigram_without_its_beginning(tmp_path: Path) -> None:
    path = tmp_path / "bad.arpa"
    path.write_text(
        "\\data\\\nngram 1=1\nngram 2=0\nngram 3=1\n\\1-grams:\n-1 a\n\\2-grams:\n\\3-grams:\n-1 a a a\n\\end\\\n"
    )
    with pytest.raises(InputError, match=r"bad.arpa:9: 'a a' is not among the 2-grams"):
        read_arpa(path)


def test_not_utf8_and_capitals(tmp_path: Path) -> None:
    path = tmp_path / "bad.arpa"
    path.write_bytes(TINY.read_bytes().replace(b"<s> a", b"<s> \xff"))
    with pytest.raises(InputError, match="not UTF-8"):
        read_arpa(path)
    path.write_bytes(TINY.read_bytes().replace(b"a", b"A").replace(b"\\dAtA\\", b"\\data\\").replace(b"grAm", b"gram"))
    with pytest.raises(InputError, match="has capitals"):
        read_arpa(path, lowercase=True)


def test_words_that_arpa_cannot_hold(tmp_path: Path) -> None:
    model = kneser_ney(count_ngrams([["New York"]]))
    with pytest.raises(InputError, match="'New York' has white space"):
        write_arpa(model, tmp_path / "x.arpa")


def test_a_failing_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "old.arpa"
    path.write_text("old")

    def broken(model: NgramModel) -> object:
        yield "half"
        raise OSError("disk full")

    monkeypatch.setattr(arpa_module, "_lines", broken)
    with pytest.raises(OSError, match="disk full"):
        write_arpa(kneser_ney(count_ngrams([["a"]])), path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
