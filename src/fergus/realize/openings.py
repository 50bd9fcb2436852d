"""Forms that go by how the next word begins: *an hour*, *a house*, *an umbrella*, *a union*.

A treebank has too few of them to hear which words begin with a vowel; text has them by the thousand. Where the treebank
shows that a word's forms go by the first letter that follows (*a*/*an*), every next word in text and treebank is looked
at, and what they have in common is written down as openings, of which the longest that fits decides:

    e an    eu a    h a    heir an    hour an    o an    one a    oner an    u an    uni a    unin an

A word ends in ``$``, so that *one* and *onerous* can differ. What is written in capitals may be read letter by letter
(*an MBA*, but *A MAN*) and has no opening: the model of neighbouring forms decides.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from fergus.core.tree import Node, OrderedTree
from fergus.lm.count import NgramCounts
from fergus.realize.inflection_lexicon import InflectionLexicon, lexicon_key
from fergus.realize.word_case import lowered

Openings = Mapping[tuple[str, str], Mapping[str, str]]
"""By lemma and category the forms by the openings of next words."""

_LEAST = 20
"""A form must have been seen so often in the treebank."""
_LEFT_OVER = 0.2
"""Of the mistakes that the most frequent form makes, the first letter of the next word must leave no more than this."""
_OF_ONE_LEMMA = 0.9
"""The share of a form's words that must be of one lemma."""
_AGREEING = 0.9
"""The share of a next word's occurrences that must have the same form."""
_LEAST_SUPPORT = 2
"""How often words with an opening must have been seen after its form: in older books some say *an hundred*."""
_SURE = 0.98
"""How probable the form is made that an opening asks for."""
_END = "$"


def form_before(openings: Mapping[str, str], word: str) -> str | None:
    """The form that stands before a word, if its opening is known."""
    if not _is_read_as_word(word):
        return None
    ended = lowered(word) + _END
    return next((openings[part] for n in range(len(ended), 0, -1) if (part := ended[:n]) in openings), None)


def with_openings(
    openings: Openings, nodes: Sequence[Node], candidates: Sequence[Sequence[tuple[str, float]]]
) -> list[Sequence[tuple[str, float]]]:
    """Candidates with their natural-log probabilities, in which the next words have been heard."""
    found = list(candidates)
    for i, (node, own) in enumerate(zip(nodes, candidates, strict=True)):
        rules = openings.get((lowered(node.lemma or ""), node.upos or "")) if len(own) > 1 else None
        # Quotes and brackets are not heard.
        word = next((one for (one, _), *_ in candidates[i + 1 :] if one[:1].isalnum()), "") if rules else ""
        form = form_before(rules, word) if rules else None
        if form is not None and any(lowered(one) == form for one, _ in own):
            others = math.log((1 - _SURE) / (len(own) - 1))
            found[i] = [(one, math.log(_SURE) if lowered(one) == form else others) for one, _ in own]
    return found


def learn_openings(
    trees: Sequence[OrderedTree], lexicon: InflectionLexicon, text: NgramCounts | None = None
) -> Openings:
    """The openings of a treebank and, if there is any, of text (n-grams in small letters)."""
    owners = _owners(trees, lexicon)
    pairs = ((lowered(node.form), right.form, 1) for node, right in neighbours(trees) if right is not None)
    own = _agreed(owners, pairs)
    bigrams = text.ngrams(2) if owners and text is not None and len(text.levels) > 1 else ()
    others = _agreed(owners, ((form, word, count) for (form, word), count in bigrams))
    return {owner: _rules(_together(words, others.get(owner, {}))) for owner, words in sorted(own.items())}


def _is_read_as_word(word: str) -> bool:
    """Not M, M.P. or MBA."""
    return word[:1].isdigit() or (word[:1].isalpha() and word[1:2] not in ("", ".") and not word.isupper())


def neighbours(trees: Iterable[OrderedTree]) -> Iterator[tuple[Node, Node | None]]:
    """Every word with the next one."""
    for ordered in trees:
        nodes = [ordered.tree.nodes[i] for i in ordered.order]
        yield from zip(nodes, [*nodes[1:], None], strict=True)


