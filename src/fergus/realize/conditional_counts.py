"""Counts of outcomes in contexts, with Witten-Bell interpolation, and how they are stored.

Both contexts (tuples) and outcomes are strings. A level of a back-off is ``mixed(context, outcome, lower)``,
(count + types * lower) / (total + types): the more different outcomes a context has had, the less it is sure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fergus.errors import ModelError

Context = tuple[str, ...]


class ConditionalCounts:
    """How often each outcome was seen in each context."""

    __slots__ = ("_totals", "rows")

    def __init__(self, rows: Mapping[Context, Mapping[str, int]]) -> None:
        self.rows = rows
        self._totals = {context: sum(seen.values()) for context, seen in rows.items()}

    @classmethod
    def of(cls, events: Iterable[tuple[Context, str]], *, least: int = 1) -> ConditionalCounts:
        """Count ``events``; an outcome seen less than ``least`` times in its context is left out."""
        rows: dict[Context, dict[str, int]] = {}
        for context, outcome in events:
            seen = rows.setdefault(context, {})
            seen[outcome] = seen.get(outcome, 0) + 1
        kept = (
            (context, {o: seen[o] for o in sorted(seen) if seen[o] >= least}) for context, seen in sorted(rows.items())
        )
        return cls({context: seen for context, seen in kept if seen})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ConditionalCounts) and self.rows == other.rows

    __hash__ = None  # type: ignore[assignment]

    def count(self, context: Context, outcome: str) -> int:
        """How often ``outcome`` was seen in ``context``."""
        return self.rows.get(context, {}).get(outcome, 0)

    def total(self, context: Context) -> int:
        """How often ``context`` was seen."""
        return self._totals.get(context, 0)

    def mixed(self, context: Context, outcome: str, lower: float) -> float:
        """The probability of ``outcome``, given the estimate of the level below."""
        seen = self.rows.get(context)
        if seen is None:
            return lower
        types = len(seen)
        return (seen.get(outcome, 0) + types * lower) / (self._totals[context] + types)

    def events(self) -> Iterator[tuple[Context, str, int]]:
        """Every context with each of its outcomes and the count."""
        for context, seen in self.rows.items():
            for outcome, count in seen.items():
                yield context, outcome, count


def tables_to_arrays(tables: Mapping[str, ConditionalCounts]) -> dict[str, NDArray[Any]]:
    """Named tables as arrays: all strings as one text, a line each, and the numbers of them for every row."""
    strings = sorted({s for table in tables.values() for context, o, _ in table.events() for s in (*context, o)})
    if any("\n" in string for string in strings):
        raise ValueError("a word of a model has no line break in it")
    number = {string: i for i, string in enumerate(strings)}
    arrays: dict[str, NDArray[Any]] = {"strings": np.frombuffer("\n".join(strings).encode(), np.uint8)}
    for name, table in tables.items():
        rows = [(*map(number.__getitem__, (*c, o)), n) for c, o, n in table.events()]
        width = max(len(row) for row in rows) if rows else 2
        columns = np.array(rows, np.int32).reshape(-1, width).T
        for i, column in enumerate(columns):
            # Contexts are sorted, so differences are small and the stored model with them.
            stored = np.diff(column, prepend=np.int32(0)) if i == 0 else column
            arrays[f"{name}_{i}"] = smallest(stored)
    return arrays


def tables_from_arrays(arrays: Mapping[str, NDArray[Any]], names: Sequence[str]) -> dict[str, ConditionalCounts]:
    """The tables that ``tables_to_arrays`` took apart."""
    try:
        strings = arrays["strings"].tobytes().decode().split("\n")
        tables: dict[str, ConditionalCounts] = {}
        for name in names:
            width = sum(1 for key in arrays if key.rpartition("_")[0] == name)
            columns = [arrays[f"{name}_{i}"].astype(np.int64) for i in range(max(width, 2))]
            columns[0] = np.cumsum(columns[0])
            texts = [[strings[i] for i in column.tolist()] for column in columns[:-1]]
            rows: dict[Context, dict[str, int]] = {}
            for context, outcome, count in zip(
                zip(*texts[:-1], strict=True), texts[-1], columns[-1].tolist(), strict=True
            ):
                rows.setdefault(context, {})[outcome] = count
            tables[name] = ConditionalCounts(rows)
    except (KeyError, ValueError, IndexError) as error:
        raise ModelError(f"tree model: array missing or broken ({error})") from error
    return tables


def smallest(numbers: NDArray[np.int32]) -> NDArray[Any]:
    """The same numbers in the smallest type that holds them."""
    low, high = int(numbers.min(initial=0)), int(numbers.max(initial=0))
    for kind in (np.uint8, np.int8, np.uint16, np.int16):
        if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max:
            return numbers.astype(kind)
    return numbers
