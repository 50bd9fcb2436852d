"""Who sees what: squares, subsets, balance, and the same plan for the same seed."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.studies.assign import (
    LONGEST_KEY,
    choose_condition,
    conditions_of,
    counted_pages,
    has_work,
    levels_of,
    plan,
)
from fergus.studies.model import Item, Load, PlannedPage
from fergus.studies.questions.pair import Pair
from fergus.studies.questions.rating import Dimension, Rating
from fergus.studies.study import Assignment, Block, Study

GOOD = Rating("good", dimensions={"good": Dimension("How good is it?")})


def study(
    *,
    groups: int = 4,
    systems: str = "abc",
    page: str = "item",
    checks: int = 0,
    conditions: tuple[str, ...] = (),
    blocks: tuple[Block, ...] | None = None,
    **assignment: object,
) -> Study:
    """Variants of some sentences by some systems, and checks that everybody sees."""
    items = [
        Item(f"{g}-{s}", f"text {g} of {s}", {"group": str(g), "system": s}) for g in range(groups) for s in systems
    ]
    items += [Item(f"check-{n}", "Choose 1.", {"system": "check", "always": "yes"}) for n in range(checks)]
    return Study(
        "s", "S", blocks or (Block("main", (GOOD,), items={}, page=page),), tuple(items), conditions=conditions,
        assignment=Assignment(**assignment),  # type: ignore[arg-type]
    )  # fmt: skip


def items_of(pages: tuple[PlannedPage, ...]) -> list[str]:
    return [item for page in pages for item in page.items]


class TestLatinSquare:
    @given(groups=st.integers(1, 13), systems=st.integers(2, 5), checks=st.integers(0, 2), seed=st.integers(0, 99))
    def test_every_group_once_and_every_level_equally_often(
        self, groups: int, systems: int, checks: int, seed: int
    ) -> None:
        square = study(groups=groups, systems="abcde"[:systems], checks=checks, design="latin-square")
        assert levels_of(square) == list("abcde"[:systems])
        shown: Counter[str] = Counter()
        for condition in conditions_of(square):
            seen = items_of(plan(square, condition, seed=seed, judged={}))
            assert Counter(item for item in seen if item.startswith("check")) == {
                f"check-{n}": 1 for n in range(checks)
            }
            rated = [square.by_id[item] for item in seen if not item.startswith("check")]
            assert Counter(item.group for item in rated) == {str(g): 1 for g in range(groups)}
            levels = Counter(item.system for item in rated)
            often = [levels[level] for level in "abcde"[:systems]]
            assert max(often) - min(often) <= 1
            shown.update(item.id for item in rated)
        assert set(shown.values()) == {1}  # over all rows every item is seen
        assert len(shown) == groups * systems

    def test_conditions_are_rows_of_each_declared_one(self) -> None:
        square = study(systems="ab", conditions=("readers", "experts"), design="latin-square")
        assert conditions_of(square) == ("readers/1", "readers/2", "experts/1", "experts/2")
        assert conditions_of(study(systems="ab", design="latin-square")) == ("1", "2")

    def test_practice_and_blocks_for_everyone_are_not_rotated(self) -> None:
        first = Block("practice", (GOOD,), items={"group": ("0",)}, practice=True)
        main = Block("main", (GOOD,), items={"group": ("1", "2")})
        last = Block("anchors", (GOOD,), items={"group": ("3",)}, everyone=True)
        square = study(blocks=(first, main, last), design="latin-square")
        pages = plan(square, "2", seed=1, judged={})
        assert Counter(page.block for page in pages) == {"practice": 3, "main": 2, "anchors": 3}

    def test_a_declared_condition_sees_its_own_blocks_only(self) -> None:
        one = Block("one", (GOOD,), items={"group": ("0", "1")}, only=("readers",))
        two = Block("two", (GOOD,), items={"group": ("2", "3")}, only=("experts",))
        square = study(systems="ab", blocks=(one, two), conditions=("readers", "experts"), design="latin-square")
        assert {page.block for page in plan(square, "readers/2", seed=0, judged={})} == {"one"}
        assert {page.block for page in plan(square, "experts/1", seed=0, judged={})} == {"two"}


class TestSubsets:
    def test_the_least_judged_pages_are_given(self) -> None:
        some = study(groups=3, page="group", design="subsets", pages=2)
        pages = plan(some, "", seed=5, judged={("main", "0"): 2, ("main", "1"): 1})
        assert {page.key for page in pages} == {"1", "2"}

    def test_pages_that_have_enough_are_not_given(self) -> None:
        some = study(groups=3, page="group", judgements=2)
        pages = plan(some, "", seed=5, judged={("main", "0"): 2, ("main", "1"): 1})
        assert {page.key for page in pages} == {"1", "2"}
        assert has_work(some, "", {("main", "0"): 2, ("main", "1"): 2})
        assert not has_work(some, "", {("main", str(group)): 2 for group in range(3)})

    @given(joins=st.integers(1, 40), seed=st.integers(0, 9))
    def test_judgements_stay_within_one_of_each_other(self, joins: int, seed: int) -> None:
        some = study(groups=5, systems="ab", checks=1, design="subsets", pages=3)
        judged: Counter[tuple[str, str]] = Counter()
        for number in range(joins):
            pages = plan(some, "", seed=seed * 1000 + number, judged=judged)
            assert len(pages) == 4  # three, and the check
            judged.update((page.block, page.key) for page in pages)
        assert judged.pop(("main", "check-0")) == joins
        often = [judged[("main", f"{g}-{s}")] for g in range(5) for s in "ab"]
        assert max(often) - min(often) <= 1

    def test_a_square_counts_the_pages_of_its_rows(self) -> None:
        square = study(groups=2, systems="ab", design="latin-square", judgements=1)
        judged = {("main", "0-a"): 1, ("main", "1-b"): 1}  # what row 1 has
        assert not has_work(square, "1", judged)
        assert has_work(square, "2", judged)

    def test_variants_that_share_a_page_value_are_counted_apart(self) -> None:
        square = study(groups=2, systems="ab", page="group", design="latin-square", judgements=1)
        first = plan(square, "1", seed=0, judged={})
        assert {page.key for page in first} == {"0/a", "1/b"}
        judged = {(page.block, page.key): 1 for page in first}
        assert not has_work(square, "1", judged)
        assert has_work(square, "2", judged)
        assert sorted(counted_pages(square)) == [("main", key) for key in ("0/a", "0/b", "1/a", "1/b")]

    def test_keys_of_many_variants_stay_short_and_different(self) -> None:
        """All groups on one page: its levels in the file's order are 100 names."""
        items = [
            Item(f"{g}-{s}", "text", {"group": str(g), "system": s, "sheet": "1"})
            for g in range(100) for s in ("system a", "system b")
        ]  # fmt: skip
        block = Block("main", (GOOD,), items={}, page="sheet")
        square = Study("s", "S", (block,), tuple(items), assignment=Assignment(design="latin-square", judgements=1))
        keys = {page.key for row in conditions_of(square) for page in plan(square, row, seed=0, judged={})}
        assert len(keys) == 2
        assert max(map(len, keys)) <= LONGEST_KEY

    @pytest.mark.parametrize("page", ["item", "group"])
    @pytest.mark.parametrize("design", ["all", "latin-square"])
    def test_every_page_that_is_counted_is_in_some_plan(self, page: str, design: str) -> None:
        some = study(page=page, checks=1, design=design, judgements=2)
        planned = {(p.block, p.key) for row in conditions_of(some) for p in plan(some, row, seed=0, judged={})}
        assert set(counted_pages(some)) == {one for one in planned if "check" not in one[1]}

    def test_a_condition_without_items_always_has_work(self) -> None:
        questions = Block("questions", (GOOD,))
        assert has_work(study(blocks=(questions,), judgements=1), "", {})

    @pytest.mark.parametrize(("told", "count"), [("yes", 3), ("no", 2), ("", 2), ("0", 2)])
    def test_what_is_always_shown(self, told: str, count: int) -> None:
        items = (*(Item(str(n), f"t{n}") for n in range(5)), Item("c", "check", {"always": told}))
        some = Study("s", "S", (Block("main", (GOOD,), items={}),), items, assignment=Assignment("subsets", pages=2))
        fewest = {("main", "c"): 9}
        assert len(plan(some, "", seed=0, judged=fewest)) == count


