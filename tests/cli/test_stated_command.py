from __future__ import annotations

import shlex

import pytest

from fergus.cli.stated_command import stated_command
from fergus.studies.storage.database import Database


def test_a_report_does_not_say_where_it_was_computed() -> None:
    assert stated_command(["analyse", "a b.csv", "--dask", "local:2", "--json"]) == "fergus analyse 'a b.csv' --json"
    assert stated_command(["evaluate", "--dask=tcp://host:1", "a"]) == "fergus evaluate a"
    assert stated_command(["evaluate", "--dask"]) == "fergus evaluate"


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ann:SECRET@host/studies",
        "postgresql://ann:SE:C/RET?@host:5432/studies",
        "postgresql://:SECRET@host/studies",
        "postgresql://ann@host/studies?password=SECRET&sslmode=require",
        "postgresql://host/studies?sslpassword=SECRET",
        "postgresql://host:5432/studies",
        "study.db",
    ],
)
def test_a_report_tells_no_password(address: str) -> None:
    for given in (["--database", address], [f"--database={address}"]):
        told = stated_command(["analyse", "small", *given, "--json"])
        assert "SECRET" not in told
        assert "RET" not in told
        database = Database(address)
        assert shlex.split(told)[3:-1] == [one.replace(address, database.shown) for one in given]
        database.close()
