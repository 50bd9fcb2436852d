"""Feature templates as readable text, and the hashing that turns them into rows of a weight table.

A template is a line of attributes that are looked at together, ``a.deprel b.deprel h.upos``: *a* and *b* are
daughters, *h* their mother, *g* hers; *t* is the treelet as a whole. Section ``[daughter]`` looks at one
daughter, section ``[sisters]`` at two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from fergus.compiled import compiled
from fergus.errors import ModelError
from fergus.realize.features import NODE_ATTRIBUTES, TREELET_ATTRIBUTES

WIDTH = len(NODE_ATTRIBUTES)
CODES = {f"{who}.{name}": w * WIDTH + i for w, who in enumerate("abhg") for i, name in enumerate(NODE_ATTRIBUTES)}
CODES |= {f"t.{name}": 4 * WIDTH + i for i, name in enumerate(TREELET_ATTRIBUTES)}


@dataclass(frozen=True)
class Templates:
    """Templates in their readable form and as an array of attribute codes, -1 where a line is shorter."""

    text: str
    daughter: NDArray[np.int32]
    sisters: NDArray[np.int32]


def parse_templates(text: str) -> Templates:
    """Read the two sections; a name that is no attribute is an error of the model file."""
    return Templates(text, *read_sections(text, ("daughter", "sisters"), CODES, what="templates"))


def read_sections(text: str, names: Sequence[str], codes: Mapping[str, int], *, what: str) -> list[NDArray[np.int32]]:
    """The lines of every section as codes of attributes; lines before the first heading belong to the first."""
    sections: dict[str, list[list[int]]] = {name: [] for name in names}
    current = sections[names[0]]
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if not words:
            continue
        if words[0].startswith("["):
            name = words[0].strip("[]")
            if name not in sections:
                raise ModelError(f"{what}: no section [{name}]; there are [{'] and ['.join(sections)}]")
            current = sections[name]
            continue
        for word in words:
            if word not in codes:
                raise ModelError(f"{what}: {word!r} is no attribute; legal are {', '.join(codes)}")
        current.append([codes[word] for word in words])
    return [_padded(rows) for rows in sections.values()]


def shipped_templates(name: str) -> Templates:
    """One of the template files beside this module: ``labels`` or ``guessed``."""
    return parse_templates(resources.files("fergus.realize").joinpath(f"templates/{name}.txt").read_text("utf-8"))


def _padded(rows: list[list[int]]) -> NDArray[np.int32]:
    out = np.full((len(rows), max(map(len, rows), default=1)), -1, np.int32)
    for i, row in enumerate(rows):
        out[i, : len(row)] = row
    return out


@compiled
def gather(x, treelet, a, b, h, g, values):
    """Line up the attributes of two daughters (b may be -1), mother, grandmother (may be -1) and treelet."""
    width = x.shape[1]
    for f in range(width):
        values[f] = x[a, f]
        values[2 * width + f] = x[h, f]
    if b >= 0:
        for f in range(width):
            values[width + f] = x[b, f]
    for f in range(width):
        values[3 * width + f] = x[g, f] if g >= 0 else 1
    for c in range(treelet.shape[0]):
        values[4 * width + c] = treelet[c]


@compiled
def hash_rows(values, templates, salt, mask, rows):
    """The row of the weight table that each template points at for these values."""
    multiplier = np.uint64(0x9E3779B97F4A7C15)
    for t in range(templates.shape[0]):
        h = np.uint64(salt + t * 7919 + 1) * multiplier
        for j in range(templates.shape[1]):
            code = templates[t, j]
            if code < 0:
                break
            h = (h ^ np.uint64(values[code])) * multiplier
            h ^= h >> np.uint64(29)
        rows[t] = np.int64(h & np.uint64(mask))
