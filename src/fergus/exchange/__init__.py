"""Trees and results as text and records: what the command line and the server have in common."""
