"""Who of the daughters fills which slot of the mother's tree: exact, over sets of filled slots (section 2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

NEVER = float("-inf")


class SlotAssignment:
    """The best way to send each daughter to a slot of her own or to adjoin, and what any other choice costs.

    ``options`` has for every daughter her score in each slot and, last, as a modifier. ``final`` has for every
    set of filled slots (as bits) what leaving it so is worth.
    """

    def __init__(self, options: Sequence[Sequence[float]], final: Sequence[float]) -> None:
        self.options = options
        self.sets = len(final)
        self._onward = [list(final)]
        """For every daughter, last first: what she and the later ones can add once a set is filled."""
        for row in reversed(options):
            after = self._onward[-1]
            self._onward.append([self._best(row, filled, after) for filled in range(self.sets)])
        self._onward.reverse()

    @property
    def score(self) -> float:
        """The score of the best assignment."""
        return self._onward[0][0]

    def _best(self, row: Sequence[float], filled: int, after: Sequence[float]) -> float:
        best = row[-1] + after[filled]
        for place in range(len(row) - 1):
            if not filled >> place & 1:
                best = max(best, row[place] + after[filled | 1 << place])
        return best

    def places(self) -> list[int | None]:
        """For every daughter her slot in the best assignment, None if she adjoins; lower slots win ties."""
        filled = 0
        result: list[int | None] = []
        for number, row in enumerate(self.options):
            after = self._onward[number + 1]
            ways = [
                (row[place] + after[filled | 1 << place], -place)
                for place in range(len(row) - 1)
                if not filled >> place & 1
            ]
            score, place = max([*ways, (row[-1] + after[filled], 1 - len(row))])
            del score
            if -place < len(row) - 1:
                filled |= 1 << -place
                result.append(-place)
            else:
                result.append(None)
        return result

    @cached_property
    def _before(self) -> list[list[float]]:
        """For every daughter the best score of those before her, by the set they fill."""
        tables = [[0.0] + [NEVER] * (self.sets - 1)]
        for row in self.options:
            before, now = tables[-1], [NEVER] * self.sets
            for filled, score in enumerate(before):
                if score == NEVER:
                    continue
                now[filled] = max(now[filled], score + row[-1])
                for place in range(len(row) - 1):
                    if not filled >> place & 1:
                        now[filled | 1 << place] = max(now[filled | 1 << place], score + row[place])
            tables.append(now)
        return tables

    def instead(self, number: int, row: Sequence[float]) -> float:
        """The best score if a daughter had the scores ``row`` instead of her own."""
        after = self._onward[number + 1]
        return max(
            score + self._best(row, filled, after) for filled, score in enumerate(self._before[number]) if score > NEVER
        )
