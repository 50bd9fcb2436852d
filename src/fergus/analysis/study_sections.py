"""The sections about choices between texts, comments and tasks: made once, for HTML, the terminal and LaTeX."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fergus.analysis.comment_tables import codes_table
from fergus.analysis.plot_style import file_name
from fergus.analysis.preference_tables import preference_tables, texts_table
from fergus.analysis.task_tables import factor_title, name_of, task_tables
from fergus.analysis.turing_tables import pairs_table, people_table, turing_tables
from fergus.analysis.written import counted

if TYPE_CHECKING:
    from fergus.analysis.of_study import Findings
    from fergus.analysis.report_tables import Table


@dataclass(frozen=True)
class StudySection:
    """A heading with what stands below it."""

    name: str
    heading: str
    tables: tuple[Table, ...]
    folded: tuple[tuple[str, Table], ...] = ()
    """Long tables, each under a line that opens it; the terminal does without."""
    figure: tuple[str, str] | None = None
    """What the figure that stands first is about, and its kind."""


def study_sections(found: Findings) -> Iterator[StudySection]:
    """One a question about pairs, one a question with coded comments, one a task and what it is compared by."""
    for test in found.turing:
        yield StudySection(
            f"{file_name(test.question)}-turing-part",
            _titled("Human or machine?", test.question, len(found.turing)),
            tuple(turing_tables(test)),
            (
                (f"Each of {counted(len(test.pairs), 'pair')}", pairs_table(test)),
                (f"Each of {counted(len(test.people), 'participant')}", people_table(test)),
            ),
            (test.question, "turing"),
        )
    for liked in found.preferences:
        yield StudySection(
            f"{file_name(liked.question)}-preferences-part",
            _titled("Which is preferred?", liked.question, len(found.preferences)),
            tuple(preference_tables(liked)),
            ((f"Each of {counted(len(liked.texts), 'pair')}", texts_table(liked)),),
        )
    for comments in found.comments:
        heading = _titled("Comments", comments.question, len(found.comments))
        yield StudySection(f"{file_name(comments.question)}-comments-part", heading, (codes_table(comments),))
    for tasks in found.tasks:
        name = name_of(tasks)
        heading = "Tasks" if len(found.tasks) == 1 else f"Task “{tasks.question}” by {factor_title(tasks)}"
        yield StudySection(f"{file_name(name)}-tasks-part", heading, tuple(task_tables(tasks)), (), (name, "tasks"))


def _titled(heading: str, question: str, number: int) -> str:
    return heading if number == 1 else f"{heading} “{question}”"
