from __future__ import annotations

from pathlib import Path

import pytest

from fergus.grammar.rule_parser import parse_rules
from fergus.realize.model import ModelFile, write_model
from fergus.realize.pipeline import PRESETS, Realizer
from fergus.treebank import parse_tree

from .small_model import sections


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> ModelFile:
    file = tmp_path_factory.mktemp("model") / "small.fergus"
    write_model(file, {"language": "en"}, sections())
    return ModelFile(file)


def words(model: ModelFile, rules: str, tree: str, preset: str = "default") -> list[str]:
    realizer = Realizer(model, preset=preset, rules=parse_rules(rules))
    return list(realizer.realize(parse_tree(tree)).tokens)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_fixed_side_is_kept_by_every_preset(model: ModelFile, preset: str) -> None:
    for side, wanted in (("left", ["him", "saw"]), ("right", ["saw", "him"])):
        found = words(model, f'fix word "him" {side} of head\n', "saw(she him)", preset)
        assert [w for w in found if w in wanted] == wanted


def test_a_rank(model: ModelFile) -> None:
    found = words(model, 'fix word "yesterday" right of head rank 1\n', "saw(she him yesterday)")
    assert found[found.index("saw") + 1] == "yesterday"


def test_rules_see_labels_that_were_filled_in(model: ModelFile) -> None:
    found = words(model, "fix relation nsubj right of category VERB\n", "saw(she him)")
    assert found.index("she") > found.index("saw")


def test_a_strong_preference_wins_and_a_weak_one_does_not(model: ModelFile) -> None:
    usual = words(model, "", "saw(she him)")
    assert words(model, 'prefer word "she" right of head by 0.001\n', "saw(she him)") == usual
    strong = words(model, 'prefer word "she" right of head by 500\n', "saw(she him)")
    assert strong.index("she") > strong.index("saw")


def test_a_preference_between_sisters_counts_across_the_head(model: ModelFile) -> None:
    found = words(model, 'prefer word "him" before word "she" by 500\n', "saw(she him)")
    assert found.index("him") < found.index("she")


def test_constraints_of_the_input_win_over_rules(model: ModelFile) -> None:
    found = words(model, 'fix word "him" right of head\n', "saw(she him[side=left])")
    assert found.index("him") < found.index("saw")


def test_many_daughters_and_many_rules(model: ModelFile) -> None:
    tree = "saw(" + " ".join(f"w{i}" for i in range(20)) + ")"
    found = words(model, 'fix word "w3" right of head rank 2\nfix word "w5" before word "w4"\n', tree)
    assert found[found.index("saw") + 2] == "w3"
    assert found.index("w5") < found.index("w4")


def test_a_model_file_of_another_preset(model: ModelFile, tmp_path: Path) -> None:
    from fergus.errors import ModelError

    fewer = {name: section for name, section in sections().items() if name != "treebank-lr"}
    write_model(tmp_path / "fewer.fergus", {}, fewer)
    realizer = Realizer(ModelFile(tmp_path / "fewer.fergus"), preset="treebank-lr")
    with pytest.raises(ModelError, match="no section 'treebank-lr'"):
        realizer.realize(parse_tree("saw(she him)"))


def test_load_takes_a_file_of_rules_and_realize_a_tree_of_a_treebank(model: ModelFile, tmp_path: Path) -> None:
    from fergus.core.tree import OrderedTree
    from fergus.realize.pipeline import load

    (tmp_path / "my.rules").write_text('fix word "him" left of head\n')
    realizer = load(model.path, rules=tmp_path / "my.rules")
    found = realizer.realize(OrderedTree(parse_tree("saw(she him)"), (0, 1, 2))).tokens
    assert found.index("him") < found.index("saw")


def test_as_many_sentences_as_were_asked_for(model: ModelFile) -> None:
    """Six orders of three words, also those that are so bad that they are usually pruned."""
    assert len(Realizer(model).realize(parse_tree("saw(she him)"), nbest=6).best) == 6
    assert len(Realizer(model).realize(parse_tree("saw(she him)"), nbest=9).best) == 6
