from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from fergus.errors import InputError
from fergus.evaluation import read
from fergus.evaluation.read import SentenceFile, parallel

CONLLU = (
    "# sent_id = s1\n"
    "1\tno\t_\tDET\t_\t_\t2\tdet\t_\t_\n"
    "2\tcost\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    "# sent_id = s2\n"
    "1\tgo\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
)


def written(folder: Path, name: str, content: str | bytes) -> SentenceFile:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return SentenceFile(str(path))


def test_a_line_is_a_sentence(tmp_path: Path) -> None:
    file = written(tmp_path, "a.txt", "no cost\n\n the  second phase \n")
    assert [record.sentence.tokens for record in file] == [("no", "cost"), (), ("the", "second", "phase")]
    assert [record.sentence.source for record in file] == [f"{file.path}:{n}" for n in (1, 2, 3)]
    assert file.name == "a"


@pytest.mark.parametrize("line", ["saw(I her)", " saw(man(the) her) ", "see/VERB[Tense=Past](she her)"])
def test_trees_are_no_sentences(tmp_path: Path, line: str) -> None:
    file = written(tmp_path, "a.txt", f"\n{line}\nx\n")
    with pytest.raises(InputError, match=r"a\.txt:2: this is a tree .* a space before its brackets"):
        list(file)
    tokens = [record.sentence.tokens for record in SentenceFile(file.path, "text")]
    assert tokens == [(), tuple(line.split()), ("x",)]


@pytest.mark.parametrize(
    "line", ["word", "call f(x)", "f(x)", "smile(s) all around (really)", "no (not one)", ":)", "a("]
)
def test_brackets_alone_make_no_tree(tmp_path: Path, line: str) -> None:
    (record,) = written(tmp_path, "a.txt", f"{line}\n")
    assert record.sentence.tokens == tuple(line.split())


def test_conllu_brings_trees_and_tags(tmp_path: Path) -> None:
    first, second = written(tmp_path, "a.conllu", CONLLU)
    assert (first.identifier, first.sentence.tokens, first.sentence.tags) == ("s1", ("no", "cost"), ("DET", "NOUN"))
    assert first.sentence.tree is not None
    assert second.identifier == "s2"


def test_json_lines(tmp_path: Path) -> None:
    content = (
        '{"sent_id": "s1", "text": "No cost.", "tokens": ["no", "cost"], "order": ["2", 1], "tags": ["DET", "NOUN"]}\n'
        '{"text": "a b", "references": ["a c", ["b", "a"]]}\n\n'
        '{"error": "no tree", "source": "x:1"}\n'
        '{"references": ["a", "b"]}\n'
    )
    records = list(written(tmp_path, "a.jsonl", content))
    assert records[0].identifier == "s1"
    assert records[0].sentence.tokens == ("no", "cost")
    assert records[0].sentence.nodes == ("2", "1")
    assert records[0].sentence.tags == ("DET", "NOUN")
    assert [r.tokens for r in records[1].references] == [("a", "c"), ("b", "a")]
    assert records[2].sentence.tokens == ()
    assert records[3].sentence.tokens == ("a",)
    assert [r.tokens for r in records[3].references] == [("b",)]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[1]", r"\[1\] is not an object"),
        ("{", "this is not JSON"),
        ('{"text": null}', '"text" is None'),
        ('{"text": NaN}', '"text" is nan'),
        ('{"tokens": ["a", 3]}', r"\"tokens\" is \['a', 3\]"),
        ('{"words": "a"}', 'neither "tokens" nor "text"'),
        ('{"text": "a b", "order": ["1"]}', '"order" has 1 entries for 2 tokens'),
        ('{"text": "a", "tags": "DET"}', "\"tags\" is 'DET'"),
        ('{"text": "a", "references": "b"}', "\"references\" is 'b'"),
        ('{"text": "a", "references": [4]}', "a reference is 4"),
    ],
)
def test_json_that_is_no_sentence(tmp_path: Path, line: str, message: str) -> None:
    file = written(tmp_path, "a.jsonl", '{"text": "fine"}\n' + line + "\n")
    with pytest.raises(InputError, match=message) as error:
        list(file)
    assert str(error.value).startswith(f"{file.path}:2: ")


@pytest.mark.parametrize(
    ("name", "content", "count"), [("a", CONLLU, 2), ("b", '{"text": "a"}', 1), ("c", "{ a }\n# b\n", 2), ("d", "", 0)]
)
def test_the_first_line_tells_the_format_where_the_name_does_not(
    tmp_path: Path, name: str, content: str, count: int
) -> None:
    if name == "c":  # a brace is taken for JSON: who means text says so
        with pytest.raises(InputError, match="not JSON"):
            list(written(tmp_path, name, content))
        assert len(list(SentenceFile(str(tmp_path / name), "text"))) == count
    else:
        assert len(list(written(tmp_path, name, content))) == count


def test_compressed_files(tmp_path: Path) -> None:
    file = written(tmp_path, "a.txt.gz", gzip.compress(b"no cost\n"))
    assert [record.sentence.tokens for record in file] == [("no", "cost")]
    assert file.name == "a"


def test_mixed_encodings_are_named(tmp_path: Path) -> None:
    file = written(tmp_path, "a.txt", "café\n".encode() + "café\n".encode("latin-1"))
    with pytest.raises(InputError, match=r"a\.txt:2: byte 4 of the line \(0xe9\) is not valid UTF-8"):
        list(file)


def test_a_line_of_a_million_tokens_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"a\.txt:2: the line is longer than"):
        list(written(tmp_path, "a.txt", "a b\n" + "a " * 1_000_000 + "\n"))
    monkeypatch.setattr(read, "TOKEN_LIMIT", 3)
    with pytest.raises(InputError, match=r"b\.txt:1: the sentence has 4 tokens; at most 3 are scored"):
        list(written(tmp_path, "b.txt", "a b c d\n"))


def test_files_that_part(tmp_path: Path) -> None:
    long, short = written(tmp_path, "long.txt", "a\nb\nc\n"), written(tmp_path, "short.txt", "a\nb\n")
    with pytest.raises(InputError) as error:
        list(parallel([short, long]))
    message = str(error.value)
    assert message.startswith(f"{long.path}:3: {short.path} has 2 sentences, {long.path} has more")
    assert "they part after 'b'" in message
    assert "goes on with 'c'" in message
    with pytest.raises(InputError, match="has 0 sentences"):
        list(parallel([written(tmp_path, "empty.txt", ""), long]))


def test_identifiers_that_differ(tmp_path: Path) -> None:
    one = written(tmp_path, "a.conllu", CONLLU)
    other = written(tmp_path, "b.jsonl", '{"id": "s1", "text": "a"}\n{"id": "s3", "text": "a"}\n')
    with pytest.raises(InputError, match=r"b\.jsonl:2: this is sentence 's3', but sentence 2 of .*a\.conllu is 's2'"):
        list(parallel([one, other]))
