from __future__ import annotations

import pytest
from jinja2 import UndefinedError

from fergus.web.errors import error_page
from fergus.web.rendering import Pages, inline_markdown, markdown, static_address


def test_markdown_of_authors() -> None:
    assert markdown("*a* and [b](https://b.example)") == (
        '<p><em>a</em> and <a href="https://b.example" target="_blank" rel="noopener noreferrer">b</a></p>\n'
    )
    assert inline_markdown("**a**") == "<strong>a</strong>"


def test_a_page_has_one_heading_of_the_first_level_so_authors_begin_with_the_second() -> None:
    assert markdown("# One\n\n###### Six") == "<h2>One</h2>\n<h6>Six</h6>\n"


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "a <b onclick=x>b</b>",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](data:text/html,x)",
        "[x](vbscript:x)",
        "[x](<http://[a>)",
        "[x](//evil.example)",
        "[x](/p/key)",
        "<javascript:alert(1)>",
        "![x](https://tracker.example/pixel.png)",
        "[x]: javascript:alert(1)\n\n[x]",
    ],
)
def test_what_markdown_does_not_do(text: str) -> None:
    for made in (markdown(text), inline_markdown(text)):
        assert "<script" not in made
        assert "<b " not in made
        assert "<img" not in made
        assert 'href="http://[' not in made
        assert 'href="/' not in made
        assert 'href="javascript' not in made.lower()
        assert 'href="data' not in made
        assert 'href="vbscript' not in made


def test_addresses_of_static_files_change_with_the_files() -> None:
    address = static_address("style.css")
    assert address.startswith("/static/style.css?v=")
    assert static_address("vendor/htmx.min.js") != address


def test_every_template_compiles_and_a_missing_name_is_an_error_and_not_a_gap() -> None:
    pages = Pages()
    pages.warm()
    with pytest.raises(UndefinedError):
        pages.render("error.html", {})


def test_statuses_without_words_of_their_own_have_their_names() -> None:
    assert b"I&#39;m a Teapot" in bytes(error_page(Pages(), 418).body)
