from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from fergus.core.tree import ROOT, DependencyTree, Node
from fergus.drawing import COLOURS, draw_tree, standalone, stylesheet
from fergus.drawing.svg import cut, document, ems, group, label, paint
from tests.drawing.shapes import SVG, root_of, texts_of


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", sorted(set(COLOURS) - {"paper", "line"}))
def test_texts_can_be_read_on_light_and_dark(name: str) -> None:
    colour, paper = COLOURS[name], COLOURS["paper"]
    assert contrast(colour.light, paper.light) >= 4.5
    assert contrast(colour.dark, paper.dark) >= 4.5
    if name != "ink":  # which is the page's own
        assert contrast(colour.fallback, "#ffffff") >= 3
        assert contrast(colour.fallback, "#111111") >= 3


def test_a_drawing_takes_the_page_s_colours_and_alone_has_its_own() -> None:
    inline = draw_tree(DependencyTree((Node("dogs"),), (ROOT,)))
    assert 'fill="var(--fergus-ink, currentColor)"' in inline
    alone = standalone(inline)
    assert "var(" not in alone
    assert f'fill="{COLOURS["ink"].light}"' in alone
    assert "prefers-color-scheme:dark" in alone
    assert f'[fill="{COLOURS["ink"].light}"]{{fill:{COLOURS["ink"].dark}}}' in alone
    ground = root_of(alone).find(f"{SVG}rect")
    assert ground is not None
    assert ground.attrib == {"width": "100%", "height": "100%", "fill": COLOURS["paper"].light}


def test_the_style_sheet_sets_every_colour_that_is_used() -> None:
    assert set(re.findall(r"--fergus-(\w+):", stylesheet())) == set(COLOURS)
    assert paint("best") == f"var(--fergus-best, {COLOURS['best'].fallback})"


def test_nothing_gets_out_of_a_text() -> None:
    odd = "</text><script>&\"'\0\ud800\x1b"
    svg = document(
        "x", [group([label(odd, 0, 0, size=9)], tooltip=odd, note=odd)], width=9, height=9, title=odd, description=odd
    )
    root = ET.fromstring(svg)
    assert not list(root.iter(f"{SVG}script"))
    assert (
        texts_of(svg)[0].words
        == "</text><script>&\"'\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}"
    )
    assert next(root.iter(f"{SVG}g")).get("data-note") == "</text><script>&\"'"


def test_widths() -> None:
    assert ems("") == 0
    assert ems("ill") < ems("all") < ems("mmm")
    assert ems("e\N{COMBINING ACUTE ACCENT}") == ems("e")
    assert ems("日本") == 2 * ems("m")


def test_a_note_is_broken_into_lines_and_said_to_those_who_do_not_see() -> None:
    svg = document("x", [], width=200, height=50, title="t", description="d", note="word " * 40)
    assert len(texts_of(svg)) > 3
    desc = root_of(svg).find(f"{SVG}desc")
    assert desc is not None
    assert (desc.text or "").startswith("d word word")
    assert "<text" not in document("x", [], width=200, height=50, title="t", description="d")


def test_cut() -> None:
    assert cut("abc", 3) == "abc"
    assert cut("abcd", 3) == "ab…"
