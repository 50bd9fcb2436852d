"""Rows of an export as a Turing-style test leaves them, made by hand or by chance."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import norm


def pair_row(person: str, pair: str, score: float | None, *, first: bool = True, **more: Any) -> dict[str, Any]:
    """A choice: ``first`` if the text that stands first was chosen, ``score`` if it was the person's text."""
    # Of a pair the text -h is the person's; in control pairs the one called -h is just one of the two.
    chosen = f"{pair}-m" if score == 0 else f"{pair}-h"
    other = f"{pair}-h" if score == 0 else f"{pair}-m"
    return {
        "participant": person,
        "condition": "",
        "practice": False,
        "item": chosen,
        "group": pair,
        "question": "which",
        "type": "pair",
        "dimension": "",
        "value": chosen,
        "score": score,
        "shown_order": [chosen, other] if first else [other, chosen],
        "codes": None,
        **more,
    }


def tie_row(person: str, pair: str, *, mixed: bool = True) -> dict[str, Any]:
    """“I cannot tell”: nothing is chosen, and nothing is known of an item."""
    return {**pair_row(person, pair, 0.0 if mixed else None), "value": None, "item": ""}


def about_person(person: str, question: str, value: Any, *, type: str = "choice", **more: Any) -> dict[str, Any]:
    """An answer that is about no item."""
    return {
        "participant": person, "condition": "", "item": "", "group": "", "question": question, "type": type,
        "dimension": "", "value": value, "score": None, "shown_order": [], "codes": None, **more,
    }  # fmt: skip


def simulated_rows(
    share: float, *, people: int, pairs: int, seed: int, skill: float = 0.3, ease: float = 0.4
) -> list[dict[str, Any]]:
    """A test in which the true share over all people and pairs is known."""
    random = np.random.default_rng(seed)
    middle = norm.ppf(share) * np.sqrt(1 + skill**2 + ease**2)
    chances = norm.cdf(middle + skill * random.standard_normal((people, 1)) + ease * random.standard_normal((1, pairs)))
    is_right = random.random((people, pairs)) < chances
    is_first = random.random((people, pairs)) < 0.5
    return [
        pair_row(f"p{i}", f"pair-{j}", float(is_right[i, j]), first=bool(is_first[i, j]))
        for i in range(people)
        for j in range(pairs)
    ]
