"""Synonyms from the files of a WordNet database (3.0 and its kin), looked up where they lie on disk.

    index.verb   buy v 5 8 ! @ ~ * ^ $ + ; 5 2 02207224 02284114 ...    the senses, the most frequent first
    data.verb    02207224 40 v 02 buy 0 purchase 0 030 @ ...            a sense: a number of words in base 16, the words

The index is sorted by bytes, so that a word is found by halving; nothing is read beforehand.
"""

from __future__ import annotations

import mmap
from pathlib import Path

from fergus.errors import InputError

FILES = {"NOUN": "noun", "VERB": "verb", "ADJ": "adj", "ADV": "adv"}
"""The names of the files by category; words of other categories have no synonyms."""
_REMEDY = "name the folder that holds index.noun, data.noun and the like"
_CACHE_SIZE = 1 << 16


def read_wordnet(directory: Path) -> WordNet:
    """The database in a folder; InputError if one of its files is missing."""
    for name in FILES.values():
        for kind in ("index", "data"):
            if not (directory / f"{kind}.{name}").is_file():
                raise InputError(f"there is no file {kind}.{name} in this folder", path=str(directory), remedy=_REMEDY)
    return WordNet(directory)


class WordNet:
    """Synonyms by the senses of a word; those of several words (*take over*) are left out."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._files: dict[str, mmap.mmap] = {}
        self._cache: dict[tuple[str, str], tuple[str, ...]] = {}

    def of(self, lemma: str, upos: str | None) -> tuple[str, ...]:
        """The other words of a word's senses, each once, where its most frequent sense has it."""
        if upos not in FILES:
            return ()
        key = (lemma, upos)
        found = self._cache.get(key)
        if found is None:
            if len(self._cache) >= _CACHE_SIZE:
                self._cache.clear()
            found = self._cache[key] = self._found(lemma, FILES[upos])
        return found

    def _found(self, lemma: str, name: str) -> tuple[str, ...]:
        words: dict[str, None] = {}
        small = lemma.strip().lower()
        if not small:
            return ()
        for offset in self._senses(small, name):
            words.update(dict.fromkeys(self._words(offset, name)))
        return tuple(word for word in words if word.lower() != small)

    def _senses(self, lemma: str, name: str) -> list[int]:
        """Where the senses of a word stand in the data file."""
        index, key = self._file(f"index.{name}"), lemma.replace(" ", "_").encode("utf-8", "replace") + b" "
        # Lines that begin before ``low`` are smaller than the key, lines that begin at ``high`` or later are not.
        low, high = 0, len(index)
        while low < high:
            middle = (low + high) // 2
            start = index.rfind(b"\n", low, middle) + 1 or low
            end = index.find(b"\n", middle)
            end = len(index) if end < 0 else end
            if index[start:end] < key:
                low = end + 1
            else:
                high = start
        end = index.find(b"\n", low)
        line = index[low : len(index) if end < 0 else end]
        if not line.startswith(key):
            return []
        columns = line.split()
        try:
            senses = int(columns[2])
            return [int(offset) for offset in columns[len(columns) - senses :]]
        except (ValueError, IndexError):
            raise self._broken(f"index.{name}", low) from None

    def _words(self, offset: int, name: str) -> list[str]:
        """The single words of a sense."""
        data = self._file(f"data.{name}")
        columns = data[offset : offset + (1 << 14)].split(b" ")
        try:
            if columns[0] != b"%08d" % offset:
                raise self._broken(f"data.{name}", offset)
            count = int(columns[3], 16)
            words = [columns[4 + 2 * i].decode() for i in range(count)]
        except (ValueError, IndexError):
            raise self._broken(f"data.{name}", offset) from None
        # An adjective may have a mark of the places it stands in: galore(ip).
        return [word.partition("(")[0] for word in words if "_" not in word]

    def _file(self, name: str) -> mmap.mmap:
        found = self._files.get(name)
        if found is None:
            path = self.directory / name
            try:
                with path.open("rb") as stream:
                    found = self._files[name] = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
            except (OSError, ValueError) as error:
                raise InputError(f"cannot be read ({error})", path=str(path), remedy=_REMEDY) from None
        return found

    def _broken(self, name: str, offset: int) -> InputError:
        remedy = "copy the database again; its files may not be edited, since they hold the places of their lines"
        return InputError(f"no line of WordNet at byte {offset}", path=str(self.directory / name), remedy=remedy)
