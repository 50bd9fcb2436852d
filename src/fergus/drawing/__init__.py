"""Trees, lattices, elementary trees and alignments as SVG: for pages, notebooks and papers.

Every ``draw_...`` function gives an ``<svg>`` element to be put into a page. Its colours are CSS custom properties
(``--fergus-ink`` ..., see ``COLOURS``), which the page may set, with fallbacks that can be read on light and on
dark; nothing in it needs a style sheet or a script, so that the strictest content security policy lets it through.
``standalone`` makes a file of it that brings its own colours.
"""

from __future__ import annotations

from fergus.drawing.alignment import draw_alignment
from fergus.drawing.elementary import draw_elementary
from fergus.drawing.lattice import draw_lattice
from fergus.drawing.svg import COLOURS, standalone, stylesheet
from fergus.drawing.tree import draw_tree

__all__ = [
    "COLOURS",
    "draw_alignment",
    "draw_elementary",
    "draw_lattice",
    "draw_tree",
    "standalone",
    "stylesheet",
]
