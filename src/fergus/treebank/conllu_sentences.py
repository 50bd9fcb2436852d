"""The sentences of a CoNLL-U stream as lines that nobody has read yet: what is quick to find, and small to send."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fergus.core.tree import OrderedTree
from fergus.errors import InputError
from fergus.treebank.lines import Source, line_blocks


@dataclass(frozen=True, slots=True)
class UnreadSentence:
    """The lines of a sentence, and where the first of them stands."""

    lines: list[str]
    first: int
    path: str


Item = OrderedTree | UnreadSentence | InputError
"""What a stream of trees has where some are still to be read."""


def split_conllu(source: Source, *, path: str = "") -> Iterator[UnreadSentence | InputError]:
    """The sentences of a stream; in the place of one that has a broken line, what is wrong with that."""
    faults: dict[int, InputError] = {}
    is_empty = True
    sentence: list[str] = []
    end = 1
    for block in line_blocks(source, path=path, remedy="a line of CoNLL-U is one word"):
        if isinstance(block, InputError):
            yield block
            return
        faults.update(block.faults)
        lines = block.lines
        if any(map(str.isspace, lines)):
            lines = ["" if line.isspace() else line for line in lines]
        position = 0
        while (stop := _index(lines, position)) is not None:
            sentence += lines[position:stop]
            found = _found(sentence, block.first + stop - len(sentence), path, faults)
            if found is not None:
                is_empty = False
                yield found
            sentence, position = [], stop + 1
        sentence += lines[position:]
        end = block.first + len(lines)
    found = _found(sentence, end - len(sentence), path, faults)
    if found is not None:
        yield found
    elif is_empty:
        yield InputError("there is no sentence in the input", path=path, line=1, remedy="give CoNLL-U")


def _index(lines: list[str], position: int) -> int | None:
    """Where the next empty line is."""
    try:
        return lines.index("", position)
    except ValueError:
        return None


def _found(
    lines: list[str], first: int, path: str, faults: dict[int, InputError]
) -> UnreadSentence | InputError | None:
    """A sentence, the first fault in it, or None if it is nothing but comments."""
    if faults:
        bad = next((number for number in range(first, first + len(lines)) if number in faults), None)
        if bad is not None:
            return faults[bad]
    # Words stand last: but for comments alone, the first look is enough.
    is_comments = all(line.startswith("#") for line in reversed(lines))
    return None if is_comments else UnreadSentence(lines, first, path)
