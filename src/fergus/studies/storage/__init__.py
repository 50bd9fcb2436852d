"""Where studies and answers are kept: SQLite or PostgreSQL, one schema; the only place that knows SQL."""
