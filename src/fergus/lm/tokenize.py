"""English prose into sentences of tokens, after the conventions of the Penn Treebank and UD English.

Clitics (n't, 's, 'll) are split off, punctuation stands alone, abbreviations keep their full stop, compounds
are split at the hyphen unless their first part is a prefix (``middle - class`` but ``re-election``), curly
quotes become straight and a dash becomes ``--``, as people type them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»″", '"'),
        **dict.fromkeys("‘’‚‛ʼ`´′", "'"),
        **dict.fromkeys("‐‑‒–", "-"),
        **dict.fromkeys("—―⸺⸻", "--"),
        **dict.fromkeys("\u2060\ufeff\u200b\u00ad", ""),  # joiner, byte order mark, zero-width space, soft hyphen
        **dict.fromkeys("\u00a0\u2009\u200a\u202f", " "),  # no-break and thin spaces
        "…": "...",
    }
)

# Written with a capital, these keep their full stop, and titles do not end a sentence either.
_TITLE = "Mr|Mrs|Ms|Messrs|Dr|St|Prof|Rev|Hon|Gen|Col|Capt|Maj|Lt|Sgt|Gov|Sen|Reps?|Mt|Ft|Mme|Mlle"
_SHORT = (
    "Sr|Jr|Esq|Inc|Ltd|Co|Corp|[Dd]ept|Vol|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Mon|Tues?|Wed|Thu|Thurs?|"
    "Fri|Sat|Ave|Blvd|Attn|Bros|La|vs|approx|cf|viz|pp|lbs"
)
_PREFIX = (
    "e|co|pre|non|re|ex|anti|semi|multi|mid|post|pro|un|sub|socio|psycho|inter|intra|counter|ultra|mis|bi|tri|"
    "micro|macro|neo|quasi|pseudo|trans|hyper|de|dis"
)

_CLITIC = r"(?:[sSmMdD]|ll|LL|re|RE|ve|VE)"
_LETTER = r"[^\W\d_]"
_UNIT = r"(?:[aApP][mM]|mm|cm|km|kg|ft|lbs|yrs?|hrs?|min|[kKmM])"
_TOKEN = re.compile(  # the first alternative that fits is taken; the frequent ones stand first
    "|".join(
        [
            r"[cC][aA][nN](?=[nN][oO][tT]\b)|[gG]on(?=na\b)|[wW]an(?=na\b)|[gG]ot(?=ta\b)",
            rf"{_LETTER}+(?=[ ,;!?\")])",
            r"[,\"]",
            r"(?:https?://|www\.)[^\s\"<>]*[\w/]",
            r"[\w.+-]*\w(?:\.\.\.)?@[\w.-]*\w",
            rf"{_LETTER}+?(?=[nN]'[tT]\b)",
            r"[nN]'[tT]\b",
            rf"'{_CLITIC}\b",
            r"'[tT](?=is\b|was\b|were\b|will\b)|'(?:em|til|cause|cos|bout)\b|'\d\ds?\b|''",
            rf"(?:{_TITLE}|{_SHORT})\.(?!\w)",
            r"(?:[eE]tc|No|Nos|Fig)\.(?=\s*[\w,])",
            r"(?:[A-Za-z]\.){2,}(?!\w)|[A-HJ-Z]\.(?= ?\S)",
            r"\d{3}[-.]\d{3}[-.]\d{4}|\d{3}-\d{4}\b",
            rf"\d+(?:[.,:/]\d+)*(?:(?:st|nd|rd|th|'?s)?\b|(?={_UNIT}\b))",
            rf"(?i:{_PREFIX})-{_LETTER}+(?!\w)",
            rf"\w+(?:[&.](?=\w)\w+|'(?!{_CLITIC}\b|[tT]\b)\w+)*",
            r"\.{2,}|[!?]+|-{2,}|={2,}|\*{2,}|\+{2,}|_+|<<+|>>+",
            r"[:;=]-?[)(DP](?!\w)|\(:|\^_\^",
            r"\S",
        ]
    )
)
_BOUNDARY = re.compile(r"[.!?]['\")\]]*\s+(?=['\"(\[]*[A-Z0-9])")
_NO_END = re.compile(rf"(?:^|[\s(\"'-])(?:[A-HJ-Z]|{_TITLE}|No|vs)$")


def normalise(text: str) -> str:
    """Return ``text`` with straight quotes, ``--`` for dashes, ``...`` for an ellipsis and plain spaces."""
    return text if text.isascii() else text.translate(_PLAIN)


def tokenize(text: str) -> list[str]:
    """Return the tokens of a sentence.

    >>> tokenize("“I can’t go,” Mr. Dick’s aunt said—twice.")
    ['"', 'I', 'ca', "n't", 'go', ',', '"', 'Mr.', 'Dick', "'s", 'aunt', 'said', '--', 'twice', '.']
    """
    tokens: list[str] = _TOKEN.findall(normalise(text))
    return tokens


def split_sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a paragraph; each ends in ``.``, ``?`` or ``!``, and a capital follows."""
    text = normalise(text)
    start = 0
    for boundary in _BOUNDARY.finditer(text):
        stop = boundary.start()
        if text[stop] == "." and _NO_END.search(text[max(start, stop - 10) : stop]):
            continue
        yield text[start : boundary.end()].strip()
        start = boundary.end()
    if rest := text[start:].strip():
        yield rest


def sentences(lines: Iterable[str]) -> Iterator[list[str]]:
    """Yield the tokens of each sentence of a text that has one paragraph a line."""
    for line in lines:
        for sentence in split_sentences(line):
            yield tokenize(sentence)
