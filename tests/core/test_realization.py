from __future__ import annotations

from fergus.core.realization import Candidate, Realization, Scores, SupertagChoice
from fergus.core.tree import ROOT, DependencyTree, Node, OrderedTree


def test_the_best_candidate_is_the_sentence() -> None:
    tree = DependencyTree((Node("runs"), Node("Mary")), (ROOT, 0))
    first = Candidate((1, 0), Scores(-1.0, language_model_logprob10=-2.0), OrderedTree(tree, (1, 0)))
    second = Candidate((0, 1), Scores(-3.0), OrderedTree(tree, (0, 1)))
    choices = (SupertagChoice("alpha VERB(nsubj *)", 0.9, (("alpha VERB(* nsubj)", 0.1),)),)
    realization = Realization(tree, (first, second), supertags=choices)
    assert realization.order == (1, 0)
    assert realization.sentence == first.sentence
    assert realization.tokens == ("Mary", "runs")
    assert realization.tokens_of(second) == ("runs", "Mary")
    # The intermediate results are for asking, not for printing.
    assert "supertags" not in repr(realization)
    assert "Lattice" not in repr(realization)
