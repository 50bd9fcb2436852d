"""The model files that ship with Fergus, and where their data comes from."""

DEFAULT_MODEL = "en"
"""The shipped model: of the realizer, of the parser, and of the language model."""
