"""Sentences from a table: the data decides which words depend on which, the model finds the order.

python weather.py [MODEL]
"""

import sys

import fergus
from fergus.realize.detokenize import detokenize

FORECAST = [
    {"town": "Paris", "day": "tomorrow", "sky": "cold"},
    {"town": "Lyon", "day": "yesterday", "sky": "good", "very": True},
]


def tree_of(row: dict[str, object]) -> fergus.DependencyTree:
    """A clause about the weather: every word with its head, in no order at all."""
    words = [(str(row["sky"]), -1), ("weather", 0), ("the", 1), ("in", 4), (str(row["town"]), 1), (".", 0)]
    words.append(("was" if row["day"] == "yesterday" else "is", 0))
    words.append((str(row["day"]), 0))
    if row.get("very"):
        words.append(("very", 0))
    return fergus.DependencyTree(tuple(fergus.Node(form) for form, _ in words), tuple(head for _, head in words))


def main() -> None:
    realizer = fergus.load(sys.argv[1] if len(sys.argv) > 1 else "en")
    for row in FORECAST:
        print(detokenize(realizer.realize(tree_of(row)).tokens))


if __name__ == "__main__":
    main()
