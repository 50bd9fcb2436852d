from __future__ import annotations

import io
import sys
import time

import pytest

from fergus.cli import progress
from fergus.cli.progress import patience, progress_bars


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_nothing_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bars(shown=True) as report, patience(False):
        report("trees", 1, 2)
    assert capsys.readouterr() == ("", "")


def test_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with progress_bars(shown=True) as report:
        report("labels", 1, 4)
        report("labels", 4, 4)
        report("labels", 2, 8)  # the job again: its second half
        report("reading", 7, 0)
    shown = terminal.getvalue()
    assert "labels" in shown
    assert "2/8" in shown
    assert "7/?" in shown
    assert "labels" not in with_hidden_bars(monkeypatch)


def with_hidden_bars(monkeypatch: pytest.MonkeyPatch) -> str:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress_bars(shown=False) as report:
        report("labels", 1, 4)
    return terminal.getvalue()


def test_patience_is_asked_for_only_when_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", 0.01)
    monkeypatch.setattr(progress, "_is_compiled", lambda kernel: True)
    with patience(False, "metrics/edit_kernel"):
        time.sleep(0.1)
    assert terminal.getvalue() == ""
    monkeypatch.setattr(progress, "_is_compiled", lambda kernel: False)
    with patience(False, "metrics/edit_kernel"):
        deadline = time.monotonic() + 5
        while not terminal.getvalue() and time.monotonic() < deadline:
            time.sleep(0.01)
    assert "compiling" in terminal.getvalue()
