"""Artificial raters: latent quality, the judge's bias, noise, and answers given blindly.

The model. A text *t* has a latent quality q(t, d) in each dimension *d*, standard-normal over texts: given, or else
derived from the text itself, so that every rater sees the same one. Rater *j* has a bias b(j), drawn once for the
person with standard deviation ``bias``. What a text seems like to the rater is

    q(t, d) + b(j) + e,    e drawn anew each time with standard deviation ``noise``.

With probability ``inattention`` an answer is given blindly instead, and with probability ``skill`` the right answer of
a task is found. Two attentive raters' impressions therefore correlate over texts with 1 / (1 + bias² + noise²) if each
text has raters of its own, and with 1 / (1 + noise²) if the same two see them all; a power analysis can start there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from statistics import NormalDist

from fergus.errors import InputError

Qualities = Mapping[str, Mapping[str, float]]
"""Latent quality by text and dimension; the dimension "" stands for those that are not named."""


@dataclass(frozen=True, kw_only=True)
class RaterSettings:
    """A population of raters; spreads are in standard deviations of the texts' quality."""

    bias: float = field(default=0.4, metadata={"help": "How much judges differ in severity: a standard deviation."})
    noise: float = field(default=0.6, metadata={"help": "How much one judge differs from time to time."})
    inattention: float = field(default=0.02, metadata={"help": "The share of answers given blindly, from 0 to 1."})
    skill: float = field(default=0.7, metadata={"help": "The share of right answers found, from 0 to 1."})

    def __post_init__(self) -> None:
        for name in ("bias", "noise"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise InputError(f"{name} is {getattr(self, name)}", remedy="it must be 0 or more")
        for name in ("inattention", "skill"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"{name} is {getattr(self, name)}", remedy="it must be from 0 to 1")


@dataclass(frozen=True)
class ArtificialRater:
    """One person of the population: the ``Rater`` that question types ask."""

    settings: RaterSettings
    random: Random
    bias: float = 0.0
    """How much better than to others every text seems to this rater."""
    qualities: Qualities = field(default_factory=dict)

    def impression(self, text: str, dimension: str) -> float:
        """Latent quality, bias and noise, added up."""
        noise = self.random.gauss(0, self.settings.noise)
        return quality(text, dimension, self.qualities) + self.bias + noise

    def attends(self) -> bool:
        """False with the probability of inattention."""
        return self.random.random() >= self.settings.inattention

    def pick(self, choices: Sequence[str]) -> str:
        """One of them, all equally likely."""
        return self.random.choice(choices)

    def finds(self, gold: str) -> bool:
        """True with the probability of skill, whatever the answer is."""
        return self.random.random() < self.settings.skill


def quality(text: str, dimension: str, qualities: Qualities) -> float:
    """The latent quality of a text: the given one, or a standard-normal number that text and dimension decide alone."""
    given = qualities.get(text, {})
    if dimension in given or "" in given:
        return given[dimension] if dimension in given else given[""]
    digest = hashlib.sha256(f"{dimension}\0{text}".encode(errors="surrogatepass")).digest()
    share = (int.from_bytes(digest[:6], "big") + 0.5) / 2**48  # never 0 or 1, where the quantile is infinite
    return NormalDist().inv_cdf(share)


def rater(
    number: int, *, seed: int, settings: RaterSettings | None = None, qualities: Qualities | None = None
) -> ArtificialRater:
    """Rater so-and-so of a population: the same person for the same seed, however many others there are."""
    settings = settings or RaterSettings()
    random = Random(f"{seed}/{number}")
    return ArtificialRater(settings, random, random.gauss(0, settings.bias), qualities or {})
