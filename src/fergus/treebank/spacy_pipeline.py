"""Parsing by an installed spaCy pipeline, with its labels as they are (those of English pipelines are ClearNLP's)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fergus.core.tree import OrderedTree
from fergus.errors import InputError, ModelError
from fergus.treebank.foreign_trees import spacy_tree
from fergus.treebank.parse import SPACY, check_not_empty, encodable

_PARAGRAPH_END = re.compile(r"\n\s*\n")


@dataclass(frozen=True)
class SpacyParser:
    """A loaded pipeline."""

    name: str
    signature: str
    pipeline: Any

    def parse_tokens(self, sentences: Sequence[Sequence[str]]) -> list[OrderedTree]:
        """One tree a sentence, whose nodes are the tokens: as many, in their order, spelled as they are."""
        from spacy.tokens import Doc

        check_not_empty(sentences)
        trees = []
        for tokens in sentences:
            # spaCy has no empty token.
            words = [encodable(token) or " " for token in tokens]
            trees.append(self._one_tree(Doc(self.pipeline.vocab, words=words), tokens))
        return trees

    def tag_tokens(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """The universal tag of every token; a pipeline does not give it for less than a tree."""
        trees = self.parse_tokens(sentences)
        return [[tree.tree.nodes[node].upos or "" for node in tree.order] for tree in trees]

    def parse_line(self, line: str) -> OrderedTree:
        """The tree of one sentence as people write it, which is tokenized but not split further."""
        document = self.pipeline.make_doc(_on_one_line(line))
        if not len(document):
            raise InputError("the line has no words", remedy="leave empty lines out")
        return self._one_tree(document, [token.text for token in document])

    def _one_tree(self, document: Any, forms: Sequence[str]) -> OrderedTree:
        """The tree of a document that is one sentence, whatever the pipeline thinks."""
        for token in list(document)[1:]:
            token.is_sent_start = False
        return spacy_tree(list(self.pipeline(document)), forms)

    def parse_text(self, text: str) -> list[OrderedTree]:
        """The trees of running text; an empty line always ends a sentence."""
        paragraphs = (_on_one_line(part) for part in _PARAGRAPH_END.split(text))
        documents = self.pipeline.pipe(filter(None, paragraphs))
        sentences = (list(span) for document in documents for span in document.sents)
        return [spacy_tree(tokens, [token.text for token in tokens]) for tokens in sentences]

    def tokenize(self, line: str) -> list[str]:
        """The words of one sentence as people write it; none if there is nothing but spaces."""
        return [token.text for token in self.pipeline.make_doc(_on_one_line(line))]


def load_spacy(name: str) -> SpacyParser:
    """An installed pipeline by its name, or the folder of one."""
    try:
        import spacy
    except ImportError:
        problem = f"{SPACY}{name}: spaCy is not installed; run: pip install 'fergus[spacy]'"
        raise ModelError(problem) from None
    try:
        pipeline = spacy.load(name)
    except OSError:
        problem = f"{SPACY}{name}: no such pipeline is installed; run: python -m spacy download {name}"
        raise ModelError(problem) from None
    return spacy_parser(pipeline, name)


def spacy_parser(pipeline: Any, name: str) -> SpacyParser:
    """A pipeline in hand as a parser."""
    import spacy

    if not any("token.dep" in pipeline.get_pipe_meta(part).assigns for part in pipeline.pipe_names):
        parts = ", ".join(pipeline.pipe_names) or "nothing"
        raise ModelError(
            f"{SPACY}{name}: the pipeline has no dependency parser, only {parts}; use one that has, "
            "for example en_core_web_sm"
        )
    meta = pipeline.meta
    signature = f"{SPACY}{meta['lang']}_{meta['name']}|version:{meta['version']}|spacy:{spacy.__version__}"
    return SpacyParser(f"{SPACY}{name}", signature, pipeline)


def _on_one_line(text: str) -> str:
    """Any white space as single spaces, of which spaCy makes no tokens."""
    return " ".join(encodable(text).split())
