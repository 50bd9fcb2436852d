"""Evaluation of systems: files in, every metric over every sentence, a result that can be shown and compared."""
