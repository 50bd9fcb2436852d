"""One style for all figures: readable at column width, safe for the colour-blind and in grey, the same each time."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMN, PAGE = 3.4, 6.9
"""Inches: one column of a paper, and both."""
INK, GREY, BLUE, RED, GREEN = "#1d1d1b", "#8a8a8a", "#0072b2", "#d55e00", "#009e73"
"""Blue, red and green are those of Okabe and Ito; shapes and fills tell the same as colours."""
DOTS_AN_INCH = 300
STYLE: dict[str, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib
    "font.size": 7.5,
    "axes.titlesize": 8,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 7.5,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "legend.frameon": False,
    "legend.fontsize": 7,
    "lines.linewidth": 1.0,
    "axes.unicode_minus": True,
    "text.parse_math": False,  # a dollar in a name is a dollar
    "svg.hashsalt": "fergus",
    "figure.dpi": 100,
}
_KEPT = ("fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-dashoffset", "stroke-linejoin", "stroke-linecap",
         "fill-opacity", "stroke-opacity", "opacity", "text-anchor", "stroke-miterlimit")  # fmt: skip


@dataclass(frozen=True)
class Drawn:
    """A figure with what stands under it."""

    about: str
    """The dimension, question or task, as it is called."""
    kind: str
    """One a kind is drawn about each."""
    title: str
    caption: str
    figure: Figure
    number: int = 1
    """Of those whose names would be the same file's."""

    @property
    def name(self) -> str:
        """That of its files."""
        return f"{file_name(self.about)}-{self.kind}" + (f"-{self.number}" if self.number > 1 else "")

    @property
    def told(self) -> str:
        """Title and caption as sentences."""
        return f"{self.title}{'' if self.title.endswith('?') else '.'} {self.caption}"


@contextmanager
def styled(**more: str) -> Iterator[None]:
    """In this block figures are made and saved in our style."""
    import matplotlib as mpl

    settings: dict[Any, Any] = {**STYLE, **more}
    with mpl.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # names in scripts that the font lacks are boxes
        yield


def cut(text: str, most: int = 32) -> str:
    """A name that leaves room for the figure.

    >>> cut("a" * 40, 5)
    'aaaa…'
    """
    return text if len(text) <= most else text[: most - 1] + "…"


def name_rows(axes: Axes, names: Sequence[str], most: int = 32) -> None:
    """Names down the axis, the first on top."""
    axes.set_yticks(range(len(names)), [cut(name, most) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)


def lay_out(figure: Figure) -> None:
    """Give everything its place, once: saving would do it again for every file."""
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
        figure.set_layout_engine("none")


def svg_of(drawn: Drawn) -> bytes:
    """A file that looks the same everywhere: letters are shapes, and there is no date."""
    return _saved(drawn, "path").encode()


def png_of(drawn: Drawn) -> bytes:
    """The same in dots."""
    target = io.BytesIO()
    with styled():
        drawn.figure.savefig(target, format="png", dpi=DOTS_AN_INCH, metadata={"Software": None}, facecolor="white")
    return target.getvalue()


def inline_svg(drawn: Drawn) -> str:
    """For a web page: letters are letters, ink is the page's ink, and no style needs to be allowed."""
    text = _saved(drawn, "none")
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>|<style[^>]*>.*?</style>|<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r'style="([^"]*)"', lambda match: _attributes(match[1]), text)
    text = re.sub(INK, "currentColor", text, flags=re.IGNORECASE)
    used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', text))
    text = re.sub(r' id="([^"]*)"', lambda match: f' id="{drawn.name}-{match[1]}"' if match[1] in used else "", text)
    text = re.sub(r'(href="#|url\(#)([^")]+)', lambda match: f"{match[1]}{drawn.name}-{match[2]}", text)
    return re.sub(r"\s*\n\s*", "\n", _headed(text, drawn))


def _headed(text: str, drawn: Drawn) -> str:
    """The root element with its size as a box, and a name for those who do not see it."""
    from html import escape

    box = re.search(r'viewBox="([^"]*)"', text)
    size = box[1] if box else "0 0 100 100"
    label = escape(drawn.told, quote=True)
    width = size.split()[2]
    root = f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="{size}" '
    root += f'width="{float(width) * 1.8:.0f}" role="img" aria-label="{label}">'
    return re.sub(r"<svg[^>]*>", lambda _: root, text, count=1)


def _attributes(style: str) -> str:
    """A style as attributes, which need no permission of the page."""
    found = []
    for part in style.split(";"):
        name, _, value = (piece.strip() for piece in part.partition(":"))
        if name in ("font", "font-size") and (size := re.search(r"([\d.]+)px", value)):
            found.append(f'font-size="{size[1]}"')
        if name in ("font", "font-weight") and re.search(r"\b(700|bold)\b", value):
            found.append('font-weight="700"')
        if name in _KEPT:
            found.append(f'{name}="{value}"')
    return " ".join(found)


def _saved(drawn: Drawn, letters: str) -> str:
    target = io.StringIO()
    with styled(**{"svg.fonttype": letters, "svg.hashsalt": f"fergus {drawn.name}"}):
        drawn.figure.savefig(target, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    return target.getvalue()


def file_name(text: str) -> str:
    """A dimension's name as part of a file's; several may have the same, see ``distinct_names``.

    >>> file_name("Well-formedness (1/2)")
    'well-formedness-1-2'
    """
    return re.sub(r"[^\w-]+", "-", text.lower()).strip("-") or "dimension"


def numbered(drawings: Iterable[Drawn]) -> Iterator[Drawn]:
    """The same, with names that are distinct."""
    taken: set[str] = set()
    for drawn in drawings:
        own = drawn
        while own.name in taken:
            own = replace(own, number=own.number + 1)
        taken.add(own.name)
        yield own
