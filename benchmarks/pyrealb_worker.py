"""Run by the interpreter of pyrealb's own environment: what its lexicon has, or the sentences of trees in its JSON.

python pyrealb_worker.py lexicon
python pyrealb_worker.py realize < trees.json
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

REPEATS, WARM = 3, 20


def lexicon() -> dict[str, list[str]]:
    """Lemmas with their categories."""
    entries = import_module("pyrealb").getLexicon("en")
    return {lemma: [key for key in entry if key[0].isupper()] for lemma, entry in entries.items()}


def realized(trees: list[Any]) -> dict[str, Any]:
    """Sentences, or why there is none; the CPU seconds of the fastest run over those that went well."""
    pyrealb = import_module("pyrealb")
    pyrealb.loadEn()
    pyrealb.Constituent.exceptionOnWarning = True
    answers = [answer(tree, pyrealb.fromJSON) for tree in trees]
    taken = [tree for tree, found in zip(trees, answers, strict=True) if "text" in found]
    for tree in taken[:WARM]:
        pyrealb.fromJSON(tree).realize()
    seconds = []
    for _ in range(REPEATS):
        # Realizing changes an expression: each run has its own.
        built = [pyrealb.fromJSON(tree) for tree in taken]
        started = time.process_time()
        for one in built:
            one.realize()
        seconds.append(time.process_time() - started)
    return {"answers": answers, "seconds": min(seconds)}


def answer(tree: Any, from_json: Callable[[Any], Any]) -> dict[str, str]:
    """The sentence; pyrealb raises its warnings, and other things where it fails."""
    try:
        return {"text": from_json(tree).realize()}
    except Exception as error:
        return {"refused": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    json.dump(lexicon() if sys.argv[1:] == ["lexicon"] else realized(json.load(sys.stdin)), sys.stdout)
