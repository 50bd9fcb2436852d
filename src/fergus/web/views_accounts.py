"""Logging in and out, the first account, and the accounts."""

from __future__ import annotations

import asyncio
import hmac

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from fergus.errors import InputError
from fergus.studies.storage import accounts
from fergus.studies.storage.accounts import ROLES
from fergus.web.forms import read_form
from fergus.web.login import SHORTEST_PASSWORD, Session, TooManyError
from fergus.web.visits import COOKIE, KNOWN, PATH, Visit, changing, is_within, logins_of, looking, set_cookie

ACCOUNTS = f"{PATH}/accounts"
FROM_STRANGERS = {"largest": 64 * 1024, "most": 20}
"""Bytes and fields of a form that anybody can send."""


async def show_login(request: Request) -> Response:
    """The login page."""
    return _login_page(request, next_page=request.query_params.get("next", ""))


async def log_in(request: Request) -> Response:
    """Check name and password; a new session takes the place of any old one."""
    form = await read_form(request, **FROM_STRANGERS)
    name, password, next_page = (form.get(field, [""])[0] for field in ("name", "password", "next"))
    logins, address = logins_of(request), _address(request)
    old_token, known = (request.cookies.get(cookie, "") for cookie in (COOKIE, KNOWN))

    def work() -> Session | None:
        return logins.log_in(name.strip(), password, address=address, old_token=old_token, known=known)

    try:
        session = await asyncio.get_running_loop().run_in_executor(logins.threads, work)
    except TooManyError as error:
        problem = f"Too many logins have failed. Please come back in {error.retry_s // 60} minutes."
        response = _login_page(request, status=429, problem=problem, name=name, next_page=next_page)
        response.headers["Retry-After"] = str(error.retry_s)
        return response
    if session is None:
        problem = "Name or password are wrong."
        return _login_page(request, status=401, problem=problem, name=name, next_page=next_page)
    return _begin(request, session, next_page if is_within(next_page) else PATH)


def _login_page(
    request: Request, *, status: int = 200, problem: str = "", name: str = "", next_page: str = ""
) -> Response:
    context = {"problem": problem, "name": name, "next": next_page if is_within(next_page) else ""}
    response: Response = request.app.state.pages.response("admin/login.html", context, status=status)
    return response


def _begin(request: Request, session: Session, address: str) -> Response:
    response = RedirectResponse(address, 303)
    set_cookie(response, request, session)
    return response


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def log_out(visit: Visit) -> Response:
    """End the session, here and in the database."""
    visit.logins.log_out(visit.session.token)
    response = RedirectResponse(f"{PATH}/login", 303)
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
    return response


async def show_setup(request: Request) -> Response:
    """The page that makes the first account, for whoever has the link that the server printed."""
    token = request.query_params.get("token", "")
    if not await _may_set_up(request, token):
        return RedirectResponse(f"{PATH}/login", 303)
    return _setup_page(request, token)


async def set_up(request: Request) -> Response:
    """Make the first account."""
    form = await read_form(request, **FROM_STRANGERS)
    token, name, password, again = (form.get(field, [""])[0] for field in ("token", "name", "password", "again"))
    if not await _may_set_up(request, token):
        raise HTTPException(404)
    if password != again:
        return _setup_page(request, token, name=name, problem="The two passwords are not the same.")
    logins = logins_of(request)
    try:
        work = asyncio.get_running_loop().run_in_executor(logins.threads, logins.set_up, name.strip(), password)
        session = await work
    except InputError as error:
        return _setup_page(request, token, name=name, problem=sentence(error))
    return RedirectResponse(f"{PATH}/login", 303) if session is None else _begin(request, session, PATH)


async def _may_set_up(request: Request, token: str) -> bool:
    right: str = request.app.state.settings.setup_token
    is_right = hmac.compare_digest(right.encode(), token.encode("utf-8", "replace"))
    return bool(right) and is_right and await asyncio.to_thread(logins_of(request).is_new)


