"""Training of UDPipe models: tokenizer, tagger and parser from a treebank in CoNLL-U, the same bytes every time.

The parser is trained on tags as it will meet them: each part of the treebank is tagged by a tagger that has
not seen it (jackknifing). A tagger is right about nearly all of its own training data, and a parser trained on
that would trust it too much.
"""

from __future__ import annotations

import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from fergus.errors import InputError
from fergus.treebank.conllu import read_conllu
from fergus.treebank.word_vectors import WordVectors

METHOD = "morphodita_parsito"
NONE = "none"

TOKENIZER = (
    "tokenize_url=1;allow_spaces=0;dimension=24;segment_size=200;epochs=50;batch_size=50;initialization_range=0.2;"
    "learning_rate=0.01;learning_rate_final=0.001;dropout=0.1;early_stopping=1"
)
_TAGS = (
    "templates_1=tagger;guesser_suffix_rules_1=6;guesser_enrich_dictionary_1=2;guesser_prefixes_max_1=0;"
    "use_lemma_1=0;provide_lemma_1=0;use_xpostag_1=1;use_feats_1=1;provide_xpostag_1=1;provide_feats_1=1;"
    "prune_features_1=0"
)
TAGGER = (
    f"models=2;{_TAGS};iterations_1=8;"
    "templates_2=lemmatizer;guesser_suffix_rules_2=6;guesser_enrich_dictionary_2=3;guesser_prefixes_max_2=4;"
    "use_lemma_2=1;provide_lemma_2=1;use_xpostag_2=0;use_feats_2=0;provide_xpostag_2=0;provide_feats_2=0;"
    "prune_features_2=1;iterations_2=5"
)
FOLD_TAGGER = f"models=1;{_TAGS};iterations_1=4"
PARSER = (
    "iterations=12;embedding_upostag=20;embedding_feats=20;embedding_xpostag=0;embedding_form=50;embedding_lemma=0;"
    "embedding_deprel=20;learning_rate=0.02;learning_rate_final=0.001;l2=0.5;hidden_layer=200;batch_size=10;"
    "transition_system=projective;transition_oracle=dynamic;structured_interval=0"
)

HELD_OUT_EVERY = 10
"""Without held-out data, the last of every so many documents tell when the tokenizer has learned enough."""

_SWEEP = "import shutil, sys; sys.stdin.read(); shutil.rmtree(sys.argv[1], ignore_errors=True)"

Log = Callable[[str], None]


@dataclass(frozen=True)
class ParserSettings:
    """Options of UDPipe's three trainers, as its manual has them; ``none`` leaves a component out."""

    tokenizer: str = TOKENIZER
    tagger: str = TAGGER
    fold_tagger: str = FOLD_TAGGER
    parser: str = PARSER
    folds: int = 3
    """Parts of the treebank, each tagged by a tagger of the others; 1 for tags by the tagger itself."""


def train_parser(
    treebanks: Sequence[Path],
    *,
    heldout: Path | None = None,
    vectors: WordVectors | None = None,
    settings: ParserSettings | None = None,
    log: Log = lambda message: None,
) -> bytes:
    """The content of a model file; UDPipe writes about its progress to standard error by itself.

    With ``heldout`` every component is taken from the round that did best on it; else tagger and parser are
    trained on everything for a fixed number of rounds, and the tokenizer keeps a tenth for itself.
    """
    settings = settings or ParserSettings()
    documents = list(chain.from_iterable(map(documents_of, treebanks)))
    unseen = [] if heldout is None else list(documents_of(heldout))
    with _swept_folder() as folder:
        parts = _Parts(folder, settings, log)
        tokenizer = parts.tokenizer(documents, unseen)
        tagger = parts.tagger(documents, unseen)
        parser = parts.parser(documents, unseen, tagger, vectors)
        # UDPipe puts components of other models together, given some sentences that it does not look at.
        some = _sentences(documents[:1])
        return _train(some, _sentences([]), *map(_from_model, (tokenizer, tagger, parser)))


@contextmanager
def _swept_folder() -> Iterator[Path]:
    """A temporary folder that goes with this process, however it ends: while UDPipe works, Ctrl-C kills.

    Another process removes it, at the end of its standard input, which is ours.
    """
    folder = mkdtemp(prefix="fergus-")
    nowhere = subprocess.DEVNULL
    with subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _SWEEP, folder],
        stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere, start_new_session=True,
    ):  # fmt: skip
        yield Path(folder)


