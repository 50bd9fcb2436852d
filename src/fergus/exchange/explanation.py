"""An explanation for people and for programs: what ``fergus explain`` prints and the server sends."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from fergus.core.realization import Realization, SupertagChoice
from fergus.realize.explain import Explanation, Placement

NO_WORD = "(none)"
SHOWN = 4
"""Positions and runners-up listed for a node in the text; JSON has all of them."""


def as_text(explanation: Explanation) -> str:
    """The explanation for people."""
    realization = explanation.realization
    nodes = realization.tree.nodes
    lines = [" ".join(realization.tokens), ""]
    if realization.stages != ("order",):
        lines += [f"Stages: {', '.join(realization.stages)}", ""]
    lines += reading_lines(realization)
    for node, head in enumerate(realization.lattice_heads):
        if head != realization.tree.heads[node]:
            lines += [f"{nodes[node].form} leaves its head's words and is ordered under {nodes[head].form}", ""]
    if realization.labels:
        lines.append("Labels filled in (category:relation, probability; then the runner-up)")
        lines += [f"  {nodes[i].form:<16} {choice_text(realization.labels[i])}" for i in realization.order]
        lines.append("")
    if explanation.supertags:
        used = "" if realization.supertags else "; not used by this preset: the Tree Chooser of preset supertag"
        lines.append(f"Supertags (probability; then the runners-up{used})")
        lines += [f"  {nodes[i].form:<16} {choice_text(explanation.supertags[i])}" for i in realization.order]
        lines.append("")
    if explanation.placements:
        lines.append("Positions of each daughter, and what the others would cost (order + language model)")
        for placement in explanation.placements:
            lines += placement_lines(explanation, placement)
        lines.append("")
    lines.append("Language model, log10 probability of each word")
    words = [*(nodes[i].form for i in realization.order if nodes[i].form), "(end)"]
    lines += [f"  {word:<16} {score:7.2f}" for word, score in zip(words, explanation.word_logprob10, strict=True)]
    lines += ["", explanation.reason]
    return "\n".join(lines) + "\n"


def reading_lines(realization: Realization) -> list[str]:
    """What every node could have become, the marks put in."""
    lines = []
    if realization.readings:
        lines.append("Words (the chosen one; what the node could be by itself, with probabilities)")
        for node in realization.order:
            form = realization.tree.nodes[node].form or NO_WORD
            own = ", ".join(f"{word} {share:.2f}" for word, share in shares(realization.readings[node])[:SHOWN])
            added = "inserted; " if node in realization.inserted else ""
            lines.append(f"  {form:<16} {added}{own}")
        lines.append("")
    if "punctuate" in realization.stages:
        given = sum(bool(node.form) for node in realization.tree.nodes)
        marks = [node.form for node in realization.sentence.tree.nodes[given:]]
        lines += [f"Marks put in: {' '.join(marks) or 'none'}", ""]
    return lines


def shares(readings: Sequence[tuple[str, float]]) -> tuple[tuple[str, float], ...]:
    """What a node could have become, with probabilities."""
    if not readings:
        return ()
    total = math.log(math.fsum(math.exp(weight) for _, weight in readings))
    return tuple((word or NO_WORD, math.exp(weight - total)) for word, weight in readings)


def choice_text(choice: SupertagChoice) -> str:
    """A choice and what it beat."""
    beaten = ", ".join(f"{name} {probability:.2f}" for name, probability in choice.runners_up[:SHOWN])
    return f"{choice.supertag} {choice.probability:.2f}" + (f"   ({beaten})" if beaten else "")


def placement_lines(explanation: Explanation, placement: Placement) -> list[str]:
    """A daughter's positions, a line each."""
    nodes = explanation.realization.tree.nodes
    lines = [f"  {nodes[placement.node].form} under {nodes[placement.mother].form}"]
    shown = 0
    for position in placement.positions:
        if position.cost is None:
            continue
        words = " ".join(f"[{nodes[i].form}]" if i == placement.node else nodes[i].form for i in position.items)
        if shown == 0:
            lines.append(f"      chosen  {words}")
        else:
            parts = f"{position.lattice_cost:.2f} {position.language_model_cost:+.2f}"
            lines.append(f"    {position.cost:8.2f}  {words}   ({parts})")
        shown += 1
        if shown > SHOWN:
            break
    left_out = sum(position.cost is None for position in placement.positions)
    if left_out:
        lines.append(f"              ({left_out} more that the lattice does not have)")
    return lines


def as_object(explanation: Explanation) -> dict[str, Any]:
    """The explanation for programs; nodes by their number in the tree that was given, from 0."""
    realization = explanation.realization

    def choices(listed: tuple[SupertagChoice, ...]) -> list[dict[str, Any]]:
        return [
            {"name": c.supertag, "probability": c.probability, "runners_up": [list(r) for r in c.runners_up]}
            for c in listed
        ]

    return {
        "tokens": list(realization.tokens),
        "order": list(realization.order),
        "best": [
            {
                "tokens": list(realization.tokens_of(candidate)),
                "total": candidate.scores.total,
                "lattice": candidate.scores.lattice,
                "language_model_logprob10": candidate.scores.language_model_logprob10,
            }
            for candidate in realization.best
        ],
        "stages": list(realization.stages),
        "readings": [[list(reading) for reading in own] for own in realization.readings],
        "inserted": sorted(realization.inserted),
        "language_model_weight": realization.lm_weight,
        "labels": choices(realization.labels),
        "supertags": choices(explanation.supertags),
        "positions": [
            {
                "node": placement.node,
                "mother": placement.mother,
                "positions": [
                    {
                        "items": list(position.items),
                        "cost": position.cost,
                        "lattice_cost": position.lattice_cost,
                        "language_model_cost": position.language_model_cost,
                    }
                    for position in placement.positions
                ],
            }
            for placement in explanation.placements
        ],
        "word_logprob10": list(explanation.word_logprob10),
        "reason": explanation.reason,
    }
