"""Characters that no study and no answer can have: PostgreSQL refuses NUL, UTF-8 lone surrogates, nobody types others.

These are Unicode's categories Cc (control characters, but for tab and ends of lines) and Cs (lone surrogates). Bytes of
a file that is UTF-8 are mostly free of them, but escapes such as ``\\ud800`` in JSON and in YAML's quotes are not.
"""

from __future__ import annotations

import re

_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def without_unstorable(text: str) -> str:
    """The text without them.

    >>> without_unstorable("one\\x00 two")
    'one two'
    """
    return _UNSTORABLE.sub("", text)


def unstorable(text: str) -> str:
    """The first of them as a message shows it; "" if there is none.

    >>> unstorable("one\\x00 two"), unstorable("one\\ttwo")
    ('U+0000', '')
    """
    found = _UNSTORABLE.search(text)
    return f"U+{ord(found[0]):04X}" if found else ""
