"""A study from its two files: the study file (YAML) and the items file; every mistake with its line.

::

    study.yaml ─> located values ─> questions ─> blocks ─┐
    items.csv ──> items ─────────────────────────────────┴─> checks ─> Study

``read_study`` and ``parse_study`` raise the first mistake; ``check_study`` and ``check_texts`` give all of them.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from fergus.errors import InputError
from fergus.studies.check_blocks import check_blocks
from fergus.studies.items_file import parse_items, read_text
from fergus.studies.located import LARGEST, Listing, Scalar, Table, read_yaml
from fergus.studies.model import Item
from fergus.studies.problems import Problem, Problems, shown
from fergus.studies.read_block import read_blocks
from fergus.studies.read_question import read_questions
from fergus.studies.read_value import described
from fergus.studies.study import Study
from fergus.studies.study_settings import has_known_format, own_blocks, read_settings, square_line

STUDY_FILE, ITEMS_FILE = "study.yaml", "items.csv"
"""What the files are called unless they are given other names."""
VERSION_DIGITS = 12


@dataclass(frozen=True)
class StudyFiles:
    """Both files as they are: what a database keeps."""

    text: str
    items_text: str | None
    name: str = STUDY_FILE
    items_name: str = ITEMS_FILE


@dataclass(frozen=True)
class Checked:
    """What a study's files say, and everything that is wrong with them."""

    study: Study | None
    """None if there is a mistake; warnings alone are none."""
    problems: tuple[Problem, ...]

    @property
    def errors(self) -> tuple[Problem, ...]:
        """The problems because of which there is no study."""
        return tuple(problem for problem in self.problems if not problem.is_warning)


def read_study(path: str | Path) -> Study:
    """The study in a file; raises its first mistake."""
    return _study_of(check_file(path))


def check_study(path: str | Path) -> list[Problem]:
    """Every mistake in a study's files, and warnings."""
    return list(check_file(path).problems)


def parse_study(text: str, items_text: str | None, *, name: str = STUDY_FILE, items_name: str = ITEMS_FILE) -> Study:
    """The study that two texts describe, the second None or empty if there are no items; raises the first mistake."""
    return _study_of(check_texts(text, items_text, name=name, items_name=items_name))


def find_study_file(path: str | Path) -> Path:
    """The study file that is meant by its name or by that of its folder."""
    path = Path(path)
    return path / STUDY_FILE if path.is_dir() else path


def read_files(path: str | Path) -> StudyFiles:
    """Both files of a study, unchecked but for what keeps them from being read."""
    files, problems = _files_of(Path(path))
    if problems:
        raise problems[0].as_error()
    return files


def check_file(path: str | Path) -> Checked:
    """The study in a file, with every mistake."""
    try:
        files, problems = _files_of(Path(path))
    except InputError as error:
        return Checked(None, (_problem_of(error),))
    return _checked(files, problems)


def check_texts(text: str, items_text: str | None, *, name: str = STUDY_FILE, items_name: str = ITEMS_FILE) -> Checked:
    """The study that two texts describe, with every mistake."""
    return _checked(StudyFiles(text, items_text or None, name, items_name), [])


def _checked(files: StudyFiles, known: list[Problem]) -> Checked:
    """The study, unless something is wrong; ``known`` is why the items file could not be read."""
    problems, item_problems = Problems(files.name), Problems(files.items_name)
    items = tuple(parse_items(files.items_text, item_problems)) if files.items_text else ()
    if item_problems.has_errors:
        items = ()  # so that no block is blamed for rows that could not be read
    root = read_yaml(files.text.removeprefix("\ufeff"), problems)
    study = None
    if isinstance(root, Table) and has_known_format(root, problems):
        if "items" in root.keys and files.items_text is None and not known:
            remedy = "give both files, or delete the line"
            problems.add("the study has an items file, but none was given", line=root.line_of("items"), remedy=remedy)
        study = _read(root, items, problems, item_problems)
    elif not isinstance(root, Table) and not problems.has_errors:
        what = "the file is empty" if root is None else f"the file is {described(root)}"
        problems.add(what, line=1, remedy="begin with study: NAME (see `fergus study new`)")
    found = (*(p for p in known if p.path != files.name), *item_problems.sorted())
    own = sorted((*(p for p in known if p.path == files.name), *problems.sorted()), key=lambda p: p.line or 0)
    every = (*own, *found)
    if study is None or any(not problem.is_warning for problem in every):
        return Checked(None, every)
    return Checked(replace(study, version=version_of(files.text, files.items_text)), every)


