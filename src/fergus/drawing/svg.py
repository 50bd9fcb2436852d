"""What all drawings share: colours, the width of a text, elements and the document around them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from math import ceil
from typing import NamedTuple
from unicodedata import category, east_asian_width


class Colour(NamedTuple):
    """What a drawing is painted with: on its own on white and on black, and in a page that says nothing."""

    light: str
    dark: str
    fallback: str


COLOURS = {
    "ink": Colour("#1f2937", "#e5e7eb", "currentColor"),
    "quiet": Colour("#5b6472", "#a3abb8", "#767b85"),
    "line": Colour("#9ca3af", "#6b7280", "#8b919c"),
    "paper": Colour("#ffffff", "#111827", "none"),
    "best": Colour("#c2410c", "#fb923c", "#d4580f"),
    "deleted": Colour("#9a2c08", "#f7a184", "#c8552b"),
    "inserted": Colour("#00563f", "#6fd6b2", "#1f8a68"),
    "substituted": Colour("#6f2f86", "#dcaeea", "#a060b8"),
    "moved": Colour("#174f8f", "#97c3f5", "#3d7fc8"),
}
"""By name; the page sets ``ink`` as ``--fergus-ink``. Fallbacks have a contrast of at least 3 on white and on black."""

FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"
LONGEST = 42
"""Characters of a text that are shown; the rest is in its tooltip."""

_NARROW, _USUAL, _WIDE = 0.34, 0.62, 1.0
_NARROW_ONES = frozenset("iIjlft.,:;!|'()[] -")
_VARIABLE = re.compile(r"var\(--fergus-(\w+), [^)]+\)")
# What XML cannot hold at all, escaped or not.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def paint(name: str) -> str:
    """The value of a ``fill`` or ``stroke``: the page's colour, or one that does on any ground."""
    return f"var(--fergus-{name}, {COLOURS[name].fallback})"


def ems(text: str) -> float:
    """The width of a text in ems of a bold sans-serif font, rather too wide than too narrow.

    >>> ems("mill") < ems("moon")
    True
    """
    return sum(_character(c) for c in text)


def _character(c: str) -> float:
    if c in _NARROW_ONES:
        return _NARROW
    if c in "mwMW@%" or east_asian_width(c) in "WF":
        return _WIDE
    if category(c) == "Mn":  # an accent over the letter before it
        return 0.0
    return _USUAL if c.islower() or c.isdigit() or not c.isalpha() else 0.76


def text_of(text: str) -> str:
    """A text as it stands between tags."""
    return escape(_NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text), quote=False)


def cut(text: str, most: int = LONGEST) -> str:
    """The text, or its beginning and an ellipsis.

    >>> cut("antidisestablishmentarianism", 10)
    'antidises…'
    """
    return text if len(text) <= most else text[: most - 1] + "…"


def label(
    text: str, x: float, y: float, *, size: float, fill: str = "ink", bold: bool = False, italic: bool = False
) -> str:
    """A line of text around ``x``, its baseline at ``y``."""
    more = (' font-weight="bold"' if bold else "") + (' font-style="italic"' if italic else "")
    return (
        f'<text class="{fill}" x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" fill="{paint(fill)}"{more} '
        f'text-anchor="middle" xml:space="preserve">{text_of(text)}</text>'
    )


def line(path: str, *, stroke: str = "line", width: float = 1.2, dashed: bool = False) -> str:
    """A stroke along a path."""
    dashes = ' stroke-dasharray="4 3"' if dashed else ""
    return f'<path d="{path}" fill="none" stroke="{paint(stroke)}" stroke-width="{width:g}"{dashes}/>'


def group(parts: Iterable[str], *, name: str = "", tooltip: str = "", **data: object) -> str:
    """Elements that belong together; ``data`` become ``data-`` attributes for the page's scripts."""
    known = f' class="{name}"' if name else ""
    for key, value in data.items():
        known += f' data-{key.replace("_", "-")}="{escape(_NOT_XML.sub("", str(value)))}"'
    tip = f"<title>{text_of(tooltip)}</title>" if tooltip else ""
    return f"<g{known}>{tip}{''.join(parts)}</g>"


def xy(point: tuple[float, float]) -> str:
    """A point in a path."""
    return f"{point[0]:.1f} {point[1]:.1f}"


def document(
    kind: str, body: Iterable[str], *, width: float, height: float, title: str, description: str, note: str = ""
) -> str:
    """The whole drawing; a ``note`` is written below it.

    The name and the description are the drawing's own elements, not attributes that point to identifiers: two
    drawings in a page would need different ones.
    """
    lines = _in_lines(note, max(width, 260.0))
    wide = ceil(max(width, *(11.5 * ems(part) + 16 for part in lines), 1.0))
    tall = ceil(height + 16 * len(lines) + (6 if lines else 0))
    notes = "".join(
        f'<text class="note quiet" x="8" y="{height + 12 + 16 * i:.1f}" font-size="11.5" fill="{paint("quiet")}">'
        f"{text_of(part)}</text>\n"
        for i, part in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="fergus-drawing {kind}" role="img" '
        f'viewBox="0 0 {wide} {tall}" width="{wide}" height="{tall}" font-family="{FONT}">\n'
        f"<title>{text_of(title)}</title>\n<desc>{text_of(' '.join(filter(None, (description, note))))}</desc>\n"
        + "\n".join(body)
        + f"\n{notes}</svg>\n"
    )


def _in_lines(text: str, width: float) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        if lines and 11.5 * ems(f"{lines[-1]} {word}") + 16 <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def stylesheet() -> str:
    """The custom properties for a page that has no colours of its own, light and dark."""
    light = "".join(f"--fergus-{name}:{colour.light};" for name, colour in COLOURS.items())
    dark = "".join(f"--fergus-{name}:{colour.dark};" for name, colour in COLOURS.items())
    return f".fergus-drawing{{{light}}}\n@media (prefers-color-scheme:dark){{.fergus-drawing{{{dark}}}}}\n"


def standalone(drawing: str) -> str:
    """A drawing as a file of its own: on its own ground, light or dark as the reader's programs are.

    Colours are written out, since the converters that papers are made with know no custom properties; a style
    sheet changes them where it is dark.
    """
    fixed = _VARIABLE.sub(lambda found: COLOURS[found[1]].light, drawing)
    dark = "".join(
        f'.fergus-drawing [{where}="{colour.light}"]{{{where}:{colour.dark}}}'
        for colour in COLOURS.values()
        for where in ("fill", "stroke")
        if f'{where}="{colour.light}"' in fixed or colour is COLOURS["paper"]
    )
    style = f"<style>@media (prefers-color-scheme:dark){{{dark}}}</style>\n"
    ground = f'<rect width="100%" height="100%" fill="{COLOURS["paper"].light}"/>\n'
    head, desc, rest = fixed.partition("</desc>\n")
    return head + desc + style + ground + rest
