"""``fergus serve``: the web pages of studies, for participants and for those who run them; the workbench; the API."""

from __future__ import annotations

import os
import secrets
import threading
import webbrowser
from importlib.resources import as_file, files
from pathlib import Path

import click

from fergus.cli.options import examples
from fergus.cli.study_database import database_option
from fergus.cli.web_address import checked_address
from fergus.errors import InputError
from fergus.models import shipped_model

TOKEN = "FERGUS_API_TOKEN"
DEFAULT_MODELS = (("en", "en"),)
WORKBENCH = ("open", "accounts", "off")


@click.command(
    epilog=examples(
        "fergus serve --example bangalore-2000",
        "fergus serve my-study/study.yaml --database my-study.db --port 8080",
        "fergus serve --model my.fergus --workers 2 --open",
        "fergus serve --database postgresql://fergus@db/studies --processes 4 --public-url https://studies.example.org",
    )
)
@click.argument("studies", nargs=-1, type=click.Path(), metavar="[STUDY]...")
@click.option(
    "--example", "example_names", multiple=True, metavar="NAME", help="Put in a study that comes with Fergus."
)
@database_option
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on; 0.0.0.0 for all.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes a free one.")
@click.option("--processes", type=click.IntRange(1, 64), default=1, show_default=True, help="How many answer at once.")
@click.option(
    "--public-url",
    default="",
    callback=checked_address,
    metavar="URL",
    help="Where people reach it, if a proxy stands before it.",
)
@click.option(
    "--workbench",
    type=click.Choice(WORKBENCH),
    help="Who may use the workbench and the API: everybody, those with an account (programs: with the token in "
    "FERGUS_API_TOKEN), or nobody.  [default: open if only this machine can reach the server, else accounts]",
)
@click.option(
    "--model",
    "-m",
    "models",
    multiple=True,
    metavar="NAME|[NAME=]PATH",
    help="A model of the workbench and the API, shipped or a file; may be given again, the first is the default.  "
    "[default: en]",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Processes that realize and parse, beside each one that answers.",
)
@click.option("--simulation", is_flag=True, help="Let artificial raters take part (fergus study simulate --address).")
@click.option("--open", "opens", is_flag=True, help="Open the first page in a browser.")
@click.option("--access-log", is_flag=True, help="A line on standard error for every request.")
def serve(
    *,
    studies: tuple[str, ...],
    example_names: tuple[str, ...],
    database: str,
    host: str,
    port: int,
    processes: int,
    public_url: str,
    workbench: str | None,
    models: tuple[str, ...],
    workers: int,
    simulation: bool,
    opens: bool,
    access_log: bool,
) -> None:
    """Open studies to participants; the workbench and the API.

    A STUDY is a study file, or a folder with a study.yaml; one that the database has already gets a new version if its
    files have changed. Studies that were put in before are served too, and so are the pages of administration. Nothing
    is put in if a file has a mistake.
    """
    import fergus.web.app  # noqa: F401 - now: if a package is missing, nothing is to be written
    from fergus.cli.put_studies import put_in, read_checked
    from fergus.studies.storage import accounts
    from fergus.studies.storage import studies as rows
    from fergus.studies.storage.migrate import open_database
    from fergus.web.access import is_loopback
    from fergus.web.server import listen, run
    from fergus.web.settings import Settings

    who = workbench or ("open" if is_loopback(host) and not public_url else "accounts")
    named = named_models(models) if who != "off" else DEFAULT_MODELS
    token = api_token() if who == "accounts" else ""
    listener = listen(host, port)
    address = f"http://{_shown(host)}:{listener.getsockname()[1]}"
    base = public_url or address
    try:
        found = read_checked([*studies, *map(_example, example_names)])
        with open_database(database) as opened:
            if opened.is_sqlite and processes > 1:
                remedy = "give a postgresql:// address; or --workers, if it is realizing that is to be faster"
                raise InputError(
                    f"{processes} processes cannot share a file (SQLite)", path=opened.shown, remedy=remedy
                )
            added = [put.name for put in put_in(opened, found)]
            with opened.read() as transaction:
                everything = rows.all_studies(transaction)
                has_account = bool(accounts.all_accounts(transaction))
        settings = Settings(
            public_url=public_url,
            setup_token="" if has_account else secrets.token_urlsafe(24),
            is_simulation=simulation,
            workbench=who,
            is_open_by_default=workbench is None and who == "open",
            api_token=token,
            models=named,
            workers=workers,
        )
        for row in everything:
            click.echo(f"{row.name}: {base}/s/{row.name}" + ("" if row.state == "open" else f" ({row.state})"))
        if not everything:
            click.echo("There is no study yet; give a study file, or --example bangalore-2000.")
        setup = f"/admin/setup?token={settings.setup_token}" if settings.setup_token else "/admin"
        click.echo(f"administration: {base}{setup}")
        if who != "off":
            click.echo(f"workbench: {base}/" + ("" if who == "open" else " (for those with an account)"))
            click.echo(f"API: {base}/api" + ("" if who == "open" else " (for those with an account or the token)"))
        click.echo(f"database: {opened.shown}; Ctrl-C stops the server.")
        if opens:
            _open_in_browser(f"{address}/s/{added[0]}" if added else address)
        run(listener, database, settings, processes=processes, access_log=access_log)
    finally:
        listener.close()


def named_models(given: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """The models by the names that visitors use: that of a shipped one, or of a file without its folder and ending."""
    found: dict[str, str] = {}
    for one in given:
        name, equals, place = one.partition("=")
        if not equals or Path(one).exists():
            name, place = Path(one).stem, one
        path = _model(place)
        if not name or name in found:
            raise InputError(f"two models are called “{name}”", remedy="call them NAME=PATH, each by another name")
        found[name] = str(path)
    return tuple(found.items()) or DEFAULT_MODELS


def _model(place: str) -> Path:
    """The file of a model that can be read."""
    shipped = None if Path(place).is_file() else shipped_model(place)
    if shipped is not None:
        return shipped  # it is as it should be, and the reader of models is 95 MB more that this process would keep
    from fergus.realize.model import ModelFile
    from fergus.realize.pipeline import find_model

    path = find_model(place)
    ModelFile(path)  # what cannot be read is said now
    return path


def api_token() -> str:
    """The token of programs, from the environment, where no list of processes shows it; empty if there is none."""
    from fergus.web.access import SHORTEST_TOKEN

    token = os.environ.get(TOKEN, "").strip()
    if token and len(token) < SHORTEST_TOKEN:
        remedy = f"use {SHORTEST_TOKEN} characters or more, for instance: openssl rand -hex 24"
        raise InputError(f"{TOKEN} has {len(token)} characters, which can be guessed", remedy=remedy)
    return token


def _example(name: str) -> str:
    """The folder of a study that comes with Fergus."""
    folder = files("fergus.studies") / "examples"
    known = sorted(entry.name for entry in folder.iterdir() if entry.is_dir())
    if name not in known:
        raise InputError(f"there is no example “{name}”", remedy=f"take one of {', '.join(known)}")
    with as_file(folder / name) as path:
        return str(path)


def _shown(host: str) -> str:
    """The host in an address that a browser on this machine can open."""
    if host in ("0.0.0.0", "", "::"):
        return "localhost"
    return f"[{host}]" if ":" in host else host


def _open_in_browser(address: str) -> None:
    # The socket listens already: a browser that comes early waits until the application is there.
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
