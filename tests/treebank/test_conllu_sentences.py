from __future__ import annotations

import io
import pickle
from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fergus.core.tree import OrderedTree
from fergus.errors import InputError
from fergus.treebank.conllu import parse_conllu, read_sentences
from fergus.treebank.conllu_sentences import UnreadSentence, split_conllu

FIRST, SECOND = "1\tgo\t_\t_\t_\t_\t0\t_\t_\t_", "2\tnow\t_\t_\t_\t_\t1\t_\t_\t_"
NONE = "x:1: there is no sentence in the input; give CoNLL-U"


def split(text: str | bytes) -> list[UnreadSentence | InputError]:
    return list(split_conllu(io.BytesIO(text if isinstance(text, bytes) else text.encode()), path="x"))


def test_sentences_are_lines_with_the_place_of_the_first() -> None:
    text = f"\n# a\n{FIRST}\n{SECOND}\n\n \t\n# nothing else\n\n{FIRST}\n# late"
    assert split(text) == [
        UnreadSentence(["# a", FIRST, SECOND], 2, "x"),
        UnreadSentence([FIRST, "# late"], 9, "x"),
    ]


@pytest.mark.parametrize("text", ["", "\n \n", "# nothing else", "# a\n\n# b\n"])
def test_no_sentence_at_all(text: str) -> None:
    (problem,) = split(text)
    assert str(problem) == NONE


def test_a_broken_line_stands_for_its_sentence_even_if_that_is_a_comment() -> None:
    found = split(f"{FIRST}\n\n".encode() + b"# \xff\n\n" + f"{FIRST}\n".encode() + b"\xfe\n")
    assert [one.first if isinstance(one, UnreadSentence) else str(one)[:4] for one in found] == [1, "x:3:", "x:6:"]


def test_a_source_that_breaks_off_ends_with_the_error() -> None:
    class Broken(io.RawIOBase):
        given = iter([f"{FIRST}\n\n{FIRST}\n".encode()])

        def read1(self, size: int) -> bytes:
            if some := next(self.given, b""):
                return some
            raise OSError("gone")

    sentence, problem = split_conllu(Broken(), path="x")
    assert sentence == UnreadSentence([FIRST], 1, "x")
    assert str(problem).startswith("x:4: the input cannot be read on (gone)")


LINES = st.lists(st.sampled_from([FIRST, SECOND, "# a = b", "", " ", "\t", "1\t2", "\x85"]))


def obvious(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """The slow way: a line at a time."""
    sentence: list[str] = []
    for number, line in enumerate([*lines, ""], 1):
        if line and not line.isspace():
            sentence.append(line)
            continue
        if any(not one.startswith("#") for one in sentence):
            yield number - len(sentence), sentence
        sentence = []


@given(LINES, st.integers(1, 40))
def test_wherever_a_block_of_bytes_ends(lines: list[str], size: int) -> None:
    data = "\n".join(lines).encode()

    class Pieces(io.BytesIO):
        def read1(self, _: int | None = -1) -> bytes:
            return super().read1(size)

    found = list(split_conllu(Pieces(data), path="x"))
    expected = [UnreadSentence(sentence, number, "x") for number, sentence in obvious(lines)]
    assert found == expected or ([str(one) for one in found], expected) == ([NONE], [])


@given(LINES)
def test_read_elsewhere_they_are_what_they_are_here(lines: list[str]) -> None:
    data = "\n".join(lines).encode()
    here = list(parse_conllu(io.BytesIO(data), path="x"))
    there = [next(read_sentences(pickle.loads(pickle.dumps([item])))) for item in split(data)]
    assert list(map(str, there)) == list(map(str, here))
    assert [one for one in there if isinstance(one, OrderedTree)] == [
        one for one in here if isinstance(one, OrderedTree)
    ]


@example([])
@example(["# a"])
@example(["", FIRST])
@given(st.lists(st.text(st.sampled_from("#1\t\n_ a"), max_size=30)))
def test_any_lines_are_a_tree_or_an_input_error(lines: list[str]) -> None:
    (found,) = read_sentences([UnreadSentence(lines, 7, "x")])
    assert isinstance(found, OrderedTree) or str(found).startswith("x:")


def test_whatever_else_is_in_a_stream_stays_as_it_is() -> None:
    (tree,) = read_sentences([UnreadSentence([FIRST], 1, "x")])
    problem = InputError("bad")
    assert all(a is b for a, b in zip(read_sentences([tree, problem]), [tree, problem], strict=True))
