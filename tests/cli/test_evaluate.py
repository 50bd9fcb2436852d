from __future__ import annotations

import csv
import io
import json
import os
import re
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from click.testing import Result

from fergus.cli.evaluation_options import FILE_FORMATS, OUTPUTS, TOKENIZERS
from fergus.evaluation import read, selection, tokenizers
from fergus.metrics.catalogue import metric_names
from fergus.models import __file__ as models

from .conftest import Run

PARSER = Path(models).parent / "en.udpipe"
PAPER = (
    "simple_string_accuracy",
    "generation_string_accuracy",
    "simple_tree_accuracy",
    "generation_tree_accuracy",
    "understandability_accuracy",
    "quality_accuracy",
)
COUNTS = ("substitutions", "insertions", "deletions", "moves", "length")


def written(folder: Path, **files: str) -> None:
    for name, content in files.items():
        (folder / name.replace("_", ".")).write_text(content, encoding="utf-8")


def as_json(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def fails(result: Result, *parts: str) -> None:
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    message = " ".join(result.stderr.split())
    for part in parts:
        assert part in message, message


def test_a_table_of_one_system(run: Run, folder: Path) -> None:
    result = run("evaluate", "mine.txt", "references.conllu", "--metrics", "paper,bleu")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["mean", "95%", "interval", "pooled", "95%", "interval"]
    # Means of 5 sentences: (4/9 + 9/11 + 4/8 + 1 + 5/9) / 5 = .6636; pooled 1 - (5 + 2 + 4 + 0 + 4) / 45 = .6667.
    assert re.fullmatch(r"Simple String Accuracy ↑ +\.6636\* .* \.6667  .*", lines[1])
    assert re.fullmatch(r"BLEU ↑ +\d\d\.\d\d  .* \d\d\.\d\d\* .*", lines[7])
    assert "5 sentences, 1 reference each; tokens: spaces, case as it is; trees: given" in lines
    assert "fewer than 30 sentences: intervals are rough" in lines


def test_many_sentences_are_not_called_few(run: Run, folder: Path) -> None:
    written(folder, h_txt="a b c\n" * 30)
    assert "rough" not in run("evaluate", "h.txt", "h.txt", "-m", "string").stdout


def test_json_has_every_count_and_every_score(run: Run, folder: Path) -> None:
    arguments = ("mine.txt", "references.conllu", "-s", "theirs.txt", "--metrics", "paper,peers,draft")
    found = as_json(run("evaluate", *arguments, "--language-model", "none", "--json"))
    names = [*PAPER, "bleu", "nist", "chrf", "ter", "rouge_l", "dist", "exact_match"]
    names += ["draft_simple_tree_accuracy", "draft_generation_tree_accuracy"]
    assert (found["format"], found["version"]) == ("fergus-evaluation", 1)
    assert list(found["metrics"]) == names
    assert {about["headline"] for about in found["metrics"].values()} == {"mean", "pooled"}
    assert found["settings"]["sentences"] == "5"
    assert found["comparisons"] == []
    assert [system["name"] for system in found["systems"]] == ["mine", "theirs"]
    for system in found["systems"]:
        assert list(system["scores"]) == names
        for score in system["scores"].values():
            assert score["mean_interval"][0] <= score["mean"] <= score["mean_interval"][1]
            assert score["pooled_interval"][0] <= score["pooled"] <= score["pooled_interval"][1]
            assert score["score"] in (score["mean"], score["pooled"])
            assert (score["sentences"], score["missing"]) == (5, 0)
            assert score["signature"].startswith("metric:")
        assert [sentence["id"] for sentence in system["sentences"]] == ["cost", "farmer", "rain", "plan", "baker"]
        for sentence in system["sentences"]:
            for name in (*names, *COUNTS, *(f"tree_{name}" for name in COUNTS)):
                assert sentence[name] is not None
    # Table 1 of the paper.
    first = found["systems"][0]["sentences"][0]
    assert [first[name] for name in COUNTS] == [1, 2, 2, 1, 9]
    assert [first[f"tree_{name}"] for name in COUNTS] == [0, 3, 3, 3, 9]
    assert [f"{first[name]:.2f}" for name in PAPER[:4]] == ["0.44", "0.56", "0.33", "0.67"]
    assert first["hypothesis"] == "There was estimate for phase the second no cost"
    assert first["reference"] == "There was no cost estimate for the second phase"
    assert first["reference_number"] == 1
    totals = {name: sum(sentence[name] for sentence in found["systems"][0]["sentences"]) for name in COUNTS}
    assert {name: found["systems"][0]["counts"][name] for name in COUNTS} == totals


def test_csv_has_a_row_a_sentence(run: Run, folder: Path) -> None:
    result = run("evaluate", "mine.txt", "references.conllu", "-s", "theirs.txt", "-m", "paper", "--output", "csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert len(rows) == 10
    assert [rows[0][name] for name in ("system", "id", "reference_number", "moves", "tree_moves")] == [
        *("mine", "cost", "1", "1", "3")
    ]
    assert rows[5]["hypothesis"].startswith("no There was")
    assert rows[5]["reference"].startswith("There was no")


def test_csv_of_scores(run: Run, folder: Path) -> None:
    result = run("evaluate", "mine.txt", "references.conllu", "-m", "string,bleu", "--output", "csv-scores")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [row["metric"] for row in rows] == [*PAPER[:2], "bleu"]
    assert float(rows[2]["pooled_low"]) <= float(rows[2]["score"]) == float(rows[2]["pooled"])


def test_latex(run: Run, folder: Path) -> None:
    arguments = ("-m", "string,ter", "--output", "latex", "-s", "their_own=theirs.txt")
    lines = run("evaluate", "mine.txt", "references.conllu", *arguments).stdout.splitlines()
    assert lines[0].startswith("% metric:simple_string_accuracy|refs:1|")
    assert lines[3:6] == [r"\begin{tabular}{lrrr}", r"\toprule", lines[5]]
    assert lines[5] == r"System & SSA $\uparrow$ & GSA $\uparrow$ & TER $\downarrow$ \\"
    assert lines[7].startswith(r"mine & \textbf{.6636} & \textbf{.7540} & \textbf{")
    assert lines[8].startswith(r"their\_own & .5159")


def test_the_html_report_is_one_file(run: Run, folder: Path) -> None:
    before = set(folder.iterdir())
    result = run("evaluate", "mine.txt", "references.conllu", "-m", "paper", "--html", "report.html")
    assert result.exit_code == 0
    assert "Simple String Accuracy" in result.stdout  # the table is there all the same
    assert set(folder.iterdir()) - before == {folder / "report.html"}
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert not re.search(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//|@import|url\(""", page)
    assert "phase" in page


def test_several_references(run: Run, folder: Path) -> None:
    written(folder, h_txt="a b c\nd e\n", one_txt="a b x\nd e\n", two_txt="a b c\n\n")
    found = as_json(run("evaluate", "h.txt", "one.txt", "two.txt", "-m", "string,bleu", "--json"))
    first, second = found["systems"][0]["sentences"]
    assert (first["reference_number"], first["simple_string_accuracy"], first["reference"]) == (2, 1.0, "a b c")
    assert second["reference_number"] == 1  # the other one is empty and counts for nothing
    assert found["settings"]["references"] == "1-2"
    assert "|refs:1-2|" in found["metrics"]["bleu"]["signature"]


def test_systems_have_names(run: Run, folder: Path) -> None:
    (folder / "other").mkdir()
    copy(folder / "theirs.txt", folder / "other" / "mine.txt")
    copy(folder / "theirs.txt", folder / "a=b.txt")
    systems = ("-s", "other/mine.txt", "-s", "new=mine.txt", "-s", "a=b.txt", "-s", "mine=mine.txt")
    found = as_json(run("evaluate", "mine.txt", "references.conllu", *systems, "-m", "exact_match", "--json"))
    # A file that is there is a file, whatever its name.
    assert [system["name"] for system in found["systems"]] == ["mine", "mine-2", "new", "a=b", "mine-3"]


@pytest.mark.parametrize("given", ["=mine.txt", "new="])
def test_half_a_name(run: Run, folder: Path, given: str) -> None:
    fails(run("evaluate", "mine.txt", "references.conllu", "-s", given), f"{given!r} is not NAME=FILE")


def test_output_in_conllu_and_json(run: Run, folder: Path) -> None:
    words = (folder / "mine.txt").read_text().splitlines()
    names = ["cost", "farmer", "rain", "plan", "baker"]
    objects = [{"sent_id": name, "tokens": line.split()} for name, line in zip(names, words, strict=True)]
    (folder / "mine.jsonl").write_text("".join(json.dumps(item) + "\n" for item in objects))
    metrics = ("-m", "paper,bleu", "--output", "csv-scores")
    plain = run("evaluate", "mine.txt", "references.conllu", *metrics).stdout
    assert run("evaluate", "mine.jsonl", "references.conllu", *metrics).stdout == plain
    found = as_json(run("evaluate", "references.conllu", "references.conllu", "-m", "paper", "--json"))
    assert {score["mean"] for score in found["systems"][0]["scores"].values()} == {1.0}


def test_standard_input(run: Run, folder: Path) -> None:
    options = ("-m", "paper,bleu", "--output", "latex")
    result = run("evaluate", "-", "references.conllu", *options, stdin=(folder / "mine.txt").read_text())
    assert "stdin & " in result.stdout
    other = run("evaluate", "mine.txt", "-", *options, stdin=(folder / "references.conllu").read_text())
    assert other.stdout == result.stdout.replace("stdin & ", "mine & ")
    fails(run("evaluate", "-", "-", "-m", "bleu"), "only one file can be standard input")
    fails(run("evaluate", "mine.txt", "-", "-m", "nist", stdin="a\n"), "NIST reads the references twice", "give a file")


def test_the_format_can_be_stated(run: Run, folder: Path) -> None:
    written(folder, h_txt='{"text": "a b"}\n', r_dat="{ } b\n")
    found = as_json(run("evaluate", "h.txt", "h.txt", "-m", "string", "--file-format", "json", "--json"))
    assert found["systems"][0]["sentences"][0]["length"] == 2
    fails(run("evaluate", "r.dat", "r.dat", "-m", "string"), "r.dat:1: this is not JSON")
    assert run("evaluate", "r.dat", "r.dat", "-m", "string", "-f", "text").exit_code == 0


def test_references_that_stand_with_the_output(run: Run, folder: Path) -> None:
    written(folder, h_jsonl='{"text": "a b", "references": ["a c", ["a", "b"]]}\n{"text": "d", "references": ["d"]}\n')
    found = as_json(run("evaluate", "h.jsonl", "-m", "string,nist", "--json"))
    assert [sentence["reference_number"] for sentence in found["systems"][0]["sentences"]] == [2, 1]
    written(folder, h_jsonl='{"text": "a b"}\n')
    fails(run("evaluate", "h.jsonl", "-m", "string"), "h.jsonl:1: there is no reference", "name a file of references")


def test_identifiers_say_which_of_two_equal_words_it_is(run: Run, folder: Path) -> None:
    rows = [("1", "the", 2), ("2", "dogs", 3), ("3", "see", 0), ("4", "the", 5), ("5", "cats", 3)]
    lines = "".join(f"{i}\t{form}\t_\t_\t_\t_\t{head}\t_\t_\t_\n" for i, form, head in rows)
    sentence = '{"text": "the dogs see the cats", "order": ["4", "2", "3", "1", "5"]}\n'
    written(folder, r_conllu=lines + "\n", h_jsonl=sentence, w_txt="the dogs see the cats\n")
    by_identifier = as_json(run("evaluate", "h.jsonl", "r.conllu", "-m", "tree", "--json"))
    by_word = as_json(run("evaluate", "w.txt", "r.conllu", "-m", "tree", "--json"))
    # With the two exchanged, "the" of "cats" comes after "cats", and that of "dogs" is last: see test_tree_accuracy.
    assert by_identifier["systems"][0]["sentences"][0]["tree_moves"] == 1
    assert by_word["systems"][0]["sentences"][0]["tree_moves"] == 0
    written(folder, h_jsonl=sentence.replace('"4"', '"7"'))
    fails(run("evaluate", "h.jsonl", "r.conllu", "-m", "tree"), "h.jsonl:1: the reference has no node '7'")


def test_case_and_tokens(run: Run, folder: Path) -> None:
    written(folder, h_txt="No cost, sir.\n", r_txt="no cost , sir .\n")
    assert as_json(run("evaluate", "h.txt", "r.txt", "-m", "exact_match", "--json"))["systems"][0]["sentences"][0][
        "exact_match"
    ] == pytest.approx(0)
    found = as_json(run("evaluate", "h.txt", "r.txt", "-m", "string", "--lowercase", "--tokenize", "13a", "--json"))
    assert found["systems"][0]["sentences"][0]["simple_string_accuracy"] == 1
    assert "|case:lower|tok:13a|" in found["metrics"]["simple_string_accuracy"]["signature"]


def test_text_that_nobody_tokenised(run: Run, folder: Path) -> None:
    written(folder, h_txt="I see it.\nYou do not.\n")
    result = run("evaluate", "h.txt", "h.txt", "-m", "string")
    assert "Warning: 100% of the lines look untokenised" in result.stderr
    assert "--tokenize" in result.stderr
    assert run("evaluate", "h.txt", "h.txt", "-m", "string", "--quiet").stderr == ""
    assert run("evaluate", "h.txt", "h.txt", "-m", "string", "--tokenize", "13a").stderr == ""


def test_files_the_wrong_way_round(run: Run, folder: Path) -> None:
    result = run("evaluate", "references.conllu", "mine.txt", "-m", "string")
    assert "Warning: the hypotheses have trees and the references have none" in result.stderr


def test_references_by_an_option(run: Run, folder: Path) -> None:
    by_option = run("evaluate", "mine.txt", "-r", "references.conllu", "-m", "string", "--json", "--quiet").stdout
    assert by_option == run("evaluate", "mine.txt", "references.conllu", "-m", "string", "--json", "--quiet").stdout


def test_groups_of_metrics(run: Run, folder: Path) -> None:
    arguments = ("evaluate", "mine.txt", "references.conllu", "--parser", "none", "--language-model", "none", "--json")
    default = as_json(run(*arguments))
    assert set(default["metrics"]) == {*PAPER, "bleu", "nist", "chrf", "ter", "rouge_l", "dist", "exact_match"}
    every = as_json(run(*arguments, "--metrics", "all"))
    assert set(metric_names()) - set(every["metrics"]) == {
        *("fluency", "tag_agreement", "tag_agreement_scrambled", "tag_agreement_reference")
    }
    chosen = as_json(run(*arguments, "--metrics", " ter, learned", "-m", "string,ter"))
    assert list(chosen["metrics"]) == ["ter", "understandability_accuracy", "quality_accuracy", *PAPER[:2]]
    fails(run(*arguments, "-m", "peers,fluency"), "fluency needs a language model", "--language-model")
    fails(run(*arguments, "-m", "tags"), "tag_agreement needs a tagger", "--parser")


@pytest.mark.parametrize(
    ("given", "parts"),
    [
        ("blue", ("no metric 'blue'", "did you mean bleu?", "groups are paper, string")),
        ("BLEU", ("no metric 'BLEU'", "did you mean bleu?")),
        ("paper,rouge-l", ("no metric 'rouge-l'", "did you mean rouge_l?")),
        (",", ("no metric is chosen",)),
        ("mine.toml", ("mine.toml: there is no such file",)),
    ],
)
def test_unknown_metrics(run: Run, folder: Path, given: str, parts: tuple[str, ...]) -> None:
    fails(run("evaluate", "mine.txt", "references.conllu", "--metrics", given), *parts)


def test_a_metric_of_one_s_own(run: Run, folder: Path) -> None:
    written(
        folder,
        my_toml='format = "fergus-metric"\nversion = 1\nname = "mine"\ntitle = "Mine"\nintercept = 0.5\n'
        "[coefficients]\ngeneration_string_accuracy = 0.5\nremaining_insertions = -0.25\n",
    )
    found = as_json(run("evaluate", "mine.txt", "references.conllu", "-m", "my.toml", "--json"))
    # The first sentence: 0.5 + 0.5 * 5/9 - 0.25 * (2 - 1); a perfect one has 1.
    assert found["systems"][0]["sentences"][0]["mine"] == pytest.approx(0.5 + 2.5 / 9 - 0.25)
    assert found["systems"][0]["sentences"][3]["mine"] == 1


def test_files_that_part(run: Run, folder: Path) -> None:
    lines = (folder / "mine.txt").read_text().splitlines(keepends=True)
    written(folder, short_txt="".join(lines[:3]), long_txt="".join([*lines, "And more .\n"]))
    fails(
        run("evaluate", "short.txt", "references.conllu", "-m", "bleu"),
        "references.conllu:38: short.txt has 3 sentences, references.conllu has more",
        "they part after 'Rain will reach before noon the coast .'",
        "goes on with 'She never said that the plan failed .'",
    )
    fails(run("evaluate", "long.txt", "references.conllu", "-m", "bleu"), "long.txt:6:", "goes on with 'And more .'")


def test_sentences_in_another_order(run: Run, folder: Path) -> None:
    written(folder, h_jsonl='{"sent_id": "rain", "text": "Rain"}\n')
    fails(run("evaluate", "h.jsonl", "references.conllu", "-m", "bleu"), "'rain'", "'cost'", "in the same order")


def test_an_empty_reference(run: Run, folder: Path) -> None:
    written(folder, h_txt="a\nb\n", r_txt="a\n\n")
    fails(run("evaluate", "h.txt", "r.txt", "-m", "bleu"), "r.txt:2: the reference is empty (sentence 2)")


def test_an_empty_hypothesis(run: Run, folder: Path) -> None:
    written(folder, h_txt="a b\n\n", r_txt="a b\nc d\n")
    names = (*PAPER[:2], "bleu", "nist", "chrf", "ter", "rouge_l", "dist", "exact_match")
    result = run("evaluate", "h.txt", "r.txt", "-m", ",".join(names), "--json")
    assert result.stderr == "Warning: 1 of 2 hypotheses of h are empty\n"
    second = as_json(result)["systems"][0]["sentences"][1]
    assert {name: second[name] for name in names} == dict.fromkeys(names, 0) | {"ter": 100}
    assert [second[name] for name in COUNTS] == [0, 0, 2, 0, 2]


def test_what_is_undefined_is_null_and_counted(run: Run, folder: Path) -> None:
    arguments = ("evaluate", "mine.txt", "theirs.txt", "--metrics", "simple_tree_accuracy,bleu", "--parser", "none")
    found = as_json(run(*arguments, "--json"))
    (system,) = found["systems"]
    assert system["scores"]["simple_tree_accuracy"]["missing"] == 5
    assert system["scores"]["simple_tree_accuracy"]["score"] is None
    assert {sentence["simple_tree_accuracy"] for sentence in system["sentences"]} == {None}
    assert system["counts"]["tree_moves"] is None
    assert re.search(r"Simple Tree Accuracy ↑ +- +- +undefined: no trees\n", run(*arguments).stdout)
    assert "STA" not in run(*arguments, "--output", "latex").stdout
    several = run(*arguments, "-s", "other=mine.txt").stdout
    assert "Simple Tree Accuracy is undefined for sentences: 5 (mine), 5 (other)\n" in several


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("caf\u00e9\n".encode("latin-1"), ("h.txt:1: byte 4 of the line (0xe9) is not valid UTF-8",)),
        (b"a " * 1_000_000 + b"\n", ("h.txt:1: the line is longer than", "a line of its own")),
        (b"a " * 6_000 + b"\n", ("h.txt:1: the sentence has 6,000 tokens", "at most 5,000 are scored")),
        (b"", ("h.txt has 0 sentences",)),
    ],
)
def test_bad_text(run: Run, folder: Path, content: bytes, parts: tuple[str, ...]) -> None:
    (folder / "h.txt").write_bytes(content)
    written(folder, r_txt="a\n")
    fails(run("evaluate", "h.txt", "r.txt", "-m", "bleu"), *parts)


def test_no_sentences_at_all(run: Run, folder: Path) -> None:
    written(folder, h_txt="", r_txt="")
    fails(run("evaluate", "h.txt", "r.txt", "-m", "bleu"), "there are no sentences")


@pytest.mark.parametrize("line", ['{"text": NaN}', '{"tokens": ["a", NaN]}', '{"text": "a", "order": [NaN]}'])
def test_nan_is_no_text(run: Run, folder: Path, line: str) -> None:
    written(folder, h_jsonl=line + "\n", r_txt="a\n")
    fails(run("evaluate", "h.jsonl", "r.txt", "-m", "bleu"), "h.jsonl:1: ", "nan")


def test_a_file_that_is_not_there(run: Run, folder: Path) -> None:
    fails(
        run("evaluate", "none.txt", "references.conllu", "-m", "bleu"),
        "none.txt: the file cannot be read (No such file",
    )
    fails(run("evaluate", "mine.txt", "none.txt", "-m", "bleu"), "check the name")
    fails(run("evaluate", "mine.txt", "references.conllu", "-m", "paper,", "bleu"), "bleu is a metric and no file")
    fails(run("evaluate", "mine.txt", "references.conllu", "--json", "--output", "csv"), "contradict each other")
    fails(run("evaluate", "mine.txt", "none.txt", "-m", "tree", "--parser", "none.udpipe"), "none.")
    fails(run("evaluate", "mine.txt", "mine.txt", "-m", "tree", "--parser", "absent"), "absent: no such parser")
    fails(run("evaluate", "mine.txt", "mine.txt", "-m", "fluency", "--language-model", "absent"), "no such model")


def test_out_and_html_appear_whole_or_not_at_all(run: Run, folder: Path) -> None:
    written(folder, short_txt="a\n", table_txt="old", report_html="old")
    targets = ("--out", "table.txt", "--html", "report.html")
    fails(run("evaluate", "short.txt", "references.conllu", "-m", "bleu", *targets), "they part")
    assert (folder / "table.txt").read_text() == (folder / "report.html").read_text() == "old"
    result = run("evaluate", "mine.txt", "references.conllu", "-m", "bleu", *targets)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "BLEU" in (folder / "table.txt").read_text(encoding="utf-8")
    assert (folder / "report.html").read_text(encoding="utf-8").startswith("<!")
    fails(run("evaluate", "a", "b", "--out", "x.html", "--html", "x.html"), "--html and --out name the same file")
    fails(run("evaluate", "mine.txt", "references.conllu", "--html", "none/x.html", "-m", "bleu"), "cannot be written")


def test_no_intervals(run: Run, folder: Path) -> None:
    arguments = ("evaluate", "mine.txt", "references.conllu", "-m", "string", "--samples", "0")
    text = run(*arguments).stdout
    assert "interval" not in text
    assert as_json(run(*arguments, "--json"))["systems"][0]["scores"]["simple_string_accuracy"]["mean_interval"] is None


@pytest.mark.parametrize(
    "options",
    [("--samples", "-1"), ("--samples", "10000000"), ("--seed", "-1"), ("--tokenize", "x"), ("--output", "x")],
)
def test_options_out_of_range(run: Run, folder: Path, options: tuple[str, str]) -> None:
    fails(run("evaluate", "mine.txt", "references.conllu", *options), f"Invalid value for '{options[0]}'")


def test_the_same_seed_gives_the_same_bytes(run: Run, folder: Path) -> None:
    def once(seed: str) -> bytes:
        return run("evaluate", "mine.txt", "references.conllu", "-m", "paper", "--json", "--seed", seed).stdout_bytes

    assert once("1") == once("1")
    assert once("1") != once("2")


def test_fluency_by_a_model_and_by_an_arpa_file(run: Run, folder: Path, model: str) -> None:
    arguments = ("evaluate", "mine.txt", "references.conllu", "-m", "fluency", "--json", "--language-model")
    found = as_json(run(*arguments, model))
    assert found["systems"][0]["scores"]["fluency"]["pooled"] > 0
    assert re.search(r"\|model:small\.fergus-[0-9a-f]{8}\|", found["metrics"]["fluency"]["signature"])
    arpa = "\\data\\\nngram 1=3\n\n\\1-grams:\n-1\t<unk>\n-99\t<s>\n-1\t</s>\n\n\\end\\\n"
    written(folder, tiny_arpa=arpa)
    found = as_json(run(*arguments, "tiny.arpa"))
    # Every token, and the end, has a probability of a tenth: log2 of 10 bits each.
    assert found["systems"][0]["scores"]["fluency"]["pooled"] == pytest.approx(3.321928, abs=1e-5)
    assert "|model:tiny.arpa-" in found["metrics"]["fluency"]["signature"]


def test_half_a_surrogate_pair_is_written_as_json_has_it(run: Run, folder: Path) -> None:
    written(folder, h_jsonl='{"text": "\\ud800 a", "references": ["a"]}\n')
    found = as_json(run("evaluate", "h.jsonl", "-m", "bleu", "--json"))
    assert found["systems"][0]["sentences"][0]["hypothesis"] == "\ud800 a"


def test_references_that_several_systems_bring_along_count_once(run: Run, folder: Path) -> None:
    written(
        folder, h_jsonl='{"text": "a", "references": ["a", "b"]}\n', i_jsonl='{"text": "b", "references": ["a", "b"]}'
    )
    found = as_json(run("evaluate", "h.jsonl", "-s", "i.jsonl", "-m", "bleu", "--json"))
    assert found["settings"]["references"] == "2"


def test_nist_does_not_read_a_pipe_twice(run: Run, folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    fails(
        run("evaluate", "mine.txt", "pipe", "-m", "nist"), "NIST reads the references twice", "a pipe can be read once"
    )


def test_what_is_not_compressed_in_spite_of_its_name(run: Run, folder: Path) -> None:
    written(folder, broken_gz="a")
    fails(run("evaluate", "broken.gz", "mine.txt", "-m", "bleu"), "broken.gz: the file cannot be read", "gzip")


def test_references_of_json_have_the_same_limit(run: Run, folder: Path) -> None:
    written(folder, h_jsonl=json.dumps({"id": None, "text": "a", "references": ["a " * 5001]}))
    fails(run("evaluate", "h.jsonl", "-m", "bleu"), "the sentence has 5,001 tokens")


def test_the_parser_s_tokens_need_a_parser(run: Run, folder: Path) -> None:
    result = run("evaluate", "mine.txt", "mine.txt", "--tokenize", "parser", "--parser", "none")
    fails(result, "--tokenize parser needs a parser")


@pytest.mark.skipif(not PARSER.exists(), reason="the shipped parser is not there")
def test_the_shipped_parser(run: Run, folder: Path) -> None:
    text = "She never said that the plan failed.\nRain will reach the coast before noon.\n"
    written(folder, h_txt=text.replace("never said", "said never"), r_txt=text)
    options = ("-m", "tree,tags", "--tokenize", "parser", "--json")
    found = as_json(run("evaluate", "h.txt", "r.txt", *options))
    first, second = found["systems"][0]["sentences"]
    assert first["tree_length"] == second["tree_length"] == 8
    assert first["simple_tree_accuracy"] < 1
    assert second["simple_tree_accuracy"] == 1
    signature = found["metrics"]["simple_tree_accuracy"]["signature"]
    assert re.search(r"\|tok:udpipe:en,.*\|trees:udpipe:en,", signature)


def test_help_says_what_there_is(run: Run) -> None:
    assert TOKENIZERS == tokenizers.TOKENIZERS
    assert FILE_FORMATS[1:] == read.FORMATS
    text = " ".join(run("evaluate", "--help").stdout.split())
    for name in (*TOKENIZERS, *OUTPUTS, *FILE_FORMATS):
        assert name in text
    assert f"groups ({', '.join(selection.GROUPS)})" in text
    assert f"[default: {','.join(selection.DEFAULT)}]" in text
