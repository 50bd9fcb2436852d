from __future__ import annotations

import json
import re
import signal
from pathlib import Path

import pytest

from fergus.cli.options import PRESETS
from fergus.cli.realize import OUTPUTS, Tally
from fergus.exchange.rendering import RENDERERS
from fergus.treebank import read_trees
from tests.interrupted import begun

from .conftest import FIGURE_2, Run

SENTENCE = "There was no cost estimate for the second phase"
ROW = "{}\t{}\t_\t_\t_\t_\t{}\t_\t_\t_\n"


def conllu(*words: tuple[int, str, int]) -> str:
    return "".join(ROW.format(*word) for word in words) + "\n"


GOOD = conllu((1, "she", 2), (2, "slept", 0))
BAD = {
    "cycle": (conllu((1, "a", 2), (2, "b", 1), (3, "c", 0)), "its own ancestor"),
    "two roots": (conllu((1, "a", 0), (2, "b", 0)), "two roots"),
    "no root": (conllu((1, "a", 2), (2, "b", 1)), "no root"),
    "missing head": (conllu((1, "a", 0), (2, "b", 9)), "9"),
    "column count": ("1\ta\t_\t_\n\n", "columns"),
    "invalid UTF-8": (conllu((1, "a", 0)).encode().replace(b"a", b"\xff"), "not valid UTF-8"),
    "long line": (conllu((1, "a" * (2 << 20), 0)), "the line is longer than"),
}


def as_bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode()


def test_a_tree_on_the_command_line(run: Run, model: str) -> None:
    result = run("realize", "--model", model, "--tree", FIGURE_2)
    assert (result.exit_code, result.stdout, result.stderr) == (0, f"{SENTENCE}\n", "")


@pytest.mark.parametrize("arguments", [(), ("-",)])
def test_standard_input(run: Run, model: str, arguments: tuple[str, ...]) -> None:
    result = run("realize", "--model", model, *arguments, stdin=f"{FIGURE_2}\n\nsaw(I her)\n")
    assert result.stdout == f"{SENTENCE}\nI saw her\n"
    assert result.stderr.startswith("2 sentences in ")
    assert "projective" not in result.stderr  # the notation has no order


def test_several_files_and_the_summary(run: Run, model: str, small_treebank: Path, tmp_path: Path) -> None:
    (tmp_path / "more.txt").write_text(f"{FIGURE_2}\n")
    result = run("realize", "--model", model, small_treebank, "more.txt", "--output", "tokens")
    lines = result.stdout.splitlines()
    assert len(lines) == 41
    assert lines[-1] == SENTENCE.replace("There", "there")
    for line, tree in zip(lines, read_trees(small_treebank), strict=False):
        assert sorted(line.split(" ")) == sorted(tree.forms)
    assert result.stderr.startswith("41 sentences in ")
    assert result.stderr.endswith("not projective: 1 of 40 input orders\n")
    assert run("realize", "--model", model, small_treebank, "--quiet").stderr == ""


def test_the_order_of_the_input_does_not_matter(run: Run, model: str) -> None:
    shuffled = "estimate(for(phase(second the)) cost no was there)"
    assert run("realize", "--model", model, "--tree", shuffled).stdout == f"{SENTENCE}\n"


def test_bare_ignores_labels(run: Run, model: str) -> None:
    labelled = re.sub(r"(\w+)", r"\1/X:dep", FIGURE_2)
    assert run("realize", "--model", model, "--bare", "--tree", labelled).stdout == f"{SENTENCE}\n"


def test_nbest_lines(run: Run, model: str) -> None:
    result = run("realize", "--model", model, "--nbest", "3", "--output", "tokens", stdin=f"{FIGURE_2}\nyes\n")
    first, second, rest = result.stdout.split("\n\n")
    assert 2 <= len(set(first.split("\n"))) == len(first.split("\n")) <= 3
    assert all(sorted(line.split()) == sorted(SENTENCE.lower().split()) for line in first.split("\n"))
    assert (second, rest) == ("yes", "")  # one word has one order only


