"""Fixtures that every package's tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The development data; tests that need it are skipped where it is absent."""
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("FERGUS_DATA") or default)
    if not folder.is_dir():
        pytest.skip(f"the development data is not at {folder} (set FERGUS_DATA)")
    return folder
