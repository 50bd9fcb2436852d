from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from fergus.errors import InputError
from fergus.studies.storage import accounts
from fergus.web import login
from fergus.web.login import (
    KNOWN_MS,
    MOST_FOR_BOTH,
    MOST_FOR_NAME,
    MOST_FROM_ADDRESS,
    SESSION_MS,
    WINDOW_MS,
    Logins,
    Session,
    TooManyError,
    check_password,
    hash_password,
    is_password,
)
from tests.web.administration.admin_site import PASSWORD, Site


@pytest.fixture
def logins(site: Site) -> Logins:
    return site.app.state.logins


def test_passwords_are_stored_by_argon2id(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # as it is done in earnest
    stored = hash_password(PASSWORD)
    assert stored.startswith("$argon2id$")
    assert "m=65536" in stored  # 64 MB
    assert PASSWORD not in stored
    assert is_password(PASSWORD, stored)
    assert not is_password(PASSWORD + " ", stored)


def test_a_broken_hash_opens_nothing() -> None:
    assert not is_password("", "")
    assert not is_password("x", "$argon2id$broken")


def test_the_same_password_typed_on_another_keyboard() -> None:
    assert is_password("cafe\u0301 cafe\u0301 cafe\u0301", hash_password("caf\xe9 caf\xe9 caf\xe9"))
    assert not is_password("\ud800", hash_password(PASSWORD))  # cannot be encoded


@pytest.mark.parametrize("password", ["", "elevenchars", "x" * 201, "aaaaaaaaaaaaaa", "Anna-Karenina", "abababababab"])
def test_passwords_that_are_refused(password: str) -> None:
    with pytest.raises(InputError, match="password"):
        check_password(password, name="anna-karenina")


def test_a_password_of_twelve_characters_is_taken() -> None:
    check_password("twelve chars", name="ann")


def test_a_login_begins_a_session(logins: Logins, site: Site) -> None:
    session = logins.log_in("ann", PASSWORD, address="192.0.2.1")
    assert session is not None
    assert session.account.role == "admin"
    assert len(session.token) >= 43  # 256 bits
    assert logins.session(session.token) == session
    with site.database.read() as transaction:
        stored = transaction.exec_driver_sql("SELECT token FROM sessions").scalars().all()
    assert session.token not in stored


@pytest.mark.parametrize(("name", "password"), [("ann", "wrong"), ("nobody", PASSWORD), ("", ""), ("a\0nn", PASSWORD)])
def test_a_wrong_login_begins_none(logins: Logins, name: str, password: str) -> None:
    assert logins.log_in(name, password, address="192.0.2.1") is None


def test_an_unknown_name_takes_the_same_work(logins: Logins, monkeypatch: pytest.MonkeyPatch) -> None:
    checked = []
    monkeypatch.setattr(login, "is_password", lambda password, stored: checked.append(stored) or False)
    logins.log_in("ann", "wrong", address="192.0.2.1")
    logins.log_in("nobody", "wrong", address="192.0.2.1")
    assert len(checked) == 2
    assert all(stored.startswith("$argon2id$") for stored in checked)


@pytest.mark.parametrize("name", ["ann", "nobody"])
def test_five_failures_for_a_name_from_an_address_are_enough(logins: Logins, site: Site, name: str) -> None:
    for _ in range(MOST_FOR_BOTH):
        assert logins.log_in(name, "wrong", address="192.0.2.1") is None
    with pytest.raises(TooManyError) as caught:
        logins.log_in(name, PASSWORD, address="192.0.2.1")  # the right password too
    assert caught.value.retry_s == 15 * 60
    site.clock[0] += WINDOW_MS + 1
    assert (logins.log_in(name, PASSWORD, address="192.0.2.1") is not None) == (name == "ann")


def test_nobody_keeps_the_owner_of_a_name_out_from_one_address(logins: Logins) -> None:
    for _ in range(MOST_FOR_BOTH):
        logins.log_in("ann", "wrong", address="192.0.2.1")
    assert logins.log_in("ann", PASSWORD, address="192.0.2.2") is not None


def fail_from_everywhere(logins: Logins, name: str) -> None:
    for number in range(MOST_FOR_NAME):
        assert logins.log_in(name, "wrong", address=f"198.51.100.{number // 2}") is None


@pytest.mark.parametrize("name", ["ann", "nobody"])
def test_a_hundred_failures_for_a_name_from_anywhere_are_enough(logins: Logins, name: str) -> None:
    fail_from_everywhere(logins, name)
    with pytest.raises(TooManyError):
        logins.log_in(name, PASSWORD, address="192.0.2.1")
    assert logins.log_in("bob", PASSWORD, address="192.0.2.1") is not None


def test_a_browser_that_has_logged_in_gets_in_whatever_others_do(logins: Logins, site: Site) -> None:
    ann, bob = (logins.log_in(name, PASSWORD, address="192.0.2.1") for name in ("ann", "bob"))
    assert ann is not None
    assert bob is not None
    mark = logins.mark(ann.account)
    site.clock[0] += KNOWN_MS - 1
    fail_from_everywhere(logins, "ann")
    until, _, word = mark.partition(".")
    for invented in (
        "",
        "x",
        "9" * 400,
        f"{int(until) + 1}.{word}",
        f"{until}.é",
        "²." + word,
        logins.mark(bob.account),
    ):
        with pytest.raises(TooManyError):
            logins.log_in("ann", PASSWORD, address="192.0.2.1", known=invented)
    assert logins.log_in("ann", PASSWORD, address="192.0.2.1", known=mark) is not None
    fail_from_everywhere(logins, "ann")
    site.clock[0] += 1  # thirty days are over
    with pytest.raises(TooManyError):
        logins.log_in("ann", PASSWORD, address="192.0.2.1", known=mark)


def test_a_known_browser_may_not_guess_either(logins: Logins) -> None:
    ann = logins.log_in("ann", PASSWORD, address="192.0.2.1")
    assert ann is not None
    mark = logins.mark(ann.account)
    for _ in range(MOST_FOR_BOTH):
        assert logins.log_in("ann", "wrong", address="192.0.2.1", known=mark) is None
    with pytest.raises(TooManyError):
        logins.log_in("ann", PASSWORD, address="192.0.2.1", known=mark)


def test_a_new_password_forgets_the_browsers(logins: Logins) -> None:
    ann = logins.log_in("ann", PASSWORD, address="192.0.2.1")
    assert ann is not None
    logins.set_password("ann", "another password")
    fail_from_everywhere(logins, "ann")
    with pytest.raises(TooManyError):
        logins.log_in("ann", "another password", address="192.0.2.1", known=logins.mark(ann.account))


def test_twenty_failures_from_an_address_are_enough(logins: Logins) -> None:
    for number in range(MOST_FROM_ADDRESS):
        assert logins.log_in(f"name{number}", "wrong", address="192.0.2.1") is None
    with pytest.raises(TooManyError):
        logins.log_in("ann", PASSWORD, address="192.0.2.1")
    assert logins.log_in("ann", PASSWORD, address="192.0.2.2") is not None


def test_guesses_at_once_are_counted_one_by_one(logins: Logins) -> None:
    def guess(_: int) -> bool:
        try:
            logins.log_in("ann", "wrong", address="192.0.2.1")
        except TooManyError:
            return False
        return True

    with ThreadPoolExecutor(16) as threads:
        assert sum(threads.map(guess, range(32))) == MOST_FOR_BOTH


def test_a_login_that_succeeds_wipes_the_slate(logins: Logins) -> None:
    for _ in range(3):
        for _ in range(MOST_FOR_BOTH - 1):
            logins.log_in("ann", "wrong", address="192.0.2.1")
        assert logins.log_in("ann", PASSWORD, address="192.0.2.1") is not None


def test_a_session_ends_after_twelve_hours(logins: Logins, site: Site) -> None:
    session = logins.log_in("ann", PASSWORD, address="")
    assert session is not None
    site.clock[0] += SESSION_MS - 1
    assert logins.session(session.token) is not None
    site.clock[0] += 1
    assert logins.session(session.token) is None


def test_logging_in_again_ends_the_old_session(logins: Logins) -> None:
    old = logins.log_in("ann", PASSWORD, address="")
    assert old is not None
    new = logins.log_in("ann", PASSWORD, address="", old_token=old.token)
    assert new is not None
    assert new.token != old.token
    assert logins.session(old.token) is None
    assert logins.session(new.token) is not None


def test_nothing_is_no_session(logins: Logins) -> None:
    assert logins.session("") is None
    assert logins.session("x" * 43) is None


def test_the_word_in_forms_is_the_sessions_own(logins: Logins) -> None:
    one, other = (logins.log_in("ann", PASSWORD, address="") for _ in range(2))
    assert one is not None
    assert other is not None
    assert one.is_own(one.csrf)
    assert not one.is_own(other.csrf)
    assert not one.is_own("")
    assert not one.is_own("é\ud800")
    assert one.token not in one.csrf


def test_only_admins_may_change(logins: Logins) -> None:
    ann, vera = (logins.log_in(name, PASSWORD, address="") for name in ("ann", "vera"))
    assert isinstance(ann, Session)
    assert isinstance(vera, Session)
    assert (ann.may_change, vera.may_change) == (True, False)


def test_the_first_account_is_made_once(bare: Site) -> None:
    logins: Logins = bare.app.state.logins
    assert logins.is_new()
    first = logins.set_up("ann", PASSWORD)
    assert first is not None
    assert first.may_change
    assert not logins.is_new()
    assert logins.set_up("eve", PASSWORD) is None


def test_two_at_once_cannot_both_be_first(bare: Site) -> None:
    logins: Logins = bare.app.state.logins
    with ThreadPoolExecutor(4) as threads:
        made = list(threads.map(lambda name: logins.set_up(name, PASSWORD), "abcd"))
    assert sum(session is not None for session in made) == 1


def test_the_last_admin_stays(logins: Logins) -> None:
    logins.set_role("bob", "viewer")
    with pytest.raises(InputError, match="“ann” is the only admin; make another admin first"):
        logins.remove("ann")
    with pytest.raises(InputError, match="only admin"):
        logins.set_role("ann", "viewer")
    logins.set_role("ann", "admin")
    logins.remove("bob")
    logins.remove("vera")


def test_a_new_password_or_no_account_ends_sessions(logins: Logins) -> None:
    ann, bob = (logins.log_in(name, PASSWORD, address="") for name in ("ann", "bob"))
    assert ann is not None
    assert bob is not None
    logins.set_password("ann", "another password")
    logins.remove("bob")
    assert logins.session(ann.token) is None
    assert logins.session(bob.token) is None
    assert logins.log_in("ann", PASSWORD, address="") is None
    assert logins.log_in("ann", "another password", address="") is not None


def test_accounts_that_are_not_there(logins: Logins) -> None:
    with pytest.raises(InputError, match="there is no account “eve”; there are: ann, bob, vera"):
        logins.set_password("eve", PASSWORD)


def test_an_account_is_not_made_with_a_bad_password(logins: Logins, site: Site) -> None:
    with pytest.raises(InputError):
        logins.add("eve", "short", role="viewer")
    with site.database.read() as transaction:
        assert accounts.find_account(transaction, "eve") is None
