"""Forms as browsers send them, read strictly and with limits."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from urllib.parse import parse_qs

from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request

from fergus.studies.model import Form
from fergus.web.security import read_body
from fergus.web.settings import Settings

ENCODED, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"
MOST_FILES, MOST_FIELDS = 2, 20
"""Of an upload."""
NONCE = re.compile(r"[A-Za-z0-9_-]{43}")
"""What a form that joins says of itself: 32 random bytes, so that it joins once however often it is sent."""
KEY = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""What can be a secret in an address, or the name of a study."""
_WHOLE = re.compile(r"[0-9]{1,15}")


@dataclass(frozen=True)
class Upload:
    """A file as it was sent; its name is a label and nothing else."""

    name: str
    content: bytes


async def read_form(request: Request, *, largest: int | None = None, most: int | None = None) -> dict[str, list[str]]:
    """Every field with all of its values; raises HTTPException for what no page of ours sends.

    ``largest`` bytes and ``most`` fields are less than what the settings allow everywhere.
    """
    settings: Settings = request.app.state.settings
    if _kind(request) != ENCODED:
        raise HTTPException(415)
    body = await read_body(request, seconds=settings.body_seconds, largest=largest or settings.largest_form)
    try:
        return parse_qs(
            body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=most or settings.most_fields
        )
    except ValueError:  # not percent-encoded UTF-8, or more fields than any page has
        raise HTTPException(400) from None


async def read_upload(request: Request) -> tuple[dict[str, list[str]], dict[str, Upload]]:
    """The fields and files of a form, in memory: nothing that is sent is written to disk."""
    fields, files = await read_uploads(request, most_files=MOST_FILES, most_fields=MOST_FIELDS)
    return fields, {name: sent[-1] for name, sent in files.items()}


async def read_uploads(
    request: Request, *, most_files: int, most_fields: int, largest_field: int = 1 << 20
) -> tuple[dict[str, list[str]], dict[str, list[Upload]]]:
    """The same with all the files of a field, as many as are given; no field has more than so many bytes."""
    if _kind(request) != MULTIPART:
        return await read_form(request), {}  # no file was chosen, or the form is none
    try:
        async with asyncio.timeout(request.app.state.settings.body_seconds):
            parser = _InMemory(
                request.headers,
                request.stream(),
                max_files=most_files,
                max_fields=most_fields,
                max_part_size=largest_field,
            )
            form = await parser.parse()
    except TimeoutError:
        raise HTTPException(408) from None
    except (MultiPartException, ClientDisconnect, KeyError, ValueError):
        raise HTTPException(400) from None
    fields: dict[str, list[str]] = {}
    files: dict[str, list[Upload]] = {}
    try:
        for name, value in form.multi_items():
            if isinstance(value, str):
                fields.setdefault(_whole(name), []).append(_whole(value))
            else:
                files.setdefault(_whole(name), []).append(Upload(_whole(value.filename or ""), await value.read()))
    finally:
        await form.close()
    return fields, files


def _whole(text: str) -> str:
    """The text, if it can be written: with a charset of the sender's choice it may have half a surrogate pair."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise HTTPException(400) from None
    return text


class _InMemory(MultiPartParser):
    """Keeps files in memory; the guard has limited how large they can be."""

    spool_max_size = 1 << 40


def _kind(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def whole_number(form: Form, name: str) -> int | None:
    """A field that holds a whole number; None if it does not."""
    given = form.get(name, [""])[0].strip()
    return int(given) if _WHOLE.fullmatch(given) else None