def _setup_page(request: Request, token: str, *, name: str = "", problem: str = "") -> Response:
    context = {"token": token, "name": name, "problem": problem, "shortest": SHORTEST_PASSWORD}
    status = 422 if problem else 200
    response: Response = request.app.state.pages.response("admin/setup.html", context, status=status)
    return response


def show_accounts(visit: Visit, *, problem: str = "", name: str = "") -> Response:
    """Everybody's accounts for admins, one's own password for all."""
    with visit.service.database.read() as transaction:
        everyone = accounts.all_accounts(transaction) if visit.session.may_change else []
    context = {
        "accounts": everyone, "roles": ROLES, "problem": problem, "name": name, "shortest": SHORTEST_PASSWORD,
    }  # fmt: skip
    return visit.page("accounts.html", context, status=422 if problem else 200)


def add_account(visit: Visit) -> Response:
    """Make an account."""
    name = visit.field("name")
    try:
        visit.logins.add(name, visit.form.get("password", [""])[0], role=visit.field("role"))
    except InputError as error:
        return show_accounts(visit, problem=sentence(error), name=name)
    return visit.go(ACCOUNTS, done="account")


def change_account(visit: Visit) -> Response:
    """Give an account another role or password, or remove it."""
    name, what = visit.field("name"), visit.field("what")
    try:
        if what == "role":
            visit.logins.set_role(name, visit.field("role"))
        elif what == "remove":
            visit.logins.remove(name)
        elif what == "password":
            visit.logins.set_password(name, visit.form.get("password", [""])[0])
        else:
            raise HTTPException(400)
    except InputError as error:
        return show_accounts(visit, problem=sentence(error))
    return visit.go(ACCOUNTS, done=what)


def change_own_password(visit: Visit) -> Response:
    """Change one's own password, which ends all of one's sessions but a new one here."""
    old, new, again = (visit.form.get(field, [""])[0] for field in ("old", "password", "again"))
    name, address = visit.session.account.name, _address(visit.request)
    if new != again:
        return show_accounts(visit, problem="The two passwords are not the same.")
    try:
        known = visit.request.cookies.get(KNOWN, "")
        if visit.logins.log_in(name, old, address=address, known=known) is None:  # by the same brakes as a login
            return show_accounts(visit, problem="The present password is wrong.")
        visit.logins.set_password(name, new)
    except InputError as error:
        return show_accounts(visit, problem=sentence(error))
    except TooManyError as error:
        return show_accounts(visit, problem=f"{str(error).capitalize()}.")
    session = visit.logins.log_in(name, new, address=address)
    if session is None:  # pragma: no cover - only if somebody changed it in between
        return visit.go(f"{PATH}/login")
    return _begin(visit.request, session, f"{ACCOUNTS}?done=password")


def sentence(error: InputError) -> str:
    """An error as a sentence of a page."""
    text = f"{error.problem[:1].upper()}{error.problem[1:]}"
    return f"{text}: {error.remedy}." if error.remedy else f"{text}."


ROUTES: list[BaseRoute] = [
    Route(f"{PATH}/login", show_login, methods=["GET"]),
    Route(f"{PATH}/login", log_in, methods=["POST"]),
    Route(f"{PATH}/logout", changing(log_out, by_viewers=True), methods=["POST"]),
    Route(f"{PATH}/setup", show_setup, methods=["GET"]),
    Route(f"{PATH}/setup", set_up, methods=["POST"]),
    Route(ACCOUNTS, looking(show_accounts), methods=["GET"]),
    Route(ACCOUNTS, changing(add_account, hashes=True), methods=["POST"]),
    Route(f"{ACCOUNTS}/change", changing(change_account, hashes=True), methods=["POST"]),
    Route(f"{PATH}/password", changing(change_own_password, by_viewers=True, hashes=True), methods=["POST"]),
]
