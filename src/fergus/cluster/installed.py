"""Which Fergus each worker has: the same version with the same models gives the same bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from fergus.errors import InputError
from fergus.version import __version__

if TYPE_CHECKING:
    from distributed import Client

Installed = tuple[str, Mapping[str, str]] | None
"""The version of Fergus and the digests of the shipped models; None where it is not installed."""
OURS = ""
"""The name of this process among the workers."""


@cache
def installed_here() -> tuple[str, Mapping[str, str]]:
    """What this process has."""
    folder = Path(__file__).parent.parent / "models"
    models = (path for path in sorted(folder.iterdir()) if path.suffix in (".fergus", ".udpipe"))
    return __version__, {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in models}


def installed_at(client: Client) -> dict[str, Installed]:
    """What each worker has, by its address, and what we have."""

    # Inside, so that it is sent itself and not only its name: a worker without Fergus must be able to answer.
    def installed() -> Installed:
        try:
            found: Installed = import_module("fergus.cluster.installed").installed_here()
        except ImportError:
            return None
        return found

    found: dict[str, Installed] = client.run(installed)
    return {**found, OURS: installed_here()}


def check_installed(found: Mapping[str, Installed]) -> None:
    """An InputError unless every worker has our version of Fergus and our models."""
    ours = found[OURS]
    if ours is None:
        raise ValueError("what we have ourselves is known")
    version, models = ours
    for address, own in found.items():
        if own is None:
            problem, remedy = "has no Fergus", f"install version {version} there"
        elif own[0] != version:
            problem, remedy = f"has Fergus {own[0]}, and this is {version}", "install the same version everywhere"
        elif own[1] != models:
            problem, remedy = "has other shipped models than these", "install Fergus from the same package everywhere"
        else:
            continue
        raise InputError(f"the worker at {address} {problem}", remedy=remedy)
