"""Fuzzing: every reader is given broken files, and answers with a result or with an error that says what is wrong."""
