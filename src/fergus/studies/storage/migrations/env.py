"""What alembic runs to take the steps; ``fergus.studies.storage.migrate`` gives it the connection."""

from __future__ import annotations

from alembic import context

from fergus.studies.storage.migrate import VERSION_TABLE
from fergus.studies.storage.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    # True for SQLite as well, because our connections begin their transactions themselves: all steps or none.
    transactional_ddl=True,
)
context.run_migrations()
