"""Whether blocks, questions and items of a study fit together."""

from __future__ import annotations

from collections.abc import Sequence

from fergus.studies.asked import asked_on
from fergus.studies.assign import LONGEST_KEY, conditions_of, is_always, levels_of, plan
from fergus.studies.model import Item
from fergus.studies.problems import Problems, legal, shown
from fergus.studies.questions.task import Task
from fergus.studies.read_block import ReadBlock
from fergus.studies.study import Study, column_of

ALWAYS_THERE = ("item", "group", "text")
"""Columns that every item has, whatever its file says."""
MOST_FIELDS = 2000
"""Fields that a page may send; the server refuses forms that have more."""
PAGE_FIELDS = 3
"""Fields of a page that are no question's: its number and its times."""


def check_blocks(
    study: Study, blocks: Sequence[ReadBlock], problems: Problems, item_problems: Problems, *, square_line: int | None
) -> None:
    """Note what does not fit: in the study file's problems, or in the items file's where a row is to blame.

    ``square_line`` is where a Latin square is asked for; None if blocks are missing that could not be read, so that
    there is no telling what it would rotate.
    """
    columns = _columns(study.items)
    pages = _pages(study)
    can_rotate = square_line is not None and bool(study.items)
    for read in blocks:
        block = read.block
        _check_clock(read, problems)
        for condition in block.only:
            if condition not in study.conditions:
                problem = f"block {shown(block.name)} is for {shown(condition)}, which is no condition"
                problems.add(problem, line=read.table.line_of("only"), remedy=legal(condition, study.conditions))
        if block.items is None:
            if not block.questions and not block.text.strip():
                remedy = "give it questions, a text, or delete it"
                problems.add(f"block {shown(block.name)} shows nothing", line=read.line, remedy=remedy)
            _check_pages(read, [()], problems, item_problems)
        elif study.items and not _has_good_columns(study, read, columns, problems):
            can_rotate = False
        elif study.items:
            if not block.questions:
                told = f"block {shown(block.name)} shows items and asks nothing"
                problems.add(told, line=read.line, remedy="give it questions", is_warning=True)
            _check_pages(read, pages.get(block.name, []), problems, item_problems)
    if study.assignment.design == "latin-square" and can_rotate:
        _check_square(study, problems, item_problems, line=square_line)
    used = {item.id for read in blocks for item in study.items_of(read.block)}
    unused = [item for item in study.items if item.id not in used]
    if unused and not problems.has_errors:
        several = f" and {len(unused) - 1} more" if len(unused) > 1 else ""
        told = f"no block shows item {shown(unused[0].id)}{several}"
        item_problems.add(told, line=unused[0].line, remedy="name its value in a block's items", is_warning=True)


def _check_clock(read: ReadBlock, problems: Problems) -> None:
    """A page with a time limit is sent as a whole: what must be answered beside the task makes its solution late."""
    timed = [q for q in read.block.questions if isinstance(q, Task) and q.seconds is not None]
    others = [q for q in read.block.questions if q.required and q not in timed]
    if timed and others:
        task, other = shown(timed[0].name), shown(others[0].name)
        told = f"question {other} is on the page of the task {task}, whose time runs until both are answered"
        remedy = f"ask {other} in a block of its own, or let it be left out (required: no)"
        problems.add(told, line=read.table.line_of("questions"), remedy=remedy, is_warning=True)


def _columns(items: Sequence[Item]) -> dict[str, None]:
    return {**dict.fromkeys(ALWAYS_THERE), **{name: None for item in items for name in item.values}}


def _pages(study: Study) -> dict[str, list[tuple[Item, ...]]]:
    """The items that stand together on a page, by block: as the design has it."""
    if study.assignment.design != "latin-square":
        return {block.name: list(study.pages_of(block).values()) for block in study.blocks}
    if not levels_of(study):
        return {}
    found: dict[str, dict[tuple[str, ...], tuple[Item, ...]]] = {}
    for condition in conditions_of(study):
        for page in plan(study, condition, seed=0, judged={}):
            names = tuple(sorted(page.items))  # the order is chance and says nothing
            found.setdefault(page.block, {})[names] = tuple(study.by_id[name] for name in names)
    return {name: list(pages.values()) for name, pages in found.items()}


