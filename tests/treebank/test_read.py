from __future__ import annotations

import bz2
import gzip
import io
import lzma
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.core.tree import OrderedTree
from fergus.errors import InputError
from fergus.treebank import FORMATS, parse_trees, read_trees, treebank_files
from fergus.treebank.conllu_sentences import UnreadSentence
from fergus.treebank.read import format_of, split_trees

CONLLU = "# sent_id = 1\n1\tsaw\t_\t_\t_\t_\t0\t_\t_\t_\n2\ther\t_\t_\t_\t_\t1\t_\t_\t_\n\n"
NOTATION = "saw(her)\n"
JSON = '{"form": "saw", "daughters": [{"form": "her"}]}\n'
BRACKETED = "( (S (VP (VBD saw) (NP (PRP her)))) )\n"
ALL = {"a.conllu": CONLLU, "b.tree": NOTATION, "c.jsonl": JSON, "d.mrg": BRACKETED}


def forms(where: object, **options: object) -> list[tuple[str, ...]]:
    return [t.forms for t in read_trees(where, **options)]  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ALL)
def test_by_name(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(ALL[name])
    assert forms(tmp_path / name) == forms(str(tmp_path / name)) == [("saw", "her")]


@pytest.mark.parametrize("text", [*ALL.values(), "\n\n" + BRACKETED, "\ufeff" + JSON, "# a note\n" + NOTATION])
def test_by_the_first_line(tmp_path: Path, text: str) -> None:
    assert forms(io.BytesIO(text.encode())) == [("saw", "her")]
    (tmp_path / "trees").write_text(text, encoding="utf-8")
    assert forms(tmp_path / "trees") == [("saw", "her")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (NOTATION, "notation"),
        ("{see|spot}(I her)", "notation"),
        ("# nothing but a note", "notation"),
        ("# text = nothing else", "conllu"),
        (CONLLU, "conllu"),
        ('{ "form": "saw" }', "json"),
        ('{\n"form": "saw"}', "json"),
        ("{}", "json"),
        ("# a note\n" + JSON, "json"),
        ("\ufeff" + JSON, "json"),
        ("[]", "json"),
        (BRACKETED, "bracketed"),
        ("", None),
        (")", None),
    ],
)
def test_what_a_text_looks_like(text: str, expected: str | None) -> None:
    assert format_of(text) == format_of(text.encode()) == expected
    assert format_of(text, "t1") == "t1"


def test_long_comments_first() -> None:
    assert forms(io.BytesIO(b"# text = " + b"x" * 70_000 + b"\n" + CONLLU.encode())) == [("saw", "her")]
    assert forms(io.BytesIO(b"# " + b"x" * 70_000 + b"\n" + NOTATION.encode())) == [("saw", "her")]
    assert forms(io.StringIO(NOTATION)) == [("saw", "her")]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(NOTATION.encode())))
    assert forms("-") == [("saw", "her")]


