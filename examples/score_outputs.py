"""Scores the outputs of two systems from Python: single metrics, then every metric with a comparison.

python score_outputs.py [MINE.txt THEIRS.txt REFERENCES.conllu]
"""

import sys
from pathlib import Path

import fergus
from fergus.evaluation import as_text
from fergus.metrics import GenerationStringAccuracy, GenerationTreeAccuracy

HERE = Path(__file__).parent


def main() -> None:
    given = sys.argv[1:] or [HERE / "mine.txt", HERE / "theirs.txt", HERE / "references.conllu"]
    mine, theirs = (Path(path).read_text(encoding="utf-8").splitlines() for path in given[:2])
    references = list(fergus.read_trees(given[2]))

    # One metric, in sacreBLEU's manner.
    for metric in (GenerationStringAccuracy(), GenerationTreeAccuracy()):
        print(metric.sentence_score(mine[0], [references[0]]))
        print(metric.corpus_score(mine, [references]))

    # All at once, as a table; write_html and json_report make files of it.
    found = fergus.evaluate({"mine": mine, "theirs": theirs}, [references], metrics=["paper", "bleu"], compare=True)
    print()
    print(as_text(found))
    for row in (system.scores["simple_tree_accuracy"] for system in found.systems):
        print(f"worst sentence: {row.argmin() + 1} with {row.min():.2f}")


if __name__ == "__main__":
    main()
