"""The shared tasks' tracks and the stages, as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fergus.treebank import read_trees

from .conftest import Run


def converted(run: Run, treebank: Path, *options: str, name: str) -> list[str]:
    result = run("convert", treebank, *options, "--out", name)
    assert result.exit_code == 0, result.stderr
    return Path(name).read_text(encoding="utf-8").splitlines()


def test_t1_there_and_back(run: Run, model: str, small_treebank: Path) -> None:
    lines = converted(run, small_treebank, "--to", "t1", "--without-answers", name="T1-small.conllu")
    assert not any("original_id" in line for line in lines)
    assert all(line.split("\t")[2] == "_" for line in lines if line)
    assert any("lin=" in line for line in lines)
    result = run("realize", "T1-small.conllu", "--model", model, "--output", "tokens", "--quiet")
    assert result.exit_code == 0
    realized = [sorted(line.lower().split()) for line in result.stdout.splitlines()]
    gold = [sorted(form.lower() for form in item.forms) for item in read_trees(small_treebank)]
    assert sum(map(list.__eq__, realized, gold)) > 0.9 * len(gold)


def test_t1_with_answers_is_read_as_a_treebank(run: Run, small_treebank: Path) -> None:
    converted(run, small_treebank, "--to", "t1", name="T1-small.conllu")
    assert [item.forms for item in read_trees("T1-small.conllu")] == [item.forms for item in read_trees(small_treebank)]


def test_t2(run: Run, model: str, small_treebank: Path) -> None:
    lines = converted(run, small_treebank, "--to", "t2", "--without-answers", name="T2-small.conllu")
    assert not any("\tDET\t_\tDefinite" in line or "PUNCT" in line for line in lines)
    result = run("realize", "T2-small.conllu", "--model", model, "--output", "json", "--quiet")
    first = json.loads(result.stdout.splitlines()[0])
    assert first["stages"] == ["insert", "inflect", "order", "punctuate"]
    assert first["tokens"][-1] == "."


def test_hints_can_be_left_out_and_the_seed_shuffles(run: Run, small_treebank: Path) -> None:
    assert not any("lin=" in line for line in converted(run, small_treebank, "--to", "t1", "--without-hints", name="a"))
    one, two, again = (
        converted(run, small_treebank, "--to", "t1", "--seed", seed, name=f"t{seed}") for seed in ("1", "2", "1")
    )
    assert one == again != two
    assert sorted(one) != sorted(two) or one != two


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--to", "json", "--without-answers"), "--without-answers goes with --to t1 or t2"),
        (("--to", "t2", "--without-hints"), "--without-hints goes with --to t1"),
    ],
)
def test_options_that_do_not_go_together(run: Run, options: tuple[str, ...], message: str) -> None:
    result = run("convert", "--tree", "a", *options)
    assert result.exit_code == 2
    assert message in result.stderr


def test_contradictory_hints(run: Run, model: str) -> None:
    rows = ["1\tgo\t_\tVERB\t_\t_\t0\troot\t_\t_", "2\t.\t_\tPUNCT\t_\tlin=+1\t1\tpunct\t_\t_"]
    rows.append("3\t!\t_\tPUNCT\t_\tlin=+1\t1\tpunct\t_\t_")
    result = run("realize", "--model", model, "--input-format", "t1", stdin="\n".join(rows) + "\n\n")
    assert result.exit_code == 2
    assert "nodes 2 and 3 both have lin=+1; give each its own place" in result.stderr


def test_function_words_of_a_tree_that_a_person_wrote(run: Run, model: str) -> None:
    tree = "see/VERB:root[Tense=Past](cat/NOUN:nsubj[Definite=Def,Number=Sing])"
    result = run("realize", "--model", model, "--tree", tree, "--stages", "insert,inflect,punctuate")
    assert result.stdout == "The cat saw.\n"
    # Without relations they are filled in first.
    bare = run("realize", "--model", model, "--tree", "see(cat)", "--stages", "insert,inflect")
    assert bare.exit_code == 0


def test_the_shared_tasks_text_format(run: Run, model: str, small_treebank: Path) -> None:
    converted(run, small_treebank, "--to", "t1", "--without-answers", name="T1-small.conllu")
    shown = run("realize", "T1-small.conllu", "--model", model, "--output", "shared-task", "--quiet").stdout
    first, second = shown.split("\n\n")[:2]
    assert first.startswith("# sent_id = 1\n# text = ")
    assert second.startswith("# sent_id = 2\n# text = ")
    bad = run("realize", "--model", model, "--output", "shared-task", "-k", stdin="slept((\nyes\n").stdout
    assert bad == "# sent_id = 1\n# text =\n\n# sent_id = 2\n# text = Yes\n\n"


def test_choices_on_standard_input_are_not_taken_for_json(run: Run, model: str) -> None:
    assert run("realize", "--model", model, "--quiet", stdin="{him|him2}(saw)\n").exit_code == 0


def test_identifiers_of_deep_trees(run: Run, model: str, small_treebank: Path) -> None:
    converted(run, small_treebank, "--to", "t2", name="T2-small.conllu")
    shown = run("realize", "T2-small.conllu", "--model", model, "--output", "json", "--quiet").stdout
    order = json.loads(shown.splitlines()[0])["order"]
    assert None in order
    assert {"1", "2"} <= set(order)


def test_the_lattice_of_a_tree_of_lemmas_has_words(run: Run, model: str) -> None:
    tree = "_/VERB:root[Tense=Past,lemma=see](she/PRON:nsubj)"
    assert "saw" in run("lattice", "--model", model, "--tree", tree, "--format", "dot").stdout


def test_explain_shows_every_stage(run: Run, model: str) -> None:
    tree = "see/VERB:root[Tense=Past]({cat|dog}/NOUN:nsubj[Definite=Def,Number=Sing])"
    options = ("--model", model, "--tree", tree, "--stages", "insert,inflect,punctuate")
    shown = run("explain", *options).stdout
    assert "Stages: choose, insert, inflect, order, punctuate" in shown
    assert "inserted; the 1.00" in shown
    assert "Marks put in: ." in shown
    found = json.loads(run("explain", *options, "--json").stdout)
    assert found["stages"] == ["choose", "insert", "inflect", "order", "punctuate"]
    words = {form for own in found["readings"] for form, _ in own}
    assert {"cat", "dog", "saw", "the"} <= words
    assert found["inserted"]


def test_a_wrong_stage(run: Run, model: str) -> None:
    result = run("realize", "--model", model, "--tree", "a", "--stages", "sort")
    assert result.exit_code == 2
    assert '"sort" is no stage; use auto, or some of choose, insert, inflect, order, punctuate' in result.stderr


def test_deep_trees_of_another_length_cannot_be_trained_on(run: Run, small_treebank: Path) -> None:
    converted(run, small_treebank, "--to", "t2", name="T2-small.conllu")
    short = Path("T2-small.conllu").read_text().split("\n\n", 1)[1]
    Path("T2-short.conllu").write_text(short)
    result = run("train", small_treebank, "--deep", "T2-short.conllu", "--out", "m.fergus", "--quiet")
    assert result.exit_code == 2
    assert "39 deep trees, but 40 sentences" in result.stderr
