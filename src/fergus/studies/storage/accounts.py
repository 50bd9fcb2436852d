"""Rows of those who look after studies: accounts, their sessions, and logins that failed."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from sqlalchemy import delete, func, insert, or_, select, update

from fergus.errors import InputError
from fergus.studies.storage.database import Transaction
from fergus.studies.storage.tables import accounts, attempts, sessions

ROLES = ("admin", "viewer")
LONGEST_NAME = 100


@dataclass(frozen=True)
class AccountRow:
    """An account; the password is the string that Argon2 made of it."""

    id: int
    name: str
    password: str
    role: str
    created_ms: int


@dataclass(frozen=True)
class Failures:
    """How many logins failed: for one name from anywhere, from one address for any name, and for it from there."""

    of_name: int
    of_address: int
    of_both: int


def add_account(transaction: Transaction, name: str, *, password: str, role: str, now_ms: int) -> AccountRow:
    """Make an account; a name that is taken or cannot be one, and a role that is none, raise InputError."""
    if role not in ROLES:
        raise InputError(f"“{role}” is no role", remedy=f"use one of {', '.join(ROLES)}")
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable() or name != name.strip():
        remedy = f"use 1 to {LONGEST_NAME} characters that can be printed, without space around them"
        raise InputError(f"{name[:LONGEST_NAME]!r} cannot be a name", remedy=remedy)
    if find_account(transaction, name) is not None:
        raise InputError(f"there is an account “{name}” already", remedy="choose another name")
    values = {"name": name, "password": password, "role": role, "created_ms": now_ms}
    number = transaction.execute(insert(accounts).values(values)).inserted_primary_key
    if number is None:  # pragma: no cover - both databases give it
        raise LookupError(name)
    return AccountRow(int(number[0]), name, password, role, now_ms)


def find_account(transaction: Transaction, name: str) -> AccountRow | None:
    """The account of a name."""
    if "\0" in name:  # PostgreSQL does not take it, and no account has it
        return None
    row = transaction.execute(select(*accounts.c).where(accounts.c.name == name)).first()
    return None if row is None else AccountRow(*row)


def all_accounts(transaction: Transaction) -> list[AccountRow]:
    """Every account, by name."""
    return [AccountRow(*row) for row in transaction.execute(select(*accounts.c).order_by(accounts.c.name))]


def set_password(transaction: Transaction, account_id: int, password: str) -> None:
    """Change a password; whoever is logged in by the old one is so no more."""
    transaction.execute(update(accounts).where(accounts.c.id == account_id).values(password=password))
    end_sessions(transaction, account_id)


def set_role(transaction: Transaction, account_id: int, role: str) -> None:
    """Change what an account may do."""
    if role not in ROLES:
        raise InputError(f"“{role}” is no role", remedy=f"use one of {', '.join(ROLES)}")
    transaction.execute(update(accounts).where(accounts.c.id == account_id).values(role=role))


def delete_account(transaction: Transaction, account_id: int) -> None:
    """Remove an account and end its sessions."""
    transaction.execute(delete(accounts).where(accounts.c.id == account_id))


def add_session(transaction: Transaction, account_id: int, *, token: str, expires_ms: int) -> None:
    """Begin a session; only a hash of its token is kept."""
    values = {"token": _hashed(token), "account_id": account_id, "expires_ms": expires_ms}
    transaction.execute(insert(sessions).values(values))


def find_session(transaction: Transaction, token: str, *, now_ms: int) -> AccountRow | None:
    """Whose session it is; None if there is no such session, or not any more."""
    query = select(*accounts.c).join(sessions, sessions.c.account_id == accounts.c.id)
    row = transaction.execute(query.where(sessions.c.token == _hashed(token), sessions.c.expires_ms > now_ms)).first()
    return None if row is None else AccountRow(*row)


def end_session(transaction: Transaction, token: str) -> None:
    """Log out."""
    transaction.execute(delete(sessions).where(sessions.c.token == _hashed(token)))


def end_sessions(transaction: Transaction, account_id: int) -> None:
    """Log an account out everywhere."""
    transaction.execute(delete(sessions).where(sessions.c.account_id == account_id))


def add_attempt(transaction: Transaction, *, name: str, address: str, now_ms: int) -> None:
    """Note a login that failed; the name is whatever was typed."""
    values = {"name": _kept(name), "address": _kept(address), "tried_ms": now_ms}
    transaction.execute(insert(attempts).values(values))


def failures(transaction: Transaction, *, name: str, address: str, since_ms: int) -> Failures:
    """Logins that failed since then."""
    c, name, address = attempts.c, _kept(name), _kept(address)
    is_name, is_address = c.name == name, c.address == address
    counts = [func.count().filter(which) for which in (is_name, is_address, is_name & is_address)]
    query = select(*counts).where(c.tried_ms >= since_ms, or_(is_name, is_address))
    found = transaction.execute(query).one()
    return Failures(found[0], found[1], found[2])


def forget_attempts(transaction: Transaction, *, name: str) -> None:
    """After a login that succeeded: those that failed for the name count no more."""
    transaction.execute(delete(attempts).where(attempts.c.name == _kept(name)))


def clean_up(transaction: Transaction, *, now_ms: int, attempts_before_ms: int) -> None:
    """Remove sessions that are over, and failed logins from before then."""
    transaction.execute(delete(sessions).where(sessions.c.expires_ms <= now_ms))
    transaction.execute(delete(attempts).where(attempts.c.tried_ms < attempts_before_ms))


def _hashed(token: str) -> str:
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _kept(text: str) -> str:
    """What fits the column, without what PostgreSQL does not take."""
    return text.encode("utf-8", "replace").decode().replace("\0", "")[:LONGEST_NAME]
