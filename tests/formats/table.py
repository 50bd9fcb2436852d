"""Every format that Fergus writes and reads again: its kept files, its reader, and how a file becomes a newer one."""

from __future__ import annotations

import io
import json
import shutil
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

KEPT = Path(__file__).with_name("kept")
NEWER = 99
INSTALL = r"of version 99, newer than this Fergus reads \(\d+\); install a newer Fergus$"

DOG = {"lemma": "dog", "upos": "NOUN", "deprel": "nsubj", "feats": {"Number": "Sing", "Definite": "Def"}}
DEEP = {"lemma": "bark", "upos": "VERB", "deprel": "root", "feats": {"Tense": "Past"}, "daughters": [DOG]}


@dataclass(frozen=True)
class Format:
    """What is kept of a format, ``NAME.VERSION.ENDING`` each, and what a reader must find in it."""

    ending: str
    read: Callable[[Path], Any]
    found: Any
    newest: str = ""
    """Where the newest version stands, ``module:name``; empty if files of the format do not say one."""
    newer: Callable[[Path], None] | None = None
    """Make a file say that it is newer; there must be one where there is a version."""
    refusal: str = INSTALL

    @property
    def version(self) -> int:
        """The newest version, of which a file must be kept, and of all before it."""
        module, _, name = self.newest.partition(":")
        found = getattr(import_module(module), name) if module else 1
        return int(str(found).removeprefix("fergus_"))


