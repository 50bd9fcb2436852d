"""The version of Fergus, for whoever puts it into a file or a signature."""

__version__ = "0.1.0"
