"""Requests as bytes: mostly such as the pages and programs send, then with everything wrong that can be wrong."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from fuzz.http_target import SITE, Request
from fuzz.http_values import broken, one_of

Bodies = st.SearchStrategy[tuple[str, bytes]]
"""Content types with bodies."""
METHODS = (
    "GET",
    "HEAD",
    "POST",
    "OPTIONS",
    "PUT",
    "DELETE",
    "PATCH",
    "TRACE",
    "CONNECT",
    "PROPFIND",
    "M-SEARCH",
    "PRI",
    "FOO",
    "get",
    "",
    "P OST",
)
TYPES = (
    "application/json",
    "application/json; charset=utf-16",
    "Application/JSON;x",
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "multipart/form-data; boundary=",
    "multipart/form-data; boundary=x; boundary=y",
    'multipart/form-data; boundary="x',
    "multipart/mixed; boundary=x",
    "",
    ";",
    "/",
    "é/é",
    "application/json, application/json",
    "x" * 3000,
)
SUFFIXES = (
    "/",
    "//",
    "/x",
    "/%00",
    "/%ff",
    "/..",
    "/%2e%2e/",
    "?",
    "?a",
    "#a",
    "%",
    "%zz",
    ";x=1",
    "\\",
    "/" + "9" * 5000,
    "/" + "a" * 20_000,
    "?" + "a=1&" * 3000,
    "?tree=\xff\xfe",
    "\xe9",
    "?q=\xc3\xa9",
    "\x7f",
    " x",
    "\t",
    "?tree=" + "a" * 40_000,
    "?nbest=" + "9" * 5000,
)
HEADERS = (
    "Accept: application/x-ndjson",
    "Accept: \xff",
    "Accept: " + "x," * 5000,
    "Accept-Encoding: gzip;q=nan",
    "Range: bytes=0-",
    "Range: bytes=-",
    "Range: bytes=9-0",
    "Range: bytes=" + "0-0," * 500,
    "Range: bytes=" + "9" * 5000 + "-",
    "If-None-Match: *",
    "If-Modified-Since: x",
    "If-Modified-Since: Mon, 99 Foo 99999 99:99:99",
    "If-Modified-Since: Thu, 01 Jan 1970 00:00:00 +9999999",
    "If-Range: x",
    "Expect: 100-continue",
    "Expect: x",
    "Upgrade: websocket",
    "Connection: upgrade\r\nUpgrade: websocket",
    "Connection: upgrade\r\nUpgrade: h2c",
    "Host: [",
    "Host: [::1",
    "Host: a\xff:99999",
    "Host: ",
    "Host: a b",
    "Host: x:" + "9" * 5000,
    "Host: \u00bd",
    "Origin: null",
    "Origin: http://[",
    "Origin: \xff",
    "Sec-Fetch-Site: cross-site",
    "Sec-Fetch-Site: none",
    "Cookie: \xff=\xff;;;=",
    "Cookie: fergus_admin=" + "x" * 5000,
    "Cookie: " + "a=b; " * 2000,
    "Cookie: fergus-every-type=%00",
    'Cookie: fergus-every-type="\\000"',
    "Authorization: Bearer \xff",
    "Authorization: Basic x",
    "HX-Request: true",
    "X-CSRF: \xff",
    "X-Forwarded-For: \xff",
    "X-Forwarded-Proto: x",
    "Forwarded: for=\xff",
    "Content-Encoding: gzip",
    "TE: trailers",
    "Trailer: x",
    "A: " + "b" * 100_000,
    "X\0: a",
    "X: \0",
    "X : a",
    ": a",
    "X",
    " folded",
    "X: a\r\n b",
    "X: a\nY: b",
    "Content-Length: 0",
    "Transfer-Encoding: gzip, chunked",
)
CONTENT_LENGTHS = ("-1", "+1", "1.0", "0x10", "1 1", "9" * 25, "99999999", "5000000", "", "a", "\xb2", "0, 0")
VERSIONS = ("HTTP/1.0", "HTTP/2.0", "HTTP/0.9", "HTTP/1.1 ", "http/1.1", "", "HTTP/9.99")


@dataclass(frozen=True)
class Endpoint:
    """An address, and what it is sent; its path may have placeholders."""

    group: str
    method: str
    path: str
    bodies: Bodies
    queries: st.SearchStrategy[bytes]
    headers: tuple[str, ...] = ()
    note: str = ""

    @property
    def name(self) -> str:
        """As people call it."""
        return f"{self.method} {self.path}{self.note}"


@st.composite
def requests(draw: st.DrawFn, endpoint: Endpoint) -> Request:
    """A request to an address: three of four only carry odd values, the others are odd themselves."""
    is_odd = draw(st.integers(0, 3)) == 0
    kind, body = draw(endpoint.bodies)
    query = draw(endpoint.queries)
    method, version = endpoint.method, "HTTP/1.1"
    target = endpoint.path.encode() + (b"?" + query if query else b"")
    lines = [f"Host: {SITE}", f"Origin: http://{SITE}", *endpoint.headers]
    if kind:
        lines.append(f"Content-Type: {kind}")
    framing = "length"
    if is_odd:
        what = draw(st.sets(st.integers(0, 6), min_size=1, max_size=2))
        if 0 in what:
            method = draw(one_of(METHODS))
        if 1 in what:
            target = draw(targets(target))
        if 2 in what:
            lines += draw(st.lists(one_of(HEADERS), min_size=1, max_size=3))
        if 3 in what:
            lines = [line for line in lines if not line.startswith("Content-Type")]
            lines.append(f"Content-Type: {draw(one_of(TYPES))}")
        if 4 in what:
            framing = draw(one_of(["chunked", "chunked", "short", "long", "none", "both", "cut", "bad chunk", "odd"]))
        if 5 in what:
            version = draw(one_of(VERSIONS))
        if 6 in what:
            lines = lines[draw(st.integers(0, len(lines))) :]
    if draw(st.booleans()):
        lines.append("Connection: close")
    found = framed(f"{method} ".encode("latin-1") + target + f" {version}\r\n".encode(), lines, body, framing, draw)
    if is_odd and draw(st.integers(0, 3)) == 0:
        return Request(draw(broken(found.data)), is_whole=False)
    return found


@st.composite
def targets(draw: st.DrawFn, target: bytes) -> bytes:
    """Addresses that are none, or lead elsewhere."""
    kind = draw(st.integers(0, 3))
    if kind == 0:
        return draw(
            one_of(
                [
                    b"*",
                    b"",
                    b"//",
                    b"///x",
                    b"http://",
                    b"http://[",
                    b"http://other.test/x",
                    b"a:b",
                    b"/" * 2000,
                    b"?",
                    b"#",
                ]
            )
        )
    if kind == 1:
        return draw(st.binary(max_size=30)).replace(b" ", b"").replace(b"\n", b"")
    return target + draw(one_of(SUFFIXES)).encode("latin-1", "replace")


def framed(first: bytes, lines: list[str], body: bytes, framing: str, draw: st.DrawFn) -> Request:
    """The request with its body, whose length is told rightly or not."""
    is_whole = framing not in ("long", "cut", "bad chunk", "odd")
    sent = body
    if framing in ("chunked", "both", "cut", "bad chunk"):
        lines = [*lines, "Transfer-Encoding: chunked"]
        size = draw(one_of([1, 7, 1000, 100_000]))
        pieces = [body[at : at + size] for at in range(0, min(len(body), 2000 * size), size)]
        sent = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces)
        sent += {"cut": b"", "bad chunk": b"zz\r\n\r\n"}.get(
            framing, draw(one_of([b"0\r\n\r\n", b"0;x=y\r\nX: y\r\n\r\n"]))
        )
    length = {"length": len(body), "both": len(body), "short": len(body) // 2, "long": len(body) + 10}.get(framing)
    if length is not None and (body or framing != "length"):
        lines = [*lines, f"Content-Length: {length}"]
    elif framing == "odd":
        lines = [*lines, f"Content-Length: {draw(one_of(CONTENT_LENGTHS))}"]
    head = b"".join(line.encode("latin-1", "replace") + b"\r\n" for line in lines)
    return Request(first + head + b"\r\n" + sent, is_whole)
