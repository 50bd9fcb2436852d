"""A participant's page as the simulation reads it: the texts that are shown, and the form that is to be filled in.

Pages are searched, not parsed: what is sought stands in attributes that the pages promise (``data-block``,
``data-place``, ``data-finished``, hidden fields), and in our pages no text can contain one: its quotes are escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import unescape

_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?""")
_HIDDEN = re.compile(r"<input\b[^>]*\btype=[\"']?hidden\b[^>]*>")
_NAME = re.compile(r"<(?:input|select|textarea|button)\b[^>]*?\sname=\"([^\"]*)\"")
_INLINE = re.compile(r"</?(?:a|b|bdi|em|i|mark|span|strong|u|wbr)\b[^>]*>")
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True)
class Page:
    """What stands on a page."""

    block: str
    texts: Mapping[str, str]
    """The texts that are judged, by their places; space is one blank, as a reader sees it."""
    hidden: Mapping[str, str]
    """The hidden fields with their values."""
    names: frozenset[str]
    """The names of all fields."""
    action: str
    """Where the form goes; "" for the page's own address."""
    finished: str
    """How the participation ended; "" while it has not."""
    has_form: bool


def read_page(html: str) -> Page:
    """Find what a page shows and asks; the form is the first one that says which block it is of, or else posts."""
    forms = list(_tags_with(html, "data-block")) or [
        found for found in _tags_with(html, "method") if found[1].get("method", "").lower() == "post"
    ]
    start, form = (forms[0][0], forms[0][1]) if forms else (0, {})
    end = html.find("</form", start)
    inside = html[start:end] if forms and end >= 0 else ""
    hidden = [_attributes(tag) for tag in _HIDDEN.findall(inside)]
    finished = next((found.get("data-finished", "") for _, found, _ in _tags_with(html, "data-finished")), "")
    return Page(
        form.get("data-block", ""),
        {found["data-place"]: _content(html, end, name) for end, found, name in _tags_with(html, "data-place")},
        {found.get("name", ""): found.get("value", "") for found in hidden},
        frozenset(map(unescape, set(_NAME.findall(inside)))),
        form.get("action", ""),
        finished,
        bool(forms),
    )


def as_read(text: str) -> str:
    """A text with single blanks, as a reader of a page sees it.

    >>> as_read("one  two\\n three ")
    'one two three'
    """
    return " ".join(text.split())


def _tags_with(html: str, attribute: str) -> Iterator[tuple[int, dict[str, str], str]]:
    """The tags that have an attribute: where each ends, its attributes, its name."""
    sought, place = f"{attribute}=", 0
    while (place := html.find(sought, place)) >= 0:
        start, end = html.rfind("<", 0, place), html.find(">", place)
        inside = html[start + 1 : end]
        if start >= 0 and end >= 0 and ">" not in html[start:place] and html[place - 1].isspace():
            name = inside.split(None, 1)[0]
            found = _attributes(inside[len(name) :])
            if attribute in found:
                yield end + 1, found, name
        place += len(sought)


def _attributes(tag: str) -> dict[str, str]:
    return {name.lower(): unescape(a or b or c) for name, a, b, c in _ATTRIBUTE.findall(tag)}


def _content(html: str, start: int, name: str) -> str:
    """What stands between a tag and its end, without the tags in it."""
    depth, end = 1, start
    for tag in re.compile(rf"<(/?){re.escape(name)}\b[^>]*>").finditer(html, start):
        depth += -1 if tag[1] else 1
        end = tag.start()
        if depth == 0:
            break
    return as_read(unescape(_TAG.sub(" ", _INLINE.sub("", html[start:end]))))
