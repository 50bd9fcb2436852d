from __future__ import annotations

import gc
import os
import pickle
from pathlib import Path

from fergus.cluster.carried import Carried, arriving_below, carried_file


def test_a_file_arrives_under_its_name_and_goes_when_nobody_needs_it(tmp_path: Path) -> None:
    path = tmp_path / "my.fergus"
    path.write_bytes(b"a model")
    sent = pickle.dumps(Carried(path))
    path.unlink()
    below = tmp_path / "below"
    below.mkdir()
    with arriving_below(str(below)):
        copy = pickle.loads(sent)
    there = Path(os.fspath(copy))
    assert there.read_bytes() == b"a model"
    assert there.name == "my.fergus"
    assert there.is_relative_to(below)
    del copy
    gc.collect()
    assert not list(below.iterdir())


def test_a_folder_arrives_with_its_files(tmp_path: Path) -> None:
    folder = tmp_path / "wordnet"
    (folder / "inner").mkdir(parents=True)
    for name in ("index.noun", "data.noun"):
        (folder / name).write_text(name)
    copy = pickle.loads(pickle.dumps(Carried(folder)))
    there = Path(copy)
    assert {path.name: path.read_text() for path in there.iterdir()} == {
        "index.noun": "index.noun",
        "data.noun": "data.noun",
    }
    assert there.name == "wordnet"


def test_a_shipped_model_is_only_named(tmp_path: Path) -> None:
    (tmp_path / "en.fergus").touch()
    assert carried_file("en") == "en"
    assert isinstance(carried_file(str(tmp_path / "en.fergus")), Carried)
