from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from fergus.cli.output import folder_at, output_to, write_text
from fergus.errors import InputError


def test_a_file_appears_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    with output_to(path) as stream:
        stream.write(b"half")
        assert not path.exists()
        stream.write(b" whole")
    assert path.read_bytes() == b"half whole"
    assert path.stat().st_mode & 0o777 == 0o666 & ~current_umask()
    assert list(tmp_path.iterdir()) == [path]


def current_umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_an_error_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_text("old")

    def fails() -> None:
        with output_to(path) as stream:
            stream.write(b"new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fails()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_pipe_is_written_to_directly(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()))
    reader.start()
    write_text("through", path)
    reader.join()
    assert read == [b"through"]
    assert path.is_fifo()


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    link, path = tmp_path / "link", tmp_path / "out.txt"
    path.write_text("old")
    link.symlink_to(path)
    write_text("new", link)
    assert link.is_symlink()
    assert path.read_text() == "new"


def test_a_stream_that_leads_to_a_file_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    # As /dev/stdout does after a redirection.
    with (tmp_path / "log").open("wb") as stream:
        stream.write(b"before, ")
        stream.flush()
        write_text("after", Path(f"/dev/fd/{stream.fileno()}"))
    assert (tmp_path / "log").read_text() == "before, after"


def test_an_error_on_a_device_is_passed_on() -> None:
    with pytest.raises(OSError, match="space"):
        write_text("x" * 100_000, Path("/dev/full"))


def test_a_folder_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        write_text("x", tmp_path)


def test_a_folder_that_stayed_empty_is_gone_after_an_error(tmp_path: Path) -> None:
    def fails(folder: Path, name: str = "") -> None:
        with folder_at(folder) as made:
            if name:
                (made / name).write_text("figure")
            raise KeyboardInterrupt

    (tmp_path / "old").mkdir()
    for folder, name in (("new/deep", ""), ("old", ""), ("kept", "a.svg")):
        with pytest.raises(KeyboardInterrupt):
            fails(tmp_path / folder, name)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept", "old"]
    with folder_at(tmp_path / "good"):
        pass
    assert (tmp_path / "good").is_dir()


def test_a_folder_below_a_file_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="no folder can be made here"), folder_at(tmp_path / "file" / "figures"):
        pass