def test_json_lines(run: Run, model: str, small_treebank: Path) -> None:
    result = run("realize", "--model", model, small_treebank, "--output", "json", "--nbest", "2")
    records = [json.loads(line) for line in result.stdout.splitlines()]
    trees = list(read_trees(small_treebank))
    assert [record["sent_id"] for record in records] == [f"small-{n}" for n in range(1, 41)]
    for record, ordered in zip(records, trees, strict=True):
        forms = {node.identifier: node.form for node in ordered.tree.nodes}
        assert [forms[name] for name in record["order"]] == record["tokens"]
        assert record["source"] == ordered.tree.source
        assert record["nbest"][0] == {key: record[key] for key in ("text", "tokens", "order", "scores")}
        totals = [each["scores"]["total"] for each in record["nbest"]]
        assert totals == sorted(totals, reverse=True)
    single = json.loads(run("realize", "--model", model, "--tree", FIGURE_2, "--output", "json").stdout)
    assert "nbest" not in single
    assert sorted(single["order"], key=int) == [str(n) for n in range(1, 10)]


def test_conllu_blocks_read_back(run: Run, model: str, small_treebank: Path, tmp_path: Path) -> None:
    result = run("realize", "--model", model, small_treebank, "--output", "conllu", "--out", "out.conllu")
    assert result.stdout == ""
    tokens = run("realize", "--model", model, small_treebank, "--output", "tokens").stdout.splitlines()
    texts = run("realize", "--model", model, small_treebank).stdout.splitlines()
    back = list(read_trees(tmp_path / "out.conllu"))
    assert [" ".join(ordered.forms) for ordered in back] == tokens
    assert [dict(ordered.tree.metadata)["text"] for ordered in back] == texts
    assert all(ordered.is_projective for ordered in back)
    ranked = run("realize", "--model", model, small_treebank, "--output", "conllu", "--nbest", "2").stdout
    assert "# rank = 2\n" in ranked


def test_jobs_keep_the_order(run: Run, model: str, small_treebank: Path, tmp_path: Path) -> None:
    many = tmp_path / "many.conllu"
    many.write_bytes(small_treebank.read_bytes() * 4 + b"1\ta\n\n" + small_treebank.read_bytes())
    arguments = ("realize", "--model", model, many, "--output", "json", "--keep-going")
    one, two = run(*arguments), run(*arguments, "--jobs", "2")
    assert one.stdout == two.stdout
    assert len(one.stdout.splitlines()) == 201
    assert (one.exit_code, two.exit_code) == (2, 2)
    stopped = run("realize", "--model", model, many, "--jobs", "2", "--output", "json")
    assert stopped.exit_code == 2
    assert stopped.stdout.splitlines() == one.stdout.splitlines()[:160]
    assert "many.conllu" in stopped.stderr


def test_jobs_report_a_missing_model(run: Run) -> None:
    result = run("realize", "--model", "none.fergus", "--jobs", "2", stdin="saw(I her)\n")
    assert result.exit_code == 2
    assert "none.fergus: no such model" in result.stderr


@pytest.mark.parametrize("name", BAD)
def test_bad_input_names_file_and_line(name: str, run: Run, model: str, tmp_path: Path) -> None:
    text, expected = BAD[name]
    (tmp_path / "bad.conllu").write_bytes(GOOD.encode() + as_bytes(text) + GOOD.encode())
    for out in ((), ("--out", "out.txt")):
        result = run("realize", "--model", model, "bad.conllu", *out)
        assert result.exit_code == 2
        assert expected in result.stderr
        assert result.stderr.startswith("Error: bad.conllu:")
        assert int(result.stderr.split(":")[2]) in range(4, 8)  # the good sentence has lines 1 to 3
        assert len(result.stderr) < 1000
        assert result.stdout == ("" if out else "She slept\n")
        assert [path.name for path in tmp_path.iterdir()] == ["bad.conllu"]  # nothing half-written


@pytest.mark.parametrize("name", BAD)
def test_keep_going_goes_on(name: str, run: Run, model: str, tmp_path: Path) -> None:
    text, expected = BAD[name]
    (tmp_path / "bad.conllu").write_bytes(GOOD.encode() + as_bytes(text) + GOOD.encode())
    result = run("realize", "--model", model, "bad.conllu", "--keep-going", "--out", "out.txt")
    assert result.exit_code == 2
    assert expected in result.stderr
    assert "1 tree failed" in result.stderr
    assert (tmp_path / "out.txt").read_text() == "She slept\n\nShe slept\n"


