"""``fergus serve``: what it puts in, prints and refuses; and that it serves, in one process and in several."""

from __future__ import annotations

import http.client
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import fergus
from fergus.cli import serve as module
from fergus.cli.local_server import LocalServer
from fergus.cli.main import cli
from fergus.studies.storage.migrate import open_database
from fergus.studies.storage.studies import all_studies, all_versions
from fergus.web.access import is_loopback

SHIPPED = Path(fergus.__file__).parent / "models" / "en.fergus"
STUDY = "study: tiny\ntitle: Tiny\nblocks: [{name: a, text: Hello.}]\n"


@pytest.fixture
def study(tmp_path: Path) -> Path:
    path = tmp_path / "study.yaml"
    path.write_text(STUDY, encoding="utf-8")
    return path


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What would have been started."""
    found: list[Any] = []
    monkeypatch.setattr(
        "fergus.web.server.run", lambda listener, *_, **options: found.append((options, listener.getsockname()))
    )
    return found


def run(*arguments: object) -> Any:
    return CliRunner().invoke(cli, ["serve", *map(str, arguments)])


def fetch(address: str, path: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=60)
    connection.request("GET", path)
    response = connection.getresponse()
    body = response.read().decode()
    connection.close()
    return response.status, body


def test_one_command_from_nothing_to_a_running_study(tmp_path: Path, started: list[Any]) -> None:
    database = tmp_path / "new.db"
    result = run("--example", "bangalore-2000", "--database", database, "--port", 0)
    assert result.exit_code == 0, result.output
    port = started[0][1][1]
    assert f"bangalore-2000: http://127.0.0.1:{port}/s/bangalore-2000\n" in result.output
    assert re.search(rf"administration: http://127\.0\.0\.1:{port}/admin/setup\?token=[\w-]{{32}}\n", result.output)
    with open_database(database) as opened, opened.read() as transaction:
        assert [row.name for row in all_studies(transaction)] == ["bangalore-2000"]


def test_a_study_is_put_in_once_and_again_when_it_has_changed(tmp_path: Path, study: Path, started: list[Any]) -> None:
    database = tmp_path / "x.db"
    for text in (STUDY, STUDY, STUDY.replace("Hello", "Good day")):
        study.write_text(text, encoding="utf-8")
        assert run(study, "--database", database, "--port", 0).exit_code == 0
    with open_database(database) as opened, opened.read() as transaction:
        versions = all_versions(transaction, all_studies(transaction)[0].id)
    assert len(versions) == 2
    assert versions[0].file_name == "study.yaml"  # nothing of where it was


def test_mistakes_are_all_told_and_nothing_is_put_in(tmp_path: Path, study: Path, started: list[Any]) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("study: Wrong Name\ntitel: x\nblocks: []\n", encoding="utf-8")
    result = run(study, wrong, "--database", tmp_path / "x.db", "--port", 0)
    assert result.exit_code == 2
    assert f"{wrong}:1" in result.output
    assert f"{wrong}:2" in result.output
    assert "nothing was put in" in result.output
    assert started == []
    with open_database(tmp_path / "x.db") as opened, opened.read() as transaction:
        assert all_studies(transaction) == []


def test_warnings_do_not_stop_it(tmp_path: Path, study: Path, started: list[Any]) -> None:
    study.write_text(STUDY + "questions: {unused: {type: comment}}\n", encoding="utf-8")
    result = run(study, "--database", tmp_path / "x.db", "--port", 0)
    assert result.exit_code == 0
    assert re.fullmatch(r"warning: .*study\.yaml:4:.* no block asks question 'unused'.*\n", result.stderr)


def test_an_unknown_example_names_those_that_there_are(tmp_path: Path, started: list[Any]) -> None:
    result = run("--example", "nothing", "--database", tmp_path / "x.db", "--port", 0)
    assert result.exit_code == 2
    assert "bangalore-2000" in result.output


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = run("--database", tmp_path / "x.db", "--port", port)
    assert result.exit_code == 2
    assert f"cannot listen on 127.0.0.1:{port}" in result.output
    assert f"--port {port + 1}" in result.output
    assert not (tmp_path / "x.db").exists()


def test_a_file_that_is_no_database(study: Path, started: list[Any]) -> None:
    result = run("--database", study, "--port", 0)
    assert result.exit_code == 2
    assert "is no database of Fergus" in result.output


def test_where_people_reach_it(tmp_path: Path, started: list[Any]) -> None:
    result = run("--database", tmp_path / "x.db", "--port", 0, "--public-url", "https://s.example/")
    assert "administration: https://s.example/admin/setup" in result.output
    assert "There is no study yet" in result.output
    assert run("--database", tmp_path / "x.db", "--public-url", "s.example").exit_code == 2
    assert run("--database", tmp_path / "x.db", "--public-url", "https://").exit_code == 2


def test_an_account_needs_no_setup_and_states_are_told(tmp_path: Path, study: Path, started: list[Any]) -> None:
    from fergus.studies.storage.accounts import add_account
    from fergus.studies.storage.studies import set_state

    run(study, "--database", tmp_path / "x.db", "--port", 0)
    with open_database(tmp_path / "x.db") as opened:
        opened.write(lambda transaction: add_account(transaction, "ada", password="-", role="admin", now_ms=0))
        opened.write(lambda transaction: set_state(transaction, 1, "paused"))
    result = run("--database", tmp_path / "x.db", "--port", 0)
    assert "/admin/setup" not in result.output
    assert "/s/tiny (paused)" in result.output


def test_open_opens_the_first_study(
    tmp_path: Path, study: Path, started: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(module, "_open_in_browser", opened.append)
    run(study, "--database", tmp_path / "x.db", "--port", 0, "--open")
    assert opened[0].endswith("/s/tiny")
    run("--database", tmp_path / "y.db", "--port", 0, "--open")
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+", opened[1])


def test_a_browser_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    asked = threading.Event()
    monkeypatch.setattr("webbrowser.open", lambda address: asked.set())
    module._open_in_browser("http://127.0.0.1:1")
    assert asked.wait(5)


def test_hosts_as_a_browser_writes_them() -> None:
    assert [module._shown(host) for host in ("0.0.0.0", "::", "::1", "study.example")] == [
        "localhost",
        "localhost",
        "[::1]",
        "study.example",
    ]


def test_several_processes_need_a_database_that_they_can_share(tmp_path: Path, started: list[Any]) -> None:
    result = run("--database", tmp_path / "x.db", "--port", 0, "--processes", 2)
    assert result.exit_code == 2
    assert "2 processes cannot share a file (SQLite); give a postgresql:// address" in result.output
    assert started == []


def test_the_workbench_is_open_where_nobody_else_can_come(tmp_path: Path, study: Path, started: list[Any]) -> None:
    database = ("--database", tmp_path / "x.db", "--port", 0)
    own = run(*database)
    assert re.search(r"^API: http://127\.0\.0\.1:\d+/api$", own.output, re.MULTILINE)
    assert run(*database, "--host", "localhost", "--workbench", "accounts").output.count("account or the token") == 1
    for options in (("--host", "0.0.0.0"), ("--public-url", "https://s.example")):
        assert "/api (for those with an account or the token)" in run(*database, *options).output
    assert "API:" not in run(*database, "--workbench", "off").output
    assert [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "s.example", "10.0.0.1")] == [
        True,
        True,
        True,
        False,
        False,
    ]


def test_the_settings_reach_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Any] = []
    monkeypatch.setattr("fergus.web.server.run", lambda listener, database, settings, **_: found.append(settings))
    monkeypatch.setenv("FERGUS_API_TOKEN", "a-token-that-is-long-enough")
    options = ("--workbench", "accounts", "--workers", 3, "--model", "en", "--model", f"again={SHIPPED}")
    result = run("--database", tmp_path / "x.db", "--port", 0, *options)
    assert result.exit_code == 0, result.output
    assert (found[0].workbench, found[0].api_token, found[0].workers) == ("accounts", "a-token-that-is-long-enough", 3)
    assert found[0].models == (("en", str(SHIPPED)), ("again", str(SHIPPED)))
    for given in ((), ("--workbench", "open")):
        run("--database", tmp_path / "x.db", "--port", 0, *given)
    assert [(one.workbench, one.is_open_by_default) for one in found[1:]] == [("open", True), ("open", False)]


def test_a_short_token_and_two_models_of_one_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = ("--database", tmp_path / "x.db", "--port", 0)
    twice = run(*database, "--model", "en", "--model", "en")
    assert twice.exit_code == 2
    assert "two models are called “en”; call them NAME=PATH" in twice.output
    assert "nothing.fergus: no such model" in run(*database, "--model", "nothing.fergus").output
    monkeypatch.setenv("FERGUS_API_TOKEN", "short")
    short = run(*database, "--workbench", "accounts")
    assert short.exit_code == 2
    assert "FERGUS_API_TOKEN has 5 characters" in short.output
    assert not (tmp_path / "x.db").exists()


def test_a_shipped_model_is_named_without_the_reader_of_models() -> None:
    """The process that answers keeps what it has loaded: with the reader it takes 150 MB instead of 55."""
    program = (
        "import sys\n"
        "from fergus.cli.serve import named_models\n"
        "((name, file),) = named_models(('en',))\n"
        "assert (name, file.endswith('en.fergus')) == ('en', True)\n"
        "sys.exit(bool({'numpy', 'numba'} & set(sys.modules)))\n"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_it_serves_and_stops(tmp_path: Path, study: Path) -> None:
    with LocalServer(study, tmp_path / "x.db", log=tmp_path / "log") as server:
        status, body = fetch(server.address, "/s/tiny")
        assert status == 200
        assert '<h1 tabindex="-1">Tiny</h1>' in body
        assert fetch(server.address, "/nowhere")[0] == 404
    assert "Traceback" not in (tmp_path / "log").read_text()
