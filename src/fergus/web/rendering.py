"""How pages are made: the Jinja environment, Markdown without HTML, addresses of static files."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from markupsafe import Markup
from starlette.responses import HTMLResponse

LINKS = frozenset({"http", "https", "mailto"})
"""Where links in Markdown may lead."""
STATIC = files("fergus.web") / "static"


class Pages:
    """The templates, compiled once; what they make is always escaped."""

    def __init__(self) -> None:
        self.environment = Environment(
            loader=PackageLoader("fergus.web"),
            autoescape=True,
            auto_reload=False,
            cache_size=-1,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.environment.filters |= {"markdown": markdown, "inline": inline_markdown}
        self.environment.globals |= {"static": lru_cache(maxsize=None)(static_address)}

    def warm(self) -> None:
        """Compile every template, so that nobody waits for it."""
        for name in self.environment.list_templates():
            self.environment.get_template(name)

    def render(self, template: str, context: Mapping[str, Any]) -> str:
        """The text of a page."""
        return self.environment.get_template(template).render(context)

    def response(
        self, template: str, context: Mapping[str, Any], *, status: int = 200, headers: Mapping[str, str] | None = None
    ) -> HTMLResponse:
        """A page, ready to be sent."""
        return HTMLResponse(self.render(template, context), status, headers=headers)


def static_address(name: str) -> str:
    """Where a static file is; the address changes with the file, so that browsers may keep it for ever."""
    content = STATIC.joinpath(*name.split("/")).read_bytes()
    return f"/static/{name}?v={hashlib.sha256(content).hexdigest()[:12]}"


@lru_cache(maxsize=1000)
def markdown(text: str) -> Markup:
    """Paragraphs, lists and links of a study's author; HTML in it is shown, not obeyed."""
    return Markup(_markdown().render(text))


@lru_cache(maxsize=1000)
def inline_markdown(text: str) -> Markup:
    """Emphasis and links within a line."""
    return Markup(_markdown().renderInline(text))


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("image")
    reader.validateLink = _is_allowed  # type: ignore[assignment,method-assign]
    reader.add_render_rule("link_open", _link_open)
    reader.add_render_rule("heading_open", _heading)
    reader.add_render_rule("heading_close", _heading)
    return reader


def _is_allowed(address: str) -> bool:
    return address.strip().partition(":")[0].lower() in LINKS


def _link_open(self: RendererHTML, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
    # A link must not take people away from a page that they have half filled in.
    tokens[idx].attrSet("target", "_blank")
    tokens[idx].attrSet("rel", "noopener noreferrer")
    return self.renderToken(tokens, idx, options, env)


def _heading(self: RendererHTML, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
    # The page has its own first-level heading.
    tokens[idx].tag = f"h{min(int(tokens[idx].tag[1]) + 1, 6)}"
    return self.renderToken(tokens, idx, options, env)
