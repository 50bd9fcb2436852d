"""The same pages on PostgreSQL, where reading goes by way of a thread."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fergus.studies.storage.database import Database
from fergus.studies.storage.migrate import open_database
from fergus.web.rendering import Pages
from tests.studies import postgresql
from tests.web.test_participant import (  # noqa: F401 - pytest finds the fixture and the test by their names
    address,
    test_every_type_of_question_is_shown_answered_and_kept,
)


@pytest.fixture
def database(pages: Pages) -> Iterator[Database]:
    programs = postgresql.folder_of_programs()
    if programs is None:
        pytest.skip("PostgreSQL's server (initdb, postgres) is not installed; on Debian: apt-get install postgresql")
    with postgresql.running(programs) as server, open_database(server.address("postgres")) as opened:
        yield opened
