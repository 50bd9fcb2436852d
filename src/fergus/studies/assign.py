"""Who sees what: conditions balanced by completed participants, Latin squares, subsets, order and side by a seed.

Nothing is kept here: what has happened so far comes in as counts, and the same arguments give the same plan.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from hashlib import sha256
from random import Random

from fergus.studies.model import Item, Load, PlannedPage
from fergus.studies.study import Block, Study, column_of

ALWAYS = "always"
"""Items with ``yes`` in this column are seen by everybody: attention checks, anchors."""
CONSENT, INSTRUCTIONS = "consent", "instructions"
LONGEST_KEY = 400
"""Characters of what the items on a page share: judgements are counted by it."""


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
    rotated = [item for block in study.blocks if _is_counted(block) for item in study.items_of(block)]
    return [level for level in dict.fromkeys(column_of(i, factor) for i in rotated if not is_always(i)) if level]


def is_always(item: Item) -> bool:
    """Is the item for everybody, whatever the design?"""
    return item.values.get(ALWAYS, "").strip().lower() not in ("", "no", "false", "0")


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
    pages: list[PlannedPage] = []
    for block in _seen(study, condition):
        if block.items is None:
            pages.append(PlannedPage(block.name))
            continue
        chosen = _given(study, block, condition)
        if _is_counted(block) and study.assignment.design != "latin-square" and counts_pages(study):
            chosen = _fewest(study, block, chosen, judged, random)
        pages += _shuffled(block, chosen, random)
    return tuple(pages)


def counts_pages(study: Study) -> bool:
    """Does it depend on earlier participants which pages the next one gets?"""
    return study.assignment.design == "subsets" or study.assignment.judgements is not None


def has_work(study: Study, condition: str, judged: Mapping[tuple[str, str], int]) -> bool:
    """Is there a page left in the condition that has not all the judgements that it is to have?"""
    target = study.assignment.judgements
    if target is None:
        return True
    counted = [
        judged.get((block.name, key), 0)
        for block in _seen(study, condition)
        if _is_counted(block)
        for key, items in _given(study, block, condition).items()
        if not _is_always(items)
    ]
    return not counted or min(counted) < target


def counted_pages(study: Study) -> list[tuple[str, str]]:
    """Every page that is to get its judgements, by block and key: in a Latin square those of all rows."""
    rows = range(len(levels_of(study))) if study.assignment.design == "latin-square" else ()
    found: dict[tuple[str, str], None] = {}
    for block in study.blocks:
        if _is_counted(block):
            for pages in [_rotate(study, block, row) for row in rows] or [study.pages_of(block)]:
                found |= {(block.name, key): None for key, items in pages.items() if not _is_always(items)}
    return list(found)


def _seen(study: Study, condition: str) -> list[Block]:
    """The blocks that the condition sees."""
    declared = condition
    if study.assignment.design == "latin-square":
        declared = condition.rpartition("/")[0]
    return [block for block in study.blocks if not block.only or declared in block.only]


def _given(study: Study, block: Block, condition: str) -> dict[str, tuple[Item, ...]]:
    """The pages of a block that the condition has, whoever has judged them."""
    if _is_counted(block) and study.assignment.design == "latin-square":
        return _rotate(study, block, int(condition.rpartition("/")[2]) - 1)
    return study.pages_of(block)


def _is_counted(block: Block) -> bool:
    """Are there as many of its pages as the design says, and not all of them for everybody?"""
    return block.items is not None and not (block.practice or block.everyone)


def _rotate(study: Study, block: Block, row: int) -> dict[str, tuple[Item, ...]]:
    """Of the j-th group the variant of level (j + row): every group once, and every level equally often.

    What shares a page in another row is another page, with a key of its own: its judgements are counted apart.
    """
    levels, factor = levels_of(study), study.assignment.factor
    pages: dict[str, list[Item]] = {}
    groups: dict[str, list[Item]] = {}
    for item in study.items_of(block):
        if is_always(item):
            pages.setdefault(column_of(item, block.page), []).append(item)
        else:
            groups.setdefault(item.group, []).append(item)
    for j, items in enumerate(groups.values()):
        level = levels[(j + row) % len(levels)]
        for item in items:
            if column_of(item, factor) == level:
                pages.setdefault(column_of(item, block.page), []).append(item)
    return {_variant(key, items, block, factor): tuple(items) for key, items in pages.items()}


def _variant(key: str, items: list[Item], block: Block, factor: str) -> str:
    """The key of a page with these variants; one item a page has its own id, which says it already."""
    if block.page == "item":
        return key
    named = f"{key}/{'+'.join(column_of(item, factor) for item in items)}"
    return named if len(named) <= LONGEST_KEY else sha256(named.encode()).hexdigest()


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
    return any(is_always(item) for item in items)


def _shuffled(block: Block, pages: Mapping[str, tuple[Item, ...]], random: Random) -> list[PlannedPage]:
    keys = list(pages)
    if block.order == "random":
        random.shuffle(keys)
    planned = []
    for key in keys:
        items = [item.id for item in pages[key]]
        if _has_random_sides(block):
            random.shuffle(items)
        planned.append(PlannedPage(block.name, tuple(items), key))
    return planned


def _has_random_sides(block: Block) -> bool:
    """Texts that are compared never stand as in the file: the side would tell the system."""
    return block.order == "random" or any(question.compares for question in block.questions)
