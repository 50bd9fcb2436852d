"""Packages that only some commands need: which extra of Fergus brings each of them."""

from __future__ import annotations

EXTRAS = {
    "alembic": "web",
    "anyio": "web",
    "argon2": "web",
    "jinja2": "web",
    "markdown_it": "web",
    "markupsafe": "web",
    "multipart": "web",
    "python_multipart": "web",
    "sqlalchemy": "web",
    "starlette": "web",
    "uvicorn": "web",
    "yaml": "web",
    "psycopg": "postgresql",
    "matplotlib": "analysis",
    "scipy": "analysis",
    "spacy": "spacy",
    "pynini": "fst",
    "cloudpickle": "dask",
    "cryptography": "dask",
    "dask": "dask",
    "distributed": "dask",
}
"""The extra by the name that a package is imported by."""


def what_to_install(module: str | None) -> str | None:
    """What to say when this module is missing; None if no extra brings it, and then something of ours is broken.

    >>> what_to_install("sqlalchemy.exc")
    "this needs the package sqlalchemy, which is not installed; run: pip install 'fergus[web]'"
    """
    package = (module or "").partition(".")[0]
    if package not in EXTRAS:
        return None
    return f"this needs the package {package}, which is not installed; run: pip install 'fergus[{EXTRAS[package]}]'"
