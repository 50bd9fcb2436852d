"""Who sees what: conditions balanced by completed participants, Latin squares, subsets, order and side by a seed.

Nothing is kept here: what has happened so far comes in as counts, and the same arguments give the same plan.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from random import Random

from fergus.studies.model import Item
from fergus.studies.study import Block, Study, column_of

ALWAYS = "always"
"""Items with a value in this column (``yes``) are seen by everybody: attention checks, anchors."""
CONSENT, INSTRUCTIONS = "consent", "instructions"


@dataclass(frozen=True)
class PlannedPage:
    """A page that a participant will see: a block, and items in the order shown (the side, for a pair)."""

    block: str
    items: tuple[str, ...] = ()
    key: str = ""
    """What its items share (the base sentence): what judgements are counted by."""


@dataclass(frozen=True)
class Load:
    """How many participants a condition has."""

    completed: int = 0
    active: int = 0
    """Those who are still at it, and not for so long that they will not come back."""


def conditions_of(study: Study) -> tuple[str, ...]:
    """Every condition: the declared ones, times the rows of the Latin square (``readers/2``); at least one."""
    declared = study.conditions or ("",)
    if study.assignment.design != "latin-square":
        return declared
    rows = range(1, len(levels_of(study)) + 1)
    return tuple(f"{name}/{row}" if name else str(row) for name in declared for row in rows)


def levels_of(study: Study) -> list[str]:
    """The values of the Latin square's factor, in the file's order."""
    factor = study.assignment.factor
    found = {column_of(item, factor): None for block in _rotated(study) for item in study.items_of(block)}
    return [level for level in found if level]


def choose_condition(
    conditions: Collection[str], loads: Mapping[str, Load], *, closed: Collection[str], random: Random
) -> str | None:
    """The open condition with the fewest participants who completed it or still may; None if all are closed."""
    still_open = [name for name in conditions if name not in closed]
    if not still_open:
        return None

    def burden(name: str) -> tuple[int, int]:
        load = loads.get(name, Load())
        return load.completed + load.active, load.completed

    least = min(burden(name) for name in still_open)
    return random.choice([name for name in still_open if burden(name) == least])


def plan(study: Study, condition: str, *, seed: int, judged: Mapping[tuple[str, str], int]) -> tuple[PlannedPage, ...]:
    """The pages of one participant, in order; ``judged`` counts the participants of each block's pages, by key."""
    random = Random(seed)
    name, _, row = condition.rpartition("/") if "/" in condition else ("", "", condition)
    declared = condition if study.assignment.design != "latin-square" else name
    pages: list[PlannedPage] = []
    for block in study.blocks:
        if block.only and declared not in block.only:
            continue
        if block.items is None:
            pages.append(PlannedPage(block.name))
            continue
        chosen = study.pages_of(block)
        if not (block.practice or block.everyone):
            if study.assignment.design == "latin-square":
                chosen = _rotate(study, block, int(row) - 1)
            elif study.assignment.design == "subsets" or study.assignment.judgements is not None:
                chosen = _fewest(study, block, chosen, judged, random)
        pages += _shuffled(block, chosen, random)
    return tuple(pages)


def is_full(study: Study, judged: Mapping[tuple[str, str], int]) -> bool:
    """Does every page have the judgements that it is to have?"""
    target = study.assignment.judgements
    if target is None:
        return False
    counted = [
        judged.get((block.name, key), 0)
        for block in study.blocks
        if not (block.practice or block.everyone)
        for key, items in study.pages_of(block).items()
        if not _is_always(items)
    ]
    return bool(counted) and min(counted) >= target


def _rotated(study: Study) -> list[Block]:
    return [b for b in study.blocks if b.items is not None and not (b.practice or b.everyone)]


def _rotate(study: Study, block: Block, row: int) -> dict[str, tuple[Item, ...]]:
    """Of the j-th group the variant of level (j + row): every group once, and every level equally often."""
    levels, factor = levels_of(study), study.assignment.factor
    pages: dict[str, list[Item]] = {}
    groups: dict[str, list[Item]] = {}
    for item in study.items_of(block):
        if item.values.get(ALWAYS):
            pages.setdefault(column_of(item, block.page), []).append(item)
        else:
            groups.setdefault(item.group, []).append(item)
    for j, items in enumerate(groups.values()):
        level = levels[(j + row) % len(levels)]
        for item in items:
            if column_of(item, factor) == level:
                pages.setdefault(column_of(item, block.page), []).append(item)
    return {key: tuple(items) for key, items in pages.items()}


def _fewest(
    study: Study,
    block: Block,
    pages: Mapping[str, tuple[Item, ...]],
    judged: Mapping[tuple[str, str], int],
    random: Random,
) -> dict[str, tuple[Item, ...]]:
    """The pages with the fewest judgements; equal ones by chance. Those that have enough are not given."""
    target, most = study.assignment.judgements, study.assignment.pages
    keys = [key for key, items in pages.items() if not _is_always(items)]
    always = {key for key, items in pages.items() if _is_always(items)}
    random.shuffle(keys)
    keys.sort(key=lambda key: judged.get((block.name, key), 0))
    if target is not None:
        keys = [key for key in keys if judged.get((block.name, key), 0) < target]
    chosen = always | set(keys[:most])
    return {key: items for key, items in pages.items() if key in chosen}


def _is_always(items: tuple[Item, ...]) -> bool:
    return any(item.values.get(ALWAYS) for item in items)


def _shuffled(block: Block, pages: Mapping[str, tuple[Item, ...]], random: Random) -> list[PlannedPage]:
    keys = list(pages)
    if block.order == "random":
        random.shuffle(keys)
    planned = []
    for key in keys:
        items = [item.id for item in pages[key]]
        if block.order == "random":
            random.shuffle(items)
        planned.append(PlannedPage(block.name, tuple(items), key))
    return planned