class TestOrder:
    def test_the_same_seed_gives_the_same_plan_and_another_one_another(self) -> None:
        some = study(groups=8, page="group")
        first = plan(some, "", seed=3, judged={})
        assert first == plan(some, "", seed=3, judged={})
        others = [plan(some, "", seed=seed, judged={}) for seed in range(4, 9)]
        assert first not in others
        assert all(sorted(items_of(other)) == sorted(items_of(first)) for other in others)

    def test_sides_are_even_over_participants(self) -> None:
        pairs = study(groups=1, systems="ab", page="group")
        left = Counter(plan(pairs, "", seed=seed, judged={})[0].items[0] for seed in range(400))
        # Binomial with 400 tosses: 4 standard deviations are 40.
        assert 160 <= left["0-a"] <= 240

    def test_the_order_of_the_file(self) -> None:
        block = Block("main", (GOOD,), items={}, page="group", order="file")
        pages = plan(study(groups=2, systems="ab", blocks=(block,)), "", seed=3, judged={})
        assert pages == (PlannedPage("main", ("0-a", "0-b"), "0"), PlannedPage("main", ("1-a", "1-b"), "1"))

    def test_texts_that_are_compared_have_no_fixed_side(self) -> None:
        block = Block("main", (Pair("which", "Which one?"),), items={}, page="group", order="file")
        pairs = study(groups=10, systems="ab", blocks=(block,))
        pages = [page for seed in range(40) for page in plan(pairs, "", seed=seed, judged={})]
        assert [page.key for page in pages[:10]] == [str(group) for group in range(10)]
        first = sum(page.items[0].endswith("-a") for page in pages)
        assert 150 <= first <= 250  # of 400; five standard deviations

    def test_a_page_without_items_is_one_page(self) -> None:
        blocks = (Block("before", (GOOD,)), Block("main", (GOOD,), items={"item": ("0-a",)}), Block("after", (GOOD,)))
        pages = plan(study(blocks=blocks), "", seed=3, judged={})
        assert [(page.block, page.key) for page in pages] == [("before", ""), ("main", "0-a"), ("after", "")]


class TestConditions:
    def test_the_one_with_the_fewest_is_chosen(self) -> None:
        loads = {"a": Load(completed=3), "b": Load(completed=1, active=1)}
        assert choose_condition("ab", loads, closed=(), random=Random(0)) == "b"

    def test_of_equally_many_the_one_with_fewer_who_completed_it(self) -> None:
        loads = {"a": Load(completed=2), "b": Load(completed=1, active=1)}
        assert choose_condition("ab", loads, closed=(), random=Random(0)) == "b"

    def test_equal_ones_are_chosen_by_chance(self) -> None:
        chosen = Counter(choose_condition("abc", {}, closed=(), random=Random(seed)) for seed in range(300))
        assert set(chosen) == set("abc")

    def test_closed_ones_are_not_chosen(self) -> None:
        loads = {"a": Load(completed=30)}
        assert choose_condition("ab", loads, closed=("b",), random=Random(0)) == "a"
        assert choose_condition("ab", loads, closed="ab", random=Random(0)) is None

    def test_there_is_always_a_condition(self) -> None:
        assert conditions_of(study()) == ("",)
        assert conditions_of(study(conditions=("a", "b"))) == ("a", "b")
