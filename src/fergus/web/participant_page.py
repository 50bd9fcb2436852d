"""What stands on a participant's page: its texts, its questions, its clock, its keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from markupsafe import Markup

from fergus.studies.asked import Asked
from fergus.studies.assign import CONSENT, INSTRUCTIONS
from fergus.studies.feedback import Feedback
from fergus.studies.model import Form
from fergus.studies.questions.pair import Pair
from fergus.studies.questions.rating import Rating
from fergus.studies.questions.task import Task
from fergus.studies.service import View
from fergus.web.forms import whole_number
from fergus.web.question_html import NOTHING, QuestionHtml, words_of

TEN = 10
"""The highest point that a digit gives: 0 stands for it on scales that have no 0."""


def page_context(
    view: View,
    html: QuestionHtml,
    *,
    now_ms: int,
    form: Form = NOTHING,
    problems: Mapping[str, str] | None = None,
    notice: str = "",
    feedback: Sequence[Feedback] = (),
) -> dict[str, Any]:
    """What the template of a page needs; nothing in it tells where a text comes from."""
    study, block, asked, items = view.study, view.block, view.asked, view.items
    words, row, version = words_of(study), view.participant, (view.study.version, view.study.name)
    is_fresh = not form and not problems
    comparing = [one for one in asked if one.question.compares]
    each = [one for one in asked if one.place != "page"]
    # A comparison holds its texts itself if nothing else on the page needs them.
    holds_texts = len(comparing) == 1 and not each
    made = {
        one.prefix: html.make(study, block.name, one, holds_texts=holds_texts, form=form, problems=problems or {})
        for one in asked
    }
    contexts = {item.context for item in items}
    shared = contexts.pop() if len(contexts) == 1 else ""
    body = []
    if shared:
        body.append(html.kept((*version, shared), "context.html", lambda: {"words": words, "context": shared}))
    for number, item in enumerate(items if not holds_texts else ()):
        place, is_card = str(number), bool(each) or len(items) > 1
        own = [one for one in each if one.place == place]
        about: dict[str, Any] = {
            "words": words,
            "item": item,
            "place": place,
            "context": "" if shared else item.context,
            "questions": [made[one.prefix] for one in own],
            "number": number + 1 if comparing else None,
            "is_card": is_card,
            "is_reviewed": any(one.question.type == "review" for one in own),
        }
        key = (*version, block.name, item.id, place, str(is_card), str(bool(shared)))
        body.append(html.kept(key if is_fresh else None, "item.html", partial(dict, about)))
    body += [made[one.prefix] for one in asked if one.place == "page"]
    above = {
        "study": study,
        "words": words,
        "block": block,
        "has_instructions": bool(study.instructions) and block.name not in (CONSENT, INSTRUCTIONS),
    }
    total = len(row.plan)
    return {
        "study": study,
        "words": words,
        "key": row.key,
        "block": block,
        "heading": words["page_of"].format(page=row.page + 1, pages=total),
        "number": row.page,
        "total": total,
        "shown_ms": shown_before(form, row.page) or now_ms,
        "seconds": seconds_left(asked, opened_ms=view.opened_ms, now_ms=now_ms),
        "above": html.kept((*version, block.name), "above.html", partial(dict, above)),
        "body": Markup("\n").join(body),
        "keys": keys_of(asked, words, holds_texts=holds_texts, arrows="→←" if study.direction == "rtl" else "←→"),
        "is_quick": is_quick(asked, holds_texts=holds_texts),
        "problems": problems or {},
        "notice": notice,
        "feedback": feedback,
    }


def shown_before(form: Form, page: int) -> int | None:
    """When the page was shown first, if it comes back with its mistakes."""
    return whole_number(form, "shown_ms") if whole_number(form, "page") == page else None


def seconds_left(asked: Sequence[Asked], *, opened_ms: int, now_ms: int) -> int | None:
    """Of the time for the page, which has run since it was first shown; None if there is no limit."""
    limits = [q.seconds for one in asked if isinstance(q := one.question, Task) and q.seconds is not None]
    return max(min(limits) - (now_ms - opened_ms) // 1000, 0) if limits else None


def is_quick(asked: Sequence[Asked], *, holds_texts: bool) -> bool:
    """Is one choice between two all there is, so that choosing can go on at once?"""
    return holds_texts and len(asked) == 1 and isinstance(asked[0].question, Pair)


def keys_of(asked: Sequence[Asked], words: Mapping[str, str], *, holds_texts: bool, arrows: str) -> str:
    """Which keys answer the page, in words; "" if none do."""
    if is_quick(asked, holds_texts=holds_texts):
        pair = asked[0].question
        tie = f"; {words['keys_tie']}" if isinstance(pair, Pair) and pair.tie else ""
        return words["keys_pair"].format(first=arrows[0], second=arrows[1]) + tie
    for one in asked:
        if not isinstance(one.question, Rating):
            continue
        lowest, highest = one.question.values[0], one.question.values[-1]
        if has_keys(lowest, highest):
            told = f"{highest} (0 = {highest})" if highest == TEN else str(highest)
            return words["keys_rating"].format(lowest=lowest, highest=told)
    return ""


def has_keys(lowest: int, highest: int) -> bool:
    """Does every point of a scale have a digit?

    >>> has_keys(0, 9), has_keys(1, 10), has_keys(0, 10), has_keys(-3, 3), has_keys(5, 11)
    (True, True, False, False, False)
    """
    return (lowest >= 0 and highest < TEN) or (lowest > 0 and highest == TEN)
