from __future__ import annotations

from difflib import SequenceMatcher
from pathlib import Path

import pytest

from fergus.lm.tokenize import normalise, sentences, split_sentences, tokenize


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("“I can’t go,” Mr. Dick’s aunt said.", "\" I ca n't go , \" Mr. Dick 's aunt said ."),
        ("They're gonna say I cannot—won't they?!", "They 're gon na say I can not -- wo n't they ?!"),
        ("the parents' middle-class re-election…", "the parents ' middle - class re-election ..."),
        ("O'Brien paid $1,200.50 (5%) at 7:30PM.", "O'Brien paid $ 1,200.50 ( 5 % ) at 7:30 PM ."),
        ("The U.S. and J. Smith, etc., on Sept. 11th", "The U.S. and J. Smith , etc. , on Sept. 11th"),
        ("see http://a.b/c?d=1, or mail me@x.org!", "see http://a.b/c?d=1 , or mail me@x.org !"),
        ("'Tis '72; call 713-853-3989 :)", "'T is '72 ; call 713-853-3989 :)"),
        ("AT&T and the 1590's; I sat.", "AT&T and the 1590's ; I sat ."),
        ("", ""),
    ],
)
def test_tokens(text: str, tokens: str) -> None:
    assert tokenize(text) == tokens.split()


def test_sentences_of_a_paragraph() -> None:
    text = "“Who is it?” he asked. It was Mrs. J. Bogart—Mr. Bogart’s wife. “Well!” No. 7 was shut.  "
    assert list(split_sentences(text)) == [
        '"Who is it?" he asked.',
        "It was Mrs. J. Bogart--Mr. Bogart's wife.",
        '"Well!"',
        "No. 7 was shut.",
    ]
    assert list(sentences(["A b. C d\n", "\n", "e"])) == [["A", "b", "."], ["C", "d"], ["e"]]


def test_typography_becomes_plain() -> None:
    assert normalise("‘a’ – “b”\u00a0— c\u2060…") == "'a' - \"b\" -- c..."


@pytest.mark.data
def test_agrees_with_the_web_treebank(data_dir: Path) -> None:
    text, gold, equal, found, wanted = "", [], 0, 0, 0
    for line in (data_dir / "ud" / "en_ewt-dev.conllu").read_text(encoding="utf-8").split("\n"):
        if line.startswith("# text = "):
            text = line.removeprefix("# text = ")
        elif line and line[0].isdigit() and line.split("\t")[0].isdigit():
            gold.append(normalise(line.split("\t")[1]))
        elif not line and gold:
            tokens = tokenize(text)
            equal += sum(block.size for block in SequenceMatcher(None, gold, tokens, False).get_matching_blocks())
            found, wanted, gold = found + len(tokens), wanted + len(gold), []
    assert 2 * equal / (found + wanted) > 0.988  # measured: .990
