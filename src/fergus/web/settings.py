"""What whoever runs the server decides, and no study file can."""

from __future__ import annotations

from dataclasses import dataclass

from fergus.web.engine_limits import Limits


@dataclass(frozen=True)
class Settings:
    """How the pages are served."""

    public_url: str = ""
    """Where people reach the server (``https://studies.example.org``); empty: wherever a request says it came to."""
    setup_token: str = ""
    """The secret of the one-time link that makes the first account; empty: there is no such link."""
    is_simulation: bool = False
    """May artificial raters take part? They skip what keeps people apart: only for servers of tests."""
    largest_form: int = 256 * 1024
    """Bytes that a form may have."""
    largest_upload: int = 64 * 1024 * 1024
    """Bytes that an administrator may upload."""
    longest_address: int = 16 * 1024
    """Bytes of an address, with what stands behind its question mark."""
    most_fields: int = 2000
    """Fields that a form may have."""
    body_seconds: float = 30
    """How long the body of a request may take to arrive."""
    workbench: str = "accounts"
    """Who may use the workbench and the API: ``open`` (everybody), ``accounts``, or ``off`` (nobody)."""
    is_open_by_default: bool = False
    """Is it open only because this machine alone seems to reach the server? Then a proxy's visitors are refused."""
    api_token: str = ""
    """What programs show to use the API where it is not open; empty: they cannot."""
    models: tuple[tuple[str, str], ...] = (("en", "en"),)
    """The realizer's models by the names that visitors use, and where they are; the first is the default."""
    workers: int = 1
    """Processes beside this one that realize and parse."""
    limits: Limits = Limits()  # noqa: RUF009 - frozen
    """What a request of the workbench or the API may ask for."""

    @property
    def is_secure(self) -> bool:
        """Is it known that people come by HTTPS, so that cookies need never travel in the clear?"""
        return self.public_url.startswith("https://")