@dataclass(frozen=True)
class _Parts:
    """Components in files of their own: UDPipe reads models from files only."""

    folder: Path
    settings: ParserSettings
    log: Log

    def tokenizer(self, documents: Sequence[str], unseen: Sequence[str]) -> Path | None:
        if self.settings.tokenizer == NONE:
            return None
        self.log("training the tokenizer")
        if not unseen and len(documents) >= HELD_OUT_EVERY:
            unseen = documents[HELD_OUT_EVERY - 1 :: HELD_OUT_EVERY]
            documents = [text for number, text in enumerate(documents, 1) if number % HELD_OUT_EVERY]
        model = _train(_sentences(documents), _sentences(unseen), self.settings.tokenizer, NONE, NONE)
        return self._written("tokenizer", model)

    def tagger(self, documents: Sequence[str], unseen: Sequence[str]) -> Path | None:
        if self.settings.tagger == NONE:
            return None
        self.log("training the tagger")
        model = _train(_sentences(documents), _sentences(unseen), NONE, self.settings.tagger, NONE)
        return self._written("tagger", model)

    def parser(
        self, documents: Sequence[str], unseen: Sequence[str], tagger: Path | None, vectors: WordVectors | None
    ) -> Path | None:
        options = self.settings.parser
        if options == NONE:
            return None
        if vectors is not None:
            path = self.folder / "vectors.txt"
            vectors.write(path)
            options += f";embedding_form_file={path}"
        folds = min(self.settings.folds, len(documents))
        if folds > 1 and tagger is not None:
            options += ";use_gold_tags=1"
            training, heldout = self.jackknifed(documents, folds), _tagged(_sentences(unseen), tagger)
        else:
            training, heldout = _sentences(documents), _sentences(unseen)
        self.log("training the parser")
        model = _train(training, heldout, NONE, _from_model(tagger), options)
        return self._written("parser", model)

    def jackknifed(self, documents: Sequence[str], folds: int) -> Any:
        """All sentences, fold by fold, with tags by taggers that have not seen them."""
        from ufal.udpipe import Sentences

        result = Sentences()
        for fold in range(folds):
            self.log(f"tagging part {fold + 1} of {folds} by a tagger of the others")
            others = [text for number, text in enumerate(documents) if number % folds != fold]
            model = _train(_sentences(others), _sentences([]), NONE, self.settings.fold_tagger, NONE)
            tagged = _tagged(_sentences(documents[fold::folds]), self._written("fold", model))
            for number in range(len(tagged)):
                result.append(tagged[number])
        return result

    def _written(self, name: str, model: bytes) -> Path:
        path = self.folder / f"{name}.udpipe"
        path.write_bytes(model)
        return path


def documents_of(path: Path) -> Iterator[str]:
    """The documents of a CoNLL-U file (its sentences, if it does not mark them), checked by our own reader."""
    with path.open("rb") as stream:
        deque(read_conllu(stream, path=str(path)), maxlen=0)
    text = path.read_text(encoding="utf-8-sig")
    sentences = [part + "\n\n" for part in text.replace("\r\n", "\n").strip("\n").split("\n\n") if part.strip()]
    starts = [number for number, part in enumerate(sentences) if _begins_document(part)]
    if not starts:
        yield from sentences
        return
    for first, end in zip([0, *starts[1:]], [*starts[1:], len(sentences)], strict=True):
        yield "".join(sentences[first:end])


def _begins_document(sentence: str) -> bool:
    return any(line.startswith("# newdoc") for line in sentence.split("\n"))


def _sentences(texts: Sequence[str]) -> Any:
    from ufal.udpipe import InputFormat, ProcessingError, Sentence, Sentences

    reader = InputFormat.newConlluInputFormat()
    reader.setText("".join(texts))
    problem = ProcessingError()
    result = Sentences()
    while reader.nextSentence(sentence := Sentence(), problem):
        result.append(sentence)
    if problem.occurred():
        raise InputError(f"UDPipe cannot read the treebank: {problem.message}", remedy="correct the sentence")
    return result


def _tagged(sentences: Any, tagger: Path) -> Any:
    from ufal.udpipe import Model, ProcessingError

    model, problem = Model.load(str(tagger)), ProcessingError()
    for number in range(len(sentences)):  # a loop over the vector itself would tag copies
        model.tag(sentences[number], Model.DEFAULT, problem)
    return sentences


def _train(training: Any, heldout: Any, tokenizer: str, tagger: str, parser: str) -> bytes:
    from ufal.udpipe import ProcessingError, Trainer

    problem = ProcessingError()
    model: bytes = Trainer.train(METHOD, training, heldout, tokenizer, tagger, parser, problem)
    if problem.occurred():
        raise InputError(f"UDPipe cannot train: {problem.message}", remedy="look at the options and the treebank")
    return model


def _from_model(path: Path | None) -> str:
    return NONE if path is None else f"from_model=file:{path}"
