from __future__ import annotations

from pathlib import Path

import pytest

from fergus.core.tree import Node
from fergus.errors import InputError
from fergus.realize.inflection_lexicon import count_forms, parse_lexicon, read_lexicon
from tests.realize.inflection_treebank import PLURAL, sentence

GOOD = """# sea animals
octopus	NOUN	Number=Plur	octopodes
octopus	NOUN	Number=Plur	Octopi
octopus	NOUN	_	octopus

squid	NOUN	Case=Nom|Number=Plur	squids
"""


def test_forms_are_counted_in_lower_case() -> None:
    trees = [sentence(Node("Cats", "cat", "NOUN", feats=PLURAL), Node("cats", "cat", "NOUN", feats=PLURAL), Node("x"))]
    lexicon = count_forms(trees)
    assert lexicon.entries == {("cat", "NOUN", PLURAL): {"cats": 2}}
    assert lexicon.bundles == {"NOUN": {PLURAL: 2}}


def test_the_entry_with_most_features_holds() -> None:
    lexicon = parse_lexicon(GOOD.splitlines())
    more = (("Case", "Nom"), *PLURAL)
    assert lexicon.most_specific("octopus", "NOUN", more) == {"octopodes": 1, "octopi": 1}
    assert lexicon.most_specific("octopus", "NOUN", (("Number", "Sing"),)) == {"octopus": 1}
    assert lexicon.most_specific("squid", "NOUN", PLURAL) == {}
    assert lexicon.most_specific("octopus", "VERB", PLURAL) == {}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("octopus NOUN _ octopodes", "1 columns, not 4"),
        ("octopus\tNOUN\t_\toctopus\t3", "5 columns, not 4"),
        ("\tNOUN\t_\tx", "the lemma is empty"),
        ("x\t_\t_\tx", "the UPOS is empty"),
        ("x\tNOUN\t\tx", "the features is empty; write _"),
        ("x\tNOUN\t_\t ", "the form is empty"),
        ("x\tNOUN\tPlural\tx", "'Plural' is not a feature; write them as"),
        ("x\tNOUN\tNumber=\tx", "'Number=' is not a feature"),
        ("x\tNOUN\tNumbr=Plur\tx", "Numbr=Plur looks misspelt; did you mean Number=Plur?"),
        ("x\tNOUN\tNumber=Plurr\tx", "Number=Plurr looks misspelt; did you mean Number=Plur?"),
        ("x\tNOUN\tNumber=Plur|Number=Sing\tx", "the feature Number is given twice; give it once"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / "words.tsv"
    path.write_text(f"# one\ncat\tNOUN\t_\tcat\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"words\.tsv:3: ") as caught:
        read_lexicon(path)
    assert problem in str(caught.value)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_lexicon(tmp_path / "none.tsv")
    (tmp_path / "latin.tsv").write_bytes("é\tNOUN\t_\té".encode("latin-1"))
    with pytest.raises(InputError, match="not UTF-8"):
        read_lexicon(tmp_path / "latin.tsv")


def test_a_good_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "words.tsv").write_text(GOOD, encoding="utf-8")
    assert read_lexicon(tmp_path / "words.tsv") == parse_lexicon(GOOD.splitlines())
