"""The schema, the same on SQLite and PostgreSQL; a change to it comes with a migration.

Times are milliseconds since 1970 in UTC. ``submissions`` and ``answers`` are only ever added to; a person's rows
leave them only when that person's data is deleted.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

studies = Table(
    "studies",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(100), nullable=False, unique=True),
    Column("state", String(10), nullable=False),  # open, paused, closed
    Column("version", String(64), nullable=False),  # the one that new participants get
    Column("created_ms", BigInteger, nullable=False),
)

versions = Table(
    "versions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("study_id", ForeignKey("studies.id", ondelete="CASCADE"), nullable=False),
    Column("version", String(64), nullable=False),
    Column("file_name", Text, nullable=False),
    Column("text", Text, nullable=False),  # the study file
    Column("items_name", Text, nullable=False),
    Column("items_text", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    UniqueConstraint("study_id", "version"),
)

closed_conditions = Table(
    "closed_conditions",
    metadata,
    Column("study_id", ForeignKey("studies.id", ondelete="CASCADE"), primary_key=True),
    Column("condition", String(200), primary_key=True),
)

links = Table(
    "links",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("study_id", ForeignKey("studies.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("token", String(64), nullable=False, unique=True),  # a private link is for one person
    Column("label", Text, nullable=False),
    Column("condition", String(200)),
    Column("created_ms", BigInteger, nullable=False),
)

participants = Table(
    "participants",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("study_id", ForeignKey("studies.id", ondelete="CASCADE"), nullable=False),
    Column("version", String(64), nullable=False),
    Column("key", String(64), nullable=False, unique=True),  # the secret in the participant's address
    Column("nonce", String(64), nullable=False, unique=True),  # of the form that joined: sent twice, it joins once
    Column("link_id", ForeignKey("links.id", ondelete="SET NULL"), unique=True),
    Column("external", String(200)),  # the recruiter's name for the person, such as PROLIFIC_PID
    Column("parameters", Text, nullable=False),
    Column("kind", String(10), nullable=False),  # person, preview, simulated, imported
    Column("state", String(10), nullable=False),  # active, completed, declined, withdrawn
    Column("condition", String(200), nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("plan", Text, nullable=False),
    Column("page", Integer, nullable=False),  # how many pages are answered
    Column("pages", Integer, nullable=False),
    Column("joined_ms", BigInteger, nullable=False),
    Column("seen_ms", BigInteger, nullable=False),
    Column("completed_ms", BigInteger),
    Column("served_ms", BigInteger),  # when the present page was first shown, if it has a time limit
    UniqueConstraint("study_id", "kind", "external"),
    Index(None, "study_id", "state"),
    sqlite_autoincrement=True,  # the number of somebody who was deleted is never given to another
)

assigned = Table(
    "assigned",
    metadata,
    Column("participant_id", ForeignKey("participants.id", ondelete="CASCADE"), primary_key=True),
    Column("block", String(200), primary_key=True),
    Column("key", String(400), primary_key=True),
)

submissions = Table(
    "submissions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("participant_id", ForeignKey("participants.id", ondelete="CASCADE"), nullable=False),
    Column("page", Integer, nullable=False),
    Column("block", String(200), nullable=False),
    Column("items", Text, nullable=False),  # in the order shown
    Column("opened_ms", BigInteger),  # when the page became the next one; with a time limit: when it was first shown
    Column("shown_ms", BigInteger),  # when it was last loaded
    Column("submitted_ms", BigInteger),
    Column("active_ms", BigInteger),  # how long it was in view, by the browser's word
    UniqueConstraint("participant_id", "page"),
)

answers = Table(
    "answers",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("submission_id", ForeignKey("submissions.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("question", String(200), nullable=False),
    Column("items", Text, nullable=False),  # those it is about, in the order shown
    Column("value", Text, nullable=False),
)

codings = Table(
    "codings",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("answer_id", ForeignKey("answers.id", ondelete="CASCADE"), nullable=False),
    Column("part", Integer, nullable=False),  # which remark of a review; otherwise 0
    Column("coder", String(100), nullable=False),
    Column("codes", Text, nullable=False),
    Column("grade", Float),
    Column("coded_ms", BigInteger, nullable=False),
    Index(None, "answer_id", "part", "coder"),
)

accounts = Table(
    "accounts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(100), nullable=False, unique=True),
    Column("password", Text, nullable=False),  # as Argon2 writes it
    Column("role", String(10), nullable=False),  # admin, viewer
    Column("created_ms", BigInteger, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("token", String(64), primary_key=True),  # hashed: a stolen database opens no session
    Column("account_id", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("expires_ms", BigInteger, nullable=False),
)

attempts = Table(
    "attempts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(100), nullable=False),
    Column("address", String(100), nullable=False),
    Column("tried_ms", BigInteger, nullable=False),
    Index(None, "tried_ms"),
)
