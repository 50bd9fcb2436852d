from __future__ import annotations

import pytest

from fergus.studies.model import Item, Judgement
from fergus.studies.questions.base import AnswerError
from fergus.studies.questions.comment import Comment

from .examples import ToldRater

ITEM = (Item("a", "A text."),)


def test_a_comment_is_kept_as_written_but_for_what_cannot_be_stored() -> None:
    answer = Comment("why").parse({"comment": [" <b>It's</b>\r\n\x00fine "]}, ITEM)
    assert answer == {"comment": "<b>It's</b>\nfine"}
    assert Comment("why").judgements(answer, ITEM) == [Judgement("<b>It's</b>\nfine", item="a")]
    assert Comment("why").judgements(answer, ())[0].item == ""


def test_a_blank_comment_is_none() -> None:
    assert Comment("why").parse({"comment": [" \r\n\x00"]}, ITEM) is None
    with pytest.raises(AnswerError, match="Please write something"):
        Comment("why", required=True).parse({"comment": ["\x00"]}, ITEM)


def test_a_comment_can_be_too_long() -> None:
    assert Comment("why").parse({"comment": ["x" * 5000]}, ITEM) is not None
    with pytest.raises(AnswerError, match="at most 5000"):
        Comment("why").parse({"comment": ["x" * 5001]}, ITEM)


def test_raters_who_do_not_attend_write_only_what_they_must() -> None:
    assert Comment("why").simulate(ToldRater(attentive=False), ITEM) == {"comment": [""]}
    assert Comment("why").simulate(ToldRater(), ITEM) == {"comment": ["It flows well."]}
    assert Comment("why", required=True).simulate(ToldRater(attentive=False), ITEM) == {"comment": ["It flows well."]}


def test_a_box_needs_room() -> None:
    assert set(Comment("why", rows=0, longest=0).mistakes()) == {"rows", "longest"}
