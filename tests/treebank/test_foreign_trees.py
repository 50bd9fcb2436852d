"""Sentences of spaCy and conllu as trees: with the libraries where they are installed, else with their shape."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from fergus.core.tree import ROOT, Before, DependencyTree, Node, OrderedTree
from fergus.errors import InputError
from fergus.treebank.conllu import read_conllu
from fergus.treebank.foreign_trees import as_tree

DOGS = """\
# sent_id = dogs
1\tDogs\tdog\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t_\tBefore=3
2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_
3\tloudly\tloudly\tADV\tRB\t_\t2\tadvmod\t_\tSpaceAfter=No

"""


@dataclass
class Token:
    """The shape of a token of spaCy's."""

    i: int
    text: str
    head: Token = field(init=False)
    dep_: str = ""
    lemma_: str = ""
    pos_: str = ""
    tag_: str = ""
    morph: str = ""
    whitespace_: str = " "

    @property
    def is_space(self) -> bool:
        return self.text.isspace()


class Span:
    """The shape of a span, which is part of a document."""

    def __init__(self, words: str, heads: list[int], deps: list[str], *, start: int = 0) -> None:
        self.tokens = [Token(start + i, word.replace("_", " ")) for i, word in enumerate(words.split())]
        for token, head, dep in zip(self.tokens, heads, deps, strict=True):
            token.head = self.tokens[head] if head >= 0 else Token(start + head, "outside")
            token.dep_ = dep

    def __iter__(self) -> Iterator[Token]:
        return iter(self.tokens)


class Doc(Span):
    """The shape of a document."""

    def has_annotation(self, name: str) -> bool:
        return name == "DEP"


def test_a_tree_of_ours_stays_what_it_is() -> None:
    tree = DependencyTree((Node("dogs"),), (ROOT,))
    assert as_tree(tree) is tree
    ordered = OrderedTree(tree, (0,))
    assert as_tree(ordered) is ordered


def test_a_document() -> None:
    found = as_tree(Doc("Dogs bark .", [1, 1, 1], ["nsubj", "ROOT", "punct"]))
    assert isinstance(found, OrderedTree)
    assert found.forms == ("Dogs", "bark", ".")
    assert found.tree.heads == (1, ROOT, 1)
    assert [node.deprel for node in found.tree.nodes] == ["nsubj", "ROOT", "punct"]


def test_a_span_begins_where_it_begins_and_may_be_part_of_a_sentence() -> None:
    # "loudly" and "today" both depend on a word before the span: the second becomes a daughter of the first.
    found = as_tree(Span("very loudly today", [1, -1, -1], ["advmod", "advmod", "obl"], start=7))
    assert isinstance(found, OrderedTree)
    assert found.tree.heads == (1, ROOT, 1)
    assert [node.deprel for node in found.tree.nodes] == ["advmod", "advmod", "dep"]


def test_white_space_is_no_word() -> None:
    found = as_tree(Doc("_ Dogs _ bark", [1, 3, 1, 3], ["dep", "nsubj", "dep", "ROOT"]))
    assert isinstance(found, OrderedTree)
    assert found.forms == ("Dogs", "bark")
    assert found.tree.heads == (1, ROOT)


@pytest.mark.parametrize(
    ("sentence", "problem"),
    [
        (Doc("Dogs bark Cats sleep", [1, 1, 3, 3], ["nsubj", "ROOT", "nsubj", "ROOT"]), "has 2 sentences; realize"),
        (Doc("Dogs bark", [0, 1], ["", ""]), "has not been parsed; use a pipeline"),
        (Doc("_", [0], [""]), "no words"),
        (Doc("", [], []), "no words"),
    ],
)
def test_documents_that_are_no_tree(sentence: Doc, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        as_tree(sentence)


@pytest.mark.parametrize("value", ["saw(I her)", b"saw", 7, None, [], ["saw", "I"], {"form": "saw"}])
def test_what_is_no_tree_at_all(value: Any) -> None:
    with pytest.raises(TypeError, match=rf"^a {type(value).__name__} is no tree; give a DependencyTree"):
        as_tree(value)


def test_a_sentence_of_conllu_means_what_it_means_in_a_file() -> None:
    conllu = pytest.importorskip("conllu", reason="conllu is not installed (pip install conllu)")
    (ours,) = read_conllu(DOGS.splitlines(keepends=True))
    (theirs,) = conllu.parse(DOGS)
    found = as_tree(theirs)
    assert isinstance(found, OrderedTree)
    assert found.tree.nodes == ours.tree.nodes
    assert found.tree.heads == ours.tree.heads
    assert found.tree.constraints == (Before(0, 2),)
    assert dict(found.tree.metadata)["sent_id"] == "dogs"
    (root,) = conllu.parse_tree(DOGS)
    assert as_tree(root) == found


def test_only_line_feeds_end_a_line_of_conllu() -> None:
    conllu = pytest.importorskip("conllu", reason="conllu is not installed (pip install conllu)")
    (theirs,) = conllu.parse(DOGS.replace("# sent_id = dogs", "# text = Dogs\u2028bark\x85loudly"))
    found = as_tree(theirs)
    assert isinstance(found, OrderedTree)
    assert dict(found.tree.metadata)["text"] == "Dogs\u2028bark\x85loudly"
    assert found.forms == ("Dogs", "bark", "loudly")


def test_sentences_of_conllu_that_are_not_one_tree() -> None:
    conllu = pytest.importorskip("conllu", reason="conllu is not installed (pip install conllu)")
    with pytest.raises(InputError, match="2 sentences at once; realize them one by one"):
        as_tree(conllu.parse(DOGS + DOGS))
    (broken,) = conllu.parse(DOGS.replace("\t2\tadvmod", "\t9\tadvmod"))
    with pytest.raises(InputError, match="head"):
        as_tree(broken)
    with pytest.raises(InputError, match="no sentence"):
        as_tree(conllu.TokenList([]))


def test_a_document_of_spacy() -> None:
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed (pip install 'fergus[spacy]')")
    from spacy.tokens import Doc as RealDoc

    vocab = spacy.blank("en").vocab
    real = RealDoc(
        vocab,
        words=["Dogs", "bark", "loudly", ".", "\n", "Cats", "sleep"],
        heads=[1, 1, 1, 1, 3, 6, 6],
        deps=["nsubj", "ROOT", "advmod", "punct", "dep", "nsubj", "ROOT"],
        pos=["NOUN", "VERB", "ADV", "PUNCT", "SPACE", "NOUN", "VERB"],
        morphs=["Number=Plur", "", "", "", "", "", ""],
    )
    with pytest.raises(InputError, match="has 2 sentences"):
        as_tree(real)
    first, second = (as_tree(span) for span in real.sents)
    assert isinstance(first, OrderedTree)
    assert isinstance(second, OrderedTree)
    assert first.forms == ("Dogs", "bark", "loudly", ".")
    assert first.tree.nodes[0].feats == (("Number", "Plur"),)
    assert second.tree.heads == (1, ROOT)
    with pytest.raises(InputError, match="has not been parsed"):
        as_tree(RealDoc(vocab, words=["Dogs", "bark"]))
    with pytest.raises(InputError, match="no words"):
        as_tree(RealDoc(vocab, words=[]))
