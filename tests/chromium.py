"""The Chromium that tests drive: the one without windows where it is installed, which takes a third less time."""

from __future__ import annotations

import shutil

import pytest

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium() -> str:
    """Where it is; the test is skipped where there is none."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("Chromium is not installed; on Debian: apt-get install chromium-headless-shell")
    return found
