"""The model of agreement: how often words had which sets of features, in which contexts."""

from __future__ import annotations

from fergus.core.tree import Node
from fergus.realize.agreement_contexts import AGREEING, padded
from fergus.realize.conditional_counts import ConditionalCounts, Context, tables_from_arrays, tables_to_arrays
from fergus.realize.inflection_lexicon import Feats
from fergus.realize.model import Section, reads_section
from fergus.realize.word_case import lowered

_COMPARING = frozenset(("Degree", value) for value in ("Cmp", "Sup", "Abs", "Equ"))
"""A degree is meant or not, whatever the words around: what nobody compares is not *later*, though that is frequent."""
_TABLE = "sets"


class AgreementModel:
    """Counts of sets of features, which are written as in CoNLL-U."""

    def __init__(self, counts: ConditionalCounts) -> None:
        self.counts = counts
        self.sets = {outcome: parsed(outcome) for seen in counts.rows.values() for outcome in seen}

    def known(self, node: Node) -> dict[str, int]:
        """The sets of features that this very word may have or, if it is not known, a word of its category."""
        given, upos = frozenset(node.feats or ()), node.upos or ""
        own = self.fitting(padded((upos, lowered(node.lemma or ""))), given)
        return own or self.fitting(padded((upos,)), given)

    def fitting(self, context: Context, given: frozenset[tuple[str, str]]) -> dict[str, int]:
        """Sets of features that were seen in a context, have the given ones and compare nothing; with their counts."""
        seen = self.counts.rows.get(context, {})
        return {
            outcome: count
            for outcome, count in seen.items()
            if given <= self.sets[outcome] and not _COMPARING & (self.sets[outcome] - given)
        }


def agreement_of(feats: Feats | None) -> Feats:
    """Number, person and gender among features."""
    return tuple(item for item in feats or () if item[0] in AGREEING)


def parsed(outcome: str) -> frozenset[tuple[str, str]]:
    """A set of features as it is written in CoNLL-U."""
    pairs = (item.partition("=") for item in outcome.split("|") if item)
    return frozenset((name, value) for name, _, value in pairs)


def written(feats: Feats | None) -> str:
    """Features as CoNLL-U has them."""
    return "|".join(f"{name}={value}" for name, value in sorted(feats or ()))


def agreement_section(model: AgreementModel) -> Section:
    """The counts as they are stored."""
    return Section({}, tables_to_arrays({_TABLE: model.counts}))


@reads_section
def agreement_from(section: Section) -> AgreementModel:
    """The counts of a section."""
    return AgreementModel(tables_from_arrays(section.arrays, [_TABLE])[_TABLE])
