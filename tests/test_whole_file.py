from __future__ import annotations

from pathlib import Path

import pytest

from fergus.whole_file import WholeFile


def test_it_appears_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with WholeFile(path) as stream:
        stream.write(b"new")
        assert not path.exists()
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("fault", [ValueError, KeyboardInterrupt])
def test_after_a_fault_the_old_file_stands_and_nothing_else(tmp_path: Path, fault: type[BaseException]) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")

    def interrupted() -> None:
        with WholeFile(path) as stream:
            stream.write(b"new")
            raise fault

    with pytest.raises(fault):
        interrupted()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        WholeFile(tmp_path / "none" / "a")
