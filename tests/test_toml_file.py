from __future__ import annotations

import pytest

from fergus.errors import InputError
from fergus.toml_file import DEEPEST, LARGEST, parse_toml


def test_tables_and_lists() -> None:
    assert parse_toml(b"[a]\nb = [1, {c = 2.5}]", path="x.toml", what="plan") == {"a": {"b": [1, {"c": 2.5}]}}
    assert parse_toml(f"a = {LARGEST}".encode(), path="x.toml", what="plan") == {"a": LARGEST}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a = \n", "x.toml: this is no plan \\(Invalid value"),
        (b"a = 1\nb = '\xff'", "x.toml:2: this is no text .*save it as UTF-8"),
        (b"a = " + b"9" * 5000, "x.toml: this is no plan \\(Exceeds the limit"),
        (b"a = 0x" + b"f" * 5000, "x.toml: a whole number has more than 64 bits"),
        (b"a = [9223372036854775808]", "x.toml: a whole number has more than 64 bits"),
        (b"a = " + b"[" * 5000, "x.toml: this is no plan"),
        (b".".join([b"a"] * (DEEPEST + 2)) + b" = 1", f"nested more than {DEEPEST} deep; a plan is flat"),
        (b".".join([b"a"] * 5000) + b" = 1", "nested more than"),
        (b"x = {" + b" . ".join([b'"a"'] * 5000) + b" = 1}", "nested more than"),
        (b"a = " + b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1), "nested more than"),
        (b"#" * 40_001, "x.toml: the file has 40,001 bytes; a plan has at most 40,000"),
    ],
)
def test_mistakes(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_toml(data, path="x.toml", what="plan")
