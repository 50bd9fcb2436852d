"""What every stage made of a tree, for the page Realize."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fergus.core.realization import Realization


@dataclass(frozen=True)
class Step:
    """A stage and what came of it."""

    name: str
    about: str
    result: str


def steps(realization: Realization, text: str) -> list[Step]:
    """What every stage made of the tree, in their order."""
    nodes, done = realization.tree.nodes, []
    words = [nodes[node].form for node in realization.order if nodes[node].form]
    for stage in realization.stages:
        if stage == "choose":
            readings = realization.readings  # none at all if every word was there
            several = [node for node in realization.order if readings and len(readings[node]) > 1]
            done.append(Step("choose", "words where there are several", _joined(nodes[n].form for n in several)))
        elif stage == "insert":
            added = [nodes[node].form for node in realization.order if node in realization.inserted]
            done.append(Step("insert", "function words", _joined(word for word in added if word)))
        elif stage == "inflect":
            made = [n for n in realization.order if nodes[n].lemma and n not in realization.inserted]
            done.append(
                Step("inflect", "forms of lemmas", _joined(f"{nodes[n].lemma} → {nodes[n].form}" for n in made))
            )
        elif stage == "order":
            done.append(Step("order", "the words of the winning path", " ".join(words)))
        else:
            marks = [node.form for node in realization.sentence.tree.nodes[len(words) :]]
            done.append(Step("punctuate", "marks", _joined(marks)))
    done.append(Step("write", "capitals, spaces, contractions", text))
    return done


def _joined(items: Iterable[str]) -> str:
    return ", ".join(items) or "none"
