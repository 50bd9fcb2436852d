"""Error pages: what went wrong in plain words, without anything of the inside."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from starlette.responses import Response

from fergus.web.rendering import Pages

WORDS = {
    400: "Your browser sent something that cannot be read. Please go back, load the page again and retry.",
    403: "This form was not sent from this site, so it was not taken.",
    404: "There is no such page. Please check the link: perhaps a part of it was cut off.",
    405: "This page cannot be used in this way.",
    408: "It took too long for your answers to arrive. Please go back and send them again.",
    413: "That is more than this page takes. Please shorten what you have written.",
    414: "This address is longer than any of ours. Please check the link.",
    415: "Your browser sent the form in a way that this page does not read.",
    500: "Something went wrong here; it is not your fault. What you have sent before is saved. Please try again.",
    503: "This is not available at the moment. What you have sent before is saved. Please try again in a minute.",
}


BEHIND_PROXY = (
    "This workbench is open to its own machine only, and a proxy passed your request on. Whoever runs the server "
    "starts it with --public-url URL, and it is for people with an account, or with --workbench open, and it is for "
    "everybody."
)


def error_page(pages: Pages, status: int, *, words: str = "", headers: Mapping[str, str] | None = None) -> Response:
    """A page for a status; unknown ones get their usual name."""
    name = HTTPStatus(status).phrase
    context = {"status": status, "name": name, "words": words or WORDS.get(status, f"{name}.")}
    return pages.response("error.html", context, status=status, headers=headers)