@pytest.mark.parametrize(("suffix", "compress"), [(".gz", gzip), (".xz", lzma), (".bz2", bz2)])
def test_compressed(tmp_path: Path, suffix: str, compress: object) -> None:
    data = compress.compress(CONLLU.encode() * 50)  # type: ignore[attr-defined]
    file = tmp_path / f"a.conllu{suffix}"
    file.write_bytes(data)
    assert len(forms(file)) == 50
    file.write_bytes(data[: len(data) // 2])
    with pytest.raises(InputError, match="cannot be read on"):
        forms(file)
    other = tmp_path / f"a{suffix}"
    other.write_bytes(b"not compressed")
    with pytest.raises(InputError, match="the input cannot be read"):
        forms(other)


def test_folders_and_several_files(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    for name, text in ALL.items():
        (inner / name).write_text(text)
    (inner / "README").write_text("not a treebank")
    assert [p.name for p in treebank_files(tmp_path)] == list(ALL)
    assert forms(tmp_path) == [("saw", "her")] * 4
    assert forms([inner / "a.conllu", str(inner / "d.mrg")]) == [("saw", "her")] * 2


def test_metadata_of_conllu_is_kept_through_read_trees() -> None:
    (tree,) = read_trees(io.BytesIO(CONLLU.encode()), path="s")
    assert tree.tree.metadata == (("sent_id", "1"),)
    assert tree.tree.source == "s:1"


def test_errors(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for where, message in [
        (tmp_path / "none.conllu", "the file cannot be read (No such file or directory); check the name"),
        ("a\0b", "the file cannot be read"),
        (tmp_path / "empty", "the folder has no treebank files; use files whose names end in .conllu"),
    ]:
        with pytest.raises(InputError) as caught:
            forms(where)
        assert message in str(caught.value)
    with pytest.raises(InputError, match=r'^"xml" is no format; use conllu, notation, json, bracketed, t1, t2, auto$'):
        forms(tmp_path, input_format="xml")
    for data, message in [
        (b"", "the input is empty"),
        (b" \n\n", "the input is empty"),
        (b")", "cannot be told"),
    ]:
        with pytest.raises(InputError, match=f"^s:1: .*{message}.* conllu, notation, json, bracketed"):
            forms(io.BytesIO(data), path="s")


def test_files_of_the_shared_tasks_under_other_names_are_told(tmp_path: Path) -> None:
    hinted = "1\tgo\t_\tVERB\t_\t_\t0\troot\t_\t_\n2\tshe\t_\tPRON\t_\tlin=-1\t1\tnsubj\t_\t_\n\n"
    (tmp_path / "dev.conllu").write_text(hinted * 2)
    (tmp_path / "T1-dev.conllu").write_text(hinted * 2)
    for where in (tmp_path / "dev.conllu", io.BytesIO(hinted.encode())):
        (problem,) = parse_trees(where)
        assert isinstance(problem, InputError)
        assert ":1: lin is a feature of the shared tasks' files" in str(problem)
        assert str(problem).endswith("give the format: t1, t2 or conllu")
    for name, input_format in (("T1-dev", "auto"), ("dev", "t1"), ("dev", "conllu")):
        assert len(list(read_trees(tmp_path / f"{name}.conllu", input_format=input_format))) == 2


def test_only_conllu_is_left_unread(tmp_path: Path) -> None:
    for name, text in ALL.items():
        (tmp_path / name).write_text(text)
    found = list(split_trees(tmp_path))
    assert [type(item) for item in found] == [UnreadSentence, *[OrderedTree] * 3]
    assert [type(item) for item in split_trees(tmp_path / "a.conllu", input_format="t1")] == [OrderedTree]
    for input_format in ("conllu", "auto"):
        (item,) = split_trees(io.BytesIO(CONLLU.encode()), input_format=input_format, path="s")
        assert item == UnreadSentence(CONLLU.splitlines()[:3], 1, "s")


def test_features_of_the_shared_tasks_are_looked_for_in_the_first_good_sentence(tmp_path: Path) -> None:
    hinted = CONLLU.replace("her\t_\t_\t_\t_", "her\t_\t_\t_\tlin=1")
    file = tmp_path / "dev.conllu"
    file.write_text(f"1\tbad\n\n{hinted}{CONLLU}")
    bad, problem = parse_trees(file)
    assert f"{file}:1: 2 columns" in str(bad)
    assert f"{file}:3: lin is a feature of the shared tasks' files" in str(problem)
    file.write_text(CONLLU + hinted)
    assert len(list(read_trees(file))) == 2


@pytest.mark.parametrize("name", ["judgements.csv", "judgements.CSV"])
def test_a_table_has_no_trees(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("participant,item\nann,1\n")
    with pytest.raises(InputError, match=r"\.(csv|CSV): this is a table and has no trees; give trees in one of"):
        forms(tmp_path / name)
    (tmp_path / name).write_text(NOTATION)
    assert forms(tmp_path / name, input_format="notation") == [("saw", "her")]
    with pytest.raises(InputError, match="the file cannot be read"):
        forms(tmp_path / "other.csv")


def test_an_error_in_one_file_leaves_the_next_alone(tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_text("1\tbad\n\n" + CONLLU)
    (tmp_path / "b.tree").write_text("")
    (tmp_path / "c.tree").write_text(NOTATION)
    errors: list[InputError] = []
    assert forms(tmp_path, on_error=errors.append) == [("saw", "her")] * 2
    assert [(Path(e.path).name, e.line) for e in errors] == [("a.conllu", 1), ("b.tree", 1)]


@given(st.binary() | st.text().map(str.encode), st.sampled_from([*FORMATS, "auto"]))
def test_any_bytes_are_trees_or_input_errors(data: bytes, input_format: str) -> None:
    results = list(parse_trees(io.BytesIO(data), input_format=input_format))
    assert results
    assert all(isinstance(r, OrderedTree | InputError) for r in results)


@given(st.lists(st.sampled_from(list(ALL.values())), min_size=1), st.binary(max_size=4), st.integers(0, 200))
def test_damaged_files_are_trees_or_input_errors(texts: list[str], noise: bytes, place: int) -> None:
    data = "".join(texts).encode()
    for input_format in FORMATS:
        damaged = io.BytesIO(data[:place] + noise + data[place:])
        assert all(isinstance(r, OrderedTree | InputError) for r in parse_trees(damaged, input_format=input_format))


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = "import sys, fergus.treebank; print([m for m in ('numpy', 'numba', 'click') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
