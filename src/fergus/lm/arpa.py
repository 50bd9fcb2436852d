"""Language models as ARPA text, which SRILM and KenLM share: log10 P, n-gram, log10 back-off weight.

    \\data\\
    ngram 1=4

    \\1-grams:
    -0.30103        <unk>
    -99     <s>     -0.30103
    ...
    \\end\\
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from fergus.errors import InputError
from fergus.lm.model import NgramModel
from fergus.lm.tables import LOG_ZERO, TrieLevel, make_tables, rows_of_level, split_tables
from fergus.lm.vocabulary import SPECIAL, Vocabulary
from fergus.whole_file import WholeFile

_COUNT = re.compile(r"ngram\s+([0-9]{1,15})\s*=\s*([0-9]{1,15})$")
_SPACE = re.compile(r"[\0\t\n\r ]")  # what KenLM takes for space; a no-break space may be in a word


def write_arpa(model: NgramModel, path: str | os.PathLike[str]) -> None:
    """Write ``model`` beside ``path`` and rename it when complete: there is never half a file."""
    for word in model.vocabulary.words:
        if not word or _SPACE.search(word):
            raise InputError(f"word {word!r} has white space in it or is empty", remedy="ARPA cannot hold it")
    with WholeFile(path) as out:
        out.writelines(line.encode() for line in _lines(model))


def _lines(model: NgramModel) -> Iterator[str]:
    yield "\\data\\\n"
    for length, number in enumerate(model.ngram_counts, 1):
        yield f"ngram {length}={number}\n"
    levels = split_tables(model.tables)
    words = np.array(model.vocabulary.words, dtype=object)
    has_children = [np.bincount(above.prefix, minlength=len(level.word)) > 0 for level, above in pairwise(levels)]
    for length, level in enumerate(levels, 1):
        yield f"\n\\{length}-grams:\n"
        rows = rows_of_level(levels, length)
        # float32 in nine digits reads back as the same number
        for row, logprob10, backoff10, number in zip(
            words[rows], level.logprob10.tolist(), level.backoff10.tolist(), range(len(rows)), strict=True
        ):
            weight = (
                f"\t{backoff10:.9g}" if length < len(levels) and (has_children[length - 1][number] or backoff10) else ""
            )
            yield f"{logprob10:.9g}\t{' '.join(row)}{weight}\n"
    yield "\n\\end\\\n"


def read_arpa(path: str | os.PathLike[str], *, lowercase: bool = False) -> NgramModel:
    """Read a model; ``lowercase`` says that it was trained on lower-cased text, and look-ups will be, too.

    <unk> that the file leaves out has log10 probability -99, and so have <s> and </s>.
    """
    with open(path, encoding="utf-8", errors="strict") as file:
        reader = _Reader(os.fspath(path))
        number = 0
        try:
            for number, line in enumerate(file, 1):
                reader.read(line.strip(" \t\r\n"), number)
        except UnicodeDecodeError as error:
            raise InputError(f"not UTF-8 ({error.reason})", path=reader.path, line=number + 1) from error
    return reader.finish(number, lowercase)


Ngrams = dict[tuple[str, ...], tuple[float, float]]


@dataclass
class _Reader:
    path: str
    expected: dict[int, int] = field(default_factory=dict)
    sections: list[Ngrams] = field(default_factory=list)
    state: str = "before"  # then data, ngrams, end

    def read(self, line: str, number: int) -> None:
        if not line or self.state == "end":
            return
        if self.state == "before":
            # Whatever stands above \data\ is a comment, in SRILM's reader and here.
            self.state = "data" if line == "\\data\\" else "before"
        elif line.startswith("\\") and "\t" not in line and " " not in line:
            self._section(line, number)
        elif self.state == "data":
            self._count(line, number)
        else:
            self._ngram(line, number)

    def finish(self, last_line: int, lowercase: bool) -> NgramModel:
        if self.state != "end":
            missing = "\\data\\" if self.state == "before" else "\\end\\"
            raise self._error(f"the file ends without {missing}", last_line, "is it cut off?")
        return _build(self.sections, lowercase, self.path, last_line)

    def _count(self, line: str, number: int) -> None:
        match = _COUNT.match(line)
        if match is None or int(match[1]) != len(self.expected) + 1:
            raise self._error(f"{line!r} in \\data\\", number, f"ngram {len(self.expected) + 1}=NUMBER is expected")
        self.expected[int(match[1])] = int(match[2])

    def _section(self, line: str, number: int) -> None:
        if self.sections:
            found, promised = len(self.sections[-1]), self.expected[len(self.sections)]
            if found != promised:
                problem = f"{found} {len(self.sections)}-grams where \\data\\ promised {promised}"
                raise self._error(problem, number, "is the file cut off, or an n-gram in it twice?")
        following = len(self.sections) + 1
        wanted = f"\\{following}-grams:" if following in self.expected else "\\end\\"
        if line != wanted or not self.expected:
            raise self._error(f"section {line}", number, f"{wanted if self.expected else 'ngram 1=NUMBER'} is expected")
        if line == "\\end\\":
            self.state = "end"
        else:
            self.state = "ngrams"
            self.sections.append({})

    def _ngram(self, line: str, number: int) -> None:
        length = len(self.sections)
        fields = line.replace("\t", " ").split(" ")
        longest = length == len(self.expected)
        if len(fields) not in ((length + 1,) if longest else (length + 1, length + 2)):
            columns = f"a probability, {length} words" + ("" if longest else " and perhaps a back-off weight")
            raise self._error(f"{len(fields)} columns among the {length}-grams", number, f"{columns} are expected")
        logprob10 = self._number(fields[0], number)
        if logprob10 > 0:
            raise self._error(f"log10 probability {fields[0]} is above 0", number, "no probability is above 1")
        backoff10 = self._number(fields[-1], number) if len(fields) == length + 2 else 0.0
        words = tuple("<unk>" if word == "<UNK>" else word for word in fields[1 : length + 1])
        if length > 1:
            for word in words:
                if (word,) not in self.sections[0]:
                    raise self._error(f"{word!r} is not among the 1-grams", number, "every word has to be")
            if words[:-1] not in self.sections[-2]:
                raise self._error(f"{' '.join(words[:-1])!r} is not among the {length - 1}-grams", number, "add it")
        if words in self.sections[-1]:
            raise self._error(f"{' '.join(words)!r} for the second time", number, "once is right")
        self.sections[-1][words] = (logprob10, backoff10)

    def _number(self, text: str, number: int) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not value < float("inf"):  # nor is it a number that is not one
            raise self._error(f"{text!r} is no log10 of a probability", number, "a number is expected")
        return max(value, LOG_ZERO)

    def _error(self, problem: str, line: int, remedy: str) -> InputError:
        return InputError(problem, path=self.path, line=line, remedy=remedy)


def _build(sections: list[Ngrams], lowercase: bool, path: str, last_line: int) -> NgramModel:
    vocabulary = Vocabulary(tuple(dict.fromkeys([*SPECIAL, *(words[0] for words in sections[0])])), lowercase)
    if lowercase and any(word != word.lower() for word in vocabulary.words):
        raise InputError("a word has capitals", path=path, line=last_line, remedy="read it without lowercase")
    for word in SPECIAL:
        sections[0].setdefault((word,), (LOG_ZERO, 0.0))
    levels: list[TrieLevel] = []
    row_of: dict[tuple[str, ...], int] = {(): 0}
    for section in sections:
        keyed = sorted((row_of[words[:-1]], vocabulary.id(words[-1]), words) for words in section)
        row_of = {words: row for row, (_, _, words) in enumerate(keyed)}
        values = np.array([section[words] for _, _, words in keyed], dtype=np.float64).reshape(-1, 2)
        keys = np.array([key[:2] for key in keyed], dtype=np.int64).reshape(-1, 2)
        levels.append(TrieLevel(keys[:, 0], keys[:, 1], values[:, 0], values[:, 1]))
    return NgramModel(vocabulary, make_tables(levels))
