"""The model files that ship with Fergus, and where their data comes from."""
