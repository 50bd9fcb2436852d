"""What a drawing is made of, read back from its XML."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass

from fergus.drawing.svg import ems

SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Text:
    """A text and the box around it, by the widths that the drawings reckon with."""

    words: str
    left: float
    right: float
    top: float
    bottom: float

    def overlaps(self, other: Text) -> bool:
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across > 0.1 and down > 0.1


def root_of(svg: str) -> ET.Element:
    return ET.fromstring(svg)


def texts_of(svg: str) -> list[Text]:
    found = []
    for element in root_of(svg).iter(f"{SVG}text"):
        size, x, y = (float(element.attrib[name]) for name in ("font-size", "x", "y"))
        words = element.text or ""
        width = size * ems(words)
        left = x - width / 2 if element.get("text-anchor") == "middle" else x
        # Ascenders reach 0.75 of the size above the baseline, descenders 0.2 below.
        found.append(Text(words, left, left + width, y - 0.75 * size, y + 0.2 * size))
    return found


def check(svg: str) -> None:
    """What every drawing promises: valid, accessible, without style or script, texts apart and inside."""
    root = root_of(svg)
    assert root.get("role") == "img"
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert root[0].text
    assert root[1].text
    assert not re.search(r"<style|<script|\sstyle=|\son\w+=|href=", svg)
    width, height = (float(root.attrib[name]) for name in ("width", "height"))
    assert root.attrib["viewBox"] == f"0 0 {root.attrib['width']} {root.attrib['height']}"
    texts = texts_of(svg)
    for i, one in enumerate(texts):
        assert one.left >= -0.1, one
        assert one.right <= width + 0.1, one
        assert one.top >= -0.1, one
        assert one.bottom <= height + 0.1, one
        for other in texts[:i]:
            assert not one.overlaps(other), (one, other)
