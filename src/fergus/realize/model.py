"""The model file: one zip archive of named arrays and JSON, versioned, checked, without pickle.

    header.json                    format, version, language, what it was trained on, licence, how to rebuild it
    SECTION/section.json           settings of one part of the model: ordering-labels, language-model, supertag ...
    SECTION/NAME.npy               its arrays

Sections are read when they are first asked for. The archive carries fixed dates, so that the same training
gives the same bytes.
"""

from __future__ import annotations

import io
import json
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from fergus.errors import InputError, ModelError
from fergus.file_version import check_version
from fergus.whole_file import WholeFile

FORMAT = "fergus-model"
VERSION = 1
LARGEST_SETTINGS, LARGEST_ARRAY = 20_000_000, 2_000_000_000
"""Bytes of a member: a small archive can hold more than any memory does."""
_NO_DATE = (1980, 1, 1, 0, 0, 0)
# What the readers of archives and arrays are known to raise at broken bytes; a bad flag is a RuntimeError to zipfile.
_BROKEN = (
    *(OSError, ValueError, RuntimeError, EOFError, MemoryError, SyntaxError),
    *(zipfile.BadZipFile, zlib.error, struct.error, tokenize.TokenError),
)

# What happens to readers of sections whose settings or arrays are of another kind than those that were written.
_UNFIT = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, MemoryError, RecursionError)
T = TypeVar("T")


@dataclass(frozen=True)
class Section:
    """One part of a model: settings that JSON can hold, and arrays."""

    settings: Mapping[str, Any] = field(default_factory=dict)
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)


class _Entries(dict[str, Any]):
    """Settings or arrays of a section; to miss one is the model file's fault."""

    def __init__(self, entries: Mapping[str, Any], problem: str) -> None:
        super().__init__(entries)
        self._problem = problem

    def __missing__(self, key: str) -> Any:
        raise ModelError(f"{self._problem} {key!r}; train or copy the model again")


class ModelFile:
    """A model file opened for reading; ``called`` is its name in messages, if where it is must not be told."""

    def __init__(self, path: Path, *, called: str = "") -> None:
        self.path, self.called = path, called or str(path)
        try:
            self._zip = zipfile.ZipFile(path)
        except FileNotFoundError:
            raise ModelError(f"{self.called}: there is no such model file") from None
        except _BROKEN as error:
            reason = getattr(error, "strerror", None) or error  # the error itself would say where the file is
            raise ModelError(
                f"{self.called}: not a Fergus model, or broken ({reason}); train or copy it again"
            ) from None
        self.header: dict[str, Any] = self._json("header.json")
        if self.header.get("format") != FORMAT:
            raise ModelError(f"{self.called}: an archive, but not a Fergus model")
        try:
            check_version(self.header.get("version"), what="a model", newest=VERSION, path=self.called)
        except InputError as error:
            raise ModelError(str(error)) from None

    @property
    def sections(self) -> tuple[str, ...]:
        """The names of the sections, in the order they were written."""
        return tuple(
            name.removesuffix("/section.json") for name in self._zip.namelist() if name.endswith("/section.json")
        )

    def section(self, name: str) -> Section:
        """One section with all of its arrays."""
        if f"{name}/section.json" not in self._zip.namelist():
            raise ModelError(f"{self.called}: the model has no section {name!r}; it has {', '.join(self.sections)}")
        prefix = name + "/"
        arrays = {
            member.removeprefix(prefix).removesuffix(".npy"): self._array(member)
            for member in self._zip.namelist()
            if member.startswith(prefix) and member.endswith(".npy")
        }
        settings = self._json(f"{name}/section.json")
        where = f"{self.called}: section {name!r}"
        return Section(_Entries(settings, f"{where} has no setting"), _Entries(arrays, f"{where} has no array"))

    def size_of(self, name: str) -> int:
        """The bytes a section takes in the file."""
        return sum(i.compress_size for i in self._zip.infolist() if i.filename.startswith(name + "/"))

    def _json(self, member: str) -> dict[str, Any]:
        try:
            loaded = json.loads(self._bytes(member))
        except (ValueError, RecursionError):
            raise ModelError(f"{self.called}: {member} is broken; train or copy the model again") from None
        if not isinstance(loaded, dict):
            raise ModelError(f"{self.called}: {member} is broken; train or copy the model again")
        return loaded

    def _array(self, member: str) -> NDArray[Any]:
        try:
            loaded: NDArray[Any] = np.load(io.BytesIO(self._bytes(member)), allow_pickle=False)
        except _BROKEN as error:
            raise ModelError(f"{self.called}: {member} is broken ({error}); train or copy the model again") from None
        return loaded

    def _bytes(self, member: str) -> bytes:
        largest = LARGEST_SETTINGS if member.endswith(".json") else LARGEST_ARRAY
        try:
            if self._zip.getinfo(member).file_size > largest:
                problem = f"{member} is larger than {largest // 1_000_000:,} MB when it is unpacked"
                raise ModelError(f"{self.called}: {problem}; train or copy the model again")
            return self._zip.read(member)
        except KeyError:
            raise ModelError(f"{self.called}: not a Fergus model: it has no {member}") from None
        except _BROKEN as error:
            raise ModelError(f"{self.called}: {member} is broken ({error}); train or copy the model again") from None


def reads_section(read: Callable[[Section], T]) -> Callable[[Section], T]:
    """What makes something of a section; settings and arrays of which nothing can be made are the model file's fault.

    Readers check by themselves what compiled code would not notice.
    """

    @wraps(read)
    def checked(section: Section) -> T:
        try:
            return read(section)
        except _UNFIT as error:
            what = read.__name__.removesuffix("_from").replace("_", " ")
            reason = f"{type(error).__name__}: {str(error)[:200]}"
            raise ModelError(f"the section of {what} is broken ({reason}); train or copy the model again") from None

    return checked


def write_model(path: Path, header: Mapping[str, Any], sections: Mapping[str, Section]) -> None:
    """Write a model file beside its place and rename it: an interrupted run leaves the old one whole."""
    full = {"format": FORMAT, "version": VERSION, **header}
    path.parent.mkdir(parents=True, exist_ok=True)
    with WholeFile(path) as stream, zipfile.ZipFile(stream, "w") as archive:
        _add(archive, "header.json", _dumps(full))
        for section, content in sections.items():
            _add(archive, f"{section}/section.json", _dumps(content.settings))
            for array_name, array in content.arrays.items():
                buffer = io.BytesIO()
                np.save(buffer, np.ascontiguousarray(array), allow_pickle=False)
                _add(archive, f"{section}/{array_name}.npy", buffer.getvalue())


def _dumps(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode()


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    info = zipfile.ZipInfo(name, _NO_DATE)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    archive.writestr(info, content, compresslevel=9)


def words_to_array(words: list[str] | tuple[str, ...]) -> NDArray[np.uint8]:
    """Strings (without line breaks) as one UTF-8 array."""
    return np.frombuffer("\n".join(words).encode(), np.uint8)


def words_from_array(array: NDArray[np.uint8]) -> list[str]:
    """The strings of ``words_to_array``."""
    try:
        text = array.tobytes().decode()
    except UnicodeDecodeError as error:
        raise ModelError(f"a list of words in the model is broken ({error}); train or copy the model again") from None
    return text.split("\n") if text else []
