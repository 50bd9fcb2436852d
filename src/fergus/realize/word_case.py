"""Letter case in inflection: forms are learned in lower case and take the lemma's capitals again.

A word at the start of a sentence has its capital from its place and not from its morphology, so the capitals of
forms teach nothing; those of lemmas (*AP*, *Tuesday*) are kept. Python lowers the Turkish *İ* to two characters
and *I* to *i*; here *İ* is one *i*, and *I* stands for *ı* where the lemma has one.
"""

from __future__ import annotations

import re

_ADDRESS = re.compile(r"\w://|\w@\w|^www\.|\w\.[^\W\d_]\w+([/:?#]|$)")


def is_address(form: str) -> bool:
    """Whether a word is the address of a page, a mailbox or a machine, or a file's name: capitals would spoil it.

    >>> [is_address(form) for form in ("www.a.b", "me@a.b", "fergus.org", "notes.txt", "e.g.", "p.25", "u.s.")]
    [True, True, True, True, False, False, False]
    """
    return _ADDRESS.search(form) is not None


def lowered(form: str, lemma: str = "") -> str:
    """The form in lower case, one character for each; a capital that is the lemma's letter here is that letter.

    >>> lowered("Işık", "ışık"), lowered("İyi"), lowered("Tuesday")
    ('ışık', 'iyi', 'tuesday')
    """
    if form.islower() or not form:
        return form
    letters = []
    for place, letter in enumerate(form):
        lower = letter.lower()[0]
        if lower != letter and place < len(lemma) and lemma[place] not in (lower, letter):
            lower = lemma[place] if lemma[place].upper() == letter else lower
        letters.append(lower)
    return "".join(letters)


def in_case_of(lemma: str, form: str) -> str:
    """A form in lower case with the capitals of its lemma, as far as the two begin alike.

    >>> in_case_of("NGO", "ngos"), in_case_of("Apfel", "äpfel"), in_case_of("I", "me")
    ('NGOs', 'Äpfel', 'me')
    """
    if lemma.islower():
        return form
    shared = 0
    for one, other in zip(lemma, form, strict=False):
        if lowered(one) != other:
            break
        shared += 1
    if shared == 0 and len(lemma) > 1 and lemma[0].isupper() and lemma[1:].islower():
        return form[:1].upper() + form[1:]
    return lemma[:shared] + form[shared:]


def same_word(one: str, other: str) -> bool:
    """Whether two forms are equal but for case, letter by letter: *I* equals *i* and *ı*, which are not equal.

    >>> same_word("İki", "iki"), same_word("IŞIK", "ışık"), same_word("mı", "mi")
    (True, True, False)
    """
    if one == other:
        return True
    if len(one) != len(other):
        return one.lower() == other.lower()
    return all(
        a == b or a.lower()[0] == b.lower()[0] or a.upper() == b or b.upper() == a
        for a, b in zip(one, other, strict=True)
    )