def test_what_stands_in_the_place_of_a_bad_tree(run: Run, model: str, tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_text("slept(she)\n\nslept((\nslept(he)\n")
    arguments = ("realize", "--model", model, "bad.txt", "--keep-going", "--quiet", "--output")
    assert run(*arguments, "tokens").stdout == "she slept\n\nhe slept\n"
    records = [json.loads(line) for line in run(*arguments, "json").stdout.splitlines()]
    assert records[1]["source"] == "bad.txt:3"
    assert records[1]["error"].startswith("bad.txt:3: ")
    assert run(*arguments, "conllu").stdout.count("# text") == 2
    assert run(*arguments, "text", "--nbest", "2").stdout.split("\n\n")[0].startswith("She slept")


@pytest.mark.parametrize("name", ["empty.conllu", "empty.json", "empty.txt", "empty.mrg", "empty"])
def test_an_empty_file(name: str, run: Run, model: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"")
    result = run("realize", "--model", model, name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"Error: {name}:1: ")


def test_other_mistakes(run: Run, model: str, tmp_path: Path) -> None:
    def fails(*arguments: str) -> str:
        result = run("realize", *arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        return result.stderr

    assert "none.conllu: the file cannot be read" in fails("--model", model, "none.conllu")
    assert "nothing: no such model" in fails("--model", "nothing", "--tree", "a")
    assert "give --tree or files, not both" in fails("--model", model, "--tree", "a", "b.txt")
    assert "'best' is not one of" in fails("--model", model, "--tree", "a", "--preset", "best")
    assert "a/out.txt: cannot be written" in fails("--model", model, "--tree", "a", "--out", "a/out.txt")
    assert "orders.rules: cannot be read" in fails("--model", model, "--tree", "a", "--rules", "orders.rules")
    (tmp_path / "broken.fergus").write_bytes(b"PK")
    assert "broken.fergus: not a Fergus model" in fails("--model", "broken.fergus", "--tree", "a")


def test_contradictory_constraints_name_the_tree(run: Run, model: str, tmp_path: Path) -> None:
    record = {
        "nodes": [{"id": "a", "form": "a", "head": None}, {"id": "b", "form": "b", "head": "a"}],
        "constraints": [{"before": ["a", "b"]}, {"before": ["b", "a"]}],
    }
    (tmp_path / "bad.json").write_text(json.dumps(record) + "\n")
    result = run("realize", "--model", model, "bad.json", "--keep-going")
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: bad.json:1: ")
    assert result.stdout == "\n"


def test_rules_are_obeyed(run: Run, model: str, tmp_path: Path) -> None:
    (tmp_path / "orders.rules").write_text('fix word "her" left of head\n')
    tokens = run("realize", "--model", model, "--rules", "orders.rules", "--tree", "saw(I her)").stdout.lower().split()
    assert tokens.index("her") < tokens.index("saw")


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset(preset: str, run: Run, model: str, small_treebank: Path) -> None:
    result = run("realize", "--model", model, "--preset", preset, small_treebank, "--output", "tokens")
    assert result.exit_code == 0
    for line, tree in zip(result.stdout.splitlines(), read_trees(small_treebank), strict=True):
        assert sorted(line.split()) == sorted(tree.forms)


def test_interrupt_ends_workers_and_leaves_no_file(fergus_command: str, model: str, tmp_path: Path) -> None:
    (tmp_path / "trees.txt").write_text(f"{FIGURE_2}\n" * 20_000)
    command = [fergus_command, "realize", "--model", model, "trees.txt", "--jobs", "2", "--out", "out.txt"]
    process = begun(command, folder=tmp_path)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in errors
    assert [path.name for path in tmp_path.iterdir()] == ["trees.txt"]


def test_output_names_are_those_of_the_renderers() -> None:
    assert tuple(RENDERERS) == OUTPUTS


def test_summary() -> None:
    assert Tally(1, 0, 0, 0).summary(2) == "1 sentence in 2.0 s"
    assert Tally(3, 0, 0, 0).summary(2) == "3 sentences in 2.0 s (2 a second)"
    assert Tally(2000, 2, 4, 3).summary(2).endswith("; 2 trees failed; not projective: 3 of 4 input orders")
