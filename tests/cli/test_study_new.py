"""``fergus study new``: presets as they are, variants chosen from outputs, pairs."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from fergus.cli.study_new import PRESETS
from fergus.cli.study_outputs import readable
from fergus.studies import presets
from fergus.studies.study_file import read_study
from tests.cli.conftest import Run

REFERENCES = [
    "there was no cost estimate for the second phase .",
    "the old man asked her politely for another game .",
    "too short .",
    "she now sells her loaves from a blue van .",
]
SYSTEMS = {
    "a": REFERENCES,
    "b": [
        "there was no estimate cost for the phase second .",
        "the man old asked politely her for another game .",
        "short too .",
        "now she sells her loaves from a van blue .",
    ],
    "c": [
        "for the second phase there was no cost estimate .",
        "for another game asked the old man her politely .",
        "short .",
        "from a blue van she now sells her loaves .",
    ],
    "d": [
        "phase second the for estimate cost no was there .",
        "game another for politely her asked man old the .",
        "too .",
        "there was no cost estimate for the second phase .",
    ],
}


@pytest.fixture(scope="session")
def trees() -> str:
    """The references with their trees: parsed once, since loading the parser takes a second."""
    from fergus.treebank.conllu_writer import write_conllu
    from fergus.treebank.parse import load_parser

    parsed = load_parser("en").parse_tokens([line.split() for line in REFERENCES])
    return "".join(write_conllu(sentence.tree, sentence.order) for sentence in parsed)


@pytest.fixture
def files(tmp_path: Path, trees: str) -> dict[str, str]:
    """The outputs of four systems, and references with trees and without."""
    found = {"trees": str(tmp_path / "references.conllu")}
    Path(found["trees"]).write_text(trees, encoding="utf-8")
    for name, lines in {
        **SYSTEMS,
        "references": REFERENCES,
        "contexts": ["One .", "Two .", "Three .", "Four ."],
    }.items():
        path = tmp_path / f"{name}.txt"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        found[name] = str(path)
    return found


def rows_of(folder: Path) -> list[dict[str, str]]:
    with (folder / "items.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_the_presets_are_those_of_the_library() -> None:
    assert tuple(presets.PRESETS) == PRESETS


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_as_it_is(run: Run, tmp_path: Path, name: str) -> None:
    result = run("study", "new", "My Study", "--preset", name, "--seed", 3)
    assert result.exit_code == 0
    assert f"from the preset {name}" in result.output
    study = read_study(tmp_path / "My Study" / "study.yaml")
    assert (study.name, study.assignment.seed) == ("my-study", 3)
    assert run("study", "check", "My Study").exit_code == 0


def outputs(files: dict[str, str], names: str = "abcd") -> list[str]:
    return [part for name in names for part in ("--outputs", files[name])] + ["--references", files["trees"]]


def test_variants_are_chosen_from_outputs_and_explained(run: Run, tmp_path: Path, files: dict[str, str]) -> None:
    result = run("study", "new", "s", *outputs(files), "--contexts", files["contexts"], "--words", "8-20")
    assert result.exit_code == 0
    study = read_study(tmp_path / "s" / "study.yaml")
    pages = study.pages_of(study.by_name["main"])
    assert list(pages) == ["1", "2", "4"]  # the third is too short
    assert all(3 <= len(items) <= 5 for items in pages.values())
    best = study.by_id["1-a"]
    assert best.text == "There was no cost estimate for the second phase."
    assert best.context == "One."
    assert float(best.values["m.generation_tree_accuracy"]) == 1.0
    assert best.values["m.length"] == "10"
    assert best.values["why"].startswith("highest generation tree accuracy 1.00")
    assert all(item.values["why"] in result.output for items in pages.values() for item in items)
    assert "Only 3 of 6 sentences have 3 different outputs." in result.output
    assert "paragraphs" not in result.output
    header = (tmp_path / "s" / "study.yaml").read_text(encoding="utf-8").split("\n\n")[0]
    assert "Items: outputs of a, b, c, d." in header


def test_names_bases_and_json(run: Run, tmp_path: Path, files: dict[str, str]) -> None:
    given = ["--outputs", f"x={files['a']}", "--outputs", f"x={files['b']}", "--outputs", files["c"]]
    arguments = [*given, "--references", files["trees"], "--bases", 1, "--variants", 3, "--preset", "best-worst"]
    result = run("study", "new", "s", *arguments, "--json", "--name", "other")
    assert result.exit_code == 0
    record = json.loads(result.stdout)
    assert (record["study"], record["preset"]) == ("other", "best-worst")
    assert [row["system"] for row in record["items"]] == ["x", "x-2", "c"]
    assert all("context" not in row for row in record["items"])
    assert [row["item"] for row in rows_of(tmp_path / "s")] == [row["item"] for row in record["items"]]


def test_the_same_files_give_the_same_study(run: Run, tmp_path: Path, files: dict[str, str]) -> None:
    for folder in ("s", "t"):
        assert run("study", "new", folder, "--name", "same", *outputs(files)).exit_code == 0
    for name in ("study.yaml", "items.csv"):
        assert (tmp_path / "s" / name).read_bytes() == (tmp_path / "t" / name).read_bytes()


def test_it_is_said_that_paragraphs_are_missing(run: Run, files: dict[str, str]) -> None:
    assert "but there are none (--contexts)" in run("study", "new", "s", *outputs(files)).output


def test_text_is_tokenised_where_that_is_asked_for(run: Run, tmp_path: Path, files: dict[str, str]) -> None:
    for name, path in files.items():
        if name not in ("contexts", "trees"):
            text = Path(path).read_text(encoding="utf-8")
            Path(path).write_text(text.replace(" .", "."), encoding="utf-8")
    given = [part.replace(files["trees"], files["references"]) for part in outputs(files)]
    assert run("study", "new", "s", *given, "--tokenize", "13a").exit_code == 0
    found = {row["item"]: row for row in rows_of(tmp_path / "s")}
    assert found["1-a"]["m.length"] == "10"


def test_trees_with_sentence_ids_and_texts(
    run: Run, tmp_path: Path, files: dict[str, str], small_treebank: Path
) -> None:
    from fergus.treebank import read_trees

    trees = [tree for tree in read_trees(small_treebank) if 8 <= len(tree.forms) <= 20][:3]
    sentences = "\n\n".join(
        part for part in small_treebank.read_text(encoding="utf-8").split("\n\n") if _id_in(part, trees)
    )
    (tmp_path / "r.conllu").write_text(sentences + "\n\n", encoding="utf-8")
    for name, step in (("p", 1), ("q", -1), ("r", 2)):
        lines = [" ".join(tree.forms[::step]) for tree in trees]
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    given = [part for name in "pqr" for part in ("-s", tmp_path / f"{name}.txt")]
    result = run("study", "new", "s", *given, "-r", tmp_path / "r.conllu", "--parser", "none")
    assert result.exit_code == 0, result.output
    assert {row["group"] for row in rows_of(tmp_path / "s")} == {dict(t.tree.metadata)["sent_id"] for t in trees} | {
        "zoo"
    }


def _id_in(part: str, trees: list[object]) -> bool:
    names = {dict(tree.tree.metadata)["sent_id"] for tree in trees}  # type: ignore[attr-defined]
    return any(f"# sent_id = {name}\n" in part for name in names)


def test_pairs_with_controls(run: Run, tmp_path: Path, files: dict[str, str]) -> None:
    given = ["--human", files["references"], "--generated", files["b"], "--generated", f"rev={files['d']}"]
    result = run("study", "new", "s", "-p", "hardcastle-2008", *given, "--bases", 2, "--controls", 1, "--seed", 5)
    assert result.exit_code == 0
    assert "2 pairs human and machine, out of 4 lines" in result.output
    assert "1 pair machine-machine, out of 4 lines" in result.output
    assert "Only" not in result.output
    rows = [row for row in rows_of(tmp_path / "s") if row["block"] == "main"]
    assert [row["author"] for row in rows] == ["human", "machine"] * 2 + ["machine", "machine"]
    assert {row["system"] for row in rows} == {"human", "b", "rev"}
    assert read_study(tmp_path / "s" / "study.yaml").assignment.seed == 5


def test_few_lines_make_pairs_before_controls_and_that_is_said(run: Run, tmp_path: Path, files: dict[str, str]) -> None:
    given = ["--human", files["references"], "--human", files["c"], "--generated", files["b"]]
    result = run("study", "new", "s", "-p", "hardcastle-2008", *given, "--bases", 3)
    assert result.exit_code == 0, result.output
    assert "3 pairs human and machine, out of 4 lines" in result.output
    assert "Only 1 of 4 control pairs human-human: no other line with two different texts is left." in result.output
    assert "machine-machine" not in result.output
    rows = [row for row in rows_of(tmp_path / "s") if row["block"] == "main"]
    assert [row["control"] for row in rows] == [""] * 6 + ["human-human"] * 2
    assert run("study", "new", "t", "-p", "hardcastle-2008", *given).exit_code == 0
    assert {row["control"] for row in rows_of(tmp_path / "t") if row["block"] == "main"} == {""}


def test_nothing_is_written_over_unless_that_is_said(run: Run, tmp_path: Path) -> None:
    assert run("study", "new", "s").exit_code == 0
    (tmp_path / "s" / "study.yaml").write_text("mine", encoding="utf-8")
    refused = run("study", "new", "s")
    assert refused.exit_code == 2
    assert "is there already" in refused.output
    assert (tmp_path / "s" / "study.yaml").read_text(encoding="utf-8") == "mine"
    assert run("study", "new", "s", "--force").exit_code == 0
    assert read_study(tmp_path / "s" / "study.yaml").name == "s"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--outputs", "a.txt"], "--references is missing"),
        (["--references", "a.txt"], "--outputs is missing"),
        (["--human", "a.txt", "-p", "hardcastle-2008"], "--generated is missing"),
        (["--human", "a.txt", "--generated", "b.txt"], "--human is not for bangalore-2000"),
        (["--outputs", "a.txt", "-p", "task"], "--outputs is not for task"),
        (["--outputs", "=a.txt", "--references", "a.txt"], "'=a.txt' is not NAME=FILE"),
        (["--variants", "5-3"], "is not two numbers from 1"),
        (["--variants", "many"], "is not two numbers from 1"),
        (["--outputs", "none.txt", "--references", "a.txt"], "none.txt: the file cannot be read"),
        (["--outputs", "a.txt", "--references", "a.txt", "--words", "50-60"], "no reference has from 50 to 60 words"),
        (["--outputs", "a.txt", "--references", "references.conllu"], "no sentence has 3 different outputs"),
        (["--name", "Bad Name"], "'Bad Name' is no name for a study"),
    ],
)
def test_what_is_refused_leaves_nothing_behind(
    run: Run, tmp_path: Path, files: dict[str, str], arguments: list[str], problem: str
) -> None:
    result = run("study", "new", "s", *arguments)
    assert result.exit_code == 2
    assert problem in " ".join(result.output.split())
    assert not (tmp_path / "s").exists()


def test_a_folder_without_letters_needs_a_name(run: Run) -> None:
    assert "give one: --name my-study" in " ".join(run("study", "new", "???").output.split())


def test_marks_are_put_where_people_put_them() -> None:
    assert (
        readable('he said ( softly ) that it is n\'t so , " perhaps " .')
        == 'He said (softly) that it isn\'t so, " perhaps ".'
    )
    assert readable("") == ""
