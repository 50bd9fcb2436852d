from __future__ import annotations

from html import escape
from html.parser import HTMLParser

from hypothesis import given, settings
from hypothesis import strategies as st

from fergus.studies.read_page import as_read, read_page

PAGE = """<!doctype html><html><body data-kind="x">
<form method="post" action="/p/key/withdraw"><button>Stop</button></form>
<main id="page">
<form method="post" action="/p/key" data-block="main &amp; more">
<input type="hidden" name="page" value="3"><input type=hidden name="shown_ms" value="">
<article><p class="context">Before.</p><div class="text" data-place="0">A <em>good</em>
 one &amp; <div>another</div></div></article>
<p data-place='1'>x&lt;b&gt; data-place=&#34;7&#34;</p>
<input type="radio" name="0.rating.quality" value="1"><input name="0.rating.quality" type="radio" value="2">
<textarea name="page.comment.comment"></textarea><select name="page.a.b"><option>1</select>
<button name="go" value="1">Next</button>
</form>
<input name="elsewhere">
</main></body></html>"""


def test_what_a_page_shows_and_asks() -> None:
    page = read_page(PAGE)
    assert page.block == "main & more"
    assert page.texts == {"0": "A good one & another", "1": 'x<b> data-place="7"'}
    assert page.hidden == {"page": "3", "shown_ms": ""}
    assert page.names == {"page", "shown_ms", "0.rating.quality", "page.comment.comment", "page.a.b", "go"}
    assert page.action == "/p/key"
    assert page.has_form
    assert page.finished == ""


def test_the_first_page_has_a_form_of_no_block() -> None:
    page = read_page(
        '<form method="GET"></form><form method="POST"><input type="hidden" name="nonce" value="n"></form>'
    )
    assert (page.block, page.hidden, page.action, page.has_form) == ("", {"nonce": "n"}, "", True)


def test_the_last_page() -> None:
    page = read_page('<main id="page" data-finished="completed"><p>Thank you!</p></main>')
    assert (page.finished, page.has_form, page.texts, page.names) == ("completed", False, {}, frozenset())


def test_a_page_without_anything() -> None:
    page = read_page("data-place= data-block=<p>nothing</p")
    assert (page.finished, page.has_form, page.texts, page.hidden) == ("", False, {}, {})


class Slow(HTMLParser):
    """The slow obvious way: parse everything."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: dict[str, str] = {}
        self.place, self.depth = "", 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if "data-place" in found:
            self.place, self.depth = found["data-place"] or "", 0
            self.texts[self.place] = ""
        if self.place:
            self.depth += tag == "div"

    def handle_endtag(self, tag: str) -> None:
        if self.place:
            self.depth -= tag == "div"
            if self.depth == 0:
                self.place = ""

    def handle_data(self, data: str) -> None:
        if self.place:
            self.texts[self.place] += data


@settings(deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\0"), max_size=60), max_size=4))
def test_texts_are_read_as_a_parser_reads_them(texts: list[str]) -> None:
    html = "".join(
        f'<div class="item"><div lang="en" data-place="{place}"><bdi>{escape(text)}</bdi></div></div>'
        for place, text in enumerate(texts)
    )
    slow = Slow()
    slow.feed(html)
    slow.close()
    assert read_page(html).texts == {place: as_read(text) for place, text in slow.texts.items()}
    assert read_page(html).texts == {str(place): as_read(text) for place, text in enumerate(texts)}
