"""The first schema."""

from __future__ import annotations

from alembic import op
from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKeyConstraint,
    Integer,
    PrimaryKeyConstraint,
    String,
    Text,
    UniqueConstraint,
)

revision = "fergus_0001"
down_revision = None


def upgrade() -> None:
    """Make every table."""
    op.create_table(
        "accounts",
        Column("id", Integer(), nullable=False),
        Column("name", String(length=100), nullable=False),
        Column("password", Text(), nullable=False),
        Column("role", String(length=10), nullable=False),
        Column("created_ms", BigInteger(), nullable=False),
        PrimaryKeyConstraint("id", name="pk_accounts"),
        UniqueConstraint("name", name="uq_accounts_name"),
    )
    op.create_table(
        "attempts",
        Column("id", Integer(), nullable=False),
        Column("name", String(length=100), nullable=False),
        Column("address", String(length=100), nullable=False),
        Column("tried_ms", BigInteger(), nullable=False),
        PrimaryKeyConstraint("id", name="pk_attempts"),
    )
    op.create_index("ix_attempts_tried_ms", "attempts", ["tried_ms"])
    op.create_table(
        "studies",
        Column("id", Integer(), nullable=False),
        Column("name", String(length=100), nullable=False),
        Column("state", String(length=10), nullable=False),
        Column("version", String(length=64), nullable=False),
        Column("created_ms", BigInteger(), nullable=False),
        PrimaryKeyConstraint("id", name="pk_studies"),
        UniqueConstraint("name", name="uq_studies_name"),
    )
    op.create_table(
        "closed_conditions",
        Column("study_id", Integer(), nullable=False),
        Column("condition", String(length=200), nullable=False),
        ForeignKeyConstraint(["study_id"], ["studies.id"], name="fk_closed_conditions_study_id", ondelete="CASCADE"),
        PrimaryKeyConstraint("study_id", "condition", name="pk_closed_conditions"),
    )
    op.create_table(
        "links",
        Column("id", Integer(), nullable=False),
        Column("study_id", Integer(), nullable=False),
        Column("token", String(length=64), nullable=False),
        Column("label", Text(), nullable=False),
        Column("condition", String(length=200), nullable=True),
        Column("created_ms", BigInteger(), nullable=False),
        ForeignKeyConstraint(["study_id"], ["studies.id"], name="fk_links_study_id", ondelete="CASCADE"),
        PrimaryKeyConstraint("id", name="pk_links"),
        UniqueConstraint("token", name="uq_links_token"),
    )
    op.create_index("ix_links_study_id", "links", ["study_id"])
    op.create_table(
        "sessions",
        Column("token", String(length=64), nullable=False),
        Column("account_id", Integer(), nullable=False),
        Column("expires_ms", BigInteger(), nullable=False),
        ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_sessions_account_id", ondelete="CASCADE"),
        PrimaryKeyConstraint("token", name="pk_sessions"),
    )
    op.create_table(
        "versions",
        Column("id", Integer(), nullable=False),
        Column("study_id", Integer(), nullable=False),
        Column("version", String(length=64), nullable=False),
        Column("file_name", Text(), nullable=False),
        Column("text", Text(), nullable=False),
        Column("items_name", Text(), nullable=False),
        Column("items_text", Text(), nullable=False),
        Column("created_ms", BigInteger(), nullable=False),
        ForeignKeyConstraint(["study_id"], ["studies.id"], name="fk_versions_study_id", ondelete="CASCADE"),
        PrimaryKeyConstraint("id", name="pk_versions"),
        UniqueConstraint("study_id", "version", name="uq_versions_study_id_version"),
    )
    op.create_table(
        "participants",
        Column("id", Integer(), nullable=False),
        Column("study_id", Integer(), nullable=False),
        Column("version", String(length=64), nullable=False),
        Column("key", String(length=64), nullable=False),
        Column("nonce", String(length=64), nullable=False),
        Column("link_id", Integer(), nullable=True),
        Column("external", String(length=200), nullable=True),
        Column("parameters", Text(), nullable=False),
        Column("kind", String(length=10), nullable=False),
        Column("state", String(length=10), nullable=False),
        Column("condition", String(length=200), nullable=False),
        Column("seed", BigInteger(), nullable=False),
        Column("plan", Text(), nullable=False),
        Column("page", Integer(), nullable=False),
        Column("pages", Integer(), nullable=False),
        Column("joined_ms", BigInteger(), nullable=False),
        Column("seen_ms", BigInteger(), nullable=False),
        Column("completed_ms", BigInteger(), nullable=True),
        ForeignKeyConstraint(["link_id"], ["links.id"], name="fk_participants_link_id", ondelete="SET NULL"),
        ForeignKeyConstraint(["study_id"], ["studies.id"], name="fk_participants_study_id", ondelete="CASCADE"),
        PrimaryKeyConstraint("id", name="pk_participants"),
        UniqueConstraint("key", name="uq_participants_key"),
        UniqueConstraint("link_id", name="uq_participants_link_id"),
        UniqueConstraint("nonce", name="uq_participants_nonce"),
        UniqueConstraint("study_id", "kind", "external", name="uq_participants_study_id_kind_external"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_participants_study_id_state", "participants", ["study_id", "state"])
    op.create_table(
        "assigned",
        Column("participant_id", Integer(), nullable=False),
        Column("block", String(length=200), nullable=False),
        Column("key", String(length=400), nullable=False),
        ForeignKeyConstraint(
            ["participant_id"], ["participants.id"], name="fk_assigned_participant_id", ondelete="CASCADE"
        ),
        PrimaryKeyConstraint("participant_id", "block", "key", name="pk_assigned"),
    )
    op.create_table(
        "submissions",
        Column("id", Integer(), nullable=False),
        Column("participant_id", Integer(), nullable=False),
        Column("page", Integer(), nullable=False),
        Column("block", String(length=200), nullable=False),
        Column("items", Text(), nullable=False),
        Column("opened_ms", BigInteger(), nullable=True),
        Column("shown_ms", BigInteger(), nullable=True),
        Column("submitted_ms", BigInteger(), nullable=True),
        Column("active_ms", BigInteger(), nullable=True),
        ForeignKeyConstraint(
            ["participant_id"], ["participants.id"], name="fk_submissions_participant_id", ondelete="CASCADE"
        ),
        PrimaryKeyConstraint("id", name="pk_submissions"),
        UniqueConstraint("participant_id", "page", name="uq_submissions_participant_id_page"),
    )
    op.create_table(
        "answers",
        Column("id", Integer(), nullable=False),
        Column("submission_id", Integer(), nullable=False),
        Column("question", String(length=200), nullable=False),
        Column("items", Text(), nullable=False),
        Column("value", Text(), nullable=False),
        ForeignKeyConstraint(
            ["submission_id"], ["submissions.id"], name="fk_answers_submission_id", ondelete="CASCADE"
        ),
        PrimaryKeyConstraint("id", name="pk_answers"),
    )
    op.create_index("ix_answers_submission_id", "answers", ["submission_id"])
    op.create_table(
        "codings",
        Column("id", Integer(), nullable=False),
        Column("answer_id", Integer(), nullable=False),
        Column("part", Integer(), nullable=False),
        Column("coder", String(length=100), nullable=False),
        Column("codes", Text(), nullable=False),
        Column("grade", Float(), nullable=True),
        Column("coded_ms", BigInteger(), nullable=False),
        ForeignKeyConstraint(["answer_id"], ["answers.id"], name="fk_codings_answer_id", ondelete="CASCADE"),
        PrimaryKeyConstraint("id", name="pk_codings"),
    )
    op.create_index("ix_codings_answer_id_part_coder", "codings", ["answer_id", "part", "coder"])
