"""The words of participants' pages, in English; a study file may give others under ``interface``.

What stands in braces is filled in when a page is made, and another text may use it or leave it out.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import Formatter

WORDS = {
    "start": "Start",
    "next": "Next",
    "finish": "Finish",
    "page_of": "Page {page} of {pages}",
    "progress_saved": "Your answers are saved.",
    "optional": "optional",
    "problems": "Something is missing on this page.",
    "already_answered": "You have answered this page before; your first answer stands.",
    "connection_lost": "The connection is lost. What you have sent is saved; this page will be sent when you are back.",
    "resume": "Welcome back: you go on where you stopped.",
    "instructions": "Instructions",
    "practice": "Practice: this does not count.",
    "right_answer": "That is right.",
    "wrong_answer": "Not quite.",
    "the_right_answer": "The right answer: {answer}",
    "time_left": "{seconds} seconds left",
    "time_is_up": "The time is up.",
    "keyboard": "Keys: {keys}",
    "choose_left": "The first",
    "choose_right": "The second",
    "thanks": "Thank you!",
    "declined": "You do not take part. Thank you for your time.",
    "completion_code": "Your completion code is {code}",
    "go_back": "Go back to where you came from",
    "score": "You found {right} of {all}.",
    "score_average": "People find {percent} % on average.",
    "fooled_most": "What fooled most people",
    "share": "Pass it on",
    "share_copied": "The link is copied.",
    "closed": "This study is closed. Thank you for your interest.",
    "paused": "This study is paused. Please come back later.",
    "full": "This study has all the answers that it needs. Thank you for your interest.",
    "busy": "Others are giving the last answers that this study needs. Please come back in an hour.",
    "wrong_link": "This link is not complete. Please use the link that you were sent.",
    "already_taken_part": "You have taken part already. Thank you!",
    "withdraw": "Stop taking part",
    "comment": "Comment",
    "skip": "Skip to content",
    "went_back": "This is the page that you are at. What you answered before stands.",
    "go_on": "Go on where you were",
    "see_end": "See the last page again",
    "try_again": "Try again",
    "sending": "Sending …",
    "copy": "Copy",
    "code_copied": "The code is copied.",
    "withdraw_sure": "Do you want to stop taking part? What you have answered so far is kept, marked as withdrawn.",
    "withdraw_no": "No, go on",
    "withdrawn": "You have stopped taking part. Thank you for your time.",
    "preview": "Preview: nothing that you answer here counts.",
    "context": "Context",
    "text_number": "Text {number}",
    "choose": "Choose …",
    "keys_pair": "{first} or 1 and {second} or 2 choose and go on at once, and so does a tap",
    "keys_tie": "3 for the third answer",
    "keys_rating": "{lowest} to {highest} rate, Enter goes on",
    "your_choice": "your choice",
    "your_pairs": "Your pairs",
    "control_pair": "A control pair: it has no right answer and does not count.",
    "fooled_share": "{percent} % of {count} people did not find it.",
    "remark": "Remark {number}",
    "remark_how": "Select words of the text to remark on them; by keyboard with Shift and the arrow keys, then Enter.",
    "remark_part": "Words of the text (empty: all of it)",
    "remark_category": "Category",
    "remark_more": "More remarks",
    "please_choose": "Please choose.",
    "please_choose_one": "Please choose one of the two.",
    "please_choose_best": "Please choose the best text.",
    "please_choose_worst": "Please choose the worst text.",
    "please_rate": "Please choose a point.",
    "please_rank": "Please choose a rank from 1 to {most}.",
    "please_give_number": "Please give a number.",
    "please_write": "Please write something.",
    "please_say_what": "Please say what.",
    "please_agree_or_not": "Please answer either way.",
    "please_solve": "Please give a solution.",
    "please_remark": "Please make at least one remark.",
    "please_say_remark": "Please say what you remark on this part.",
    "best_is_worst": "The best text cannot be the worst one too.",
    "rank_twice": "Rank {rank} is given more than once.",
    "no_choice": "{given} is none of the choices.",
    "no_number": "{given} is not a number.",
    "not_on_scale": "{given} is not from {lowest} to {highest}.",
    "too_low": "{given} is below {lowest}.",
    "too_high": "{given} is above {highest}.",
    "too_long": "This has {count} characters; at most {most} are allowed.",
    "too_many_remarks": "At most {most} remarks are allowed.",
    "not_in_text": "{given} does not occur in the text.",
    "sent_twice": "This was sent more than once.",
}
"""What each key says where the study says nothing else."""


class Message(str):
    """Something that is said to participants: in English as it stands, and in the words of a study if it has any.

    >>> message = Message("rank_twice", rank=2)
    >>> message, message.said({"rank_twice": "{rank} ist zweimal vergeben."})
    ('Rank 2 is given more than once.', '2 ist zweimal vergeben.')
    """

    __slots__ = ("key", "values")

    key: str
    values: Mapping[str, str | int]

    def __new__(cls, key: str, **values: str | int) -> Message:
        """The text of a key, with what stands in its braces."""
        made = super().__new__(cls, WORDS[key].format(**values))
        made.key, made.values = key, values
        return made

    def said(self, words: Mapping[str, str]) -> str:
        """The same in other words, as far as there are any for it."""
        return words[self.key].format(**self.values) if self.key in words else str(self)


def placeholders(text: str) -> set[str]:
    """What a text has in braces; a ValueError if its braces do not match.

    >>> sorted(placeholders("Page {page} of {pages}"))
    ['page', 'pages']
    """
    # Widths and conversions count as part of a name, which is then unknown: {page:999999999} would fill the memory.
    parsed = Formatter().parse(text)
    return {f"{name}{conversion or ''}{spec}" for _, name, spec, conversion in parsed if name is not None}
