from __future__ import annotations

import pytest

from fergus.errors import InputError
from fergus.file_version import check_version


@pytest.mark.parametrize(("found", "version"), [(None, 1), (1, 1), (3, 3)])
def test_what_is_read(found: object, version: int) -> None:
    assert check_version(found, what="a plan", newest=3) == version


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (4, r"^p\.toml:2: a plan of version 4, newer than this Fergus reads \(3\); install a newer Fergus$"),
        (0, r"^p\.toml:2: version '0' is no version of a plan; write a whole number from 1 to 3, or none$"),
        (True, "version 'True' is no version"),
        (1.0, "version '1.0' is no version"),
        ("1", "version '1' is no version"),
        ("x" * 1000, "version 'x{40}' is no version"),
    ],
)
def test_what_is_refused(found: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_version(found, what="a plan", newest=3, path="p.toml", line=2)