def _has_good_columns(study: Study, read: ReadBlock, columns: dict[str, None], problems: Problems) -> bool:
    """Do the columns that the block names exist, and does it pick any item?"""
    block, label = read.block, shown(read.block.name)
    before = problems.count
    for column, values in (block.items or {}).items():
        if column not in columns:
            problem = f"block {label} asks for items by the column {shown(column)}, which no item has"
            problems.add(problem, line=read.line_of_column(column), remedy=legal(column, columns))
            continue
        known = {column_of(item, column): None for item in study.items}
        for value in values:
            if value not in known:
                problem = f"no item has {shown(value)} in the column {shown(column)}"
                told = legal(value, [name for name in list(known)[:10] if name])
                problems.add(problem, line=read.line_of_column(column), remedy=told)
    if block.page not in columns:
        problem = f"block {label} puts items on a page by the column {shown(block.page)}, which no item has"
        problems.add(problem, line=read.table.line_of("page"), remedy=legal(block.page, columns))
    elif any(len(column_of(item, block.page)) > LONGEST_KEY for item in study.items_of(block)):
        problem = f"block {label} puts items on a page by the column {shown(block.page)}, whose values are too long"
        remedy = f"use a column with at most {LONGEST_KEY} characters in it"
        problems.add(problem, line=read.table.line_of("page"), remedy=remedy)
    if problems.count > before:
        return False
    if not study.items_of(block):
        remedy = "use values that some item has together"
        problems.add(f"block {label} picks no item", line=read.table.line_of("items"), remedy=remedy)
        return False
    return True


def _check_pages(
    read: ReadBlock, pages: Sequence[tuple[Item, ...]], problems: Problems, item_problems: Problems
) -> None:
    """What the questions say of their items: if every page is wrong the block is to blame, else the row."""
    wrong: dict[str, list[tuple[Item | None, str]]] = {}
    faulty_pages: dict[str, set[int]] = {}
    fields = 0
    for number, items in enumerate(pages):
        every = asked_on(read.block, items)
        fields = max(fields, PAGE_FIELDS + sum(asked.question.most_fields(asked.items) for asked in every))
        for asked in every:
            question, about = asked.question, asked.items
            for mistake in question.mistakes_of(about):
                wrong.setdefault(question.name, []).append((about[0] if about else None, mistake))
                faulty_pages.setdefault(question.name, set()).add(number)
    if fields > MOST_FIELDS:
        told = f"a page of block {shown(read.block.name)} has {fields:,} fields; at most {MOST_FIELDS:,} can be sent"
        remedy = "put fewer items on a page, ask less, or let a review have fewer remarks (most)"
        problems.add(told, line=read.table.line_of("questions"), remedy=remedy)
    for name, mistakes in wrong.items():
        if len(faulty_pages[name]) == len(pages) or mistakes[0][0] is None:
            several = f" (and {len(pages) - 1} more pages)" if len(pages) > 1 else ""
            problem = f"question {shown(name)} in block {shown(read.block.name)}: {mistakes[0][1]}{several}"
            remedy = "change the items, or the page of the block"
            problems.add(problem, line=read.table.line_of("questions"), remedy=remedy)
            continue
        for item, mistake in mistakes:
            told = f"question {shown(name)} in block {shown(read.block.name)}: {mistake}"
            item_problems.add(told, line=item.line if item else None, remedy="mend this row or those of its page")


def _check_square(study: Study, problems: Problems, item_problems: Problems, *, line: int | None) -> None:
    """A Latin square needs every level in every group."""
    levels, factor = levels_of(study), study.assignment.factor
    rotated = [b for b in study.blocks if b.items is not None and not (b.practice or b.everyone)]
    if len(levels) < 2:
        found = f"one value, {shown(levels[0])}" if levels else "no value"
        problem = f"the Latin square has {found} to rotate in the column {shown(factor)}"
        problems.add(problem, line=line, remedy=f"name a column as factor: {', '.join(_columns(study.items))}")
        return
    for block in rotated:
        groups: dict[str, list[Item]] = {}
        for item in study.items_of(block):
            if not is_always(item):
                groups.setdefault(item.group, []).append(item)
        for name, items in groups.items():
            there = {column_of(item, factor) for item in items}
            lacking = [level for level in levels if level not in there]
            if lacking:
                problem = f"group {shown(name)} has no item with {factor} {', '.join(map(shown, lacking))}"
                remedy = "a Latin square shows every level of every group to somebody: add it, or use design: subsets"
                item_problems.add(problem, line=items[0].line, remedy=remedy)
        if groups and len(groups) % len(levels):
            told = (
                f"block {shown(block.name)} has {len(groups)} groups for {len(levels)} values of {factor}: "
                "a participant does not see every value equally often"
            )
            problems.add(told, line=line, remedy=f"use a multiple of {len(levels)}", is_warning=True)
