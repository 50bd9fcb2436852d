"""The question types, one file each; ``TYPES`` has them by the name that study files use."""

from __future__ import annotations

from fergus.studies.questions.base import Question
from fergus.studies.questions.best_worst import BestWorst
from fergus.studies.questions.choice import Choice
from fergus.studies.questions.comment import Comment
from fergus.studies.questions.consent import Consent
from fergus.studies.questions.pair import Pair
from fergus.studies.questions.ranking import Ranking
from fergus.studies.questions.rating import Rating
from fergus.studies.questions.review import Review
from fergus.studies.questions.score import Score
from fergus.studies.questions.task import Task

TYPES: dict[str, type[Question]] = {
    kind.type: kind for kind in (Rating, Score, Pair, Ranking, BestWorst, Comment, Choice, Consent, Task, Review)
}
"""In the order of the reference."""
