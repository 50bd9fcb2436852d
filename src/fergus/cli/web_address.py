"""The address at which people reach a server, as options give it."""

from __future__ import annotations

import click

from fergus.errors import InputError


def checked_address(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """What an option is told, without a slash at its end; an InputError if that is no address.

    Nothing at all is allowed where it is the default.
    """
    from fergus.studies.study_settings import is_web_address

    if (value or param.default) and not is_web_address(value):
        raise InputError(f"“{value}” is no address", remedy="give one such as https://studies.example.org")
    return value.rstrip("/")
