"""When a page with a time limit was first shown."""

from __future__ import annotations

from alembic import op
from sqlalchemy import BigInteger, Column

revision = "fergus_0002"
down_revision = "fergus_0001"


def upgrade() -> None:
    """From the first schema."""
    op.add_column("participants", Column("served_ms", BigInteger(), nullable=True))
