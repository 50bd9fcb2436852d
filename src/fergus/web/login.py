"""Who may administer: passwords (Argon2), sessions, and brakes on guessing.

Whoever guesses learns nothing of names: one that is unknown gets the same answer after the same work as a wrong
password. A login is counted as failed before the password is looked at, so that many at once are not counted as one.
"""

from __future__ import annotations

import hmac
import secrets
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from typing import TYPE_CHECKING

from fergus.errors import FergusError, InputError
from fergus.studies.storage import accounts
from fergus.studies.storage.accounts import AccountRow
from fergus.studies.storage.database import Database, Transaction

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SHORTEST_PASSWORD, LONGEST_PASSWORD, FEWEST_CHARACTERS = 12, 200, 5
SESSION_MS = 12 * 60 * 60 * 1000
WINDOW_MS = 15 * 60 * 1000
MOST_FOR_BOTH, MOST_FROM_ADDRESS, MOST_FOR_NAME = 5, 20, 100
"""Logins that may fail within the window: for a name from one address, from an address, for a name from anywhere.

The last is high, and is not for browsers that have logged in by the name: else anybody could keep its owner out.
"""
KNOWN_MS = 30 * 24 * 60 * 60 * 1000
"""How long a browser is known."""
HASHES_AT_ONCE = 2
"""Each takes 64 MB and a fifth of a second: a crowd at the login must not slow the participants' pages."""


class TooManyError(FergusError):
    """Too many logins have failed; ``retry_s`` is when to come back."""

    def __init__(self, retry_s: int) -> None:
        self.retry_s = retry_s
        super().__init__(f"too many logins have failed; try again in {retry_s // 60} minutes")


@dataclass(frozen=True)
class Session:
    """Somebody who is logged in."""

    account: AccountRow
    token: str

    @property
    def csrf(self) -> str:
        """What every form of the session carries; it cannot be told from other sites' side, nor the token from it."""
        return sha256(f"form {self.token}".encode()).hexdigest()

    def is_own(self, given: str) -> bool:
        """Is this the session's word in a form?"""
        return hmac.compare_digest(self.csrf.encode(), given.encode("utf-8", "replace"))

    @property
    def may_change(self) -> bool:
        """May they change anything, or only look?"""
        return self.account.role == "admin"


def check_password(password: str, *, name: str) -> None:
    """Raise InputError for a password that is too easy to guess, or too long."""
    plain = _plain(password)
    if len(plain) < SHORTEST_PASSWORD:
        remedy = f"use {SHORTEST_PASSWORD} characters or more; four words in a row are easy to remember"
        raise InputError(f"the password has {len(plain)} characters", remedy=remedy)
    if len(plain) > LONGEST_PASSWORD:
        raise InputError(f"the password has {len(plain)} characters", remedy=f"use {LONGEST_PASSWORD} at most")
    if len(set(plain)) < FEWEST_CHARACTERS or plain.casefold() == _plain(name).casefold():
        raise InputError("the password is too easy to guess", remedy="four words in a row are easy to remember")


def hash_password(password: str) -> str:
    """What is stored of a password."""
    return _hasher().hash(_plain(password))


def is_password(password: str, stored: str) -> bool:
    """Is it the password that was stored?"""
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        return _hasher().verify(stored, _plain(password))
    except (VerificationError, InvalidHashError):
        return False


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher()


def _plain(password: str) -> str:
    """The same password from every keyboard."""
    return unicodedata.normalize("NFKC", password.encode("utf-8", "replace").decode())


