"""Values that a visitor may send, drawn by hypothesis: odd texts, trees that are nearly right, JSON, forms, uploads."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeVar
from urllib.parse import quote_plus

from hypothesis import strategies as st

T = TypeVar("T")
DEEP = 3000
"""How deep nested values are nested: deeper than Python follows."""
TREES = (
    "estimate(there was no cost for(phase(the second)))",
    "saw/VERB:root[Tense=Past](I/PRON:nsubj her/PRON:obj)",
    "# sent_id = 1\n1\tI\tI\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\tsaw\tsee\tVERB\t_\tTense=Past\t0\troot\t_\t_\n\n",
    '{"form": "saw", "upos": "VERB", "daughters": [{"form": "I", "deprel": "nsubj"}, {"form": "her"}]}',
    "(S (NP (PRP I)) (VP (VBD saw) (NP (PRP her))) (. .))",
    "see(I < her)",
)
ODD = (
    "",
    " ",
    "\n",
    "\0",
    "a\0b",
    "\r\r\n",
    "\t\t\t\t\t\t\t\t\t",
    "-1",
    "0",
    "1",
    "1.5",
    "9" * 25,
    "9" * 5000,
    "1e400",
    "NaN",
    "inf",
    "1_0",
    "²",
    "٣",
    "true",
    "null",
    "None",
    "auto",
    "en",
    "../../etc/passwd",
    "C:\\x",
    "%00",
    "%",
    "'; DROP TABLE x; --",
    "\"'<>&",
    "<script>alert(1)</script>",
    "{{ 7 * 7 }}",
    "${x}",
    "🙂",
    "e\u0301" * 50,
    "\u202e",
    "\ufeff",
    "\u2028",
    "\uffff",
    "ß",
    "İ",
    "ﬁ",
    "a" * 5000,
    "a " * 2000,
    "\n" * 3000,
    "a\n" * 2000,
    "(" * DEEP,
    "a(" * DEEP,
    "a(" * 200 + ")" * 200,
    "[" * DEEP,
    '{"daughters":[' * DEEP,
    "x.toml",
    "=1+1",
    "-x",
)


def one_of(values: Sequence[T]) -> st.SearchStrategy[T]:
    """One of several; hypothesis does not write down how it would print them all, as some are long."""
    return st.integers(0, len(values) - 1).map(lambda number: values[number])


@cache
def texts(near: tuple[str, ...] = ()) -> st.SearchStrategy[str]:
    """Texts: any, odd ones, and those that are near good ones."""
    anything = st.text(max_size=60)
    notation = st.text(alphabet="ab()/:[]=|#<>\t\n .,\"'{}0129-_é", max_size=80)
    odd, good = one_of(ODD), one_of((*near, *TREES))
    several = st.lists(good | odd, max_size=3).map("\n".join)
    return st.one_of(good, odd, anything, notation, good.flatmap(nearly), several)


@st.composite
def nearly(draw: st.DrawFn, text: str) -> str:
    """A text with a few things in it changed, left out, doubled, or put in."""
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        upto = min(len(text), at + draw(st.integers(0, 12)))
        put = draw(
            one_of(["", text[at:upto] * 2, "\t", "\n", "(", ")", "|", "_", "0", "-5", "\0", "99999999999"])
            | st.text(max_size=5)
        )
        text = text[:at] + put + text[upto:]
    return text


@cache
def values() -> st.SearchStrategy[Any]:
    """Any JSON, three levels deep at most: texts have what is deeper."""
    numbers = st.integers() | st.floats() | one_of([10**25, -1, 0, 2**31, 2**63, 2**64, 1e308, -0.0])
    found: st.SearchStrategy[Any] = st.none() | st.booleans() | numbers | texts()
    for _ in range(2):
        found = found | st.lists(found, max_size=3) | st.dictionaries(names(), found, max_size=3)
    return found


@cache
def names() -> st.SearchStrategy[str]:
    """Names of fields: of trees, and any."""
    known = (
        "form",
        "lemma",
        "upos",
        "xpos",
        "feats",
        "deprel",
        "id",
        "head",
        "daughters",
        "order",
        "before",
        "constraints",
        "sent_id",
        "nodes",
    )
    return one_of(known) | st.text(max_size=8)


@st.composite
def documents(draw: st.DrawFn, examples: Sequence[Mapping[str, Any]]) -> bytes:
    """A request in JSON that is nearly right, written well or badly."""
    record = dict(draw(one_of(examples)))
    for name in draw(st.lists(one_of([*record, "trees", "text", "metrics", "x"]), max_size=3)):
        old = record.get(name)
        near = st.just(old) if not isinstance(old, str) else texts((old,))
        inside = st.lists(texts() | values(), max_size=5) | st.dictionaries(
            texts(), st.lists(texts(), max_size=3), max_size=3
        )
        record[name] = draw(near | values() | inside)
    written = draw(one_of([json.dumps(record, ensure_ascii=True), json.dumps(record, ensure_ascii=False)])).encode(
        "utf-8", "surrogatepass"
    )
    return draw(st.just(written) | st.just(written) | broken(written))


@st.composite
def broken(draw: st.DrawFn, data: bytes) -> bytes:
    """Bytes with some of them changed, left out or put in; cut; or something else altogether."""
    kind = draw(st.integers(0, 5))
    if kind == 0:
        return draw(st.binary(max_size=200))
    if kind == 1:
        return data[: draw(st.integers(0, len(data)))]
    if kind == 2:
        odd = (
            b"[" * 100_000,
            b'{"a":' * 20_000,
            b"9" * 10_000,
            b"\xff\xfe",
            b"\xef\xbb\xbf{}",
            b"{}{}",
            b"NaN",
            b'"\\ud800"',
            b"\x1f\x8b\x08",
        )
        return draw(one_of(odd))
    for _ in range(draw(st.integers(1, 5))):
        at = draw(st.integers(0, len(data)))
        upto = min(len(data), at + draw(st.integers(0, 4)))
        data = data[:at] + draw(st.binary(max_size=4)) + data[upto:]
    return data


@st.composite
def pairs(draw: st.DrawFn, fields: Mapping[str, Sequence[str]]) -> list[tuple[str, str]]:
    """The fields of a form as a page has them, some changed, left out, doubled, or put in."""
    found = []
    for name, legal in fields.items():
        usual = one_of(legal) if legal else texts()
        how = draw(st.integers(0, 9))
        if how < 6:
            found.append((name, draw(usual)))
        elif how < 9:
            found.append((name, draw(texts(tuple(legal)))))
    found += draw(st.lists(st.tuples(one_of([*fields, "x"]) | texts(), texts()), max_size=2))
    return found


def encoded(form: Sequence[tuple[str, str]]) -> bytes:
    """A form as browsers encode it."""
    return "&".join(f"{_quoted(name)}={_quoted(value)}" for name, value in form).encode()


def _quoted(text: str) -> str:
    return quote_plus(text.encode("utf-8", "surrogatepass"))


@st.composite
def uploads(
    draw: st.DrawFn, fields: Mapping[str, Sequence[str]], files: Sequence[str], near: tuple[str, ...] = ()
) -> tuple[str, bytes]:
    """A form with files, some of them near good ones, and its content type."""
    boundary = draw(one_of(["x", "-" * 20 + "1", "a" * 70, "'()+_,-./:=?"]))
    parts = []
    for name, value in draw(pairs(fields)):
        parts.append((_disposition(name), value.encode("utf-8", "surrogatepass")))
    for name in draw(st.lists(one_of(files), max_size=3)):
        called = draw(texts(("a.txt", "b.conllu", "c.json", "d.jsonl", "e.csv", "f.txt.gz", "study.yaml")))
        content = draw(texts(near).map(lambda text: text.encode("utf-8", "surrogatepass")) | st.binary(max_size=300))
        parts.append((_disposition(name) + f'; filename="{_within_quotes(called)}"', content))
    body = b"".join(
        f"--{boundary}\r\nContent-Disposition: {head}\r\n\r\n".encode("utf-8", "surrogatepass") + content + b"\r\n"
        for head, content in parts
    )
    body += f"--{boundary}--\r\n".encode()
    charset = draw(
        one_of(
            [
                "",
                "",
                "",
                "; charset=utf-8",
                "; charset=utf-7",
                "; charset=unicode_escape",
                "; charset=x",
                "; charset=idna",
            ]
        )
    )
    return f'multipart/form-data; boundary="{boundary}"{charset}', draw(st.just(body) | st.just(body) | broken(body))


def _disposition(name: str) -> str:
    return f'form-data; name="{_within_quotes(name)}"'


def _within_quotes(text: str) -> str:
    return "".join(character for character in text if character not in '"\r\n')[:200]
