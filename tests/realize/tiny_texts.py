"""Sentences with their spacing in a short notation: ``can~ not go~ .`` and, for a multiword token, ``[de le=du]``."""

from __future__ import annotations

import re

from fergus.core.tree import ROOT, DependencyTree, Node, OrderedTree


def written(notation: str, *, lemmas: dict[str, str] | None = None) -> OrderedTree:
    """A flat tree; ``~`` after a word or a bracket says that no space follows."""
    nodes: list[Node] = []
    metadata: list[tuple[str, str]] = []
    for group, whole, group_tight, word, tight in re.findall(r"\[([^=]+)=([^\]]+)\](~?)|([^\s~]+)(~?)", notation):
        forms = group.split() or [word]
        first = len(nodes) + 1
        misc = "SpaceAfter=No" if tight else None
        for form in forms:
            lemma = (lemmas or {}).get(form, form.lower())
            nodes.append(Node(form, lemma, misc=misc, identifier=str(len(nodes) + 1)))
        if group:
            metadata.append((f"multiword {first}-{len(nodes)}", whole))
            if group_tight:
                metadata.append((f"multiword {first}-{len(nodes)} misc", "SpaceAfter=No"))
    heads = (ROOT, *[0] * (len(nodes) - 1))
    return OrderedTree(DependencyTree(tuple(nodes), heads, metadata=tuple(metadata)), tuple(range(len(nodes))))


ENGLISH = [
    written(line)
    for line in (
        'He said~ , "~ go~ " and left~ .',
        '"~ Yes~ " is all she said~ .',
        "We saw (~ and heard~ ) it~ , too~ .",
        "They [do n't=don't] know~ .",
        "She [do n't=don't] say~ , but we [ca n't=can't] see~ .",
        "It is well~ -~ known~ .",
        "I saw the well~ -~ known man~ , and he saw me~ .",
        "He saw the man and the dog~ .",
        "The dog saw the man and left~ .",
        "Go~ !",
    )
]
FRENCH = [
    written(line)
    for line in (
        "Il parle [de le=du] chien~ .",
        "Il parle [de le=du] chat et [de les=des] chiens~ .",
        "[À le=Au] chien~ , le chat~ .",
        "Le chat va [à le=au] jardin [de les=des] chiens~ .",
        "Le chien va [à les=aux] jardins~ .",
        "Le chien parle~ , le chat va~ .",
        "[à lequel=auquel] il parle~ .",
        "[à lesquels=auxquels] il parle~ .",
        "l'~ école va~ .",
    )
]
