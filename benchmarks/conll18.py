"""Parses against a treebank as the CoNLL 2018 shared task scores them: F1 over words aligned by characters.

gold    do | n't | stop        Words of tokens with equal spans of characters are aligned; inside multiword
        ---------  ----        tokens the longest common subsequence of forms decides. Relations are compared
system  don't    | stop        without their subtypes (``nsubj:pass`` is ``nsubj``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from fergus.core.tree import ROOT, OrderedTree

Span = tuple[int, int]


@dataclass(frozen=True)
class Word:
    """A syntactic word and where the characters of its token stand, spaces not counted."""

    span: Span
    is_in_multiword: bool
    form: str
    upos: str | None
    deprel: str
    head: int
    """The head's number among all words of the text, or ROOT."""


@dataclass
class Analysis:
    """A text as one of the sides has it."""

    characters: str
    tokens: list[Span] = field(default_factory=list)
    sentences: list[Span] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)


def analysis(trees: Iterable[OrderedTree]) -> Analysis:
    """Sentences in the order of the text as spans of characters."""
    result = Analysis("")
    pieces: list[str] = []
    end = 0
    for ordered in trees:
        tree, first_word, start = ordered.tree, len(result.words), end
        multiword = _multiword_tokens(ordered)
        place = {node: position for position, node in enumerate(ordered.order)}
        position = 0
        while position < len(ordered.order):
            size, surface = multiword.get(position, (1, tree.nodes[ordered.order[position]].form))
            piece = "".join(surface.split())
            pieces.append(piece)
            span = (end, end + len(piece))
            end = span[1]
            result.tokens.append(span)
            for node in ordered.order[position : position + size]:
                head = tree.heads[node]
                result.words.append(
                    Word(
                        span,
                        size > 1,
                        tree.nodes[node].form.lower(),
                        tree.nodes[node].upos,
                        (tree.nodes[node].deprel or "").partition(":")[0],
                        ROOT if head == ROOT else first_word + place[head],
                    )
                )
            position += size
        result.sentences.append((start, end))
    result.characters = "".join(pieces)
    return result


def scores(gold: Sequence[OrderedTree], system: Sequence[OrderedTree]) -> dict[str, float]:
    """F1 (0 to 100) of tokens, sentences, words, UPOS, UAS and LAS."""
    one, other = analysis(gold), analysis(system)
    if one.characters != other.characters:
        raise ValueError("the two sides are not the same text")
    pairs = aligned(one.words, other.words)
    partner = dict(pairs)
    upos = uas = las = 0
    for g, s in pairs:
        a, b = one.words[g], other.words[s]
        upos += a.upos == b.upos
        has_head = (ROOT if a.head == ROOT else partner.get(a.head)) == b.head
        uas += has_head
        las += has_head and a.deprel == b.deprel
    words = (len(one.words), len(other.words))
    return {
        "tokens": _f1(len(set(one.tokens) & set(other.tokens)), len(one.tokens), len(other.tokens)),
        "sentences": _f1(len(set(one.sentences) & set(other.sentences)), len(one.sentences), len(other.sentences)),
        "words": _f1(len(pairs), *words),
        "upos": _f1(upos, *words),
        "uas": _f1(uas, *words),
        "las": _f1(las, *words),
    }


def aligned(gold: Sequence[Word], system: Sequence[Word]) -> list[tuple[int, int]]:
    """Pairs of numbers of words that are the same."""
    pairs: list[tuple[int, int]] = []
    g = s = 0
    while g < len(gold) and s < len(system):
        if not (gold[g].is_in_multiword or system[s].is_in_multiword):
            if gold[g].span == system[s].span:
                pairs.append((g, s))
                g, s = g + 1, s + 1
            elif gold[g].span[0] <= system[s].span[0]:
                g += 1
            else:
                s += 1
            continue
        # A stretch in which every multiword token, of either side, lies whole.
        if gold[g].is_in_multiword and system[s].span[0] < gold[g].span[0] and not system[s].is_in_multiword:
            s += 1
            continue
        if system[s].is_in_multiword and gold[g].span[0] < system[s].span[0] and not gold[g].is_in_multiword:
            g += 1
            continue
        end = max(w.span[1] for w in (gold[g], system[s]) if w.is_in_multiword)
        g_end, s_end = g, s
        while (g_end < len(gold) and gold[g_end].span[0] < end) or (
            s_end < len(system) and system[s_end].span[0] < end
        ):
            if g_end < len(gold) and gold[g_end].span[0] < end:
                end = max(end, gold[g_end].span[1]) if gold[g_end].is_in_multiword else end
                g_end += 1
            if s_end < len(system) and system[s_end].span[0] < end:
                end = max(end, system[s_end].span[1]) if system[s_end].is_in_multiword else end
                s_end += 1
        pairs += _longest_common(gold, system, range(g, g_end), range(s, s_end))
        g, s = g_end, s_end
    return pairs


def _longest_common(gold: Sequence[Word], system: Sequence[Word], left: range, right: range) -> list[tuple[int, int]]:
    """The longest common subsequence of the forms; words outside of multiword tokens must have equal spans too."""

    def same(a: Word, b: Word) -> bool:
        return a.form == b.form and (a.is_in_multiword or b.is_in_multiword or a.span == b.span)

    size = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in reversed(range(len(left))):
        for j in reversed(range(len(right))):
            longer = max(size[i + 1][j], size[i][j + 1])
            size[i][j] = max(longer, size[i + 1][j + 1] + 1) if same(gold[left[i]], system[right[j]]) else longer
    pairs, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if same(gold[left[i]], system[right[j]]):
            pairs.append((left[i], right[j]))
            i, j = i + 1, j + 1
        elif size[i + 1][j] >= size[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def raw_text(trees: Iterable[OrderedTree]) -> str:
    """The text of a treebank: an empty line where a paragraph or document begins, else one space after a sentence."""
    pieces: list[str] = []
    for ordered in trees:
        if pieces and any(key.startswith(("newdoc", "newpar")) for key, _ in ordered.tree.metadata):
            pieces.append("\n\n")
        elif pieces and not pieces[-1].endswith(" "):
            pieces.append(" ")
        miscs = dict(ordered.tree.metadata)
        multiword, position = _multiword_tokens(ordered), 0
        while position < len(ordered.order):
            node = ordered.tree.nodes[ordered.order[position]]
            size, surface = multiword.get(position, (1, node.form))
            misc = miscs.get(f"multiword {position + 1}-{position + size} misc", "") if size > 1 else node.misc or ""
            pieces.append(surface + ("" if "SpaceAfter=No" in misc.split("|") else " "))
            position += size
    return "".join(pieces)


def _multiword_tokens(ordered: OrderedTree) -> dict[int, tuple[int, str]]:
    """By the position of the first word: how many words, and the form of the whole."""
    found = {}
    for key, value in ordered.tree.metadata:
        kind, _, span = key.partition(" ")
        first, _, last = span.partition("-")
        if kind == "multiword" and first.isdecimal() and last.isdecimal():
            found[int(first) - 1] = (int(last) - int(first) + 1, value)
    return found


def _f1(correct: int, gold: int, system: int) -> float:
    return 200 * correct / max(gold + system, 1)
