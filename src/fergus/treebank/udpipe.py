"""Parsing by UDPipe 1 (Straka and Straková 2017), whose models have tokenizer, tagger and parser in one file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fergus.core.tree import ROOT, DependencyTree, Node, OrderedTree
from fergus.errors import InputError, ModelError
from fergus.treebank.conllu import parse_feats
from fergus.treebank.parse import check_not_empty, encodable, join_roots

_MAGIC = b"\x12morphodita_parsito"
"""How every model of UDPipe 1 begins: the length of the method's name, and the name."""
_RUNNING_TEXT = "normalized_spaces"
_ONE_SENTENCE = "normalized_spaces;presegmented"
_DIGITS = 12

Features = dict[str, tuple[tuple[str, str], ...] | None]


@dataclass(frozen=True)
class UdpipeParser:
    """A loaded model; may be used from several threads."""

    name: str
    signature: str
    model: Any

    def parse_tokens(self, sentences: Sequence[Sequence[str]]) -> list[OrderedTree]:
        """One tree a sentence, whose nodes are the tokens: as many, in their order, spelled as they are."""
        features: Features = {}
        trees = []
        for tokens, sentence in zip(sentences, _given(sentences), strict=True):
            self._tag(sentence)
            self._parse(sentence)
            trees.append(_tree(sentence, features, tokens=tokens))
        return trees

    def tag_tokens(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """The universal tag of every token, without the cost of a tree."""
        tags = []
        for sentence in _given(sentences):
            self._tag(sentence)
            tags.append([word.upostag for word in list(sentence.words)[1:]])
        return tags

    def parse_line(self, line: str) -> OrderedTree:
        """The tree of one sentence as people write it, which is tokenized but not split further."""
        for tree in self._parsed(_on_one_line(line), _ONE_SENTENCE):
            return tree
        raise InputError("the line has no words", remedy="leave empty lines out")

    def parse_text(self, text: str) -> list[OrderedTree]:
        """The trees of running text; an empty line always ends a sentence."""
        return list(self._parsed(encodable(text), _RUNNING_TEXT))

    def tokenize(self, line: str) -> list[str]:
        """The words of one sentence as people write it; none if there is nothing but spaces.

        They are syntactic words: what Universal Dependencies splits (*don't*, *du*) comes as its parts.
        """
        for sentence in self._sentences(_on_one_line(line), _ONE_SENTENCE):
            return [word.form for word in list(sentence.words)[1:]]
        return []

    def _parsed(self, text: str, options: str) -> Iterator[OrderedTree]:
        features: Features = {}
        for sentence in self._sentences(text, options):
            self._tag(sentence)
            self._parse(sentence)
            yield _tree(sentence, features)

    def _sentences(self, text: str, options: str) -> Iterator[Any]:
        from ufal.udpipe import ProcessingError, Sentence

        tokenizer = self.model.newTokenizer(options)
        if tokenizer is None:
            raise ModelError(f"{self.name}: the model has no tokenizer; give tokens, or a model trained with one")
        tokenizer.setText(text + "\n")  # else the last word is one with no space after it
        problem = ProcessingError()
        while tokenizer.nextSentence(sentence := Sentence(), problem):
            yield sentence

    def _tag(self, sentence: Any) -> None:
        from ufal.udpipe import Model, ProcessingError

        if not self.model.tag(sentence, Model.DEFAULT, ProcessingError()):
            raise ModelError(f"{self.name}: the model has no tagger; use one trained with tagger and parser")

    def _parse(self, sentence: Any) -> None:
        from ufal.udpipe import Model, ProcessingError

        if not self.model.parse(sentence, Model.DEFAULT, ProcessingError()):
            raise ModelError(f"{self.name}: the model has no parser; use one trained with tagger and parser")


def load_udpipe(path: Path) -> UdpipeParser:
    """A model of UDPipe 1 from its file."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelError(f"{path}: the model cannot be read ({error.strerror}); check the name") from None
    if not data.startswith(_MAGIC):
        raise ModelError(f"{path}: no model of UDPipe 1; give a file that `fergus train-parser` or UDPipe wrote")
    from ufal.udpipe import Model, Version

    model = Model.load(str(path))
    if model is None:
        raise ModelError(f"{path}: the model is broken ({len(data):,} bytes); get the whole file")
    version = Version.current()
    signature = (
        f"udpipe:{path.stem}|sha256:{hashlib.sha256(data).hexdigest()[:_DIGITS]}"
        f"|version:{version.major}.{version.minor}.{version.patch}"
    )
    return UdpipeParser(path.stem, signature, model)


def _given(sentences: Sequence[Sequence[str]]) -> Iterator[Any]:
    """Sentences of UDPipe's, with these tokens."""
    from ufal.udpipe import Sentence

    check_not_empty(sentences)
    for tokens in sentences:
        sentence = Sentence()
        for token in tokens:
            sentence.addWord(encodable(token))
        yield sentence


def _on_one_line(line: str) -> str:
    """Any white space as single spaces: a line feed would end the sentence."""
    return " ".join(encodable(line).split())


def _tree(sentence: Any, features: Features, *, tokens: Sequence[str] = ()) -> OrderedTree:
    """What UDPipe made of a sentence; the forms are those of ``tokens``, if given."""
    words = list(sentence.words)[1:]  # the first stands for the root
    heads = [ROOT if word.head == 0 else word.head - 1 for word in words]
    deprels: list[str | None] = [word.deprel or None for word in words]
    join_roots(heads, deprels)
    forms = tokens or [word.form for word in words]
    nodes = tuple(
        Node(
            form,
            lemma=_label(word.lemma),
            upos=_label(word.upostag),
            xpos=_label(word.xpostag),
            feats=_features(word.feats, features),
            deprel=deprel,
            misc=word.misc or None,
            identifier=str(word.id),
        )
        for form, word, deprel in zip(forms, words, deprels, strict=True)
    )
    tree = DependencyTree(nodes, tuple(heads), metadata=tuple(_metadata(sentence)))
    return OrderedTree(tree, tuple(range(len(nodes))))


def _label(value: str) -> str | None:
    return value if value not in ("", "_") else None


def _features(text: str, known: Features) -> tuple[tuple[str, str], ...] | None:
    if text not in known:
        known[text] = parse_feats(text) if _label(text) else None
    return known[text]


def _metadata(sentence: Any) -> Iterator[tuple[str, str]]:
    """The text, where a paragraph begins, and multiword tokens in the manner of the CoNLL-U reader."""
    for comment in sentence.comments:
        key, _, value = comment.removeprefix("#").strip().partition(" = ")
        if key in ("newpar", "text"):
            yield key, value
    for token in sentence.multiwordTokens:
        span = f"multiword {token.idFirst}-{token.idLast}"
        yield span, token.form
        if token.misc:
            yield f"{span} misc", token.misc
