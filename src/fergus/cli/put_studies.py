"""Study files put into a database, by ``fergus serve`` and ``fergus study add``."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fergus.errors import FergusError

if TYPE_CHECKING:
    from fergus.studies.storage.database import Database, Transaction
    from fergus.studies.study import Study
    from fergus.studies.study_file import StudyFiles


@dataclass(frozen=True)
class Put:
    """A study that is in the database now."""

    name: str
    version: str
    before: str | None
    """The version that new participants got until now; None if the study is new."""


def read_checked(paths: Sequence[str]) -> list[tuple[Study, StudyFiles]]:
    """The studies of files or folders; warnings are printed, and mistakes raise an error that tells all of them."""
    from fergus.studies.study_file import check_file, find_study_file, read_files

    found, problems = [], list[str]()
    for path in map(find_study_file, paths):
        checked = check_file(path)
        for problem in checked.problems:
            if problem.is_warning:
                click.echo(f"warning: {problem}", err=True)
        problems += [str(problem) for problem in checked.errors]
        if checked.study is not None:
            found.append((checked.study, read_files(path)))
    if problems:
        raise FergusError("\n".join([*problems, "nothing was put in"]))
    return found


def put_in(database: Database, found: Sequence[tuple[Study, StudyFiles]]) -> list[Put]:
    """Put studies in, or new versions of them: all of them or none."""
    from fergus.studies.storage.studies import VersionRow, add_version, find_study

    now_ms = time.time_ns() // 1_000_000

    def work(transaction: Transaction) -> list[Put]:
        done = []
        for study, given in found:
            before = find_study(transaction, study.name)
            # Nothing of where the files were.
            names = (Path(given.name).name, Path(given.items_name).name)
            files = VersionRow(study.version, names[0], given.text, names[1], given.items_text or "", now_ms)
            add_version(transaction, study.name, files)
            done.append(Put(study.name, study.version, before.version if before else None))
        return done

    return database.write(work)