def _study_of(checked: Checked) -> Study:
    if checked.study is None:
        raise checked.errors[0].as_error()
    return checked.study


def _read(root: Table, items: tuple[Item, ...], problems: Problems, item_problems: Problems) -> Study:
    settings = read_settings(root, problems)
    questions = read_questions(root.values.get("questions"), problems)
    blocks = read_blocks(root.values.get("blocks"), questions, problems)
    own = own_blocks(root, settings, problems)
    for read in blocks:
        if read.block.name in own:
            problem = f"the name {shown(read.block.name)} is that of the block that {read.block.name}: makes"
            problems.add(problem, line=read.line, remedy="rename the block")
    if not blocks and not own and not problems.has_errors:
        problems.add("the study has no blocks", line=root.line_of("blocks"), remedy="add blocks: with at least one")
    if "items" not in root.keys:
        for read in blocks:
            if read.block.items is not None:
                problem = f"block {shown(read.block.name)} shows items, but the study names no items file"
                problems.add(problem, line=read.table.line_of("items"), remedy="add items: items.csv")
    used = {question.name for read in blocks for question in read.block.questions}
    for name, line in questions.declared.items():
        if name not in used and name in questions.named:
            problems.add(
                f"no block asks question {shown(name)}", line=line, remedy="name it in a block", is_warning=True
            )
    every = (*own.values(), *(read.block for read in blocks if read.block.name not in own))
    study = Study(blocks=every, items=items, **settings)
    given = root.values.get("blocks")
    are_all_read = len(blocks) == (len(given.items) if isinstance(given, Listing) else 0)
    check_blocks(
        study,
        [read for read in blocks if read.block.name not in own],
        problems,
        item_problems,
        square_line=square_line(root) if are_all_read else None,
    )
    return study


def version_of(text: str, items_text: str | None) -> str:
    """What both texts hash to; the length of the first keeps them apart."""
    digest = hashlib.sha256(f"{len(text)}\n{text}{items_text or ''}".encode(errors="surrogatepass"))
    return digest.hexdigest()[:VERSION_DIGITS]


def _files_of(path: Path) -> tuple[StudyFiles, list[Problem]]:
    """Both files, and what is wrong with the name of the second; an InputError if the first cannot be read."""
    name = str(path)
    text = read_text(path, name=name, largest=4 * LARGEST)
    root = read_yaml(text, Problems(name))
    given = root.values.get("items") if isinstance(root, Table) else None
    if given is None or (isinstance(given, Scalar) and given.is_null):
        return StudyFiles(text, None, name), []
    if not isinstance(given, Scalar):
        remedy = "write the name of a file: items: items.csv"
        return StudyFiles(text, None, name), [Problem(f"items is {described(given)}", name, given.line, None, remedy)]
    items_path = path.parent / given.text
    if not _is_inside(given.text, path.parent):
        problem = f"{shown(given.text)} is not in the folder of the study"
        remedy = "put it beside the study file, and give its name without .. or a leading /"
        return StudyFiles(text, None, name), [Problem(problem, name, given.line, None, remedy)]
    try:
        items_text = read_text(items_path, name=str(items_path))
    except InputError as error:
        is_there = items_path.exists()
        place = (
            _problem_of(error)
            if is_there
            else Problem(
                f"there is no file {shown(given.text)} beside it", name, given.line, None, "check the name under items:"
            )
        )
        return StudyFiles(text, None, name, str(items_path)), [place]
    return StudyFiles(text, items_text, name, str(items_path)), []


def _is_inside(given: str, folder: Path) -> bool:
    """Is it a name within the folder, links followed?"""
    name = PurePosixPath(given.replace("\\", "/"))
    if name.is_absolute() or ".." in name.parts or ":" in given:
        return False
    return (folder / given).resolve().is_relative_to(folder.resolve())


def _problem_of(error: InputError) -> Problem:
    return Problem(error.problem, error.path, error.line, error.column, error.remedy)
