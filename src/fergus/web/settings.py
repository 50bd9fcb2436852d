"""What whoever runs the server decides, and no study file can."""

from __future__ import annotations

from dataclasses import dataclass


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
    most_fields: int = 2000
    """Fields that a form may have."""
    body_seconds: float = 30
    """How long the body of a request may take to arrive."""

    @property
    def is_secure(self) -> bool:
        """Is it known that people come by HTTPS, so that cookies need never travel in the clear?"""
        return self.public_url.startswith("https://")
