"""How values look in a notebook, which asks the values themselves (``_repr_svg_``, ``_repr_html_``)."""

from __future__ import annotations

from importlib import import_module


def shown(name: str, value: object) -> str:
    """What the function ``name`` of ``fergus.drawing.notebook`` makes of a value.

    It is looked up when it is called: types of data import nothing of ours, and who never opens a notebook never
    loads the drawings.
    """
    return str(getattr(import_module("fergus.drawing.notebook"), name)(value))
