from __future__ import annotations

import re
from html.parser import HTMLParser

import fergus

OUTPUTS, REFERENCES = ["estimate no cost", "no cost"], ["no cost estimate", "no cost"]
HOSTILE = "<script>alert(1)</script>"


class Cells(HTMLParser):
    """The rows of all tables."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1] and data.strip():
            self.rows[-1][-1] += data.strip()


def rows_of(html: str) -> list[list[str]]:
    parser = Cells()
    parser.feed(re.sub(r"<p>.*?</p>", "", html, flags=re.DOTALL))
    return parser.rows


def test_one_system() -> None:
    found = fergus.evaluate({"mine": OUTPUTS}, [REFERENCES], metrics="string", samples=50)
    head, *body = rows_of(found._repr_html_())
    assert head == ["", "mean", "95% interval", "pooled", "95% interval", ""]
    # 1 of 3 words moved: an insertion and a deletion are 2 errors, a move is 1; the other sentence is right.
    assert [row[1] for row in body] == [".6667*", ".8333*"]
    assert "2 sentences, 1 reference each" in found._repr_html_()


def test_several_systems_their_comparison_and_a_warning() -> None:
    systems = {HOSTILE: OUTPUTS, "empty": ["", ""]}
    found = fergus.evaluate(systems, [REFERENCES], metrics="string", samples=50, compare=True)
    html = found._repr_html_()
    assert "<script" not in html
    assert html.count("<table>") == 3
    assert ["Mean over sentences", HOSTILE, "empty"] in rows_of(html)
    assert "<strong>Warning:</strong> 2 of 2 hypotheses of empty are empty" in html
