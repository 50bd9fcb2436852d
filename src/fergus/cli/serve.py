"""``fergus serve``: the web pages of studies, for participants and for those who run them."""

from __future__ import annotations

import secrets
import threading
import webbrowser
from importlib.resources import as_file, files

import click

from fergus.cli.options import examples
from fergus.cli.study_database import database_option
from fergus.cli.web_address import checked_address
from fergus.errors import InputError


@click.command(
    epilog=examples(
        "fergus serve --example bangalore-2000",
        "fergus serve my-study/study.yaml --database my-study.db --port 8080",
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
    simulation: bool,
    opens: bool,
    access_log: bool,
) -> None:
    """Open studies to participants, in a browser.

    A STUDY is a study file, or a folder with a study.yaml; one that the database has already gets a new version if its
    files have changed. Studies that were put in before are served too, and so are the pages of administration. Nothing
    is put in if a file has a mistake.
    """
    import fergus.web.app  # noqa: F401 - now: if a package is missing, nothing is to be written
    from fergus.cli.put_studies import put_in, read_checked
    from fergus.studies.storage import accounts
    from fergus.studies.storage import studies as rows
    from fergus.studies.storage.migrate import open_database
    from fergus.web.server import listen, run
    from fergus.web.settings import Settings

    listener = listen(host, port)
    address = f"http://{_shown(host)}:{listener.getsockname()[1]}"
    base = public_url or address
    try:
        found = read_checked([*studies, *map(_example, example_names)])
        with open_database(database) as opened:
            added = [put.name for put in put_in(opened, found)]
            with opened.read() as transaction:
                everything = rows.all_studies(transaction)
                has_account = bool(accounts.all_accounts(transaction))
        settings = Settings(
            public_url=public_url,
            setup_token="" if has_account else secrets.token_urlsafe(24),
            is_simulation=simulation,
        )
        for row in everything:
            click.echo(f"{row.name}: {base}/s/{row.name}" + ("" if row.state == "open" else f" ({row.state})"))
        if not everything:
            click.echo("There is no study yet; give a study file, or --example bangalore-2000.")
        setup = f"/admin/setup?token={settings.setup_token}" if settings.setup_token else "/admin"
        click.echo(f"administration: {base}{setup}")
        click.echo(f"database: {opened.shown}; Ctrl-C stops the server.")
        if opens:
            _open_in_browser(f"{address}/s/{added[0]}" if added else address)
        run(listener, database, settings, processes=processes, access_log=access_log)
    finally:
        listener.close()


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