def replaced(old: str, new: str) -> Callable[[Path], None]:
    """A change of the one place in a text file where its version stands."""

    def change(path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        assert text.count(old) >= 1
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    return change


def read_model(path: Path) -> Any:
    """What each preset makes of a tree, and what becomes of one that lacks forms and function words."""
    import fergus
    from fergus.realize.pipeline import PRESETS
    from fergus.treebank.jsontree import tree_from_object

    tree = fergus.parse_tree("barked(dog(the) .)")
    made = {fergus.load(path, preset=preset).realize(tree).tokens for preset in PRESETS}
    full = fergus.load(path).realize(tree_from_object(DEEP), stages=("insert", "inflect", "punctuate"))
    return made, full.tokens


def newer_model(path: Path) -> None:
    """A header of another version in the same archive."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["header.json"] = json.dumps(json.loads(members["header.json"]) | {"version": NEWER}).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def read_language_model(path: Path) -> Any:
    """Its order and a number of its words, from the arrays as a model file has them."""
    from fergus.lm.model import NgramModel
    from fergus.realize.model import ModelFile

    model = NgramModel.from_arrays(ModelFile(path).section("language-model").arrays)
    return model.order, "dog" in model.vocabulary.words


def newer_language_model(path: Path) -> None:
    """Another first number in its header."""
    import numpy as np

    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    header = np.load(io.BytesIO(members["language-model/header.npy"]))
    np.save(stream := io.BytesIO(), np.array([NEWER, *header[1:]], header.dtype))
    members["language-model/header.npy"] = stream.getvalue()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def read_grammar(path: Path) -> Any:
    """Words and trees."""
    from fergus.grammar.storage import load

    found = load(path)
    return sorted(found.lexicon), sorted(found.trees)


def read_metric(path: Path) -> Any:
    """Coefficients and how texts were compared."""
    from fergus.metrics.derived import read_model as read

    found = read(path)
    return found.name, dict(found.coefficients), found.intercept, found.tokenization, found.lowercase


def read_evaluation(path: Path) -> Any:
    """The items that its sentences make."""
    from fergus.studies.items_file import parse_items
    from fergus.studies.problems import Problems

    problems = Problems(str(path))
    items = parse_items(path.read_text(encoding="utf-8"), problems)
    for problem in problems.sorted():
        raise problem.as_error()
    return [(item.id, item.text, item.values["m.bleu"]) for item in items]


def read_analysis(path: Path) -> Any:
    """What a plan is compared with."""
    from fergus.analysis.preregister import read_settings

    found = read_settings(path)
    return found.study, found.tests, found.level, found.numbers


def read_plan(path: Path) -> Any:
    """Study, tests and numbers."""
    from fergus.analysis.plan_file import read_plan as read

    found = read(path)
    return found.study, found.tests, found.numbers


def read_frozen(path: Path) -> Any:
    """Date and hash."""
    from fergus.analysis.preregister import read_frozen as read

    (found,) = read(path.with_name(path.name.replace(".frozen.json", ".toml")))
    return found.date, found.sha256[:8]


def read_study(path: Path) -> Any:
    """Its name, questions and items; the items file is kept too."""
    from fergus.studies.study_file import read_study as read

    shutil.copy(KEPT / "items.1.csv", path.with_name("items.1.csv"))
    found = read(path)
    return found.name, [question.name for question in found.blocks[0].questions], [item.text for item in found.items]


def read_database(path: Path) -> Any:
    """The answers of a database, which is kept as the statements that make it."""
    from fergus.studies.export import rows_of
    from fergus.studies.service import Service
    from fergus.studies.storage.migrate import open_database
    from fergus.studies.storage.studies import find_study

    made = path.with_suffix(".db")
    with closing(sqlite3.connect(made)) as connection:
        connection.executescript(path.read_text(encoding="utf-8"))
    with open_database(made, must_exist=True) as database:
        with database.read() as transaction:
            row = find_study(transaction, "tiny")
        assert row is not None
        return [(one["participant"], one["item"], one["value"]) for one in rows_of(Service(database), row)]


def read_trees(path: Path) -> Any:
    """Words, constraints and metadata."""
    from fergus.treebank.jsontree import read_json

    with path.open("rb") as stream:
        trees = [item.tree for item in read_json(stream, path=str(path))]
    return [
        ([node.form or node.alternatives[0].word for node in tree.nodes], len(tree.constraints), tree.metadata)
        for tree in trees
    ]


def read_sentences(path: Path) -> Any:
    """What is scored, and what failed."""
    from fergus.evaluation.read import SentenceFile

    return [(record.identifier, record.sentence.tokens) for record in SentenceFile(str(path))]


def read_export(path: Path) -> Any:
    """Judgements, as of a table from elsewhere."""
    from fergus.studies.judgements_file import Columns, read_judgements

    columns = Columns(judge="participant", text="item_text", item="group", system="system", scores=("value",))
    found = read_judgements(path, columns=columns)
    return [(one.judge, one.item, dict(one.scores)) for one in found.given]


def read_made(path: Path) -> Any:
    """What the server's report on a study was made from; None if it is to be made anew."""
    from fergus.analysis.report_files import MADE, Place

    with zipfile.ZipFile(path.with_name("study-1.zip"), "w") as archive:
        archive.writestr(MADE, path.read_bytes())
    made = Place(path.parent, 1).made()
    return made and (made.study, dict(made.people), made.wanted.metrics)


TREES = [
    (["saw", "I", "her"], 1, ()),
    (["saw", "I"], 0, (("sent_id", "2"),)),
]
SAID = ("tiny", ("permutation",))
FORMATS = {
    "model": Format(
        "fergus", read_model, ({("the", "dog", "barked", ".")}, ("the", "dog", "barked")),
        "fergus.realize.model:VERSION", newer_model,
    ),
    "language-model": Format(
        "fergus", read_language_model, (3, True), "fergus.lm.model:_VERSION", newer_language_model
    ),
    "grammar": Format(
        "txt", read_grammar, ([".", "The", "barked", "dog"], ["a.NOUN", "a.VERB(nsubj *)", "g.DET", "g.PUNCT"]),
        "fergus.grammar.storage:VERSION", replaced("fergus-grammar\t1", f"fergus-grammar\t{NEWER}"),
    ),
    "metric": Format(
        "toml", read_metric, ("mine", {"simple_string_accuracy": 1.5, "moves": -0.25}, 0.5, "13a", False),
        "fergus.metrics.derived:VERSION", replaced("version = 1", f"version = {NEWER}"),
    ),
    "evaluation": Format(
        "json", read_evaluation, [("s1-mine", "barked The dog .", "50")],
        "fergus.evaluation.json_report:VERSION", replaced('"version": 1', f'"version": {NEWER}'),
    ),
    "analysis": Format(
        "json", read_analysis, (*SAID, 0.05, {"participants": 20}),
        "fergus.analysis.preregister:ANALYSIS_VERSION", replaced('"version": 1', f'"version": {NEWER}'),
    ),
    "plan": Format(
        "toml", read_plan, (*SAID, {"participants": 20}),
        "fergus.analysis.plan_file:VERSION", replaced("version = 1", f"version = {NEWER}"),
    ),
    "frozen-plan": Format(
        "frozen.json", read_frozen, ("2026-01-01T00:00:00Z", "091d4c2a"),
        "fergus.analysis.preregister:VERSION", replaced('"version": 1', f'"version": {NEWER}'),
    ),
    "study": Format(
        "yaml", read_study, ("tiny", ["good"], ["The dog barked."]),
        "fergus.studies.study_settings:FORMAT_VERSION", replaced("title:", f"format: {NEWER}\nbeauty: 3\ntitle:"),
    ),
    "database": Format(
        "sql", read_database, [(1, "a", 4)], "fergus.studies.storage.migrate:HEAD",
        replaced("VALUES('fergus_0", "VALUES('fergus_9"), refusal=r"is of a newer Fergus .*; install the newer one",
    ),
    "tree": Format(
        "jsonl", read_trees, TREES, "fergus.treebank.jsontree:VERSION", replaced("{", f'{{"format": {NEWER}, '),
    ),
    "sentences": Format(
        "jsonl", read_sentences, [("1", ("The", "dog", "barked", ".")), ("", ())]
    ),
    "export": Format("csv", read_export, [("1", "a-x", {"value": 4})]),
    "report": Format("json", read_made, ("tiny", {1: "completed"}, ("bleu",))),
}  # fmt: skip
WRITE_ONLY = {"lattice": "fergus.cli.lattice:JSON_VERSION", "datasheet": "fergus.analysis.heds:VERSION"}
"""For other programs: Fergus itself does not read them."""
