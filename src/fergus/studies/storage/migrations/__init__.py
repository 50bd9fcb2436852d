"""The steps that bring a database from any older schema to the present one, run by alembic."""
