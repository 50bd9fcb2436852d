"""Broken files from good ones: the plain way, where no coverage guides the choice."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

LONGEST, PROLONGED = 1 << 16, 1 << 18
TOKENS = (
    *(bytes([byte]) for byte in b"\0\n\r\t \"'\\()[]{}:,|=#_*&\xff\xc3"),
    *(b"-1", b"0", b"1e999", b"-1e999", b"nan", b"inf", b"1_0", b"0x10", b"1.5", b"true", b"null"),
    *(b"9" * 20, b"9" * 400, b"9" * 5000),
    *(letter.encode() for letter in "\ufeff\u00b2\u0663\u2028\u0130"),
    *(b"\\ud800", b"\\u0000", b"&a", b"*a", b"!!python/name:x"),
    *(b"[" * 2000, b"(" * 2000, b'{"a":' * 2000, b"a: " * 200, b"a." * 500),
)
"""What readers stumble over: signs of their formats, odd numbers, odd letters, depth."""


def mutated(seeds: Sequence[bytes], random: Random) -> bytes:
    """A seed, changed in one to eight places."""
    data = random.choice(seeds)
    for _ in range(1 << random.randrange(4)):
        data = _changed(data, seeds, random)
    return data[:LONGEST]


def prolonged(seeds: Sequence[bytes], random: Random) -> bytes:
    """A seed, changed or not, of which a piece stands there thousands of times: what takes time shows itself."""
    data = random.choice(seeds) if random.random() < 0.5 else mutated(seeds, random)
    start = random.randrange(len(data) + 1)
    if random.random() < 0.5:
        start = data.rfind(b"\n", 0, start) + 1
    end = min(len(data), start + (1 << random.randrange(11)))
    if random.random() < 0.5:
        end = data.find(b"\n", start, end) + 1 or end
    piece = data[start:end] or random.choice(TOKENS)
    return (data[:start] + piece * (PROLONGED // len(piece)) + data[end:])[:PROLONGED]


def _changed(data: bytes, seeds: Sequence[bytes], random: Random) -> bytes:
    start, end = sorted(random.randrange(len(data) + 1) for _ in range(2))
    if random.random() < 0.7:
        end = min(end, start + random.randrange(1, 9))
    kind = random.randrange(6)
    if kind == 0:
        return data[:start] + data[end:]
    if kind == 1:
        return data[:start] + random.choice(TOKENS) + data[end:]
    if kind == 2:
        return data[:start] + random.choice(TOKENS) + data[start:]
    if kind == 3:
        return data[:end] + data[start:end] * random.choice((1, 2, 50)) + data[end:]
    if kind == 4:
        other = random.choice(seeds)
        return data[:start] + other[random.randrange(len(other) + 1) :]
    return data[:start] + random.randbytes(max(1, end - start)) + data[end:]
