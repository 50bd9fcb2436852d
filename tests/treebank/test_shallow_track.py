from __future__ import annotations

import io
from pathlib import Path
from random import Random

import pytest

from fergus.core.tree import Before, OrderedTree
from fergus.errors import InputError
from fergus.treebank import read_conllu, read_trees
from fergus.treebank.conllu import parse_conllu
from fergus.treebank.shallow_track import hints_of, parse_t1, write_t1

# attorney - client, out of order; the file of a training set tells forms and places.
T1 = (
    "1\tclient\tclient\tNOUN\tS\tlin=+2|Number=Sing|original_id=3\t3\tcompound\t_\t_\n"
    "2\t-\t-\tPUNCT\tFF\tlin=+1|original_id=2\t3\tpunct\t_\t_\n"
    "3\tattorney\tAttorneys\tNOUN\tS\tNumber=Plur|original_id=1\t0\troot\t_\t_\n\n"
)


def trees(text: str) -> list[OrderedTree | InputError]:
    return list(parse_t1(io.BytesIO(text.encode()), path="a.conllu"))


def test_lemmas_forms_places_and_hints() -> None:
    (found,) = trees(T1)
    assert isinstance(found, OrderedTree)
    assert found.forms == ("Attorneys", "-", "client")
    assert [node.lemma for node in found.tree.nodes] == ["client", "-", "attorney"]
    assert found.tree.nodes[0].feats == (("Number", "Sing"),)
    assert found.tree.constraints == (Before(2, 1), Before(1, 0))


def test_a_test_set_has_neither_forms_nor_places() -> None:
    hidden = T1.replace("\tclient\tNOUN", "\t_\tNOUN").replace("-\t-\tPUNCT", "-\t_\tPUNCT")
    hidden = hidden.replace("Attorneys", "_").replace("|original_id=3", "").replace("|original_id=2", "")
    (found,) = trees(hidden.replace("|original_id=1", ""))
    assert isinstance(found, OrderedTree)
    assert [node.form for node in found.tree.nodes] == ["", "", ""]
    assert found.order == (0, 1, 2)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("lin=+1", "lin=+2", r"nodes 1 and 2 both have lin=\+2; give each its own place"),
        ("lin=+1", "lin=+1|lin=-1", r"node 2 \(-\) has lin twice; give every feature once"),
        ("lin=+1", "lin=0", r"lin=0 of node 2 \(-\)"),
        ("lin=+1", "lin=x", r"lin=x of node 2 \(-\) is no whole number"),
        ("original_id=2", "original_id=b", "original_id=b of node 2"),
        ("Number=Plur", "lin=-1", "node 3 is the root and has lin=-1"),
    ],
)
def test_hints_that_cannot_be(old: str, new: str, message: str) -> None:
    good, bad, last = trees(T1 + T1.replace(old, new) + T1)
    assert isinstance(good, OrderedTree)
    assert isinstance(last, OrderedTree)
    assert isinstance(bad, InputError)
    assert str(bad).startswith("a.conllu:5: ")
    with pytest.raises(InputError, match=message):
        raise bad


def test_what_is_written_is_read_again(data_free_sentence: OrderedTree) -> None:
    sentence = data_free_sentence
    (back,) = trees(write_t1(sentence, random=Random(1)))
    assert isinstance(back, OrderedTree)
    assert back.forms == sentence.forms
    assert [back.tree.nodes[node].lemma for node in back.order] == [
        sentence.tree.nodes[node].lemma for node in sentence.order
    ]
    hidden = write_t1(sentence, random=Random(1), tells_forms=False, hints=False)
    assert "lin=" not in hidden
    assert "original_id" not in hidden


@pytest.fixture
def data_free_sentence() -> OrderedTree:
    small = Path(__file__).resolve().parents[1] / "fixtures" / "small.conllu"
    with small.open("rb") as stream:
        return next(read_conllu(stream))


@pytest.mark.data
def test_the_hints_are_the_shared_task_s(data_dir: Path) -> None:
    folder = data_dir / "sr19-en_partut"
    with (folder / "T1-en_partut-ud-train.conllu").open("rb") as stream:
        given = list(parse_conllu(stream))
    sentences = list(read_trees(folder / "UD-en_partut-ud-train.conllu"))
    assert len(sentences) == len(given) == 1781
    for sentence, t1 in zip(sentences, given, strict=True):
        assert isinstance(t1, OrderedTree)
        feats = [dict(node.feats or ()) for node in t1.tree.nodes]
        expected = {f["original_id"]: int(f["lin"]) for f in feats if "lin" in f}
        assert {sentence.tree.nodes[n].identifier: value for n, value in hints_of(sentence).items()} == expected
