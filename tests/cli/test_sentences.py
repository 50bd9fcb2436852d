from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from fergus.cli.sentences import TextFiles, lines_of
from fergus.errors import InputError


def test_sentences_are_counted_and_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fergus.cli.sentences.REPORTED_EVERY", 2)
    plain, packed = tmp_path / "a.txt", tmp_path / "b.txt.gz"
    plain.write_text("One sentence. Another one. A third.\n")
    packed.write_bytes(gzip.compress("Déjà vu.\n".encode()))
    reports: list[tuple[str, int, int]] = []
    text = TextFiles([str(plain), str(packed)], lambda *report: reports.append(report))
    found = list(text)
    assert found == [
        ["One", "sentence", "."],
        ["Another", "one", "."],
        ["A", "third", "."],
        ["Déjà", "vu", "."],
    ]
    assert text.counts == {str(plain): 3, str(packed): 1}
    assert reports == [("reading a.txt", 2, 0), ("reading a.txt", 3, 3), ("reading b.txt.gz", 1, 1)]


def test_a_file_that_breaks_off_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"some line\n" * 10_000)[:-20])
    with pytest.raises(InputError, match=r"a\.gz:\d+: the file cannot be read"):
        list(lines_of(str(path)))


def test_workers_count_what_one_process_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from fergus.cluster.chunks import HERE
    from fergus.lm.count import count_ngrams

    monkeypatch.setattr("fergus.cli.sentences.CHARACTERS_A_CHUNK", 30)
    path, empty = tmp_path / "a.txt", tmp_path / "b.txt"
    path.write_text("One sentence. Another one.\nA third.\nAnd one more sentence.\n" * 3)
    empty.touch()
    reports: list[tuple[str, int, int]] = []
    paths = [str(path), str(empty), str(path)]
    text, plain = TextFiles(paths, lambda *report: reports.append(report)), TextFiles(paths, lambda *_: None)
    found, expected = text.counted(HERE, order=3), count_ngrams(plain, order=3, lowercase=True)
    assert text.counts == plain.counts == {str(path): 12, str(empty): 0}
    assert found.vocabulary == expected.vocabulary
    for length in (1, 2, 3):
        assert list(found.ngrams(length)) == list(expected.ngrams(length))
    assert ("counting a.txt", 12, 0) in reports
