"""Forms as browsers send them, read strictly and with limits."""

from __future__ import annotations

import re
from urllib.parse import parse_qs

from starlette.exceptions import HTTPException
from starlette.requests import Request

from fergus.web.security import read_body
from fergus.web.settings import Settings

ENCODED = "application/x-www-form-urlencoded"
NONCE = re.compile(r"[A-Za-z0-9_-]{43}")
"""What a form that joins says of itself: 32 random bytes, so that it joins once however often it is sent."""
KEY = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""What can be a secret in an address, or the name of a study."""
_WHOLE = re.compile(r"[0-9]{1,15}")


async def read_form(request: Request) -> dict[str, list[str]]:
    """Every field with all of its values; raises HTTPException for what no page of ours sends."""
    settings: Settings = request.app.state.settings
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != ENCODED:
        raise HTTPException(415)
    body = await read_body(request, seconds=settings.body_seconds)
    try:
        return parse_qs(
            body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=settings.most_fields
        )
    except ValueError:  # not percent-encoded UTF-8, or more fields than any page has
        raise HTTPException(400) from None


def whole_number(form: dict[str, list[str]], name: str) -> int | None:
    """A field that holds a whole number; None if it does not."""
    given = form.get(name, [""])[0].strip()
    return int(given) if _WHOLE.fullmatch(given) else None