def _owners(trees: Sequence[OrderedTree], lexicon: InflectionLexicon) -> dict[str, tuple[str, str]]:
    """Forms that go by the next word's first letter, with their lemma and category."""
    several = {key for key, forms in lexicon.entries.items() if key[0] and len(forms) > 1}
    by_letter: dict[tuple[str, str], dict[str, Counter[str]]] = {}
    everywhere: Counter[str] = Counter()
    for node, right in neighbours(trees):
        form, key = lowered(node.form), lexicon_key(node.lemma, node.upos or "", node.feats)
        everywhere[form] += 1
        if key in several:
            by_letter.setdefault(key[:2], {}).setdefault(first_letter(right), Counter())[form] += 1
    found: dict[str, tuple[str, str]] = {}
    for owner, letters in sorted(by_letter.items()):
        together = sum(letters.values(), Counter[str]())
        forms = forms_by_letter(letters)
        # All of them or none: with a single one that is known, every word would get it.
        if all(together[form] >= _OF_ONE_LEMMA * everywhere[form] for form in forms):
            found |= dict.fromkeys(forms, owner)
    return found


def first_letter(word: Node | None) -> str:
    """The first letter of a word, if there is one."""
    return lowered(word.form)[:1] if word is not None else ""


def forms_by_letter(letters: Mapping[str, Counter[str]]) -> list[str]:
    """The forms of a word, counted by the next word's first letter, if that is what they go by; otherwise none."""
    together = sum(letters.values(), Counter[str]())
    forms = [form for form, count in together.items() if count >= _LEAST]
    mistakes = together.total() - max(together.values(), default=0)
    tells = sum(map(_mistakes, letters.values())) <= _LEFT_OVER * mistakes
    return forms if len(forms) > 1 and tells else []


def _mistakes(forms: Counter[str]) -> int:
    """How many are wrong if each is guessed from the others: a form that is seen once is no guess."""
    most = max(forms.values())
    return forms.total() - (most if most > 1 else 0)


def _agreed(
    owners: Mapping[str, tuple[str, str]], pairs: Iterable[tuple[str, str, int]]
) -> dict[tuple[str, str], dict[str, tuple[str, int]]]:
    """By lemma and category the words that follow, each with the form that nearly always stands before it."""
    after: dict[tuple[str, str], dict[str, Counter[str]]] = {}
    for form, word, count in pairs:
        owner = owners.get(form)
        if owner is not None and _is_read_as_word(word):
            after.setdefault(owner, {}).setdefault(lowered(word) + _END, Counter())[form] += count
    found: dict[tuple[str, str], dict[str, tuple[str, int]]] = {}
    for owner, words in after.items():
        for word, forms in words.items():
            ((form, count),) = forms.most_common(1)
            if count >= _AGREEING * forms.total():
                found.setdefault(owner, {})[word] = form, count
    return found


def _together(own: Mapping[str, tuple[str, int]], others: Mapping[str, tuple[str, int]]) -> dict[str, tuple[str, int]]:
    """The words of treebank and text; where they differ, the treebank is right, if it has seen the word twice."""
    found = dict(others)
    for word, (form, count) in own.items():
        other, others_count = others.get(word, (form, 0))
        if other == form:
            found[word] = form, count + others_count
        elif count >= _LEAST_SUPPORT:
            found[word] = form, count
        else:
            del found[word]
    return found


def _rules(words: Mapping[str, tuple[str, int]]) -> dict[str, str]:
    """The openings by which the words' forms differ from those of words that begin as they do."""
    found: dict[str, str] = {}
    waiting: list[tuple[str, str, list[str]]] = [("", "", sorted(words))]
    while waiting:
        opening, above, members = waiting.pop()
        votes, seen = Counter[str](), Counter[str]()
        for word in members:
            form, count = words[word]
            votes[form] += 1
            seen[form] += count
        # Of equal ones that of shorter openings, so that there are few.
        best = max(votes, key=lambda form: (votes[form], form == above, form))
        form = best if seen[best] >= _LEAST_SUPPORT else above
        if opening and form != above:
            found[opening] = form
        else:
            form = above
        if len(votes) > 1 or next(iter(votes)) != form:
            parts: dict[str, list[str]] = {}
            for word in members:
                if len(word) > len(opening):
                    parts.setdefault(word[: len(opening) + 1], []).append(word)
            waiting += [(part, form, own) for part, own in parts.items()]
    return dict(sorted(found.items()))
