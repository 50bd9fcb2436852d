"""Sentences of other libraries as trees, by their shape alone: spaCy's ``Doc`` and ``Span``, conllu's ``TokenList``.

Neither library is imported: whoever has one of its sentences has the library.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import Any

from fergus.core.tree import ROOT, DependencyTree, Node, OrderedTree
from fergus.errors import InputError
from fergus.treebank.conllu import parse_feats, read_conllu
from fergus.treebank.parse import join_roots


def as_tree(sentence: DependencyTree | OrderedTree | Iterable[Any]) -> DependencyTree | OrderedTree:
    """A tree of ours as it is, or that of one sentence of spaCy's or conllu's.

    What conllu has read is read again by our own reader, so that constraints, alternatives and ``_`` mean the same
    as in a file. White space that is a token of spaCy's own is left out.
    """
    if isinstance(sentence, DependencyTree | OrderedTree):
        return sentence
    if hasattr(sentence, "serialize") and hasattr(sentence, "metadata"):
        return _from_conllu(sentence)
    if not isinstance(sentence, str | bytes):
        parts = list(sentence) if isinstance(sentence, Iterable) else []
        if parts and all(hasattr(part, "dep_") and hasattr(part, "head") for part in parts):
            return _from_spacy(sentence, parts)
        if parts and all(hasattr(part, "serialize") and hasattr(part, "metadata") for part in parts):
            raise InputError(f"{_many(len(parts))} at once", remedy="realize them one by one")
        if hasattr(sentence, "has_annotation") and not parts:
            raise InputError("the document has no words", remedy="leave empty ones out")
    raise TypeError(
        f"a {type(sentence).__name__} is no tree; give a DependencyTree (fergus.parse_tree reads one from text), an "
        "OrderedTree, a parsed Doc or Span of spaCy, or a TokenList of conllu"
    )


def spacy_tree(tokens: Sequence[Any], forms: Sequence[str]) -> OrderedTree:
    """The tree of neighbouring tokens of a parsed document; what depends on a word outside is a root.

    Every root but the first becomes a daughter of the first.
    """
    start, size = tokens[0].i, len(tokens)
    heads = []
    for number, token in enumerate(tokens):
        head = token.head.i - start
        heads.append(head if head != number and 0 <= head < size else ROOT)
    deprels: list[str | None] = [token.dep_ or None for token in tokens]
    join_roots(heads, deprels)
    nodes = tuple(
        Node(
            form,
            lemma=token.lemma_ or None,
            upos=token.pos_ or None,
            xpos=token.tag_ or None,
            feats=parse_feats(str(token.morph)) if token.morph else None,
            deprel=deprel,
            misc=None if token.whitespace_ or token is tokens[-1] else "SpaceAfter=No",
            identifier=str(number),
        )
        for number, (form, token, deprel) in enumerate(zip(forms, tokens, deprels, strict=True), 1)
    )
    return OrderedTree(DependencyTree(nodes, tuple(heads)), tuple(range(len(nodes))))


def _from_spacy(sentence: Any, tokens: Sequence[Any]) -> OrderedTree:
    words = [number for number, token in enumerate(tokens) if not token.is_space]
    if not words:
        raise InputError("the document has no words", remedy="leave empty ones out")
    if not any(token.dep_ for token in tokens):
        raise InputError("the document has not been parsed", remedy="use a pipeline with a dependency parser")
    roots = sum(tokens[number].head.i == tokens[number].i for number in words)
    # A span is what somebody has cut out, a whole sentence or a part of one; a document has as many sentences as roots.
    if roots > 1 and hasattr(sentence, "has_annotation"):
        raise InputError(f"the document has {_many(roots)}", remedy="realize them one by one: for span in doc.sents")
    whole = spacy_tree(tokens, [token.text for token in tokens])
    if len(words) == len(tokens):
        return whole
    return OrderedTree(whole.tree.pruned(words), tuple(range(len(words))))


def _from_conllu(sentence: Any) -> OrderedTree:
    found = list(read_conllu(io.StringIO(sentence.serialize())))  # by line feeds alone: U+2028 may stand in a comment
    if len(found) != 1:
        raise InputError(f"{_many(len(found))} at once", remedy="realize them one by one")
    return found[0]


def _many(number: int) -> str:
    return f"{number} sentence{'' if number == 1 else 's'}"