class Logins:
    """Logging in and out, on one database; ``now_ms`` is the clock."""

    def __init__(self, database: Database, *, now_ms: Callable[[], int]) -> None:
        self.database, self.now_ms = database, now_ms

    @cached_property
    def threads(self) -> ThreadPoolExecutor:
        """Where passwords are hashed."""
        return ThreadPoolExecutor(HASHES_AT_ONCE, thread_name_prefix="fergus-login")

    @cached_property
    def _nobody(self) -> str:
        return hash_password(secrets.token_urlsafe())

    def log_in(self, name: str, password: str, *, address: str, old_token: str = "", known: str = "") -> Session | None:
        """A new session, in place of the old one; None if name or password are wrong; raises TooManyError.

        ``known`` is what :meth:`mark` gave the browser when it logged in before.
        """
        with self.database.read() as transaction:
            account = accounts.find_account(transaction, name)
        # The same work whether or not there is such an account; the hash of nobody's is made the first time.
        nobody = self._nobody
        stored = account.password if account else nobody
        is_known = self._is_mark(known, stored)
        if not self.database.write(lambda t: self._admit(t, name, address, is_known=is_known)):
            raise TooManyError(WINDOW_MS // 1000)
        is_right = is_password(password[: 10 * LONGEST_PASSWORD], stored)
        if account is None or not is_right:
            return None
        return self._begin(account, old_token=old_token)

    def mark(self, account: AccountRow) -> str:
        """By what a browser shows later that it has logged in; a new password makes it worthless."""
        return _marked(account.password, self.now_ms() + KNOWN_MS)

    def _is_mark(self, given: str, stored: str) -> bool:
        until = given.partition(".")[0]
        is_time = until.isascii() and until.isdigit() and len(until) <= 15
        until_ms = int(until) if is_time else 0
        is_own = hmac.compare_digest(_marked(stored, until_ms).encode(), given.encode("utf-8", "replace"))
        return is_own and self.now_ms() < until_ms

    def _admit(self, transaction: Transaction, name: str, address: str, *, is_known: bool) -> bool:
        now = self.now_ms()
        accounts.clean_up(transaction, now_ms=now, attempts_before_ms=now - WINDOW_MS)
        failed = accounts.failures(transaction, name=name, address=address, since_ms=now - WINDOW_MS)
        if failed.of_both >= MOST_FOR_BOTH or failed.of_address >= MOST_FROM_ADDRESS:
            return False
        if failed.of_name >= MOST_FOR_NAME and not is_known:
            return False
        accounts.add_attempt(transaction, name=name, address=address, now_ms=now)
        return True

    def _begin(self, account: AccountRow, *, old_token: str = "") -> Session:
        token = secrets.token_urlsafe(32)

        def work(transaction: Transaction) -> None:
            accounts.forget_attempts(transaction, name=account.name)
            if old_token:
                accounts.end_session(transaction, old_token)
            accounts.add_session(transaction, account.id, token=token, expires_ms=self.now_ms() + SESSION_MS)

        self.database.write(work)
        return Session(account, token)

    def session(self, token: str) -> Session | None:
        """The session that a cookie names, unless it is over."""
        if not token:
            return None
        with self.database.read() as transaction:
            account = accounts.find_session(transaction, token, now_ms=self.now_ms())
        return None if account is None else Session(account, token)

    def log_out(self, token: str) -> None:
        """End a session."""
        self.database.write(lambda transaction: accounts.end_session(transaction, token))

    def is_new(self) -> bool:
        """Is there no account yet?"""
        with self.database.read() as transaction:
            return not accounts.all_accounts(transaction)

    def set_up(self, name: str, password: str) -> Session | None:
        """Make the first account, an admin's, and log it in; None if there is one already. May raise InputError."""
        check_password(password, name=name)
        stored = hash_password(password)

        def work(transaction: Transaction) -> AccountRow | None:
            if accounts.all_accounts(transaction):
                return None
            return accounts.add_account(transaction, name, password=stored, role="admin", now_ms=self.now_ms())

        account = self.database.write(work)
        return None if account is None else self._begin(account)

    def add(self, name: str, password: str, *, role: str) -> None:
        """Make an account; raises InputError."""
        check_password(password, name=name)
        stored, now = hash_password(password), self.now_ms()
        self.database.write(lambda t: accounts.add_account(t, name, password=stored, role=role, now_ms=now))

    def set_password(self, name: str, password: str) -> None:
        """Give an account another password, and end its sessions; raises InputError."""
        check_password(password, name=name)
        stored = hash_password(password)
        self.database.write(lambda t: accounts.set_password(t, _account(t, name).id, stored))

    def set_role(self, name: str, role: str) -> None:
        """Change what an account may do; the last admin stays one. Raises InputError."""

        def work(transaction: Transaction) -> None:
            account = _account(transaction, name)
            if role != "admin":
                _keep_an_admin(transaction, account)
            accounts.set_role(transaction, account.id, role)

        self.database.write(work)

    def remove(self, name: str) -> None:
        """Remove an account, but not the last admin's; raises InputError."""

        def work(transaction: Transaction) -> None:
            account = _account(transaction, name)
            _keep_an_admin(transaction, account)
            accounts.delete_account(transaction, account.id)

        self.database.write(work)


def _marked(stored: str, until_ms: int) -> str:
    return f"{until_ms}.{hmac.new(stored.encode(), f'known until {until_ms}'.encode(), sha256).hexdigest()}"


def _account(transaction: Transaction, name: str) -> AccountRow:
    account = accounts.find_account(transaction, name)
    if account is None:
        names = ", ".join(one.name for one in accounts.all_accounts(transaction)) or "none"
        raise InputError(f"there is no account “{name}”", remedy=f"there are: {names}")
    return account


def _keep_an_admin(transaction: Transaction, account: AccountRow) -> None:
    others = [one for one in accounts.all_accounts(transaction) if one.role == "admin" and one.id != account.id]
    if account.role == "admin" and not others:
        raise InputError(f"“{account.name}” is the only admin", remedy="make another admin first")
