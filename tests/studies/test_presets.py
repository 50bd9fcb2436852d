"""The presets run as they are, and take other texts."""

from __future__ import annotations

import csv
import io

import pytest

from fergus.errors import InputError
from fergus.studies.assign import conditions_of, plan
from fergus.studies.items_file import parse_items
from fergus.studies.presets import FOLDER, PRESETS, preset_files, renamed, with_rows
from fergus.studies.problems import Problems
from fergus.studies.questions.rating import Rating
from fergus.studies.study import Study
from fergus.studies.study_file import check_study, check_texts, parse_study, read_study


def preset(name: str) -> Study:
    return read_study(FOLDER / name / "study.yaml")


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_without_fault_and_named_after_its_folder(name: str) -> None:
    assert check_study(FOLDER / name / "study.yaml") == []
    assert preset(name).name == name


def test_every_example_is_a_preset() -> None:
    assert {path.name for path in FOLDER.iterdir() if path.is_dir()} == set(PRESETS)


def test_the_paper_s_two_scales() -> None:
    """Section 4.1: 1 to 7, labelled at 7, 4 and 1; 24 variants of 6 sentences, three or five each."""
    study = preset("bangalore-2000")
    main = study.by_name["main"]
    (question,) = main.questions
    assert isinstance(question, Rating)
    assert list(question.values) == [1, 2, 3, 4, 5, 6, 7]
    assert {name: scale.labels for name, scale in question.dimensions.items()} == {
        "understandability": {7: "Extremely easy", 4: "Just barely possible", 1: "Impossible"},
        "quality": {7: "Extremely well-written", 4: "Pretty bad", 1: "Horrible"},
    }
    pages = study.pages_of(main)
    assert sorted(len(items) for items in pages.values()) == [3, 3, 3, 5, 5, 5]
    for items in pages.values():
        assert len({item.text for item in items}) == len(items)
        assert len({item.context for item in items}) == 1
        assert items[0].context


def test_thirty_pairs_and_both_kinds_of_controls() -> None:
    study = preset("hardcastle-2008")
    pages = list(study.pages_of(study.by_name["pairs"]).values())
    kinds = [tuple(sorted(item.values["author"] for item in items)) for items in pages]
    assert kinds.count(("human", "machine")) == 30
    assert kinds.count(("human", "human")) == 4
    assert kinds.count(("machine", "machine")) == 4
    assert all(items[0].text != items[1].text for items in pages)
    assert (study.score, study.share) == (True, True)
    names = [block.name for block in study.blocks]
    assert names.index("before the answers") > names.index("pairs")


def test_scores_of_the_example_are_what_the_metrics_say() -> None:
    """The string accuracies, which need no tree; words are compared without case, marks are tokens."""
    from fergus.metrics import simple_string_accuracy

    study = preset("bangalore-2000")
    references = {item.group: item.text for item in study.items if item.system == "reference"}
    checked = 0
    for item in study.items:
        if item.group in references:
            tokens, reference = (
                text.lower().replace(".", " .").split() for text in (item.text, references[item.group])
            )
            assert float(item.values["m.simple_string_accuracy"]) == pytest.approx(
                simple_string_accuracy(reference, tokens), abs=1e-4
            )
            checked += 1
    assert checked > 10


def test_a_preset_gets_another_name_seed_and_comment() -> None:
    for name in PRESETS:
        files = preset_files(name)
        text = renamed(files.text, name="mine", seed=77, about="Items: others.")
        study = parse_study(text, files.items_text)
        assert (study.name, study.assignment.seed) == ("mine", 77)
        assert text.split("\n\n")[0].endswith("\n#\n# Items: others.")
        assert parse_study(renamed(files.text, name="mine"), files.items_text).assignment == preset(name).assignment


def test_practice_items_stay_when_others_are_put_in() -> None:
    files = preset_files("hardcastle-2008")
    rows = [
        {"item": "x1", "group": "x", "author": "human", "block": "main", "text": 'A "text", so', "new": "1"},
        {"item": "x2", "group": "x", "author": "machine", "block": "main", "text": "B", "new": ""},
    ]
    items_text = with_rows(files.items_text or "", rows)
    found = list(csv.DictReader(io.StringIO(items_text)))
    assert [row["block"] for row in found] == ["practice"] * 4 + ["main"] * 2
    assert found[4]["text"] == 'A "text", so'
    assert len(parse_items(items_text, Problems("i.csv"))) == 6
    assert check_texts(files.text, items_text).problems == ()


def test_an_unknown_preset() -> None:
    with pytest.raises(InputError, match="did you mean best-worst"):
        preset_files("best-wurst")


def test_the_task_stands_alone_and_the_same_message_is_rated_afterwards() -> None:
    study = preset("task")
    for condition in conditions_of(study):
        pages = plan(study, condition, seed=1, judged={})
        solved, rated = ({page.items for page in pages if page.block == name} for name in ("messages", "ease"))
        assert solved == rated
        assert len(solved) == 6
