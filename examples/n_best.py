"""The best sentences for a tree with their scores.

python n_best.py [MODEL]
"""

import sys

import fergus


def main() -> None:
    realizer = fergus.load(sys.argv[1] if len(sys.argv) > 1 else "en")
    tree = fergus.parse_tree("estimate(there was no cost for(phase(the second)))")
    result = realizer.realize(tree, nbest=3)
    for rank, candidate in enumerate(result.best, 1):
        print(f"{rank}. {candidate.scores.total:8.2f}  {' '.join(result.tokens_of(candidate))}")


if __name__ == "__main__":
    main()
