"""Accounts, sessions, and logins that failed."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from fergus.errors import InputError
from fergus.studies.storage import accounts
from fergus.studies.storage.accounts import AccountRow, Failures
from fergus.studies.storage.database import Database
from fergus.studies.storage.tables import attempts, sessions


def add(database: Database, name: str, role: str = "admin") -> AccountRow:
    return database.write(lambda t: accounts.add_account(t, name, password="$argon2id$...", role=role, now_ms=5))


def test_an_account_is_found_by_its_name(database: Database) -> None:
    made = add(database, "Ada")
    assert made == AccountRow(made.id, "Ada", "$argon2id$...", "admin", 5)
    add(database, "Abel", "viewer")
    with database.read() as transaction:
        assert accounts.find_account(transaction, "Ada") == made
        assert accounts.find_account(transaction, "ada") is None
        assert accounts.find_account(transaction, "A\0da") is None
        assert [row.name for row in accounts.all_accounts(transaction)] == ["Abel", "Ada"]


@pytest.mark.parametrize("name", ["", " Ada", "A\nda", "a" * 101, "A\0da"])
def test_what_cannot_be_a_name(database: Database, name: str) -> None:
    with pytest.raises(InputError, match="cannot be a name; use 1 to 100 characters"):
        add(database, name)


def test_a_name_is_given_once(database: Database) -> None:
    add(database, "Ada")
    with pytest.raises(InputError, match="there is an account “Ada” already; choose another name"):
        add(database, "Ada")


def test_roles(database: Database) -> None:
    with pytest.raises(InputError, match="“root” is no role; use one of admin, viewer"):
        add(database, "Ada", "root")
    made = add(database, "Ada", "viewer")
    with pytest.raises(InputError, match="“root” is no role"):
        database.write(lambda t: accounts.set_role(t, made.id, "root"))
    database.write(lambda t: accounts.set_role(t, made.id, "admin"))
    with database.read() as transaction:
        assert [row.role for row in accounts.all_accounts(transaction)] == ["admin"]


def test_a_session_lasts_until_it_expires(database: Database) -> None:
    made = add(database, "Ada")
    database.write(lambda t: accounts.add_session(t, made.id, token="abc", expires_ms=1000))
    with database.read() as transaction:
        assert accounts.find_session(transaction, "abc", now_ms=999) == made
        assert accounts.find_session(transaction, "abc", now_ms=1000) is None
        assert accounts.find_session(transaction, "abd", now_ms=0) is None
        assert accounts.find_session(transaction, "\udc80\0", now_ms=0) is None


def test_the_token_of_a_session_is_not_stored(database: Database) -> None:
    made = add(database, "Ada")
    database.write(lambda t: accounts.add_session(t, made.id, token="abc", expires_ms=1000))
    with database.read() as transaction:
        # sha256 of "abc", as FIPS 180-2 has it in appendix B.1
        expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        assert transaction.scalars(select(sessions.c.token)).all() == [expected]


def test_ending_sessions(database: Database) -> None:
    ada, eve = add(database, "Ada"), add(database, "Eve")
    for token, account in (("a1", ada), ("a2", ada), ("e", eve)):
        database.write(lambda t, k=token, a=account: accounts.add_session(t, a.id, token=k, expires_ms=9))  # type: ignore[misc]

    def known() -> list[str]:
        with database.read() as transaction:
            return [k for k in ("a1", "a2", "e") if accounts.find_session(transaction, k, now_ms=0)]

    database.write(lambda t: accounts.end_session(t, "a1"))
    assert known() == ["a2", "e"]
    database.write(lambda t: accounts.set_password(t, ada.id, "$argon2id$new"))
    assert known() == ["e"]
    with database.read() as transaction:
        changed = accounts.find_account(transaction, "Ada")
    assert changed is not None
    assert changed.password == "$argon2id$new"
    database.write(lambda t: accounts.delete_account(t, eve.id))
    assert known() == []


def test_failed_logins_are_counted_by_name_and_by_address(database: Database) -> None:
    for name, address, when in (("Ada", "1.1.1.1", 10), ("Ada", "2.2.2.2", 20), ("Eve", "2.2.2.2", 30)):
        database.write(lambda t, n=name, a=address, w=when: accounts.add_attempt(t, name=n, address=a, now_ms=w))  # type: ignore[misc]

    def count(name: str, address: str, since_ms: int) -> Failures:
        with database.read() as transaction:
            return accounts.failures(transaction, name=name, address=address, since_ms=since_ms)

    assert count("Ada", "2.2.2.2", 10) == Failures(of_name=2, of_address=2, of_both=1)
    assert count("Ada", "2.2.2.2", 11) == Failures(of_name=1, of_address=2, of_both=1)
    assert count("Bob", "3.3.3.3", 0) == Failures(0, 0, 0)
    database.write(lambda t: accounts.forget_attempts(t, name="Ada"))
    assert count("Ada", "2.2.2.2", 0) == Failures(of_name=0, of_address=1, of_both=0)


def test_whatever_is_typed_as_a_name_is_counted(database: Database) -> None:
    typed = "x\0\udc80" * 200
    database.write(lambda t: accounts.add_attempt(t, name=typed, address="1.1.1.1", now_ms=1))
    with database.read() as transaction:
        assert accounts.failures(transaction, name=typed, address="", since_ms=0).of_name == 1


def test_what_is_over_is_cleaned_up(database: Database) -> None:
    made = add(database, "Ada")
    for token, expires in (("old", 100), ("new", 101)):
        database.write(lambda t, k=token, e=expires: accounts.add_session(t, made.id, token=k, expires_ms=e))  # type: ignore[misc]
    for when in (49, 50):
        database.write(lambda t, w=when: accounts.add_attempt(t, name="Ada", address="", now_ms=w))  # type: ignore[misc]
    database.write(lambda t: accounts.clean_up(t, now_ms=100, attempts_before_ms=50))
    with database.read() as transaction:
        assert transaction.scalars(select(sessions.c.expires_ms)).all() == [101]
        assert transaction.scalars(select(attempts.c.tried_ms)).all() == [50]
