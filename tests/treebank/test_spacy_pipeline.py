"""The adapter with real pipelines of spaCy, trained here on two sentences; skipped where spaCy is not installed."""

from __future__ import annotations

from typing import Any

import pytest

from fergus.core.tree import ROOT
from fergus.errors import InputError, ModelError
from fergus.treebank.parse import Parser, load_parser
from fergus.treebank.spacy_pipeline import spacy_parser

spacy = pytest.importorskip("spacy", reason="spaCy is not installed (pip install 'fergus[spacy]')")


@pytest.fixture(scope="module")
def pipeline() -> Any:
    from spacy.training import Example

    nlp = spacy.blank("en")
    nlp.add_pipe("parser")
    words = ["Dogs", "bark", "."]
    example = Example.from_dict(
        nlp.make_doc("Dogs bark."), {"words": words, "heads": [1, 1, 1], "deps": ["nsubj", "ROOT", "punct"]}
    )
    nlp.initialize(lambda: [example] * 40)  # spaCy leaves out labels that it has not seen thirty times
    for _ in range(20):
        nlp.update([example])
    return nlp


@pytest.fixture(scope="module")
def parser(pipeline: Any) -> Parser:
    return spacy_parser(pipeline, "two_dogs")


def test_labels_are_kept_as_they_are(parser: Parser) -> None:
    (tree,) = parser.parse_tokens([["Dogs", "bark", "."]])
    assert [node.deprel for node in tree.tree.nodes] == ["nsubj", "ROOT", "punct"]
    assert tree.tree.heads == (1, ROOT, 1)
    assert tree.tree.nodes[0].upos is None


def test_text_lines_and_tokens(parser: Parser) -> None:
    assert parser.tokenize("Dogs  don't\nbark.") == ["Dogs", "do", "n't", "bark", "."]
    assert parser.tokenize(" ") == []
    assert parser.parse_line("Dogs bark.").forms == ("Dogs", "bark", ".")
    assert parser.parse_line("Dogs bark.").tree.nodes[1].misc == "SpaceAfter=No"
    assert [tree.forms[0] for tree in parser.parse_text("Dogs bark.\n \nCats sleep.\n\n")] == ["Dogs", "Cats"]
    with pytest.raises(InputError, match="the line has no words"):
        parser.parse_line("")


def test_any_tokens_are_kept(parser: Parser) -> None:
    odd = ["", " ", "a b", "\t", "\u200b", "\ud800", "\0", "x" * 1000]
    for tokens in (odd, ["Dogs", "bark", "."] * 100):
        (tree,) = parser.parse_tokens([tokens])
        assert list(tree.forms) == tokens
        assert tree.tree.heads.count(ROOT) == 1


def test_signature_and_missing_pipelines(parser: Parser) -> None:
    assert parser.name == "spacy:two_dogs"
    assert parser.signature.startswith("spacy:en_pipeline|version:")
    with pytest.raises(ModelError, match="spacy:blank: the pipeline has no dependency parser, only nothing"):
        spacy_parser(spacy.blank("en"), "blank")
    with pytest.raises(ModelError, match=r"no such pipeline is installed; run: python -m spacy download xx_none"):
        load_parser("spacy:xx_none")
