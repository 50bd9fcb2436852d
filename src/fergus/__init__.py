"""Fergus: stochastic language generation and its evaluation."""

__version__ = "0.1.0"
