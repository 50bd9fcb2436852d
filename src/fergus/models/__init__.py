"""The model files that ship with Fergus, and where their data comes from."""

from pathlib import Path

DEFAULT_MODEL = "en"
"""The shipped model: of the realizer, of the parser, and of the language model."""


def shipped_model(name: str) -> Path | None:
    """The file of a model that ships with Fergus.

    >>> shipped_model("en").name, shipped_model("nowhere/en")
    ('en.fergus', None)
    """
    path = Path(__file__).parent / f"{name}.fergus"
    return path if name == Path(name).name and path.is_file() else None


def public_name(place: str) -> str:
    """What others may be told of where a model is: the name of a shipped one, else its file's without the folders.

    >>> public_name("/srv/models/our.fergus"), public_name("en")
    ('our.fergus', 'en')
    """
    path = Path(place)
    is_shipped = path.suffix == ".fergus" and path.resolve().parent == Path(__file__).resolve().parent
    return path.stem if is_shipped else path.name
